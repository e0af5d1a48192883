"""Refuses a request that comes again right after it was carried out: a double click, or a lost answer.

Only requests that add something each time need it. One that failed may come again at once.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Final

from jantaku.server.errors import ServerError

ONCE: Final = "once"  # the header of a request that counts once
WINDOW_S: Final = 5.0
MOST_KEPT: Final = 10_000


class RepeatedRequests:
    """What was done in the last seconds, or is being done: requests by digest, and how long each counts."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._until: dict[str, float] = {}
        self._now = now

    @contextmanager
    def once(self, person: str, path: str, body: bytes, lasts_s: float = WINDOW_S) -> Iterator[None]:
        """Carry out a request of a person; raises ``just_done`` if the same one was or is carried out."""
        key = hashlib.sha256(b"\0".join((person.encode(), path.encode(), body))).hexdigest()
        if self._until.get(key, 0.0) > self._now():
            raise ServerError("just_done")
        self._prune()
        self._until[key] = inf
        try:
            yield
        except BaseException:
            del self._until[key]
            raise
        self._until[key] = self._now() + lasts_s

    def _prune(self) -> None:
        if len(self._until) >= MOST_KEPT:
            now = self._now()
            self._until = {key: until for key, until in self._until.items() if until > now}
