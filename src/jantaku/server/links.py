"""Links that people hand on."""

import io
from typing import Final
from urllib.parse import urlsplit

import segno
from starlette.requests import Request

from jantaku.server.settings import Settings

HERE_ONLY: Final = ("localhost", "127.0.0.1", "::1")


def base_of_links(request: Request, settings: Settings) -> str:
    """What a link to this server begins with, so that it works on another device.

    The public address, else the one the request came to; an address that means each device itself gives
    way to the one in the network, where the server listens there.
    """
    if settings.public_url:
        return settings.public_url
    if settings.nearby_url and request.url.hostname in HERE_ONLY:
        return settings.nearby_url
    return str(request.base_url).rstrip("/")


def only_here(base: str) -> bool:
    """Whether a link works on this machine only."""
    return urlsplit(base).hostname in HERE_ONLY


def qr_code(url: str) -> str:
    """A link as a QR code in SVG."""
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False)
    return out.getvalue().decode()
