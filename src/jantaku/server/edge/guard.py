"""Checks of all requests (host, origin, size, rate, repetition, confirmation), and security headers."""

import asyncio
import hashlib
import re
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import ip_address
from math import inf
from typing import Final
from urllib.parse import urlsplit

from cachetools import TTLCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jantaku import terms
from jantaku.server.edge.bodies import LARGE, dumps
from jantaku.server.edge.limits import ASKER, Principal, Quota, Rates, Share, client_of
from jantaku.server.edge.work import trim_memory
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings
from jantaku.server.tasks import to_the_end

SMALL: Final = 4096  # bytes; smaller bodies are not counted, so that anyone can still play


class BodyRoom:
    """Limits the memory reserved for request bodies, from their first byte until the response."""

    def __init__(self, of_address: int, of_all: int) -> None:
        self._share = Share(Quota(inf, of_address, of_all))

    @contextmanager
    def hold(self, address: str, size: int) -> Iterator[None]:
        """Reserve memory for a body during the block; raises ``busy`` beyond the limits."""
        if size <= SMALL:
            yield
            return
        with self._share.hold(Principal(address, address), size):
            try:
                yield
            finally:
                if size >= LARGE:
                    trim_memory()


class BodyRefusedError(Exception):
    """A body exceeded a limit while it was being read."""


class Body:
    """Reads a body within size and time limits."""

    def __init__(self, receive: Receive, max_bytes: int, seconds: float) -> None:
        self.refused: ServerError | None = None
        self._max_bytes = max_bytes
        self._receive = receive
        self._received = 0
        self._complete = False
        self._deadline = time.monotonic() + seconds

    async def receive(self) -> Message:
        """Return the next part; after the last one, wait for the disconnect without a time limit."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._deadline - time.monotonic())):
                message = await self._receive()
        except TimeoutError as error:
            raise self._refuse(ServerError("too_slow")) from error
        self._complete = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._received > self._max_bytes:
            raise self._refuse(ServerError("too_large", most=self._max_bytes))
        return message

    def _refuse(self, error: ServerError) -> BodyRefusedError:
        self.refused = error
        return BodyRefusedError(error.code)


class LimitedAnswer:
    """Sends the response, unless the request body was refused first; a refusal sends its own response."""

    def __init__(self, send: Send, body: Body) -> None:
        self.began = False
        self._send = send
        self._body = body

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if self.began or self._body.refused is None:
            self.began = True
            await self._send(message)


_HOST: Final = re.compile(rb"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


class Hosts:
    """The host names that this server accepts.

    These are ``localhost``, the machine's own name and addresses, the hosts of the public and the local
    address, and the names in ``settings.hosts``.
    """

    def __init__(self, settings: Settings) -> None:
        own = socket.gethostname().lower().removesuffix(".local")
        urls = (urlsplit(url).hostname for url in (settings.public_url, settings.nearby_url))
        more = (name.lower().strip("[]") for name in settings.hosts)
        self._names = {"localhost", own, f"{own}.local", *urls, *more} - {None, ""}

    def allow(self, scope: Scope) -> bool:
        """Whether a request or socket has an accepted ``Host`` header."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            return False
        name = (match[1] or match[2]).decode("ascii").lower().removesuffix(".")
        return name in self._names or _is_own_address(name, scope)


def _is_own_address(name: str, scope: Scope) -> bool:
    """Whether a name is a loopback address or the address that received the connection."""
    try:
        address = ip_address(name)
        return address.is_loopback or address == ip_address((scope.get("server") or ("",))[0])
    except ValueError:
        return False


ONCE: Final = "once"  # header of a request that must not be repeated
WINDOW_S: Final = 5.0
REMOTE_S: Final = 60.0  # how long a request running in another process blocks repeats
MAX_REMEMBERED: Final = 10_000


class RepeatGuard:
    """Refuses repeats of requests that are running or have just succeeded.

    ``on_change`` is called with the digest of a request and the seconds for which repeats are refused, so
    that other processes refuse them as well.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._until: dict[str, float] = {}
        self._now = now
        self.on_change: Callable[[str, float], None] = lambda _key, _lasts_s: None

    def record(self, key: str, lasts_s: float) -> None:
        """Record a request executed by another process."""
        self._until[key] = self._now() + lasts_s

    @contextmanager
    def once(self, person: str, path: str, body: bytes, lasts_s: float = WINDOW_S) -> Iterator[None]:
        """Execute a person's request in the block.

        Raises ``ServerError("just_done")`` if the same request is running or succeeded within the last
        ``lasts_s`` seconds. A request that fails may be repeated immediately.
        """
        key = hashlib.sha256(b"\0".join((person.encode(), path.encode(), body))).hexdigest()
        if self._until.get(key, 0.0) > self._now():
            raise ServerError("just_done")
        self._prune()
        self._until[key] = inf
        self.on_change(key, REMOTE_S)
        try:
            yield
        except BaseException:
            del self._until[key]
            self.on_change(key, 0.0)
            raise
        self._until[key] = self._now() + lasts_s
        self.on_change(key, lasts_s)

    def _prune(self) -> None:
        if len(self._until) >= MAX_REMEMBERED:
            now = self._now()
            self._until = {key: until for key, until in self._until.items() if until > now}


UPLOADS: Final = re.compile(r"/api/(uploads|events/[^/]+/logs(/preview)?)")
EVENT_FILES: Final = "/api/events/import"
CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
FORWARDED: Final = "jantaku.carried"  # scope key of requests already checked by another process of the site
MAX_HOST: Final = 100  # characters of a refused host name shown in the error
MARKS: Final = "jantaku.marks"  # scope key of forwarded requests: the hashes of their cookies
WRONG_HOST: Final = 4403


def same_origin(headers: Headers, public_url: str) -> bool:
    """Whether a request comes from a page of this server, or from a program that sends no ``Origin``."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in (None, "same-origin", "none")
    allowed = {headers.get("host", ""), urlsplit(public_url).netloc}
    try:
        return urlsplit(origin).netloc in allowed - {""}
    except ValueError:  # for example ``http://[``
        return False


class Guard:
    """Refuses requests that are too frequent, too large, of the wrong type, or from another site."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates) -> None:
        self.app = app
        self.settings = settings
        limits = settings.limits
        self._hosts = Hosts(settings)
        self._room = BodyRoom(limits.bodies_of_address, limits.bodies)
        self._file_room = BodyRoom(limits.file_bytes, 2 * limits.file_bytes)
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or answer it with an error."""
        if FORWARDED in scope:
            return await self._forwarded(scope, receive, send)
        if "\0" in scope.get("path", ""):  # PostgreSQL cannot store NUL, so no path contains it
            scope = {**scope, "path": scope["path"].replace("\0", "\ufffd")}
        if scope["type"] == "websocket" and not self._hosts.allow(scope):
            return await send({"type": "websocket.close", "code": WRONG_HOST})
        if scope["type"] in ("http", "websocket"):
            ASKER.set(Principal(client_of(scope), client_of(scope)))
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        with ExitStack() as held:
            try:
                self._check(scope)
                room = self._file_room if scope["path"] == EVENT_FILES else self._room
                held.enter_context(room.hold(client_of(scope), self._expected(scope)))
            except ServerError as error:
                return await refuse(scope, send, error)
            await self._answer(scope, receive, send)
        return None

    async def _forwarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that the guard of another process has checked."""
        address = client_of(scope)
        ASKER.set(Principal(address, address))
        if scope["type"] == "http" and self._rates.exhausted(address):  # counted across all gateways
            return await refuse(scope, send, ServerError("too_many"))
        work = self.app(scope, receive, send)
        await (to_the_end(_as_coroutine(work)) if scope.get("method") in CHANGING else work)
        return None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self.settings.limits
        seconds = limits.file_s if scope["path"] == EVENT_FILES else limits.body_s
        body = Body(receive, self._size_limit(scope), seconds)
        answer = LimitedAnswer(send, body)
        with suppress(BodyRefusedError):
            work = self.app(scope, body.receive, answer.send)
            await (to_the_end(_as_coroutine(work)) if scope["method"] in CHANGING else work)
        if body.refused is not None and not answer.began:
            await refuse(scope, send, body.refused)

    def _size_limit(self, scope: Scope) -> int:
        limits = self.settings.limits
        if scope["path"] == EVENT_FILES:
            return limits.file_bytes
        return limits.upload_bytes if UPLOADS.fullmatch(scope["path"]) else limits.body_bytes

    def _expected(self, scope: Scope) -> int:
        """Return the declared size of the body, or the size limit if none is declared."""
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        declared = "transfer-encoding" not in headers and length.isascii() and length.isdigit()
        return int(length) if declared else self._size_limit(scope)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if not self._hosts.allow(scope):
            raise ServerError("wrong_host", host=headers.get("host", "")[:MAX_HOST])
        if scope["path"].startswith("/api/") and not self._rates.take(client_of(scope)):
            raise ServerError("too_many")
        if scope["method"] not in CHANGING:
            return
        if not same_origin(headers, self.settings.public_url):
            raise ServerError("wrong_origin")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self._size_limit(scope):
            raise ServerError("too_large", most=self._size_limit(scope))
        body = length != "0" or "transfer-encoding" in headers
        if body and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise ServerError("not_json_type")


async def _as_coroutine(work: Awaitable[None]) -> None:
    await work


async def refuse(scope: Scope, send: Send, error: ServerError) -> None:
    """Answer a request with an error."""
    accepted = Headers(scope=scope).get("accept-language", "")
    language = language_of(accepted)
    body = dumps({"error": {"code": error.code, "message": error.message(language), "field": ""}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def language_of(accepted: str) -> terms.Language:
    """Return the first supported language in an ``Accept-Language`` header, or English."""
    for part in accepted.split(","):
        code = part.strip()[:2].lower()
        for language in terms.LANGUAGES:
            if language == code:
                return language
    return "en"


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
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
# browsers never display these as pages, so they need fewer headers; the service worker is not among them
FILES: Final = "/assets/"
FILE_TYPES: Final = ("text/javascript", "text/css")
FILE_HEADERS: Final = {
    name: HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")
}
UNUSED: Final = ("etag", "last-modified", "accept-ranges")  # pointless, as file names change with the content
ANSWERS: Final = "websocket.http.response"
REFUSED: Final = 403  # status for a socket closed before it is accepted


def headers_for(settings: Settings) -> dict[str, str]:
    """Return the headers for responses that a browser might display as a page."""
    secure = settings.public_url.startswith("https:")
    return HEADERS | ({"strict-transport-security": "max-age=31536000"} if secure else {})


class SecurityHeaders:
    """Outermost middleware that sets the security headers, even if other middleware fails."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._headers = headers_for(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request and add headers to its response."""
        opened = False

        async def secured(message: Message) -> None:
            nonlocal opened
            kind = message["type"]
            opened = opened or kind == "websocket.accept"
            if kind in ("http.response.start", "websocket.http.response.start"):
                self._set(scope, message)
            headers = [(name.encode(), value.encode()) for name, value in self._headers.items()]
            if kind == "websocket.accept":
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            if kind == "websocket.close" and not opened and ANSWERS in scope.get("extensions", {}):
                start = {"type": f"{ANSWERS}.start", "status": REFUSED, "headers": headers}
                await send(start)
                await send({"type": f"{ANSWERS}.body", "body": b"", "more_body": False})
                return
            await send(message)

        await self.app(scope, receive, secured)

    def _set(self, scope: Scope, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        kind = headers.get("content-type", "").partition(";")[0]
        is_file = scope["path"].startswith(FILES) and kind in FILE_TYPES and message["status"] == 200
        for name, value in (FILE_HEADERS if is_file else self._headers).items():
            headers.setdefault(name, value)
        for name in UNUSED if is_file else ():
            del headers[name]
        headers.setdefault("cache-control", "no-store")


CONFIRM_MINUTES: Final = 10
MAX_PENDING: Final = 10_000


class Confirmations:
    """Pending confirmations of dangerous requests, by person and action."""

    def __init__(self) -> None:
        self._pending = TTLCache[tuple[str, str], str](MAX_PENDING, CONFIRM_MINUTES * 60)

    def ask(self, who: str, what: str) -> str:
        """Return a token with which the person can confirm the action."""
        token = self._pending[who, what] = secrets.token_urlsafe(12)
        return token

    def check(self, who: str, what: str, token: str) -> None:
        """Raise ``ServerError("not_confirmed")`` unless the token is right; each token works once."""
        expected = self._pending.pop((who, what), "")
        if not (expected and secrets.compare_digest(expected.encode(), token.encode())):
            raise ServerError("not_confirmed", field="confirm", minutes=CONFIRM_MINUTES)
