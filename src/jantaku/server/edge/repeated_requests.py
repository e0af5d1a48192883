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
LONGEST_S: Final = 60.0  # what another process carries out may take so long
MOST_KEPT: Final = 10_000


class RepeatedRequests:
    """What was done in the last seconds, or is being done: requests by digest, and how long each counts.

    ``noted`` is called with these, so that other processes refuse the same request, too.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._until: dict[str, float] = {}
        self._now = now
        self.noted: Callable[[str, float], None] = lambda _key, _lasts_s: None

    def note(self, key: str, lasts_s: float) -> None:
        """Another process carries out a request."""
        self._until[key] = self._now() + lasts_s

    @contextmanager
    def once(self, person: str, path: str, body: bytes, lasts_s: float = WINDOW_S) -> Iterator[None]:
        """Carry out a request of a person; raises ``just_done`` if the same one was or is carried out."""
        key = hashlib.sha256(b"\0".join((person.encode(), path.encode(), body))).hexdigest()
        if self._until.get(key, 0.0) > self._now():
            raise ServerError("just_done")
        self._prune()
        self._until[key] = inf
        self.noted(key, LONGEST_S)
        try:
            yield
        except BaseException:
            del self._until[key]
            self.noted(key, 0.0)
            raise
        self._until[key] = self._now() + lasts_s
        self.noted(key, lasts_s)

    def _prune(self) -> None:
        if len(self._until) >= MOST_KEPT:
            now = self._now()
            self._until = {key: until for key, until in self._until.items() if until > now}
