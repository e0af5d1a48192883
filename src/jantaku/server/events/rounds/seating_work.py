"""Seatings that are being computed: one for each stage, in the background, and to be cancelled at will."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from jantaku import terms
from jantaku.errors import JantakuError, RequestError
from jantaku.server.edge.shared_bodies import Problem
from jantaku.server.errors import ServerError
from jantaku.server.events.rounds.round_bodies import RoundMaker, SeatingWork
from jantaku.server.events.rounds.seating_jobs import part_done

SOON_S: Final = 1.5  # most seatings are ready by then, and the request waits so long
MOST_FAILED: Final = 100
Key = tuple[str, str]  # event and stage
Work = Callable[[Path], Awaitable[None]]


class _Running:
    """A computation, and where its worker writes how far it is."""

    def __init__(self, how: RoundMaker, work: Work) -> None:
        self.how = how
        self._folder = TemporaryDirectory(prefix="jantaku-seating-")
        self.progress = Path(self._folder.name) / "part"
        self.task = asyncio.create_task(self._run(work))

    async def _run(self, work: Work) -> None:
        try:
            await work(self.progress)
        finally:
            self._folder.cleanup()


class SeatingWorks:
    """The computations of all stages of all events."""

    def __init__(self) -> None:
        self._running: dict[Key, _Running] = {}
        self._failed: dict[Key, tuple[RoundMaker, JantakuError]] = {}

    async def start(self, key: Key, how: RoundMaker, work: Work) -> None:
        """Compute a seating; returns when it is ready, or soon, while the computation goes on.

        Raises ``seating_busy`` if another one of this stage is going on, and what ``work`` raises soon.
        """
        if key in self._running:
            raise ServerError("seating_busy")
        self._failed.pop(key, None)
        running = self._running[key] = _Running(how, work)
        running.task.add_done_callback(lambda _: self._done(key, running))
        done, _ = await asyncio.wait({running.task}, timeout=SOON_S)
        if done and not running.task.cancelled():
            self._failed.pop(key, None)
            running.task.result()

    def _done(self, key: Key, running: _Running) -> None:
        self._running.pop(key, None)
        error = None if running.task.cancelled() else running.task.exception()
        if isinstance(error, JantakuError):
            self._failed[key] = (running.how, error)
            while len(self._failed) > MOST_FAILED:
                del self._failed[next(iter(self._failed))]

    async def cancel(self, key: Key) -> None:
        """Stop a computation, and forget the last failure."""
        self._failed.pop(key, None)
        running = self._running.get(key)
        if running is not None:
            running.task.cancel()
            await asyncio.wait({running.task})

    def shown(self, key: Key, language: terms.Language) -> SeatingWork | None:
        """What is being computed for a stage, or why it has failed."""
        running = self._running.get(key)
        if running is not None:
            return SeatingWork(
                state="working", how=running.how, progress=part_done(running.progress), error=None
            )
        if key not in self._failed:
            return None
        how, error = self._failed[key]
        field = str(error.details.get("field") or "")
        if isinstance(error, RequestError):
            error.names = ()  # said for people: without the name of the field
        problem = Problem(code=error.code, message=error.message(language), field=field)
        return SeatingWork(state="failed", how=how, progress=0, error=problem)

    async def close(self) -> None:
        """Stop everything."""
        for key in list(self._running):
            with suppress(Exception):
                await self.cancel(key)
