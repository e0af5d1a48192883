"""Whose question the lab works on next: addresses take turns, at each of them people.

A question that has been worked on for a turn rests while others wait, so that nobody is held up by long ones.
"""

import asyncio
import time
from typing import Final

from jantaku.bounded import Newest
from jantaku.server.edge.holdings import Holder

TURN_S: Final = 15.0
REMEMBERED: Final = 1000  # addresses and people whose last turn is known


class Turn:
    """What waits in the line, and while ``on`` is set works."""

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.on = asyncio.Event()
        self.began = 0.0


class Turns:
    """The line of all who want to work; ``at_once`` of them do."""

    def __init__(self, at_once: int) -> None:
        self._at_once = max(1, at_once)
        self._working: list[Turn] = []
        self._line: list[Turn] = []
        self._last = Newest[str, int](REMEMBERED)  # the number of the last turn of each
        self._number = 0

    def join(self, turn: Turn) -> None:
        """Wait for a turn, or have it at once."""
        self._line.append(turn)
        self._go_on()

    def leave(self, turn: Turn) -> None:
        """The work is done, or nobody wants it any more."""
        for line in (self._line, self._working):
            if turn in line:
                line.remove(turn)
        self._go_on()

    def rest(self, turn: Turn) -> bool:
        """End the turn if it has lasted long enough and somebody waits; whether it has ended."""
        if turn not in self._working or not self._line or time.monotonic() - turn.began < TURN_S:
            return False
        self._working.remove(turn)
        turn.on.clear()
        self._line.append(turn)
        self._go_on()
        return not turn.on.is_set()

    def ahead(self, turn: Turn) -> int:
        """How many come before it."""
        if turn not in self._line:
            return 0
        return len(self._working) + sorted(self._line, key=self._order).index(turn)

    def _order(self, turn: Turn) -> tuple[int, int]:
        """Whoever had a turn longest ago comes first; the line keeps the order of the others."""
        address, person = (self._last.get(key, 0) for key in (turn.holder.address, turn.holder.person))
        return address, person

    def _go_on(self) -> None:
        while self._line and len(self._working) < self._at_once:
            turn = min(self._line, key=self._order)
            self._line.remove(turn)
            self._working.append(turn)
            self._number += 1
            for key in turn.holder:
                self._last[key] = self._number
            turn.began = time.monotonic()
            turn.on.set()
