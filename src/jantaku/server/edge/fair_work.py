"""Heavy work, in the server's process or in workers: a little at a time, by turns among addresses and people.

However many requests one sends, others wait for at most the piece that is being worked on, and what the work
needs of memory it needs once. A question to the lab rests after a turn while others wait.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from jantaku.bounded import Newest
from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.memory import give_back
from jantaku.server.errors import ServerError

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


class FairWork:
    """The line of those who want something worked out; ``share`` is how many pieces one may have in it."""

    def __init__(self, share: Quota, at_once: int = 1) -> None:
        self._share = share
        self._turns = Turns(at_once)
        self._held: list[Holder] = []

    @asynccontextmanager
    async def turn(self, holder: Holder) -> AsyncIterator[None]:
        """Wait for one's turn and keep it during the block; raises ``busy`` if too much of one's waits."""
        if self._share.passed(holder, ((holder, 1) for holder in self._held)) is not None:
            raise ServerError("busy")
        turn = Turn(holder)
        self._held.append(holder)
        self._turns.join(turn)
        try:
            await turn.on.wait()
            yield
        finally:
            self._turns.leave(turn)
            self._held.remove(holder)
            if not self._held:
                give_back()
