"""Protects the application from outside requests: headers, origins, sizes and rates."""

import ipaddress
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku import terms
from jantaku.bounded import Newest
from jantaku.server.edge.bodies import Answer, Body, BodyRefusedError, BodyRoom
from jantaku.server.edge.compact_json import dumps
from jantaku.server.edge.holdings import ASKER, Holder
from jantaku.server.edge.hosts import Hosts
from jantaku.server.edge.shielded import to_the_end
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "media-src 'self' data: blob:",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
}
# A browser never shows these as pages, so they need no rules for pages; the worker's script lies elsewhere
FILES: Final = "/assets/"
FILE_TYPES: Final = ("text/javascript", "text/css")
FILE_HEADERS: Final = {
    name: HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")
}
UNUSED: Final = ("etag", "last-modified", "accept-ranges")  # their names change with the contents
UPLOADS: Final = re.compile(r"/api/(uploads|events/(import|[^/]+/logs(/preview)?))")
CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
CARRIED: Final = "jantaku.carried"  # in the scope of what another process of the site has let pass
MOST_KEYS: Final = 10_000
MOST_HOST: Final = 100  # characters of a refused name to repeat
WRONG_HOST: Final = 4403


@dataclass
class Bucket:
    """A token bucket: it fills with ``rate`` a second up to ``burst``, and each use takes some."""

    rate: float
    burst: float
    level: float = field(init=False)
    filled: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.filled = self.burst, time.monotonic()

    def take(self, amount: float = 1) -> bool:
        """Take tokens; False if there are too few."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.filled) * self.rate)
        self.filled = now
        if self.level < amount:
            return False
        self.level -= amount
        return True

    def give_back(self) -> None:
        """Put back one token."""
        self.level = min(self.burst, self.level + 1)


class Rates:
    """A bucket for each key; the least recently used ones are forgotten.

    ``noted`` is called with what was taken, so that other processes may count it, too.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets = Newest[str, Bucket](MOST_KEYS)
        self.noted: Callable[[str, float], None] = lambda _key, _amount: None

    def take(self, key: str, amount: float = 1) -> bool:
        """Whether ``key`` may do this once more, or use so much more."""
        taken = self._bucket(key).take(amount)
        if taken:
            self.noted(key, amount)
        return taken

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.setdefault(key, Bucket(self._rate, self._burst))
        self._buckets.move_to_end(key)
        return bucket

    def taken_elsewhere(self, key: str, amount: float) -> None:
        """Another process has let ``key`` use so much, or has given it back."""
        bucket = self._bucket(key)
        bucket.take(0)
        bucket.level = max(-self._burst, min(self._burst, bucket.level - amount))

    def give_back(self, key: str) -> None:
        """Return what ``key`` took."""
        if key in self._buckets:
            self._buckets[key].give_back()
            self.noted(key, -1)


class UseLimit:
    """A limit of simultaneous uses for each key; ``noted`` is called when those of a key have changed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, int]] = {}  # by process
        self.noted: Callable[[str], None] = lambda _key: None

    def take(self, key: str) -> bool:
        """Begin a use; False if there are too many."""
        elsewhere = sum(taken.get(key, 0) for taken in self._elsewhere.values())
        if self.taken[key] + elsewhere >= self._most:
            return False
        self.taken[key] += 1
        self.noted(key)
        return True

    def give_back(self, key: str) -> None:
        """End a use."""
        self.taken[key] -= 1
        if self.taken[key] <= 0:
            del self.taken[key]
        self.noted(key)

    def taken_elsewhere(self, process: str, key: str, number: int) -> None:
        """Another process has so many uses of ``key``."""
        held = self._elsewhere.setdefault(process, {})
        held[key] = number
        if not number:
            del held[key]

    def keep(self, living: Collection[str]) -> None:
        """Only these other processes live."""
        self._elsewhere = {process: held for process, held in self._elsewhere.items() if process in living}


def same_origin(headers: Headers, public_url: str) -> bool:
    """Whether a request comes from a page of this server; programs that send no ``Origin`` are allowed."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in (None, "same-origin", "none")
    allowed = {headers.get("host", ""), urlsplit(public_url).netloc}
    return bool(origin) and urlsplit(origin).netloc in allowed - {""}


def client_of(scope: Scope) -> str:
    """The key that the limits by address use for a request: see ``network_of``."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def network_of(address: str) -> str:
    """An IPv4 address, or the /64 of an IPv6 address, which belongs to one household.

    >>> network_of("2001:db8:1:2:3::4"), network_of("::ffff:192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))


def wide_network_of(address: str) -> str:
    """The network that one person or provider may have many addresses of: IPv4 by /24, IPv6 by /48.

    >>> wide_network_of("192.0.2.1"), wide_network_of("2001:db8:1:2::")
    ('192.0.2.0', '2001:db8:1::')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    prefix = 24 if ip.version == 4 else 48
    return str(ipaddress.ip_network((ip, prefix), strict=False).network_address)


class Guard:
    """Refuses requests that are too many, too large, of the wrong type or from another site; sets headers."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates) -> None:
        self.app = app
        self.settings = settings
        limits = settings.limits
        self._hosts = Hosts(settings)
        self._room = BodyRoom(limits)
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with an error."""
        if CARRIED in scope:
            return await self._carried(scope, receive, send)
        if scope["type"] == "websocket" and not self._hosts.allow(scope):
            return await send({"type": "websocket.close", "code": WRONG_HOST})
        if scope["type"] in ("http", "websocket"):
            ASKER.set(Holder(client_of(scope), client_of(scope)))
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        secured = self._with_headers(scope, send)
        with ExitStack() as held:
            try:
                self._check(scope)
                held.enter_context(self._room.holding(client_of(scope), self._expected(scope)))
            except ServerError as error:
                return await refuse(scope, secured, error)
            await self._answer(scope, receive, secured)
        return None

    async def _carried(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the guard of another process has let pass."""
        ASKER.set(Holder(client_of(scope), client_of(scope)))
        work = self.app(scope, receive, send)
        await (to_the_end(_as_coroutine(work)) if scope.get("method") in CHANGING else work)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(receive, self._size_limit(scope), self.settings.limits.body_s)
        answer = Answer(send, body)
        with suppress(BodyRefusedError):
            work = self.app(scope, body.receive, answer.send)
            await (to_the_end(_as_coroutine(work)) if scope["method"] in CHANGING else work)
        if body.refused is not None and not answer.began:
            await refuse(scope, send, body.refused)

    def _size_limit(self, scope: Scope) -> int:
        limits = self.settings.limits
        return limits.upload_bytes if UPLOADS.fullmatch(scope["path"]) else limits.body_bytes

    def _expected(self, scope: Scope) -> int:
        """How many bytes the body may have: as many as it says, or all that it may if it does not say."""
        headers = Headers(scope=scope)
        return (
            self._size_limit(scope)
            if "transfer-encoding" in headers
            else int(headers.get("content-length", 0))
        )

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if not self._hosts.allow(scope):
            raise ServerError("wrong_host", host=headers.get("host", "")[:MOST_HOST])
        if scope["path"].startswith("/api/") and not self._rates.take(client_of(scope)):
            raise ServerError("too_many")
        if scope["method"] not in CHANGING:
            return
        if not same_origin(headers, self.settings.public_url):
            raise ServerError("wrong_origin")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._size_limit(scope):
            raise ServerError("too_large", most=self._size_limit(scope))
        body = length != "0" or "transfer-encoding" in headers
        if body and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise ServerError("not_json_type")

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                kind = headers.get("content-type", "").partition(";")[0]
                is_file = scope["path"].startswith(FILES) and kind in FILE_TYPES
                for name, value in (FILE_HEADERS if is_file else HEADERS).items():
                    headers.setdefault(name, value)
                for name in UNUSED if is_file else ():
                    del headers[name]
                headers.setdefault("cache-control", "no-store")
                if self.settings.public_url.startswith("https:"):
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        return secured


async def _as_coroutine(work: Awaitable[None]) -> None:
    await work


async def refuse(scope: Scope, send: Send, error: ServerError) -> None:
    """Answer with an error before the application sees the request."""
    accepted = Headers(scope=scope).get("accept-language", "")
    language = language_of(accepted)
    body = dumps({"error": {"code": error.code, "message": error.message(language), "field": ""}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def language_of(accepted: str) -> terms.Language:
    """The first supported language in an ``Accept-Language`` header, else English."""
    for part in accepted.split(","):
        code = part.strip()[:2].lower()
        for language in terms.LANGUAGES:
            if language == code:
                return language
    return "en"
