"""The number of days that each kind of data is kept. An administrator may change the usual number.

Nothing that an event or a rating needs is deleted.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, delete, exists, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.accounts import DAY_MS
from jantaku.server.storage.event_schema import online_games
from jantaku.server.storage.kept_bytes import bytes_in
from jantaku.server.storage.schema import (
    actions,
    game_players,
    games,
    hands,
    keeping,
    packed_moves,
    rating_steps,
    tables,
    uploads,
)
from jantaku.server.storage.store import OverStore, now_ms
from jantaku.server.storage.tables import FILLED, GOING_ON, PRACTICE, RATED

FOR_EVER: Final = 0
MOST_DAYS: Final = 36_500
AT_ONCE: Final = 200  # games or logs in one transaction, because tables wait to write meanwhile
Days = dict[str, int]


class KeptKind(NamedTuple):
    """Something that is kept for ``usual`` days, unless the owner says another number from ``least`` on."""

    name: str
    usual: int
    least: int


KINDS: Final = (
    KeptKind("unpacked", 30, 1),  # games with a row for each action
    KeptKind("casual", FOR_EVER, 7),  # games that count for no event and no rating
    KeptKind("uploads", FOR_EVER, 7),
)
PARTS: Final = (actions, packed_moves, hands, game_players)  # of a game, beside its row
SIZES: Final = ((actions, actions.c.action), (packed_moves, packed_moves.c.moves), (hands, hands.c.log))


class Touched(NamedTuple):
    """How many games or logs would be packed or deleted now, and how many bytes they have."""

    rows: int
    bytes: int


class Keeping(OverStore):
    """What the owner has said, and what follows from it."""

    async def days(self) -> Days:
        """For how long each kind is kept; 0: for ever."""
        said = {row.name: row.days for row in await self._store.rows(select(keeping))}
        return {kind.name: said.get(kind.name, kind.usual) for kind in KINDS}

    async def save(self, days: Mapping[str, int]) -> None:
        """Keep everything for so long from now on. Raises ``bad_days``."""
        checked = _checked(days)
        async with self._store.writing() as connection:
            await connection.execute(delete(keeping))
            changed = [
                {"name": kind.name, "days": checked[kind.name]}
                for kind in KINDS
                if checked[kind.name] != kind.usual
            ]
            if changed:
                await connection.execute(insert(keeping), changed)

    async def preview(self, days: Mapping[str, int], now: int | None = None) -> dict[str, Touched]:
        """What would be packed or deleted if this were saved. Raises ``bad_days``."""
        checked, now = _checked(days), now_ms() if now is None else now
        found = {}
        async with self._store.reading() as connection:
            for name, number in checked.items():
                query = _old(name, number, now)
                found[name] = Touched(0, 0) if query is None else await _touched(connection, name, query)
        return found

    async def clean(self, now: int) -> None:
        """Delete what is kept no longer."""
        days = await self.days()
        for name in ("casual", "uploads"):
            query = _old(name, days[name], now)
            while query is not None and await self._some(name, query):
                pass

    async def _some(self, name: str, query: Select[Any]) -> bool:
        """Delete some; whether there may be more."""
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query.limit(AT_ONCE))).scalars())
            if name == "uploads":
                await connection.execute(delete(uploads).where(uploads.c.id.in_(gone)))
            else:
                for part in PARTS:
                    await connection.execute(delete(part).where(part.c.game.in_(gone)))
                await connection.execute(delete(games).where(games.c.id.in_(gone)))
        return len(gone) == AT_ONCE


def _checked(days: Mapping[str, int]) -> Days:
    """A number of days for each kind."""
    found = {}
    for kind in KINDS:
        number = days.get(kind.name, kind.usual)
        never = FOR_EVER if kind.usual == FOR_EVER else kind.least
        if number != never and not kind.least <= number <= MOST_DAYS:
            raise ServerError("bad_days", field=kind.name, least=kind.least, most=MOST_DAYS)
        found[kind.name] = number
    return found


def _old(name: str, days: int, now: int) -> Select[Any] | None:
    """The ids of what is kept no longer; ``None`` if it is kept for ever."""
    if days == FOR_EVER:
        return None
    before = now - days * DAY_MS
    if name == "uploads":
        return select(uploads.c.id).where(uploads.c.created < before)
    ended = (games.c.ended < before) & (games.c.status != "playing")
    if name == "unpacked":
        return select(games.c.id).where(ended, exists().where(actions.c.game == games.c.id))
    return select(games.c.id).join(tables, tables.c.id == games.c.table_id).where(ended, *_casual())


def _casual() -> tuple[ColumnElement[bool], ...]:
    """Games at tables that are over, and that count for no event, no rating and no steps of ranked play."""
    return (
        ~GOING_ON,
        tables.c.event.is_(None),
        or_(tables.c.stage.is_(None), tables.c.stage.in_((PRACTICE, FILLED))),
        ~RATED,
        ~exists().where(online_games.c.game == games.c.id),
        ~exists().where(rating_steps.c.game == games.c.id),
    )


async def _touched(connection: AsyncConnection, name: str, query: Select[Any]) -> Touched:
    if name == "uploads":
        row = select(func.count(), bytes_in(uploads.c.text)).where(uploads.c.id.in_(query))
        return Touched(*map(int, (await connection.execute(row)).one()))
    rows = (await connection.execute(select(func.count()).select_from(query.subquery()))).scalar_one()
    size = 0
    for part, column in SIZES[: 1 if name == "unpacked" else None]:
        counted = select(bytes_in(column)).where(part.c.game.in_(query))
        size += int((await connection.execute(counted)).scalar_one())
    return Touched(int(rows), size if rows else 0)
