"""Events in the database, who runs them, and the log of everything that changes in them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.event_schema import event_audit, event_entries, event_staff, events
from jantaku.server.storage.json_text import as_json, from_json
from jantaku.server.storage.kept_bytes import ROW
from jantaku.server.storage.paging import ListPage, PageEnd, following, newest
from jantaku.server.storage.schema import people
from jantaku.server.storage.store import DatabaseRow, Store, now_ms
from jantaku.server.storage.unreadable import readable
from jantaku.server.storage.webhook_news import queue_news

OPEN: Final = ("open",)
PART: Final = 500  # rows that are stored at once; tables and bots go on between two parts
ANY: Final = ("open", "closed", "cancelled")


class EventRow(NamedTuple):
    """An event; ``plan`` is the JSON of ``EventPlan``, ``name`` has a text for each language."""

    id: str
    name: dict[str, str]
    rules: str
    fingerprint: str
    plan: str
    status: str
    listed: bool
    revision: int
    results: int
    code: str
    created: int
    broadcast: str | None = None


class StaffRow(NamedTuple):
    """Somebody with a role in an event."""

    person: str
    name: str
    role: str


SERVER: Final = PersonRow("", "Jantaku", None, "player", "en")
"""Who changes an event when nobody does: the server itself."""


def _event(row: Any) -> EventRow:
    return EventRow(**{**row._asdict(), "name": from_json(row.name)})


class Change:
    """A transaction that changes one event. What it notes goes into the log with it."""

    def __init__(self, connection: AsyncConnection, event: EventRow, who: PersonRow) -> None:
        self.connection = connection
        self.event = event
        self.who = who
        self.at = now_ms()
        self.results_change = False  # whether the standings may come out differently
        self._notes: list[dict[str, Any]] = []

    def note(
        self, action: str, *, before: object = None, after: object = None, why: str = "", **about: str | None
    ) -> None:
        """Note what changed; ``about`` names the ``game`` or the ``entry`` concerned.

        What is the same before and after, as where somebody says it twice, is no news.
        """
        values = {"before": as_json(before), "after": as_json(after), "why": why, "action": action}
        if before is not None and values["before"] == values["after"]:
            return
        self._notes.append({"game": None, "entry": None, **values, **about})

    async def write_notes(self) -> int:
        """Store the notes, and that the standings may have changed; return how many bytes were stored."""
        who = {"person": self.who.id or None, "name": self.who.name, "at": self.at}
        key = {"event": self.event.id, "revision": self.event.revision}
        rows = [{**key, **who, "part": part, **note} for part, note in enumerate(self._notes)]
        if rows:
            await self.connection.execute(insert(event_audit), rows)
            await queue_news(self.connection, self.event.id, self.event.revision, rows)
        if self.results_change:
            await self.set(events, results=events.c.results + 1)
        return sum(
            ROW + sum(len(value.encode()) for value in row.values() if type(value) is str) for row in rows
        )

    def of(self, table: Table) -> ColumnElement[bool]:
        """That a row of a table is the event, or its."""
        return (table.c.id if table is events else table.c.event) == self.event.id

    async def rows(self, query: Select[Any]) -> list[DatabaseRow]:
        """The rows that a query finds within the transaction."""
        return list(await self.connection.execute(query))

    async def add(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
        """Store new rows of the event."""
        left = iter(rows)
        while values := [{"event": self.event.id, **row} for row in islice(left, PART)]:
            await self.connection.execute(insert(table), values)

    async def set(self, table: Table, *where: ColumnElement[bool], **values: Any) -> int:
        """Give columns of the event's rows for which all of ``where`` is true a value; how many there are."""
        changed = update(table).where(self.of(table), *where).values(values)
        return (await self.connection.execute(changed)).rowcount

    async def remove(self, table: Table, *where: ColumnElement[bool]) -> None:
        """Delete the event's rows for which all of ``where`` is true."""
        await self.connection.execute(delete(table).where(self.of(table), *where))

    async def next_number(self, column: Any) -> int:
        """One more than the highest number of a column in this event; from 1."""
        query = select(func.max(column)).where(self.of(column.table))
        return int((await self.connection.execute(query)).scalar() or 0) + 1

    async def count(self, column: Any, *where: Any) -> int:
        """How many rows of this event have the column's table."""
        query = select(func.count(column)).where(self.of(column.table), *where)
        return int((await self.connection.execute(query)).scalar_one())


Then = Callable[[Change], Awaitable[None]]
"""What is stored in the same change."""


class EventStore:
    """All stored events.

    ``changed`` are called with an event's id and revision after each change, ``noting`` with how many bytes
    a new event takes, or its log grows by, before that is stored; they may refuse it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.changed: list[Callable[[str, int], None]] = []
        self.noting: list[Callable[[int], None]] = []

    async def add(self, row: EventRow, who: PersonRow, most: int, content: Then | None = None) -> None:
        """Store a new event with its content, which ``who`` organises.

        Raises ``too_many_events`` if they organise ``most``.
        """
        async with self._store.counting() as connection:
            mine = (event_staff.c.person == who.id) & (event_staff.c.role == "organiser")
            count = select(func.count()).select_from(event_staff).where(mine)
            if (await connection.execute(count)).scalar_one() >= most:
                raise ServerError("too_many_events", most=most)
            values = {**row._asdict(), "name": as_json(row.name)}
            await connection.execute(insert(events).values(values))
            staff = {"event": row.id, "person": who.id, "role": "organiser"}
            await connection.execute(insert(event_staff).values(staff))
            change = Change(connection, row, who)
            change.note("create", after={"name": row.name, "rules": row.rules})
            if content is not None:
                await content(change)
            await self._write_notes(change, len(row.plan.encode()))

    async def find(self, event: str) -> EventRow:
        """The event with an id; raises ``no_event`` if there is none."""
        row = await self._store.first(select(events).where(events.c.id == event))
        if row is None:
            raise ServerError("no_event")
        return _event(row)

    async def of(self, person: str | None, before: PageEnd | None, most: int) -> ListPage[EventRow]:
        """The newest events: those that everybody finds, or those a person runs or plays in."""
        query = select(events)
        if person is None:
            query = query.where(events.c.listed)
        else:
            runs = select(event_staff.c.event).where(event_staff.c.person == person)
            plays = select(event_entries.c.event).where(event_entries.c.person == person)
            query = query.where(or_(events.c.id.in_(runs), events.c.id.in_(plays)))
        query = newest(query, (events.c.created, events.c.id), before, most)
        rows = await self._store.rows(query)
        return ListPage(readable(rows, "event", _event), following(rows, "created", most))

    @asynccontextmanager
    async def changing(
        self, event: str, who: PersonRow, statuses: Sequence[str] = OPEN
    ) -> AsyncIterator[Change]:
        """A transaction in which nobody else changes the event; it gets a new revision.

        Whoever acts by a role or an entry uses ``changing`` of ``jantaku.server.events.common.event_rights``.

        Raises ``no_event``, and ``event_over`` if the event's status is none of ``statuses``.
        """
        async with self._store.writing() as connection:
            row = await take_revision(connection, event)
            if row.status not in statuses:
                raise ServerError("event_over")
            change = Change(connection, row, who)
            yield change
            await self._write_notes(change)
        for call in self.changed:
            call(event, row.revision)

    async def _write_notes(self, change: Change, more: int = 0) -> None:
        """Store the notes of a change that stores so much ``more``."""
        size = more + await change.write_notes()
        for call in self.noting:
            call(size)

    async def named(self, ids: Collection[str]) -> dict[str, EventRow]:
        """These events by their ids; those that were deleted are left out."""
        rows = await self._store.rows(select(events).where(events.c.id.in_(ids)))
        return {row.id: _event(row) for row in rows}

    async def role(self, event: str, person: str) -> str:
        """The role of a person among those who run the event; empty if they have none."""
        async with self._store.reading() as connection:
            return await role_in(connection, event, person)

    async def roles(self, person: str) -> dict[str, str]:
        """The role of a person in every event that they run."""
        query = select(event_staff.c.event, event_staff.c.role).where(event_staff.c.person == person)
        return {row.event: row.role for row in await self._store.rows(query)}

    async def staff(self, event: str) -> list[StaffRow]:
        """Everybody who runs the event, by name."""
        query = select(event_staff.c.person, people.c.name, event_staff.c.role)
        query = query.join(people, people.c.id == event_staff.c.person).where(event_staff.c.event == event)
        return [StaffRow(*row) for row in await self._store.rows(query.order_by(people.c.name))]


async def role_in(connection: AsyncConnection, event: str, person: str) -> str:
    """The role of a person among those who run an event; empty if they have none."""
    query = select(event_staff.c.role).where(event_staff.c.event == event, event_staff.c.person == person)
    return str((await connection.execute(query)).scalar() or "")


async def take_revision(connection: AsyncConnection, event: str) -> EventRow:
    """The event with a new revision; other changes of it wait from now on. Raises ``no_event``."""
    mine = events.c.id == event
    # the update comes first: it keeps the others waiting
    await connection.execute(update(events).where(mine).values(revision=events.c.revision + 1))
    row = (await connection.execute(select(events).where(mine))).first()
    if row is None:
        raise ServerError("no_event")
    return _event(row)


async def set_role(change: Change, person: PersonRow, role: str, most: int) -> None:
    """Give somebody a role in the event, or with an empty one take it away.

    Raises ``last_organiser`` if nobody would organise the event, ``too_many_staff`` if it has ``most``.
    """
    table, before = event_staff, await role_in(change.connection, change.event.id, person.id) or None
    await change.remove(table, table.c.person == person.id)
    if role:
        if await change.count(table.c.person) >= most:
            raise ServerError("too_many_staff", most=most)
        await change.add(table, [{"person": person.id, "role": role}])
    if not await change.count(table.c.person, table.c.role == "organiser"):
        raise ServerError("last_organiser")
    change.note("staff", before=before, after={"person": person.name, "role": role or None})
