"""Guards of all requests: host names, origins, sizes, rates, repetition, and security headers."""

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
from jantaku.server.edge.work import give_back
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings
from jantaku.server.tasks import to_the_end

SMALL: Final = 4096  # bytes of a body that counts for nothing, so that whoever holds up others still plays


class BodyRoom:
    """The memory of bodies that have begun: one that never comes to its end holds it, too."""

    def __init__(self, of_address: int, of_all: int) -> None:
        self._share = Share(Quota(inf, of_address, of_all))

    @contextmanager
    def holding(self, address: str, size: int) -> Iterator[None]:
        """Keep room for a body during the block; raises ``busy`` if an address, or all, hold too much."""
        if size <= SMALL:
            yield
            return
        with self._share.holding(Principal(address, address), size):
            try:
                yield
            finally:
                if size >= LARGE:
                    give_back()


class BodyRefusedError(Exception):
    """A body exceeded a limit while it was read."""


class Body:
    """Counts a body while it is read, and stops it if it becomes too long or takes too long."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self.refused: ServerError | None = None
        self._most = most
        self._receive = receive
        self._received = 0
        self._whole = False
        self._ends = time.monotonic() + seconds

    async def receive(self) -> Message:
        """The next part. After the last part it waits for the disconnect, without a time limit."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._ends - time.monotonic())):
                message = await self._receive()
        except TimeoutError as error:
            raise self._refuse(ServerError("too_slow")) from error
        self._whole = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._received > self._most:
            raise self._refuse(ServerError("too_large", most=self._most))
        return message

    def _refuse(self, error: ServerError) -> BodyRefusedError:
        self.refused = error
        return BodyRefusedError(error.code)


class LimitedAnswer:
    """Sends the response, unless the body was refused: then the response would only be about that."""

    def __init__(self, send: Send, body: Body) -> None:
        self.began = False
        self._send = send
        self._body = body

    async def send(self, message: Message) -> None:
        """Pass on a part of the response."""
        if self.began or self._body.refused is None:
            self.began = True
            await self._send(message)


_HOST: Final = re.compile(rb"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


class Hosts:
    """The names this server answers to.

    They are ``localhost``, the machine's own name and addresses, the host of the public address, and the
    names in ``settings.hosts``.
    """

    def __init__(self, settings: Settings) -> None:
        own = socket.gethostname().lower().removesuffix(".local")
        urls = (urlsplit(url).hostname for url in (settings.public_url, settings.nearby_url))
        more = (name.lower().strip("[]") for name in settings.hosts)
        self._names = {"localhost", own, f"{own}.local", *urls, *more} - {None, ""}

    def allow(self, scope: Scope) -> bool:
        """Whether a request or a socket names this server."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            return False
        name = (match[1] or match[2]).decode("ascii").lower().removesuffix(".")
        return name in self._names or _is_own_address(name, scope)


def _is_own_address(name: str, scope: Scope) -> bool:
    """Whether this is an address of this machine: the loopback, or the one the connection arrived at."""
    try:
        address = ip_address(name)
        return address.is_loopback or address == ip_address((scope.get("server") or ("",))[0])
    except ValueError:
        return False


ONCE: Final = "once"  # the header of a request that counts once
WINDOW_S: Final = 5.0
LONGEST_S: Final = 60.0  # what another process carries out may take so long
MOST_KEPT: Final = 10_000


class RepeatedRequests:
    """What was done in the last seconds, or is being done: requests by digest, and how long each counts.

    ``noted`` is called with these, so that other processes refuse the same request, too.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._until: dict[str, float] = {}
        self._now = now
        self.noted: Callable[[str, float], None] = lambda _key, _lasts_s: None

    def note(self, key: str, lasts_s: float) -> None:
        """Another process carries out a request."""
        self._until[key] = self._now() + lasts_s

    @contextmanager
    def once(self, person: str, path: str, body: bytes, lasts_s: float = WINDOW_S) -> Iterator[None]:
        """Carry out a request of a person; raises ``just_done`` if the same one was or is carried out."""
        key = hashlib.sha256(b"\0".join((person.encode(), path.encode(), body))).hexdigest()
        if self._until.get(key, 0.0) > self._now():
            raise ServerError("just_done")
        self._prune()
        self._until[key] = inf
        self.noted(key, LONGEST_S)
        try:
            yield
        except BaseException:
            del self._until[key]
            self.noted(key, 0.0)
            raise
        self._until[key] = self._now() + lasts_s
        self.noted(key, lasts_s)

    def _prune(self) -> None:
        if len(self._until) >= MOST_KEPT:
            now = self._now()
            self._until = {key: until for key, until in self._until.items() if until > now}


UPLOADS: Final = re.compile(r"/api/(uploads|events/[^/]+/logs(/preview)?)")
EVENT_FILES: Final = "/api/events/import"
CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
FORWARDED: Final = "jantaku.carried"  # in the scope of what another process of the site has let pass
MOST_HOST: Final = 100  # characters of a refused name to repeat
MARKS: Final = "jantaku.marks"  # in the scope of what is forwarded: the hashes of its cookies
WRONG_HOST: Final = 4403


def same_origin(headers: Headers, public_url: str) -> bool:
    """Whether a request comes from a page of this server; programs that send no ``Origin`` are allowed."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in (None, "same-origin", "none")
    allowed = {headers.get("host", ""), urlsplit(public_url).netloc}
    try:
        return urlsplit(origin).netloc in allowed - {""}
    except ValueError:  # as of ``http://[``
        return False


class Guard:
    """Refuses requests that are too many, too large, of the wrong type or from another site; sets headers."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates) -> None:
        self.app = app
        self.settings = settings
        limits = settings.limits
        self._hosts = Hosts(settings)
        self._room = BodyRoom(limits.bodies_of_address, limits.bodies)
        self._file_room = BodyRoom(limits.file_bytes, 2 * limits.file_bytes)
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with an error."""
        if FORWARDED in scope:
            return await self._forwarded(scope, receive, send)
        if "\0" in scope.get("path", ""):  # PostgreSQL stores no such text, so nothing has it in its address
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
                held.enter_context(room.holding(client_of(scope), self._expected(scope)))
            except ServerError as error:
                return await refuse(scope, send, error)
            await self._answer(scope, receive, send)
        return None

    async def _forwarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the guard of another process has let pass."""
        address = client_of(scope)
        ASKER.set(Principal(address, address))
        if scope["type"] == "http" and self._rates.exhausted(address):  # at all gateways together
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
        """How many bytes the body may have: as many as it says, or all that it may if it does not say."""
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        said = "transfer-encoding" not in headers and length.isascii() and length.isdigit()
        return int(length) if said else self._size_limit(scope)

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
        if not (length.isascii() and length.isdigit()) or int(length) > self._size_limit(scope):
            raise ServerError("too_large", most=self._size_limit(scope))
        body = length != "0" or "transfer-encoding" in headers
        if body and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise ServerError("not_json_type")


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
# A browser never shows these as pages, so they need no rules for pages; the worker's script lies elsewhere
FILES: Final = "/assets/"
FILE_TYPES: Final = ("text/javascript", "text/css")
FILE_HEADERS: Final = {
    name: HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")
}
UNUSED: Final = ("etag", "last-modified", "accept-ranges")  # their names change with the contents
ANSWERS: Final = "websocket.http.response"
REFUSED: Final = 403  # what a browser is answered whose socket is closed before it is accepted


def headers_for(settings: Settings) -> dict[str, str]:
    """The headers of whatever a browser might show as a page."""
    secure = settings.public_url.startswith("https:")
    return HEADERS | ({"strict-transport-security": "max-age=31536000"} if secure else {})


class SecurityHeaders:
    """Sets them around the whole application, also where its middleware has failed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._headers = headers_for(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
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
MOST_QUESTIONS: Final = 10_000


class Confirmations:
    """The questions that have been asked, by who was asked and about what."""

    def __init__(self) -> None:
        self._asked = TTLCache[tuple[str, str], str](MOST_QUESTIONS, CONFIRM_MINUTES * 60)

    def ask(self, who: str, what: str) -> str:
        """A token for the second request."""
        token = self._asked[who, what] = secrets.token_urlsafe(12)
        return token

    def check(self, who: str, what: str, token: str) -> None:
        """Raise ``not_confirmed`` unless the token is that of the question; it can be used once."""
        expected = self._asked.pop((who, what), "")
        if not (expected and secrets.compare_digest(expected.encode(), token.encode())):
            raise ServerError("not_confirmed", field="confirm", minutes=CONFIRM_MINUTES)
