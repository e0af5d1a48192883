"""Stored tables and their seats, and the ownership of tables by processes."""

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
    """The occupant of a seat: a person, or a bot named by its policy. ``gone``: has left during the game."""

    name: str
    person: str | None = None
    bot: str | None = None
    gone: bool = False


Sitters = tuple[Sitter | None, ...]
# stages of tables without an event
PRACTICE: Final = "practice"  # its games count nowhere
RANKED: Final = "ranked"  # opened by ranked play for waiting players
FILLED: Final = "filled"  # opened by ranked play with bots in free seats; unrated
ADOPTION_BATCH: Final = 20  # tables adopted before they are read


class TableRow(StoredRow):
    """A stored table. ``rules`` is the id of its ruleset, ``game`` the number of games started.

    ``sitters`` has an entry for each seat, ``None`` for a free seat.
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
    # event and stage for which its games count
    event: Mapped[Id | None] = mapped_column(index=True, default=None)
    stage: Mapped[LongId | None] = mapped_column(default=None)
    # process that has the table in memory; a process without a row in ``processes`` is dead
    process: Mapped[Id | None] = mapped_column(default=None)
    fence: Mapped[int] = mapped_column(default=0)  # increases whenever a process adopts the table
    # round of the stage, and the table within that round
    round: Mapped[int | None] = mapped_column(default=None)
    round_table: Mapped[int | None] = mapped_column(default=None)
    halted: Mapped[bool] = mapped_column(default=False)  # a referee has paused the game
    sitters: Sitters = ()
    removed: frozenset[str] = frozenset()  # marks of removed people and browsers

    def __post_init__(self) -> None:
        """Derive the number of seats from the sitters, or create free seats."""
        if self.sitters:
            self.seat_count = len(self.sitters)
        else:
            self.sitters = (None,) * self.seat_count

    @property
    def ranked(self) -> bool:
        """Whether ranked play opened the table. A stage of an event may have the same name."""
        return self.stage == RANKED and self.event is None

    @property
    def matchmade(self) -> bool:
        """Whether ranked play seated the players, with or without bots."""
        return self.ranked or (self.stage == FILLED and self.event is None)


class SeatRow(StoredRow):
    """An occupied seat of a table; see ``Sitter``."""

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
    mark: Mapped[Name] = mapped_column(primary_key=True)  # a person's id, or the SHA-256 of a browser's mark


OPEN_TABLE: Final = TableRow.status.in_(("waiting", "playing"))
RATED: Final = TableRow.options.contains('"rated":true')
IS_PUBLIC: Final = TableRow.options.contains('"private":false')
NOT_PRACTICE: Final = TableRow.stage.is_(None) | (TableRow.stage != PRACTICE)


def public_at(ended: int | None, options: TableOptions) -> int:
    """Return the time in ms at which the end of a game becomes public: after the spectator delay.

    It is computed from stored values, because tables may start another game and servers may restart before
    that time.
    """
    return (ended or 0) + round(options.spectator_delay_s * 1000)


async def write_table(connection: AsyncConnection, row: TableRow) -> None:
    """Store the mutable parts of a table: its state, options, seats and removed people.

    Raises ``ServerError("table_moved")`` if another process has adopted the table.
    """
    values = {name: getattr(row, name) for name in ("status", "owner", "game", "options", "halted")}
    own = update(TableRow).where(TableRow.id == row.id, TableRow.fence == row.fence)
    if not (await connection.execute(own.values(values))).rowcount:
        raise ServerError("table_moved")
    await connection.execute(delete(SeatRow).where(SeatRow.table_id == row.id))
    await _insert_seats(connection, row)
    await _insert_removed(connection, row)


async def _insert_removed(connection: AsyncConnection, row: TableRow) -> None:
    """Add new marks of removed people. Removal is permanent, so rows are never deleted."""
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
    """Reads and writes tables, and assigns them to processes."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store = store
        self.lease = lease

    async def add(self, row: TableRow) -> None:
        """Store a new table."""
        async with self._store.writing() as connection:
            await connection.execute(insert(TableRow).values(row.values()))
            await _insert_seats(connection, row)

    async def change(self, row: TableRow) -> None:
        """Store changes to a table; see ``write_table``."""
        async with self._store.writing() as connection:
            await write_table(connection, row)

    async def find(self, table: str) -> TableRow | None:
        """Return the table with this id."""
        rows = await self._read(TableRow.id == table)
        return rows[0] if rows else None

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of tables by id."""
        async with self._store.reading() as connection:
            rows = await connection.execute(select(TableRow.id, TableRow.name).where(TableRow.id.in_(ids)))
        return {row.id: row.name for row in rows}

    async def adopt(self, row: TableRow) -> TableRow:
        """Adopt a table unless this process owns it already.

        Raises ``ServerError("table_moved")`` if another live process owns it.
        """
        if row.process == self.lease.process:
            return row
        if self.lease.owns:
            await self._adopt(TableRow.id == row.id)
        adopted = await self.find(row.id)
        if adopted is None or adopted.process != self.lease.process:
            raise ServerError("table_moved")
        return adopted

    async def adopt_orphans(self) -> list[TableRow]:
        """Adopt a batch of open tables without a live owner, oldest first.

        Batches are small so that other processes can adopt their share. Practice tables are not adopted until
        their player returns.
        """
        ids = await self._adopt(NOT_PRACTICE & OPEN_TABLE, ADOPTION_BATCH)
        return await self._mine(TableRow.id.in_(ids)) if ids else []

    async def owner(self, table: str) -> str | None:
        """Return the live process that owns a table."""
        query = select(TableRow.process).join(Peer, Peer.id == TableRow.process)
        owner: str | None = await self._store.value(query.where(TableRow.id == table))
        return owner

    async def exists(self, table: str) -> bool:
        """Whether a table exists and is not closed."""
        query = select(exists().where(TableRow.id == table, TableRow.status != "closed"))
        return bool(await self._store.value(query))

    async def hand_over(self, row: TableRow, process: str) -> TableRow:
        """Assign a table to another process; raises ``table_moved`` if this process has lost it."""
        moved = dataclasses.replace(row, process=process, fence=row.fence + 1)
        own = update(TableRow).where(TableRow.id == row.id, TableRow.fence == row.fence)
        if not await self._store.write(own.values(process=process, fence=moved.fence)):
            raise ServerError("table_moved")
        return moved

    async def adopted(self) -> list[TableRow]:
        """Return all open tables of this process except practice tables."""
        return await self._mine(NOT_PRACTICE & OPEN_TABLE)

    async def _mine(self, wanted: ColumnElement[bool]) -> list[TableRow]:
        return await self._read(wanted & (TableRow.process == self.lease.process))

    async def _adopt(self, wanted: ColumnElement[bool], limit: int = 1) -> list[str]:
        """Adopt up to ``limit`` of the wanted tables without a live owner; return their ids.

        Tables locked by an unfinished commit are skipped: it will finish, or the database will abort it.
        """
        if not self.lease.held or not self.lease.owns:
            raise ServerError("table_moved")
        living = exists().where(Peer.id == TableRow.process)
        free = select(TableRow.id).where(wanted, ~living).order_by(TableRow.created)
        free = free.limit(limit).with_for_update(of=TableRow, skip_locked=True)
        new = {"process": self.lease.process, "fence": TableRow.fence + 1}
        async with self._store.writing() as connection:
            await self.lease.remove_expired(connection)
            ids = list((await connection.execute(free)).scalars())
            if ids:
                await connection.execute(update(TableRow).where(TableRow.id.in_(ids)).values(new))
        return ids

    async def playing(self, people: Sequence[str]) -> dict[str, str]:
        """Return the newest table with a running game of each person, by person."""
        query = (
            select(SeatRow.person, TableRow.id)
            .join(TableRow, TableRow.id == SeatRow.table_id)
            .where(SeatRow.person.in_(people), SeatRow.bot.is_(None), TableRow.status == "playing")
        )
        return {row.person: row.id for row in await self._store.rows(query.order_by(TableRow.created))}

    async def open_tables(self, person: str) -> list[TableRow]:
        """Return the open tables at which a person has a seat."""
        mine = select(SeatRow.table_id).where(SeatRow.person == person)
        return await self._read(OPEN_TABLE & TableRow.id.in_(mine))

    async def _read(self, where: ColumnElement[bool]) -> list[TableRow]:
        query = select(TableRow).where(where).order_by(TableRow.created)
        async with self._store.reading() as connection:
            rows = await connection.execute(query)
            tables = {row.id: row for row in readable(rows, "table", lambda row: TableRow(*row))}
            seats = await read_rows(connection, select(SeatRow).where(SeatRow.table_id.in_(tables)))
            removed = await read_rows(connection, select(Removed).where(Removed.table_id.in_(tables)))
        for seat in seats:
            table, sitter = tables[seat.table_id], Sitter(seat.name, seat.person, seat.bot, seat.gone)
            table.sitters = (*table.sitters[: seat.seat], sitter, *table.sitters[seat.seat + 1 :])
        for row in removed:
            tables[row.table_id].removed |= {row.mark}
        return list(tables.values())
