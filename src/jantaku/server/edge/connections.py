"""Protection against silent and slow connections.

The head of a request has a time limit and a size limit. Idle connections are counted per address; if there
are too many, the longest idle one is closed.
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
    75  # longer than a proxy's keep-alive, because a request on a connection being closed would be lost
)
HEAD_BYTES: Final = 64 * 1024
RESERVED_FILES: Final = 256  # open files other than connections, such as the database
LOOPBACK: Final = ("127.0.0.1", "::", "::1")


def raise_file_limit() -> int:
    """Raise the limit of open files as far as possible; return the number of connections it allows."""
    if sys.platform == "win32":
        return 512
    import resource  # noqa: PLC0415  (not on Windows)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(64, min(hard, 65_536) - RESERVED_FILES) // 2


class IdleConnections:
    """Connections without a request, by address, longest idle first; ``room`` limits their total.

    Behind a proxy all connections come from one address, so only the total is limited there.
    """

    def __init__(self, settings: Settings, room: int) -> None:
        limits = settings.limits
        self.head_s = limits.head_s
        self.headers = headers_for(settings)
        self._limit, self._room = limits.silent_of_address, room
        self._proxied = bool(settings.public_url)
        self._idle: dict[str, OrderedDict[Any, None]] = {}
        self._count = 0

    def add(self, address: str, connection: asyncio.Protocol) -> None:
        """Add a connection that waits for a request, and close another one if there are too many."""
        connections = self._idle.setdefault(address, OrderedDict())
        if connection in connections:
            return
        connections[connection] = None
        self._count += 1
        if len(connections) > self._limit and not (self._proxied and address in LOOPBACK):
            self._drop(address)
        elif self._count > self._room:
            self._drop(max(self._idle, key=lambda key: len(self._idle[key])))

    def remove(self, address: str, connection: asyncio.Protocol) -> None:
        """Remove a connection that has a request or is closed."""
        connections = self._idle.get(address)
        if connections is None or connection not in connections:
            return
        del connections[connection]
        self._count -= 1
        if not connections:
            del self._idle[address]

    def _drop(self, address: str) -> None:
        oldest = next(iter(self._idle[address]))
        self.remove(address, oldest)
        oldest.transport.abort()


class Protocol(HttpToolsProtocol):
    """HTTP protocol with time and size limits for the head of a request."""

    idle: IdleConnections  # set by ``protocol_of``
    _address = ""
    _head_bytes = 0  # received bytes of an incomplete head
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._address = client_of({"client": self.client})
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of a closed connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data, and close the connection if the head becomes too large."""
        super().data_received(data)
        if self._timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._close_idle()

    def on_message_begin(self) -> None:
        """Start the timer for a further request on this connection."""
        if self._timer is None:
            self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop the timer when the head is complete."""
        self._stop_waiting()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Count the connection as idle until the next request."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.idle.add(self._address, self)

    def send_400_response(self, msg: str) -> None:
        """Respond to data that is not HTTP; the response also has the security headers."""
        lines = [f"{name}: {value}" for name, value in self.idle.headers.items()]
        text = msg.encode("ascii", "replace")
        head = ["HTTP/1.1 400 Bad Request", *lines, "content-type: text/plain; charset=utf-8"]
        head += ["cache-control: no-store", f"content-length: {len(text)}", "connection: close", "", ""]
        self.transport.write("\r\n".join(head).encode() + text)
        self.transport.close()

    def _wait(self) -> None:
        """Count the connection as idle and start the timer for the head of a request."""
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
    """WebSocket protocol that adds the security headers to handshakes rejected outside the application."""

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
    """Return the WebSocket protocol class for a server with these settings."""
    return type("SocketProtocol", (SocketProtocol,), {"refusal_headers": headers_for(settings)})


def protocol_of(idle: IdleConnections) -> type[Protocol]:
    """Return the HTTP protocol class for a server that counts its idle connections in ``idle``."""
    return type("Protocol", (Protocol,), {"idle": idle})
