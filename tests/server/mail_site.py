"""A server that sends mails, and the mail server that keeps them."""

import time
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from server.openid_provider import Provider


class Box:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail."""
        self.mails.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        return "250 OK"

    def to(self, address: str, number: int = 1) -> list[str]:
        """The texts of the mails to an address, once there are so many."""
        ends = time.monotonic() + 10
        while len(found := [mail.get_content() for to, mail in self.mails if to == [address]]) < number:
            assert time.monotonic() < ends, self.mails
            time.sleep(0.02)
        return found


@dataclass
class Site:
    """A server with a mail server and a provider."""

    url: str
    box: Box
    provider: Provider
    data: Path
