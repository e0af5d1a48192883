"""Reads the log of everything that changed in an event."""

from typing import Any, Final, NamedTuple

from sqlalchemy import and_, or_, select

from jantaku.server.storage.event_schema import event_audit, recorded_seats
from jantaku.server.storage.events import Change
from jantaku.server.storage.json_text import from_json
from jantaku.server.storage.store import OverStore

ORGANISERS_ONLY: Final = ("seating", "webhook")  # with its seed anybody can make the seating of a draft
CALLS: Final = ("call", "dispute", "answer")  # those of people without an entry concern no player
Position = tuple[int, int]  # revision and part of a row


class AuditRow(NamedTuple):
    """Who changed what, from what, to what, and why."""

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


COLUMNS: Final = tuple(event_audit.c[name] for name in AuditRow._fields)


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
        query = select(*COLUMNS).where(log.event == event)
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
        return [_row(row) for row in await self._store.rows(query)]

    async def let_in(self, event: str, stage: str) -> set[str]:
        """The entries that have replaced a player of a stage."""
        log = event_audit.c
        query = select(log.after).where(log.event == event, log.action == "replace")
        entries = [from_json(after) for after in await self._store.values(query)]
        return {entry["by"] for entry in entries if entry["stage"] == stage}

    async def of(self, event: str, revision: int) -> list[AuditRow]:
        """What one change consisted of."""
        log = event_audit.c
        query = select(*COLUMNS).where(log.event == event, log.revision == revision).order_by(log.part)
        return [_row(row) for row in await self._store.rows(query)]


async def noted_since(change: Change, action: str, revision: int) -> list[Any]:
    """What earlier changes than this one have made of the event since a revision, by the log."""
    log = event_audit.c
    query = select(log.after).where(change.of(event_audit), log.revision > revision, log.action == action)
    return [from_json(row.after) for row in await change.rows(query)]


def _row(columns: Any) -> AuditRow:
    row = AuditRow(*columns)
    return row._replace(before=from_json(row.before), after=from_json(row.after))
