"""Protects the application from outside requests: headers, origins, sizes and rates."""

import re
from collections.abc import Awaitable
from contextlib import ExitStack, suppress
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from jantaku import terms
from jantaku.server.edge.body_limits import Answer, Body, BodyRefusedError, BodyRoom
from jantaku.server.edge.client_address import client_of
from jantaku.server.edge.compact_json import dumps
from jantaku.server.edge.holdings import ASKER, Holder
from jantaku.server.edge.hosts import Hosts
from jantaku.server.edge.shielded import to_the_end
from jantaku.server.edge.token_buckets import Rates
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

UPLOADS: Final = re.compile(r"/api/(uploads|events/[^/]+/logs(/preview)?)")
EVENT_FILES: Final = "/api/events/import"
CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
CARRIED: Final = "jantaku.carried"  # in the scope of what another process of the site has let pass
MOST_HOST: Final = 100  # characters of a refused name to repeat
MARKS: Final = "jantaku.marks"  # in the scope of what is carried: the hashes of its cookies
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
        if CARRIED in scope:
            return await self._carried(scope, receive, send)
        if "\0" in scope.get("path", ""):  # PostgreSQL stores no such text, so nothing has it in its address
            scope = {**scope, "path": scope["path"].replace("\0", "\ufffd")}
        if scope["type"] == "websocket" and not self._hosts.allow(scope):
            return await send({"type": "websocket.close", "code": WRONG_HOST})
        if scope["type"] in ("http", "websocket"):
            ASKER.set(Holder(client_of(scope), client_of(scope)))
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

    async def _carried(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the guard of another process has let pass."""
        address = client_of(scope)
        ASKER.set(Holder(address, address))
        if scope["type"] == "http" and self._rates.exhausted(address):  # at all gateways together
            return await refuse(scope, send, ServerError("too_many"))
        work = self.app(scope, receive, send)
        await (to_the_end(_as_coroutine(work)) if scope.get("method") in CHANGING else work)
        return None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self.settings.limits
        seconds = limits.file_s if scope["path"] == EVENT_FILES else limits.body_s
        body = Body(receive, self._size_limit(scope), seconds)
        answer = Answer(send, body)
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
