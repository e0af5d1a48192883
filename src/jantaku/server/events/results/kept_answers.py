"""Answers about events that cost much, or that many ask for at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final

from jantaku.bounded import Newest

MOST_FILES: Final = 16
MOST_SCREENS: Final = 256
FRESH_S: Final = 1.0


class KeptAnswers:
    """The newest ``most`` answers. Those who ask at the same time share the work.

    ``lasts_s``: how long an answer is good, if not for as long as its key is asked for.
    """

    def __init__(self, most: int, lasts_s: float | None = None) -> None:
        self._known = Newest[Hashable, tuple[float, asyncio.Task[Any]]](most)
        self._lasts_s = lasts_s

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Any]]) -> Any:
        """The answer to a key, worked out unless it is known."""
        began, task = self._known.get(key, (0.0, None))
        if task is None or (self._lasts_s is not None and time.monotonic() - began >= self._lasts_s):
            task = asyncio.create_task(_answer(work))
            self._known[key] = (time.monotonic(), task)
        self._known.move_to_end(key)
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(key, (0.0, None))[1] is task:
                del self._known[key]  # the next one tries again
            raise


async def _answer(work: Callable[[], Awaitable[Any]]) -> Any:
    return await work()
