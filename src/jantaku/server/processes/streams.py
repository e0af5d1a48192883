"""Carries requests and sockets to the process where they belong, which answers as if they had come there.

The application sees ASGI messages in either case and does not know the difference.
"""

import asyncio
import hmac
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku.bounded import LRUCache
from jantaku.server import tasks
from jantaku.server.edge.guard import CARRIED, MARKS
from jantaku.server.errors import ServerError
from jantaku.server.processes.links import MOST_PAYLOAD, Links, Packet

Part = tuple[str, bytes]  # the head and the body of a message
BUNDLE: Final = b"\0"  # no head begins so


def bundles(parts: Sequence[Part]) -> Iterator[bytes]:
    r"""All messages in their order, in bundles that are not too large.

    >>> shared = b"x" * 10
    >>> [len(data) for data in bundles([("a", shared), ("b", shared)])]
    [31]
    >>> list(bundles([("a", b"1")]))
    [b'a\n1']
    """
    if len(parts) == 1:
        head, body = parts[0]
        yield head.encode() + b"\n" + body
        return
    some: list[Part] = []
    size = 0
    for part in parts:
        size += len(part[0]) + len(part[1])
        if size > MOST_PAYLOAD and some:
            yield _bundle(some)
            some, size = [], len(part[0]) + len(part[1])
        some.append(part)
    yield _bundle(some)


def _bundle(parts: Sequence[Part]) -> bytes:
    bodies: dict[bytes, int] = {}
    indexes = [bodies.setdefault(body, len(bodies)) for _, body in parts]
    head = json.dumps(
        ["\n".join(head for head, _ in parts), indexes, [*map(len, bodies)]], separators=(",", ":")
    )
    return BUNDLE + head.encode() + b"\n" + b"".join(bodies)


def parts_of(data: bytes) -> Iterator[Part]:
    """The messages of a bundle, or the single one.

    >>> parts = [("a", b"1"), ("b", b""), ("c", b"1")]
    >>> [*parts_of(*bundles(parts))] == parts
    True
    """
    head, _, rest = data.partition(b"\n")
    if not head.startswith(BUNDLE):
        yield head.decode(), rest
        return
    heads, indexes, sizes = json.loads(head[len(BUNDLE) :])
    bodies, begin = list[bytes](), 0
    for size in sizes:
        bodies.append(rest[begin : begin + size])
        begin += size
    for name, index in zip(heads.split("\n"), indexes, strict=True):
        yield name, bodies[index]


MOST_WAITING: Final = 256  # messages that the other end has sent and nobody takes
LOST, SLOW, ENDED = "lost", "slow", "ended"  # why a line has ended


class Line:
    """An end of a line. ``ended`` says why, once it has."""

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
        """A message has come: the next, one that came before, or one after a gap, which ends the line."""
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


SIGNATURE: Final = 32
SENDER: Final = 8
COUNT: Final = 8
HEAD: Final = SIGNATURE + SENDER + COUNT
FRESH_NS: Final = 30 * 10**9  # the clocks of two machines may differ by so much
MOST_SENDERS: Final = 10_000


class Signer:
    """Signs the messages of one connection, and checks those of others.

    A message has the time of its sending in nanoseconds, which grows with each. A copy that comes again, at
    another subject, or late is refused.
    """

    def __init__(self, key: bytes, now: Callable[[], int] = time.time_ns) -> None:
        self._key, self._now = key, now
        self._sender = secrets.token_bytes(SENDER)
        self._sent = 0
        self._newest = LRUCache[tuple[str, bytes], int](MOST_SENDERS)

    def sign(self, subject: str, data: bytes) -> bytes:
        """The data with their signature."""
        self._sent = max(self._sent + 1, self._now())
        signed = self._sender + self._sent.to_bytes(COUNT) + data
        return self._signature(subject, signed) + signed

    def read(self, subject: str, message: bytes) -> bytes | None:
        """The data of a message; ``None`` if it is not from the site, or comes again or late."""
        signature, signed = message[:SIGNATURE], message[SIGNATURE:]
        if len(message) < HEAD or not hmac.compare_digest(signature, self._signature(subject, signed)):
            return None
        sender, sent = (subject, signed[:SENDER]), int.from_bytes(signed[SENDER : SENDER + COUNT])
        if sent <= self._newest.get(sender, 0) or abs(self._now() - sent) > FRESH_NS:
            return None
        self._newest[sender] = sent
        return signed[SENDER + COUNT :]

    def _signature(self, subject: str, signed: bytes) -> bytes:
        return hmac.digest(self._key, subject.encode() + b"\0" + signed, "sha256")


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


TOLD: Final = _plain("websocket.send")
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
    return TOLD + text.encode()


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
        self._over = LRUCache[str, None](OVER)
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
