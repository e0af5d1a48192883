"""The daily table: at a fixed hour of the parlour everybody who is there plays at once."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from jantaku.server.ranked.ladder import LADDERS, RankedLine

OFF: Final = "off"
REMIND_S: Final = 600.0  # before it begins
DAILY_PLAYERS: Final = LADDERS[0]
LATELY_S: Final = 60.0  # for so long it may begin late, as the steward has ended at that moment
BOTS_AFTER_S: Final = 30.0  # for whom somebody at the daily table has not come


def line_of(people: int) -> RankedLine:
    """What a table of so many people plays."""
    return RankedLine("standard", "east", people if people in LADDERS else DAILY_PLAYERS)


def next_daily(clock: str, now: datetime) -> datetime | None:
    """The next time at which the clock shows this; ``None`` if there is no daily table.

    >>> [str(next_daily("21:00", datetime(2025, 11, 26, hour, 30))) for hour in (20, 21)]
    ['2025-11-26 21:00:00', '2025-11-27 21:00:00']
    """
    if clock == OFF:
        return None
    hour, minute = map(int, clock.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


class DailyHour:
    """Says once a day that it is time to remind people, and that the tables begin."""

    def __init__(self, clock: str, now: Callable[[], datetime] = datetime.now) -> None:
        self._clock, self._now = clock, now
        self.next = next_daily(clock, now())
        self._reminded = False
        self._began = -LATELY_S

    def left_s(self) -> float | None:
        """The seconds until it begins."""
        return None if self.next is None else (self.next - self._now()).total_seconds()

    def reminds(self) -> bool:
        """Whether it is time to remind people; once."""
        left = self.left_s()
        due = left is not None and left <= REMIND_S and not self._reminded
        self._reminded |= due
        return due

    @property
    def lately(self) -> bool:
        """Whether it began a moment ago, with this process or another one."""
        return time.monotonic() - self._began < LATELY_S

    def pass_by(self) -> None:
        """Let the time pass, while another process looks after it."""
        self.reminds()
        self.begins()

    def begins(self) -> bool:
        """Whether it is time to begin; once."""
        left = self.left_s()
        if left is None or left > 0:
            return False
        self._began = time.monotonic()
        self.next, self._reminded = next_daily(self._clock, self._now()), False
        return True
