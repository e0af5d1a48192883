"""Passwords, sessions and who is signed out when."""

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from jantaku.server.devices import device
from jantaku.server.security import client_of
from jantaku.server.settings import DATABASE_FILE
from server.parlour import LOOSE, WAIT_S, Person, close_code, open_server, quick

_NUMBERS = itertools.count(100)
PASSWORD, OTHER = "correct horse", "battery staple"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
)


class Home:
    """One person with a session in a laptop and one in a phone that has a socket, and a link not used yet."""

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
        """Whether only the laptop is signed in, and nothing else can be used to sign in again."""
        link = httpx.post(f"{self.url}/api/enter", json={"token": self.unused})
        return (
            self.signed_in(self.laptop)
            and not self.signed_in(self.phone)
            and close_code(self.line.raw) == 4401
            and link.status_code == 401
        )


@pytest.fixture
def home(url: str) -> Iterator[Home]:
    found = Home(url, f"home {next(_NUMBERS)}")
    yield found
    found.line.close()
    found.laptop.close()
    found.phone.close()


def test_opening_an_account_signs_out_everywhere_else(home: Home) -> None:
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    assert home.alone()


def test_another_password_signs_out_everywhere_else(home: Home) -> None:
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
def test_a_password_that_is_too_short_or_too_long_is_not_taken(home: Home, new: str) -> None:
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    answer = home.laptop.http.post("/api/password", json={"old": PASSWORD, "new": new})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "new")


def test_a_guest_has_no_password_to_change(home: Home) -> None:
    answer = home.laptop.http.post("/api/password", json={"new": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_account")


def test_sessions_are_listed_with_their_devices_and_end_one_by_one(home: Home) -> None:
    listed = home.laptop.get("/api/sessions")
    assert not listed["password"]
    shown = {one["device"]: one for one in listed["sessions"]}
    assert {name: one["here"] for name, one in shown.items()} == {"Safari · iPhone": False, "": True}
    assert all(one["since"] and one["seen"] for one in shown.values())
    phone = shown["Safari · iPhone"]["id"]
    home.laptop.http.delete(f"/api/sessions/{phone}").raise_for_status()
    assert close_code(home.line.raw) == 4401
    assert not home.signed_in(home.phone)
    assert len(home.laptop.get("/api/sessions")["sessions"]) == 1
    assert home.laptop.http.delete(f"/api/sessions/{phone}").status_code == 404


def test_all_other_sessions_end_at_once(home: Home) -> None:
    home.laptop.http.delete("/api/sessions").raise_for_status()
    assert home.alone()


def test_nobody_ends_the_session_of_somebody_else(home: Home, other: Person) -> None:
    for one in home.laptop.get("/api/sessions")["sessions"]:
        assert other.http.delete(f"/api/sessions/{one['id']}").status_code == 404
    other.http.delete("/api/sessions").raise_for_status()
    assert home.signed_in(home.phone)


def test_no_address_is_stored(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        mina.http.headers["user-agent"] = f"{FIREFOX} 203.0.113.7"
        mina.post("/api/register", name="Mina", password=PASSWORD)
        assert mina.get("/api/sessions")["sessions"][0]["device"] == "Firefox · Linux"
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        told = "\n".join(database.iterdump())
    assert "127.0.0.1" not in told
    assert "203.0.113.7" not in told


def test_a_person_has_so_many_sessions_and_links(tmp_path: Path) -> None:
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
def test_a_device_is_known_by_its_browser_and_system(agent: str, known: str) -> None:
    assert device(agent) == known


# Limits on who tries to come in


def from_address(url: str, address: str) -> httpx.Client:
    """Somebody at another address of this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=url, timeout=WAIT_S, transport=transport)


def test_passwords_are_guessed_so_often_from_wherever(tmp_path: Path) -> None:
    limits = replace(LOOSE, tries_of_account_per_h=4)
    with open_server(quick(tmp_path, limits=limits)) as url:
        for name in ("Mina", "Jun"):
            with closing(Person(url)) as who:
                who.post("/api/register", name=name, password=PASSWORD)
        codes = []
        for place in range(1, 9):
            with from_address(url, f"127.0.0.{place}") as stranger:
                body = {"name": "MINA", "password": OTHER}
                codes.append(stranger.post("/api/login", json=body).status_code)
        assert codes == [401] * 4 + [429] * 4
        with closing(Person(url)) as jun:
            for _ in range(10):  # who knows the password uses up nothing
                jun.post("/api/login", name="Jun", password=PASSWORD)
            for _ in range(4):
                jun.http.post("/api/password", json={"old": OTHER, "new": OTHER})
            answer = jun.http.post("/api/password", json={"old": PASSWORD, "new": OTHER})
            assert answer.json()["error"]["code"] == "too_many_tries"


def test_so_many_accounts_are_opened_from_one_address(tmp_path: Path) -> None:
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
