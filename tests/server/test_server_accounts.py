"""Passwords, sessions and who is signed out when."""

import itertools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import httpx
import pytest
from argon2 import Type, extract_parameters

from jantaku.server.edge.client_address import client_of
from jantaku.server.people.device_names import device
from server.databases import dump
from server.parlour import LOOSE, WAIT_S, Person, close_code, open_server, quick
from server.sites import of_one_process

_NUMBERS = itertools.count(100)
PASSWORD, OTHER = "correct horse", "battery staple"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
)


class Home:
    """One person with a session on a laptop, one on a phone with a socket, and an unused link."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name = url, name
        self.laptop, self.phone = Person(url, name), Person(url)
        self.laptop.http.headers["user-agent"], self.phone.http.headers["user-agent"] = FIREFOX, IPHONE
        self.phone.post("/api/enter", token=self.link())
        self.unused = self.link()
        self.line = self.phone.socket(self.laptop.table()["id"])

    def link(self) -> str:
        """The token of a new one-time link."""
        return str(self.laptop.post("/api/link")["url"]).rpartition("/")[2]

    def signed_in(self, who: Person) -> bool:
        """Whether somebody is signed in."""
        return who.get("/api/me")["person"] is not None

    def alone(self) -> bool:
        """Whether only the laptop is signed in and no link is left."""
        link = httpx.post(f"{self.url}/api/enter", json={"token": self.unused})
        return (
            self.signed_in(self.laptop)
            and not self.signed_in(self.phone)
            and close_code(self.line.raw) == 4401
            and link.status_code == 401
        )


@pytest.fixture
def home(url: str) -> Iterator[Home]:
    home = Home(url, f"home {next(_NUMBERS)}")
    yield home
    home.line.close()
    home.laptop.close()
    home.phone.close()


def test_registering_signs_out_all_other_sessions(home: Home) -> None:
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    assert home.alone()


def test_changing_the_password_signs_out_all_other_sessions(home: Home) -> None:
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    home.phone.post("/api/login", name=home.name, password=PASSWORD)
    home.line.close()
    home.line, home.unused = home.phone.socket(home.laptop.table()["id"]), home.link()
    wrong = home.laptop.http.post("/api/password", json={"old": OTHER, "new": OTHER})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_old_password")
    assert home.signed_in(home.phone)
    home.laptop.post("/api/password", old=PASSWORD, new=OTHER)
    assert home.alone()
    login = {"name": home.name, "password": PASSWORD}
    assert httpx.post(f"{home.url}/api/login", json=login).status_code == 401
    home.phone.post("/api/login", name=home.name, password=OTHER)


@pytest.mark.parametrize("new", ["short", "", "x" * 129])
def test_passwords_too_short_or_too_long_are_refused(home: Home, new: str) -> None:
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    answer = home.laptop.http.post("/api/password", json={"old": PASSWORD, "new": new})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "new")


def test_a_guest_has_no_password_to_change(home: Home) -> None:
    answer = home.laptop.http.post("/api/password", json={"new": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_account")


def test_sessions_are_listed_with_their_devices_and_end_one_by_one(home: Home) -> None:
    listed = home.laptop.get("/api/sessions")
    assert not listed["password"]
    shown = {session["device"]: session for session in listed["sessions"]}
    assert {name: session["here"] for name, session in shown.items()} == {"Safari · iPhone": False, "": True}
    assert all(session["since"] and session["seen"] for session in shown.values())
    phone = shown["Safari · iPhone"]["id"]
    home.laptop.http.delete(f"/api/sessions/{phone}").raise_for_status()
    assert close_code(home.line.raw) == 4401
    assert not home.signed_in(home.phone)
    assert len(home.laptop.get("/api/sessions")["sessions"]) == 1
    assert home.laptop.http.delete(f"/api/sessions/{phone}").status_code == 404


def test_all_other_sessions_end_at_once(home: Home) -> None:
    home.laptop.http.delete("/api/sessions").raise_for_status()
    assert home.alone()


def test_a_person_cannot_end_sessions_of_others(home: Home, other: Person) -> None:
    for session in home.laptop.get("/api/sessions")["sessions"]:
        assert other.http.delete(f"/api/sessions/{session['id']}").status_code == 404
    other.http.delete("/api/sessions").raise_for_status()
    assert home.signed_in(home.phone)


@pytest.mark.slow
def test_no_address_is_stored(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        mina.http.headers["user-agent"] = f"{FIREFOX} 203.0.113.7"
        mina.post("/api/register", name="Mina", password=PASSWORD)
        assert mina.get("/api/sessions")["sessions"][0]["device"] == "Firefox · Linux"
    stored = dump(tmp_path)
    assert "Firefox" in stored
    assert "127.0.0.1" not in stored
    assert "203.0.113.7" not in stored


@pytest.mark.slow
def test_sessions_and_links_per_person_are_limited(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        mina.post("/api/register", name="Mina", password=PASSWORD)
        login = {"name": "Mina", "password": PASSWORD}
        for _ in range(55):
            assert httpx.post(f"{url}/api/login", json=login).status_code == 200
        mina.post("/api/login", **login)
        assert len(mina.get("/api/sessions")["sessions"]) == 50
        tokens = [mina.post("/api/link")["url"].rpartition("/")[2] for _ in range(12)]
        used = [httpx.post(f"{url}/api/enter", json={"token": token}).status_code for token in tokens]
        assert used.count(200) == 10


@pytest.mark.parametrize(
    ("agent", "known"),
    [
        (FIREFOX, "Firefox · Linux"),
        (IPHONE, "Safari · iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge · Windows"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/130 Safari/537.36 KAKAOTALK 10", "KakaoTalk · Android"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_a_device_is_described_by_browser_and_system(agent: str, known: str) -> None:
    assert device(agent) == known


# Limits on sign-in attempts


def from_address(url: str, address: str) -> httpx.Client:
    """Somebody at another address of this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=url, timeout=WAIT_S, transport=transport)


def try_from(url: str, place: int | str, password: str = OTHER, name: str = "MINA") -> int:
    """The status of a sign-in attempt from an address, or from a place in the network 127.0.0.0/24."""
    with from_address(url, place if isinstance(place, str) else f"127.0.0.{place}") as client:
        return client.post("/api/login", json={"name": name, "password": password}).status_code


@contextmanager
def guarded(
    folder: Path, *, of_account: float, of_address: float, of_network: float = 0
) -> Iterator[tuple[str, Person]]:
    """A server that allows few attempts, and Mina, who has an account and is signed in at 127.0.0.1."""
    limits = replace(
        LOOSE,
        tries_of_account_per_h=of_account,
        tries_of_address_per_h=of_address,
        tries_of_network_per_h=of_network or of_account,
    )
    with open_server(quick(folder, limits=limits)) as url, closing(Person(url)) as mina:
        mina.post("/api/register", name="Mina", password=PASSWORD)
        yield url, mina


@of_one_process
@pytest.mark.slow
def test_wrong_passwords_are_limited_across_addresses(tmp_path: Path) -> None:
    with guarded(tmp_path, of_account=4, of_address=2) as (url, _):
        assert [try_from(url, address) for address in range(2, 10)] == [401] * 4 + [429] * 4
        assert try_from(url, 20, PASSWORD) == 429


@of_one_process
@pytest.mark.slow
def test_guessing_from_one_address_does_not_lock_the_owner_out(tmp_path: Path) -> None:
    with guarded(tmp_path, of_account=8, of_address=2) as (url, _):
        assert [try_from(url, 2) for _ in range(30)] == [401] * 2 + [429] * 28
        assert try_from(url, 3, PASSWORD) == 200
        assert try_from(url, 2, PASSWORD) == 429


@of_one_process
@pytest.mark.slow
def test_the_owner_can_sign_in_from_a_known_browser_during_an_attack(tmp_path: Path) -> None:
    """Also from the attacker's address, and with a variant of the account name."""
    with guarded(tmp_path, of_account=2, of_address=2) as (url, mina):
        mina.post("/api/logout")
        assert [try_from(url, address) for address in (1, 1, 1, 2)] == [401, 401, 429, 429]
        for name in ("Mina", "ｍｉｎａ "):
            mina.post("/api/login", name=name, password=PASSWORD)
            mina.post("/api/logout")
        wrong = [mina.http.post("/api/login", json={"name": "Mina", "password": OTHER}) for _ in range(5)]
        assert [answer.status_code for answer in wrong] == [401, 401, 429, 429, 429]


@of_one_process
@pytest.mark.slow
def test_guessing_from_many_networks_does_not_lock_the_owner_out(tmp_path: Path) -> None:
    """Twelve networks guess without end; the owner enters with a new browser from another one."""
    with guarded(tmp_path, of_account=10, of_address=10, of_network=2) as (url, _):
        strangers = [f"127.{number}.0.1" for number in range(1, 13)]
        codes = [try_from(url, address) for _ in range(6) for address in strangers]
        assert codes.count(401) <= 10 + 2 * len(strangers)
        assert codes[-len(strangers) :] == [429] * len(strangers)
        beside = [try_from(url, f"127.1.0.{number}") for number in range(2, 6)]
        assert beside == [429] * 4, "further addresses of the same network help nobody"
        assert try_from(url, "127.99.0.1") == 401, "a slip"
        assert [try_from(url, "127.99.0.1", PASSWORD) for _ in range(3)] == [200] * 3
        assert [try_from(url, "127.98.0.1") for _ in range(3)] == [401, 401, 429]


@of_one_process
@pytest.mark.slow
def test_only_the_owner_gets_the_known_browser_cookie(tmp_path: Path) -> None:
    """A cookie of another account, the browser's mark, or a cookie older than the password does not count."""
    with guarded(tmp_path, of_account=2, of_address=3) as (url, mina), closing(Person(url)) as jun:
        old = dict(mina.http.cookies)
        jun.post("/api/register", name="Jun", password=PASSWORD)
        mina.post("/api/password", old=PASSWORD, new=OTHER)
        new = dict(mina.http.cookies)
        assert [try_from(url, address) for address in (2, 3, 4)] == [200, 200, 200], (
            "right ones use up nothing"
        )
        assert [try_from(url, address, PASSWORD) for address in (2, 3, 4)] == [401, 401, 429]
        forged = {
            "of Jun": dict(jun.http.cookies),
            "of Jun in Mina's browser": {**new, "jantaku_known": jun.http.cookies["jantaku_known"]},
            "of Mina in Jun's browser": {**new, "jantaku_browser": jun.http.cookies["jantaku_browser"]},
            "of the old password": old,
            "none": {**new, "jantaku_known": ""},
            "no sign": {**new, "jantaku_known": "." * 100},
        }
        for what, cookies in forged.items():
            body = {"name": "Mina", "password": OTHER}
            answer = httpx.post(f"{url}/api/login", json=body, cookies=cookies)
            assert answer.status_code == 429, what
        body = {"name": "Mina", "password": OTHER}
        assert httpx.post(f"{url}/api/login", json=body, cookies=new).status_code == 200


@of_one_process
@pytest.mark.slow
def test_one_browser_can_be_known_for_several_accounts(tmp_path: Path) -> None:
    with guarded(tmp_path, of_account=2, of_address=2) as (url, mina):
        for name in ("Jun", "Aki"):
            mina.post("/api/logout")
            mina.post("/api/register", name=name, password=PASSWORD)
        for name in ("Mina", "Jun", "Aki"):
            assert [try_from(url, address, name=name) for address in (2, 3, 4)] == [401, 401, 429]
            mina.post("/api/logout")
            mina.post("/api/login", name=name, password=PASSWORD)


@of_one_process
def test_an_existing_session_makes_its_browser_known(tmp_path: Path) -> None:
    with guarded(tmp_path, of_account=1, of_address=1) as (url, mina):
        mina.http.cookies.delete("jantaku_known")
        mina.get("/api/me")
        mina.post("/api/logout")
        assert [try_from(url, address) for address in (2, 3)] == [401, 429]
        mina.post("/api/login", name="Mina", password=PASSWORD)


@of_one_process
def test_guessing_does_not_block_password_changes(tmp_path: Path) -> None:
    with guarded(tmp_path, of_account=2, of_address=2) as (url, mina):
        assert [try_from(url, address) for address in (1, 1, 2)] == [401, 401, 429]
        mina.post("/api/password", old=PASSWORD, new=OTHER)
        wrong = [mina.http.post("/api/password", json={"old": PASSWORD, "new": OTHER}) for _ in range(3)]
        assert [answer.status_code for answer in wrong] == [403, 403, 429]


@of_one_process
@pytest.mark.slow
def test_new_accounts_per_address_are_limited(tmp_path: Path) -> None:
    limits = replace(LOOSE, accounts_per_day=2)
    with open_server(quick(tmp_path, limits=limits)) as url:
        codes = [
            httpx.post(f"{url}/api/register", json={"name": name, "password": PASSWORD}).status_code
            for name in ("Aki", "Bo", "Cho")
        ]
        assert codes == [200, 200, 429]
        with from_address(url, "127.0.0.9") as elsewhere:
            assert (
                elsewhere.post("/api/register", json={"name": "Cho", "password": PASSWORD}).status_code == 200
            )


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("2001:db8:1:3::", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("no address", "no address"),
    ],
)
def test_addresses_of_one_household_count_together(address: str, counted: str) -> None:
    assert client_of({"client": (address, 4711)}) == counted
    assert client_of({"client": None}) == ""


def test_passwords_are_hashed_as_owasp_recommends() -> None:
    """Servers of tests hash quickly, so the module is loaded anew."""
    spec = find_spec("jantaku.server.people.accounts")
    assert spec is not None
    assert spec.loader is not None
    fresh = module_from_spec(spec)
    spec.loader.exec_module(fresh)
    parameters = extract_parameters(fresh.HASHER.hash("correct horse"))
    assert (parameters.type, parameters.memory_cost >= 19 * 1024, parameters.time_cost >= 2) == (
        Type.ID,
        True,
        True,
    )
