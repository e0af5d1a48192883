"""Tables and their seats in the database."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.storage.lease import Lease
from jantaku.server.storage.rows import readable
from jantaku.server.storage.schema import processes, removed, seats, tables
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
GOING_ON: Final = tables.c.status.in_(("waiting", "playing"))
RATED: Final = tables.c.options.contains('"rated":true')
USUAL: Final = tables.c.stage.is_(None) | (tables.c.stage != PRACTICE)


@dataclass(frozen=True)
class TableRow:
    """A stored table; ``rules`` is the id of its ruleset, ``game`` counts the games begun.

    ``sitters`` has an entry for each seat, ``None`` for a free one.
    """

    id: str
    name: str
    owner: str
    rules: str
    fingerprint: str
    options: TableOptions
    sitters: Sitters
    status: str = "waiting"
    game: int = 0
    created: int = field(default_factory=now_ms)
    removed: frozenset[str] = frozenset()  # marks of removed people and browsers
    event: str | None = None  # for whose ``stage`` its games are to count
    stage: str | None = None
    process: str | None = None  # which has it in memory, and how often one has taken it
    fence: int = 0
    round: int | None = None  # of the stage, and the table of the round for which it is played here
    round_table: int | None = None
    halted: bool = False  # a referee has stopped the game for a while

    @property
    def ranked(self) -> bool:
        """Whether the parlour has brought these people together; a stage of an event may have that name."""
        return self.stage == RANKED and self.event is None

    @property
    def brought(self) -> bool:
        """Whether the parlour has seated people here, with bots or without."""
        return self.ranked or (self.stage == FILLED and self.event is None)

    @property
    def seat_count(self) -> int:
        """How many play at the table."""
        return len(self.sitters)


def options_of(stored: str) -> TableOptions:
    """The options of a table as they are stored."""
    return TableOptions(**json.loads(stored))


def public_at(ended: int | None, options: TableOptions) -> int:
    """When (in ms) a game that has ended is told to those who did not play: after the delay of watchers.

    This goes by what is stored, as tables play on, and servers start anew, before that time is over.
    """
    return (ended or 0) + round(options.spectator_delay_s * 1000)


async def write_table(connection: AsyncConnection, row: TableRow) -> None:
    """Store a changed table: all but its name, its rules and what it was opened for.

    Raises ``table_moved`` if another process has taken it.
    """
    options = row.options.model_dump_json()
    values = {"status": row.status, "owner": row.owner, "game": row.game, "options": options}
    values |= {"halted": row.halted}
    own = update(tables).where(tables.c.id == row.id, tables.c.fence == row.fence)
    if not (await connection.execute(own.values(values))).rowcount:
        raise ServerError("table_moved")
    await connection.execute(delete(seats).where(seats.c.table_id == row.id))
    await _insert_seats(connection, row)
    await _insert_removed(connection, row)


async def _insert_removed(connection: AsyncConnection, row: TableRow) -> None:
    """Add the removed people. Removal is permanent, so rows are only added."""
    if row.removed:
        query = select(removed.c.mark).where(removed.c.table_id == row.id)
        new = row.removed - set((await connection.execute(query)).scalars())
        if new:
            await connection.execute(insert(removed), [{"table_id": row.id, "mark": mark} for mark in new])


async def _insert_seats(connection: AsyncConnection, row: TableRow) -> None:
    rows = [
        {"table_id": row.id, "seat": seat} | vars(sitter) for seat, sitter in enumerate(row.sitters) if sitter
    ]
    if rows:
        await connection.execute(insert(seats), rows)


class TableStore:
    """All tables."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store = store
        self.lease = lease

    async def add(self, row: TableRow) -> None:
        """Store a new table."""
        values = {name: getattr(row, name) for name in tables.c.keys() if name != "options"}  # noqa: SIM118
        async with self._store.writing() as connection:
            await connection.execute(insert(tables).values(options=row.options.model_dump_json(), **values))
            await _insert_seats(connection, row)

    async def change(self, row: TableRow) -> None:
        """Store what changed of a table."""
        async with self._store.writing() as connection:
            await write_table(connection, row)

    async def find(self, table: str) -> TableRow | None:
        """The table with this id."""
        rows = await self._read(tables.c.id == table)
        return rows[0] if rows else None

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """What tables are called."""
        async with self._store.reading() as connection:
            rows = await connection.execute(select(tables.c.id, tables.c.name).where(tables.c.id.in_(ids)))
        return {row.id: row.name for row in rows}

    async def take(self, row: TableRow) -> TableRow:
        """Take a table for this process, unless it has it; raises ``table_moved`` if another one has."""
        if row.process == self.lease.process:
            return row
        if self.lease.owns:
            await self._take(tables.c.id == row.id)
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
        return await self._mine(tables.c.id.in_(ids)) if ids else []

    async def owner(self, table: str) -> str | None:
        """The living process that has a table."""
        query = select(tables.c.process).join(processes, processes.c.id == tables.c.process)
        owner: str | None = await self._store.value(query.where(tables.c.id == table))
        return owner

    async def exists(self, table: str) -> bool:
        """Whether there is a table that is not closed."""
        query = select(exists().where(tables.c.id == table, tables.c.status != "closed"))
        return bool(await self._store.value(query))

    async def give(self, row: TableRow, process: str) -> TableRow:
        """Give a table to another process."""
        given = dataclasses.replace(row, process=process, fence=row.fence + 1)
        own = update(tables).where(tables.c.id == row.id, tables.c.fence == row.fence)
        if not await self._store.write(own.values(process=process, fence=given.fence)):
            raise ServerError("table_moved")
        return given

    async def taken(self) -> list[TableRow]:
        """All tables that ``take_left`` has taken for this process and that still go on."""
        return await self._mine(USUAL & GOING_ON)

    async def _mine(self, wanted: ColumnElement[bool]) -> list[TableRow]:
        return await self._read(wanted & (tables.c.process == self.lease.process))

    async def _take(self, wanted: ColumnElement[bool], most: int = 1) -> list[str]:
        """Take up to ``most`` of the wanted tables that no process has; their ids.

        Those that are in the middle of a commit are left: it ends, or the database ends it.
        """
        if not self.lease.held or not self.lease.owns:
            raise ServerError("table_moved")
        living = exists().where(processes.c.id == tables.c.process)
        free = select(tables.c.id).where(wanted, ~living).order_by(tables.c.created)
        free = free.limit(most).with_for_update(of=tables, skip_locked=True)
        new = {"process": self.lease.process, "fence": tables.c.fence + 1}
        async with self._store.writing() as connection:
            await self.lease.remove_lapsed(connection)
            ids = list((await connection.execute(free)).scalars())
            if ids:
                await connection.execute(update(tables).where(tables.c.id.in_(ids)).values(new))
        return ids

    async def playing(self, people: Sequence[str]) -> dict[str, str]:
        """The newest tables where people are in a game, by person."""
        query = (
            select(seats.c.person, tables.c.id)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(seats.c.person.in_(people), seats.c.bot.is_(None), tables.c.status == "playing")
        )
        return {row.person: row.id for row in await self._store.rows(query.order_by(tables.c.created))}

    async def going_on(self, person: str) -> list[TableRow]:
        """The waiting and running tables where a person sits."""
        mine = select(seats.c.table_id).where(seats.c.person == person)
        return await self._read(GOING_ON & tables.c.id.in_(mine))

    async def _read(self, where: ColumnElement[bool]) -> list[TableRow]:
        query = select(tables).where(where).order_by(tables.c.created)
        async with self._store.reading() as connection:
            rows = (await connection.execute(query)).all()
            wanted = [row.id for row in rows]
            sitting = (await connection.execute(select(seats).where(seats.c.table_id.in_(wanted)))).all()
            out = (await connection.execute(select(removed).where(removed.c.table_id.in_(wanted)))).all()
        sitters: dict[str, list[Sitter | None]] = {row.id: [None] * row.seat_count for row in rows}
        for sitter in sitting:
            sitters[sitter.table_id][sitter.seat] = Sitter(
                sitter.name, sitter.person, sitter.bot, sitter.gone
            )
        marks: dict[str, set[str]] = {row.id: set() for row in rows}
        for sitter in out:
            marks[sitter.table_id].add(sitter.mark)
        return readable(
            rows, "table", lambda row: _table(row, tuple(sitters[row.id]), frozenset(marks[row.id]))
        )


def _table(row: Row[Any], sitters: Sitters, out: frozenset[str]) -> TableRow:
    columns = {name: value for name, value in row._mapping.items() if name != "seat_count"}
    return TableRow(**{**columns, "options": options_of(row.options)}, sitters=sitters, removed=out)
