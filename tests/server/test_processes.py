"""Messages between processes, in memory and through NATS; lost and duplicated messages do no harm."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from jantaku.errors import RequestError
from jantaku.server.edge.guard import RepeatGuard
from jantaku.server.edge.limits import WIDER, Rates, UseLimit
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.play import table_seats
from jantaku.server.play.agreements import change_seats
from jantaku.server.play.lobby import NewTable
from jantaku.server.play.site import UNKNOWN, ProcessInfo, SlowTable, _info_of
from jantaku.server.play.table_sockets import TOO_MANY, RequestRouting
from jantaku.server.processes import links, nats, streams
from jantaku.server.processes.links import MAX_PAYLOAD, InProcessBus, Links, SiteLimits
from jantaku.server.processes.nats import FRESH_NS, NatsMessages, Signer
from jantaku.server.run import prepare
from jantaku.server.services import AppServices
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.lease import Lease, Peer, Watch
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import TableRow
from server.link_ends import NEWS, SOCKET, Client, End, Ends, connected_client, until
from server.parlour import PASSWORD, Person, Serve, fast_settings
from server.sites import of_one_process

ASKED: Scope = {**SOCKET, "type": "http", "method": "POST"}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Send every message back; close after "end"."""
    if scope["type"] == "http":
        message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"\xff")]})
        return await send({"type": "http.response.body", "body": message["body"] * 2})
    assert await receive() == {"type": "websocket.connect"}
    await send({"type": "websocket.accept", "headers": []})
    while (message := await receive())["type"] == "websocket.receive" and message["text"] != "end":
        await send({"type": "websocket.send", "text": message["text"]})
    return await send({"type": "websocket.close", "code": 4000})


async def test_news_reach_other_processes_and_announcements_also_their_sender(ends: Ends) -> None:
    first, second = ends
    first.links.publish(NEWS, {"a": 1})
    first.links.announce(NEWS, [2])
    await until(lambda: len(second.news) == 2)
    assert (first.news, second.news) == ([[2]], [{"a": 1}, [2]])


async def test_requests_between_processes_are_answered_or_refused(ends: Ends) -> None:
    async def double(number: Any) -> Any:
        if number == 0:
            raise ServerError("no_seat", seat=3)
        return number * 2

    for end in ends:
        end.links.handlers["double"] = double
    first, _ = ends
    assert await first.links.request("b", "double", 2) == 4
    assert await first.links.request("a", "double", 2) == 4
    assert await first.links.request_all("double", 3) == [6, 6]
    assert await first.links.request_others("double", 3) == [6]
    assert await first.links.request_all("double", 0) == []
    with pytest.raises(ServerError) as refused:
        await first.links.request("b", "double", 0)
    assert (refused.value.code, refused.value.details) == ("no_seat", {"seat": 3})
    with pytest.raises(ServerError) as silent:
        await first.links.request("c", "double", 1, seconds=0.1)
    assert silent.value.code == "links_lost"


@pytest.mark.parametrize("size", [0, 10, 700_000])
async def test_an_http_request_is_served_by_another_process(ends: Ends, size: int) -> None:
    first, second = ends
    second.streams.app = echo
    client = Client({"type": "http.request", "body": b"x" * size, "more_body": False})
    await client.forwarded(first, ASKED)
    start, *bodies = client.received
    assert (start["status"], start["headers"]) == (200, [(b"a", b"\xff")])
    sent = b"".join(body.get("body", b"") for body in bodies)
    assert sent == b"x" * (2 * min(size, 512 * 1024))  # ``echo`` reads only one message
    await until(lambda: not len(first.streams) + len(second.streams))


async def test_a_socket_is_served_by_another_process(ends: Ends) -> None:
    first, second = ends
    second.streams.app = echo
    client = connected_client()
    task = client.forwarded(first, SOCKET)
    for text in ("卓", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed) == (["卓", "b"], [4000])
    await until(lambda: not len(first.streams) + len(second.streams))


async def test_a_disconnected_client_ends_its_forwarded_stream(ends: Ends) -> None:
    first, second = ends
    second.streams.app = echo
    client = connected_client()
    task = client.forwarded(first, SOCKET)
    await until(lambda: bool(client.received))
    client._outgoing.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await task
    await until(lambda: not len(first.streams) + len(second.streams))


async def test_duplicated_messages_have_no_second_effect(ends: Ends) -> None:
    served: list[Scope] = []

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope)
        await echo(scope, receive, send)

    first, second = ends
    second.streams.app = counted
    for end in ends:
        end.change(lambda data: [data, data])
    client = connected_client()
    task = client.forwarded(first, SOCKET)
    for text in ("a", "b", "end"):
        client.say(text)
    await task
    assert (client.texts, client.closed, len(served)) == (["a", "b"], [4000], 1)


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_a_socket_is_told_to_reconnect_after_a_lost_message(ends: Ends, at: int, number: int) -> None:
    first, second = ends
    second.streams.app = echo
    seen = 0

    def lose(data: bytes) -> list[bytes]:
        nonlocal seen
        if b" stream " not in data:
            return [data]
        seen += 1
        return [] if seen == number + 1 else [data]

    ends[at].change(lose)
    client = connected_client()
    task = client.forwarded(first, SOCKET)
    for text in ("a", "b", "c", "d"):
        client.say(text)
        await asyncio.sleep(0.02)
    if seen > number:
        await asyncio.wait_for(task, 10)
        assert client.closed == [streams.RECONNECT_NOW]
        assert client.texts == ["a", "b", "c", "d"][: len(client.texts)]
        await until(lambda: not len(first.streams) + len(second.streams))
    else:
        task.cancel()


async def end_process(first: End, second: End) -> None:
    await second.end()
    first.streams.retain([])


async def lost_messages(first: End, second: End) -> None:
    second.links.messages.report_loss()


@pytest.mark.parametrize("lose", [end_process, lost_messages])
async def test_clients_are_notified_when_a_process_or_messages_are_lost(
    ends: Ends, lose: Callable[[End, End], Awaitable[None]]
) -> None:
    first, second = ends
    waiting = asyncio.Event()

    async def silent(scope: Scope, receive: Receive, send: Send) -> None:
        while "disconnect" not in (await receive())["type"]:
            waiting.set()

    second.streams.app = silent
    client, asking = connected_client(), Client({"type": "http.request", "body": b"", "more_body": False})
    tasks = client.forwarded(first, SOCKET), asking.forwarded(first, ASKED)
    await waiting.wait()
    await lose(first, second)
    await tasks[0]
    assert client.closed == [streams.RECONNECT_NOW]
    with pytest.raises(ServerError) as refused:
        await tasks[1]
    assert refused.value.code == "table_moved"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"role": "gateway"}, "role_alone"),
        ({"role": "tables", "nats": ""}, "role_alone"),
        ({"nats": "nats://127.0.0.1", "database_url": ""}, "nats_without_postgres"),
        *(
            ({"nats": url, "database_url": "postgresql://a@b/c"}, "nats_open")
            for url in (
                "nats://nats:4222",
                "tls://nats:4222",
                "nats",
                "nats://0.0.0.0",
                "nats://[2001:db8::1]",
                "nats://",
                "nats://localhost,nats://other",
                "nats://localhost.example.org",
                "nats://127.0.0.1.example.org",
            )
        ),
    ],
)
async def test_invalid_site_settings_are_refused(tmp_path: Path, settings: dict[str, str], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        Services(fast_settings(tmp_path, **settings))
    assert refused.value.code == code


@pytest.mark.slow
async def test_an_unreachable_nats_server_is_reported_without_its_password() -> None:
    messages = NatsMessages("nats://jantaku:secret@127.0.0.1:1")
    messages.use_key(b"k")
    with pytest.raises(RequestError) as refused:
        await messages.start()
    assert refused.value.code == "nats_unreachable"
    assert "127.0.0.1:1" in str(refused.value)
    assert "secret" not in str(refused.value)


# Bundles: a message for many spectators is sent to their gateway only once


class Broadcast:
    """A socket application that sends the same messages to all clients."""

    def __init__(self) -> None:
        self.senders: list[Callable[[str], None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept", "headers": []})
        self.senders.append(scope[streams.SEND_TEXT])
        while "disconnect" not in (await receive())["type"]:
            pass

    def tell(self, text: str) -> None:
        for tell in self.senders:
            tell(text)


def lost(parts: list[Any]) -> list[Any]:
    return []


def doubled(parts: list[Any]) -> list[Any]:
    return [*parts, *parts]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "texts", "closed"),
    [(list, ["a", "b"], []), (doubled, ["a", "b"], []), (lost, ["a"], [streams.RECONNECT_NOW])],
)
async def test_a_message_to_many_spectators_is_sent_to_their_gateway_once(
    ends: Ends,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], list[Any]],
    texts: list[str],
    closed: list[int],
) -> None:
    first, second = ends
    app = second.streams.app = Broadcast()
    clients = [connected_client() for _ in range(30)]
    tasks = [client.forwarded(first, SOCKET) for client in clients]
    await until(lambda: len(app.senders) == len(clients))
    app.tell("a")
    await until(lambda: all(client.texts for client in clients))
    bundled, parts_of = list[int](), nats.parts_of

    def changed(data: bytes) -> list[Any]:
        parts = [*parts_of(data)]
        lines = sum(" stream " in head for head, _ in parts)  # a heartbeat may be part of a bundle too
        if not lines:
            return parts
        bundled.append(lines)
        return change(parts)

    monkeypatch.setattr(nats, "parts_of", changed)
    app.tell("b")
    by_nats = isinstance(first.links.messages, NatsMessages)
    expected = (texts, closed) if by_nats else (["a", "b"], [])
    await until(lambda: all((client.texts, client.closed) == expected for client in clients))
    assert bundled == [len(clients)] * by_nats
    for task in tasks:
        task.cancel()


async def test_a_large_bundle_is_split() -> None:
    parts = [(f"head {number}", bytes([number]) * 200_000) for number in range(7)]
    sent = [*nats.bundles(parts)]
    assert [part for data in sent for part in nats.parts_of(data)] == parts
    assert max(map(len, sent)) < 2 * MAX_PAYLOAD < sum(map(len, sent))


# A message between processes is accepted only once, only in time, and only with the site's signature


KEY = b"k" * 32


class Clock:
    """A clock that is set by tests."""

    def __init__(self) -> None:
        self.now = 10**18

    def __call__(self) -> int:
        return self.now


def test_a_signed_message_is_accepted_once() -> None:
    clock = Clock()
    first, second, reader = (Signer(KEY, clock) for _ in range(3))
    messages = [signer.sign("a", bytes([i])) for i in range(50) for signer in (first, second)]
    assert [reader.read("a", message) for message in messages] == [
        bytes([i]) for i in range(50) for _ in "ab"
    ]
    random.Random(1).shuffle(messages)
    assert not any(reader.read("a", message) for message in messages)


@pytest.mark.parametrize("data", [b"", b"x", b"x" * 1000])
def test_an_altered_message_is_rejected(data: bytes) -> None:
    message = Signer(KEY).sign("a", data)
    for at in range(len(message)):
        for bit in (1, 128):
            changed = bytearray(message)
            changed[at] ^= bit
            assert Signer(KEY).read("a", bytes(changed)) is None
        assert Signer(KEY).read("a", message[:at]) is None
    assert Signer(KEY).read("a", message + b"x") is None
    assert Signer(KEY).read("b", message) is None  # addressed to another topic
    assert Signer(b"j" * 32).read("a", message) is None
    assert Signer(KEY).read("a", message) == data


@pytest.mark.parametrize("late", [-2, -1, 1, 2])
def test_a_new_process_rejects_messages_that_are_too_old_or_too_early(late: int) -> None:
    clock = Clock()
    message = Signer(KEY, clock).sign("jantaku.news", b"x")
    clock.now += late * FRESH_NS + (1 if late > 0 else -1)
    assert Signer(KEY, clock).read("jantaku.news", message) is None


# Requests for which a gateway has to look up the process that owns the table


class Owners:
    """A store in which no table has an owner; ``queries`` counts the database queries."""

    def __init__(self) -> None:
        self.queries = 0

    async def owner(self, _: str) -> None:
        self.queries += 1

    async def exists(self, _: str) -> bool:
        return False


async def test_sockets_at_missing_tables_count_against_the_limit_of_their_address() -> None:
    owners, closed = Owners(), list[Any]()
    lease = SimpleNamespace(alone=False, process="gateway")
    services = SimpleNamespace(lease=lease, seating=owners)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.close", "code": 4404})

    async def send(message: Message) -> None:
        closed.append(message["code"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    placing = RequestRouting(app, connects=Rates(0.001, 2))
    scope: Scope = {
        "type": "websocket",
        "path": "/ws/tables/aaaaaaaa",
        "client": ("192.0.2.1", 1),
        "app": SimpleNamespace(state=SimpleNamespace(services=services)),
    }
    for _ in range(5):
        await placing(scope, receive, send)
    assert (closed, owners.queries) == ([4404] * 2 + [TOO_MANY] * 3, 2)
    await placing({**scope, "client": ("192.0.2.2", 1)}, receive, send)
    assert closed[-1] == 4404


# The processes of a site monitor each other and remove those that cannot be reached


class Ring(Lease):
    """The lease of a process that knows its peers and records the ones it evicts."""

    def __init__(self, process: str, *others: str) -> None:
        self.process, self.evicted = process, list[str]()
        self.peers = tuple(Peer(peer, "tables", 0) for peer in sorted([process, *others]))

    async def evict(self, process: str) -> None:
        self.evicted.append(process)


async def test_a_process_that_fails_two_checks_is_evicted(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats, "STEADY_S", 0.0)
    monkeypatch.setattr(nats, "ANSWER_S", 0.1)
    lease = Ring("a", "b")
    watch = Watch(ends[0].links, lease)
    await watch.check()
    await ends[1].links.messages.stop()
    while await ends[0].links.messages.reaches("b"):
        await asyncio.sleep(0.01)
    await watch.check()
    assert lease.evicted == []
    await watch.check()
    assert lease.evicted == ["b"]


@pytest.mark.parametrize("process", "abcd")
async def test_each_process_is_monitored_by_two_others(process: str) -> None:
    links = Links(InProcessBus())
    watched = [Watch(links, Ring(letter, *{*"abcd"} - {letter}))._next() for letter in "abcd"]
    assert sum(process in some for some in watched) == 2


# An erased person leaves the tables of all processes, even if the message about the deletion was lost


@pytest.fixture
async def serving(services: AppServices) -> AsyncIterator[AppServices]:
    await services.lease.join()
    await services.lobby.open()
    services.erasure_listener.start()
    yield services
    await services.erasure_listener.stop()
    await services.lobby.close()
    await services.lease.leave()


def report_ended_process(services: Services) -> None:
    for call in services.lease.changed:
        call()


def report_lost_messages(services: Services) -> None:
    services.links.messages.report_loss()


async def nothing(_: object) -> None:
    pass


def names(row: TableRow) -> list[str | None]:
    return [sitter.name if sitter else None for sitter in row.sitters]


@pytest.mark.parametrize("news", [report_ended_process, report_lost_messages])
async def test_erasures_with_lost_messages_are_looked_up(
    serving: AppServices, news: Callable[[Services], None]
) -> None:
    services = serving
    mina, jun = (PersonRow(new_id(), name, None, "player", "en") for name in ("Mina", "Jun"))
    loops = []
    for owner in (mina, jun):
        await services.accounts.add_guest(owner, unique=True)
        loops.append(await services.lobby.add(owner, "", NewTable("", "standard", TableOptions())))
    for loop in loops:
        async with loop.changing() as table:
            for person in (mina, jun):
                await change_seats(table, table_seats.joined(table.row, person, None))
    async with services.store.writing() as connection:
        await erase_person(connection, mina, mina.id, nothing)
    news(services)
    left = [None, "Jun", None, None]
    await until(lambda: all(names(loop.table.row) == left for loop in loops))
    assert [loop.table.opened_by for loop in loops] == ["", "Jun"]
    for loop in loops:
        assert await services.seating.find(loop.table.row.id) == loop.table.row


# Limits apply to the whole site: use at one process counts at the others until that process ends


class Member:
    """A process with a limit on Mina's rate of requests and on her concurrent ones."""

    def __init__(self, name: str, house: dict[str, InProcessBus], others: list[str]) -> None:
        self.name, self.others = name, others
        self.links = Links(InProcessBus(house))
        self.rate, self.uses = Rates(0, 10), UseLimit(3)
        self.limits = SiteLimits(self.links, lambda: self.others)
        self.limits.share(rate=self.rate, uses=self.uses)
        self.limits.start()

    @property
    def left(self) -> float:
        """The rest of Mina's allowance."""
        return self.rate._bucket("mina").level

    def knows_uses(self, process: str, number: int) -> bool:
        """Return whether this process knows of ``number`` uses by Mina at another process."""
        return self.uses._elsewhere.get(process, {}).get("mina", 0) == number


@pytest.fixture
async def members(monkeypatch: pytest.MonkeyPatch, anyio_backend: str) -> AsyncIterator[list[Member]]:
    monkeypatch.setattr(links, "PUBLISH_S", 0.01)
    house: dict[str, InProcessBus] = {}
    members = [Member(name, house, [letter for letter in "abc" if letter != name]) for name in "abc"]
    for member in members:
        await member.links.join(member.name)
    yield members
    for member in members:
        await member.limits.stop()


async def test_rate_limits_are_shared_by_all_processes(members: list[Member]) -> None:
    first, second, third = members
    assert all(member.rate.take("mina", 3) for member in members)
    await until(lambda: [member.left for member in members] == [1, 1, 1])
    assert not first.rate.take("mina", 2)
    assert third.rate.take("jun", 10)
    assert third.rate.take("mina")
    await until(lambda: first.left == second.left == 0)
    third.rate.give_back("mina")
    await until(lambda: first.left == second.left == 1)


async def test_concurrent_uses_count_everywhere_until_their_process_ends(members: list[Member]) -> None:
    first, second, third = members
    assert first.uses.take("mina")
    assert first.uses.take("mina")
    await until(lambda: second.knows_uses("a", 2))
    assert second.uses.take("mina")
    assert not second.uses.take("mina")
    await until(lambda: third.knows_uses("a", 2) and third.knows_uses("b", 1))
    assert not third.uses.take("mina")
    first.uses.give_back("mina")
    await until(lambda: third.knows_uses("a", 1))
    assert third.uses.take("mina")
    third.others = ["b"]
    third.limits.update_peers()
    assert third.uses.take("mina")
    assert not third.uses.take("mina")


async def test_a_late_process_learns_of_current_uses(members: list[Member]) -> None:
    first, second, _ = members
    for _ in range(3):
        assert first.uses.take("mina")
    await until(lambda: not first.limits._changed)
    second.uses.retain([])  # as in a process that has just started
    assert second.uses.take("mina")
    second.uses.give_back("mina")
    first.limits.update_peers()
    await until(lambda: second.knows_uses("a", 3))
    assert not second.uses.take("mina")


def test_a_request_in_progress_at_another_process_is_refused() -> None:
    now = [0.0]
    here, there = RepeatGuard(lambda: now[0]), RepeatGuard(lambda: now[0])
    here.on_change = there.record
    with here.once("mina", "/", b""), pytest.raises(ServerError), there.once("mina", "/", b""):
        pass
    with pytest.raises(ServerError), there.once("mina", "/", b""):
        pass
    now[0] += 6
    with pytest.raises(ZeroDivisionError), here.once("mina", "/", b""):
        raise ZeroDivisionError
    with there.once("mina", "/", b""):  # a failed request may be sent again
        pass


NETWORKS = (
    [f"2001:db8:7:{number:x}::" for number in range(256)],
    [f"203.0.113.{number}" for number in range(256)],
)


@pytest.mark.parametrize("addresses", NETWORKS)
async def test_a_wide_network_has_a_few_times_the_allowance_of_one_address(addresses: list[str]) -> None:
    rates = Rates(0, 10)
    assert sum(rates.take(address) for address in addresses * 20) == 10 * WIDER
    rates.give_back(addresses[0])
    assert sum(rates.take(address) for address in addresses * 2) == 1
    for stranger in ("198.51.100.7", "2001:db8:8::", "mina", "own mina", ""):
        assert sum(rates.take(stranger) for _ in range(20)) == 10


async def test_usage_of_a_wide_network_at_other_processes_counts(members: list[Member]) -> None:
    first, second, _ = members
    addresses = NETWORKS[0]
    assert all(first.rate.take(address, 10) for address in addresses[:WIDER])
    await until(lambda: not second.rate.take(addresses[-1], 10))
    assert second.rate.take("2001:db8:8::", 10)


# Only the administrator can see the processes of the site and their slowest tables


SLOW = SlowTable(table="t", action_ms=1.5, longest_action_ms=2.0)


def test_unknown_fields_from_newer_processes_are_ignored() -> None:
    info = ProcessInfo(**dict(UNKNOWN) | {"id": "a", "role": "all", "slowest": (SLOW,)})
    fields = info.model_dump(mode="json")
    assert _info_of(fields | {"later": 1}) == _info_of(fields) == _info_of(info) == info
    assert not _info_of({"id": "a", "role": "all"}).answers


@of_one_process
@pytest.mark.slow
def test_only_the_administrator_sees_the_processes(serve: Serve) -> None:
    token = prepare(fast_settings(serve.data), admin=False)
    url = serve()
    admin, mina = Person(url), Person(url, "Mina", PASSWORD)
    admin.post("/api/enter", token=token)
    for person in (mina, Person(url, "Guest")):
        person.refused("not_allowed", "GET /api/processes")
    Person(url).refused("sign_in", "GET /api/processes")
    table = mina.table(bots=3, sit=True)["id"]
    [before] = admin.get("/api/processes")["processes"]
    assert (before["role"], before["tables"], before["playing"], before["slowest"]) == ("all", 1, 0, [])
    line = mina.socket(table)
    mina.post(f"/api/tables/{table}/start")
    line.move()
    [after] = admin.get("/api/processes")["processes"]
    assert (after["playing"], after["sockets"], after["slowest"][0]["table"]) == (1, 1, table)
    assert 0 < after["slowest"][0]["action_ms"] <= after["slowest"][0]["longest_action_ms"]
    assert 0 < after["commit_ms"] <= after["longest_commit_ms"]
