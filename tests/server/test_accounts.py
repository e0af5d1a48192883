"""Passwords, sessions and recovery codes."""

import asyncio
import itertools
import logging
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec, module_from_spec
from typing import Any

import httpx
import pytest
from argon2 import Type, extract_parameters

from jantaku.server.edge.limits import client_of
from jantaku.server.people.accounts import CODES, FRESH_MS
from jantaku.server.people.routes import device
from jantaku.server.run import admin_token, prepare
from server.databases import dump
from server.parlour import PASSWORD, WAIT_S, Person, Serve, close_code, code_of, fast_settings, only_limits
from server.sites import of_one_process

_NUMBERS = itertools.count(100)
OTHER = "battery staple"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
)


def link(person: Person, **body: str) -> str:
    """Return the token of a new one-time link."""
    return str(person.post("/api/link", **body)["url"].rpartition("/")[2])


def status_of_link(url: str, token: str) -> int:
    return httpx.post(f"{url}/api/enter", json={"token": token}).status_code


def signed_in_name(person: Person) -> str | None:
    """Return the name of the person signed in, or ``None``."""
    me = person.get("/api/me")["person"]
    return me and str(me["name"])


class Home:
    """A person with a session on a laptop, a session and socket on a phone, and an unused sign-in link."""

    def __init__(self, url: str) -> None:
        self.url, self.name = url, f"home {next(_NUMBERS)}"
        self.laptop, self.phone = Person(url, self.name), Person(url)
        self.laptop.http.headers["user-agent"], self.phone.http.headers["user-agent"] = FIREFOX, IPHONE
        self.phone.post("/api/enter", token=link(self.laptop))
        self.renew()

    def renew(self) -> None:
        self.unused = link(self.laptop)
        self.line = self.phone.socket(self.laptop.table()["id"])

    def assert_alone(self) -> None:
        """Assert that only the laptop is still signed in and that no link is valid."""
        assert (signed_in_name(self.laptop), signed_in_name(self.phone)) == (self.name, None)
        assert close_code(self.line.raw) == 4401
        assert status_of_link(self.url, self.unused) == 401


@pytest.fixture
def home(url: str) -> Home:
    return Home(url)


def test_registration_and_a_new_password_end_all_other_sessions(home: Home) -> None:
    home.laptop.refused("no_account", "/api/password", new=PASSWORD)
    home.laptop.post("/api/register", name=home.name, password=PASSWORD)
    home.assert_alone()
    login = {"name": home.name, "password": PASSWORD}
    home.phone.post("/api/login", **login)
    home.renew()
    home.laptop.refused("wrong_old_password", "/api/password", old=OTHER, new=OTHER)
    for new in ("short", "x" * 129):
        assert home.laptop.refused("bad_request", "/api/password", old=PASSWORD, new=new)["field"] == "new"
    assert signed_in_name(home.phone)
    home.laptop.post("/api/password", old=PASSWORD, new=OTHER)
    home.assert_alone()
    home.phone.refused("wrong_password", "/api/login", **login)
    home.phone.post("/api/login", name=home.name, password=OTHER)


def test_sessions_are_listed_with_their_devices_and_can_be_ended_one_by_one(
    home: Home, other: Person
) -> None:
    listed = home.laptop.get("/api/sessions")
    shown = {session["device"]: session for session in listed["sessions"]}
    assert {name: session["here"] for name, session in shown.items()} == {"Safari · iPhone": False, "": True}
    assert all(session["since"] and session["seen"] for session in shown.values())
    assert not listed["password"]
    phone = f"/api/sessions/{shown['Safari · iPhone']['id']}"
    other.refused("no_session", f"DELETE {phone}")
    other.delete("/api/sessions")
    assert signed_in_name(home.phone)
    home.laptop.delete(phone)
    assert close_code(home.line.raw) == 4401
    assert not signed_in_name(home.phone)
    home.laptop.refused("no_session", f"DELETE {phone}")
    home.phone.post("/api/enter", token=home.unused)
    home.renew()
    home.laptop.delete("/api/sessions")
    home.assert_alone()


@pytest.mark.slow
def test_sessions_and_links_per_person_are_limited(serve: Serve) -> None:
    mina = Person(serve(), "Mina", PASSWORD)
    login = {"name": "Mina", "password": PASSWORD}
    for _ in range(55):
        Person(mina.url).post("/api/login", **login)
    mina.post("/api/login", **login)
    assert len(mina.get("/api/sessions")["sessions"]) == 50
    assert [status_of_link(mina.url, token) for token in [link(mina) for _ in range(12)]].count(200) == 10


@pytest.mark.slow
def test_no_address_is_stored_and_no_secret_logged(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    mina = Person(serve(), "Mina")
    mina.http.headers["user-agent"] = f"{FIREFOX} 203.0.113.7"
    token = link(mina)
    mina.http.get(f"/enter/{token}")
    mina.post("/api/register", name="Mina", password=PASSWORD)
    assert mina.get("/api/sessions")["sessions"][0]["device"] == "Firefox · Linux"
    stored = dump(serve.data)
    assert "Firefox" in stored
    assert not [address for address in ("127.0.0.1", "203.0.113.7") if address in stored]
    records = [record for record in caplog.records if record.name.startswith(("jantaku", "uvicorn"))]
    logged = "\n".join(record.getMessage() for record in records)
    assert not [secret for secret in (token, PASSWORD, *mina.http.cookies.values()) if secret in logged]


@pytest.mark.parametrize(
    ("agent", "known"),
    [
        (FIREFOX, "Firefox · Linux"),
        (IPHONE, "Safari · iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge · Windows"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/130 Safari/537.36 KAKAOTALK 10", "KakaoTalk · Android"),
        ("<script>alert(1)</script>", ""),
    ],
)
def test_a_device_is_described_by_browser_and_system(agent: str, known: str) -> None:
    assert device(agent) == known


# Limits on sign-in attempts


def try_from(url: str, place: int | str, password: str = OTHER, name: str = "MINA", at: str = "login") -> int:
    """Return the status of a sign-in attempt from an address, or from this host number in 127.0.0.0/24."""
    address = place if isinstance(place, str) else f"127.0.0.{place}"
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=url, timeout=WAIT_S, transport=transport) as client:
        return client.post(f"/api/{at}", json={"name": name, "password": password}).status_code


def guarded(serve: Serve, of_account: float, of_address: float, of_network: float = 0) -> Person:
    """Register Mina, signed in at 127.0.0.1, on a server that allows few sign-in attempts."""
    limits = only_limits(
        tries_of_account_per_h=of_account,
        tries_of_address_per_h=of_address,
        tries_of_network_per_h=of_network or of_account,
    )
    return Person(serve(limits=limits), "Mina", PASSWORD)


def tries(person: Person, times: int, path: str = "login", **body: str) -> list[int]:
    """Return the statuses of attempts with wrong passwords from the person's browser."""
    wrong = {"name": "Mina", "password": OTHER} if path == "login" else body
    return [person.http.post(f"/api/{path}", json=wrong).status_code for _ in range(times)]


@of_one_process
@pytest.mark.slow
def test_wrong_passwords_are_limited_by_account_and_address(serve: Serve) -> None:
    """An account's limit applies across addresses; guessing from one address does not lock the owner out."""
    url = guarded(serve, 4, 2).url
    assert [try_from(url, place) for place in range(2, 10)] == [401] * 4 + [429] * 4
    assert try_from(url, 20, PASSWORD) == 429
    serve(limits=only_limits(tries_of_account_per_h=8, tries_of_address_per_h=2))
    assert [try_from(url, 2) for _ in range(30)] == [401] * 2 + [429] * 28
    assert (try_from(url, 3, PASSWORD), try_from(url, 2, PASSWORD)) == (200, 429)


@of_one_process
@pytest.mark.slow
def test_the_owner_can_sign_in_from_a_known_browser_during_an_attack(serve: Serve) -> None:
    """The owner can sign in even from the attacker's address and with a variant of the account name."""
    mina = guarded(serve, 2, 2)
    mina.post("/api/logout")
    assert [try_from(mina.url, place) for place in (1, 1, 1, 2)] == [401, 401, 429, 429]
    for name in ("Mina", "ｍｉｎａ "):
        mina.post("/api/login", name=name, password=PASSWORD)
        mina.post("/api/logout")
    assert tries(mina, 5) == [401, 401, 429, 429, 429]


@of_one_process
@pytest.mark.slow
def test_guessing_from_many_networks_does_not_lock_the_owner_out(serve: Serve) -> None:
    """While attackers in twelve networks keep guessing, the owner signs in from another network."""
    url = guarded(serve, 10, 10, 2).url
    strangers = [f"127.{number}.0.1" for number in range(1, 13)]
    codes = [try_from(url, address) for _ in range(6) for address in strangers]
    assert codes.count(401) <= 10 + 2 * len(strangers)
    assert codes[-len(strangers) :] == [429] * len(strangers)
    assert [try_from(url, f"127.1.0.{place}") for place in range(2, 6)] == [429] * 4, "the same network"
    assert try_from(url, "127.99.0.1") == 401, "the owner mistypes"
    assert [try_from(url, "127.99.0.1", PASSWORD) for _ in range(3)] == [200] * 3
    assert [try_from(url, "127.98.0.1") for _ in range(3)] == [401, 401, 429]


@of_one_process
@pytest.mark.slow
def test_only_the_owner_gets_the_known_browser_cookie(serve: Serve) -> None:
    """A cookie for another account, from another browser or from before a password change is not accepted."""
    mina = guarded(serve, 2, 3)
    jun, url = Person(mina.url, "Jun", PASSWORD), mina.url
    old, known, mark = dict(mina.http.cookies), "jantaku_known", "jantaku_browser"
    mina.post("/api/password", old=PASSWORD, new=OTHER)
    new = dict(mina.http.cookies)
    assert [try_from(url, place) for place in (2, 3, 4)] == [200] * 3, "correct passwords use up no attempts"
    assert [try_from(url, place, PASSWORD) for place in (2, 3, 4)] == [401, 401, 429]
    for cookies, status in (
        (dict(jun.http.cookies), 429),
        ({**new, known: jun.http.cookies[known]}, 429),
        ({**new, mark: jun.http.cookies[mark]}, 429),
        (old, 429),
        ({**new, known: ""}, 429),
        ({**new, known: "." * 100}, 429),
        (new, 200),
    ):
        body = {"name": "Mina", "password": OTHER}
        assert httpx.post(f"{url}/api/login", json=body, cookies=cookies).status_code == status


@of_one_process
@pytest.mark.slow
def test_one_browser_can_be_known_for_several_accounts(serve: Serve) -> None:
    mina = guarded(serve, 2, 2)
    for name in ("Jun", "Aki"):
        mina.post("/api/logout")
        mina.post("/api/register", name=name, password=PASSWORD)
    for name in ("Mina", "Jun", "Aki"):
        assert [try_from(mina.url, place, name=name) for place in (2, 3, 4)] == [401, 401, 429]
        mina.post("/api/logout")
        mina.post("/api/login", name=name, password=PASSWORD)


@of_one_process
def test_a_session_marks_its_browser_as_known_and_guessing_does_not_block_a_password_change(
    serve: Serve,
) -> None:
    mina = guarded(serve, 2, 2)
    mina.http.cookies.delete("jantaku_known")
    mina.get("/api/me")
    mina.post("/api/logout")
    assert [try_from(mina.url, place) for place in (2, 2, 3)] == [401, 401, 429]
    mina.post("/api/login", name="Mina", password=PASSWORD)
    mina.post("/api/password", old=PASSWORD, new=OTHER)
    assert tries(mina, 3, "password", old=PASSWORD, new=OTHER) == [403, 403, 429]


@of_one_process
@pytest.mark.slow
def test_new_accounts_and_attempts_per_address_are_limited(serve: Serve) -> None:
    url = serve(limits=only_limits(accounts_per_day=2))
    codes = [try_from(url, 1, name=name, at="register") for name in ("Aki", "Bo", "Cho")]
    assert codes == [200, 200, 429]
    assert try_from(url, 9, name="Cho", at="register") == 200
    serve(limits=only_limits(entries_per_min=5))
    assert tries(Person(url), 8) == [401] * 5 + [429] * 3


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:3::", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("no address", "no address"),
    ],
)
def test_addresses_of_one_household_count_together(address: str, counted: str) -> None:
    assert client_of({"client": (address, 4711)}) == counted
    assert client_of({"client": None}) == ""


def test_passwords_are_hashed_as_owasp_recommends() -> None:
    """The module is loaded again, because the test servers use a faster hash."""
    spec = find_spec("jantaku.server.people.accounts")
    assert spec is not None
    assert spec.loader is not None
    fresh = module_from_spec(spec)
    spec.loader.exec_module(fresh)
    used = extract_parameters(fresh.HASHER.hash(PASSWORD))
    assert (used.type, used.memory_cost >= 19 * 1024, used.time_cost >= 2) == (Type.ID, True, True)


# Signing in and out, refusals and roles


def test_a_guest_enters_by_name_and_registers(url: str) -> None:
    who = Person(url, "  민수 ")
    me = who.get("/api/me")["person"]
    assert (me["name"], me["guest"], me["role"]) == ("민수", True, "player")
    who.post("/api/register", name="Ｍinsu", password=PASSWORD, language="ko")
    login = Person(url).post("/api/login", name="minsu", password=PASSWORD)
    assert (login["id"], login["guest"]) == (who.id, False)
    who.post("/api/logout")
    assert signed_in_name(who) is None


def test_cookies_are_hidden_from_scripts_and_secure_over_https(url: str, serve: Serve) -> None:
    site = serve(public_url="https://parlour.example")
    plain, secure = (httpx.post(f"{place}/api/guest", json={"name": "Mina"}) for place in (url, site))
    cookies = [answer.headers["set-cookie"].lower() for answer in (plain, secure)]
    for flag, on in (("httponly", [True, True]), ("samesite=lax", [True, True]), ("; secure", [False, True])):
        assert [flag in cookie for cookie in cookies] == on
    assert "max-age" in secure.headers["strict-transport-security"]
    sent = {"cookie": secure.headers["set-cookie"].partition(";")[0]}
    made = httpx.post(f"{site}/api/link", json={}, headers=sent).json()["url"]
    assert made.startswith("https://parlour.example/enter/")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("login", {"name": "nobody", "password": PASSWORD}, 401, "wrong_password"),
        ("login", {"name": "taken", "password": "wrong word"}, 401, "wrong_password"),
        ("register", {"name": "TAKEN", "password": PASSWORD}, 409, "name_taken"),
        ("register", {"name": "new", "password": "short"}, 422, "bad_request"),
        ("guest", {"name": ""}, 422, "bad_request"),
        ("guest", {"name": "\u202e\u202e"}, 400, "name_character"),
        ("guest", {"name": " \u3000 "}, 400, "empty_name"),
        ("guest", {"name": "x", "role": "admin"}, 422, "bad_request"),
        ("enter", {"token": "made up"}, 401, "link_used"),
    ],
)
def test_a_refused_sign_in_has_a_reason(
    url: str, path: str, body: dict[str, str], status: int, code: str
) -> None:
    Person(url).http.post("/api/register", json={"name": "taken", "password": PASSWORD})
    answer = httpx.post(f"{url}/api/{path}", json=body)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert answer.json()["error"]["message"]
    assert "set-cookie" not in answer.headers


@pytest.mark.slow
def test_an_unused_link_ends_when_a_role_changes(serve: Serve) -> None:
    """A link created before a demotion does not bring the old role back, whoever created the link."""
    token = asyncio.run(admin_token(fast_settings(serve.data), always=True))
    url = serve()
    owner, friend = Person(url), Person(url, "Jun", PASSWORD)
    owner.post("/api/enter", token=token)
    assert status_of_link(url, token or "") == 401, "it works once"
    valid = link(owner, name="Nari")
    mine = [link(owner, name="Jun", role="admin"), link(owner, name="Jun", role="referee"), link(friend)]
    owner.post(f"/api/people/{friend.id}/role", role="player")  # Jun already has this role
    assert [status_of_link(url, token) for token in mine] == [401] * 3
    assert status_of_link(url, valid) == 200, "another person's link stays valid"

    friend.post("/api/enter", token=link(owner, name="Jun", role="admin"))
    foreign = [link(friend, name="Kim", role="admin"), link(friend, name="Nari")]
    owner.post(f"/api/people/{friend.id}/role", role="player")
    assert [status_of_link(url, token) for token in foreign] == [401] * 2, (
        "they were created by a former admin"
    )

    other = Person(url)
    path = f"/api/people/{other.post('/api/enter', token=link(owner, name='Bo', role='admin'))['id']}/erase"
    foreign = [link(other, name="Kim", role="admin"), link(other, name="Nari")]
    owner.post(path, confirm=owner.post(path)["confirm"])
    assert [status_of_link(url, token) for token in foreign] == [401] * 2, (
        "they were created by a deleted admin"
    )

    first, second = link(owner, name="Jun", role="player"), link(owner, name="Jun", role="admin")
    assert (status_of_link(url, first), status_of_link(url, second)) == (200, 401)


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
    answer = httpx.post(f"{url}/api/guest", content=b'{"name":"Mina"}', headers=sent)
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 200)


def test_an_overlong_body_is_refused_with_or_without_a_declared_length(url: str) -> None:
    parsed = httpx.URL(url)
    with socket.create_connection((parsed.host, parsed.port or 0)) as raw:
        head = "POST /api/guest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        raw.sendall(f"{head}content-length: 999999999\r\n\r\n{{".encode())
        assert b" 413 " in raw.recv(100)
    parts = (b" " * 10_000 for _ in range(40))
    answer = httpx.post(f"{url}/api/guest", content=parts, headers={"content-type": "application/json"})
    assert answer.status_code == 413


# Recovery codes: each sets a new password once and only for its owner, and guessing is limited


class Owner(Person):
    """The owner of an account with recovery codes."""

    def __init__(self, url: str) -> None:
        self.name = f"codes {next(_NUMBERS)}"
        super().__init__(url, self.name, PASSWORD)
        self.codes = self.new_codes()

    def new_codes(self) -> list[str]:
        return list(self.post("/api/recovery", password=PASSWORD)["codes"])

    def recover(self, code: str, password: str = OTHER, **body: str) -> int:
        """Use a recovery code in a browser without cookies; return the status."""
        body = {"name": self.name, "code": code, "password": password} | body
        return httpx.post(f"{self.url}/api/recover", json=body).status_code


@pytest.fixture
def owner(url: str) -> Owner:
    return Owner(url)


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: code.replace("-", " ").replace("0", "O")])
def test_a_recovery_code_sets_a_new_password_and_ends_all_other_sessions(
    owner: Owner, typed: Callable[[str], str]
) -> None:
    assert len(set(owner.codes)) == CODES == owner.get("/api/recovery")["left"]
    assert owner.recover(typed(owner.codes[0])) == 200
    assert signed_in_name(owner) is None
    again = Person(owner.url)
    again.post("/api/login", name=owner.name, password=OTHER)
    assert again.get("/api/recovery")["left"] == CODES - 1


def test_a_recovery_code_works_once_and_only_for_its_owner(owner: Owner, url: str) -> None:
    stranger = Owner(url)
    before = stranger.codes[0]
    stranger.new_codes()  # earlier codes stop working
    code = owner.codes[0]
    assert [owner.recover(before), stranger.recover(before), owner.recover("")] == [403] * 3
    assert [owner.recover(code, name=name) for name in (stranger.name, "nobody at all")] == [403] * 2
    assert [owner.recover(code, "short"), owner.recover(code), owner.recover(code)] == [422, 200, 403]
    for body in ({"password": OTHER}, {}):
        stranger.refused("wrong_old_password", "/api/recovery", **body)
    Person(url, "guest").refused("no_account", "/api/recovery")


def test_recovery_codes_end_with_the_password_they_were_created_with_and_with_the_account(
    owner: Owner,
) -> None:
    """An attacker who knew the old password cannot return with codes created while it was valid."""
    owner.post("/api/password", old=PASSWORD, new=OTHER)
    assert owner.get("/api/recovery")["left"] == 0
    assert owner.recover(owner.codes[0]) == 403
    codes = owner.post("/api/recovery", password=OTHER)["codes"]
    preview = owner.post("/api/me/erase", password=OTHER)
    owner.post("/api/me/erase", password=OTHER, confirm=preview["confirm"])
    assert owner.recover(codes[0]) == 403


@of_one_process
def test_guesses_of_recovery_codes_are_limited_and_no_code_is_stored(serve: Serve) -> None:
    owner = Owner(serve(limits=only_limits(tries_of_address_per_h=5, tries_of_account_per_h=50)))
    assert [owner.recover("0000-0000-0000") for _ in range(7)] == [403] * 5 + [429] * 2
    assert owner.recover(owner.codes[0]) == 429  # even with a valid code
    stored = dump(serve.data)
    assert not any(code in stored or code.replace("-", "") in stored for code in owner.codes)


# Old sessions cannot create lasting access, and the tables of a deleted person lose their owner


@pytest.fixture
def admin(serve: Serve) -> Person:
    """An administrator without a password, signed in with a link."""
    token = prepare(fast_settings(serve.data), admin=False)
    person = Person(serve())
    person.post("/api/enter", token=token)
    return person


async def test_the_first_start_creates_a_sign_in_link_for_the_administrator(serve: Serve) -> None:
    settings = fast_settings(serve.data)
    tokens = [await admin_token(settings, always=always) for always in (False, False, True)]
    assert [bool(token) for token in tokens] == [True, False, True]


def test_the_first_password_needs_a_fresh_sign_in(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FRESH_MS <= 3_600_000
    own_link = link(admin)

    def expire_sign_in() -> None:
        monkeypatch.setattr("jantaku.server.people.accounts.FRESH_MS", -1)

    expire_sign_in()
    first: dict[str, Any] = {"old": None, "new": OTHER}
    for path, body in (
        ("password", first),
        ("recovery", {"password": ""}),
        ("link", {}),
        ("me/erase", {"confirm": admin.post("/api/me/erase")["confirm"]}),
    ):
        admin.refused("sign_in_again", f"/api/{path}", **body)
    monkeypatch.undo()
    admin.post("/api/enter", token=own_link)
    admin.post("/api/password", **first)
    expire_sign_in()
    admin.refused("wrong_old_password", "/api/password", **first)
    admin.post("/api/password", old=OTHER, new=PASSWORD)  # the current password is enough
    link(admin)


def test_tables_of_a_deleted_person_have_no_owner(serve: Serve) -> None:
    url = serve()
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    tables = [mina.table(bots=bots)["id"] for bots in (1, 3)]
    jun.post(f"/api/tables/{tables[0]}/join")
    assert mina.post("/api/me/erase", confirm=mina.post("/api/me/erase")["confirm"])["done"]
    jun.post(f"/api/tables/{tables[0]}/start")
    assert jun.get(f"/api/tables/{tables[0]}")["owner"] == jun.id
    with closing(sqlite3.connect(serve.data / "jantaku.sqlite3")) as database:
        assert [*database.execute("SELECT count(*) FROM tables WHERE owner = ?", (mina.id,))] == [(0,)]
