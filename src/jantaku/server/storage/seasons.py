"""Seasons in the database: their parts in order, each with its event."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ForeignKey, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Id, LongId, Milliseconds, StoredRow, read_rows
from jantaku.server.storage.rows import ListPage, PageEnd, following, newest
from jantaku.server.storage.store import OverStore


class SeasonRow(StoredRow):
    """A season; finalists are the ``cut`` best people of the year with at least ``min_games`` games."""

    __tablename__ = "seasons"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str]
    cut: Mapped[int | None]
    listed: Mapped[bool]
    person: Mapped[Id] = mapped_column(index=True)  # the organiser
    created: Mapped[Milliseconds] = mapped_column(index=True)
    revision: Mapped[int] = mapped_column(default=1)
    min_games: Mapped[int] = mapped_column(default=0)
    parts: tuple["PartRow", ...] = ()


class PartRow(StoredRow):
    """A part of a season; without an event until it is opened."""

    __tablename__ = "season_parts"

    season: Mapped[Id] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    id: Mapped[LongId] = mapped_column(primary_key=True)
    number: Mapped[int]  # the order in the season
    name: Mapped[str]
    ranked: Mapped[bool]  # whether its points count for the year
    event: Mapped[Id | None] = mapped_column(ForeignKey("events.id"), index=True)
    share: Mapped[float] = mapped_column(default=1)  # of its points that counts for the year
    brings: Mapped[float] = mapped_column(default=0)  # the share of the year's points that finalists bring


class SeasonStore(OverStore):
    """All stored seasons."""

    async def add(self, row: SeasonRow, most: int) -> None:
        """Store a new season; raises ``too_many_seasons`` if its organiser has ``most``."""
        async with self._store.counting() as connection:
            count = select(func.count(SeasonRow.id)).where(SeasonRow.person == row.person)
            if (await connection.execute(count)).scalar_one() >= most:
                raise ServerError("too_many_seasons", most=most)
            await connection.execute(insert(SeasonRow).values(row.values()))
            await _write_parts(connection, row.parts)

    async def change(
        self, season: str, values: Mapping[str, Any], parts: Sequence[PartRow] | None, seen: int | None = None
    ) -> None:
        """Store new ``values`` of a season, and all its ``parts``; what is not given stays.

        Raises ``season_moved_on`` if the season is no longer as it was ``seen``, the number of a revision.
        """
        mine = SeasonRow.id == season
        if seen is not None:
            mine &= SeasonRow.revision == seen
        raised = update(SeasonRow).where(mine).values(revision=SeasonRow.revision + 1, **values)
        async with self._store.writing() as connection:
            if not (await connection.execute(raised)).rowcount:
                raise ServerError("season_moved_on")
            if parts is not None:
                await connection.execute(delete(PartRow).where(PartRow.season == season))
                await _write_parts(connection, parts)

    async def find(self, season: str) -> SeasonRow:
        """The season with an id; raises ``no_season`` if there is none."""
        async with self._store.reading() as connection:
            rows = await read_rows(connection, select(SeasonRow).where(SeasonRow.id == season))
            if not rows:
                raise ServerError("no_season")
            return (await _with_parts(connection, rows))[0]

    async def of(self, person: str | None, before: PageEnd | None, most: int) -> ListPage[SeasonRow]:
        """The newest seasons: those that everybody finds, or those that a person organises."""
        query = select(SeasonRow).where(SeasonRow.listed if person is None else SeasonRow.person == person)
        query = newest(query, (SeasonRow.created, SeasonRow.id), before, most)
        async with self._store.reading() as connection:
            rows = await read_rows(connection, query)
            return ListPage(await _with_parts(connection, rows), following(rows, "created", most))

    async def holding(self, event: str) -> list[SeasonRow]:
        """The seasons that an event is part of, oldest first; their parts are left out."""
        parts = select(PartRow.season).where(PartRow.event == event)
        query = select(SeasonRow).where(SeasonRow.id.in_(parts))
        return await self._store.all(query.order_by(SeasonRow.created, SeasonRow.id))


async def _write_parts(connection: AsyncConnection, parts: Sequence[PartRow]) -> None:
    if parts:
        await connection.execute(insert(PartRow), [part.values() for part in parts])


async def _with_parts(connection: AsyncConnection, seasons: list[SeasonRow]) -> list[SeasonRow]:
    query = select(PartRow).where(PartRow.season.in_([season.id for season in seasons]))
    parts = await read_rows(connection, query.order_by(PartRow.number))
    for season in seasons:
        season.parts = tuple(part for part in parts if part.season == season.id)
    return seasons
