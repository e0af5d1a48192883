"""A real server on a real port, and the people who use it."""

import asyncio
import dataclasses
import itertools
import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import httpx
import uvicorn.server
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import jantaku
from jantaku.server.edge.protocol import FROM_SERVER
from jantaku.server.errors import ServerError
from jantaku.server.people import accounts
from jantaku.server.run import Server, listen, server
from jantaku.server.settings import NO_PAUSES, RATES, LabLimits, Limits, Settings, without
from server.databases import SITES, with_tables

Message = dict[str, Any]
PASSWORD = "correct horse"
STATUS: Final = ServerError.STATUS
SHORT = """extends = "tenhou"
[match]
length = "east"
start_points = 3000
sticks = { 1000 = 3 }
[end]
tobi = "zero_or_below"
"""
NO_LIMITS = without(Limits(), *RATES, "_of_address", "seats_of_one")
WAIT_S = 60.0
SITE = "JANTAKU_TEST_SITE"  # if set, every test server is a site of several processes
IMPORTS = os.pathsep.join(map(str, (Path(__file__).parents[1], Path(jantaku.__file__).parents[1])))

# Most test events have seven accounts, and the real password hash takes 30 ms
vars(accounts)["HASHER"] = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

# Uvicorn checks only ten times a second whether to stop, which would take up most of a short test
vars(uvicorn.server)["asyncio"] = SimpleNamespace(
    **vars(asyncio) | {"sleep": lambda seconds: asyncio.sleep(seconds / 10)}
)

T = TypeVar("T")
_OPENED: list[httpx.Client | ClientConnection] = []


def opened() -> int:
    """Return the number of open connections."""
    return len(_OPENED)


def close_after(count: int) -> None:
    """Close all connections except the first ``count``, so that a failed test leaves none open."""
    while len(_OPENED) > count:
        _OPENED.pop().close()


def only_limits(**limits: Any) -> Limits:
    """Return limits of which only the given ones are in effect."""
    return dataclasses.replace(NO_LIMITS, **limits)


def until(holds: Callable[[], Any]) -> Any:
    """Wait until ``holds`` returns a true value; return that value."""
    ends = time.monotonic() + WAIT_S
    while not (value := holds()):
        assert time.monotonic() < ends
        time.sleep(0.02)
    return value


def code_of(answer: httpx.Response) -> str:
    """Return the error code of a response, or an empty string if it succeeded."""
    return "" if answer.is_success else str(answer.json()["error"]["code"])


def fast_settings(data: Path, **changes: Any) -> Settings:
    """Return settings with weak bots and without pauses or limits."""
    lab = LabLimits(of_one=100, waiting=1000)
    settings = Settings(
        data_dir=with_tables(data), pauses=NO_PAUSES, limits=NO_LIMITS, lab=lab, bot="random", grace_s=1e6
    )
    if SITE in os.environ:
        from server.sites import database_of

        settings = dataclasses.replace(settings, database_url=database_of(data))
    settings = dataclasses.replace(settings, same_names=True)
    return dataclasses.replace(settings, **changes)


@contextmanager
def open_server(
    settings: Settings, in_loop: Callable[[], None] = lambda: None, port: int = 0
) -> Iterator[str]:
    """Run a server in a thread; yield its address.

    ``in_loop`` is called in the server's event loop once it is ready. If ``SITE`` is set, two gateways and a
    table process run instead.
    """
    if settings.database_url in SITES.values():
        from server.sites import site_in_threads

        with site_in_threads(settings, in_loop, port) as url:
            yield url
    else:
        with in_a_thread(settings, in_loop, port) as url:
            yield url


@contextmanager
def in_a_thread(
    settings: Settings, in_loop: Callable[[], None] = lambda: None, port: int = 0, *, shared: bool = False
) -> Iterator[str]:
    """Run one server process in a thread; yield its address.

    On a ``shared`` port, several servers may listen at once.
    """
    ready = threading.Event()

    def begin() -> None:
        in_loop()
        ready.set()

    listening = socket.create_server(("127.0.0.1", port), reuse_port=True) if shared else None
    running = server(settings, listening or listen("127.0.0.1", port), begin)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    try:
        assert ready.wait(WAIT_S)
        yield f"http://127.0.0.1:{port_of(running)}"
    finally:
        running.should_exit = True
        thread.join(WAIT_S)
        assert not thread.is_alive()


class Serve:
    """Run a server for one test; a second call restarts it at the same address with the same data."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, 0
        self.stack = ExitStack()

    def __call__(self, **changes: Any) -> str:
        self.stack.close()
        opened = open_server(fast_settings(self.data, **changes), port=self.port)
        self.url = self.stack.enter_context(opened)
        self.port = int(self.url.rpartition(":")[2])
        return self.url


def port_in_use(port: int) -> bool:
    """Return whether a port is bound; a standby server binds its port before it accepts connections."""
    with socket.socket() as other:
        try:
            other.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def listens(port: int) -> bool:
    """Return whether a server accepts connections on a port; the check does not bind the port."""
    with socket.socket() as other:
        return other.connect_ex(("127.0.0.1", port)) == 0


def port_of(running: Server) -> int:
    return int(running.servers[0].sockets[0].getsockname()[1])


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Person:
    """A person using a browser, with cookies for requests and sockets."""

    _numbers = itertools.count()

    def __init__(self, url: str, name: str | None = None, password: str | None = None) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=WAIT_S, verify=False)
        _OPENED.append(self.http)
        if password is not None:
            self.id = self.post("/api/register", name=name, password=password, language="en")["id"]
        elif name is not None:
            self.id = self.post("/api/guest", name=name, language="en")["id"]

    def send(self, method: str, path: str, /, **body: Any) -> httpx.Response:
        """Send a request; return the response, whatever its status."""
        if method == "GET":
            return self.http.get(path, params=body or None)
        return self.http.request(method, path, json=None if method == "DELETE" else body)

    def ask(self, method: str, path: str, /, **body: Any) -> Any:
        """Send a request that must succeed; return the content of the response."""
        answer = self.send(method, path, **body)
        assert answer.status_code == 200, (path, answer.text[:500])
        return answer.json()

    def get(self, path: str = "", /, **query: Any) -> Any:
        return self.ask("GET", path, **query)

    def post(self, path: str, /, **body: Any) -> Any:
        return self.ask("POST", path, **body)

    def put(self, path: str, /, **body: Any) -> Any:
        return self.ask("PUT", path, **body)

    def patch(self, path: str = "", /, **body: Any) -> Any:
        return self.ask("PATCH", path, **body)

    def delete(self, path: str, /) -> Any:
        return self.ask("DELETE", path)

    def refused(self, code: str, request: str, /, **body: Any) -> Message:
        """Send a request that must be refused with this code; return the error.

        ``request`` is a method and a path, or only a path for ``POST``.
        """
        method, _, path = request.rpartition(" ")
        answer = self.send(method or "POST", path, **body)
        assert answer.status_code >= 400, (path, answer.text[:500])
        error: Message = answer.json()["error"]
        statuses = (400, 422) if code == "bad_request" else (STATUS.get(code, 400),)
        assert (error["code"], answer.status_code in statuses) == (code, True), (path, answer.text)
        return error

    def table(self, **body: Any) -> Message:
        """Create a table that has no clock and whose seats are not drawn."""
        options = {"clock": False, "draw_seats": False, "spectator_delay_s": 0} | body.pop("options", {})
        table: Message = self.post("/api/tables", options=options, **body)
        return table

    def start(self, **table: Any) -> tuple[str, "Line"]:
        """Start a game with three bots; return the table and a socket on which the person has to act."""
        opened = self.table(**({"bots": 3} | table))["id"]
        self.post(f"/api/tables/{opened}/start")
        line = self.socket(opened)
        line.wait_to_act()
        return opened, line

    def socket(self, table: str, **hello: Any) -> "Line":
        """Open a socket at a table and send ``hello``."""
        return Line(self.raw(table), **hello)

    def raw(self, table: str, **headers: str) -> ClientConnection:
        """Open a socket at a table without sending anything."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        sent = {"Cookie": cookies, **headers} if cookies else headers
        url = self.url.replace("http://", "ws://")
        address = f"{url}/ws/tables/{table}"
        line = connect(address, additional_headers=sent, max_size=None, compression=None).__enter__()
        _OPENED.append(line)
        return line

    def close(self) -> None:
        """Close the HTTP client."""
        self.http.close()


class Line:
    """A socket at a table that sends ``hello``, records messages and checks each against the protocol."""

    _ids = itertools.count()

    def __init__(self, raw: ClientConnection, **hello: Any) -> None:
        self.raw = raw
        self.seen: list[Message] = []
        self.own: Message | None = None
        self.game = 0
        self.seq = 0
        self.send(type="hello", version=1, **hello)
        self.welcome = self.until("welcome")

    def send(self, **message: Any) -> None:
        """Send a message as JSON."""
        self.raw.send(json.dumps(message))

    def next(self, timeout: float = WAIT_S) -> Message:
        """Receive the next message."""
        text = self.raw.recv(timeout)
        message: Message = json.loads(text)
        FROM_SERVER.validate_json(text)
        self.seen.append(message)
        if message["type"] in ("sync", "update"):
            self.own, self.game, self.seq = message["own"], message["game"], message["seq"]
        return message

    def until(self, wanted: str, also: Callable[[Message], Any] = lambda _: True) -> Message:
        """Receive messages until one has this type and satisfies ``also``."""
        while True:
            message = self.next()
            if message["type"] == wanted and also(message):
                return message

    def ask(self, **message: Any) -> Message:
        """Send a message with an id; return the answer to it."""
        message.setdefault("id", f"m{next(self._ids)}")
        self.send(**message)
        while True:
            message_ = self.next()
            if message_.get("id") == message["id"]:
                return message_

    def act(self, action: Message, **more: Any) -> Message:
        """Answer the last request for an action."""
        assert self.own is not None
        return self.ask(**{"type": "act", "game": self.game, "ask": self.own["ask"], "action": action} | more)

    def wait_to_act(self) -> Message | None:
        """Wait until the seat has to act or the game ends; return the seat's private data, or ``None``."""
        while self.own is None or self.own["ask"] is None:
            message = self.next()
            if message["type"] == "pause":
                self.send(type="ready", id=f"m{next(self._ids)}")
            if message["type"] == "table" and message["table"]["status"] not in ("waiting", "playing"):
                return None
        return self.own

    def move(self) -> Message:
        """Wait until the seat has to act and play the simplest action; return the answer."""
        own = self.wait_to_act()
        assert own is not None
        return self.act(simplest_action(own))

    def finish(self) -> None:
        """Play to the end of the game."""
        while (own := self.wait_to_act()) is not None:
            answer = self.act(simplest_action(own))
            # the table was faster and acted for the seat
            assert answer["type"] == "ack" or answer["code"] == "late", answer
        self.close()

    def types(self) -> list[str]:
        """Return the types of the messages that are waiting to be read."""
        before = len(self.seen)
        self.ask(type="ping")
        return [message["type"] for message in self.seen[before:-1]]

    def events(self) -> list[Message]:
        """Return all events received so far."""
        return [event for message in self.seen for event in message.get("events", ())]

    def close(self) -> None:
        """Close the socket."""
        self.raw.close()


def run_concurrently(calls: Iterable[Callable[[], T]]) -> list[T]:
    """Run calls concurrently; return their results."""
    todo = list(calls)
    with ThreadPoolExecutor(len(todo)) as pool:
        return [done.result() for done in [pool.submit(call) for call in todo]]


def run_threads(threads: Iterable[threading.Thread]) -> None:
    """Start threads and wait for all of them to end."""
    started = list(threads)
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def simplest_action(own: Message) -> Message:
    """Choose a pass or the discard of the drawn tile, and never a win, so that hands are long."""
    legal: list[Message] = own["legal"]
    passes = [action for action in legal if action["type"] == "pass"]
    drawn = [action for action in legal if action["type"] == "discard" and not action.get("riichi")]
    return (passes or drawn[::-1] or legal)[0]


def discards(message: Message, seat: int) -> bool:
    """Return whether a message contains a discard by this seat."""
    return any(event["type"] == "discarded" and event["seat"] == seat for event in message["events"])


def seated(four: list[Person], **table: Any) -> tuple[Message, list[Line]]:
    """Seat four people in seats 0 to 3 and start the game."""
    opened = four[0].table(**table)
    for person in four[1:]:
        person.post(f"/api/tables/{opened['id']}/join")
    lines = [person.socket(opened["id"]) for person in four]
    four[0].post(f"/api/tables/{opened['id']}/start")
    for line in lines:
        line.until("sync")
    return opened, lines


def hang_up(lines: list[Line]) -> None:
    for line in lines:
        line.close()


def close_code(raw: ClientConnection) -> int:
    """Wait until a socket closes; return its close code."""
    try:
        while True:
            raw.recv(WAIT_S)
    except ConnectionClosed:
        assert raw.close_code is not None
        return raw.close_code


class Process:
    """A ``jantaku serve`` process that can be killed; ``options`` are settings of the form ``name=value``."""

    def __init__(self, data: Path, port: int, *options: str, **environment: str) -> None:
        import sys

        code = (
            "import sys;from pathlib import Path;from server.parlour import fast_settings;"
            "from jantaku.server.run import listen, load_compiled, server;"
            "more = dict(one.split('=', 1) for one in sys.argv[3:]);"
            "more |= {name: float(more[name]) for name in more.keys() & {'grace_s'}};"
            "settings = fast_settings(Path(sys.argv[1]), **more);"
            "settings.standby and load_compiled();"
            "here = listen('127.0.0.1', int(sys.argv[2]), later=bool(settings.standby));"
            "server(settings, here, lambda: None).run()"
        )
        variables = os.environ | {"PYTHONPATH": IMPORTS} | environment
        variables.pop(SITE, None)
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(data), str(port), *options],
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait(self) -> None:
        """Wait until the server answers."""
        ends = time.monotonic() + WAIT_S
        while time.monotonic() < ends:
            try:
                if httpx.get(f"{self.url}/api/health").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            assert self.process.poll() is None
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()
