"""The headers of an answer: all that a browser shows as a page carries the rules for pages."""

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from jantaku.server.edge.request_guard import HEADERS, Guard
from jantaku.server.edge.token_buckets import Rates
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
    asyncio.run(Guard(app, Settings(), Rates(10, 10))(scope, receive, keep))
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
