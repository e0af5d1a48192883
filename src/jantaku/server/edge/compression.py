"""Compresses long answers that hold no secret: the size of a compressed one could tell about it."""

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

from jantaku.server.edge.accepted_encodings import accepted

OPEN: Final = ("/api/rules", "/api/terms/", "/api/explain", "/api/games/")
LEVEL: Final = 6


class Compression(GZipMiddleware):
    """Compresses the answers below the paths of ``OPEN`` alone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a socket and what may hold a secret pass as they are."""
        if scope["type"] == "http" and scope["path"].startswith(OPEN):
            takes = "gzip" in accepted(Headers(scope=scope))
            MutableHeaders(scope=scope)["accept-encoding"] = "gzip" if takes else "identity"
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)
