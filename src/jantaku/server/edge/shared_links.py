"""Links that people share."""

import io
from typing import Final
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import Response

from jantaku.server.edge.shared_bodies import Invite
from jantaku.server.settings import Settings

HERE_ONLY: Final = ("localhost", "127.0.0.1", "::1")


def base_of_links(request: Request, settings: Settings) -> str:
    """The first part of a link to this server that works on another device.

    It is the public address, else the address the request used. A loopback address is replaced by the one in
    the local network if the server listens there.
    """
    if settings.public_url:
        return settings.public_url
    if settings.nearby_url and request.url.hostname in HERE_ONLY:
        return settings.nearby_url
    return str(request.base_url).rstrip("/")


def invite_to(request: Request, settings: Settings, path: str) -> Invite:
    """The link of a page for other people."""
    base = base_of_links(request, settings)
    return Invite(url=f"{base}{path}", only_here=urlsplit(base).hostname in HERE_ONLY)


def qr_code(url: str) -> str:
    """A link as a QR code in SVG."""
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False)
    return out.getvalue().decode()


def qr_page(link: Invite) -> Response:
    """The picture of a link as a response."""
    return Response(qr_code(link.url), media_type="image/svg+xml")
