"""Carries requests and sockets to the process where they belong, which answers as if they had come there.

The application sees ASGI messages in either case and does not know the difference.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku.bounded import Newest
from jantaku.server import tasks
from jantaku.server.edge.guard import CARRIED
from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Links, Packet
from jantaku.server.processes.wire import (
    ENDED,
    LOST,
    SLOW,
    Line,
    is_last,
    message_of,
    packed,
    packed_scope,
    packed_text,
    scope_of,
)

LOG = logging.getLogger("jantaku.server")
BEAT_S: Final = 1.0
OVER: Final = 10_000  # lines that have ended; what comes for them comes late or twice
AGAIN, LATER = 1012, 1013  # close codes: connect again at once, or after a while
BROKEN: Final = -1  # instead of the number of messages
TELL: Final = "jantaku.tell"  # in the scope of a carried socket: sends it a text at once, without waiting
ANSWER_S: Final = 20.0


class Carrying:
    """The lines of a process. ``app`` answers what others carry here."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self.app: ASGIApp | None = None
        # said to a socket before it is lost
        self.last_words: Callable[[Scope], Message | None] = lambda _: None
        self._lines: dict[str, Line] = {}
        self._over = Newest[str, None](OVER)
        self._told = "", b""  # the last text, which many who watch a table are told, and as it is sent
        self._serving: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        links.taking |= {"line": self._take, "end": self._ended, "beat": self._heard}
        links.messages.lost.append(self._lost)

    def __len__(self) -> int:
        return len(self._lines)

    def start(self) -> None:
        """Begin to compare with the other ends what has come."""
        self._task = asyncio.create_task(self._beat(), name="beat")

    async def stop(self) -> None:
        """End all lines."""
        if self._task is not None:
            await tasks.end(self._task)
        self._lost()
        await tasks.end(*self._serving)

    def keep(self, living: Collection[str]) -> None:
        """Only these processes live."""
        for line in list(self._lines.values()):
            if line.peer not in living:
                line.end(LOST)

    async def carry(self, process: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Let another process answer a request or serve a socket.

        Raises ``table_moved`` if it is lost before anything is answered; a socket is closed then.
        """
        if not self._links.working:
            return await self._excuse(scope, send, LOST, began=False)
        line = self._open(secrets.token_hex(8), process)
        line.send(packed_scope(scope))
        asking = asyncio.create_task(_pump(receive, line))
        began, patience = False, ANSWER_S if scope["type"] == "http" else None
        try:
            while (data := await _within(patience, line)) is not None:
                message = message_of(data)
                began, patience = True, None
                await send(message)
                if is_last(message):
                    return None
        except OSError:  # the client is gone
            return None
        finally:
            why = line.ended
            self._end(line)
            await tasks.end(asking)
        if why != ENDED:
            await self._excuse(scope, send, why, began=began)
        return None

    async def _excuse(self, scope: Scope, send: Send, why: str, *, began: bool) -> None:
        """Say that a line was lost."""
        if scope["type"] == "http":
            if not began:
                raise ServerError("table_moved" if self._links.working else "links_lost")
            return
        with suppress(OSError, RuntimeError):  # the client may be gone, too
            if not began:
                await send({"type": "websocket.accept", "headers": []})
            said = self.last_words(scope)
            if said is not None:
                await send(said)
            await send({"type": "websocket.close", "code": LATER if why == SLOW else AGAIN})

    def _open(self, name: str, peer: str) -> Line:
        def write(number: int, data: bytes) -> None:
            self._links.send(peer, "line", name, number, data)

        line = self._lines[name] = Line(name, peer, write)
        return line

    def _end(self, line: Line) -> None:
        """Forget a line, and tell the other end unless it has said so."""
        if self._lines.pop(line.name, None) is not None:
            self._over[line.name] = None
            if line.ended != ENDED:
                self._links.send(line.peer, "end", line.name, BROKEN if line.ended else line.sent, b"")
        line.end(ENDED)

    def _take(self, packet: Packet) -> None:
        line = self._lines.get(packet.about)
        if line is None:
            if packet.about in self._over:
                return
            if packet.number != 0 or self.app is None:  # its beginning was lost
                self._links.send(packet.sender, "end", packet.about, BROKEN, b"")
                return
            line = self._open(packet.about, packet.sender)
            line.take(0, b"")
            task = asyncio.create_task(self._serve(line, scope_of(packet.body)), name="carried")
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            return
        line.take(packet.number, packet.body)

    def _ended(self, packet: Packet) -> None:
        """The other end has ended a line after so many messages, or it is ``BROKEN``."""
        line = self._lines.get(packet.about)
        if line is not None:
            line.end(ENDED if packet.number == line.taken else LOST)

    async def _serve(self, line: Line, scope: Scope) -> None:
        """Answer a request, or serve a socket, of another process."""
        assert self.app is not None
        await line.next()  # its opening
        gone: Message = {"type": "http.disconnect"}
        if scope["type"] == "websocket":
            gone = {"type": "websocket.disconnect", "code": 1006}

        async def receive() -> Message:
            data = await line.next()
            return gone if data is None else message_of(data)

        async def send(message: Message) -> None:
            if line.ended:
                raise OSError("the line has ended")
            for data in packed(message):
                line.send(data)

        def tell(text: str) -> None:
            if text is not self._told[0]:
                self._told = text, packed_text(text)
            line.send(self._told[1])

        try:
            await self.app({**scope, CARRIED: line.peer, TELL: tell}, receive, send)
        except Exception:
            if not line.ended:  # or the client is gone, which the application may not expect yet
                LOG.exception(
                    "%s %s failed for another process", scope.get("method", "socket"), scope["path"]
                )
        finally:
            self._end(line)

    def _lost(self) -> None:
        """Messages may have been lost: nobody knows of which line."""
        for line in list(self._lines.values()):
            line.end(LOST)

    async def _beat(self) -> None:
        """Tell the other ends how much was sent, so that the loss of a last message is noticed, too."""
        while True:
            await asyncio.sleep(BEAT_S)
            sent: dict[str, dict[str, int]] = {}
            for line in self._lines.values():
                sent.setdefault(line.peer, {})[line.name] = line.sent
            for peer, known in sent.items():
                self._links.send(peer, "beat", "all", 0, json.dumps(known).encode())

    def _heard(self, packet: Packet) -> None:
        """How much another process has sent in each of its lines to here."""
        sent: dict[str, Any] = json.loads(packet.body)
        for name, number in sent.items():
            line = self._lines.get(name)
            if line is None:
                self._links.send(packet.sender, "end", name, BROKEN, b"")
            elif number > line.taken:
                line.end(LOST)


async def _within(seconds: float | None, line: Line) -> bytes | None:
    """The next message; a line on which nothing comes for so long is lost."""
    if seconds is None:
        return await line.next()
    try:
        async with asyncio.timeout(seconds):
            return await line.next()
    except TimeoutError:
        line.end(LOST)
        return None


async def _pump(receive: Receive, line: Line) -> None:
    """Send what comes from the client until it is gone."""
    try:
        while not line.ended:
            message = await receive()
            for data in packed(message):
                line.send(data)
            if message["type"].endswith("disconnect"):
                return
    except Exception:
        line.end(LOST)
        raise
