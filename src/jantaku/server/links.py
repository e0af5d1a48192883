"""Links that people hand on."""

from typing import Final
from urllib.parse import urlsplit

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
