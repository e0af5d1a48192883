"""Signing in and out, refusals, and roles."""

import asyncio
import logging
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku.server.edge.security_headers import POLICY
from jantaku.server.limits import Limits
from jantaku.server.run import admin_token
from server.parlour import Person, open_server, quick
from server.sites import of_one_process

PASSWORD = "correct horse"


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
        for person in (owner, friend):
            person.close()


def id_of(person: Person) -> str:
    return str(person.get("/api/me")["person"]["id"])


def link(person: Person, **body: str) -> str:
    return str(person.post("/api/link", **body)["url"].rpartition("/")[2])


def entered(url: str, token: str) -> int:
    return httpx.post(f"{url}/api/enter", json={"token": token}).status_code


def test_headers_on_every_answer(url: str) -> None:
    for path in ("/", "/api/me", "/api/nothing", "/t/x"):
        headers = httpx.get(url + path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY


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
def test_too_many_messages_are_refused_and_then_close_the_socket(tmp_path: Path) -> None:
    limits = Limits(messages_per_s=0.001, message_burst=3)
    with open_server(quick(tmp_path, limits=limits)) as url:
        mina = Person(url, "Mina")
        line = mina.socket(mina.table()["id"])
        for i in range(5):
            line.send(type="ping", id=str(i))
        assert line.until("error")["code"] == "too_many"
        line.close()
        mina.close()


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


@pytest.mark.anyio
async def test_the_first_start_gives_the_admin_a_link(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    assert await admin_token(settings, always=False)
    assert await admin_token(settings, always=False) is None
    assert await admin_token(settings, always=True)
