"""Reports database failures to the operator: once with the cause, and once when they are over."""

import logging
import time
from collections.abc import Callable

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
            LOG.error("The database %s fails: %s", self._where, self.cause(error))

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
