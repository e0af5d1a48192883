"""Sends mail to people through the owner's mail server."""

import asyncio
import logging
import re
import ssl
import unicodedata
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

import aiosmtplib

from jantaku.server.settings import Outside, Settings

LOG: Final = logging.getLogger("jantaku.server")
ADDRESS: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}")
MOST_ADDRESS: Final = 254
SEND_S: Final = 20.0
MOST_WAITING: Final = 200  # mails on their way
PORTS: Final = {"smtp": 587, "smtps": 465}


def address_of(text: str) -> str | None:
    r"""A mail address as it is compared and written to; ``None`` if it is none.

    >>> address_of(" Mina@Example.ORG "), address_of("a@b"), address_of("a@b.org\r\nBcc: c@d.org")
    ('mina@example.org', None, None)
    """
    address = unicodedata.normalize("NFKC", text).strip().lower()
    return address if len(address) <= MOST_ADDRESS and ADDRESS.fullmatch(address) else None


class Mail:
    """The mail server; requests never wait for it, so that nothing shows whether a mail was sent."""

    def __init__(self, settings: Settings) -> None:
        self._outside = settings.outside
        self._sending: set[asyncio.Task[None]] = set()
        # links in mails lead to the public address alone, never to a name that a request came with
        self.possible = bool(self._outside.smtp and self._outside.mail_from and settings.public_url)

    def send(self, to: str, subject: str, text: str) -> None:
        """Begin to send a mail; failures are logged without the address."""
        if len(self._sending) >= MOST_WAITING:
            LOG.error("a mail was not sent: too many wait")
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._outside.mail_from, to, subject
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        task = asyncio.create_task(_deliver(self._outside, message), name="mail")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


async def _deliver(outside: Outside, message: EmailMessage) -> None:
    server = urlsplit(outside.smtp)
    user, password = unquote(server.username or ""), unquote(server.password or "")
    safe = server.scheme == "smtps"
    try:
        await aiosmtplib.send(
            message,
            hostname=server.hostname,
            port=server.port or PORTS.get(server.scheme, 25),
            username=user or None,
            password=password or None,
            use_tls=safe,
            # a password is never sent in the clear, whatever somebody between us and the server answers
            start_tls=None if safe or not user else True,
            timeout=SEND_S,
        )
    except (aiosmtplib.SMTPException, OSError, ssl.SSLError, ValueError) as error:
        LOG.error("a mail was not sent: %s", type(error).__name__)  # its text may name people
