"""Seasons in the database: their parts in order, each with its event."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.rows import ListPage, PageEnd, following, newest
from jantaku.server.storage.schema import season_parts, seasons
from jantaku.server.storage.store import OverStore


class PartRow(NamedTuple):
    """A part of a season; ``event`` is ``None`` until it is opened."""

    id: str
    name: str
    ranked: bool
    event: str | None
    share: float = 1
    brings: float = 0


class SeasonRow(NamedTuple):
    """A season; ``person`` organises it, ``cut`` is how many of the year's best play the final.

    Who has played fewer than ``min_games`` does not qualify.
    """

    id: str
    name: str
    cut: int | None
    listed: bool
    person: str
    created: int
    revision: int = 1
    parts: tuple[PartRow, ...] = ()
    min_games: int = 0


class SeasonStore(OverStore):
    """All stored seasons."""

    async def add(self, row: SeasonRow, most: int) -> None:
        """Store a new season; raises ``too_many_seasons`` if its organiser has ``most``."""
        async with self._store.counting() as connection:
            count = select(func.count()).select_from(seasons).where(seasons.c.person == row.person)
            if (await connection.execute(count)).scalar_one() >= most:
                raise ServerError("too_many_seasons", most=most)
            await connection.execute(insert(seasons).values(_values(row)))
            await _write_parts(connection, row.id, row.parts)

    async def change(
        self, season: str, values: Mapping[str, Any], parts: Sequence[PartRow] | None, seen: int | None = None
    ) -> None:
        """Store new ``values`` of a season, and all its ``parts``; what is not given stays.

        Raises ``season_moved_on`` if the season is no longer as it was ``seen``, the number of a revision.
        """
        mine = seasons.c.id == season
        if seen is not None:
            mine &= seasons.c.revision == seen
        raised = update(seasons).where(mine).values(revision=seasons.c.revision + 1, **values)
        async with self._store.writing() as connection:
            if not (await connection.execute(raised)).rowcount:
                raise ServerError("season_moved_on")
            if parts is not None:
                await connection.execute(delete(season_parts).where(season_parts.c.season == season))
                await _write_parts(connection, season, parts)

    async def find(self, season: str) -> SeasonRow:
        """The season with an id; raises ``no_season`` if there is none."""
        async with self._store.reading() as connection:
            row = (await connection.execute(select(seasons).where(seasons.c.id == season))).first()
            if row is None:
                raise ServerError("no_season")
            return (await _with_parts(connection, [row]))[0]

    async def of(self, person: str | None, before: PageEnd | None, most: int) -> ListPage[SeasonRow]:
        """The newest seasons: those that everybody finds, or those that a person organises."""
        query = select(seasons).where(seasons.c.listed if person is None else seasons.c.person == person)
        query = newest(query, (seasons.c.created, seasons.c.id), before, most)
        async with self._store.reading() as connection:
            rows = list(await connection.execute(query))
            return ListPage(await _with_parts(connection, rows), following(rows, "created", most))

    async def holding(self, event: str) -> list[SeasonRow]:
        """The seasons that an event is part of, oldest first; their parts are left out."""
        parts = select(season_parts.c.season).where(season_parts.c.event == event)
        query = select(seasons).where(seasons.c.id.in_(parts)).order_by(seasons.c.created, seasons.c.id)
        return [_season(row) for row in await self._store.rows(query)]


def _season(row: Any, parts: tuple[PartRow, ...] = ()) -> SeasonRow:
    return SeasonRow(**row._asdict(), parts=parts)


def _values(row: SeasonRow) -> dict[str, Any]:
    values = row._asdict()
    del values["parts"]
    return values


async def _write_parts(connection: AsyncConnection, season: str, parts: Sequence[PartRow]) -> None:
    rows = [{**part._asdict(), "season": season, "number": i} for i, part in enumerate(parts, 1)]
    if rows:
        await connection.execute(insert(season_parts), rows)


async def _with_parts(connection: AsyncConnection, rows: Sequence[Any]) -> list[SeasonRow]:
    query = select(season_parts).where(season_parts.c.season.in_([row.id for row in rows]))
    parts: dict[str, list[PartRow]] = {}
    for part in await connection.execute(query.order_by(season_parts.c.number)):
        row = PartRow(*(getattr(part, name) for name in PartRow._fields))
        parts.setdefault(part.season, []).append(row)
    return [_season(row, tuple(parts.get(row.id, ()))) for row in rows]
