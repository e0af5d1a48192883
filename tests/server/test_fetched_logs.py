"""Logs by link: only from hosts that the owner has listed, only public ones, bounded, and never further."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jantaku.server.archive.logs import allowed
from jantaku.server.archive.replay import MOST_TEXT
from jantaku.server.settings import Outside
from server.parlour import Person, open_server, quick
from server.test_archive import a_log

HERE = "127.0.0.1"


class Logs(BaseHTTPRequestHandler):
    """A site of logs, and what a bad one may answer."""

    text = b""

    def do_GET(self) -> None:
        body, headers = self.text, {}
        if self.path == "/elsewhere":
            self.send_response(302)
            headers["location"] = "/log"
            body = b""
        else:
            self.send_response(404 if self.path == "/none" else 200)
        if self.path == "/large":
            body = b"x" * (MOST_TEXT + 1)
        if self.path == "/packed":
            body, headers["content-encoding"] = gzip.compress(b"x" * 100), "gzip"
        if self.path == "/bytes":
            body = b"\xff\xfe"
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    Logs.text = a_log().encode()
    running = ThreadingHTTPServer((HERE, 0), Logs)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://{HERE}:{running.server_address[1]}"
    running.shutdown()
    running.server_close()


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    outside = Outside(log_hosts=(HERE, "localhost", "10.0.0.1"))
    settings = quick(tmp_path_factory.mktemp("fetched"), outside=outside, webhook_hosts=(HERE,))
    with open_server(settings) as url, closing(Person(url, "Mina")) as person:
        yield person


def refused(person: Person, url: str) -> str:
    answer = person.http.post("/api/uploads/fetch", json={"url": url})
    return "" if answer.is_success else str(answer.json()["error"]["code"])


def test_a_log_is_fetched_and_kept(person: Person, site: str) -> None:
    id_ = person.post("/api/uploads/fetch", url=f"{site}/log")["id"]
    listed = person.get("/api/uploads")
    assert [upload["id"] for upload in listed["uploads"]] == [id_]
    assert HERE in listed["hosts"]
    assert person.get(f"/api/uploads/{id_}/replay")["hands"]


@pytest.mark.parametrize("page", ["elsewhere", "none", "large", "packed", "bytes"])
def test_what_is_no_plain_log_is_not_kept(person: Person, site: str, page: str) -> None:
    assert refused(person, f"{site}/{page}") == "fetch_failed"


@pytest.mark.parametrize(
    "url",
    ["http://localhost:{port}/log", "https://localhost:{port}/log", "https://10.0.0.1/log"],
)
def test_a_listed_host_may_not_be_private(person: Person, site: str, url: str) -> None:
    assert refused(person, url.format(port=site.rpartition(":")[2])) == "fetch_failed"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/log", "https://127.0.0.1.example.org/", "https://example.org@127.0.0.1/",
        "file:///etc/passwd", "https://[::1]/", "127.0.0.1/log", "", "https://[", "ftp://example.org",
    ],
)  # fmt: skip
def test_other_hosts_are_refused(person: Person, url: str) -> None:
    assert refused(person, url) == "fetch_refused"


def test_without_a_list_nothing_is_fetched() -> None:
    assert not allowed("https://tenhou.net/", ())
