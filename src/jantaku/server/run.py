"""Run the server: load compiled code, then serve with uvicorn."""

import asyncio
import errno
import gc
import json
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import UTC, datetime
from multiprocessing.synchronize import Event
from types import FrameType
from typing import Any, Final

import uvicorn

from jantaku.bots import bot
from jantaku.bots.search import Settings as SearchSettings
from jantaku.bots.search import position_to_act, search
from jantaku.errors import JantakuError, RequestError, cause
from jantaku.game import Game
from jantaku.kernels._jit import use_compiled
from jantaku.server.app import create_app, opened
from jantaku.server.edge.connections import (
    KEEP_ALIVE_S,
    IdleConnections,
    protocol_of,
    raise_file_limit,
    socket_protocol_of,
)
from jantaku.server.edge.work import limit_arenas
from jantaku.server.people.accounts import AccountService
from jantaku.server.settings import Settings
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import Redactor, address_of

GRACE_S = 5
COLLECTING = (20_000, 20, 100)  # a full garbage collection delays all tables, so it must be rare
SWITCH_S = 0.0005  # short, because every commit switches to the database thread several times
BACKLOG = 2048  # connections waiting to be accepted, as in uvicorn
MESSAGE_MARGIN = 2  # the library closes sockets with messages longer than this multiple of ``message_bytes``


LINE: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class JsonFormatter(logging.Formatter):
    """Formats each log record, with its traceback, as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON."""
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def configure_logging(settings: Settings, *, as_json: bool) -> None:
    """Set up logging of warnings and errors, with the database's passwords redacted."""
    handler = logging.StreamHandler()
    lines = JsonFormatter() if as_json else logging.Formatter(LINE)
    handler.setFormatter(_RedactingFormatter(lines, Redactor(address_of(settings))))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


class _RedactingFormatter(logging.Formatter):
    """Redacts passwords in log lines and tracebacks."""

    def __init__(self, lines: logging.Formatter, hide: Redactor) -> None:
        super().__init__()
        self._lines, self._hide = lines, hide

    def format(self, record: logging.LogRecord) -> str:
        return self._hide(self._lines.format(record))


class Server(uvicorn.Server):
    """A uvicorn server on a listening socket; it calls ``ready`` once it accepts connections."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app: Any = config.app
        self._listening = listening
        self._ready = ready

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal or ``should_exit``; raises ``RequestError`` if the database cannot be used."""
        services = AsyncExitStack()
        await services.enter_async_context(opened(self._app))
        with super().capture_signals():  # until the services have handed over tables and lease
            async with services:
                await super().serve(sockets or [self._listening])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing; ``serve`` captures signals for longer, until the services have stopped."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen(host: str, port: int, *, later: bool = False) -> socket.socket:
    """Open a listening socket (``port`` 0: any free one); raises ``RequestError`` on failure.

    ``later``: bind without listening, so that a standby server refuses connections until it takes over.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if not later:
            return socket.create_server((host, port), family=family, backlog=BACKLOG)
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        return listening
    except OSError as error:
        code = "port_in_use" if error.errno == errno.EADDRINUSE else "cannot_listen"
        raise RequestError(code, field="--port", port=port, host=host, reason=cause(error)) from error


def local_address() -> str | None:
    """Return this machine's address on its local network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation (RFC 5737)
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


def load_compiled() -> None:
    """Load compiled code and tune the interpreter before players arrive."""
    use_compiled()
    game, player = Game("standard", seed=1), bot("standard", 1)
    for _ in range(100):
        seat = game.to_act[0]
        game.view(seat)
        game.play(seat, player.choose(game, seat))
    search(position_to_act(game, game.to_act[0]), SearchSettings(deals=1))
    limit_arenas()
    gc.collect()
    gc.freeze()  # permanent objects need no further garbage collection
    gc.set_threshold(*COLLECTING)
    sys.setswitchinterval(SWITCH_S)


def server(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> Server:
    """Create this process's server, which runs alone or as part of a site (``Settings.nats``)."""
    config = uvicorn.Config(
        create_app(settings),
        http=protocol_of(IdleConnections(settings, raise_file_limit())),
        lifespan="off",  # ``serve`` starts the services itself, so that a failure is reported in one line
        ws=socket_protocol_of(settings),
        ws_max_size=MESSAGE_MARGIN * settings.limits.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.public_url),
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    return Server(config, listening, ready)


async def admin_token(settings: Settings, *, always: bool) -> str | None:
    """Create a one-time token for the admin; without ``always``, only while there are no accounts."""
    services = Services(settings)
    try:
        await services.lease.open_store()
        return await AccountService(services).admin_token(always=always)
    finally:
        await services.store.close()


def prepare(settings: Settings, *, admin: bool) -> str | None:
    """Create the data folder and database; return the admin's token if there is one to print.

    Raises ``RequestError`` if the database cannot be used or another server is using it.
    """
    return asyncio.run(admin_token(settings, always=admin))


UNCOMPILED_FACTOR: Final = "NUMBA_DISABLE_JIT"


@contextmanager
def serve_uncompiled(
    settings: Settings, listening: socket.socket, ready: Callable[[], None]
) -> Iterator[None]:
    """Serve without compiled code in another process during the context; call ``ready`` once it listens."""
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    process = context.Process(target=_serve, args=(settings, listening, begun), daemon=True)
    before, os.environ[UNCOMPILED_FACTOR] = os.environ.get(UNCOMPILED_FACTOR), "1"
    try:
        process.start()
    finally:
        _restore(before)
    earlier = signal.signal(signal.SIGTERM, _interrupt)  # otherwise the other process would keep running
    try:
        while process.is_alive() and not begun.wait(0.1):
            pass
        if begun.is_set():
            ready()
        yield
    finally:
        process.terminate()
        process.join(2 * GRACE_S)
        if process.is_alive():  # it would block the database for the next server
            process.kill()
            process.join()
        signal.signal(signal.SIGTERM, earlier)


def _restore(before: str | None) -> None:
    if before is None:
        del os.environ[UNCOMPILED_FACTOR]
    else:
        os.environ[UNCOMPILED_FACTOR] = before


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _serve(settings: Settings, listening: socket.socket, begun: Event) -> None:
    """Run the other process; it exits with its parent."""
    site = server(settings, listening, begun.set)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        site.should_exit = True

    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt, JantakuError):  # the next server reports the error
        site.run()
