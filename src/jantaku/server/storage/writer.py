"""Write accepted actions to the database; actions that arrive together share one commit."""

import asyncio
import json
import logging
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from sqlalchemy import Text, and_, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server import tasks
from jantaku.server.edge.metrics import Metrics
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Milliseconds, SmallNumber, StoredRow
from jantaku.server.storage.games import ActionRow, GameRow
from jantaku.server.storage.rows import TextsOf
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.tables import TableRow

LOG = logging.getLogger("jantaku.server")
MAX_BATCH = 2000  # actions in one commit
COMMIT_INTERVAL_S = 0.015  # minimum time between commits; actions arriving in between form one batch
STALLED_S = 1.5
RETRY_S = (0.25, 4.0)  # first and longest wait between attempts to write


FENCES: Final = (
    select(GameRow.id, TableRow.fence)
    .join(TableRow, TableRow.id == GameRow.table_id)
    .where(GameRow.id.op("IN")(TextsOf(bindparam("games", type_=Text))))
    .with_for_update(read=True, of=TableRow)
)


class Pulse(StoredRow):
    """The single row of the table for test writes."""

    __tablename__ = "pulse"

    id: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[Milliseconds]


class Move(NamedTuple):
    """An accepted action: the game, its index from 0, the seat, and its ``str()``.

    ``bank`` is the seat's remaining time reserve in ms, if this action used some of it. ``absent`` is 1 if
    the table acted for an absent player. ``fence`` is the table's fence under which this process owns it.
    """

    game: str
    number: int
    seat: int
    action: str
    bank: int | None = None
    absent: int | None = None
    fence: int = 0


class InDoubt(NamedTuple):
    """The first action of a game that may or may not be stored, and the table's fence at that time."""

    number: int
    fence: int


Waiting = tuple[Move, asyncio.Future[None]]


class Writer:
    """Commits actions in batches: everything that arrived during the previous commit goes into the next one.

    ``write`` returns after the commit. If the commit fails, ``write`` raises and its actions count as
    unwritten. They may still have been stored, because the answer to a commit can be lost; the next commit
    deletes such actions first. While writing fails, a second task retries, so that recovery does not depend
    on a player's action. Actions of tables that another process has adopted are rejected, and no actions of
    those tables are deleted.
    """

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._waiting: list[Waiting] = []
        self._doubtful: dict[str, InDoubt] = {}  # by game
        self._arrived = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._committed = 0.0
        self._since: float | None = None  # start of the commit in progress
        self._one = asyncio.Lock()

    @property
    def failing(self) -> bool:
        """Whether the last write failed."""
        return self._store.broken.is_set()

    @property
    def stalled(self) -> bool:
        """Whether the current commit is taking so long that its success is uncertain."""
        return self._since is not None and time.monotonic() - self._since > STALLED_S

    def start(self) -> None:
        """Start the background tasks."""
        self._tasks = [
            asyncio.create_task(self._run(), name="writer"),
            asyncio.create_task(self._retry(), name="writer-retry"),
        ]

    async def stop(self) -> None:
        """Write all waiting actions and stop."""
        while self._tasks and self._waiting:
            await asyncio.sleep(0.005)
        await tasks.end(*self._tasks)
        self._tasks = []

    async def write(self, move: Move) -> None:
        """Store an action; raises ``ServerError("storage_lost")`` if it was not stored."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((move, done))
        self._arrived.set()
        try:
            await done
        except asyncio.CancelledError:  # the caller will not apply the action, so it must not be stored
            self.doubt(move.game, move.number, move.fence)
            self._waiting = [waiting for waiting in self._waiting if waiting[1] is not done]
            raise

    def doubt(self, game: str, number: int, fence: int = 0) -> None:
        """Delete the actions of a game from ``number`` on before the next write."""
        before = self._doubtful.get(game)
        if before is None or before.fence < fence or before.number > number:
            self._doubtful[game] = InDoubt(number, fence)

    def doubtful_from(self, game: str, fence: int = 0) -> int | None:
        """Return the index of the first action that does not count even if stored; ``None`` if all count."""
        doubt = self._doubtful.get(game)
        return None if doubt is None or doubt.fence != fence else doubt.number

    async def _retry(self) -> None:
        """After a failed write, write a harmless row until that succeeds."""
        first, longest = RETRY_S
        while True:
            await self._store.broken.wait()
            wait = first
            while self.failing:
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest)
                with suppress(ServerError):
                    await self._insert([])

    async def _run(self) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                await asyncio.sleep(self._committed + COMMIT_INTERVAL_S - time.monotonic())
                self._committed = time.monotonic()
                batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
                await self._commit(batch)

    async def _commit(self, batch: list[Waiting]) -> None:
        self._since = began = time.monotonic()
        try:
            moved = await self._insert([move for move, _ in batch])
        except IntegrityError as error:
            await self._one_by_one(batch, error)
        except Exception as error:  # whatever the error, no caller may wait for ever
            self._store.broken.set()
            if not isinstance(error, ServerError):
                self._store.faults.report(error)
            for move, done in batch:
                self.doubt(move.game, move.number, move.fence)
                if not done.done():
                    done.set_exception(ServerError("storage_lost"))
        else:
            for move, done in batch:
                if done.done():
                    continue
                if move in moved:
                    done.set_exception(ServerError("table_moved"))
                else:
                    done.set_result(None)
        finally:
            self._since = None
            took = time.monotonic() - began
            self._metrics.commits.observe(took)
            self._metrics.last_commits.add(took)

    async def _one_by_one(self, batch: list[Waiting], error: IntegrityError) -> None:
        """Store the actions of each game separately, so that a conflict affects only one table.

        That table's memory differs from the database. Nothing is deleted; the table must reload its game.
        """
        games = {move.game: [item for item in batch if item[0].game == move.game] for move, _ in batch}
        if len(games) > 1:
            for part in games.values():
                await self._commit(part)
            return
        for move, done in batch:
            message = "game %s: action %s conflicts with the stored actions: %s"
            LOG.error(message, move.game, move.number, error.orig)
            if not done.done():
                done.set_exception(ServerError("table_fault"))

    async def _insert(self, moves: Sequence[Move]) -> Collection[Move]:
        """Store actions and delete doubtful ones; return those of tables that other processes own."""
        async with self._one:  # one task must not delete what another has just written
            doubtful = dict(self._doubtful)
            async with self._store.writing() as connection:
                known = await _fences(connection, {move.game for move in moves} | doubtful.keys())
                for game, doubt in doubtful.items():
                    if known.get(game) == doubt.fence:
                        stale = and_(ActionRow.game == game, ActionRow.number >= doubt.number)
                        await connection.execute(delete(ActionRow).where(stale))
                moved = {move for move in moves if known.get(move.game, move.fence) != move.fence}
                rows = [_values(move) for move in moves if move not in moved]
                if rows:
                    await connection.execute(insert(ActionRow), rows)
                elif not moves:
                    await connection.execute(delete(Pulse))
                    await connection.execute(insert(Pulse).values(id=1, at=now_ms()))
            for game, doubt in doubtful.items():
                if self._doubtful.get(game) == doubt:
                    del self._doubtful[game]
        return moved


async def _fences(connection: AsyncConnection, games: Collection[str]) -> dict[str, int]:
    """Return the fences of the games' tables, by game. No process can adopt them before the commit."""
    if not games:
        return {}
    rows = await connection.execute(FENCES, {"games": json.dumps([*games])})
    return {row.id: row.fence for row in rows}


def _values(move: Move) -> dict[str, Any]:
    values = move._asdict()
    del values["fence"]
    return values
