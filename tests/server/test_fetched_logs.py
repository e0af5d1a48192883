"""Only public logs at hosts allowed by the operator are fetched by URL, and redirects are refused."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jantaku.records import formats
from jantaku.server.archive.logs import allowed
from jantaku.server.archive.replay import MAX_LOG_TEXT
from jantaku.server.settings import Outside
from server.parlour import Person, fast_settings, open_server
from support.playing import played

HERE = "127.0.0.1"


class Logs(BaseHTTPRequestHandler):
    """A log site that can also send bad responses."""

    text = b""

    def do_GET(self) -> None:
        answers: dict[str, tuple[int, bytes, tuple[str, str]]] = {
            "/log": (200, self.text, ("x", "")),
            "/elsewhere": (302, b"", ("location", "/log")),
            "/none": (404, self.text, ("x", "")),
            "/large": (200, b"x" * (MAX_LOG_TEXT + 1), ("x", "")),
            "/packed": (200, gzip.compress(b"x" * 100), ("content-encoding", "gzip")),
            "/bytes": (200, b"\xff\xfe", ("x", "")),
        }
        status, body, header = answers[self.path]
        self.send_response(status)
        self.send_header(*header)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    Logs.text = formats.dumps(played("standard", 3, 60), "jantaku").encode()
    running = ThreadingHTTPServer((HERE, 0), Logs)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://{HERE}:{running.server_address[1]}"
    running.shutdown()
    running.server_close()


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    outside = Outside(log_hosts=(HERE, "localhost", "10.0.0.1"))
    settings = fast_settings(tmp_path_factory.mktemp("fetched"), outside=outside, webhook_hosts=(HERE,))
    with open_server(settings) as url, closing(Person(url, "Mina")) as person:
        yield person


def test_a_log_is_fetched_and_stored(person: Person, site: str) -> None:
    id_ = person.post("/api/uploads/fetch", url=f"{site}/log")["id"]
    listed = person.get("/api/uploads")
    assert [upload["id"] for upload in listed["uploads"]] == [id_]
    assert HERE in listed["hosts"]
    assert person.get(f"/api/uploads/{id_}/replay")["hands"]


def test_bad_responses_and_private_hosts_are_refused(person: Person, site: str) -> None:
    port = site.rpartition(":")[2]
    bad = [f"{site}/{page}" for page in ("elsewhere", "none", "large", "packed", "bytes")]
    private = [f"http://localhost:{port}/log", f"https://localhost:{port}/log", "https://10.0.0.1/log"]
    for url in (*bad, *private):
        person.refused("fetch_failed", "/api/uploads/fetch", url=url)


def test_unlisted_hosts_are_refused(person: Person) -> None:
    for url in (
        "https://example.org/log", "https://127.0.0.1.example.org/", "https://example.org@127.0.0.1/",
        "file:///etc/passwd", "https://[::1]/", "127.0.0.1/log", "", "https://[", "ftp://example.org",
    ):  # fmt: skip
        person.refused("fetch_refused", "/api/uploads/fetch", url=url)
    assert not allowed("https://tenhou.net/", ()), "an empty list allows no host"
