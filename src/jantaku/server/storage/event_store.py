"""All events in the database: finding them, changing them one change at a time, and reading their logs."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from sqlalchemy import and_, case, func, insert, or_, select

from jantaku.server.errors import ServerError
from jantaku.server.storage.base import written_json
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import (
    OPEN,
    SERVER,
    AuditRow,
    Change,
    EventRow,
    StaffRow,
    Then,
    role_in,
    take_revision,
)
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import RecordedSeat
from jantaku.server.storage.rows import ROW, ListPage, PageEnd, following, newest
from jantaku.server.storage.store import DatabaseRow, OverStore, Store
from jantaku.server.storage.webhooks import queue_news


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
            await connection.execute(insert(EventRow).values(row.values()))
            change = Change(connection, row, who)
            await change.insert([StaffRow(row.id, who.id, "organiser")])
            change.note("create", after={"name": row.name, "rules": row.rules})
            if content is not None:
                await content(change)
            await self._note(change, len(row.plan.model_dump_json()))

    async def find(self, event: str) -> EventRow:
        """The event with an id; raises ``no_event`` if there is none."""
        row = await self._store.one(select(EventRow).where(EventRow.id == event))
        if row is None:
            raise ServerError("no_event")
        return row

    async def of(self, person: str | None, before: PageEnd | None, most: int) -> ListPage[EventRow]:
        """The newest events: those that everybody finds, or those a person runs or plays in."""
        query = select(EventRow)
        if person is None:
            query = query.where(EventRow.listed)
        else:
            runs = select(StaffRow.event).where(StaffRow.person == person)
            plays = select(EntryRow.event).where(EntryRow.person == person)
            query = query.where(or_(EventRow.id.in_(runs), EventRow.id.in_(plays)))
        query = newest(query, (EventRow.created, EventRow.id), before, most)
        rows = await self._store.all(query)
        return ListPage(rows, following(rows, "created", most))

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
            await self._note(change)
        for call in self.changed:
            call(event, row.revision)

    async def _note(self, change: Change, more: int = 0) -> None:
        """Store the notes of a change that stores so much ``more``."""
        size = more + await write_notes(change)
        for call in self.noting:
            call(size)

    async def named(self, ids: Collection[str]) -> dict[str, EventRow]:
        """These events by their ids; those that were deleted are left out."""
        rows = await self._store.all(select(EventRow).where(EventRow.id.in_(ids)))
        return {row.id: row for row in rows}

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


async def write_notes(change: Change) -> int:
    """Store what a change has noted, and that the standings may have changed; returns how many bytes."""
    if change.notes:
        await change.insert(change.notes)
        await queue_news(change.connection, change.notes)
    if change.results_change:
        await change.set(EventRow, results=EventRow.results + 1)
    texts = (written_json([*note.values().values()]) for note in change.notes)
    return sum(ROW + len(text.encode()) for text in texts)


ORGANISERS_ONLY: Final = ("seating", "webhook")  # with its seed anybody can make the seating of a draft
CALLS: Final = ("call", "dispute", "answer")  # those of people without an entry concern no player
Position = tuple[int, int]  # revision and part of a row


GONE: Final = "–"
_NAME: Final = case((AuditRow.person.is_(None), SERVER.name), else_=func.coalesce(PersonRow.name, GONE))
AUDIT: Final = select(AuditRow, _NAME).outerjoin(PersonRow, PersonRow.id == AuditRow.person)


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
        query = query.order_by(log.revision.desc(), log.part.desc()).limit(most)
        rows = [AuditRow(*row) for row in await self._store.rows(query)]
        staff = {row.after["person"] for row in rows if row.action == "staff"}
        if not staff:
            return rows
        found = await self._store.rows(select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(staff)))
        called = {row.id: row.name for row in found}
        return [_with_name(row, called) if row.action == "staff" else row for row in rows]

    async def let_in(self, event: str, stage: str) -> set[str]:
        """The entries that have replaced a player of a stage."""
        query = select(AuditRow).where(AuditRow.event == event, AuditRow.action == "replace")
        return {row.after["by"] for row in await self._store.all(query) if row.after["stage"] == stage}

    async def of(self, event: str, revision: int) -> list[AuditRow]:
        """What one change consisted of."""
        query = AUDIT.where(AuditRow.event == event, AuditRow.revision == revision).order_by(AuditRow.part)
        return [AuditRow(*row) for row in await self._store.rows(query)]


def _with_name(row: AuditRow, called: Mapping[str, str]) -> AuditRow:
    """A change of a role with the name of whom it concerns."""
    return replace(row, after=row.after | {"person": called.get(row.after["person"], GONE)})
