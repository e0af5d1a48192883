"""The WebSocket of a table: admission, reading, writing, and forwarding to the owning process."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku.errors import JantakuError, Phrases
from jantaku.server import tasks
from jantaku.server.edge.bodies import dumps, first_error
from jantaku.server.edge.guard import FORWARDED, MARKS, refuse, same_origin
from jantaku.server.edge.limits import WIDER, Bucket, Rates, UseLimit, client_of, wide_network_of
from jantaku.server.edge.metrics import Metrics
from jantaku.server.edge.protocol import FROM_CLIENT, VERSION, Hello
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    browser_of,
    cookie_hashes,
    optional_user,
    services_of,
    session_of,
)
from jantaku.server.play import seat_views, table_seats
from jantaku.server.play.broadcast import (
    check_not_removed,
    may_see_all,
    may_watch,
    new_role,
    publish_table,
    record_browser,
    send_missed,
    update_watchers,
    welcome,
)
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.message_handlers import handle
from jantaku.server.play.table import NOT_ALLOWED, Connection
from jantaku.server.processes.links import ASKED, BLOCKED, PROFILE_SHOWN, SIGNED_IN
from jantaku.server.processes.streams import SEND_TEXT
from jantaku.server.settings import Limits
from jantaku.server.storage.people import ROLE_CHANGED
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import ID_LENGTH, SIGNED_OUT, EndedSessions
from jantaku.server.tasks import to_the_end

LOG = logging.getLogger("jantaku.server")
router = APIRouter()

NO_HELLO, NOT_SIGNED_IN, NO_TABLE = 4400, 4401, 4404
OTHER_VERSION, SLOW_HELLO, TOO_MANY, TOO_LONG = 4406, 4408, 4429, 1009
CODES: Final = {"no_table": NO_TABLE, "removed": NOT_ALLOWED}
TABLE_DROPPED: Final = 1012  # the table has just left memory; a client that reconnects finds it
HELLO_S: Final = 10.0
THROTTLE_S: Final = 0.2
MAX_REFUSALS: Final = 200  # messages refused by the rate limit before the socket is closed


class SocketLimits:
    """Limits on sockets, connection attempts, messages and chat, per person and per address."""

    def __init__(self, limits: Limits) -> None:
        self.of_one = UseLimit(limits.sockets_of_one)
        self.of_address = UseLimit(limits.sockets_of_address)
        self.of_network = UseLimit(WIDER * limits.sockets_of_address)
        self.sayings = Rates(limits.sayings_per_s, limits.saying_burst)
        self.connects = Rates(limits.connects_per_s, limits.connect_burst)
        self.connects_of_address = Rates(limits.connects_of_address_per_s, limits.sockets_of_address)
        self.messages_of_address = Rates(limits.messages_of_address_per_s, limits.messages_of_address_per_s)


class Closed(Exception):  # noqa: N818
    """Close the socket with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@asynccontextmanager
async def admitted(socket: WebSocket) -> AsyncIterator[bool]:
    """Accept a same-origin socket within the limits of its address; yield whether it was accepted."""
    services = services_of(socket)
    if not same_origin(socket.headers, services.settings.public_url):
        await socket.close(NOT_ALLOWED)
        yield False
        return
    address = client_of(socket.scope)
    limits = services.sockets
    uses = ((limits.of_address, address), (limits.of_network, wide_network_of(address)))
    taken = []
    try:
        if limits.connects_of_address.take(address):
            for limit, key in uses:
                if limit.take(key):
                    taken.append((limit, key))
        if len(taken) < len(uses):
            await socket.close(TOO_MANY)
            yield False
            return
        await socket.accept()
        yield True
    finally:
        for limit, key in taken:
            limit.give_back(key)


@router.websocket("/ws/tables/{table_id}")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Connect a person to a table."""
    async with admitted(socket) as accepted:
        if accepted:
            await _serve(socket, services_of(socket), table_id)


async def _serve(socket: WebSocket, services: InjectedServices, table_id: str) -> None:
    """Admit a person and serve the socket until either side closes it."""
    connection: Connection | None = None
    loop: GameLoop | None = None
    held = ""
    try:
        person = await optional_user(socket, services)
        if person is None:
            raise Closed(NOT_SIGNED_IN)
        if not services.sockets.connects.take(person.id) or not services.sockets.of_one.take(person.id):
            raise Closed(TOO_MANY)
        held = person.id
        hello = await _hello(socket, services)
        loop = await services.lobby.find(table_id)
        connection = Connection(person, session_of(socket)[:ID_LENGTH], browser_of(socket))
        connection.language = hello.language
        connection.shows_profile = person.profile_shown
        loop.table.muted.setdefault(person.id, set()).update(await services.ties.blocked(person.id))
        _enter(loop, connection, hello)
        if await optional_user(socket, services) is None:  # signed out in the meantime
            raise Closed(NOT_SIGNED_IN)
        await _converse(socket, services, loop, connection)
    except ServerError as error:
        await _close(socket, CODES.get(error.code, 1013))
    except Closed as closed:
        await _close(socket, closed.code)
    except WebSocketDisconnect:
        pass
    finally:
        if held:
            services.sockets.of_one.give_back(held)
        if loop is not None and connection is not None:
            await _leave(loop, connection)


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code)


async def _text(socket: WebSocket, max_length: int) -> str | None:
    """Wait for the next message; ``None`` if it is not text. Raises ``Closed`` if it is too long."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    if len(text or message.get("bytes") or b"") > max_length:
        raise Closed(TOO_LONG)
    return text


async def _hello(socket: WebSocket, services: InjectedServices) -> Hello:
    try:
        text = await asyncio.wait_for(_text(socket, services.settings.limits.message_bytes), HELLO_S)
        hello = Hello.model_validate_json(text or "")
    except TimeoutError as error:
        raise Closed(SLOW_HELLO) from error
    except ValidationError as error:
        raise Closed(NO_HELLO) from error
    if hello.version != VERSION:
        raise Closed(OTHER_VERSION)
    return hello


def _enter(loop: GameLoop, connection: Connection, hello: Hello) -> None:
    """Give a socket its seat, or make it a spectator.

    Takes no lock and awaits nothing: how long the lock is held reveals whether anyone can claim a discard.
    """
    table = loop.table
    if loop.stopped:
        raise Closed(TABLE_DROPPED)
    check_not_removed(table, connection.person.id, connection.browser)
    seat = table_seats.seat_of(table.row, connection.person.id)
    if seat is not None and not hello.watch and not table.sitter(seat).gone:
        table.audience.sit(connection, seat)
        table_seats.socket_connected(table, seat)
        record_browser(table, connection.person.id, connection.browser)
    elif not may_watch(table):
        raise Closed(NOT_ALLOWED)
    else:
        update_watchers(table, time.monotonic())
        connection.asks_all = hello.all_hands
        connection.all_hands = may_see_all(table, connection)
        table.audience.watchers.add(connection)
    welcome(table, connection)
    send_missed(table, connection, hello.game, hello.last)
    loop.send_pause_to(connection)
    _publish_presence(loop, connection)
    loop.wake()


def _publish_presence(loop: GameLoop, connection: Connection) -> None:
    """Publish that a socket has connected or left: immediately for a player, soon after for a spectator."""
    if connection.seat is None:
        loop.publish_soon()
    else:
        publish_table(loop.table, only_changes=True)


async def _leave(loop: GameLoop, connection: Connection) -> None:
    table = loop.table
    if table.audience.remove(connection):
        if connection.seat is not None:
            table_seats.socket_lost(table, connection.seat)
        table.touched = time.monotonic()
        _publish_presence(loop, connection)
        loop.wake()


async def _converse(
    socket: WebSocket, services: InjectedServices, loop: GameLoop, connection: Connection
) -> None:
    """Read and write until either side closes the socket."""
    read, write = _read(socket, services, loop, connection), _write(socket, connection, services.metrics)
    await tasks.until_first(read, write)


async def _write(socket: WebSocket, connection: Connection, metrics: Metrics) -> None:
    sink = socket.scope.get(SEND_TEXT)
    if sink is not None:

        def counted(text: str) -> None:
            metrics.sent.inc()
            sink(text)

        connection.send_by(counted)
    while (text := await connection.next()) is not None:
        metrics.sent.inc()
        await socket.send_text(text)
    raise Closed(connection.closing or 1000)


async def _read(
    socket: WebSocket, services: InjectedServices, loop: GameLoop, connection: Connection
) -> None:
    limits = services.settings.limits
    bucket = Bucket(limits.messages_per_s, limits.message_burst)
    heavy, votes = services.rates.heavy, services.rates.votes
    rates = dict.fromkeys(("why", "hints"), heavy) | {"say": services.sockets.sayings}
    rates |= dict.fromkeys(("abort", "rematch", "mute", "ready", "swap", "pace", "show_hands"), votes)
    address, refused = client_of(socket.scope), 0
    while True:
        text = await _text(socket, limits.message_bytes)
        services.metrics.received.inc()
        while not services.sockets.messages_of_address.take(address):
            await asyncio.sleep(THROTTLE_S)  # stops reading, so that the sender has to wait too
        if not bucket.take():
            refused += 1
            if refused > MAX_REFUSALS:
                raise Closed(TOO_MANY)
            _refuse(connection, None, ServerError("too_many"))
            continue
        try:
            message = FROM_CLIENT.validate_json(text or "")
        except ValidationError as error:
            _refuse(connection, None, ServerError("bad_message", reason=_first(error)))
            continue
        await _answer(loop, connection, message, rates)


def _first(error: ValidationError) -> object:
    """Return the first validation error of a message."""
    field, reason = first_error(error)
    return Phrases((field, reason)) if field else reason


async def _answer(loop: GameLoop, connection: Connection, message: Any, limits: Mapping[str, Rates]) -> None:
    """Handle one message within its rate limit; refuse it if it fails."""
    message_id = getattr(message, "id", None)
    try:
        rates = limits.get(message.type)
        if rates is not None and not rates.take(connection.person.id):
            raise ServerError("too_many")
        await to_the_end(handle(loop, connection, message))
    except JantakuError as error:
        _refuse(connection, message_id, error)
        if error.code == "storage_lost":
            loop.wake()
    except Exception:
        LOG.exception("table %s", loop.table.row.id)
        _refuse(connection, message_id, ServerError("internal"))


def _refuse(connection: Connection, message_id: str | None, error: JantakuError) -> None:
    text = error.message(connection.language)
    connection.send(seat_views.error(message_id, error.code, text, str(error.details.get("field", ""))))


Finder = Callable[[Services, re.Match[str]], Awaitable[str]]


async def _at_owner(services: Services, match: re.Match[str]) -> str:
    """Return the process that owns the table, or the one that will adopt a table without an owner."""
    table = match["table"]
    owner = await services.seating.owner(table)
    if owner is None and await services.seating.exists(table):
        return services.lease.process if services.lease.owns else services.lease.least_loaded()
    return owner or services.lease.process  # this process answers that the table does not exist


async def _at_least_loaded(services: Services, _: re.Match[str]) -> str:
    return services.lease.least_loaded()


async def _at_leader(services: Services, _: re.Match[str]) -> str:
    return services.lease.leader or services.lease.least_loaded()


TABLE: Final = "(?P<table>[^/]{1,16})"
ANYWHERE: Final = "/api/tables/anywhere"
PROCESSES: Final[tuple[tuple[re.Pattern[str], Finder], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), find)  # a path may contain any character, even a newline
    for pattern, find in (
        ("POST /api/tables", _at_least_loaded),
        (f"SOCKET /ws/tables/{TABLE}", _at_owner),
        (f"[A-Z]+ /api/tables/{TABLE}(/.*)?", _at_owner),
        ("POST /api/(games|uploads)/[^/]+/what-if", _at_least_loaded),
        ("POST /api/events/[^/]+/tables", _at_least_loaded),
        (f"POST /api/events/[^/]+/tables/{TABLE}", _at_owner),
        ("[A-Z]+ /api/ranked(?!/games/|/reminder)(/.*)?", _at_leader),
        ("[A-Z]+ /api/lab(/.*)?", _at_leader),
        ("GET /api/events/[^/]+/doubts", _at_leader),
        ("[A-Z]+ /api/events/[^/]+/rounds/[^/]+(/seating(/cancel)?)?", _at_leader),
        ("POST /api/(me|people/[^/]+|events/[^/]+/entries/[^/]+)/erase", _at_leader),
    )
)


class RequestRouting:
    """Middleware that answers requests of this process and forwards all others to the right process."""

    def __init__(self, app: ASGIApp, connects: Rates) -> None:
        self.app = app
        self._connects = connects  # also counted by the table's process, but finding that process has a cost

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or forward it."""
        services: Services | None = getattr(scope["app"].state, "services", None)
        if services is None or services.lease.alone or FORWARDED in scope:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket" and not self._connects.take(client_of(scope)):
            return await send({"type": "websocket.close", "code": TOO_MANY})
        try:
            if scope["path"] == ANYWHERE and scope["method"] == "POST":
                process, receive = await _fullest_process(services, receive)
            else:
                process = await _process_for(services, scope)
            if process == services.lease.process:
                return await self.app(scope, receive, send)
            return await services.streams.forward(
                process, {**scope, MARKS: cookie_hashes(scope)}, receive, send
            )
        except ServerError as error:
            if scope["type"] == "http":
                return await refuse(scope, send, error)
            return await send({"type": "websocket.close", "code": 1013})


async def _process_for(services: Services, scope: Scope) -> str:
    asked = f"{scope.get('method', 'SOCKET')} {scope['path']}"
    for pattern, find in PROCESSES:
        match = pattern.fullmatch(asked)
        if match is not None:
            return await find(services, match)
    return services.lease.process


async def _fullest_process(services: Services, receive: Receive) -> tuple[str, Receive]:
    """Return the process with the fullest matching table, else the one with the fewest tables.

    The second value replays the request's body, which has been read.
    """
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    processes = await services.links.request_all("most_waiting", body.decode(errors="replace"))
    people, process = max(map(tuple, processes), default=(0, ""))
    return (process if people else services.lease.least_loaded()), again


CLOSED_SIGNED_OUT: Final = 4401
ASKED_MESSAGE: Final = dumps({"type": "asked"})


class SocketEvents:
    """Applies events about people, such as a sign-out, to their sockets at the tables of this process."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        links = lobby.services.links
        links.subscribe(SIGNED_IN, self._signed_in)
        links.subscribe(SIGNED_OUT, self._signed_out)
        links.subscribe(ROLE_CHANGED, self._new_role)
        links.subscribe(PROFILE_SHOWN, self._profile_shown)
        links.subscribe(BLOCKED, self._blocked)
        links.subscribe(ASKED, self._asked)

    def _all(self) -> Iterator[Connection]:
        return (connection for loop in self._lobby for connection in loop.table.audience)

    def _signed_in(self, session: str, person: str, following: str) -> None:
        """Move sockets to the session that replaced theirs; close them if it belongs to another person."""
        for connection in self._all():
            if session and connection.session == session:
                connection.session = following
                if person != connection.person.id:
                    connection.close(CLOSED_SIGNED_OUT)

    def _signed_out(self, payload: EndedSessions) -> None:
        """Close the sockets of ended sessions."""
        ended = EndedSessions(*payload)
        for connection in self._all():
            if ended.has(connection.person.id, connection.session):
                connection.close(CLOSED_SIGNED_OUT)

    def _new_role(self, person: str, role: str) -> None:
        for loop in self._lobby:
            new_role(loop.table, person, role)

    def _blocked(self, listener: str, person: str) -> None:
        """Mute a person who was blocked during a game."""
        for loop in self._lobby:
            if listener in loop.table.muted:
                loop.table.muted[listener].add(person)

    def _asked(self, person: str) -> None:
        """Notify a person's sockets of a new request from someone else."""
        for connection in self._all():
            if connection.person.id == person:
                connection.send(ASKED_MESSAGE)

    def _profile_shown(self, person: str, on: bool) -> None:
        for loop in self._lobby:
            own = [connection for connection in loop.table.audience if connection.person.id == person]
            for connection in own:
                connection.shows_profile = on
            if own:
                publish_table(loop.table, only_changes=True)
