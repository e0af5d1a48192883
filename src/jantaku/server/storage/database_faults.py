"""Reports database failures to the operator: once with the cause, and once when they are over."""

import logging
import re
import time
from collections.abc import Callable
from typing import Final

FULL: Final = re.compile("is full|no space left", re.IGNORECASE)
THEN: Final = "Nothing is confirmed until it works again; the tables then go on by themselves."
LOG = logging.getLogger("jantaku.server")


class Faults:
    """What has been reported. ``hide`` removes passwords from a text."""

    def __init__(self, where: str, hide: Callable[[str], str]) -> None:
        self._where = where
        self._hide = hide
        self._since: float | None = None

    def note(self, error: BaseException) -> None:
        """Report the first failure; later ones are the same."""
        if self._since is None:
            self._since = time.monotonic()
            cause = self.cause(error)
            advice = "Free space on its disk. " if FULL.search(cause) else ""
            LOG.error("The database %s fails: %s. %s%s", self._where, cause, advice, THEN)

    @property
    def failing(self) -> bool:
        """Whether a failure has been reported that is not over."""
        return self._since is not None

    def over(self) -> None:
        """Report the recovery, if there was a failure."""
        if self._since is not None:
            LOG.warning("The database works again after %.0f s.", time.monotonic() - self._since)
            self._since = None

    def cause(self, error: BaseException) -> str:
        """The cause in one line, without passwords."""
        original = getattr(error, "orig", None) or error
        said = " ".join(str(original).split()) or "no answer in time"
        kind = type(original).__name__
        return self._hide(f"{kind}: {said}")
