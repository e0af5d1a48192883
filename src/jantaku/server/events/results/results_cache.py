"""Keeps what was worked out from the results of an event until they change."""

import asyncio
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from jantaku.bounded import Newest
from jantaku.server.storage.events import EventRow

Kept = TypeVar("Kept")


class ResultsCache(ABC, Generic[Kept]):
    """The results of the events that were asked for last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._known = Newest[str, tuple[int, asyncio.Task[Kept]]](most)

    @abstractmethod
    async def compute(self, event: EventRow) -> Kept:
        """Work it out anew."""

    async def get(self, event: EventRow) -> Kept:
        """What belongs to an event; people who ask at the same time share one computation."""
        results, task = self._known.get(event.id, (None, None))
        if task is None or results != event.results:
            task = asyncio.create_task(self.compute(event))
            self._known[event.id] = (event.results, task)
        self._known.move_to_end(event.id)
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(event.id, (None, None))[1] is task:
                del self._known[event.id]  # the next one tries again
            raise
