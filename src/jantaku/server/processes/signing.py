"""Signatures of what the processes of a site send each other, which alone have the key."""

import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

from jantaku.bounded import Newest

SIGNATURE: Final = 32
SENDER: Final = 8
COUNT: Final = 8
HEAD: Final = SIGNATURE + SENDER + COUNT
FRESH_NS: Final = 30 * 10**9  # the clocks of two machines may differ by so much
MOST_SENDERS: Final = 10_000


class Signer:
    """Signs the messages of one connection, and checks those of others.

    A message has the time of its sending in nanoseconds, which grows with each. A copy that comes again, at
    another subject, or late is refused.
    """

    def __init__(self, key: bytes, now: Callable[[], int] = time.time_ns) -> None:
        self._key, self._now = key, now
        self._sender = secrets.token_bytes(SENDER)
        self._sent = 0
        self._newest = Newest[tuple[str, bytes], int](MOST_SENDERS)

    def sign(self, subject: str, data: bytes) -> bytes:
        """The data with their signature."""
        self._sent = max(self._sent + 1, self._now())
        signed = self._sender + self._sent.to_bytes(COUNT) + data
        return self._signature(subject, signed) + signed

    def read(self, subject: str, message: bytes) -> bytes | None:
        """The data of a message; ``None`` if it is not from the site, or comes again or late."""
        signature, signed = message[:SIGNATURE], message[SIGNATURE:]
        if len(message) < HEAD or not hmac.compare_digest(signature, self._signature(subject, signed)):
            return None
        sender, sent = (subject, signed[:SENDER]), int.from_bytes(signed[SENDER : SENDER + COUNT])
        if sent <= self._newest.get(sender, 0) or abs(self._now() - sent) > FRESH_NS:
            return None
        self._newest[sender] = sent
        return signed[SENDER + COUNT :]

    def _signature(self, subject: str, signed: bytes) -> bytes:
        return hmac.digest(self._key, subject.encode() + b"\0" + signed, "sha256")
