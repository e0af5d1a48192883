"""What cannot be undone is asked twice: the first answer has a token that the second request repeats."""

import secrets
import time
from typing import Final

from jantaku.bounded import Newest
from jantaku.server.errors import ServerError

MINUTES: Final = 10
MOST: Final = 10_000


class Confirmations:
    """The questions that have been asked, by who was asked and about what."""

    def __init__(self) -> None:
        self._asked = Newest[tuple[str, str], tuple[str, float]](MOST)

    def ask(self, who: str, what: str) -> str:
        """A token for the second request."""
        token = secrets.token_urlsafe(12)
        self._asked[who, what] = (token, time.monotonic() + MINUTES * 60)
        return token

    def check(self, who: str, what: str, token: str) -> None:
        """Raise ``not_confirmed`` unless the token is that of the question; it can be used once."""
        expected, ends = self._asked.pop((who, what), ("", 0.0))
        right = secrets.compare_digest(expected.encode(), token.encode())
        if not (expected and right and time.monotonic() < ends):
            raise ServerError("not_confirmed", field="confirm", minutes=MINUTES)
