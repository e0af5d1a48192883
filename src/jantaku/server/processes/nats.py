"""Messages by NATS (https://nats.io): a subject for each process, and one for the news of all."""

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
from jantaku.server.processes.links import MOST_PAYLOAD, Messages

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.subscription import Subscription


Part = tuple[str, bytes]  # the head and the body of a message
LOG = logging.getLogger("jantaku.server")
NEWS: Final = "jantaku.news"
CONNECTS_S: Final = 5
PINGS_S: Final = 2  # how soon a server is missed that does not answer: after the third
AGAIN_S: Final = 0.3
ANSWER_S: Final = 0.5  # longest wait to hear that nobody has a name
STEADY_S: Final = 2.0  # so long after NATS is back, processes may not have connected again
MOST_WAITING: Final = 50_000  # messages that NATS does not take; more are dropped
REPORTS_S: Final = 60.0


def checked_url(url: str) -> str:
    """The addresses of NATS; raises ``nats_open`` for one that others reach without a password."""
    for address in url.split(","):
        parts = urlsplit(address if "://" in address else f"nats://{address}")
        if not (_is_here(parts.hostname or "") or parts.username):
            raise RequestError("nats_open", field="--nats", where=parts.hostname or address)
    return url


def _is_here(host: str) -> bool:
    """Whether a host is this machine alone, however it is written."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def subject_of(process: str) -> str:
    """The subject of a process."""
    return f"jantaku.process.{process}"


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


class NatsMessages(Messages):
    """A connection to NATS, which connects again by itself.

    What is sent to a process at about the same time goes there together.
    """

    def __init__(self, url: str, authority: str = "") -> None:
        """``url``: one server or several, with commas; ``authority``: a file that vouches for them.

        Raises ``nats_open`` for one that others reach and that asks for no password.
        """
        super().__init__()
        self._url = checked_url(url)
        self._authority = authority
        self._signer: Signer | None = None
        self._refused = 0.0  # when a message that the site has not signed was last reported
        self._client: Client | None = None
        self._own: Subscription | None = None
        self._waiting: defaultdict[str, list[Part]] = defaultdict(list)  # by subject
        self._count = 0  # of those
        self._come_in = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._since = 0.0  # when the connection was made

    @property
    def working(self) -> bool:
        """Whether NATS can be reached."""
        return self._client is not None and self._client.is_connected

    @property
    def where(self) -> str:
        """The addresses without passwords."""
        servers = map(urlsplit, self._url.split(","))
        return ",".join(f"{parts.scheme}://{parts.hostname}:{parts.port or 4222}" for parts in servers)

    def use_key(self, key: bytes) -> None:
        """Sign what is sent, and read only what is signed, with the site's key."""
        self._signer = Signer(key)

    async def start(self) -> None:
        """Connect; raises ``nats_unreachable``."""
        try:
            from nats.aio.client import Client  # noqa: PLC0415  (only sites of several processes need it)
        except ImportError as error:
            raise RequestError("server_missing", field="--nats", reason=error.name or "nats") from error
        assert self._signer is not None
        client = Client()
        try:
            secure = self._trusted() if "tls://" in self._url else None
            async with asyncio.timeout(CONNECTS_S):
                await client.connect(
                    self._url.split(","),
                    tls=secure,
                    name="jantaku",
                    no_echo=True,
                    ping_interval=PINGS_S,
                    reconnect_time_wait=AGAIN_S,  # type: ignore[arg-type]
                    max_reconnect_attempts=-1,
                    disconnected_cb=self._disconnected,
                    reconnected_cb=self._reconnected,
                    error_cb=self._failed,
                )
        except Exception as error:
            with suppress(Exception):
                await client.close()
            said = {"where": self.where, "reason": cause(error) or type(error).__name__}
            raise RequestError("nats_unreachable", field="--nats", **said) from None
        self._client, self._since = client, time.monotonic()
        await client.subscribe(NEWS, cb=self._take)
        self._task = asyncio.create_task(self._run(), name="nats")

    async def join(self, process: str) -> None:
        """Be reached under this name, and under no other."""
        assert self._client is not None
        before, self._own = self._own, await self._client.subscribe(subject_of(process), cb=self._take)
        if before is not None:
            await before.unsubscribe()
        if self.working:
            with suppress(Exception):  # from now on NATS knows where this process is
                await self._flush()

    async def stop(self) -> None:
        """Send what waits, and be reached no more."""
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
        """Send something to a process."""
        self._send(subject_of(process), (head, body))

    def publish(self, head: str, body: bytes) -> None:
        """Send something to all other processes."""
        self._send(NEWS, (head, body))

    async def reaches(self, process: str) -> bool:
        """Whether a process may be connected: NATS says at once if nobody takes what is sent to it."""
        from nats.errors import NoRespondersError  # noqa: PLC0415

        if self._client is None or not self.working or time.monotonic() - self._since < STEADY_S:
            return True
        try:
            await self._client.request(subject_of(process), b"", timeout=ANSWER_S)
        except NoRespondersError:
            return False
        except Exception:  # no answer comes from those who are there
            return True
        return True

    def _send(self, subject: str, part: Part) -> None:
        if not self.working or self._count >= MOST_WAITING:
            return  # what was sent now would come when nobody expects it any more
        self._waiting[subject].append(part)
        self._count += 1
        self._come_in.set()

    async def _run(self) -> None:
        while True:
            await self._come_in.wait()
            self._come_in.clear()
            try:
                await self._publish_all()
            except Exception as error:
                self._forget()
                LOG.warning("a message to another process cannot be sent: %s", type(error).__name__)
                self.note_loss()

    def _forget(self) -> None:
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
        """Wait until NATS has all that was sent.

        The client writes a ping before what still waits to be written; only the second ping comes after it.
        """
        assert self._client is not None
        for _ in range(2):
            await self._client.flush(CONNECTS_S)

    async def _take(self, message: Any) -> None:
        assert self._signer is not None
        data = self._signer.read(message.subject, message.data)
        if data is not None:
            for part in parts_of(data):
                self.received(*part)
        elif message.data and time.monotonic() - self._refused > REPORTS_S:  # empty: a look who is there
            self._refused = time.monotonic()
            LOG.warning("NATS carries messages without this site's signature, or clocks differ; left out")

    def _trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self._authority or None)

    async def _disconnected(self) -> None:
        if self._client is None:  # this process ends
            return
        LOG.error("NATS at %s cannot be reached; tables of other processes wait for it.", self.where)
        self._forget()
        self.note_loss()

    async def _reconnected(self) -> None:
        LOG.warning("NATS at %s is back.", self.where)
        self._since = time.monotonic()
        self.note_loss()

    async def _failed(self, error: Exception) -> None:
        """A message was dropped, or the connection failed, which is reported once."""
        if type(error).__name__ == "SlowConsumerError":
            LOG.warning("messages came faster than this process reads them")
            self.note_loss()
