"""Logs fetched by a link, only from hosts that the owner has listed, with the guards of webhooks."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from jantaku.server.archive.replay_bodies import MOST_TEXT
from jantaku.server.edge.outgoing_requests import OutgoingError, fetch
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

MOST_NAME: Final = 100


def allowed(url: str, hosts: Sequence[str]) -> bool:
    """Whether the host of a link is listed, itself and not only its end.

    >>> [allowed(f"https://{host}/x", ["a.net"]) for host in ("a.net", "b.a.net", "a.net.b")]
    [True, False, False]
    """
    try:
        parts = urlsplit(url)
        return parts.hostname in hosts and "@" not in parts.netloc
    except ValueError:
        return False


async def fetched(url: str, settings: Settings) -> tuple[str, str]:
    """The text behind a link, and its name. Raises ``fetch_refused``, ``fetch_failed``."""
    if not allowed(url, settings.outside.log_hosts):
        raise ServerError("fetch_refused", field="url")
    try:
        body = await fetch(url, MOST_TEXT, settings.webhook_hosts)
        text = body.decode("utf-8")
    except (OutgoingError, UnicodeDecodeError) as error:
        raise ServerError("fetch_failed", field="url") from error
    return text, url[:MOST_NAME]
