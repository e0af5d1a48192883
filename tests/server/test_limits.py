"""Limits per person and address for messages, sockets, connections and bodies; which address is trusted."""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from jantaku.server.edge.guard import Hosts
from jantaku.server.play.table import TOO_SLOW
from jantaku.server.play.table_sockets import MAX_REFUSALS, TOO_MANY
from jantaku.server.settings import Limits, Settings
from server.parlour import (
    Line,
    Message,
    Person,
    Serve,
    close_code,
    code_of,
    only_limits,
    seated,
)
from server.sites import of_one_process

USUAL = Limits()
FEW_MESSAGES = only_limits(
    messages_per_s=USUAL.messages_per_s,
    message_burst=USUAL.message_burst,
    votes_per_s=0.001,
    vote_burst=USUAL.vote_burst,
)
NAMES = ("Mina", "Jun", "Kaito", "Seo")


def flood(raw: ClientConnection, message: Message) -> Counter[str]:
    """Send messages as fast as possible until the server closes the socket; count the answers."""
    received = Counter[str]()

    def listen() -> None:
        with suppress(ConnectionClosed):
            while True:
                data = json.loads(raw.recv())
                received[str(data.get("code") or data["type"])] += 1

    listening = threading.Thread(target=listen)
    listening.start()
    with suppress(ConnectionClosed):
        for _ in range(20_000):
            raw.send(json.dumps(message))
    listening.join()
    return received


@of_one_process
@pytest.mark.slow
@pytest.mark.parametrize(
    "message",
    [
        {"type": "ping", "id": "x"},
        {"type": "act", "game": 1, "ask": 1, "action": {"type": "pass"}, "id": "x"},
        {"type": "nonsense"},
        {"type": "abort", "agree": False, "id": "x"},
    ],
)
def test_a_flood_closes_its_own_socket_only(serve: Serve, message: Message) -> None:
    url, received = serve(limits=FEW_MESSAGES), Counter[str]()
    _, lines = seated([Person(url, name) for name in NAMES])
    flooding = threading.Thread(target=lambda: received.update(flood(lines[0].raw, message)))
    flooding.start()
    answers = [line.ask(type="ping")["type"] for line in lines[1:] * 10]
    flooding.join()
    assert set(answers) == {"pong"}
    closed = lines[0].raw.close_code
    assert closed in (TOO_MANY, TOO_SLOW), "a busy client may read its refusals too slowly"
    # the last error messages may be lost when the socket closes
    assert closed == TOO_SLOW or received["too_many"] >= MAX_REFUSALS // 2
    assert received.total() <= MAX_REFUSALS + 10 * USUAL.message_burst, "the rest is not read"
    assert [line.ask(type="ping")["type"] for line in lines[1:]] == ["pong"] * 3


@pytest.mark.slow
def test_repeated_votes_reach_others_only_a_few_times(serve: Serve) -> None:
    url, few = serve(limits=FEW_MESSAGES), USUAL.vote_burst
    _, lines = seated([Person(url, name) for name in NAMES])
    lines[1].types()
    codes = [lines[0].ask(type="abort", agree=number % 2 == 0).get("code") for number in range(40)]
    assert codes == [None] * few + ["too_many"] * (40 - few)
    assert lines[1].types().count("table") <= few


@pytest.mark.slow
def test_messages_of_one_address_are_throttled_without_delaying_others(serve: Serve) -> None:
    """Many sockets together could delay everyone even if each stays within its own limit."""
    url = serve(limits=only_limits(messages_of_address_per_s=50), public_url="http://parlour.test")
    one, other = Person(url, "A"), Person(url, "B")
    table = one.table()["id"]
    many, few = (
        Line(who.raw(table, **{"x-forwarded-for": address}))
        for who, address in ((one, "192.0.2.1"), (other, "192.0.2.2"))
    )
    for number in range(150):
        many.send(type="ping", id=str(number))
    assert few.ask(type="ping")["type"] == "pong"
    answered = time.monotonic()
    many.until("pong", lambda message: message["id"] == "149")
    assert time.monotonic() - answered > 0.5
    assert sum(message["type"] == "pong" for message in many.seen) == 150


# Forged ``X-Forwarded-For`` headers do not circumvent the limits of an address


BURST = 5
Forged = Callable[[int], list[str]]


def statuses(serve: Serve, forged: Forged, **settings: Any) -> list[int]:
    """Return the statuses of requests that each have a different header."""
    url = serve(limits=only_limits(requests_per_s=0.001, request_burst=BURST), **settings)
    with httpx.Client(base_url=url) as client:
        headers = [[("X-Forwarded-For", value) for value in forged(i)] for i in range(2 * BURST)]
        return [client.get("/api/events", headers=header).status_code for header in headers]


PROXY = {"public_url": "http://localhost"}


@of_one_process
@pytest.mark.parametrize(
    "forged",
    [
        lambda i: [f"203.0.113.{i}, 198.51.100.7"],
        lambda i: [f"203.0.113.{i}", "198.51.100.7"],
        lambda i: [f"{', '.join(['192.0.2.1'] * 50)}, garbage{i}, ::1, 198.51.100.7, 127.0.0.1"],
        lambda i: [f"198.51.100.7:{5000 + i}"],
        lambda i: [("198.51.100.7", "::ffff:198.51.100.7", "[::ffff:c633:6407]:80")[i % 3]],
        lambda i: [f"2001:db8:1:2:{i}::1"],
        lambda i: [f"[2001:DB8:1:2::{i}%eth0]:{i}"],
        lambda i: ["," * i],
    ],
    ids=["extra hop", "extra header", "many hops", "port", "IPv4-mapped", "same /64", "brackets", "empty"],
)
def test_forged_forwarded_addresses_do_not_change_the_client_address(serve: Serve, forged: Forged) -> None:
    assert statuses(serve, forged, **PROXY) == [200] * BURST + [429] * BURST


@of_one_process
@pytest.mark.parametrize("proxied", [False, True], ids=["no proxy", "untrusted peer"])
def test_forwarded_addresses_of_untrusted_peers_are_ignored(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, proxied: bool
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.10")
    settings = PROXY if proxied else {}
    assert statuses(serve, lambda i: [f"203.0.113.{i}"], **settings) == [200] * BURST + [429] * BURST
    monkeypatch.undo()
    others = statuses(serve, lambda i: [f"2001:db8:{i:x}::1"], **PROXY)
    assert others == [200] * 2 * BURST, "the trusted proxy is believed"


# Which ``Host`` names are accepted for requests and sockets


FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7", "[2001:db8::1]"]
BROKEN = ["", "localhost/", "a@localhost", "localhost:port", "[::1", "localhost localhost", "::1"]


def test_unknown_host_names_are_refused(serve: Serve) -> None:
    url = serve(public_url="http://club.example", hosts=("Table.local", "192.0.2.9"))

    def status(host: str, path: str) -> int:
        return httpx.get(url + path, headers={"host": host}).status_code

    for host in ("localhost", "LOCALHOST.", "127.0.0.1:80", "club.example", "table.local:8000"):
        assert status(host, "/api/health") == 200
    for path in ("/api/health", "/", "/api/rules"):
        assert [status(host, path) for host in FOREIGN] == [421] * len(FOREIGN)
        assert {status(host, path) for host in BROKEN} <= {400, 421}
    answer = httpx.get(f"{url}/api/health", headers={"host": "evil.example"})
    assert code_of(answer) == "wrong_host"
    assert "evil.example" in answer.json()["error"]["message"]
    mina = Person(url, "Mina")
    table = mina.table()["id"]
    for host in FOREIGN:
        with pytest.raises(InvalidStatus, match="403"):
            mina.raw(table, Host=host)
    mina.socket(table)


@pytest.mark.parametrize(
    ("hosts", "came_in_at", "allowed"),
    [
        (["192.168.1.5:8000"], "192.168.1.5", True),
        (["192.168.1.6:8000"], "192.168.1.5", False),
        (["[2001:db8::5]:8000"], "2001:0db8::5", True),
        (["[2001:db8::6]"], "2001:db8::5", False),
        (["[::1]:8000"], "::1", True),
        (["localhost"], None, True),
        (["192.168.1.5"], None, False),
        (["localhost", "localhost"], None, False),
        ([], None, False),
    ],
)
def test_the_address_of_the_connection_is_an_allowed_host(
    hosts: list[str], came_in_at: str | None, allowed: bool
) -> None:
    server = came_in_at and (came_in_at, 8000)
    scope = {"headers": [(b"host", host.encode()) for host in hosts], "server": server}
    assert Hosts(Settings()).allow(scope) is allowed


# Silent and slow connections do not block other visitors


class RawConnections:
    """Raw connections that send arbitrary text."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.address, self.stack = (httpx.URL(url).host, httpx.URL(url).port or 80), stack

    def __call__(self, text: str = "") -> socket.socket:
        raw = self.stack.enter_context(socket.create_connection(self.address, timeout=30))
        with suppress(OSError):
            raw.sendall(text.encode())
        return raw


@of_one_process
@pytest.mark.slow
def test_silent_connections_do_not_block_others(serve: Serve) -> None:
    url = serve(limits=only_limits(silent_of_address=20, head_s=60))
    connect = RawConnections(url, serve.stack)
    connections = [connect("GET / HT" if number % 2 else "") for number in range(600)]
    for _ in range(5):
        assert httpx.get(f"{url}/api/health").status_code == 200
    left = 0
    for raw in connections:
        raw.setblocking(False)
        try:
            left += raw.recv(1) != b""
        except BlockingIOError:
            left += 1
        except OSError:
            pass
    assert left <= 20


@pytest.mark.slow
def test_a_slow_head_closes_the_connection_and_a_slow_body_is_refused(serve: Serve) -> None:
    url = serve(limits=only_limits(head_s=0.3, body_s=0.3))
    connect = RawConnections(url, serve.stack)
    head = "GET /api/health HTTP/1.1\r\nhost: localhost\r\nx: "
    for part in ("", head, "GET / HTTP/1.1\r\n" + "x: y\r\n" * 100_000):
        with suppress(ConnectionResetError):
            assert connect(part).recv(100) == b""
    with httpx.Client(base_url=url) as client:  # a connection that sends proper requests stays open
        for _ in range(3):
            assert client.get("/api/health").status_code == 200
    post = "POST /api/guest HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    assert b" 408 " in connect(f'{post}content-length: 15\r\n\r\n{{"name":').recv(100)


@of_one_process
@pytest.mark.slow
def test_unfinished_bodies_are_limited_in_memory(serve: Serve) -> None:
    limits = only_limits(bodies_of_address=500_000, bodies=700_000)
    url = serve(limits=limits, public_url="http://localhost")
    connect = RawConnections(url, serve.stack)

    def start_request(size: int | None, place: int = 1) -> socket.socket:
        """Start a request without sending its body; without a ``size``, no length is declared."""
        length = "transfer-encoding: chunked" if size is None else f"content-length: {size}"
        return connect(
            "POST /api/uploads HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"x-forwarded-for: 192.0.2.{place}\r\n{length}\r\n\r\n"
        )

    first = start_request(400_000)
    assert b" 429 " in start_request(200_000).recv(100)
    assert b" 429 " in start_request(None, 2).recv(100)  # the declared length counts as that of an upload
    start_request(250_000, 2)
    assert b" 429 " in start_request(100_000, 3).recv(100)
    small = Person(url, "Mina")  # short bodies are always accepted
    first.sendall(b" " * 400_000)
    assert b" 422 " in first.recv(100)
    first.close()
    text = "x" * 300_000
    assert 400 in (small.send("POST", "/api/uploads", text=text).status_code for _ in range(1000))


# Sockets that keep connecting and disconnecting: limits, and the messages that others at the table get


class HostedTable:
    """A table to which its host Mina is connected."""

    def __init__(self, serve: Serve, **limits: Any) -> None:
        self.url = serve(limits=only_limits(**limits))
        mina = Person(self.url, "Mina")
        self.table = mina.table()["id"]
        self.line = mina.socket(self.table)

    def look(self, person: Person) -> int | None:
        """Open a spectator socket; return the close code if the server refuses it."""
        raw = person.raw(self.table)
        try:
            raw.send('{"type":"hello","version":1,"watch":true}')
            raw.recv()
            raw.close()
            return None
        except ConnectionClosed:
            return raw.close_code


@pytest.mark.slow
def test_open_sockets_of_one_person_and_one_address_are_limited(serve: Serve) -> None:
    hosted = HostedTable(serve, sockets_of_one=2)
    jun = Person(hosted.url, "Jun")
    lines = [jun.socket(hosted.table, watch=True) for _ in range(2)]
    assert close_code(jun.raw(hosted.table)) == 4429
    lines[0].close()
    assert hosted.look(Person(hosted.url, "Sora-chan")) is None
    while hosted.look(jun) is not None:  # repeat until the server has noticed that the socket is closed
        pass
    hosted = HostedTable(serve, sockets_of_address=2)
    jun.socket(hosted.table)
    with pytest.raises(InvalidStatus, match="403"):
        jun.raw(hosted.table)


@pytest.mark.slow
def test_new_sockets_are_limited_and_cause_few_messages_to_others(serve: Serve) -> None:
    """Others get at most two messages for each accepted socket, however many sockets are attempted."""
    hosted = HostedTable(serve, connects_per_s=0.001, connect_burst=3)
    jun = Person(hosted.url, "Jun")
    hosted.line.types()
    assert [hosted.look(jun) for _ in range(200)] == [None] * 3 + [4429] * 197
    assert len(hosted.line.types()) <= 2 * 3
    assert hosted.look(Person(hosted.url, "Sora-chan")) is None, "other people can connect"
    hosted = HostedTable(serve, connects_of_address_per_s=0.001, sockets_of_address=4)
    for number in range(3):
        assert hosted.look(Person(hosted.url, f"Guest {number}")) is None
    with pytest.raises(InvalidStatus, match="403"):
        jun.raw(hosted.table)


@pytest.mark.slow
def test_others_are_notified_of_a_socket_only_if_the_table_changes(serve: Serve) -> None:
    hosted = HostedTable(serve)
    jun = Person(hosted.url, "Jun")
    jun.post(f"/api/tables/{hosted.table}/join")
    line = jun.socket(hosted.table)
    hosted.line.until("table", lambda message: (message["table"]["seats"][1] or {}).get("connected"))
    hosted.line.types()
    for _ in range(5):  # the new socket replaces the previous one, and the player stays connected
        line = jun.socket(hosted.table)
    assert line.welcome["seat"] is not None
    assert hosted.line.types() == []
    line.close()
    hosted.line.until("table", lambda message: not message["table"]["seats"][1]["connected"])
