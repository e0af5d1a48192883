"""The security headers of every answer: of pages, files, refusals, errors and refused sockets."""

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
