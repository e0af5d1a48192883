"""Pages of the client and the headers of all responses: security, compression and language."""

import asyncio
import gzip
import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from jantaku import terms
from jantaku.server.app import create_app
from jantaku.server.edge import pages
from jantaku.server.edge.guard import HEADERS, SecurityHeaders
from jantaku.server.edge.pages import LIST, MARK, language_for, opening
from jantaku.server.settings import Settings


def test_every_client_address_serves_the_app_page(url: str, client: Path) -> None:
    assert "make run" in httpx.get(f"{url}/").text, "there is no built client yet"
    (client / "assets").mkdir()
    (client / "index.html").write_text("<p>page")
    (client / "assets" / "a-123.js.gz").write_bytes(gzip.compress(b"plain"))
    (client / "assets" / "b-123.js").write_text("never packed")
    (client / "secret.py").write_text("no")
    for path in ("/", "/t/abc", "/rules/tenhou", "/enter/xyz"):
        answer = httpx.get(url + path)
        assert (answer.text, answer.headers["cache-control"]) == ("<p>page", "no-cache")
    for name, accepted, text, encoding in (
        ("a-123.js", "br, gzip", "plain", "gzip"),
        ("a-123.js", "identity", "plain", None),  # the build contains only the compressed files
        ("b-123.js", "br, gzip", "never packed", None),
    ):
        script = httpx.get(f"{url}/assets/{name}", headers={"accept-encoding": accepted})
        assert (script.text, script.headers.get("content-encoding")) == (text, encoding)
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert script.headers["vary"] == "accept-encoding"
        assert "immutable" in script.headers["cache-control"]
    for path in ("/assets/a-123.js.gz", "/assets/none.js", "/favicon.ico", "/api/none"):
        assert httpx.get(url + path).status_code == 404
    for path in ("/secret.py", "/assets/%2e%2e/%2e%2e/secret.py", "/%2e%2e/%2e%2e/app.py"):
        assert httpx.get(url + path).text not in ("no", (pages.STATIC / "secret.py").read_text())


# Every response that a browser might display as a page has the headers for pages


def headers_of(path: str, kind: str) -> Headers:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", kind.encode()), (b"etag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def keep(message: Message) -> None:
        sent.append(message)

    request: Any = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"localhost")]}
    asyncio.run(SecurityHeaders(app, Settings())(request, keep, keep))  # type: ignore[arg-type]
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
def test_only_built_scripts_and_styles_omit_the_page_headers(path: str, kind: str, whole: bool) -> None:
    headers = headers_of(path, kind)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    for name in ("etag", "content-security-policy", *HEADERS):
        assert name in headers or not whole
    assert whole or not {"etag", "content-security-policy"} & set(headers)


def plain_and_compressed(url: str, path: str) -> tuple[httpx.Response, httpx.Response]:
    """Request a path with and without compression; return both responses."""
    plain, zipped = (httpx.get(url + path, headers={"accept-encoding": way}) for way in ("identity", "gzip"))
    assert plain.text == zipped.text
    assert "content-encoding" not in plain.headers
    return plain, zipped


def test_only_responses_without_secrets_are_compressed(url: str) -> None:
    plain_and_compressed(url, "/t/x")
    for path, packed in (("/api/rules/standard", True), ("/api/openapi.json", False)):
        plain, zipped = plain_and_compressed(url, path)
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
def test_an_encoding_refused_by_the_client_is_not_used(
    url: str, client: Path, path: str, codings: list[str], packed: bool
) -> None:
    (client / "index.html").write_text("<p>page")
    answer = httpx.get(url + path, headers=[("accept-encoding", coding) for coding in codings])
    assert ("content-encoding" in answer.headers) is packed
    assert "accept-encoding" in answer.headers["vary"].lower()


def raw_response(url: str, request: str) -> tuple[int, dict[str, str]]:
    """Send raw bytes; return the status and headers of the response."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), 10) as line:
        line.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        data = b""
        while b"\r\n\r\n" not in data and (more := line.recv(4096)):
            data += more
    status, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    assert len(headers) == len(lines), "no header is repeated"
    return int(status.split()[1]), headers


SOCKET = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
KEYED = f"{SOCKET}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
JSON = "Content-Type: application/json\n"
EVIL = "Origin: https://evil.example\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("GET /", 200),
        ("HEAD /", None),
        ("GET /nowhere/at/all.js", None),
        ("GET /assets/nothing.js", 404),
        ("GET /assets/../../x", None),
        ("GET /api/nothing", 404),
        ("GET /api/me", 200),
        ("GET /api/openapi.json", 200),
        ("DELETE /api/me", 405),
        ("OPTIONS /api/me", 405),
        ("GET /api/me\nHost: evil.example\n", 421),
        ("GET /api/sessions", 401),
        (f"POST /api/guest\n{JSON}Content-Length: {10**7}\n", 413),
        ("POST /api/guest\nContent-Length: 2\n\n{}", 415),
        (f"POST /api/guest\n{JSON}Content-Length: 2\n\n{{}}", 422),
        (f"POST /api/guest\n{JSON}Content-Length: 1\n\n{{", None),
        (f"POST /api/logout\n{EVIL}", 403),
        ("POST /api/logout\nOrigin: http://[\n", 403),
        ("POST /api/logout\nOrigin: http://[::1]x\n", 403),
        ("GET /api/me\nContent-Length: \xb2\n", 400),
        ("POST /api/me\nContent-Length: -1\n", 400),
        (f"GET /ws/tables/x\n{EVIL}{KEYED}", 403),
        (f"GET /ws/tables/x\nOrigin: http://[\n{KEYED}", 403),
        (f"GET /ws/events/x\nOrigin: http://[\n{KEYED}", 403),
        (f"GET /ws/nothing\n{KEYED}", None),
        (f"GET /ws/tables/x\nHost: evil.example\n{KEYED}", 403),
        (f"GET /ws/tables/x\n{SOCKET}", 400),
        (f"GET /ws/tables/x\n{SOCKET}Sec-WebSocket-Key: x\n", 400),
        ("GET /ws/tables/x", None),
        ("no http at all", 400),
    ],
    ids=range(30),
)
def test_every_answer_has_the_security_headers(url: str, request_: str, status: int | None) -> None:
    first, _, rest = request_.partition("\n")
    host = "" if "Host:" in rest else "Host: localhost\n"
    end = "" if "\n\n" in rest else "\n"
    version = " HTTP/1.1" if "/" in first else ""
    got, headers = raw_response(url, f"{first}{version}\n{host if version else ''}{rest}{end}")
    assert got < 500 if status is None else got == status
    assert {name: headers.get(name) for name in HEADERS} == HEADERS


async def test_a_response_to_an_internal_error_has_the_security_headers(tmp_path: Path) -> None:
    """Every route of an application whose services have not started fails with an internal error."""
    transport = httpx.ASGITransport(create_app(Settings(data_dir=tmp_path)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for method, path in (("GET", "/api/me"), ("POST", "/api/logout"), ("GET", "/api/tables")):
            answer = await client.request(method, path)
            assert answer.status_code == 500
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


# The client's page: preload links depending on the path, and the language


PAGE = f'<html lang="en"><head>{MARK}<link rel="manifest" href="/manifest.en.webmanifest"></head></html>'
NAMES = {"": "Lobby", "t": "Table", "not-found": "Lost"}
TILES = {"t": ["/assets/tiles-1.svg"]}
BUILT = {
    "entry": "/assets/index-1.js",
    "pages": {
        page: [f"/assets/{name}-1.js", f"/assets/{name}-1.css", *TILES.get(page, [])]
        for page, name in NAMES.items()
    },
    "languages": {
        language: {page: [f"/assets/{name}-{language}-1.js"] for page, name in NAMES.items()}
        for language in terms.LANGUAGES
    },
}


@pytest.mark.parametrize(
    ("path", "chunk"),
    [("", "Lobby"), ("t/abc", "Table"), ("t", "Table"), ("none", "Lost"), ("index.html", "Lost")],
)
@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_a_page_preloads_the_files_it_needs(
    tmp_path: Path, path: str, chunk: str, language: terms.Language
) -> None:
    page = tmp_path / "index.html"
    page.write_text(PAGE, "utf-8")
    assert opening(page, path, language) == PAGE, "without a preload list the page is unchanged"
    page.with_name(LIST).write_text(json.dumps(BUILT), "utf-8")
    opened = opening(page, path, language)
    assert f'<link rel="stylesheet" crossorigin href="/assets/{chunk}-1.css">' in opened
    for file in (f"{chunk}-1.js", f"{chunk}-{language}-1.js"):
        assert f'<link rel="modulepreload" crossorigin href="/assets/{file}">' in opened
    assert opened.count("modulepreload") == 2
    assert ('as="fetch"' in opened) == (chunk == "Table"), "only a page with tiles preloads their images"
    assert f'<html lang="{language}"' in opened
    assert f"/manifest.{language}.webmanifest" in opened


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "ko-KR,en;q=0.5"}, "ko"),
        ({"accept-language": "fr, ja;q=0.9"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=ja"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=<script>"}, "ko"),
    ],
)
def test_the_chosen_language_wins_over_the_browsers(headers: dict[str, str], language: str) -> None:
    written = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert language_for(Request({"type": "http", "headers": written})) == language
