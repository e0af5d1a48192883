"""Connections that say nothing, or only a little at a time, keep no visitor out.

Each may take so long for the head of a request and may hold so many bytes of one. Those that are not in a
request count by address; where there are too many, the one that has been silent for longest gives way.
"""

import asyncio
import sys
from collections import OrderedDict
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jantaku.server.security import client_of
from jantaku.server.settings import Settings

HEAD_BYTES: Final = 64 * 1024
KEPT: Final = 256  # files that are not connections: the database, the program, what tables need
LOOPBACK: Final = ("127.0.0.1", "::", "::1")


def more_files() -> int:
    """Raise the limit of open files as far as it goes; how many connections there is room for."""
    if sys.platform == "win32":
        return 512
    import resource  # noqa: PLC0415  (not on Windows)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(64, min(hard, 65_536) - KEPT) // 2


class IdleConnections:
    """The connections that are in no request, those silent for longest first, for each address.

    Behind a proxy all come from one address, so only the total is bounded there.
    """

    def __init__(self, settings: Settings, room: int) -> None:
        limits = settings.limits
        self.head_s = limits.head_s
        self._most, self._room = limits.silent_of_address, room
        self._proxied = bool(settings.public_url)
        self._silent: dict[str, OrderedDict[Any, None]] = {}
        self._number = 0

    def add(self, address: str, connection: asyncio.Protocol) -> None:
        """A connection waits for a request."""
        here = self._silent.setdefault(address, OrderedDict())
        if connection in here:
            return
        here[connection] = None
        self._number += 1
        if len(here) > self._most and not (self._proxied and address in LOOPBACK):
            self._drop(address)
        elif self._number > self._room:
            self._drop(max(self._silent, key=lambda one: len(self._silent[one])))

    def remove(self, address: str, connection: asyncio.Protocol) -> None:
        """A connection is in a request, or gone."""
        here = self._silent.get(address)
        if here is None or connection not in here:
            return
        del here[connection]
        self._number -= 1
        if not here:
            del self._silent[address]

    def _drop(self, address: str) -> None:
        oldest = next(iter(self._silent[address]))
        self.remove(address, oldest)
        oldest.transport.abort()


class Protocol(HttpToolsProtocol):
    """HTTP whose requests begin and are read in time."""

    idle: IdleConnections  # set by ``protocol_of``
    _address = ""
    _so_far = 0  # bytes of a head that is not complete
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._address = client_of({"client": self.client})
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._go_on()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Part of a request."""
        super().data_received(data)
        if self._timer is not None:
            self._so_far += len(data)
            if self._so_far > HEAD_BYTES:
                self._give_up()

    def on_message_begin(self) -> None:
        """A request begins, perhaps not the first of this connection."""
        if self._timer is None:
            self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._go_on()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """A request is answered; the connection is silent until the next."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.idle.add(self._address, self)

    def _wait(self) -> None:
        """Wait for the head of a request, so long."""
        self.idle.add(self._address, self)
        self._so_far = 0
        self._timer = self.loop.call_later(self.idle.head_s, self._give_up)

    def _go_on(self) -> None:
        self.idle.remove(self._address, self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._go_on()
        self.transport.abort()


def protocol_of(idle: IdleConnections) -> type[Protocol]:
    """The HTTP protocol of a server whose silent connections ``idle`` counts."""
    return type("Protocol", (Protocol,), {"idle": idle})
