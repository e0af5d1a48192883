"""Messages between processes, in one process and by NATS: nothing depends on every one arriving, once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from jantaku.errors import RequestError
from jantaku.server.errors import ServerError
from jantaku.server.links import bundles, carrying, nats_messages
from jantaku.server.links.carrying import Carrying
from jantaku.server.links.links import Links
from jantaku.server.links.messages import MOST_PAYLOAD, Here, Messages
from jantaku.server.links.nats_messages import NatsMessages
from jantaku.server.storage.lease import Lease, Peer
from jantaku.server.storage.process_watch import Watch
from jantaku.server.storage.services import Services
from server.parlour import quick
from server.sites import NatsServer

pytestmark = pytest.mark.anyio
SOCKET: Scope = {"type": "websocket", "path": "/", "query_string": b"", "headers": [(b"host", b"x")]}
ASKED: Scope = {**SOCKET, "type": "http", "method": "POST"}
Change = Callable[[bytes], list[bytes]]


class End:
    """A process of a site: its links, and what it carries."""

    def __init__(self, name: str, messages: Messages) -> None:
        self.links, self.name = Links(messages), name
        self.carrying = Carrying(self.links)
        self.news: list[Any] = []
        self.links.hear("said", self.news.append)

    async def begin(self, others: list[str]) -> None:
        self.links.others = lambda: others
        await self.links.messages.start()
        await self.links.join(self.name)
        self.carrying.start()

    async def end(self) -> None:
        await self.carrying.stop()
        await self.links.messages.stop()

    def change(self, change: Change) -> None:
        """Change what arrives here."""
        take = self.links.messages.received

        def changed(head: str, body: bytes) -> None:
            for message in change(head.encode() + b"\n" + body):
                take(head, message.partition(b"\n")[2])

        self.links.messages.received = changed


Ends = tuple[End, End]


@pytest.fixture(params=["here", pytest.param("nats", marks=pytest.mark.slow)])
async def ends(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> AsyncIterator[Ends]:
    monkeypatch.setattr(carrying, "BEAT_S", 0.05)
    house: dict[str, Here] = {}
    nats = NatsServer() if request.param == "nats" else None

    def messages() -> Messages:
        return NatsMessages(nats.url) if nats else Here(house)

    first, second = End("a", messages()), End("b", messages())
    await first.begin(["b"])
    await second.begin(["a"])
    yield first, second
    await first.end()
    await second.end()
    if nats:
        nats.stop()


async def until(true: Callable[[], bool]) -> None:
    """Wait for something."""
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.01)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Says what it is told, and closes at "end"."""
    if scope["type"] == "http":
        message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"\xff")]})
        return await send({"type": "http.response.body", "body": message["body"] * 2})
    assert await receive() == {"type": "websocket.connect"}
    await send({"type": "websocket.accept", "headers": []})
    while (message := await receive())["type"] == "websocket.receive" and message["text"] != "end":
        await send({"type": "websocket.send", "text": message["text"]})
    return await send({"type": "websocket.close", "code": 4000})


class Client:
    """Who is carried: what it says, and what it is told."""

    def __init__(self, *said: Message) -> None:
        self.told: list[Message] = []
        self._said = asyncio.Queue[Message]()
        for message in said:
            self._said.put_nowait(message)

    def say(self, text: str) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self) -> Message:
        return await self._said.get()

    async def send(self, message: Message) -> None:
        self.told.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.told if message["type"] == "websocket.send"]

    @property
    def closed(self) -> list[int]:
        return [message["code"] for message in self.told if message["type"] == "websocket.close"]

    def carried(self, by: End, scope: Scope) -> "asyncio.Task[None]":
        return asyncio.create_task(by.carrying.carry("b", scope, self.receive, self.send))


def talking() -> Client:
    return Client({"type": "websocket.connect"})


async def test_news_reach_all_others_and_announcements_oneself(ends: Ends) -> None:
    first, second = ends
    first.links.tell("said", {"a": 1})
    first.links.announce("said", [2])
    await until(lambda: len(second.news) == 2)
    assert (first.news, second.news) == ([[2]], [{"a": 1}, [2]])


async def test_questions_are_answered_or_refused(ends: Ends) -> None:
    async def double(said: Any) -> Any:
        if said == 0:
            raise ServerError("no_seat", seat=3)
        return said * 2

    for end in ends:
        end.links.questions["double"] = double
    first, _ = ends
    assert await first.links.ask("b", "double", 2) == 4
    assert await first.links.ask("a", "double", 2) == 4
    assert await first.links.ask_all("double", 3) == [6, 6]
    assert await first.links.ask_others("double", 3) == [6]
    assert await first.links.ask_all("double", 0) == []
    with pytest.raises(ServerError) as refused:
        await first.links.ask("b", "double", 0)
    assert (refused.value.code, refused.value.details) == ("no_seat", {"seat": 3})
    with pytest.raises(ServerError) as silent:
        await first.links.ask("c", "double", 1, seconds=0.1)
    assert silent.value.code == "links_lost"


@pytest.mark.parametrize("size", [0, 10, 700_000])
async def test_a_request_is_answered_elsewhere(ends: Ends, size: int) -> None:
    first, second = ends
    second.carrying.app = echo
    client = Client({"type": "http.request", "body": b"x" * size, "more_body": False})
    await client.carried(first, ASKED)
    start, *bodies = client.told
    assert (start["status"], start["headers"]) == (200, [(b"a", b"\xff")])
    sent = b"".join(body.get("body", b"") for body in bodies)
    assert sent == b"x" * (2 * min(size, 512 * 1024))  # ``echo`` takes one message
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_a_socket_is_served_elsewhere(ends: Ends) -> None:
    first, second = ends
    second.carrying.app = echo
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("卓", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed) == (["卓", "b"], [4000])
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_a_client_that_goes_away_is_missed(ends: Ends) -> None:
    first, second = ends
    second.carrying.app = echo
    client = talking()
    task = client.carried(first, SOCKET)
    await until(lambda: bool(client.told))
    client._said.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await task
    await until(lambda: not len(first.carrying) + len(second.carrying))


async def test_messages_that_come_twice_have_no_second_effect(ends: Ends) -> None:
    served: list[Scope] = []

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope)
        await echo(scope, receive, send)

    first, second = ends
    second.carrying.app = counted
    for end in ends:
        end.change(lambda data: [data, data])
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("a", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed, len(served)) == (["a", "b"], [4000], 1)


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_after_a_lost_message_a_socket_connects_again(ends: Ends, at: int, number: int) -> None:
    first, second = ends
    second.carrying.app = echo
    seen = 0

    def lose(data: bytes) -> list[bytes]:
        nonlocal seen
        if b" line " not in data:
            return [data]
        seen += 1
        return [] if seen == number + 1 else [data]

    ends[at].change(lose)
    client = talking()
    task = client.carried(first, SOCKET)
    for text in ("a", "b", "c", "d"):
        client.say(text)
        await asyncio.sleep(0.02)
    if seen > number:
        await asyncio.wait_for(task, 10)
        assert client.closed == [carrying.AGAIN]
        assert client.texts == ["a", "b", "c", "d"][: len(client.texts)]
        await until(lambda: not len(first.carrying) + len(second.carrying))
    else:
        task.cancel()


async def lost_process(first: End, second: End) -> None:
    await second.end()
    first.carrying.keep([])


async def lost_messages(first: End, second: End) -> None:
    second.links.messages.note_loss()


@pytest.mark.parametrize("lose", [lost_process, lost_messages])
async def test_what_is_lost_is_said(ends: Ends, lose: Callable[[End, End], Awaitable[None]]) -> None:
    first, second = ends
    waiting = asyncio.Event()

    async def silent(scope: Scope, receive: Receive, send: Send) -> None:
        while "disconnect" not in (await receive())["type"]:
            waiting.set()

    second.carrying.app = silent
    client, asking = talking(), Client({"type": "http.request", "body": b"", "more_body": False})
    tasks = client.carried(first, SOCKET), asking.carried(first, ASKED)
    await waiting.wait()
    await lose(first, second)
    await tasks[0]
    assert client.closed == [carrying.AGAIN]
    with pytest.raises(ServerError) as refused:
        await tasks[1]
    assert refused.value.code == "table_moved"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"role": "gateway"}, "role_alone"),
        ({"role": "tables", "nats": ""}, "role_alone"),
        ({"nats": "nats://127.0.0.1"}, "nats_without_postgres"),
    ],
)
async def test_what_cannot_be_a_site_is_refused(tmp_path: Path, settings: dict[str, str], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        Services(quick(tmp_path, **settings))
    assert refused.value.code == code


@pytest.mark.slow
async def test_a_nats_that_cannot_be_reached_is_named_without_its_password() -> None:
    with pytest.raises(RequestError) as refused:
        await NatsMessages("nats://jantaku:secret@127.0.0.1:1").start()
    assert refused.value.code == "nats_unreachable"
    assert "127.0.0.1:1" in str(refused.value)
    assert "secret" not in str(refused.value)


class Ring(Lease):
    """What a process knows of the others, and whom it has removed."""

    def __init__(self, process: str, *others: str) -> None:
        self.process, self.buried = process, list[str]()
        self.peers = tuple(Peer(peer, "tables", 0) for peer in sorted([process, *others]))

    async def bury(self, process: str) -> None:
        self.buried.append(process)


async def test_a_process_that_cannot_be_reached_twice_has_ended(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_messages, "STEADY_S", 0.0)
    monkeypatch.setattr(nats_messages, "ANSWER_S", 0.1)
    lease = Ring("a", "b")
    watch = Watch(ends[0].links, lease)
    await watch.look()
    await ends[1].links.messages.stop()
    while await ends[0].links.messages.reaches("b"):
        await asyncio.sleep(0.01)
    await watch.look()
    assert lease.buried == []
    await watch.look()
    assert lease.buried == ["b"]


@pytest.mark.parametrize("process", "abcd")
async def test_two_processes_watch_each(process: str) -> None:
    links = Links(Here())
    watched = [Watch(links, Ring(letter, *{*"abcd"} - {letter}))._next() for letter in "abcd"]
    assert sum(process in some for some in watched) == 2


class Watched:
    """A socket application in which all who watch are told the same."""

    def __init__(self) -> None:
        self.tells: list[Callable[[str], None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept", "headers": []})
        self.tells.append(scope[carrying.TELL])
        while "disconnect" not in (await receive())["type"]:
            pass

    def tell(self, text: str) -> None:
        for tell in self.tells:
            tell(text)


def lost(parts: list[Any]) -> list[Any]:
    return []


def doubled(parts: list[Any]) -> list[Any]:
    return [*parts, *parts]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "texts", "closed"),
    [(list, ["a", "b"], []), (doubled, ["a", "b"], []), (lost, ["a"], [carrying.AGAIN])],
)
async def test_what_many_watch_goes_to_their_gateway_once(
    ends: Ends,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], list[Any]],
    texts: list[str],
    closed: list[int],
) -> None:
    first, second = ends
    app = second.carrying.app = Watched()
    for one, other in (ends, ends[::-1]):
        one.links.messages.note_bundles(other.name)
    clients = [talking() for _ in range(30)]
    tasks = [client.carried(first, SOCKET) for client in clients]
    await until(lambda: len(app.tells) == len(clients))
    app.tell("a")
    await until(lambda: all(client.texts for client in clients))
    bundled: list[int] = []

    def changed(data: bytes) -> list[Any]:
        parts = [*bundles.parts_of(data)]
        if not any(" line " in head for head, _ in parts):
            return parts
        bundled.append(len(parts))
        return change(parts)

    monkeypatch.setattr(nats_messages, "parts_of", changed)
    app.tell("b")
    by_nats = isinstance(first.links.messages, NatsMessages)
    expected = (texts, closed) if by_nats else (["a", "b"], [])
    await until(lambda: all((client.texts, client.closed) == expected for client in clients))
    assert bundled == [len(clients)] * by_nats
    for task in tasks:
        task.cancel()


async def test_a_process_of_before_is_sent_single_messages(ends: Ends) -> None:
    first, second = ends
    taken: list[str] = []
    second.links.messages.received = lambda head, _: taken.append(head.split(" ")[1])
    for number in range(3):
        first.links.send("b", "line", "x", number, b"same")
    await until(lambda: taken.count("line") == 3)


async def test_a_large_bundle_is_cut() -> None:
    parts = [(f"head {number}", bytes([number]) * 200_000) for number in range(7)]
    sent = [*bundles.bundles(parts)]
    assert [part for data in sent for part in bundles.parts_of(data)] == parts
    assert max(map(len, sent)) < 2 * MOST_PAYLOAD < sum(map(len, sent))
