"""A site that sends mail, and the mail server that stores its messages."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from jantaku.server.settings import Outside
from server.openid_provider import CLIENT, SECRET, Provider, provided
from server.parlour import fast_settings, free_port, open_server

SITE = "http://parlour.example.org"  # plain http, so that HTTP clients return the site's cookies


class Box:
    """A mail server that stores every message."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Store a message (called by aiosmtpd)."""
        self.mails.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        return "250 OK"

    def to(self, address: str, number: int = 1) -> list[str]:
        """Wait until an address has received ``number`` messages; return their texts."""
        ends = time.monotonic() + 10
        while len(mails := [mail.get_content() for to, mail in self.mails if to == [address]]) < number:
            assert time.monotonic() < ends, self.mails
            time.sleep(0.02)
        return mails


@dataclass
class Site:
    """A server with a mail server and an OpenID provider."""

    url: str
    box: Box
    provider: Provider
    data: Path


@contextmanager
def mail_site(data: Path, public_url: str = SITE, port: int = 0, **settings: Any) -> Iterator[Site]:
    """Run a server with these ``settings``, together with its mail server and OpenID provider."""
    box = Box()
    post = Controller(box, hostname="127.0.0.1", port=free_port())
    post.start()
    with provided() as provider:
        outside = Outside(
            smtp=f"smtp://127.0.0.1:{post.port}",
            mail_from="parlour@example.org",
            oidc=provider.issuer,
            oidc_client=CLIENT,
            oidc_secret=SECRET,
            oidc_name="Club",
        )
        with open_server(
            fast_settings(data, public_url=public_url, outside=outside, **settings), port=port
        ) as url:
            yield Site(url, box, provider, data)
    post.stop()
