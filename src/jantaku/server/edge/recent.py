"""The last of many values that are measured all the time."""

from collections import deque
from statistics import median
from typing import Final

KEPT: Final = 40


class Recent:
    """The last seconds that something took."""

    def __init__(self, most: int = KEPT) -> None:
        self._kept = deque[float](maxlen=most)

    def note(self, seconds: float) -> None:
        """It has taken so long."""
        self._kept.append(seconds)

    @property
    def middle_ms(self) -> float:
        """The median, in ms.

        >>> recent = Recent(2)
        >>> for seconds in (9, 0.001, 0.003):
        ...     recent.note(seconds)
        >>> recent.middle_ms, recent.longest_ms, Recent().longest_ms
        (2.0, 3.0, 0.0)
        """
        return round(1000 * median(self._kept), 1) if self._kept else 0.0

    @property
    def longest_ms(self) -> float:
        """The longest, in ms."""
        return round(1000 * max(self._kept, default=0.0), 1)
