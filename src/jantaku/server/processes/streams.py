"""Streams between processes: forward requests and sockets as ASGI messages to the process that serves them.

The application of the other process answers them as if it had received them itself.
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
from jantaku.server.processes.links import MAX_PAYLOAD, Links, Packet

MAX_WAITING: Final = 256  # received messages that have not been read
LOST, SLOW, ENDED = "lost", "slow", "ended"  # reasons for the end of a stream


class Stream:
    """One end of a stream; ``ended`` is empty or the reason for its end."""

    def __init__(self, name: str, peer: str, write: Callable[[int, bytes], None]) -> None:
        self.name, self.peer = name, peer
        self.sent = 0
        self.received = 0
        self.ended = ""
        self._write = write
        self._waiting: deque[bytes] = deque()
        self._arrived = asyncio.Event()

    def send(self, data: bytes) -> None:
        """Send the next message."""
        if not self.ended:
            self._write(self.sent, data)
            self.sent += 1

    def receive(self, number: int, data: bytes) -> None:
        """Queue a received message. Duplicates are ignored; a gap or a full queue ends the stream."""
        if self.ended or number < self.received:
            return
        if number > self.received:
            self.end(LOST)
        elif len(self._waiting) >= MAX_WAITING:
            self.end(SLOW)
        else:
            self.received += 1
            self._waiting.append(data)
            self._arrived.set()

    def end(self, why: str) -> None:
        """End the stream. Queued messages can still be read, but only if the stream is complete."""
        if not self.ended:
            self.ended = why
            if why != ENDED:
                self._waiting.clear()
            self._arrived.set()

    async def next(self) -> bytes | None:
        """Return the next message; ``None`` after the end."""
        while not self._waiting:
            if self.ended:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()


SCOPE: Final = (
    *("type", "http_version", "scheme", "method", "path", "root_path", "client", "server", "subprotocols"),
    *("raw_path", "query_string", "headers", MARKS),
)
SECRET: Final = (b"cookie", b"authorization")  # headers that are never forwarded
BYTE_FIELDS: Final = ("raw_path", "query_string")
PAYLOAD_FIELDS: Final = ("text", "bytes", "body")  # fields sent after the JSON head of a message


def _plain(kind: str) -> bytes:
    """Return the constant head of a socket's text message."""
    return f'["text",{{"type":"{kind}"}}]\n'.encode()


TEXT_HEAD: Final = _plain("websocket.send")
TEXTS: Final = {_plain(kind): kind for kind in ("websocket.send", "websocket.receive")}


def pack_scope(scope: Scope) -> bytes:
    """Encode the scope of a request or socket, without secret headers."""
    headers = [pair for pair in scope["headers"] if pair[0].lower() not in SECRET]
    values = {**scope, "headers": headers}
    return _pack({name: values[name] for name in SCOPE if values.get(name) is not None})


def unpack_scope(data: bytes) -> Scope:
    """Decode the result of ``pack_scope``."""
    return {"asgi": {"version": "3.0"}, "state": {}, "root_path": "", MARKS: {}} | _unpack(data)


def pack_message(message: Message) -> Iterator[bytes]:
    """Encode a message, as several messages if its body is large."""
    body = message.get("body", b"")
    while len(body) > MAX_PAYLOAD:
        yield _pack({**message, "body": body[:MAX_PAYLOAD], "more_body": True})
        body = body[MAX_PAYLOAD:]
    yield _pack({**message, "body": body} if body else message)


def pack_text(text: str) -> bytes:
    """Encode a text message to a socket, like ``pack_message``."""
    return TEXT_HEAD + text.encode()


def unpack_message(data: bytes) -> Message:
    """Decode one result of ``pack_message``."""
    for head, kind in TEXTS.items():
        if data.startswith(head):
            return {"type": kind, "text": data[len(head) :].decode()}
    return _unpack(data)


def is_last(message: Message) -> bool:
    """Whether this is the application's last message of a response or socket."""
    if message["type"] == "http.response.body":
        return not message.get("more_body", False)
    return bool(message["type"] == "websocket.close")


def _pack(values: Mapping[str, Any]) -> bytes:
    payload = next((name for name in PAYLOAD_FIELDS if values.get(name) is not None), "")
    head = {name: value for name, value in values.items() if name not in PAYLOAD_FIELDS}
    for name in BYTE_FIELDS:
        if name in head:
            head[name] = head[name].decode("latin-1")
    if "headers" in head:
        head["headers"] = [[part.decode("latin-1") for part in pair] for pair in head["headers"]]
    tail = values[payload] if payload else b""
    encoded = json.dumps([payload, head], separators=(",", ":")).encode()
    return encoded + b"\n" + (tail.encode() if isinstance(tail, str) else bytes(tail))


def _unpack(data: bytes) -> dict[str, Any]:
    head, _, tail = data.partition(b"\n")
    payload, fields = json.loads(head)
    for name in BYTE_FIELDS:
        if name in fields:
            fields[name] = fields[name].encode("latin-1")
    if "headers" in fields:
        fields["headers"] = [
            (key.encode("latin-1"), value.encode("latin-1")) for key, value in fields["headers"]
        ]
    if payload:
        fields[payload] = tail.decode() if payload == "text" else tail
    return dict(fields)


LOG = logging.getLogger("jantaku.server")
BEAT_S: Final = 1.0
MAX_ENDED: Final = 10_000  # ended streams remembered, to ignore late and duplicate messages
RECONNECT_NOW, RECONNECT_LATER = 1012, 1013  # close codes
BROKEN: Final = -1  # sent in place of the number of messages
SEND_TEXT: Final = "jantaku.tell"  # scope key: a function that sends a text to a forwarded socket
ANSWER_S: Final = 20.0


class Streams:
    """The streams of a process. ``app`` answers forwarded requests and sockets."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self.app: ASGIApp | None = None
        # returns the last message for a socket whose stream is lost
        self.closing_message: Callable[[Scope], Message | None] = lambda _: None
        self._streams: dict[str, Stream] = {}
        self._ended_names = LRUCache[str, None](MAX_ENDED)
        self._last_text = "", b""  # the last text and its encoding, because many spectators receive the same
        self._serving: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        links.packet_handlers |= {"stream": self._receive, "end": self._on_end, "beat": self._on_beat}
        links.messages.lost.append(self._lost)

    def __len__(self) -> int:
        return len(self._streams)

    def start(self) -> None:
        """Start reporting the number of messages sent to each peer."""
        self._task = asyncio.create_task(self._beat(), name="beat")

    async def stop(self) -> None:
        """End all streams."""
        if self._task is not None:
            await tasks.end(self._task)
        self._lost()
        await tasks.end(*self._serving)

    def retain(self, living: Collection[str]) -> None:
        """End the streams to processes that are no longer alive."""
        for stream in list(self._streams.values()):
            if stream.peer not in living:
                stream.end(LOST)

    async def forward(self, process: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request or socket to another process.

        Raises ``ServerError("table_moved")`` if the stream is lost before a response begins; a socket is
        closed instead.
        """
        if not self._links.working:
            return await self._refuse_lost(scope, send, LOST, began=False)
        stream = self._open(secrets.token_hex(8), process)
        stream.send(pack_scope(scope))
        pump = asyncio.create_task(_pump(receive, stream))
        began, timeout = False, ANSWER_S if scope["type"] == "http" else None
        try:
            while (data := await _next_within(timeout, stream)) is not None:
                message = unpack_message(data)
                began, timeout = True, None
                await send(message)
                if is_last(message):
                    return None
        except OSError:  # the client is gone
            return None
        finally:
            why = stream.ended
            self._end(stream)
            await tasks.end(pump)
        if why != ENDED:
            await self._refuse_lost(scope, send, why, began=began)
        return None

    async def _refuse_lost(self, scope: Scope, send: Send, why: str, *, began: bool) -> None:
        """Answer the client of a lost stream."""
        if scope["type"] == "http":
            if not began:
                raise ServerError("table_moved" if self._links.working else "links_lost")
            return
        with suppress(OSError, RuntimeError):  # the client may have disconnected
            if not began:
                await send({"type": "websocket.accept", "headers": []})
            message = self.closing_message(scope)
            if message is not None:
                await send(message)
            code = RECONNECT_LATER if why == SLOW else RECONNECT_NOW
            await send({"type": "websocket.close", "code": code})

    def _open(self, name: str, peer: str) -> Stream:
        def write(number: int, data: bytes) -> None:
            self._links.send(peer, "stream", name, number, data)

        stream = self._streams[name] = Stream(name, peer, write)
        return stream

    def _end(self, stream: Stream) -> None:
        """Remove a stream, and notify the other end unless the end came from there."""
        if self._streams.pop(stream.name, None) is not None:
            self._ended_names[stream.name] = None
            if stream.ended != ENDED:
                self._links.send(
                    stream.peer, "end", stream.name, BROKEN if stream.ended else stream.sent, b""
                )
        stream.end(ENDED)

    def _receive(self, packet: Packet) -> None:
        stream = self._streams.get(packet.about)
        if stream is None:
            if packet.about in self._ended_names:
                return
            if packet.number != 0 or self.app is None:  # its first message was lost
                self._links.send(packet.sender, "end", packet.about, BROKEN, b"")
                return
            stream = self._open(packet.about, packet.sender)
            stream.receive(0, b"")
            task = asyncio.create_task(self._serve(stream, unpack_scope(packet.body)), name="forwarded")
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            return
        stream.receive(packet.number, packet.body)

    def _on_end(self, packet: Packet) -> None:
        """End a stream; the packet has the number of messages sent, or ``BROKEN``."""
        stream = self._streams.get(packet.about)
        if stream is not None:
            stream.end(ENDED if packet.number == stream.received else LOST)

    async def _serve(self, stream: Stream, scope: Scope) -> None:
        """Answer a forwarded request or socket."""
        assert self.app is not None
        await stream.next()  # the scope
        gone: Message = {"type": "http.disconnect"}
        if scope["type"] == "websocket":
            gone = {"type": "websocket.disconnect", "code": 1006}

        async def receive() -> Message:
            data = await stream.next()
            return gone if data is None else unpack_message(data)

        async def send(message: Message) -> None:
            if stream.ended:
                raise OSError("the stream has ended")
            for data in pack_message(message):
                stream.send(data)

        def send_text(text: str) -> None:
            if text is not self._last_text[0]:
                self._last_text = text, pack_text(text)
            stream.send(self._last_text[1])

        try:
            await self.app({**scope, FORWARDED: stream.peer, SEND_TEXT: send_text}, receive, send)
        except Exception:
            if not stream.ended:  # otherwise the client has disconnected, which may cause errors
                LOG.exception(
                    "%s %s failed for another process", scope.get("method", "socket"), scope["path"]
                )
        finally:
            self._end(stream)

    def _lost(self) -> None:
        """End all streams, because any of them may have lost messages."""
        for stream in list(self._streams.values()):
            stream.end(LOST)

    async def _beat(self) -> None:
        """Report the number of messages sent to each peer, so that it notices the loss of the last one."""
        while True:
            await asyncio.sleep(BEAT_S)
            sent: dict[str, dict[str, int]] = {}
            for stream in self._streams.values():
                sent.setdefault(stream.peer, {})[stream.name] = stream.sent
            for peer, counts in sent.items():
                self._links.send(peer, "beat", "all", 0, json.dumps(counts).encode())

    def _on_beat(self, packet: Packet) -> None:
        """Compare the numbers of messages sent by another process with those received."""
        sent: dict[str, Any] = json.loads(packet.body)
        for name, number in sent.items():
            stream = self._streams.get(name)
            if stream is None:
                self._links.send(packet.sender, "end", name, BROKEN, b"")
            elif number > stream.received:
                stream.end(LOST)


async def _next_within(seconds: float | None, stream: Stream) -> bytes | None:
    """Return the next message; a stream without a message for ``seconds`` is ended as lost."""
    if seconds is None:
        return await stream.next()
    try:
        async with asyncio.timeout(seconds):
            return await stream.next()
    except TimeoutError:
        stream.end(LOST)
        return None


async def _pump(receive: Receive, stream: Stream) -> None:
    """Send the client's messages until it disconnects."""
    try:
        while not stream.ended:
            message = await receive()
            for data in pack_message(message):
                stream.send(data)
            if message["type"].endswith("disconnect"):
                return
    except Exception:
        stream.end(LOST)
        raise
