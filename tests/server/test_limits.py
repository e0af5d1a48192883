"""A socket that sends without end is refused and then closed, and other people do not notice."""

import asyncio
import json
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from jantaku.club.statistics import person_figures
from jantaku.game import Game
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.archive.replay import ReplayGame
from jantaku.server.edge.guard import Hosts
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.work import TooMuchWorkError, Workers, apart, limited
from jantaku.server.errors import ServerError
from jantaku.server.numbers import routes
from jantaku.server.play.table import TOO_SLOW
from jantaku.server.play.table_sockets import MOST_REFUSALS, TOO_MANY
from jantaku.server.rules.pages import read_rules, write_booklet
from jantaku.server.settings import RATES, Limits, Settings, without
from server.parlour import LOOSE, Line, Person, close_code, open_server, quick, seated
from server.sites import of_one_process
from support.steps import Steps

LIMITS = replace(
    LOOSE,
    messages_per_s=Limits().messages_per_s,
    message_burst=Limits().message_burst,
    votes_per_s=0.001,
    vote_burst=Limits().vote_burst,
)
FLOODS = {
    "pings": {"type": "ping", "id": "x"},
    "acts": {"type": "act", "game": 1, "ask": 1, "action": {"type": "pass"}, "id": "x"},
    "nonsense": {"type": "nonsense"},
    "votes": {"type": "abort", "agree": False, "id": "x"},
}
LENGTH = 20_000


def flood(raw: ClientConnection, message: dict[str, object], heard: Counter[str]) -> None:
    """Send as fast as possible until the server closes the socket; count the answers."""

    def listen() -> None:
        try:
            while True:
                data = json.loads(raw.recv())
                heard[str(data.get("code") or data["type"])] += 1
        except ConnectionClosed:
            pass

    listening = threading.Thread(target=listen)
    listening.start()
    text = json.dumps(message)
    try:
        for _ in range(LENGTH):
            raw.send(text)
    except ConnectionClosed:
        pass
    listening.join()


@of_one_process
@pytest.mark.slow
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_closes_its_own_socket_only(tmp_path: Path, name: str) -> None:
    with open_server(quick(tmp_path, limits=LIMITS)) as url:
        four = [Person(url, person) for person in ("Mina", "Jun", "Kaito", "Seo")]
        _, lines = seated(four)
        heard: Counter[str] = Counter()
        flooding = threading.Thread(target=flood, args=(lines[0].raw, FLOODS[name], heard))
        flooding.start()
        answers = [line.ask(type="ping")["type"] for line in lines[1:] * 10]
        flooding.join()
        assert set(answers) == {"pong"}
        closed = lines[0].raw.close_code
        assert closed in (TOO_MANY, TOO_SLOW), "on a busy machine it may read its refusals too slowly"
        # The last refusals may be lost with the socket.
        assert closed == TOO_SLOW or heard["too_many"] >= MOST_REFUSALS // 2
        assert sum(heard.values()) <= MOST_REFUSALS + 10 * LIMITS.message_burst, "the rest is not even read"
        assert [line.ask(type="ping")["type"] for line in lines[1:]] == ["pong"] * 3


@pytest.mark.slow
def test_votes_to_and_fro_reach_others_a_few_times_only(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, limits=LIMITS)) as url:
        four = [Person(url, person) for person in ("Mina", "Jun", "Kaito", "Seo")]
        _, lines = seated(four)
        before = tables(lines[1])
        codes = [lines[0].ask(type="abort", agree=number % 2 == 0).get("code") for number in range(40)]
        assert codes == [None] * LIMITS.vote_burst + ["too_many"] * (40 - LIMITS.vote_burst)
        lines[1].ask(type="ping")
        assert tables(lines[1]) - before <= LIMITS.vote_burst


def tables(line: Line) -> int:
    """How many times a socket was sent the table."""
    return sum(message["type"] == "table" for message in line.seen)


@pytest.mark.slow
def test_messages_of_one_address_wait_without_holding_up_others(tmp_path: Path) -> None:
    """Many sockets, each within its own limit: 270 of them made others wait for eight seconds."""
    limits = replace(LOOSE, messages_of_address_per_s=50)
    settings = quick(tmp_path, limits=limits, public_url="http://parlour.test")
    with open_server(settings) as url:
        one = Person(url, "A")
        other = Person(url, "B")
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


# Forged ``X-Forwarded-For``: nobody escapes the limits of their address by what they write into it


BURST = 5
LIMITS_FORGED_ADDRESSES = replace(LOOSE, requests_per_s=0.001, request_burst=BURST)
Forged = Callable[[int], list[str]]
ALIKE: dict[str, Forged] = {
    "a hop before": lambda i: [f"203.0.113.{i}, 198.51.100.7"],
    "a header before": lambda i: [f"203.0.113.{i}", "198.51.100.7"],
    "many hops": lambda i: [f"{', '.join(['192.0.2.1'] * 50)}, garbage{i}, ::1, 198.51.100.7, 127.0.0.1"],
    "a port": lambda i: [f"198.51.100.7:{5000 + i}"],
    "mapped": lambda i: [("198.51.100.7", "::ffff:198.51.100.7", "[::ffff:c633:6407]:80")[i % 3]],
    "one /64": lambda i: [f"2001:db8:1:2:{i}::1"],
    "one /64 in brackets": lambda i: [f"[2001:DB8:1:2::{i}%eth0]:{i}"],
    "nothing": lambda i: ["," * i],
}


def statuses(url: str, forged: Forged) -> list[int]:
    """What requests are answered whose header is another one each time."""
    person = Person(url)
    asked = []
    for i in range(2 * BURST):
        headers = [("X-Forwarded-For", value) for value in forged(i)]
        asked.append(person.http.get("/api/events", headers=headers).status_code)
    return asked


@of_one_process
@pytest.mark.parametrize("forged", ALIKE.values(), ids=ALIKE)
def test_what_a_client_writes_before_its_proxy_makes_it_nobody_else(tmp_path: Path, forged: Forged) -> None:
    with open_server(quick(tmp_path, limits=LIMITS_FORGED_ADDRESSES, public_url="http://localhost")) as url:
        assert statuses(url, forged) == [200] * BURST + [429] * BURST
        assert statuses(url, lambda i: [f"2001:db8:{i:x}::1"]) == [200] * 2 * BURST


@of_one_process
def test_without_a_proxy_the_header_says_nothing(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, limits=LIMITS_FORGED_ADDRESSES)) as url:
        assert statuses(url, lambda i: [f"203.0.113.{i}"]) == [200] * BURST + [429] * BURST


@of_one_process
def test_a_peer_that_is_no_trusted_proxy_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.10")
    with open_server(quick(tmp_path, limits=LIMITS_FORGED_ADDRESSES, public_url="http://localhost")) as url:
        assert statuses(url, lambda i: [f"203.0.113.{i}"]) == [200] * BURST + [429] * BURST


# Which names in ``Host`` the server answers to, for requests and for sockets


FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7", "[2001:db8::1]"]
BROKEN = ["", "localhost/", "a@localhost", "localhost:port", "[::1", "localhost localhost", "::1"]


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a public address and an extra name."""
    data = tmp_path_factory.mktemp("hosts")
    settings = quick(data, public_url="http://club.example", hosts=("Table.local", "192.0.2.9"))
    with open_server(settings) as url:
        yield url


def status(url: str, host: str, path: str = "/api/health") -> int:
    return httpx.get(url + path, headers={"host": host}).status_code


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "127.0.0.1:80", "club.example", "table.local:8000"]
)
def test_own_names_are_answered(named: str, host: str) -> None:
    assert status(named, host) == 200


@pytest.mark.parametrize("host", [*FOREIGN, *BROKEN])
@pytest.mark.parametrize("path", ["/api/health", "/", "/api/rules"])
def test_other_names_are_refused(named: str, host: str, path: str) -> None:
    assert status(named, host, path) in (400, 421)


def test_the_refusal_says_what_to_do(named: str) -> None:
    answer = httpx.get(f"{named}/api/health", headers={"host": "evil.example", "accept-language": "ko"})
    assert answer.status_code == 421
    assert answer.json()["error"]["code"] == "wrong_host"
    assert "evil.example" in answer.json()["error"]["message"]


def test_sockets_are_held_to_the_same_names(named: str) -> None:
    mina = Person(named, "Mina")
    table = mina.table()
    for host in FOREIGN:
        with pytest.raises(InvalidStatus) as caught:
            mina.raw(table["id"], Host=host)
        assert caught.value.response.status_code == 403
    mina.socket(table["id"]).close()


@pytest.mark.parametrize(
    ("host", "came_in_at", "allowed"),
    [
        ("192.168.1.5:8000", "192.168.1.5", True),
        ("192.168.1.6:8000", "192.168.1.5", False),
        ("[2001:db8::5]:8000", "2001:0db8::5", True),
        ("[2001:db8::6]", "2001:db8::5", False),
        ("[::1]:8000", "::1", True),
        ("localhost", None, True),
        ("192.168.1.5", None, False),
    ],
)
def test_the_server_answers_to_the_address_of_the_connection(
    host: str, came_in_at: str | None, allowed: bool
) -> None:
    scope = {"headers": [(b"host", host.encode())], "server": came_in_at and (came_in_at, 8000)}
    assert Hosts(Settings()).allow(scope) is allowed


def test_exactly_one_host_header_is_required() -> None:
    assert not Hosts(Settings()).allow({"headers": [(b"host", b"localhost")] * 2, "server": None})
    assert not Hosts(Settings()).allow({"headers": [], "server": None})


# Silent and slow connections do not block other visitors


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
        [person.socket(table) for person in people]
        with pytest.raises(Exception, match="403"):
            people[0].raw(table)


# Sockets that connect and disconnect: their limits, and what others at the table are told


@contextmanager
def hosted(folder: Path, **limits: Any) -> Iterator[tuple[str, str, Line]]:
    """A table at which Mina sits: the server, the table and her socket."""
    with (
        open_server(quick(folder, limits=replace(LOOSE, **limits))) as url,
        closing(Person(url, "Mina")) as mina,
    ):
        table = mina.table()["id"]
        with closing(mina.socket(table)) as line:
            yield url, table, line


def heard(line: Line) -> list[str]:
    """The types of what has come in, up to the answer to a question asked now."""
    before = len(line.seen)
    line.ask(type="hints")
    return [message["type"] for message in line.seen[before:-1]]


@pytest.mark.slow
def test_the_rate_of_new_sockets_per_person_is_limited(tmp_path: Path) -> None:
    slow = {"connects_per_s": 0.001, "connect_burst": 3}
    with hosted(tmp_path, **slow) as (url, table, line):
        jun = Person(url, "Jun")
        for _ in range(3):
            jun.socket(table, watch=True).close()
        codes = [close_code(jun.raw(table)) for _ in range(20)]
        assert codes == [4429] * 20
        heard(line)
        with closing(Person(url, "Sora-chan")) as other:  # nobody else is kept out
            other.socket(table, watch=True).close()


@pytest.mark.slow
def test_the_rate_of_new_sockets_per_address_is_limited(tmp_path: Path) -> None:
    slow = {"connects_of_address_per_s": 0.001, "sockets_of_address": 4}
    with hosted(tmp_path, **slow) as (url, table, _):
        for number in range(3):
            with closing(Person(url, f"Guest {number}")) as guest:
                guest.socket(table, watch=True).close()
        with closing(Person(url, "Jun")) as jun, pytest.raises(InvalidStatus, match="403"):
            jun.raw(table)


@pytest.mark.slow
def test_a_flood_of_sockets_sends_others_few_messages(tmp_path: Path) -> None:
    """Two hundred tries of a stranger are no more than 2 messages for each that is let in."""
    slow = {"connects_per_s": 0.001, "connect_burst": 5}
    with hosted(tmp_path, **slow) as (url, table, line):
        jun = Person(url, "Jun")
        for _ in range(200):
            try:
                jun.socket(table, watch=True).close()
            except ConnectionClosed:
                continue
        assert len(heard(line)) <= 2 * 5


@pytest.mark.slow
def test_others_are_told_of_a_socket_only_when_the_table_changes(tmp_path: Path) -> None:
    with hosted(tmp_path) as (url, table, line):
        jun = Person(url, "Jun")
        jun.post(f"/api/tables/{table}/join")
        first = jun.socket(table)
        line.until("table", lambda said: said["table"]["seats"][1] and said["table"]["seats"][1]["connected"])
        heard(line)
        for _ in range(5):  # replaces the older socket: still connected, so nothing changes for others
            first = jun.socket(table)
        assert first.welcome["seat"] is not None
        assert heard(line) == []
        first.close()
        line.until("table", lambda said: not said["table"]["seats"][1]["connected"])


# Requests that once stopped all tables. Each is refused or answered, and the loop of the tables goes on


HAND: dict[str, Any] = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
DOTTED = "a" + ".a" * 23_900 + " = 1\n"
Request = tuple[str, dict[str, Any]]


def unknown_yaku() -> list[Request]:
    """Score requests whose rules have thousands of misspelled yaku."""
    yaku = {f"sanshoku_doukoo{number}": {"closed": 1} for number in range(2900)}
    return [("/api/score", HAND | {"rules": {"yaku": yaku}})] * 5


def unknown_options() -> list[Request]:
    """Score requests with thousands of misspelled options, choices and long words."""
    options = dict.fromkeys((f"ippatsu_broken_by_anka{number}" for number in range(3500)), 1)
    long = {"x" * 30_000 + str(number): 1 for number in range(3)}
    return [
        ("/api/explain", HAND | {"rules": rules}) for rules in ({"riichi": options}, {"riichi": long}, long)
    ]


def long_words() -> list[Request]:
    """Words of 100 kB in place of short ones."""
    word = "east" * 25_000
    return [("/api/score", HAND | {name: word}) for name in ("round", "by", "hand", "win", "rules", word)]


def dotted_keys() -> list[Request]:
    """TOML whose keys have thousands of parts."""
    return [("/api/rules/check", {"toml": DOTTED})] * 4 + [("/api/rules", {"toml": DOTTED})] * 4


def without_order() -> list[Request]:
    """A tenhou.net/6 log with so many ambiguous pons that no order is found."""
    game = Game("tenhou", seed=3)
    text = json.loads(formats.dumps(game, "tenhou"))
    row = text["log"][0]
    for seat in range(4):
        row[5 + 3 * seat] = [11, "p111111"] * 800
        row[6 + 3 * seat] = [11, 11] * 800
    return [("/api/uploads", {"text": json.dumps(text)})] * 6


def deep_bodies() -> list[Request]:
    """Lists in lists."""
    value: Any = 1
    for _ in range(190):
        value = [value]
    return [(path, {"rules": {"riichi": value}, "hand": value}) for path in ("/api/score", "/api/waits")]


ATTACKS: list[Callable[[], list[Request]]] = [
    unknown_yaku, unknown_options, long_words, dotted_keys, without_order, deep_bodies,
]  # fmt: skip


MOST_STEPS = 100_000
"""Calls of the loop before it is free again. An honest request makes 40,000, each attack made millions."""


HONEST: list[Request] = [
    ("/api/score", HAND),
    ("/api/score", HAND | {"rules": {"riichi": {"deposit": 500}}}),
    ("/api/explain", HAND),
    ("/api/waits", {"hand": "234m567p34567s99p"}),
    ("/api/rules/check", {"toml": "[riichi]\ndeposit = 500"}),
    ("/api/rules", {"toml": "[riichi]\ndeposit = 500"}),
    ("/api/uploads", {"text": "{}"}),
]


def attack(url: str, requests: list[Request]) -> list[int]:
    """Send all requests at once as one person while another looks at the parlour; returns their statuses."""
    attacker, other = Person(url, "Mallory"), httpx.Client(base_url=url, timeout=120)
    statuses: list[int] = []

    def send(path: str, body: dict[str, Any]) -> None:
        answer = httpx.post(url + path, json=body, cookies=dict(attacker.http.cookies), timeout=120)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=send, args=request) for request in requests]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert other.get("/api/health").status_code == 200
        time.sleep(0.01)
    attacker.close()
    other.close()
    return statuses


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Steps]]:
    """A server with a short time limit for jobs, and the calls that its loop makes."""
    limits = Limits(requests_per_s=1e6, request_burst=1_000_000, entries_per_min=1e6, job_cpu_s=0.5)
    settings, steps = quick(tmp_path_factory.mktemp("attacks"), limits=limits), Steps()
    with open_server(settings, steps.watch_loop) as url:
        attack(url, HONEST)  # loads what is loaded once
        yield url, steps


@pytest.mark.slow
@pytest.mark.parametrize("requests", ATTACKS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_attacks_are_refused_while_others_are_served(
    strict: tuple[str, Steps], requests: Callable[[], list[Request]]
) -> None:
    url, steps = strict
    steps.forget()
    statuses = attack(url, requests())
    assert len(statuses) == len(requests())
    assert max(statuses) < 500
    assert steps.most < MOST_STEPS


def slowly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, so slow that requests for it pile up."""

    def slow(*given: Any) -> Any:
        time.sleep(0.02)
        return function(*given)

    return slow


@pytest.mark.slow
@pytest.mark.parametrize("subject", ["replays", "numbers"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_many_requests_of_one_person_hold_up_another_for_a_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    """Counted, not timed: how many of the attacker's requests are answered while the other one waits."""
    monkeypatch.setattr(ReplayGame, "moment", slowly(ReplayGame.moment))
    monkeypatch.setattr(routes, "person_figures", slowly(person_figures))
    settings = quick(tmp_path, limits=without(Limits(), *RATES))
    with open_server(settings) as url:
        one = Person(url, "Mallory")
        other = Person(url, "Mina")
        path = "/api/me/numbers"
        if subject == "replays":
            log = one.post("/api/uploads", name="log", text=formats.dumps(Game("tenhou", seed=3), "tenhou"))[
                "id"
            ]
            path = f"/api/uploads/{log}/replay/0"
        done: list[int] = []

        def ask(_: int) -> None:
            done.append(httpx.get(url + path, cookies=dict(one.http.cookies), timeout=60).status_code)

        with ThreadPoolExecutor(32) as pool:
            pool.map(ask, range(150))
            while len(done) < 10:
                time.sleep(0.01)
            before = done.count(200)
            other.get(path)
            meanwhile = done.count(200) - before
        assert meanwhile <= 6, meanwhile
        assert set(done) <= {200, 429, 503}


ASKER = Principal("p1", "192.0.2.1")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_job_has_a_time_limit() -> None:
    workers = Workers(Limits(job_cpu_s=0.2))
    for function, arguments in ((sum, (range(10**13),)), (read_rules, (DOTTED,))):
        with pytest.raises(ServerError) as caught:
            await workers.run(ASKER, function, *arguments)
        assert caught.value.code == "too_heavy"
    assert await workers.run(ASKER, len, "four") == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_dead_worker_is_replaced() -> None:
    workers = Workers(Limits())
    first = await workers.run(ASKER, os.getpid)
    assert first != os.getpid()
    with pytest.raises(ServerError) as caught:
        await workers.run(ASKER, os._exit, 1)
    assert caught.value.code == "too_heavy"
    assert await workers.run(ASKER, os.getpid) not in (first, os.getpid())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_waiting_jobs_are_limited_per_person_and_address() -> None:

    workers = Workers(Limits(jobs_of_one=2, jobs_of_address=3, jobs=4))
    askers = [Principal(person, address) for person, address in ("aX", "aX", "aX", "bX", "cX", "dY", "eZ")]
    outcomes = await asyncio.gather(
        *(workers.run(asker, len, "four") for asker in askers), return_exceptions=True
    )
    refused = [isinstance(outcome, ServerError) and outcome.code == "busy" for outcome in outcomes]
    assert refused == [False, False, True, False, True, False, True]
    assert await workers.run(askers[-1], len, "four") == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_jobs_of_one_address_hold_up_another_for_one_of_them() -> None:
    workers, done = Workers(Limits()), list[str]()

    async def ask(person: str, address: str) -> None:
        await workers.run(Principal(person, address), time.sleep, 0.05)
        done.append(address)

    crowd = [asyncio.create_task(ask(f"guest {number // 2}", "X")) for number in range(8)]
    await asyncio.sleep(0)
    await asyncio.gather(ask("other", "Y"), *crowd)
    assert done.index("Y") <= 2, done


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without copies of processes")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_work_apart_keeps_goes_with_it() -> None:
    kept = list[int]()

    def keep(number: int) -> int:
        kept.append(number)
        return os.getpid()

    assert apart(keep, 5) != os.getpid()
    assert kept == []
    with pytest.raises(ZeroDivisionError):
        apart(divmod, 1, 0)
    with pytest.raises(MemoryError):
        apart(os._exit, 1)
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as worker,
        pytest.raises((TooMuchWorkError, MemoryError)),
    ):
        worker.submit(limited, 0.2, apart, (sum, range(10**13))).result()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("typst") is None, reason="no Typst")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_booklets_leave_no_memory_in_the_workers() -> None:
    """The library that sets them keeps the last ten: six made the worker 250 MB larger."""
    resource = pytest.importorskip("resource")
    workers, rules = Workers(Limits(job_cpu_s=60)), load("standard")
    wanted = {"format": "pdf", "paper": "a4", "date": "", "logo": "", "known": ""}
    sizes = []
    for number in range(6):
        await workers.run(ASKER, write_booklet, rules, {**wanted, "club": str(number)}, "ko")
        usage = await workers.run(ASKER, resource.getrusage, resource.RUSAGE_SELF)
        sizes.append(usage.ru_maxrss >> 10)
    assert sizes[-1] - sizes[0] < 80, sizes
