"""The headers of an answer: all that a browser shows as a page carries the rules for pages."""

import asyncio
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from jantaku.server.app import create_app
from jantaku.server.edge.security_headers import HEADERS, SecurityHeaders
from jantaku.server.settings import Settings


def headers_of(path: str, kind: str) -> Headers:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        start = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", kind.encode()), (b"etag", b"1")],
        }
        await send(start)
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def keep(message: Message) -> None:
        sent.append(message)

    asked = [(b"host", b"localhost")]
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": asked,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    asyncio.run(SecurityHeaders(app, Settings())(scope, receive, keep))
    return Headers(raw=sent[0]["headers"])


@pytest.mark.parametrize(
    ("path", "kind", "whole"),
    [
        ("/", "text/html; charset=utf-8", True),
        ("/api/me", "application/json", True),
        ("/sw.js", "text/javascript; charset=utf-8", True),
        ("/assets/tiles.svg", "image/svg+xml", True),
        ("/assets/page.html", "text/html", True),
        ("/assets/lost.js", "application/json", True),
        ("/api/assets/a.js", "text/javascript", True),
        ("/assets/a.js", "text/javascript; charset=utf-8", False),
        ("/assets/a.css", "text/css; charset=utf-8", False),
    ],
)
def test_only_scripts_and_styles_of_the_build_come_without_the_rules_for_pages(
    path: str, kind: str, whole: bool
) -> None:
    headers = headers_of(path, kind)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert ("etag" in headers) is whole
    assert all(name in headers for name in HEADERS) is whole
    assert ("content-security-policy" in headers) is whole


def test_a_page_is_the_same_compressed_and_not(url: str) -> None:
    plain, zipped = (
        httpx.get(f"{url}/t/x", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")
    )
    assert plain.text == zipped.text
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(("path", "packed"), [("/api/rules/standard", True), ("/api/openapi.json", False)])
def test_only_what_holds_no_secret_is_compressed(url: str, path: str, packed: bool) -> None:
    plain, zipped = (
        httpx.get(f"{url}{path}", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")
    )
    assert plain.json() == zipped.json()
    assert "content-encoding" not in plain.headers
    assert (zipped.headers.get("content-encoding") == "gzip") is packed
    assert (int(zipped.headers["content-length"]) * 4 < int(plain.headers["content-length"])) is packed


@pytest.mark.parametrize("path", ["/", "/api/rules/standard"])
@pytest.mark.parametrize(
    ("codings", "packed"),
    [
        (["gzip;q=0"], False),
        (["identity, GZIP; q=0.000, *"], False),
        (["gzipped"], False),
        (["br;q=0, gzip;q=0.001"], True),
        (["deflate", "GZIP"], True),
    ],
)
def test_an_encoding_that_a_client_refuses_is_not_sent(
    url: str, client: Path, path: str, codings: list[str], packed: bool
) -> None:
    (client / "index.html").write_text("<p>page")
    answer = httpx.get(url + path, headers=[("accept-encoding", coding) for coding in codings])
    assert ("content-encoding" in answer.headers) is packed
    assert "accept-encoding" in answer.headers["vary"].lower()


def answered(url: str, request: str) -> tuple[int, dict[str, str]]:
    """The status and headers with which a server answers these bytes."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), 10) as line:
        line.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        data = b""
        while b"\r\n\r\n" not in data and (more := line.recv(4096)):
            data += more
    status, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    assert len(headers) == len(lines), "no header comes twice"
    return int(status.split()[1]), headers


SOCKET = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
JSON = "Content-Type: application/json\n"
LARGE = 10**7


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("GET / HTTP/1.1\nHost: localhost\n\n", 200),
        ("HEAD / HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /nowhere/at/all.js HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /assets/nothing.js HTTP/1.1\nHost: localhost\n\n", 404),
        ("GET /assets/../../x HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /api/nothing HTTP/1.1\nHost: localhost\n\n", 404),
        ("GET /api/me HTTP/1.1\nHost: localhost\n\n", 200),
        ("GET /api/openapi.json HTTP/1.1\nHost: localhost\n\n", 200),
        ("DELETE /api/me HTTP/1.1\nHost: localhost\n\n", 405),
        ("OPTIONS /api/me HTTP/1.1\nHost: localhost\n\n", 405),
        ("GET /api/me HTTP/1.1\nHost: evil.example\n\n", 421),
        ("GET /api/sessions HTTP/1.1\nHost: localhost\n\n", 401),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: {LARGE}\n\n", 413),
        ("POST /api/guest HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}", 415),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: 2\n\n{{}}", 422),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: 1\n\n{{", None),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: https://evil.example\n\n", 403),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: http://[\n\n", 403),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: http://[::1]x\n\n", 403),
        ("no http at all\n\n", 400),
        ("GET /api/me HTTP/1.1\nHost: localhost\nContent-Length: \xb2\n\n", 400),
        ("POST /api/me HTTP/1.1\nHost: localhost\nContent-Length: -1\n\n", 400),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\nOrigin: https://evil.example\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\nOrigin: http://[\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/events/x HTTP/1.1\nHost: localhost\nOrigin: http://[\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/nothing HTTP/1.1\nHost: localhost\n{SOCKET}{KEY}\n", None),
        (f"GET /ws/tables/x HTTP/1.1\nHost: evil.example\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\n{SOCKET}\n", 400),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\n{SOCKET}Sec-WebSocket-Key: x\n\n", 400),
        ("GET /ws/tables/x HTTP/1.1\nHost: localhost\n\n", None),
    ],
)  # fmt: skip
def test_every_answer_has_the_security_headers(url: str, request_: str, status: int | None) -> None:
    got, headers = answered(url, request_)
    assert got < 500 if status is None else got == status
    assert {name: headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.anyio
async def test_an_answer_to_a_fault_has_the_security_headers(tmp_path: Path) -> None:
    """An application whose services have not begun fails at each route."""
    transport = httpx.ASGITransport(create_app(Settings(data_dir=tmp_path)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for method, path in (("GET", "/api/me"), ("POST", "/api/logout"), ("GET", "/api/tables")):
            answer = await client.request(method, path)
            assert answer.status_code == 500
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
