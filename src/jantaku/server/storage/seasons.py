"""Stored seasons and their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ForeignKey, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Id, LongId, Milliseconds, StoredRow, read_rows
from jantaku.server.storage.rows import ListPage, PageEnd, newest, next_page
from jantaku.server.storage.store import Repository


class SeasonRow(StoredRow):
    """A season; its finalists are the best ``cut`` players of the year with at least ``min_games`` games."""

    __tablename__ = "seasons"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str]
    cut: Mapped[int | None]
    listed: Mapped[bool]
    person: Mapped[Id] = mapped_column(index=True)  # organiser
    created: Mapped[Milliseconds] = mapped_column(index=True)
    revision: Mapped[int] = mapped_column(default=1)
    min_games: Mapped[int] = mapped_column(default=0)
    parts: tuple["PartRow", ...] = ()


class PartRow(StoredRow):
    """A part of a season; ``event`` is ``None`` until the part is opened."""

    __tablename__ = "season_parts"

    season: Mapped[Id] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    id: Mapped[LongId] = mapped_column(primary_key=True)
    number: Mapped[int]  # order in the season
    name: Mapped[str]
    ranked: Mapped[bool]  # whether its points count for the year
    event: Mapped[Id | None] = mapped_column(ForeignKey("events.id"), index=True)
    share: Mapped[float] = mapped_column(default=1)  # share of its points that counts for the year
    brings: Mapped[float] = mapped_column(default=0)  # share of the year's points carried into a final


class SeasonStore(Repository):
    """Reads and writes seasons."""

    async def add(self, row: SeasonRow, limit: int) -> None:
        """Store a new season; raises ``too_many_seasons`` if its organiser has reached ``limit``."""
        async with self._store.exclusive() as connection:
            count = select(func.count(SeasonRow.id)).where(SeasonRow.person == row.person)
            if (await connection.execute(count)).scalar_one() >= limit:
                raise ServerError("too_many_seasons", most=limit)
            await connection.execute(insert(SeasonRow).values(row.values()))
            await _write_parts(connection, row.parts)

    async def change(
        self, season: str, values: Mapping[str, Any], parts: Sequence[PartRow] | None, seen: int | None = None
    ) -> None:
        """Update columns of a season, and replace all its parts unless ``None``.

        Raises ``ServerError("season_moved_on")`` if its revision is not ``seen``.
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
        """Return the season with this id; raises ``ServerError("no_season")`` if there is none."""
        async with self._store.reading() as connection:
            rows = await read_rows(connection, select(SeasonRow).where(SeasonRow.id == season))
            if not rows:
                raise ServerError("no_season")
            return (await _with_parts(connection, rows))[0]

    async def of(self, person: str | None, before: PageEnd | None, limit: int) -> ListPage[SeasonRow]:
        """Return a page of seasons, newest first: the listed ones, or those of one organiser."""
        query = select(SeasonRow).where(SeasonRow.listed if person is None else SeasonRow.person == person)
        query = newest(query, (SeasonRow.created, SeasonRow.id), before, limit)
        async with self._store.reading() as connection:
            rows = await read_rows(connection, query)
            return ListPage(await _with_parts(connection, rows), next_page(rows, "created", limit))

    async def containing(self, event: str) -> list[SeasonRow]:
        """Return the seasons that include an event, oldest first, without their parts."""
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
