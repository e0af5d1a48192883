"""What goes between processes: bundles, lines, signatures and carried requests."""

import asyncio
import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from starlette.types import Message, Scope

from jantaku.bounded import Newest
from jantaku.server.edge.guard import MARKS
from jantaku.server.processes.messages import MOST_PAYLOAD

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
        self._newest = Newest[tuple[str, bytes], int](MOST_SENDERS)

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
