"""Actions on their way into the database: those of all tables that come together are committed together."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, insert

from jantaku.server.errors import ServerError
from jantaku.server.storage.schema import actions, pulse
from jantaku.server.storage.store import Store, now_ms

MOST_AT_ONCE = 2000
APART_S = 0.015  # at least, from one commit to the next: what comes in between goes together
TRIES_S = (0.25, 4.0)  # from one try to write to the next, the first and the longest wait


class Move(NamedTuple):
    """One accepted action: the game, its place in it from 0, the seat, and ``str()`` of it.

    ``bank``: milliseconds left of the seat's reserve, where this action took from it.
    """

    game: str
    number: int
    seat: int
    action: str
    bank: int | None = None


class Writer:
    """One task that commits what has come in while the last commit was under way.

    ``write`` returns after the commit. Where that fails it raises, nothing counts as written, and what may
    have been written all the same (the answer to a commit can be lost) is taken out before the next one.
    While nothing can be stored a second task tries until something can, so that nobody has to act for it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Move, asyncio.Future[None]]] = []
        self._doubtful: dict[str, int] = {}  # game: first number that may or may not be stored
        self._come_in = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._committed = 0.0
        self._one = asyncio.Lock()

    @property
    def failing(self) -> bool:
        """Whether the last writing did not succeed."""
        return self._store.broken.is_set()

    def start(self) -> None:
        """Begin to write."""
        self._tasks = [
            asyncio.create_task(self._run(), name="writer"),
            asyncio.create_task(self._heal(), name="writer-heal"),
        ]

    async def stop(self) -> None:
        """Write what is waiting and end."""
        while self._tasks and self._waiting:
            await asyncio.sleep(0.005)
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = []

    async def write(self, move: Move) -> None:
        """Store an action; ``ServerError("storage_lost")`` where it is not stored."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((move, done))
        self._come_in.set()
        await done

    def doubt(self, game: str, number: int) -> None:
        """Take out the actions of a game from ``number`` on before anything else is written."""
        self._doubtful[game] = min(number, self._doubtful.get(game, number))

    def doubtful_from(self, game: str) -> int | None:
        """The first action of a game that does not count even where it is stored; ``None``: all count."""
        return self._doubtful.get(game)

    async def _heal(self) -> None:
        """Where writing failed, write something harmless until that succeeds."""
        first, longest = TRIES_S
        while True:
            await self._store.broken.wait()
            wait = first
            while self.failing:
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest)
                with suppress(ServerError):
                    await self._insert(())

    async def _run(self) -> None:
        while True:
            await self._come_in.wait()
            self._come_in.clear()
            while self._waiting:
                await asyncio.sleep(self._committed + APART_S - time.monotonic())
                self._committed = time.monotonic()
                batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
                await self._commit(batch)

    async def _commit(self, batch: list[tuple[Move, asyncio.Future[None]]]) -> None:
        try:
            await self._insert(move for move, _ in batch)
        except Exception:  # whatever it is, nothing may wait for ever
            self._store.broken.set()
            for move, done in batch:
                self.doubt(move.game, move.number)
                if not done.done():
                    done.set_exception(ServerError("storage_lost"))
            return
        for _, done in batch:
            if not done.done():
                done.set_result(None)

    async def _insert(self, moves: Iterable[Move]) -> None:
        rows: list[dict[str, Any]] = [move._asdict() for move in moves]
        async with self._one:  # what one takes out must not be what another has just written
            doubtful = dict(self._doubtful)
            async with self._store.writing() as connection:
                for game, number in doubtful.items():
                    stale = and_(actions.c.game == game, actions.c.number >= number)
                    await connection.execute(delete(actions).where(stale))
                if rows:
                    await connection.execute(insert(actions), rows)
                else:
                    await connection.execute(delete(pulse))
                    await connection.execute(insert(pulse).values(id=1, at=now_ms()))
            for game, number in doubtful.items():
                if self._doubtful.get(game) == number:
                    del self._doubtful[game]
