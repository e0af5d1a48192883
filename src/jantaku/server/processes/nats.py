"""Message transport over NATS (https://nats.io): one subject per process, and one for news to all."""

import asyncio
import hmac
import ipaddress
import json
import logging
import secrets
import ssl
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cachetools import LRUCache

from jantaku.errors import RequestError, cause
from jantaku.server import tasks
from jantaku.server.processes.links import MAX_PAYLOAD, Messages

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.subscription import Subscription


Part = tuple[str, bytes]  # head and body of a message
LOG = logging.getLogger("jantaku.server")
NEWS: Final = "jantaku.news"
CONNECT_S: Final = 5
PING_S: Final = 2  # interval of pings; the connection counts as lost after three without an answer
RECONNECT_S: Final = 0.3
ANSWER_S: Final = 0.5  # how long to wait for the report that a subject has no subscriber
STEADY_S: Final = 2.0  # after a reconnect, other processes may take this long to reconnect
MAX_WAITING: Final = 50_000  # messages waiting to be sent; further ones are dropped
REPORT_S: Final = 60.0


def checked_url(url: str) -> str:
    """Return the URLs of NATS; raises ``RequestError("nats_open")`` for a remote one without a password."""
    for address in url.split(","):
        parts = urlsplit(address if "://" in address else f"nats://{address}")
        if not (_is_loopback(parts.hostname or "") or parts.username):
            raise RequestError("nats_open", field="--nats", where=parts.hostname or address)
    return url


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def subject_of(process: str) -> str:
    """Return the subject of a process."""
    return f"jantaku.process.{process}"


BUNDLE: Final = b"\0"  # prefix of a bundle; no head of a single message starts with it


def bundles(parts: Sequence[Part]) -> Iterator[bytes]:
    r"""Pack messages in order into bundles of at most ``MAX_PAYLOAD`` bytes, or of one larger message.

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
    batch: list[Part] = []
    size = 0
    for part in parts:
        size += len(part[0]) + len(part[1])
        if size > MAX_PAYLOAD and batch:
            yield _bundle(batch)
            batch, size = [], len(part[0]) + len(part[1])
        batch.append(part)
    yield _bundle(batch)


def _bundle(parts: Sequence[Part]) -> bytes:
    bodies: dict[bytes, int] = {}
    indexes = [bodies.setdefault(body, len(bodies)) for _, body in parts]
    head = json.dumps(
        ["\n".join(head for head, _ in parts), indexes, [*map(len, bodies)]], separators=(",", ":")
    )
    return BUNDLE + head.encode() + b"\n" + b"".join(bodies)


def parts_of(data: bytes) -> Iterator[Part]:
    """Unpack the messages of a bundle, or a single message.

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


SIGNATURE: Final = 32
SENDER: Final = 8
COUNT: Final = 8
HEAD: Final = SIGNATURE + SENDER + COUNT
FRESH_NS: Final = 30 * 10**9  # accepted age of a message, or difference between two machines' clocks
MAX_SENDERS: Final = 10_000


class Signer:
    """Signs the messages of one connection, and verifies those of others.

    Each message contains its send time in nanoseconds, which increases from message to message. Messages that
    are repeated, delayed, or copied to another subject are rejected.
    """

    def __init__(self, key: bytes, now: Callable[[], int] = time.time_ns) -> None:
        self._key, self._now = key, now
        self._sender = secrets.token_bytes(SENDER)
        self._sent = 0
        self._newest = LRUCache[tuple[str, bytes], int](MAX_SENDERS)

    def sign(self, subject: str, data: bytes) -> bytes:
        """Return a message with its signature."""
        self._sent = max(self._sent + 1, self._now())
        signed = self._sender + self._sent.to_bytes(COUNT) + data
        return self._signature(subject, signed) + signed

    def read(self, subject: str, message: bytes) -> bytes | None:
        """Return the data of a message; ``None`` if the signature is wrong or the message old or repeated."""
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


class NatsMessages(Messages):
    """A connection to NATS that reconnects automatically.

    Messages to the same process are bundled while others are being sent.
    """

    def __init__(self, url: str, authority: str = "") -> None:
        """``url`` lists one or more servers, separated by commas; ``authority`` is a CA certificate file.

        Raises ``RequestError("nats_open")`` for a remote server without a password.
        """
        super().__init__()
        self._url = checked_url(url)
        self._authority = authority
        self._signer: Signer | None = None
        self._rejected = 0.0  # time of the last warning about a rejected message
        self._client: Client | None = None
        self._own: Subscription | None = None
        self._waiting: defaultdict[str, list[Part]] = defaultdict(list)  # by subject
        self._count = 0  # of all waiting messages
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._since = 0.0  # time of the last (re)connect

    @property
    def working(self) -> bool:
        """Whether the connection is up."""
        return self._client is not None and self._client.is_connected

    @property
    def where(self) -> str:
        """The URLs without passwords, for messages."""
        servers = map(urlsplit, self._url.split(","))
        return ",".join(f"{parts.scheme}://{parts.hostname}:{parts.port or 4222}" for parts in servers)

    def use_key(self, key: bytes) -> None:
        """Sign sent messages with the site's key, and accept only messages signed with it."""
        self._signer = Signer(key)

    async def start(self) -> None:
        """Connect; raises ``RequestError("nats_unreachable")`` if that fails."""
        try:
            from nats.aio.client import Client  # noqa: PLC0415  (only sites with several processes need it)
        except ImportError as error:
            raise RequestError("server_missing", field="--nats", reason=error.name or "nats") from error
        assert self._signer is not None
        client = Client()
        try:
            secure = self._tls_context() if "tls://" in self._url else None
            async with asyncio.timeout(CONNECT_S):
                await client.connect(
                    self._url.split(","),
                    tls=secure,
                    name="jantaku",
                    no_echo=True,
                    ping_interval=PING_S,
                    reconnect_time_wait=RECONNECT_S,  # type: ignore[arg-type]
                    max_reconnect_attempts=-1,
                    disconnected_cb=self._disconnected,
                    reconnected_cb=self._reconnected,
                    error_cb=self._failed,
                )
        except Exception as error:
            with suppress(Exception):
                await client.close()
            details = {"where": self.where, "reason": cause(error) or type(error).__name__}
            raise RequestError("nats_unreachable", field="--nats", **details) from None
        self._client, self._since = client, time.monotonic()
        await client.subscribe(NEWS, cb=self._receive)
        self._task = asyncio.create_task(self._run(), name="nats")

    async def join(self, process: str) -> None:
        """Receive messages under this name, and no longer under the previous one."""
        assert self._client is not None
        before, self._own = self._own, await self._client.subscribe(subject_of(process), cb=self._receive)
        if before is not None:
            await before.unsubscribe()
        if self.working:
            with suppress(Exception):  # make sure that NATS has the new subscription
                await self._flush()

    async def stop(self) -> None:
        """Send all waiting messages and disconnect."""
        if self._task is not None:
            await tasks.end(self._task)
        if self._client is not None:
            with suppress(Exception):
                if self.working:
                    await self._publish_all()
                    await self._flush()
            client, self._client = self._client, None
            with suppress(Exception):
                await client.close()

    def send(self, process: str, head: str, body: bytes) -> None:
        """Send a message to a process."""
        self._send(subject_of(process), (head, body))

    def publish(self, head: str, body: bytes) -> None:
        """Send a message to all other processes."""
        self._send(NEWS, (head, body))

    async def reaches(self, process: str) -> bool:
        """Whether a process may be connected: NATS immediately reports a subject without subscribers."""
        from nats.errors import NoRespondersError  # noqa: PLC0415

        if self._client is None or not self.working or time.monotonic() - self._since < STEADY_S:
            return True
        try:
            await self._client.request(subject_of(process), b"", timeout=ANSWER_S)
        except NoRespondersError:
            return False
        except Exception:  # subscribers do not answer, so this is a timeout
            return True
        return True

    def _send(self, subject: str, part: Part) -> None:
        if not self.working or self._count >= MAX_WAITING:
            return  # a message sent after the reconnect would arrive too late
        self._waiting[subject].append(part)
        self._count += 1
        self._arrived.set()

    async def _run(self) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            try:
                await self._publish_all()
            except Exception as error:
                self._drop_waiting()
                LOG.warning("a message to another process cannot be sent: %s", type(error).__name__)
                self.report_loss()

    def _drop_waiting(self) -> None:
        self._waiting.clear()
        self._count = 0

    async def _publish_all(self) -> None:
        signer = self._signer
        assert self._client is not None
        assert signer is not None
        while self._waiting:
            subject, parts = self._waiting.popitem()
            self._count -= len(parts)
            for data in bundles(parts):
                await self._client.publish(subject, signer.sign(subject, data))

    async def _flush(self) -> None:
        """Wait until NATS has received everything sent so far.

        The client writes a ping ahead of data that is still buffered, so only a second ping follows it.
        """
        assert self._client is not None
        for _ in range(2):
            await self._client.flush(CONNECT_S)

    async def _receive(self, message: Any) -> None:
        assert self._signer is not None
        data = self._signer.read(message.subject, message.data)
        if data is not None:
            for part in parts_of(data):
                self.received(*part)
        elif message.data and time.monotonic() - self._rejected > REPORT_S:  # ``reaches`` sends empty ones
            self._rejected = time.monotonic()
            LOG.warning("ignored a NATS message: wrong signature, repeated or late, or the clocks differ")

    def _tls_context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self._authority or None)

    async def _disconnected(self) -> None:
        if self._client is None:  # this process is stopping
            return
        LOG.error("NATS at %s cannot be reached; tables of other processes wait for it.", self.where)
        self._drop_waiting()
        self.report_loss()

    async def _reconnected(self) -> None:
        LOG.warning("NATS at %s is back.", self.where)
        self._since = time.monotonic()
        self.report_loss()

    async def _failed(self, error: Exception) -> None:
        """Report messages that the client dropped; a lost connection is reported by ``_disconnected``."""
        if type(error).__name__ == "SlowConsumerError":
            LOG.warning("messages arrived faster than this process could read them")
            self.report_loss()
