"""Silent and slow connections do not block other visitors."""

import socket
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process


@of_one_process
@pytest.mark.slow
def test_silent_connections_do_not_block_others(tmp_path: Path) -> None:
    limits = replace(LOOSE, silent_of_address=20, head_s=60)
    with open_server(quick(tmp_path, limits=limits)) as url, ExitStack() as stack:
        address = (httpx.URL(url).host, httpx.URL(url).port or 80)
        contexts = [stack.enter_context(socket.create_connection(address)) for _ in range(600)]
        for number, context in enumerate(contexts):
            with suppress(OSError):
                context.sendall(b"GET / HT" if number % 2 else b"")
        for _ in range(5):
            assert httpx.get(f"{url}/api/health").status_code == 200
        open_ = 0
        for context in contexts:
            context.setblocking(False)
            try:
                open_ += context.recv(1) != b""
            except BlockingIOError:
                open_ += 1
            except OSError:
                pass
        assert open_ <= 20


@pytest.mark.slow
@pytest.mark.parametrize("part", [b"", b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nx: "])
def test_a_missing_request_head_ends_the_connection(tmp_path: Path, part: bytes) -> None:
    limits = replace(LOOSE, head_s=0.3)
    with open_server(quick(tmp_path, limits=limits)) as url:
        address = (httpx.URL(url).host, httpx.URL(url).port or 80)
        with socket.create_connection(address, timeout=30) as raw:
            raw.sendall(part)
            with suppress(ConnectionResetError):
                assert raw.recv(100) == b""
        with socket.create_connection(address, timeout=30) as raw, suppress(ConnectionError):
            raw.sendall(b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 100_000)
            assert raw.recv(100) == b""
        with httpx.Client(base_url=url) as client:  # a visitor's connection is kept meanwhile
            for _ in range(3):
                assert client.get("/api/health").status_code == 200


@pytest.mark.slow
def test_a_missing_request_body_is_refused(tmp_path: Path) -> None:
    limits = replace(LOOSE, body_s=0.3)
    with open_server(quick(tmp_path, limits=limits)) as url:
        address = (httpx.URL(url).host, httpx.URL(url).port or 80)
        with socket.create_connection(address, timeout=30) as raw:
            raw.sendall(
                b"POST /api/guest HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                b'content-length: 15\r\n\r\n{"name":'
            )
            assert b" 408 " in raw.recv(100)


@of_one_process
@pytest.mark.slow
def test_bodies_that_never_end_hold_little_memory(tmp_path: Path) -> None:
    limits = replace(LOOSE, bodies_of_address=500_000, bodies=700_000)
    settings = quick(tmp_path, limits=limits, public_url="http://localhost")

    def begun(size: int | None, address: str = "192.0.2.1") -> socket.socket:
        """A request that has sent some of its body; without a ``size`` it does not tell how long that is."""
        raw = stack.enter_context(socket.create_connection(host, timeout=30))
        length = "transfer-encoding: chunked" if size is None else f"content-length: {size}"
        head = f"POST /api/uploads HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {address}\r\n{length}\r\n"
        raw.sendall(f"{head}content-type: application/json\r\n\r\n".encode())
        return raw

    with open_server(settings) as url, ExitStack() as stack:
        host = (httpx.URL(url).host, httpx.URL(url).port or 80)
        first = begun(400_000)
        assert b" 429 " in begun(200_000).recv(100)
        assert b" 429 " in begun(None, "192.0.2.2").recv(100)  # it may become as long as an upload
        begun(250_000, "192.0.2.2")
        assert b" 429 " in begun(100_000, "192.0.2.3").recv(100)
        small = stack.enter_context(closing(Person(url, "Mina")))  # what is short is always taken
        first.sendall(b" " * 400_000)
        assert b" 422 " in first.recv(100)
        first.close()
        text = {"text": "x" * 300_000}
        assert 400 in (small.http.post("/api/uploads", json=text).status_code for _ in range(1000))


@pytest.mark.slow
def test_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = replace(LOOSE, sockets_of_address=2, sockets_of_one=100)
    with open_server(quick(tmp_path, limits=limits)) as url, ExitStack() as stack:
        people = [stack.enter_context(closing(Person(url, name))) for name in "AB"]
        table = people[0].table()["id"]
        lines = [person.socket(table) for person in people]
        with pytest.raises(Exception, match="403"):
            people[0].raw(table)
        for line in lines:
            line.close()
