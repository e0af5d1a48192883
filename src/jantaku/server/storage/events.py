"""Stored events, their staff, change log, penalties and calls for referees."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Select,
    String,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.doubts import Doubt
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import (
    BATCH_ROWS,
    Id,
    Json,
    LongId,
    Milliseconds,
    Name,
    Rows,
    Stored,
    StoredModel,
    StoredRow,
    Word,
    encode_json,
    read_rows,
    table_of,
)
from jantaku.server.storage.event_plan import EventPlan
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.store import DatabaseRow, Repository, now_ms

OPEN: Final = ("open",)
ANY: Final = ("open", "closed", "cancelled")


class EventRow(StoredRow):
    """An event; ``status`` is ``open``, ``closed`` or ``cancelled``."""

    __tablename__ = "events"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str]
    rules: Mapped[Name]
    fingerprint: Mapped[Id]
    plan: Mapped[EventPlan] = mapped_column(StoredModel(EventPlan))
    status: Mapped[Word]
    listed: Mapped[bool]
    revision: Mapped[int]  # number of changes
    results: Mapped[int]  # number of changes that may affect the standings
    code: Mapped[Id]  # check-in code
    created: Mapped[Milliseconds] = mapped_column(index=True)


class StaffRow(StoredRow):
    """A person's role in an event: ``organiser``, ``referee`` or ``recorder``."""

    __tablename__ = "event_staff"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    person: Mapped[Id] = mapped_column(primary_key=True, index=True)
    role: Mapped[Word]


SERVER: Final = PersonRow("", "Jantaku", None, "player", "en")
"""The author of changes made by the server itself."""


class AuditRow(StoredRow):
    """An entry of the change log: author, action, values before and after, and reason.

    ``name`` is the author's name; only ``EventLog`` fills it.
    """

    __tablename__ = "event_audit"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True)  # one change may have several log entries
    at: Mapped[Milliseconds]
    person: Mapped[Id | None] = mapped_column(index=True)
    action: Mapped[str] = mapped_column(String(24))
    game: Mapped[LongId | None]
    entry: Mapped[LongId | None]
    before: Mapped[Json]
    after: Mapped[Json]
    why: Mapped[str]
    name: str = ""


class Change:
    """A transaction that changes one event; its notes go to the change log in the same transaction."""

    def __init__(self, connection: AsyncConnection, event: EventRow, who: PersonRow) -> None:
        self.connection = connection
        self.event = event
        self.who = who
        self.at = now_ms()
        self.results_change = False  # whether the standings may change
        self.notes: list[AuditRow] = []

    def note(
        self,
        action: str,
        *,
        before: object = None,
        after: object = None,
        why: str = "",
        game: str | None = None,
        entry: str | None = None,
    ) -> None:
        """Add an entry to the change log, with the ``game`` or ``entry`` concerned.

        Nothing is logged if ``before`` equals ``after``, for example when a request is repeated.
        """
        if before is not None and encode_json(before) == encode_json(after):
            return
        key = (self.event.id, self.event.revision, len(self.notes), self.at, self.who.id or None)
        self.notes.append(AuditRow(*key, action, game, entry, before, after, why))

    def of(self, kind: Rows) -> ColumnElement[bool]:
        """Condition for rows of a table that belong to the event."""
        table = table_of(kind)
        return (table.c.id if table.name == EventRow.__tablename__ else table.c.event) == self.event.id

    async def all(self, kind: type[Stored], *where: ColumnElement[bool]) -> list[Stored]:
        """Return the event's rows of a table that match all conditions, in order of their keys."""
        query = select(kind).where(self.of(kind), *where)
        return await read_rows(self.connection, query.order_by(*table_of(kind).primary_key))

    async def rows(self, query: Select[Any]) -> list[DatabaseRow]:
        """Execute a query in this transaction and return its rows."""
        return list(await self.connection.execute(query))

    async def insert(self, rows: Iterable[StoredRow]) -> None:
        """Insert rows of one table."""
        remaining = iter(rows)
        while batch := list(islice(remaining, BATCH_ROWS)):
            await self.connection.execute(insert(type(batch[0])), [row.values() for row in batch])

    async def set(self, table: Rows, *where: ColumnElement[bool], **values: Any) -> int:
        """Update columns of the event's rows that match all conditions; return the number of rows."""
        statement = update(table).where(self.of(table), *where).values(values)
        return (await self.connection.execute(statement)).rowcount

    async def remove(self, table: Rows, *where: ColumnElement[bool]) -> None:
        """Delete the event's rows that match all conditions."""
        await self.connection.execute(delete(table).where(self.of(table), *where))

    async def next_number(self, column: Any) -> int:
        """Return one more than the column's maximum in this event; 1 if there are no rows."""
        query = select(func.max(column)).where(self.of(column.table))
        return int((await self.connection.execute(query)).scalar() or 0) + 1

    async def count(self, column: Any, *where: Any) -> int:
        """Return the number of the event's rows that match all conditions, in the column's table."""
        query = select(func.count(column)).where(self.of(column.table), *where)
        return int((await self.connection.execute(query)).scalar_one())


Step = Callable[[Change], Awaitable[None]]
"""A function that stores further rows in the same change."""


async def logged_since(change: Change, action: str, revision: int) -> list[Any]:
    """Return the ``after`` values of all log entries of an action since a revision, excluding this change."""
    rows = await change.all(AuditRow, AuditRow.revision > revision, AuditRow.action == action)
    return [row.after for row in rows]


async def role_in(connection: AsyncConnection, event: str, person: str) -> str:
    """Return a person's role in the staff of an event; empty if they have none."""
    query = select(StaffRow.role).where(StaffRow.event == event, StaffRow.person == person)
    return str((await connection.execute(query)).scalar() or "")


async def advance_revision(connection: AsyncConnection, event: str) -> EventRow:
    """Increment the event's revision and return the event; other changes to it wait for this transaction.

    Raises ``ServerError("no_event")``.
    """
    mine = EventRow.id == event
    # the update comes first, because it locks the row
    await connection.execute(update(EventRow).where(mine).values(revision=EventRow.revision + 1))
    rows = await read_rows(connection, select(EventRow).where(mine))
    if not rows:
        raise ServerError("no_event")
    return rows[0]


async def set_role(change: Change, person: PersonRow, role: str, limit: int) -> None:
    """Give a person a role in the event; an empty role removes them from the staff.

    Raises ``ServerError`` with ``last_organiser`` if the event would be left without an organiser, or
    ``too_many_staff`` if it already has ``limit`` members of staff.
    """
    before = await role_in(change.connection, change.event.id, person.id) or None
    await change.remove(StaffRow, StaffRow.person == person.id)
    if role:
        if await change.count(StaffRow.person) >= limit:
            raise ServerError("too_many_staff", most=limit)
        await change.insert([StaffRow(change.event.id, person.id, role)])
    if not await change.count(StaffRow.person, StaffRow.role == "organiser"):
        raise ServerError("last_organiser")
    change.note("staff", before=before, after={"person": person.id, "role": role or None})


class PenaltyRow(StoredRow):
    """A penalty for an entry in a stage or in one of its games; ``cancelled`` is the time of cancellation."""

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
    """A call for a referee, a dispute about a hand ``version``, or a doubt; open until ``closed`` is set."""

    __tablename__ = "event_calls"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[Word]
    game: Mapped[LongId | None]
    version: Mapped[LongId | None]
    label: Mapped[Name]  # the place, if the call concerns no recorded game
    person: Mapped[Id | None]
    name: Mapped[Name]
    why: Mapped[str]
    at: Mapped[Milliseconds]
    closed: Mapped[Milliseconds | None] = mapped_column(default=None)
    answer: Mapped[str] = mapped_column(default="")


CALLING: Final = ("call", "dispute")  # calls made by people
DOUBT: Final = "doubt"  # a game that the server asks a referee to check; ``why`` is JSON


class EventDesk(Repository):
    """Reads penalties and calls."""

    async def penalties(self, event: str, *where: Any) -> list[PenaltyRow]:
        """Return the penalties of an event in the order given, including cancelled ones."""
        query = select(PenaltyRow).where(PenaltyRow.event == event, *where)
        return await self._store.all(query.order_by(PenaltyRow.number))

    async def every_call(self, event: str, limit: int) -> list[CallRow]:
        """Return the calls of an event in order, including doubts and closed calls."""
        query = select(CallRow).where(CallRow.event == event).order_by(CallRow.number)
        return await self._store.all(query.limit(limit))

    async def calls(self, event: str, *where: Any, limit: int) -> list[CallRow]:
        """Return the open calls that match all conditions, oldest first."""
        query = select(CallRow).where(CallRow.event == event, CallRow.closed.is_(None), *where)
        return await self._store.all(query.order_by(CallRow.number).limit(limit))


async def add_penalty(change: Change, row: PenaltyRow) -> None:
    """Store a new penalty."""
    await change.insert([row])
    change.results_change = True


async def cancel_penalty(change: Change, number: int) -> PenaltyRow:
    """Cancel a penalty and return its previous row.

    Raises ``ServerError("no_penalty")`` if it does not exist or has been cancelled.
    """
    mine = PenaltyRow.number == number
    rows = await change.all(PenaltyRow, mine)
    if not rows or rows[0].cancelled is not None:
        raise ServerError("no_penalty")
    await change.set(PenaltyRow, mine, cancelled=change.at)
    change.results_change = True
    return rows[0]


async def penalised(change: Change, games: Sequence[str]) -> set[str]:
    """Return which of these games have a penalty in force."""
    in_force = PenaltyRow.game.in_(games) & PenaltyRow.cancelled.is_(None)
    return {row.game for row in await change.all(PenaltyRow, in_force) if row.game is not None}


async def close_calls(change: Change, answer: str, *where: Any) -> list[CallRow]:
    """Close the open calls that match all conditions; return them."""
    mine = (CallRow.closed.is_(None), *where)
    rows = await change.all(CallRow, *mine)
    await change.set(CallRow, *mine, closed=change.at, answer=answer)
    return rows


async def raise_doubts(change: Change, game: str, reasons: Sequence[Doubt]) -> None:
    """Replace the open doubt about a game by one with these reasons; without reasons, close it.

    A doubt that a referee has cleared is not raised again for the same reasons.
    """
    why = _why(reasons)
    same = (CallRow.kind == DOUBT) & (CallRow.game == game)
    if await change.count(CallRow.number, same, CallRow.why == why):
        return
    await close_calls(change, "", same)
    if reasons:
        await add_doubts(change, [(game, reasons)])


async def add_doubts(change: Change, doubts: Iterable[tuple[str, Sequence[Doubt]]]) -> None:
    """Store new doubts, given as games with reasons."""
    first = await change.next_number(CallRow.number)
    await change.insert(
        CallRow(change.event.id, number, DOUBT, game, None, "", None, "", _why(reasons), change.at)
        for number, (game, reasons) in enumerate(doubts, first)
    )


def _why(reasons: Sequence[Doubt]) -> str:
    return json.dumps([[code, dict(values)] for code, values in reasons])


async def close_doubts(change: Change, game: str) -> None:
    """Close the doubts about a game, because a referee has decided it."""
    await close_calls(change, "", CallRow.kind == DOUBT, CallRow.game == game)
