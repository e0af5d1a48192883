"""Events in the database, who runs them, and the log of everything that changes in them."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.doubts import Doubt
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import (
    Id,
    LongId,
    Milliseconds,
    Name,
    Rows,
    Stored,
    StoredRow,
    Word,
    read_rows,
    table_of,
)
from jantaku.server.storage.event_plan import EventPlan
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.rows import (
    ROW,
    ListPage,
    PageEnd,
    as_json,
    following,
    from_json,
    newest,
    readable,
)
from jantaku.server.storage.schema import event_audit, event_entries, events, recorded_seats
from jantaku.server.storage.store import DatabaseRow, OverStore, Store, now_ms
from jantaku.server.storage.webhooks import queue_news

OPEN: Final = ("open",)
PART: Final = 500  # rows that are stored at once; tables and bots go on between two parts
ANY: Final = ("open", "closed", "cancelled")


class EventRow(NamedTuple):
    """An event."""

    id: str
    name: str
    rules: str
    fingerprint: str
    plan: EventPlan
    status: str
    listed: bool
    revision: int
    results: int
    code: str
    created: int


class StaffRow(StoredRow):
    """Somebody with a role in an event: ``organiser``, ``referee`` or ``recorder``."""

    __tablename__ = "event_staff"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    person: Mapped[Id] = mapped_column(primary_key=True, index=True)
    role: Mapped[Word]


SERVER: Final = PersonRow("", "Jantaku", None, "player", "en")
"""Who changes an event when nobody does: the server itself."""


def _event(row: Any) -> EventRow:
    return EventRow(*row)


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
        who = {"person": self.who.id or None, "at": self.at}
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

    def of(self, kind: Rows) -> ColumnElement[bool]:
        """That a row of a table is the event, or its."""
        table = table_of(kind)
        return (table.c.id if table is events else table.c.event) == self.event.id

    async def all(self, kind: type[Stored], *where: ColumnElement[bool]) -> list[Stored]:
        """The event's rows of a table for which all of ``where`` is true, by their keys."""
        query = select(kind).where(self.of(kind), *where)
        return await read_rows(self.connection, query.order_by(*table_of(kind).primary_key))

    async def rows(self, query: Select[Any]) -> list[DatabaseRow]:
        """The rows that a query finds within the transaction."""
        return list(await self.connection.execute(query))

    async def add(self, table: Rows, rows: Iterable[Mapping[str, Any]]) -> None:
        """Store new rows of the event."""
        left = iter(rows)
        while values := [{"event": self.event.id, **row} for row in islice(left, PART)]:
            await self.connection.execute(insert(table), values)

    async def insert(self, rows: Iterable[StoredRow]) -> None:
        """Store new rows of one table."""
        left = iter(rows)
        while part := list(islice(left, PART)):
            await self.connection.execute(insert(type(part[0])), [row.values() for row in part])

    async def set(self, table: Rows, *where: ColumnElement[bool], **values: Any) -> int:
        """Give columns of the event's rows for which all of ``where`` is true a value; how many there are."""
        changed = update(table).where(self.of(table), *where).values(values)
        return (await self.connection.execute(changed)).rowcount

    async def remove(self, table: Rows, *where: ColumnElement[bool]) -> None:
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
            mine = (StaffRow.person == who.id) & (StaffRow.role == "organiser")
            count = select(func.count(StaffRow.event)).where(mine)
            if (await connection.execute(count)).scalar_one() >= most:
                raise ServerError("too_many_events", most=most)
            await connection.execute(insert(events).values(row._asdict()))
            change = Change(connection, row, who)
            await change.insert([StaffRow(row.id, who.id, "organiser")])
            change.note("create", after={"name": row.name, "rules": row.rules})
            if content is not None:
                await content(change)
            await self._write_notes(change, len(row.plan.model_dump_json()))

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
            runs = select(StaffRow.event).where(StaffRow.person == person)
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

        Whoever acts by a role or an entry uses ``changing`` of ``jantaku.server.events.common.event``.

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
        rows = await self._store.all(select(StaffRow).where(StaffRow.person == person))
        return {row.event: row.role for row in rows}

    async def staff(self, event: str) -> list[DatabaseRow]:
        """Everybody who runs the event, by name: ``person``, ``name`` and ``role``."""
        query = select(StaffRow.person, PersonRow.name, StaffRow.role)
        query = query.join(PersonRow, PersonRow.id == StaffRow.person).where(StaffRow.event == event)
        return await self._store.rows(query.order_by(PersonRow.name))


async def role_in(connection: AsyncConnection, event: str, person: str) -> str:
    """The role of a person among those who run an event; empty if they have none."""
    query = select(StaffRow.role).where(StaffRow.event == event, StaffRow.person == person)
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
    before = await role_in(change.connection, change.event.id, person.id) or None
    await change.remove(StaffRow, StaffRow.person == person.id)
    if role:
        if await change.count(StaffRow.person) >= most:
            raise ServerError("too_many_staff", most=most)
        await change.insert([StaffRow(change.event.id, person.id, role)])
    if not await change.count(StaffRow.person, StaffRow.role == "organiser"):
        raise ServerError("last_organiser")
    change.note("staff", before=before, after={"person": person.id, "role": role or None})


ORGANISERS_ONLY: Final = ("seating", "webhook")  # with its seed anybody can make the seating of a draft
CALLS: Final = ("call", "dispute", "answer")  # those of people without an entry concern no player
Position = tuple[int, int]  # revision and part of a row


class AuditRow(NamedTuple):
    """Who changed what, from what, to what, and why; the ``name`` is what they are called now."""

    revision: int
    part: int
    at: int
    person: str | None
    name: str
    action: str
    game: str | None
    entry: str | None
    before: Any
    after: Any
    why: str


GONE: Final = "–"
_NAME: Final = case((event_audit.c.person.is_(None), SERVER.name), else_=func.coalesce(PersonRow.name, GONE))
COLUMNS: Final = tuple(
    _NAME.label(name) if name == "name" else event_audit.c[name] for name in AuditRow._fields
)
AUDIT: Final = select(*COLUMNS).outerjoin(PersonRow, PersonRow.id == event_audit.c.person)


class EventLog(OverStore):
    """Reads the logs of events. Nothing in them ever changes."""

    async def read(
        self,
        event: str,
        entry: str | None,
        before: Position | None,
        most: int,
        *,
        game: str | None = None,
        whole: bool = False,
    ) -> list[AuditRow]:
        """The newest rows before a position, the newest first.

        With ``entry`` only those that concern a player: their games, their entry, and the event itself. What
        only organisers see, such as drafts, is left out unless it is the ``whole`` log.
        """
        log = event_audit.c
        query = AUDIT.where(log.event == event)
        if before is not None:
            same = and_(log.revision == before[0], log.part < before[1])
            query = query.where(or_(log.revision < before[0], same))
        if game is not None:
            query = query.where(log.game == game)
        if entry is not None:
            seats = recorded_seats.c
            mine = select(seats.game).where(seats.event == event, seats.entry == entry)
            everybody = and_(log.game.is_(None), log.entry.is_(None), log.action.not_in(CALLS))
            query = query.where(or_(log.entry == entry, log.game.in_(mine), everybody))
        if not whole:
            query = query.where(log.action.not_in(ORGANISERS_ONLY))
        query = query.order_by(log.revision.desc(), log.part.desc()).limit(most)
        rows = [_row(row) for row in await self._store.rows(query)]
        staff = {row.after["person"] for row in rows if row.action == "staff"}
        if not staff:
            return rows
        found = await self._store.rows(select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(staff)))
        called = {row.id: row.name for row in found}
        return [_with_name(row, called) if row.action == "staff" else row for row in rows]

    async def let_in(self, event: str, stage: str) -> set[str]:
        """The entries that have replaced a player of a stage."""
        log = event_audit.c
        query = select(log.after).where(log.event == event, log.action == "replace")
        entries = [from_json(after) for after in await self._store.values(query)]
        return {entry["by"] for entry in entries if entry["stage"] == stage}

    async def of(self, event: str, revision: int) -> list[AuditRow]:
        """What one change consisted of."""
        log = event_audit.c
        query = AUDIT.where(log.event == event, log.revision == revision).order_by(log.part)
        return [_row(row) for row in await self._store.rows(query)]


async def noted_since(change: Change, action: str, revision: int) -> list[Any]:
    """What earlier changes than this one have made of the event since a revision, by the log."""
    log = event_audit.c
    query = select(log.after).where(change.of(event_audit), log.revision > revision, log.action == action)
    return [from_json(row.after) for row in await change.rows(query)]


def _row(columns: Any) -> AuditRow:
    row = AuditRow(*columns)
    return row._replace(before=from_json(row.before), after=from_json(row.after))


def _with_name(row: AuditRow, called: Mapping[str, str]) -> AuditRow:
    """A change of a role with the name of whom it concerns."""
    return row._replace(after=row.after | {"person": called.get(row.after["person"], GONE)})


class PenaltyRow(StoredRow):
    """Points for an entry in a stage, or within one of its games; ``cancelled`` is when."""

    __tablename__ = "event_penalties"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    stage: Mapped[LongId]
    entry: Mapped[LongId]
    game: Mapped[LongId | None]
    points: Mapped[int]
    why: Mapped[str]
    person: Mapped[Id | None]
    at: Mapped[Milliseconds]
    cancelled: Mapped[Milliseconds | None]


class CallRow(StoredRow):
    """A call for a referee, or a dispute about the hand of a ``version``; open until ``closed``."""

    __tablename__ = "event_calls"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[Word]
    game: Mapped[LongId | None]
    version: Mapped[LongId | None]
    label: Mapped[Name]  # where, if at no recorded game
    person: Mapped[Id | None]
    name: Mapped[Name]
    why: Mapped[str]
    at: Mapped[Milliseconds]
    closed: Mapped[Milliseconds | None] = mapped_column(default=None)
    answer: Mapped[str] = mapped_column(default="")


CALLING: Final = ("call", "dispute")  # what people have called a referee for
DOUBT: Final = "doubt"  # what the server asks a referee to look at: ``why`` is JSON


class EventDesk(OverStore):
    """Reads penalties and calls."""

    async def penalties(self, event: str, *where: Any) -> list[PenaltyRow]:
        """The penalties of an event, cancelled ones too, in the order in which they were given."""
        query = select(PenaltyRow).where(PenaltyRow.event == event, *where)
        return await self._store.all(query.order_by(PenaltyRow.number))

    async def every_call(self, event: str, most: int) -> list[CallRow]:
        """All calls of an event, closed ones and doubts too, in the order in which they came."""
        query = select(CallRow).where(CallRow.event == event).order_by(CallRow.number)
        return await self._store.all(query.limit(most))

    async def calls(self, event: str, *where: Any, most: int) -> list[CallRow]:
        """The open calls, the oldest first."""
        query = select(CallRow).where(CallRow.event == event, CallRow.closed.is_(None), *where)
        return await self._store.all(query.order_by(CallRow.number).limit(most))


async def add_penalty(change: Change, row: PenaltyRow) -> None:
    """Store a new penalty."""
    await change.insert([row])
    change.results_change = True


async def cancel_penalty(change: Change, number: int) -> PenaltyRow:
    """Cancel a penalty and return it as it was; raises ``no_penalty`` if there is none to cancel."""
    mine = PenaltyRow.number == number
    rows = await change.all(PenaltyRow, mine)
    if not rows or rows[0].cancelled is not None:
        raise ServerError("no_penalty")
    await change.set(PenaltyRow, mine, cancelled=change.at)
    change.results_change = True
    return rows[0]


async def penalised(change: Change, games: Sequence[str]) -> set[str]:
    """Those of these games within which a penalty is in force."""
    given = PenaltyRow.game.in_(games) & PenaltyRow.cancelled.is_(None)
    return {row.game for row in await change.all(PenaltyRow, given) if row.game is not None}


async def close_calls(change: Change, answer: str, *where: Any) -> list[CallRow]:
    """Close the open calls for which all of ``where`` is true; returns them."""
    mine = (CallRow.closed.is_(None), *where)
    rows = await change.all(CallRow, *mine)
    await change.set(CallRow, *mine, closed=change.at, answer=answer)
    return rows


async def ask_to_look(change: Change, game: str, reasons: Sequence[Doubt]) -> None:
    """Put a game and the reasons to look at it on the referees' list, instead of others that were there.

    What a referee has cleared does not come again for the same reasons.
    """
    why = _why(reasons)
    same = (CallRow.kind == DOUBT) & (CallRow.game == game)
    if await change.count(CallRow.number, same, CallRow.why == why):
        return
    await close_calls(change, "", same)
    if reasons:
        await ask_to_look_at_all(change, [(game, reasons)])


async def ask_to_look_at_all(change: Change, doubts: Iterable[tuple[str, Sequence[Doubt]]]) -> None:
    """Put new games and the reasons to look at each on the referees' list."""
    first = await change.next_number(CallRow.number)
    await change.insert(
        CallRow(change.event.id, number, DOUBT, game, None, "", None, "", _why(reasons), change.at)
        for number, (game, reasons) in enumerate(doubts, first)
    )


def _why(reasons: Sequence[Doubt]) -> str:
    return json.dumps([[code, dict(values)] for code, values in reasons])


async def settle_doubts(change: Change, game: str) -> None:
    """A referee has decided about a game: nobody needs to look any more."""
    await close_calls(change, "", CallRow.kind == DOUBT, CallRow.game == game)
