"""Time to think: a window for claims; on one's own turn some seconds, then a reserve."""

from collections.abc import Callable
from dataclasses import dataclass

from jantaku.rules.options import ClockOptions

Now = Callable[[], float]


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """Seconds left of ``of``, and whether they belong to the reserve."""

    seconds: float
    of: float
    reserve: bool = False


class Reserve:
    """The player's clock; ``refill`` fills the reserve at the start of every hand."""

    def __init__(self, clock: ClockOptions | None, now: Now) -> None:
        self._clock, self._now = clock, now
        self._bank = 0.0
        self._begun = 0.0
        self._free = 0.0
        self._with_bank = False
        self.refill()

    def refill(self) -> None:
        """Refill the reserve."""
        self._bank = float(self._clock.bank_s) if self._clock else 0.0

    def start(self, *, claim: bool) -> None:
        """Start the clock."""
        self._begun, self._with_bank = self._now(), not claim
        if self._clock:
            self._free = float(self._clock.claim_window_s if claim else self._clock.turn_s)

    def left(self) -> TimeLeft | None:
        """The time left; ``None`` if there is no limit."""
        if self._clock is None:
            return None
        used = self._now() - self._begun
        if used < self._free or not self._with_bank:
            return TimeLeft(max(0.0, self._free - used), self._free)
        bank = float(self._clock.bank_s)
        return TimeLeft(max(0.0, self._bank - (used - self._free)), bank, reserve=True)

    @property
    def is_over(self) -> bool:
        """Whether the time has run out."""
        left = self.left()
        if left is None or left.seconds > 0:
            return False
        return left.reserve or not self._with_bank

    def extend(self, seconds: float) -> None:
        """Give back time during which the player could not think."""
        self._begun += seconds

    def stop(self) -> None:
        """Stop the clock and deduct the time beyond the free time from the reserve."""
        used = self._now() - self._begun
        if self._with_bank:
            self._bank = max(0.0, self._bank - max(0.0, used - self._free))
