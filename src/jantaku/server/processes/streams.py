"""Streams over NATS: requests and sockets go to the process where they belong, as ASGI messages.

The application answers them as if they had come there.
"""

import asyncio
import json
import logging
import secrets
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from cachetools import LRUCache
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku.server import tasks
from jantaku.server.edge.guard import FORWARDED, MARKS
from jantaku.server.errors import ServerError
from jantaku.server.processes.links import MOST_PAYLOAD, Links, Packet

MOST_WAITING: Final = 256  # messages that the other end has sent and nobody takes
LOST, SLOW, ENDED = "lost", "slow", "ended"  # why a stream has ended


class Stream:
    """An end of a stream. ``ended`` says why, once it has."""

    def __init__(self, name: str, peer: str, write: Callable[[int, bytes], None]) -> None:
        self.name, self.peer = name, peer
        self.sent = 0
        self.taken = 0
        self.ended = ""
        self._write = write
        self._waiting: deque[bytes] = deque()
        self._come_in = asyncio.Event()

    def send(self, data: bytes) -> None:
        """Send the next message."""
        if not self.ended:
            self._write(self.sent, data)
            self.sent += 1

    def take(self, number: int, data: bytes) -> None:
        """A message has come: the next, one that came before, or one after a gap, which ends the stream."""
        if self.ended or number < self.taken:
            return
        if number > self.taken:
            self.end(LOST)
        elif len(self._waiting) >= MOST_WAITING:
            self.end(SLOW)
        else:
            self.taken += 1
            self._waiting.append(data)
            self._come_in.set()

    def end(self, why: str) -> None:
        """Nothing more comes; what has come is still there unless something is missing."""
        if not self.ended:
            self.ended = why
            if why != ENDED:
                self._waiting.clear()
            self._come_in.set()

    async def next(self) -> bytes | None:
        """The next message; ``None`` after the end."""
        while not self._waiting:
            if self.ended:
                return None
            self._come_in.clear()
            await self._come_in.wait()
        return self._waiting.popleft()


SCOPE: Final = (
    *("type", "http_version", "scheme", "method", "path", "root_path", "client", "server", "subprotocols"),
    *("raw_path", "query_string", "headers", MARKS),
)
SECRET: Final = (b"cookie", b"authorization")  # headers that stay in the process that a browser reaches
IN_BYTES: Final = ("raw_path", "query_string")
RAW: Final = ("text", "bytes", "body")  # what a message carries; all else is its head


def _plain(kind: str) -> bytes:
    """The head of a text of a socket, the same for each."""
    return f'["text",{{"type":"{kind}"}}]\n'.encode()


TEXT_HEAD: Final = _plain("websocket.send")
TEXTS: Final = {_plain(kind): kind for kind in ("websocket.send", "websocket.receive")}


def packed_scope(scope: Scope) -> bytes:
    """Who asks for what, in a request or at the opening of a socket."""
    headers = [pair for pair in scope["headers"] if pair[0].lower() not in SECRET]
    said = {**scope, "headers": headers}
    return _packed({name: said[name] for name in SCOPE if said.get(name) is not None})


def scope_of(data: bytes) -> Scope:
    """The opposite of ``packed_scope``."""
    return {"asgi": {"version": "3.0"}, "state": {}, "root_path": "", MARKS: {}} | _unpacked(data)


def packed(message: Message) -> Iterator[bytes]:
    """A message, in several if its body is large."""
    body = message.get("body", b"")
    while len(body) > MOST_PAYLOAD:
        yield _packed({**message, "body": body[:MOST_PAYLOAD], "more_body": True})
        body = body[MOST_PAYLOAD:]
    yield _packed({**message, "body": body} if body else message)


def packed_text(text: str) -> bytes:
    """A text that a socket is told, as ``packed``."""
    return TEXT_HEAD + text.encode()


def message_of(data: bytes) -> Message:
    """The opposite of ``packed``, of one part."""
    for head, kind in TEXTS.items():
        if data.startswith(head):
            return {"type": kind, "text": data[len(head) :].decode()}
    return _unpacked(data)


def is_last(message: Message) -> bool:
    """Whether the application has nothing more to say after this."""
    if message["type"] == "http.response.body":
        return not message.get("more_body", False)
    return bool(message["type"] == "websocket.close")


def _packed(values: Mapping[str, Any]) -> bytes:
    raw = next((name for name in RAW if values.get(name) is not None), "")
    head = {name: value for name, value in values.items() if name not in RAW}
    for name in IN_BYTES:
        if name in head:
            head[name] = head[name].decode("latin-1")
    if "headers" in head:
        head["headers"] = [[part.decode("latin-1") for part in pair] for pair in head["headers"]]
    tail = values[raw] if raw else b""
    said = json.dumps([raw, head], separators=(",", ":")).encode()
    return said + b"\n" + (tail.encode() if isinstance(tail, str) else bytes(tail))


def _unpacked(data: bytes) -> dict[str, Any]:
    said, _, tail = data.partition(b"\n")
    raw, fields = json.loads(said)
    for name in IN_BYTES:
        if name in fields:
            fields[name] = fields[name].encode("latin-1")
    if "headers" in fields:
        fields["headers"] = [
            (key.encode("latin-1"), value.encode("latin-1")) for key, value in fields["headers"]
        ]
    if raw:
        fields[raw] = tail.decode() if raw == "text" else tail
    return dict(fields)


LOG = logging.getLogger("jantaku.server")
BEAT_S: Final = 1.0
OVER: Final = 10_000  # streams that have ended; what comes for them comes late or twice
AGAIN, LATER = 1012, 1013  # close codes: connect again at once, or after a while
BROKEN: Final = -1  # instead of the number of messages
TELL: Final = "jantaku.tell"  # in the scope of a forwarded socket: sends it a text at once, without waiting
ANSWER_S: Final = 20.0


class Streams:
    """The streams of a process. ``app`` answers what others forward here."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self.app: ASGIApp | None = None
        # said to a socket before it is lost
        self.last_words: Callable[[Scope], Message | None] = lambda _: None
        self._streams: dict[str, Stream] = {}
        self._over = LRUCache[str, None](OVER)
        self._last_text = "", b""  # the last text, which many who watch a table are told, and as it is sent
        self._serving: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        links.taking |= {"stream": self._take, "end": self._ended, "beat": self._heard}
        links.messages.lost.append(self._lost)

    def __len__(self) -> int:
        return len(self._streams)

    def start(self) -> None:
        """Begin to compare with the other ends what has come."""
        self._task = asyncio.create_task(self._beat(), name="beat")

    async def stop(self) -> None:
        """End all streams."""
        if self._task is not None:
            await tasks.end(self._task)
        self._lost()
        await tasks.end(*self._serving)

    def keep(self, living: Collection[str]) -> None:
        """Only these processes live."""
        for stream in list(self._streams.values()):
            if stream.peer not in living:
                stream.end(LOST)

    async def forward(self, process: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Let another process answer a request or serve a socket.

        Raises ``table_moved`` if it is lost before anything is answered; a socket is closed then.
        """
        if not self._links.working:
            return await self._refuse_lost(scope, send, LOST, began=False)
        stream = self._open(secrets.token_hex(8), process)
        stream.send(packed_scope(scope))
        asking = asyncio.create_task(_pump(receive, stream))
        began, patience = False, ANSWER_S if scope["type"] == "http" else None
        try:
            while (data := await _within(patience, stream)) is not None:
                message = message_of(data)
                began, patience = True, None
                await send(message)
                if is_last(message):
                    return None
        except OSError:  # the client is gone
            return None
        finally:
            why = stream.ended
            self._end(stream)
            await tasks.end(asking)
        if why != ENDED:
            await self._refuse_lost(scope, send, why, began=began)
        return None

    async def _refuse_lost(self, scope: Scope, send: Send, why: str, *, began: bool) -> None:
        """Say that a stream was lost."""
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

    def _open(self, name: str, peer: str) -> Stream:
        def write(number: int, data: bytes) -> None:
            self._links.send(peer, "stream", name, number, data)

        stream = self._streams[name] = Stream(name, peer, write)
        return stream

    def _end(self, stream: Stream) -> None:
        """Forget a stream, and tell the other end unless it has said so."""
        if self._streams.pop(stream.name, None) is not None:
            self._over[stream.name] = None
            if stream.ended != ENDED:
                self._links.send(
                    stream.peer, "end", stream.name, BROKEN if stream.ended else stream.sent, b""
                )
        stream.end(ENDED)

    def _take(self, packet: Packet) -> None:
        stream = self._streams.get(packet.about)
        if stream is None:
            if packet.about in self._over:
                return
            if packet.number != 0 or self.app is None:  # its beginning was lost
                self._links.send(packet.sender, "end", packet.about, BROKEN, b"")
                return
            stream = self._open(packet.about, packet.sender)
            stream.take(0, b"")
            task = asyncio.create_task(self._serve(stream, scope_of(packet.body)), name="forwarded")
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            return
        stream.take(packet.number, packet.body)

    def _ended(self, packet: Packet) -> None:
        """The other end has ended a stream after so many messages, or it is ``BROKEN``."""
        stream = self._streams.get(packet.about)
        if stream is not None:
            stream.end(ENDED if packet.number == stream.taken else LOST)

    async def _serve(self, stream: Stream, scope: Scope) -> None:
        """Answer a request, or serve a socket, of another process."""
        assert self.app is not None
        await stream.next()  # its opening
        gone: Message = {"type": "http.disconnect"}
        if scope["type"] == "websocket":
            gone = {"type": "websocket.disconnect", "code": 1006}

        async def receive() -> Message:
            data = await stream.next()
            return gone if data is None else message_of(data)

        async def send(message: Message) -> None:
            if stream.ended:
                raise OSError("the stream has ended")
            for data in packed(message):
                stream.send(data)

        def tell(text: str) -> None:
            if text is not self._last_text[0]:
                self._last_text = text, packed_text(text)
            stream.send(self._last_text[1])

        try:
            await self.app({**scope, FORWARDED: stream.peer, TELL: tell}, receive, send)
        except Exception:
            if not stream.ended:  # or the client is gone, which the application may not expect yet
                LOG.exception(
                    "%s %s failed for another process", scope.get("method", "socket"), scope["path"]
                )
        finally:
            self._end(stream)

    def _lost(self) -> None:
        """Messages may have been lost: nobody knows of which stream."""
        for stream in list(self._streams.values()):
            stream.end(LOST)

    async def _beat(self) -> None:
        """Tell the other ends how much was sent, so that the loss of a last message is noticed, too."""
        while True:
            await asyncio.sleep(BEAT_S)
            sent: dict[str, dict[str, int]] = {}
            for stream in self._streams.values():
                sent.setdefault(stream.peer, {})[stream.name] = stream.sent
            for peer, known in sent.items():
                self._links.send(peer, "beat", "all", 0, json.dumps(known).encode())

    def _heard(self, packet: Packet) -> None:
        """How much another process has sent in each of its streams to here."""
        sent: dict[str, Any] = json.loads(packet.body)
        for name, number in sent.items():
            stream = self._streams.get(name)
            if stream is None:
                self._links.send(packet.sender, "end", name, BROKEN, b"")
            elif number > stream.taken:
                stream.end(LOST)


async def _within(seconds: float | None, stream: Stream) -> bytes | None:
    """The next message; a stream on which nothing comes for so long is lost."""
    if seconds is None:
        return await stream.next()
    try:
        async with asyncio.timeout(seconds):
            return await stream.next()
    except TimeoutError:
        stream.end(LOST)
        return None


async def _pump(receive: Receive, stream: Stream) -> None:
    """Send what comes from the client until it is gone."""
    try:
        while not stream.ended:
            message = await receive()
            for data in packed(message):
                stream.send(data)
            if message["type"].endswith("disconnect"):
                return
    except Exception:
        stream.end(LOST)
        raise
