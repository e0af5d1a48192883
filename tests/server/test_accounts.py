"""Passwords, sessions and who is signed out when."""

import asyncio
import hashlib
import itertools
import logging
import socket
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import Type, extract_parameters
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from jantaku.server.edge.limits import client_of
from jantaku.server.errors import ServerError
from jantaku.server.names import MOST_LETTERS, check_reserved, numbered, shown_name, skeleton
from jantaku.server.people.accounts import CODES, FRESH_MS
from jantaku.server.people.routes import device
from jantaku.server.run import admin_token, prepare
from jantaku.server.settings import Limits
from jantaku.server.storage.people import GuestName, PersonRow, new_id
from jantaku.server.storage.services import Services
from server.databases import dump
from server.parlour import LOOSE, WAIT_S, Person, close_code, open_server, quick
from server.sign_in_owner import code_of
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
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        mina.http.headers["user-agent"] = f"{FIREFOX} 203.0.113.7"
        mina.post("/api/register", name="Mina", password=PASSWORD)
        assert mina.get("/api/sessions")["sessions"][0]["device"] == "Firefox · Linux"
    stored = dump(tmp_path)
    assert "Firefox" in stored
    assert "127.0.0.1" not in stored
    assert "203.0.113.7" not in stored


@pytest.mark.slow
def test_sessions_and_links_per_person_are_limited(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
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
    with guarded(tmp_path, of_account=2, of_address=3) as (url, mina):
        jun = Person(url)
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


# Signing in and out, refusals, and roles


def test_a_guest_enters_by_name_and_registers(url: str) -> None:
    who = Person(url, "  민수 ")
    me = who.get("/api/me")["person"]
    assert (me["name"], me["guest"], me["role"]) == ("민수", True, "player")
    who.post("/api/register", name="Ｍinsu", password=PASSWORD, language="ko")
    again = Person(url)
    login = again.post("/api/login", name="minsu", password=PASSWORD)
    assert login["id"] == who.id
    assert not login["guest"]
    who.post("/api/logout")
    assert who.get("/api/me")["person"] is None


def test_scripts_cannot_read_cookies(url: str) -> None:
    answer = httpx.post(f"{url}/api/guest", json={"name": "Mina"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie


def test_cookies_are_secure_over_https(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, public_url="https://parlour.example")) as url:
        answer = httpx.post(f"{url}/api/guest", json={"name": "Mina"})
        assert "; secure" in answer.headers["set-cookie"].lower()
        assert "max-age" in answer.headers["strict-transport-security"]
        cookie = answer.headers["set-cookie"].partition(";")[0]
        link = httpx.post(f"{url}/api/link", json={}, headers={"cookie": cookie}).json()["url"]
        assert link.startswith("https://parlour.example/enter/")


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/login", {"name": "nobody", "password": PASSWORD}, "wrong_password"),
        ("/api/login", {"name": "taken", "password": "wrong word"}, "wrong_password"),
        ("/api/register", {"name": "TAKEN", "password": PASSWORD}, "name_taken"),
        ("/api/register", {"name": "new", "password": "short"}, "bad_request"),
        ("/api/guest", {"name": ""}, "bad_request"),
        ("/api/guest", {"name": "\u202e\u202e"}, "name_character"),
        ("/api/guest", {"name": " \u3000 "}, "empty_name"),
        ("/api/guest", {"name": "x", "role": "admin"}, "bad_request"),
        ("/api/enter", {"token": "made up"}, "link_used"),
    ],
)
def test_a_refused_sign_in_says_why(url: str, path: str, body: dict[str, str], code: str) -> None:
    owner = Person(url)
    owner.http.post("/api/register", json={"name": "taken", "password": PASSWORD})
    answer = httpx.post(url + path, json=body, headers={"accept-language": "ja"})
    assert answer.status_code in (400, 401, 409, 422)
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["message"]
    assert "set-cookie" not in answer.headers


def test_a_link_signs_in_once(url: str) -> None:
    mina, phone = Person(url, "Mina"), Person(url)
    token = mina.post("/api/link")["url"].rpartition("/")[2]
    assert phone.post("/api/enter", token=token)["id"] == mina.id
    assert phone.http.post("/api/enter", json={"token": token}).status_code == 401


@pytest.mark.slow
def test_an_unused_link_ends_when_a_role_changes(tmp_path: Path) -> None:
    """Nobody gets a privilege back by a link that was made before it was taken away, whoever made it."""
    settings = quick(tmp_path)
    token = asyncio.run(admin_token(settings, always=True))
    with open_server(settings) as url:
        owner, friend = Person(url), Person(url)
        owner.post("/api/enter", token=token)
        friend.post("/api/register", name="Jun", password=PASSWORD)
        kept = link(owner, name="Nari")
        mine = [link(owner, name="Jun", role="admin"), link(owner, name="Jun", role="referee"), link(friend)]
        owner.post(f"/api/people/{id_of(friend)}/role", role="player")  # the role that Jun has already
        assert [entered(url, token) for token in mine] == [401] * 3
        assert entered(url, kept) == 200, "that of somebody else stays"

        friend.post("/api/enter", token=link(owner, name="Jun", role="admin"))
        foreign = [link(friend, name="Kim", role="admin"), link(friend, name="Nari")]
        owner.post(f"/api/people/{id_of(friend)}/role", role="player")
        assert [entered(url, token) for token in foreign] == [401] * 2, "an admin who is none made them"

        other = Person(url)
        other.post("/api/enter", token=link(owner, name="Bo", role="admin"))
        foreign = [link(other, name="Kim", role="admin"), link(other, name="Nari")]
        erasing = owner.post(f"/api/people/{id_of(other)}/erase")
        owner.post(f"/api/people/{id_of(other)}/erase", confirm=erasing["confirm"])
        assert [entered(url, token) for token in foreign] == [401] * 2, "an admin who is gone made them"

        first, second = link(owner, name="Jun", role="player"), link(owner, name="Jun", role="admin")
        assert (entered(url, first), entered(url, second)) == (200, 401)


def id_of(person: Person) -> str:
    return str(person.get("/api/me")["person"]["id"])


def link(person: Person, **body: str) -> str:
    return str(person.post("/api/link", **body)["url"].rpartition("/")[2])


def entered(url: str, token: str) -> int:
    return httpx.post(f"{url}/api/enter", json={"token": token}).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_cross_site_forms_change_nothing(url: str, headers: dict[str, str], status: int) -> None:
    sent = {"content-type": "application/json"} | headers
    content = b'{"name":"Mina"}'
    answer = httpx.post(f"{url}/api/guest", content=content, headers=sent, timeout=5)
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 200)


def test_a_body_declared_too_long_is_not_read(url: str) -> None:
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as raw:
        raw.sendall(
            b"POST /api/guest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
            b"content-length: 999999999\r\n\r\n{"
        )
        assert b" 413 " in raw.recv(100)


def test_a_long_body_without_a_length_is_stopped(url: str) -> None:
    def parts() -> Any:
        for _ in range(40):
            yield b" " * 10_000

    answer = httpx.post(f"{url}/api/guest", content=parts(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@of_one_process
@pytest.mark.slow
def test_too_many_sign_in_attempts_are_refused(tmp_path: Path) -> None:
    limits = Limits(entries_per_min=5)
    with open_server(quick(tmp_path, limits=limits)) as url:
        codes = [
            httpx.post(f"{url}/api/login", json={"name": "x", "password": "y"}).status_code for _ in range(8)
        ]
        assert codes[:5] == [401] * 5
        assert codes[5:] == [429] * 3


@pytest.mark.slow
def test_no_secret_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        token = mina.post("/api/link")["url"].rpartition("/")[2]
        mina.http.get(f"/enter/{token}")
        mina.post("/api/register", name="mina", password=PASSWORD)
        secrets = [token, PASSWORD, *mina.http.cookies.values()]
        mina.close()
    said = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("jantaku", "uvicorn"))
    )
    assert not [secret for secret in secrets if secret in said]


async def test_the_first_start_gives_the_admin_a_link(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    assert await admin_token(settings, always=False)
    assert await admin_token(settings, always=False) is None
    assert await admin_token(settings, always=True)


# Names: what may stand in one, and which look alike


KEPT = (
    "민수",
    "ㅋㅋㅋ",
    "山田 太郎",
    "みなと",
    "ガンダム",
    "Nguyễn Văn",
    "Zoë",
    "ภูมิ",
    "नमस्ते",
    "Иван",
    "💩",
    "龍2",
)


@pytest.mark.parametrize("name", KEPT)
def test_names_in_all_scripts_are_kept(name: str) -> None:
    assert shown_name(name) == name


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  민수 ", "민수"),
        ("Ｍｉｎａ", "Mina"),
        ("ｶﾞﾝﾀﾞﾑ", "ガンダム"),
        ("a\u3000 b", "a b"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_names_are_normalised(written: str, shown: str) -> None:
    assert shown_name(written) == shown


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "empty_name"),
        ("\u3000", "empty_name"),
        ("...", "empty_name"),
        ("\u3164", "name_character"),  # the filler of Korean letters
        ("\u115f\u1160", "name_character"),
        ("\u2800", "name_character"),  # a blank of Braille
        ("Mi\u200bna", "name_character"),
        ("Mi\u00adna", "name_character"),
        ("Mi\u034fna", "name_character"),
        ("\u202eaniM", "name_character"),
        ("\u2066Mina\u2069", "name_character"),
        ("Mina\ufe0f", "name_character"),
        ("Mina\U000e0101", "name_character"),
        ("Mina\u0007", "name_character"),
        ("Mina\u2028x", "name_character"),
        ("\ue000", "name_character"),
        ("\U000e0041x", "name_character"),
        ("\ud800", "name_character"),
        ("a\u20dd", "name_character"),
        ("Z\u0310\u0352\u033bina", "name_marks"),
        ("\u0301Mina", "name_marks"),
        ("가\u0301\u0301\u0301", "name_marks"),
        ("ก\u0e49\u0e49\u0e49\u0e49", "name_marks"),
        ("x" * (MOST_LETTERS + 1), "long_name"),
        ("\ufdfa\ufdfa", "long_name"),  # one sign that stands for eighteen letters
    ],
)
def test_names_with_hidden_or_stacked_characters_are_refused(name: str, code: str) -> None:
    with pytest.raises(ServerError) as error:
        shown_name(name)
    assert error.value.code == code


@pytest.mark.slow
@given(st.text(max_size=60))
def test_an_accepted_name_is_shown_unchanged(name: str) -> None:
    try:
        shown = shown_name(name)
    except ServerError:
        return
    assert shown_name(shown) == shown
    assert 0 < len(shown) <= MOST_LETTERS
    assert skeleton(shown)


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Mina", "mina"),
        ("Mina", "Міnа"),
        ("Mina", "ΜΙΝΑ"),
        ("Mina", "M1na"),
        ("Mina", "rnina"),
        ("Mina", "𝓜𝓲𝓷𝓪"),
        ("Mina", "M i n a."),
        ("Bo0m", "BOom"),
        ("ニ口", "二ロ"),
        ("カイ", "力イ"),
        ("ビール", "ビ一ル"),
        ("へび", "ヘび"),
    ],
)
def test_lookalike_names_share_a_skeleton(name: str, like: str) -> None:
    assert skeleton(name) == skeleton(like)


@pytest.mark.parametrize(
    ("name", "other"), [("かか", "がか"), ("Mina", "Nina"), ("민수", "민소"), ("José", "Josef")]
)
def test_distinct_names_have_distinct_skeletons(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


@pytest.mark.parametrize("name", ["Kaede", "Каеde", "sora", "S0ra", "HANEUL", "Ren", "Аdmin", "adrnin"])
def test_names_of_bots_and_the_admin_are_reserved(name: str) -> None:
    with pytest.raises(ServerError) as error:
        check_reserved(name)
    assert error.value.code == "name_like"


@pytest.mark.slow
def test_guests_cannot_imitate_an_account_name(tmp_path: Path) -> None:
    """Neither guests, nor new or renamed accounts, nor by the former name of an account."""
    with open_server(quick(tmp_path)) as url:
        mina, guest = Person(url), Person(url, "Jun")
        mina.post("/api/register", name="Mina", password=PASSWORD)
        for name in ("Mina", "Міnа", "rnina"):
            for path in ("guest", "register"):
                body = {"name": name} | ({"password": PASSWORD} if path == "register" else {})
                answer = httpx.post(f"{url}/api/{path}", json=body)
                assert answer.status_code == 409, (path, name)
            assert guest.http.patch("/api/me", json={"name": name}).status_code == 409
        assert mina.http.patch("/api/me", json={"name": "Chao"}).json()["name"] == "Chao"
        for name in ("Mіna", "Сhao"):
            assert guest.http.patch("/api/me", json={"name": name}).status_code == 409
        assert mina.http.patch("/api/me", json={"name": "MINA"}).status_code == 200
        assert guest.http.patch("/api/me", json={"name": "Сhao"}).status_code == 200, "it is free again"
        guest.http.patch("/api/me", json={"name": "Jun"})
        answer = guest.http.patch("/api/me", json={"name": "S\u200bora"}, headers={"accept-language": "ko"})
        assert answer.json()["error"]["code"] == "name_character"
        assert "U+200B" in answer.json()["error"]["message"]


@of_one_process
def test_names_of_accounts_cannot_be_tried_in_bulk(tmp_path: Path) -> None:
    """Whether a name is taken is told a few times a minute, to a person and to an address."""
    limits = replace(LOOSE, names_per_min=0.001, name_burst=5)
    with open_server(quick(tmp_path, limits=limits)) as url:
        Person(url).post("/api/register", name="Hana", password="correct horse")
        codes = []
        for number in range(4):
            guest = Person(url, f"Guest {number}")
            answers = [guest.http.patch("/api/me", json={"name": "Hana"}) for _ in range(3)]
            codes += [answer.json()["error"]["code"] for answer in answers]
            assert guest.http.patch("/api/me", json={"language": "ko"}).status_code == 200
            guest.close()
        assert codes == ["name_like"] * 5 + ["too_many"] * 7


def test_table_names_follow_the_same_rules(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        assert mina.table(name="  우리  탁자 ")["name"] == "우리 탁자"
        answer = mina.http.post("/api/tables", json={"name": "\u202eelbat"})
        assert answer.json()["error"]["code"] == "name_character"


# No guest ever looks like another guest, whether that one is there, has signed out, or was deleted


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as it runs outside tests, where no two guests look alike."""
    with open_server(quick(tmp_path_factory.mktemp("names"), same_names=False)) as url:
        yield url


def called(person: Person) -> str:
    """The person's name as everybody sees it."""
    name: str = person.get("/api/me")["person"]["name"]
    return name


def test_each_guest_of_a_name_has_a_number_of_their_own(strict: str) -> None:
    first = Person(strict, "미나")
    table = first.table()["id"]
    again = Person(strict, "미나")
    again.post(f"/api/tables/{table}/join")
    seats = first.get(f"/api/tables/{table}")["seats"]
    assert [seat["name"] for seat in seats if seat] == ["미나", "미나 2"]
    first.post("/api/logout")
    assert called(Person(strict, "미나")) == "미나 3"  # whoever has gone keeps the name in every record
    assert called(Person(strict, "미 나")) == "미 나 4"  # looks the same
    assert called(Person(strict, "미나 5")) == "미나 5"
    assert called(Person(strict, "미나")) == "미나 6"


def test_renaming_gives_nobody_the_look_of_another(strict: str) -> None:
    one, other = Person(strict, "Ann"), Person(strict, "Ben")
    assert other.http.patch("/api/me", json={"name": "ann"}).json()["name"] == "ann 2"
    assert other.http.patch("/api/me", json={"name": "ann"}).json()["name"] == "ann 2"  # keeps its number
    assert one.http.patch("/api/me", json={"name": "ANN"}).json()["name"] == "ANN"  # one's own look
    assert one.http.patch("/api/me", json={"language": "ko"}).json()["name"] == "ANN"
    long = "x" * MOST_LETTERS
    assert called(Person(strict, long)) == long
    assert called(Person(strict, long)) == numbered(long, 2) == "x" * (MOST_LETTERS - 2) + " 2"


def test_many_at_once_all_get_names_of_their_own(strict: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda _: called(Person(strict, "Cho")), range(16)))
    assert sorted(names) == sorted(["Cho", *(f"Cho {number}" for number in range(2, 17))])


def registered(person: Person, name: str) -> str:
    """The name that somebody has after opening an account with a name."""
    answer = person.http.post(
        "/api/register", json={"name": name, "password": "long enough", "language": "en"}
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["name"])


def test_no_account_looks_like_a_guest_who_played_here(strict: str) -> None:
    """It keeps the name to sign in with; the guest who opens the account keeps the name itself."""
    first = Person(strict, "Eun")
    first.post("/api/logout")
    new = Person(strict)
    assert registered(new, "Eun") == "Eun 2"
    assert new.http.patch("/api/me", json={"name": "Eun"}).json()["name"] == "Eun 2"
    again = Person(strict)
    login = {"name": "Eun", "password": "long enough"}
    assert again.http.post("/api/login", json=login).json()["name"] == "Eun 2"
    guest = Person(strict, "Fay")
    assert registered(guest, "Fay") == "Fay"
    other = Person(strict, "Gil")
    Person(strict, "Hana").post("/api/logout")
    assert registered(other, "Hana") == "Hana 2"
    assert other.http.patch("/api/me", json={"name": "Ivo"}).json()["name"] == "Ivo"
    Person(strict, "Joo").post("/api/logout")
    assert other.http.patch("/api/me", json={"name": "joo"}).json()["name"] == "joo 2"


def test_a_deleted_guest_is_not_forgotten_and_an_account_keeps_its_look(tmp_path: Path) -> None:
    async def live() -> list[str]:
        services = Services(quick(tmp_path, same_names=False))
        await services.store.claim()
        await services.store.open()
        add, names = services.accounts.add_guest, []
        for _ in range(2):
            names.append((await add(PersonRow(new_id(), "Dai", None, "player", "en"), unlike=True)).name)
            await services.cleanup.tidy()  # nobody of them is signed in
        account = PersonRow(new_id(), "Dai 3", "dai 3", "player", "en", "x")
        await services.accounts.add(account, ["dal3"])
        names.append((await add(PersonRow(new_id(), "Dai", None, "player", "en"), unlike=True)).name)
        await services.store.close()
        return names

    assert asyncio.run(live()) == ["Dai", "Dai 2", "Dai 4"]


def test_names_of_guests_cannot_be_guessed_from_a_copy_of_the_table(tmp_path: Path) -> None:
    """Neither by hashing a guess nor by asking another parlour for its mark."""

    async def marks(data: Path) -> list[str]:
        services = Services(quick(data, same_names=False))
        await services.store.claim()
        await services.store.open()
        for name in ("Dai", "Eun"):
            await services.accounts.add_guest(PersonRow(new_id(), name, None, "player", "en"), unlike=True)
        found = [str(mark) for mark in await services.store.values(select(GuestName.mark))]
        await services.store.close()
        return found

    one, other = (asyncio.run(marks(tmp_path / place)) for place in ("one", "other"))
    guesses = {
        hashlib.sha256(text.encode()).hexdigest()
        for name in ("Dai", "Eun")
        for text in (name, skeleton(name))
    }
    assert len(one) == len(other) == 2
    assert set(one).isdisjoint(other)
    assert guesses.isdisjoint((*one, *other))


# Recovery codes: they set a new password once, for their owner alone, and guessing them is limited


class Owner(Person):
    """Somebody with an account."""

    def __init__(self, url: str) -> None:
        self.name = f"codes {next(_NUMBERS)}"
        super().__init__(url, self.name)
        self.post("/api/register", name=self.name, password=PASSWORD)


@pytest.fixture
def forgetful(url: str) -> Owner:
    """Somebody with an account."""
    return Owner(url)


def codes(forgetful: Owner) -> list[str]:
    """New codes of somebody whose password is the first one."""
    codes: list[str] = forgetful.post("/api/recovery", password=PASSWORD)["codes"]
    return codes


def recover(forgetful: Owner, code: str, password: str = OTHER, **said: str) -> httpx.Response:
    """What a browser without cookies gets for a code."""
    body = {"name": forgetful.name, "code": code, "password": password} | said
    return httpx.post(f"{forgetful.url}/api/recover", json=body)


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: code.replace("-", " ").replace("0", "O")])
def test_a_code_sets_a_new_password_and_ends_all_other_sessions(
    forgetful: Owner, typed: Callable[[str], str]
) -> None:
    made = codes(forgetful)
    assert len(set(made)) == CODES == forgetful.get("/api/recovery")["left"]
    answer = recover(forgetful, typed(made[0]))
    assert answer.status_code == 200, answer.text
    assert answer.json()["name"] == forgetful.name
    assert forgetful.get("/api/me")["person"] is None
    again = Person(forgetful.url)
    again.post("/api/login", name=forgetful.name, password=OTHER)
    assert again.get("/api/recovery")["left"] == CODES - 1


def test_a_code_works_once_and_for_its_owner_alone(forgetful: Owner, url: str) -> None:
    stranger = Owner(url)
    made, before = codes(forgetful), codes(stranger)
    codes(stranger)  # those made before stop working
    refused = [
        recover(forgetful, before[0]),
        recover(stranger, before[0]),
        recover(forgetful, made[0], name=stranger.name),
        recover(forgetful, made[0], name="nobody at all"),
        recover(forgetful, ""),
    ]
    assert [answer.status_code for answer in refused] == [403] * 5
    assert recover(forgetful, made[0], "short").status_code == 422
    assert recover(forgetful, made[0]).status_code == 200
    assert recover(forgetful, made[0]).status_code == 403


def test_codes_end_with_the_password_that_made_them(forgetful: Owner) -> None:
    """Whoever knew the password had made codes, and came back by them after the owner had changed it."""
    made = codes(forgetful)
    forgetful.post("/api/password", old=PASSWORD, new=OTHER)
    assert forgetful.get("/api/recovery")["left"] == 0
    assert recover(forgetful, made[0]).status_code == 403


def test_codes_need_an_account_and_its_password(forgetful: Owner, url: str) -> None:
    assert forgetful.http.post("/api/recovery", json={"password": OTHER}).status_code == 403
    assert forgetful.http.post("/api/recovery", json={}).status_code == 403
    assert forgetful.get("/api/recovery")["left"] == 0
    guest = Person(url, f"codes {next(_NUMBERS)}")
    assert guest.http.post("/api/recovery", json={}).json()["error"]["code"] == "no_account"


@of_one_process
def test_guessing_is_limited_and_no_code_is_stored(tmp_path: Path) -> None:
    limits = replace(LOOSE, tries_of_address_per_h=5, tries_of_account_per_h=50)
    with open_server(quick(tmp_path, limits=limits)) as url:
        forgetful = Owner(url)
        made = codes(forgetful)
        statuses = [recover(forgetful, "0000-0000-0000").status_code for _ in range(7)]
        assert statuses == [403] * 5 + [429] * 2
        assert recover(forgetful, made[0]).status_code == 429  # the right one, too
    stored = dump(tmp_path)
    assert not any(code in stored or code.replace("-", "") in stored for code in made)


def test_an_erased_person_leaves_no_codes(forgetful: Owner) -> None:
    made = codes(forgetful)
    asked = forgetful.post("/api/me/erase", password=PASSWORD)
    forgetful.post("/api/me/erase", password=PASSWORD, confirm=asked["confirm"])
    assert recover(forgetful, made[0]).status_code == 403


# What somebody leaves behind: an open session, which opens no lasting way, and tables, which forget them


NEW = "battery staple"
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/password", {"old": None, "new": NEW}),
    ("/api/recovery", {"password": ""}),
    ("/api/link", {}),
)


@pytest.fixture
def admin(tmp_path: Path) -> Iterator[Person]:
    """Somebody with an account that only a link opens."""
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    with open_server(settings) as url:
        person = Person(url)
        person.post("/api/enter", token=token)
        yield person


def grow_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every session have begun longer ago than a password may be set."""
    monkeypatch.setattr("jantaku.server.people.accounts.FRESH_MS", -1)


def test_the_first_password_needs_a_fresh_sign_in(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FRESH_MS <= 3_600_000
    own_link = admin.post("/api/link")["url"].rpartition("/")[2]
    grow_old(monkeypatch)
    for path, body in WAYS:
        assert code_of(admin.http.post(path, json=body)) == "sign_in_again", path
    asked = admin.post("/api/me/erase")
    assert code_of(admin.http.post("/api/me/erase", json={"confirm": asked["confirm"]})) == "sign_in_again"
    monkeypatch.undo()
    admin.post("/api/enter", token=own_link)
    admin.post("/api/password", old=None, new=NEW)
    grow_old(monkeypatch)
    assert code_of(admin.http.post("/api/password", json={"old": None, "new": NEW})) == "wrong_old_password"
    admin.post("/api/password", old=NEW, new="correct horse")  # whoever knows it needs nothing else
    admin.post("/api/link")


def test_the_tables_of_somebody_who_is_deleted_have_no_owner(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        jun = Person(url, "Jun")
        tables = [mina.table(bots=bots)["id"] for bots in (1, 3)]
        jun.post(f"/api/tables/{tables[0]}/join")
        confirm = mina.post("/api/me/erase")["confirm"]
        assert mina.post("/api/me/erase", confirm=confirm)["done"]
        jun.post(f"/api/tables/{tables[0]}/start")
        assert jun.get(f"/api/tables/{tables[0]}")["owner"] == jun.id
    with closing(sqlite3.connect(tmp_path / "jantaku.sqlite3")) as database:
        assert [*database.execute("SELECT count(*) FROM tables WHERE owner = ?", (mina.id,))] == [(0,)]
