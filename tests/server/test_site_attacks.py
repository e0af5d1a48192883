"""Attacks on a site of several processes, through its gateways and through NATS."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from nats.aio.client import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from jantaku.server.processes.nats import HEAD, NEWS, Signer
from jantaku.server.settings import Settings
from jantaku.server.storage import Store
from jantaku.server.storage.people import SIGNING, hashed, server_key
from server import sites
from server.databases import SITES
from server.parlour import Line, Person, close_code, fast_settings, only_limits
from server.sites import NatsServer, site_in_threads

pytestmark = pytest.mark.slow
pytest.importorskip("nats")
SOCKETS = 3


def settings_of(folder: Path, **limits: Any) -> Settings:
    return fast_settings(folder, limits=only_limits(**limits), database_url=sites.database_of(folder))


@contextmanager
def opened(settings: Settings) -> Iterator[tuple[str, str]]:
    """Run a site with two gateways on one port; yield the site's URL and the URL of the NATS server."""
    servers: list[NatsServer] = []

    class Known(NatsServer):
        def __init__(self) -> None:
            super().__init__()
            servers.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sites, "NatsServer", Known)
        with site_in_threads(settings, lambda: None, 0) as url:
            yield url, servers[0].url


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    with opened(settings_of(tmp_path_factory.mktemp("site"), sockets_of_one=SOCKETS)) as site:
        yield site


@pytest.fixture
def mina(site: tuple[str, str]) -> Person:
    return Person(site[0], "Mina")


def playing(person: Person) -> tuple[str, Line]:
    """Start a game against three bots and play a few actions."""
    table, line = person.start(sit=True)
    act(line, 3)
    return table, line


def act(line: Line, times: int = 1) -> None:
    for _ in range(times):
        assert line.move()["type"] == "ack"


def assert_nothing_at_gateways(url: str) -> None:
    for _ in range(4):  # through either gateway
        assert httpx.get(f"{url}/api/health").json()["tables"] == 0


@pytest.mark.parametrize(
    "after", ["%0A", "/people/a%0Ab", "/%0A", "/bots/%0D%0A", "/..%2F", "//leave", "/%00"]
)
def test_no_spelling_of_a_path_makes_a_gateway_handle_a_table(mina: Person, after: str) -> None:
    table, line = playing(mina)
    for method in ("GET", "POST", "DELETE"):
        answer = mina.http.request(method, f"/api/tables/{table}{after}", json={})
        assert answer.status_code in (404, 405, 409, 422), answer.text
    assert_nothing_at_gateways(mina.url)
    act(line)


@pytest.mark.parametrize("after", ["%0A", "%0Ax", "%2F", "?x=%0A"])
def test_no_spelling_of_a_socket_path_is_served_by_a_gateway(mina: Person, after: str) -> None:
    table, line = playing(mina)
    url = mina.url.replace("http", "ws", 1)
    with suppress(InvalidStatus, ConnectionClosed), connect(f"{url}/ws/tables/{table}{after}") as raw:
        raw.send('{"type":"hello","version":1}')
        raw.recv(5)
    assert_nothing_at_gateways(mina.url)
    act(line)


def test_sockets_at_both_gateways_count_together(mina: Person) -> None:
    table = str(mina.table()["id"])
    [mina.socket(table, watch=True) for _ in range(SOCKETS)]
    for _ in range(4):
        assert close_code(mina.raw(table)) == 4429
    forged = {"X-Forwarded-For": "198.51.100.7", "jantaku.carried": "a", "jantaku.tell": "a"}
    assert close_code(mina.raw(table, **forged)) == 4429


@pytest.mark.parametrize("size", [5_000, 9_000, 200_000])
def test_an_oversized_frame_closes_only_its_socket(mina: Person, size: int) -> None:
    table, line = playing(mina)
    raw = mina.raw(table)
    raw.send('{"type":"hello","version":1,"watch":true}')
    with suppress(ConnectionClosed):
        raw.send("x" * size)
    assert close_code(raw) == 1009
    act(line)
    answer = mina.http.post(
        f"/api/tables/{table}/bots", content="x" * 200_000, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413


async def published(nats: str, *messages: tuple[str, bytes], key: bytes | None = None) -> None:
    """Publish messages in NATS, signed if a key is given."""
    client, signer = Client(), key and Signer(key)
    await client.connect(nats)
    for subject, data in messages:
        await client.publish(subject, signer.sign(subject, data) if signer else data)
    await client.close()


async def key_of(database: str) -> bytes:
    store = Store(Settings(database_url=database))
    try:
        return await server_key(store, SIGNING)
    finally:
        await store.close()


class NatsRecorder:
    """A client that records everything sent over NATS while it is active."""

    def __init__(self, nats: str) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._nats, self._ends, self._begun = nats, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._listen()))

    async def _listen(self) -> None:
        client = Client()
        await client.connect(self._nats)

        async def record(message: object) -> None:
            self.messages.append((message.subject, message.data))  # type: ignore[attr-defined]

        await client.subscribe("jantaku.>", cb=record)
        await client.flush()
        self._begun.set()
        while not self._ends.is_set():
            await asyncio.sleep(0.02)
        await client.close()

    def __enter__(self) -> "NatsRecorder":
        self._thread.start()
        self._begun.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()


def test_replayed_messages_have_no_effect(site: tuple[str, str], mina: Person) -> None:
    _, nats = site
    with NatsRecorder(nats) as recorder:
        table, line = playing(mina)
        mina.post(f"/api/tables/{mina.table()['id']}/join")
    before = len(mina.get("/api/tables")["tables"]), line.seq
    lines = [(subject, data) for subject, data in recorder.messages if b" beat " not in data]
    assert any(data[HEAD:].startswith(b"\0") for _, data in lines), "the messages include bundles"
    asyncio.run(published(nats, *lines, *lines))
    act(line, 3)
    assert len(mina.get("/api/tables")["tables"]) == before[0]
    events = line.events()
    there = mina.socket(table)
    there.until("sync")
    assert there.seq >= line.seq > before[1]
    assert len(events) <= line.seq


def opening(method: str, path: str, sender: str, address: str, **more: object) -> bytes:
    """Return the first message of a request that a gateway forwards for a client address."""
    scope: dict[str, object] = {"type": "http", "method": method, "path": path, "raw_path": path}
    scope |= {"headers": [["host", "localhost"]], "client": [address, 1], "http_version": "1.1"}
    scope |= {"scheme": "http", "query_string": ""} | more
    return f"1 stream {sender} {sender} 0\n".encode() + b'["",' + json.dumps(scope).encode() + b"]\n"


def test_nats_carries_no_cookies_and_rejects_forged_gateway_messages(
    site: tuple[str, str], mina: Person
) -> None:
    """Someone who can read NATS still cannot sign in or send requests as a gateway."""
    url, nats = site
    with NatsRecorder(nats) as recorder:
        table, line = playing(mina)
        mina.http.get("/api/tables", headers={"authorization": "Bearer hidden-token"})
        mina.http.get(f"/api/tables/{table}", headers={"authorization": "Bearer hidden-token"})
    traffic = b"".join(data for _, data in recorder.messages)
    assert hashed(mina.http.cookies["jantaku_session"]).encode() in traffic
    for secret in (*mina.http.cookies.values(), "hidden-token"):
        assert secret.encode() not in traffic
    for stolen in (hashed(mina.http.cookies["jantaku_session"]), mina.id):
        answer = httpx.get(f"{url}/api/me", cookies={"jantaku_session": stolen})
        assert answer.json()["person"] is None
    marks = {"jantaku.marks": {"jantaku_session": hashed(mina.http.cookies["jantaku_session"])}}
    begins = opening("DELETE", f"/api/tables/{table}", "stranger", "127.0.0.1", **marks)
    ends = b'1 stream stranger stranger 1\n["body",{"type":"http.request"}]\n{}'
    news = b"1 news stranger signed_out 0\n" + json.dumps([mina.id, "", ""]).encode()
    subjects = {subject for subject, _ in recorder.messages if subject != "jantaku.news"}
    forged = [(subject, data) for subject in subjects for data in (begins, ends)]
    for key in (None, b"a guess of the site's key, 32 byte"):
        asyncio.run(published(nats, *forged, ("jantaku.news", news), key=key))
    act(line, 3)
    assert mina.get(f"/api/tables/{table}")["status"] == "playing"


def test_requests_through_all_gateways_count_for_an_address(tmp_path: Path) -> None:
    """An address gets no more responses by using several gateways, or one with higher limits."""
    burst = 20
    settings = settings_of(tmp_path, requests_per_s=0.001, request_burst=burst)
    with opened(settings) as (url, nats), NatsRecorder(nats) as recorder:
        table = Person(url, "Mina").table()["id"]

        def statuses(times: int) -> list[int]:
            """Return the statuses of requests that may reach either gateway."""
            return [httpx.get(f"{url}/api/tables/{table}").status_code for _ in range(times)]

        first = statuses(3 * burst)
        assert set(first) == {200, 429}
        assert first.count(200) < 2 * burst
        time.sleep(1)  # by then the gateways have exchanged their counts
        assert set(statuses(burst)) == {429}
        key = asyncio.run(key_of(settings.database_url))
        subjects = {subject for subject, _ in recorder.messages if subject != NEWS}
        used = {"requests": {"198.51.100.7": 2 * burst}}
        news = b"1 news stranger limits 0\n" + json.dumps(["stranger", used, []]).encode()
        asyncio.run(published(nats, (NEWS, news), key=key))
        for address, sender in (("198.51.100.7", "much"), ("203.0.113.9", "little")):
            request = opening("GET", f"/api/tables/{table}", sender, address)
            asyncio.run(published(nats, *((subject, request) for subject in subjects), key=key))
        time.sleep(1)
    answers = {
        sender: b"".join(
            data for subject, data in recorder.messages if subject == f"jantaku.process.{sender}"
        )
        for sender in ("much", "little")
    }
    assert b'"status":429' in answers["much"]
    assert b'"status":200' not in answers["much"]
    assert b'"status":200' in answers["little"]


HOSTILE = (
    b"",
    b"\n",
    b"\0",
    b"\0\n",
    b"\0[]\nx",
    b'\0["1 stream a b 0",[7],[1]]\nx',
    b'\0["1 stream a b 0",[0],[-5]]\nx',
    b'\0["1 stream a b 0",[0],["x"]]\nx',
    b"\0" + b"[" * 100_000,
    b"\xff\xfe\n",
    b"1 stream\n",
    b"1 stream a b x\n{}",
    b"1 stream a b 0\n{}",
    b'1 stream a b 0\n["",{"type":"http","path":5}]\n',
    b'1 stream a b 0\n["",{"type":"lifespan","path":"/"}]\n',
    b"1 beat a all 0\n[]",
    b'1 beat a all 0\n{"x":"y"}',
    b"1 ask a b 0\n[]",
    b'1 ask a b 0\n["no such question",1]',
    b'1 ask a b 0\n["held",5]',
    b'1 ask a b 0\n["ranked_queue",5]',
    b'1 ask a b 0\n["lab_questions",null]',
    b"1 answer a b 0\n{}",
    b"1 news a limits 0\n5",
    b"1 news a peers 0\n[1]",
    b"1 news a event 0\n{}",
    b"1 end a b 0\n",
    b"9 stream a b 0\n" + b"x" * 500_000,
)


@pytest.mark.parametrize("signed", [False, True])
def test_unreadable_messages_are_ignored(site: tuple[str, str], mina: Person, signed: bool) -> None:
    """This applies even to messages that are signed with the site's key."""
    _, nats = site
    key = asyncio.run(key_of(next(url for url in SITES.values()))) if signed else None
    with NatsRecorder(nats) as recorder:
        _, line = playing(mina)
    subjects = {subject for subject, _ in recorder.messages} | {"jantaku.news"}
    asyncio.run(published(nats, *((subject, data) for subject in subjects for data in HOSTILE), key=key))
    act(line, 3)
    assert mina.get("/api/me")["person"]["id"] == mina.id
    playing(mina)
