"""Find and change events, one change at a time, and read their change logs."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from sqlalchemy import and_, case, func, insert, or_, select

from jantaku.server.errors import ServerError
from jantaku.server.storage.base import encode_json
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import (
    OPEN,
    SERVER,
    AuditRow,
    Change,
    EventRow,
    StaffRow,
    Step,
    advance_revision,
    role_in,
)
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import RecordedSeat
from jantaku.server.storage.rows import ROW_BYTES, ListPage, PageEnd, newest, next_page
from jantaku.server.storage.store import DatabaseRow, Repository, Store
from jantaku.server.storage.webhooks import queue_news


class EventStore:
    """Reads and changes events.

    The ``changed`` callbacks receive an event's id and revision after each change. The ``before_log``
    callbacks receive the bytes by which a change grows the stored event and its log, before the commit;
    they may raise to refuse the change.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.changed: list[Callable[[str, int], None]] = []
        self.before_log: list[Callable[[int], None]] = []

    async def add(self, row: EventRow, who: PersonRow, limit: int, content: Step | None = None) -> None:
        """Store a new event and its content; ``who`` becomes the organiser.

        Raises ``ServerError("too_many_events")`` if they already organise ``limit`` events.
        """
        async with self._store.exclusive() as connection:
            mine = (StaffRow.person == who.id) & (StaffRow.role == "organiser")
            count = select(func.count(StaffRow.event)).where(mine)
            if (await connection.execute(count)).scalar_one() >= limit:
                raise ServerError("too_many_events", most=limit)
            await connection.execute(insert(EventRow).values(row.values()))
            change = Change(connection, row, who)
            await change.insert([StaffRow(row.id, who.id, "organiser")])
            change.note("create", after={"name": row.name, "rules": row.rules})
            if content is not None:
                await content(change)
            await self._write_log(change, len(row.plan.model_dump_json()))

    async def find(self, event: str) -> EventRow:
        """Return the event with this id; raises ``ServerError("no_event")`` if there is none."""
        row = await self._store.one(select(EventRow).where(EventRow.id == event))
        if row is None:
            raise ServerError("no_event")
        return row

    async def of(self, person: str | None, before: PageEnd | None, limit: int) -> ListPage[EventRow]:
        """Return a page of events, newest first: the listed ones, or those a person runs or plays in."""
        query = select(EventRow)
        if person is None:
            query = query.where(EventRow.listed)
        else:
            runs = select(StaffRow.event).where(StaffRow.person == person)
            plays = select(EntryRow.event).where(EntryRow.person == person)
            query = query.where(or_(EventRow.id.in_(runs), EventRow.id.in_(plays)))
        query = newest(query, (EventRow.created, EventRow.id), before, limit)
        rows = await self._store.all(query)
        return ListPage(rows, next_page(rows, "created", limit))

    @asynccontextmanager
    async def changing(
        self, event: str, who: PersonRow, statuses: Sequence[str] = OPEN
    ) -> AsyncIterator[Change]:
        """Open a transaction that has the event to itself and gives it a new revision.

        This does not check rights. For changes that require a role or an entry, use ``changing`` of
        ``jantaku.server.events.common.event``. Raises ``ServerError`` with ``no_event``, or ``event_over`` if
        the event's status is not in ``statuses``.
        """
        async with self._store.writing() as connection:
            row = await advance_revision(connection, event)
            if row.status not in statuses:
                raise ServerError("event_over")
            change = Change(connection, row, who)
            yield change
            await self._write_log(change)
        for call in self.changed:
            call(event, row.revision)

    async def _write_log(self, change: Change, more: int = 0) -> None:
        """Write the log of a change and report its size; the change also stores ``more`` other bytes."""
        size = more + await write_log(change)
        for call in self.before_log:
            call(size)

    async def named(self, ids: Collection[str]) -> dict[str, EventRow]:
        """Return events by id; deleted ones are left out."""
        rows = await self._store.all(select(EventRow).where(EventRow.id.in_(ids)))
        return {row.id: row for row in rows}

    async def role(self, event: str, person: str) -> str:
        """Return a person's role in the staff of the event; empty if they have none."""
        async with self._store.reading() as connection:
            return await role_in(connection, event, person)

    async def roles(self, person: str) -> dict[str, str]:
        """Return a person's staff roles by event."""
        rows = await self._store.all(select(StaffRow).where(StaffRow.person == person))
        return {row.event: row.role for row in rows}

    async def staff(self, event: str) -> list[DatabaseRow]:
        """Return the staff of the event, sorted by name, as rows of ``person``, ``name`` and ``role``."""
        query = select(StaffRow.person, PersonRow.name, StaffRow.role)
        query = query.join(PersonRow, PersonRow.id == StaffRow.person).where(StaffRow.event == event)
        return await self._store.rows(query.order_by(PersonRow.name))


async def write_log(change: Change) -> int:
    """Store the log entries of a change, queue its webhooks, and count any change to the results.

    Returns the size of the log entries in bytes.
    """
    if change.notes:
        await change.insert(change.notes)
        await queue_news(change.connection, change.notes)
    if change.results_change:
        await change.set(EventRow, results=EventRow.results + 1)
    texts = (encode_json([*note.values().values()]) for note in change.notes)
    return sum(ROW_BYTES + len(text.encode()) for text in texts)


ORGANISERS_ONLY: Final = ("seating", "webhook")  # a seed would reveal the seating of a draft
CALLS: Final = ("call", "dispute", "answer")  # these concern a player only through an entry or a game
Position = tuple[int, int]  # revision and part of a row


GONE: Final = "–"
_NAME: Final = case((AuditRow.person.is_(None), SERVER.name), else_=func.coalesce(PersonRow.name, GONE))
AUDIT: Final = select(AuditRow, _NAME).outerjoin(PersonRow, PersonRow.id == AuditRow.person)


class EventLog(Repository):
    """Reads the change logs of events, which are append-only."""

    async def read(
        self,
        event: str,
        entry: str | None,
        before: Position | None,
        limit: int,
        *,
        game: str | None = None,
        whole: bool = False,
    ) -> list[AuditRow]:
        """Return log entries before a position, newest first.

        With ``entry``, return only those that concern this player: their games, their entry, and the event
        itself. Entries for organisers only, such as drafts, are left out unless ``whole`` is set.
        """
        log = AuditRow
        query = AUDIT.where(log.event == event)
        if before is not None:
            same = and_(log.revision == before[0], log.part < before[1])
            query = query.where(or_(log.revision < before[0], same))
        if game is not None:
            query = query.where(log.game == game)
        if entry is not None:
            mine = select(RecordedSeat.game).where(RecordedSeat.event == event, RecordedSeat.entry == entry)
            everybody = and_(log.game.is_(None), log.entry.is_(None), log.action.not_in(CALLS))
            query = query.where(or_(log.entry == entry, log.game.in_(mine), everybody))
        if not whole:
            query = query.where(log.action.not_in(ORGANISERS_ONLY))
        query = query.order_by(log.revision.desc(), log.part.desc()).limit(limit)
        rows = [AuditRow(*row) for row in await self._store.rows(query)]
        staff = {row.after["person"] for row in rows if row.action == "staff"}
        if not staff:
            return rows
        people = await self._store.rows(select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(staff)))
        names = {row.id: row.name for row in people}
        return [_with_name(row, names) if row.action == "staff" else row for row in rows]

    async def replacements(self, event: str, stage: str) -> set[str]:
        """Return the entries that have replaced a player of a stage."""
        query = select(AuditRow).where(AuditRow.event == event, AuditRow.action == "replace")
        return {row.after["by"] for row in await self._store.all(query) if row.after["stage"] == stage}

    async def of(self, event: str, revision: int) -> list[AuditRow]:
        """Return the log entries of one change."""
        query = AUDIT.where(AuditRow.event == event, AuditRow.revision == revision).order_by(AuditRow.part)
        return [AuditRow(*row) for row in await self._store.rows(query)]


def _with_name(row: AuditRow, names: Mapping[str, str]) -> AuditRow:
    """Replace the person's id in a role change by their name."""
    return replace(row, after=row.after | {"person": names.get(row.after["person"], GONE)})
