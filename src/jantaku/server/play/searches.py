"""Searches of bots at tables, in threads beside the event loop. The load decides how long they take.

A search takes up to ``FULL_S``, divided by the number of decisions per thread, and ends before its decision
is due. If that leaves less than ``LEAST_S``, there is no search. So at most ``FULL_S / LEAST_S`` decisions
per thread wait or run, and a busy server plays the rest without a search.
"""

import asyncio
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from jantaku.bots.search import Settings, position_to_act, search
from jantaku.game import Action, Game
from jantaku.kernels._jit import COMPILED

FULL_S: Final = 0.2
LEAST_S: Final = 0.05  # about the time of the fewest deals that a search plays out
THREADS: Final = max(1, (os.cpu_count() or 1) - 1)  # one core remains for the event loop
_CHANCE: Final = random.SystemRandom()


class Searches:
    """The searches of one process. Compiled code does not hold Python's lock, so the event loop goes on."""

    def __init__(self, threads: int = THREADS) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, "search")
        self._lock = threading.Lock()
        self._pending = 0  # waiting and running

    def budget_s(self, ends: float) -> float:
        """Return how long a search may take that must end at ``ends`` (monotonic time); 0: none."""
        given = min(FULL_S / max(1.0, self._pending / self._threads), ends - time.monotonic())
        return given if COMPILED and given >= LEAST_S else 0.0

    async def choose(self, game: Game, seat: int, ends: float) -> Action | None:
        """Return the action found by a search, ``None`` if there is no time for one.

        ``game`` must not change meanwhile. Raises what the search raises.
        """
        if not self.budget_s(ends):
            return None
        self._count(1)
        try:
            running = self._pool.submit(self._search, game, seat, ends)
        except RuntimeError:  # the process exits
            self._count(-1)
            return None
        running.add_done_callback(lambda _: self._count(-1))  # a cancelled search still uses its thread
        return await asyncio.wrap_future(running)

    def _count(self, change: int) -> None:
        with self._lock:
            self._pending += change

    def _search(self, game: Game, seat: int, ends: float) -> Action | None:
        budget = self.budget_s(ends)  # others may have finished or arrived while this one waited
        if not budget:
            return None
        settings = Settings(budget_ms=1000 * budget, seed=_CHANCE.getrandbits(32))
        return search(position_to_act(game, seat), settings).chosen
