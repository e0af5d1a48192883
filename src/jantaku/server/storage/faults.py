"""Telling whoever runs the server that the database fails: once with the cause, and once when it is over."""

import logging
import time
from collections.abc import Callable

LOG = logging.getLogger("jantaku.server")


class Faults:
    """What has been told. ``hide`` takes passwords out of a text."""

    def __init__(self, where: str, hide: Callable[[str], str]) -> None:
        self._where = where
        self._hide = hide
        self._since: float | None = None

    def note(self, error: BaseException) -> None:
        """Tell the first failure; those that follow are the same one."""
        if self._since is None:
            self._since = time.monotonic()
            LOG.error("The database %s fails: %s", self._where, self.cause(error))

    def over(self) -> None:
        """Tell that it works again, if it did not."""
        if self._since is not None:
            LOG.warning("The database works again after %.0f s.", time.monotonic() - self._since)
            self._since = None

    def cause(self, error: BaseException) -> str:
        """Why it fails, in one line and without passwords."""
        original = getattr(error, "orig", None) or error
        said = " ".join(str(original).split()) or "no answer in time"
        kind = type(original).__name__
        return self._hide(f"{kind}: {said}")
