"""The actions of stored games: a row each while a game is young, all in one row once it is old.

A row for each action lets tables of many games commit together, and takes thirty times the bytes.
"""

import asyncio
import json
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, exists, func, insert, select

from jantaku.server import tasks
from jantaku.server.storage.accounts import DAY_MS
from jantaku.server.storage.keeping import Keeping
from jantaku.server.storage.schema import actions, games, packed_moves
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.tasks import Background

LOOKED_AT: Final = 200  # games in one look for unpacked ones
PAUSE_S: Final = 0.02  # after each packed game, because tables wait to write meanwhile
EVERY_S: Final = 3600.0


class StoredMove(NamedTuple):
    """An action as the writer stores it: see ``jantaku.server.storage.writer.Move``."""

    seat: int
    action: str
    bank: int | None = None
    absent: int | None = None


COLUMNS: Final = tuple(actions.c[name] for name in StoredMove._fields)


async def moves_of(store: Store, *of: str) -> dict[str, list[StoredMove]]:
    """The actions of games, in order."""
    moves: dict[str, list[StoredMove]] = {game: [] for game in of}
    query = select(actions.c.game, *COLUMNS).where(actions.c.game.in_(of))
    for game, *row in await store.rows(query.order_by(actions.c.game, actions.c.number)):
        moves[game].append(StoredMove(*row))
    old = [game for game, moves in moves.items() if not moves]
    if old:
        query = select(packed_moves.c.game, packed_moves.c.moves).where(packed_moves.c.game.in_(old))
        moves |= {game: unpacked(data) for game, data in await store.rows(query)}
    return moves


def banks_of(moves: Sequence[StoredMove], since: int) -> list[tuple[int, int]]:
    """Seat and remaining reserve (ms) after each action from ``since`` on that used some of it."""
    return [(move.seat, move.bank) for move in moves[since:] if move.bank is not None]


def packed(moves: Sequence[StoredMove]) -> bytes:
    """Actions as they are stored of an old game: the values of each column, as compressed JSON."""
    columns = {name: [getattr(move, name) for move in moves] for name in StoredMove._fields}
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 9)


def unpacked(data: bytes) -> list[StoredMove]:
    """The actions in such a row; columns that are missing or unknown are those of another version."""
    columns: dict[str, list[Any]] = json.loads(zlib.decompress(data))
    count = len(columns["action"])
    values = (columns.get(name, [None] * count) for name in StoredMove._fields)
    return [StoredMove(*row) for row in zip(*values, strict=True)]


class Packing(Background):
    """Packs the games that ended long ago, a game in each transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._from = (0, "")  # when the last game ended that was looked at, and its id

    async def _run(self) -> None:
        while True:
            with tasks.reported("packing old games failed"):
                days = await Keeping(self._store).days()
                await self.pack(now_ms() - days["unpacked"] * DAY_MS)
            await asyncio.sleep(EVERY_S)

    async def pack(self, before: int) -> int:
        """Pack all games that ended before a time; returns how many."""
        count = 0
        while games := await self._next(before):
            for game, ended, has_rows in games:
                if has_rows:
                    count += await self._pack(game)
                    await asyncio.sleep(PAUSE_S)
                self._from = (ended, game)
        return count

    async def _next(self, before: int) -> list[tuple[str, int, bool]]:
        """The next games by their end, and whether each still has a row for each action."""
        ended, game = self._from
        later = (games.c.ended > ended) | ((games.c.ended == ended) & (games.c.id > game))
        query = select(games.c.id, games.c.ended, exists().where(actions.c.game == games.c.id))
        query = query.where(
            games.c.ended >= ended, later, games.c.ended < before, games.c.status != "playing"
        )
        rows = await self._store.rows(query.order_by(games.c.ended, games.c.id).limit(LOOKED_AT))
        return [(game, end, bool(has_rows)) for game, end, has_rows in rows]

    async def _pack(self, game: str) -> int:
        moves = (await moves_of(self._store, game))[game]
        row = {"game": game, "count": len(moves), "moves": await asyncio.to_thread(packed, moves)}
        async with self._store.writing() as connection:
            own = actions.c.game == game
            stored = await connection.execute(select(func.count()).where(own))
            if stored.scalar_one() == 0:  # another process has packed it meanwhile
                return 0
            await connection.execute(insert(packed_moves).values(row))
            await connection.execute(delete(actions).where(own))
        return 1
