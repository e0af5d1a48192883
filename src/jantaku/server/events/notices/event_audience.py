"""Tells open pages that an event has changed."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class EventListener:
    """An open page: the newest ``revision``, and a flag that is set while the page does not know it."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.news = asyncio.Event()
        self.news.set()


class EventAudience:
    """The open pages of all events."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, set[EventListener]] = defaultdict(set)

    def tell(self, event: str, revision: int) -> None:
        """Tell everybody who follows an event its new revision."""
        for listener in self._listeners.get(event, ()):
            listener.revision = max(listener.revision, revision)
            listener.news.set()

    def tell_all(self) -> None:
        """Tell everybody that something may have changed."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.news.set()

    @contextmanager
    def listening(self, event: str, revision: int) -> Iterator[EventListener]:
        """Follow an event, of which ``revision`` was read before."""
        listener = EventListener(revision)
        self._listeners[event].add(listener)
        try:
            yield listener
        finally:
            self._listeners[event].discard(listener)
            if not self._listeners[event]:
                del self._listeners[event]
