"""Silent or slow connections keep no visitor out.

The head of a request has a time limit and a size limit. Connections outside a request count by address; if
there are too many, the one that has been silent longest is closed.
"""

import asyncio
import sys
from collections import OrderedDict
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response

from jantaku.server.edge.guard import headers_for
from jantaku.server.edge.limits import client_of
from jantaku.server.settings import Settings

KEEP_ALIVE_S: Final = (
    75  # longer than a proxy keeps its connections: a request on one that just closed is lost
)
HEAD_BYTES: Final = 64 * 1024
KEPT: Final = 256  # files other than connections: the database, the program, what tables need
LOOPBACK: Final = ("127.0.0.1", "::", "::1")


def more_files() -> int:
    """Raise the limit of open files as far as possible; return how many connections fit."""
    if sys.platform == "win32":
        return 512
    import resource  # noqa: PLC0415  (not on Windows)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(64, min(hard, 65_536) - KEPT) // 2


class IdleConnections:
    """The connections outside a request, silent longest first, for each address.

    Behind a proxy all connections come from one address, so only the total is bounded there.
    """

    def __init__(self, settings: Settings, room: int) -> None:
        limits = settings.limits
        self.head_s = limits.head_s
        self.headers = headers_for(settings)
        self._most, self._room = limits.silent_of_address, room
        self._proxied = bool(settings.public_url)
        self._silent: dict[str, OrderedDict[Any, None]] = {}
        self._number = 0

    def add(self, address: str, connection: asyncio.Protocol) -> None:
        """Add a connection that waits for a request."""
        here = self._silent.setdefault(address, OrderedDict())
        if connection in here:
            return
        here[connection] = None
        self._number += 1
        if len(here) > self._most and not (self._proxied and address in LOOPBACK):
            self._drop(address)
        elif self._number > self._room:
            self._drop(max(self._silent, key=lambda key: len(self._silent[key])))

    def remove(self, address: str, connection: asyncio.Protocol) -> None:
        """Remove a connection that is in a request or gone."""
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
    """HTTP protocol with time limits for the head of a request."""

    idle: IdleConnections  # set by ``protocol_of``
    _address = ""
    _head_bytes = 0  # bytes of an incomplete head
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        super().connection_made(transport)
        self._address = client_of({"client": self.client})
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a lost connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count part of a request."""
        super().data_received(data)
        if self._timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._close_idle()

    def on_message_begin(self) -> None:
        """A request begins, perhaps not the first of this connection."""
        if self._timer is None:
            self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is complete."""
        self._stop_waiting()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """A request is answered; the connection is silent until the next."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.idle.add(self._address, self)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, with the security headers too."""
        lines = [f"{name}: {value}" for name, value in self.idle.headers.items()]
        text = msg.encode("ascii", "replace")
        head = ["HTTP/1.1 400 Bad Request", *lines, "content-type: text/plain; charset=utf-8"]
        head += ["cache-control: no-store", f"content-length: {len(text)}", "connection: close", "", ""]
        self.transport.write("\r\n".join(head).encode() + text)
        self.transport.close()

    def _wait(self) -> None:
        """Wait for the head of a request for a limited time."""
        self.idle.add(self._address, self)
        self._head_bytes = 0
        self._timer = self.loop.call_later(self.idle.head_s, self._close_idle)

    def _stop_waiting(self) -> None:
        self.idle.remove(self._address, self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_idle(self) -> None:
        self._stop_waiting()
        self.transport.abort()


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets whose refusals before the application sees them have the security headers."""

    refusal_headers: dict[str, str]  # set by ``socket_protocol_of``

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        reject = self.conn.reject

        def rejected(status: int, text: str) -> Response:
            response = reject(status, text)
            for name, value in self.refusal_headers.items():
                response.headers.setdefault(name, value)
            return response

        self.conn.reject = rejected  # type: ignore[method-assign]


def socket_protocol_of(settings: Settings) -> type[SocketProtocol]:
    """The WebSocket protocol class of a server."""
    return type("SocketProtocol", (SocketProtocol,), {"refusal_headers": headers_for(settings)})


def protocol_of(idle: IdleConnections) -> type[Protocol]:
    """The HTTP protocol class of a server that counts its silent connections in ``idle``."""
    return type("Protocol", (Protocol,), {"idle": idle})
