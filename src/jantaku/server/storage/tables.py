"""Tables and their seats in the database."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, ForeignKey, String, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import (
    Id,
    LongId,
    Milliseconds,
    Name,
    SmallNumber,
    StoredModel,
    StoredRow,
    Word,
    read_rows,
)
from jantaku.server.storage.lease import Lease, Peer
from jantaku.server.storage.rows import readable
from jantaku.server.storage.store import Store, now_ms


@dataclass(frozen=True)
class Sitter:
    """Who sits in a seat: a person, or a bot by the name of its policy; ``gone``: left during the game."""

    name: str
    person: str | None = None
    bot: str | None = None
    gone: bool = False


Sitters = tuple[Sitter | None, ...]
PRACTICE: Final = "practice"  # the stage of a table whose games count nowhere
RANKED: Final = "ranked"  # the stage of a table at which the parlour has brought people together
FILLED: Final = "filled"  # the same with bots in the other seats, for which nothing is rated
AT_ONCE: Final = 20  # tables that a process takes before it reads them


class TableRow(StoredRow):
    """A stored table; ``rules`` is the id of its ruleset, ``game`` counts the games begun.

    ``sitters`` has an entry for each seat, ``None`` for a free one.
    """

    __tablename__ = "tables"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    owner: Mapped[Id]
    rules: Mapped[Name]
    fingerprint: Mapped[Id]
    options: Mapped[TableOptions] = mapped_column(StoredModel(TableOptions))
    seat_count: Mapped[SmallNumber] = mapped_column(default=4)
    status: Mapped[Word] = mapped_column(index=True, default="waiting")
    game: Mapped[int] = mapped_column(default=0)
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)
    # for whose ``stage`` its games are to count
    event: Mapped[Id | None] = mapped_column(index=True, default=None)
    stage: Mapped[LongId | None] = mapped_column(default=None)
    # which has it in memory; one without a row in ``processes`` is gone
    process: Mapped[Id | None] = mapped_column(default=None)
    fence: Mapped[int] = mapped_column(default=0)  # how often a process has taken it
    # of the stage, and the table of the round for which it is played here
    round: Mapped[int | None] = mapped_column(default=None)
    round_table: Mapped[int | None] = mapped_column(default=None)
    halted: Mapped[bool] = mapped_column(default=False)  # a referee has stopped the game for a while
    sitters: Sitters = ()
    removed: frozenset[str] = frozenset()  # marks of removed people and browsers

    def __post_init__(self) -> None:
        """Count the seats, or else leave all of them free."""
        if self.sitters:
            self.seat_count = len(self.sitters)
        else:
            self.sitters = (None,) * self.seat_count

    @property
    def ranked(self) -> bool:
        """Whether the parlour has brought these people together; a stage of an event may have that name."""
        return self.stage == RANKED and self.event is None

    @property
    def brought(self) -> bool:
        """Whether the parlour has seated people here, with bots or without."""
        return self.ranked or (self.stage == FILLED and self.event is None)


class SeatRow(StoredRow):
    """A taken seat of a table; see ``Sitter``."""

    __tablename__ = "seats"

    table_id: Mapped[Id] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(24))
    person: Mapped[Id | None] = mapped_column(index=True)
    bot: Mapped[str | None] = mapped_column(String(40))
    gone: Mapped[bool]


class Removed(StoredRow):
    """A person or a browser removed from a table."""

    __tablename__ = "removed"

    table_id: Mapped[Id] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    mark: Mapped[Name] = mapped_column(primary_key=True)  # an id, or the SHA-256 of a browser's mark


GOING_ON: Final = TableRow.status.in_(("waiting", "playing"))
RATED: Final = TableRow.options.contains('"rated":true')
USUAL: Final = TableRow.stage.is_(None) | (TableRow.stage != PRACTICE)


def public_at(ended: int | None, options: TableOptions) -> int:
    """When (in ms) a game that has ended is told to those who did not play: after the delay of watchers.

    This goes by what is stored, as tables play on, and servers start anew, before that time is over.
    """
    return (ended or 0) + round(options.spectator_delay_s * 1000)


async def write_table(connection: AsyncConnection, row: TableRow) -> None:
    """Store a changed table: all but its name, its rules and what it was opened for.

    Raises ``table_moved`` if another process has taken it.
    """
    values = {name: getattr(row, name) for name in ("status", "owner", "game", "options", "halted")}
    own = update(TableRow).where(TableRow.id == row.id, TableRow.fence == row.fence)
    if not (await connection.execute(own.values(values))).rowcount:
        raise ServerError("table_moved")
    await connection.execute(delete(SeatRow).where(SeatRow.table_id == row.id))
    await _insert_seats(connection, row)
    await _insert_removed(connection, row)


async def _insert_removed(connection: AsyncConnection, row: TableRow) -> None:
    """Add the removed people. Removal is permanent, so rows are only added."""
    if row.removed:
        query = select(Removed.mark).where(Removed.table_id == row.id)
        new = row.removed - set((await connection.execute(query)).scalars())
        if new:
            await connection.execute(insert(Removed), [{"table_id": row.id, "mark": mark} for mark in new])


async def _insert_seats(connection: AsyncConnection, row: TableRow) -> None:
    rows = [
        {"table_id": row.id, "seat": seat} | vars(sitter) for seat, sitter in enumerate(row.sitters) if sitter
    ]
    if rows:
        await connection.execute(insert(SeatRow), rows)


class TableStore:
    """All tables."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store = store
        self.lease = lease

    async def add(self, row: TableRow) -> None:
        """Store a new table."""
        async with self._store.writing() as connection:
            await connection.execute(insert(TableRow).values(row.values()))
            await _insert_seats(connection, row)

    async def change(self, row: TableRow) -> None:
        """Store what changed of a table."""
        async with self._store.writing() as connection:
            await write_table(connection, row)

    async def find(self, table: str) -> TableRow | None:
        """The table with this id."""
        rows = await self._read(TableRow.id == table)
        return rows[0] if rows else None

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """What tables are called."""
        async with self._store.reading() as connection:
            rows = await connection.execute(select(TableRow.id, TableRow.name).where(TableRow.id.in_(ids)))
        return {row.id: row.name for row in rows}

    async def take(self, row: TableRow) -> TableRow:
        """Take a table for this process, unless it has it; raises ``table_moved`` if another one has."""
        if row.process == self.lease.process:
            return row
        if self.lease.owns:
            await self._take(TableRow.id == row.id)
        taken = await self.find(row.id)
        if taken is None or taken.process != self.lease.process:
            raise ServerError("table_moved")
        return taken

    async def take_left(self) -> list[TableRow]:
        """Take some of the waiting and running tables that no process has, the oldest first.

        Some, since other processes take the rest meanwhile. A table where one person plays on from another
        game is left until that person comes back.
        """
        ids = await self._take(USUAL & GOING_ON, AT_ONCE)
        return await self._mine(TableRow.id.in_(ids)) if ids else []

    async def owner(self, table: str) -> str | None:
        """The living process that has a table."""
        query = select(TableRow.process).join(Peer, Peer.id == TableRow.process)
        owner: str | None = await self._store.value(query.where(TableRow.id == table))
        return owner

    async def exists(self, table: str) -> bool:
        """Whether there is a table that is not closed."""
        query = select(exists().where(TableRow.id == table, TableRow.status != "closed"))
        return bool(await self._store.value(query))

    async def give(self, row: TableRow, process: str) -> TableRow:
        """Give a table to another process."""
        given = dataclasses.replace(row, process=process, fence=row.fence + 1)
        own = update(TableRow).where(TableRow.id == row.id, TableRow.fence == row.fence)
        if not await self._store.write(own.values(process=process, fence=given.fence)):
            raise ServerError("table_moved")
        return given

    async def taken(self) -> list[TableRow]:
        """All tables that ``take_left`` has taken for this process and that still go on."""
        return await self._mine(USUAL & GOING_ON)

    async def _mine(self, wanted: ColumnElement[bool]) -> list[TableRow]:
        return await self._read(wanted & (TableRow.process == self.lease.process))

    async def _take(self, wanted: ColumnElement[bool], most: int = 1) -> list[str]:
        """Take up to ``most`` of the wanted tables that no process has; their ids.

        Those that are in the middle of a commit are left: it ends, or the database ends it.
        """
        if not self.lease.held or not self.lease.owns:
            raise ServerError("table_moved")
        living = exists().where(Peer.id == TableRow.process)
        free = select(TableRow.id).where(wanted, ~living).order_by(TableRow.created)
        free = free.limit(most).with_for_update(of=TableRow, skip_locked=True)
        new = {"process": self.lease.process, "fence": TableRow.fence + 1}
        async with self._store.writing() as connection:
            await self.lease.remove_lapsed(connection)
            ids = list((await connection.execute(free)).scalars())
            if ids:
                await connection.execute(update(TableRow).where(TableRow.id.in_(ids)).values(new))
        return ids

    async def playing(self, people: Sequence[str]) -> dict[str, str]:
        """The newest tables where people are in a game, by person."""
        query = (
            select(SeatRow.person, TableRow.id)
            .join(TableRow, TableRow.id == SeatRow.table_id)
            .where(SeatRow.person.in_(people), SeatRow.bot.is_(None), TableRow.status == "playing")
        )
        return {row.person: row.id for row in await self._store.rows(query.order_by(TableRow.created))}

    async def going_on(self, person: str) -> list[TableRow]:
        """The waiting and running tables where a person sits."""
        mine = select(SeatRow.table_id).where(SeatRow.person == person)
        return await self._read(GOING_ON & TableRow.id.in_(mine))

    async def _read(self, where: ColumnElement[bool]) -> list[TableRow]:
        query = select(TableRow).where(where).order_by(TableRow.created)
        async with self._store.reading() as connection:
            rows = await connection.execute(query)
            tables = {row.id: row for row in readable(rows, "table", lambda row: TableRow(*row))}
            taken = await read_rows(connection, select(SeatRow).where(SeatRow.table_id.in_(tables)))
            removed = await read_rows(connection, select(Removed).where(Removed.table_id.in_(tables)))
        for seat in taken:
            table, sitter = tables[seat.table_id], Sitter(seat.name, seat.person, seat.bot, seat.gone)
            table.sitters = (*table.sitters[: seat.seat], sitter, *table.sitters[seat.seat + 1 :])
        for out in removed:
            tables[out.table_id].removed |= {out.mark}
        return list(tables.values())
