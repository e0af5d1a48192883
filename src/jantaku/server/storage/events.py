"""Events in the database, who runs them, and the log of everything that changes in them."""

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
    PART,
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
    read_rows,
    table_of,
    written_json,
)
from jantaku.server.storage.event_plan import EventPlan
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.store import DatabaseRow, OverStore, now_ms

OPEN: Final = ("open",)
ANY: Final = ("open", "closed", "cancelled")


class EventRow(StoredRow):
    """An event: ``open``, ``closed`` or ``cancelled``."""

    __tablename__ = "events"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str]
    rules: Mapped[Name]
    fingerprint: Mapped[Id]
    plan: Mapped[EventPlan] = mapped_column(StoredModel(EventPlan))
    status: Mapped[Word]
    listed: Mapped[bool]
    revision: Mapped[int]  # how often anything has changed
    results: Mapped[int]  # how often the standings may have changed
    code: Mapped[Id]  # for checking in
    created: Mapped[Milliseconds] = mapped_column(index=True)


class StaffRow(StoredRow):
    """Somebody with a role in an event: ``organiser``, ``referee`` or ``recorder``."""

    __tablename__ = "event_staff"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    person: Mapped[Id] = mapped_column(primary_key=True, index=True)
    role: Mapped[Word]


SERVER: Final = PersonRow("", "Jantaku", None, "player", "en")
"""Who changes an event when nobody does: the server itself."""


class AuditRow(StoredRow):
    """Who changed what, from what, to what, and why. ``name``: see ``EventLog``."""

    __tablename__ = "event_audit"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True)  # several things may change at once
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
    """A transaction that changes one event. What it notes goes into the log with it."""

    def __init__(self, connection: AsyncConnection, event: EventRow, who: PersonRow) -> None:
        self.connection = connection
        self.event = event
        self.who = who
        self.at = now_ms()
        self.results_change = False  # whether the standings may come out differently
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
        """Note what changed, and the ``game`` or the ``entry`` concerned.

        What is the same before and after, as where somebody says it twice, is no news.
        """
        if before is not None and written_json(before) == written_json(after):
            return
        key = (self.event.id, self.event.revision, len(self.notes), self.at, self.who.id or None)
        self.notes.append(AuditRow(*key, action, game, entry, before, after, why))

    def of(self, kind: Rows) -> ColumnElement[bool]:
        """That a row of a table is the event, or its."""
        table = table_of(kind)
        return (table.c.id if table.name == EventRow.__tablename__ else table.c.event) == self.event.id

    async def all(self, kind: type[Stored], *where: ColumnElement[bool]) -> list[Stored]:
        """The event's rows of a table for which all of ``where`` is true, by their keys."""
        query = select(kind).where(self.of(kind), *where)
        return await read_rows(self.connection, query.order_by(*table_of(kind).primary_key))

    async def rows(self, query: Select[Any]) -> list[DatabaseRow]:
        """The rows that a query finds within the transaction."""
        return list(await self.connection.execute(query))

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


async def noted_since(change: Change, action: str, revision: int) -> list[Any]:
    """What earlier changes than this one have made of the event since a revision, by the log."""
    rows = await change.all(AuditRow, AuditRow.revision > revision, AuditRow.action == action)
    return [row.after for row in rows]


async def role_in(connection: AsyncConnection, event: str, person: str) -> str:
    """The role of a person among those who run an event; empty if they have none."""
    query = select(StaffRow.role).where(StaffRow.event == event, StaffRow.person == person)
    return str((await connection.execute(query)).scalar() or "")


async def take_revision(connection: AsyncConnection, event: str) -> EventRow:
    """The event with a new revision; other changes of it wait from now on. Raises ``no_event``."""
    mine = EventRow.id == event
    # the update comes first: it keeps the others waiting
    await connection.execute(update(EventRow).where(mine).values(revision=EventRow.revision + 1))
    rows = await read_rows(connection, select(EventRow).where(mine))
    if not rows:
        raise ServerError("no_event")
    return rows[0]


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
