"""Keeps what was worked out from the results of an event until they change."""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import Generic, TypeVar

from jantaku.server.storage.events import EventRow

Kept = TypeVar("Kept")


class ResultsCache(ABC, Generic[Kept]):
    """The results of the events that were asked for last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[tuple[str, int], asyncio.Task[Kept]] = OrderedDict()

    @abstractmethod
    async def compute(self, event: EventRow) -> Kept:
        """Work it out anew."""

    async def get(self, event: EventRow) -> Kept:
        """What belongs to an event; people who ask at the same time share one computation."""
        key = (event.id, event.results)
        if key not in self._known:
            self._known[key] = asyncio.create_task(self.compute(event))
        self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        task = self._known[key]
        try:
            return await asyncio.shield(task)
        except Exception:
            self._known.pop(key, None)  # the next one tries again
            raise
