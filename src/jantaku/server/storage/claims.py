"""Claims: somebody has said that an entry of the list is theirs, and what became of it."""

from typing import Any, Final, NamedTuple

from sqlalchemy import delete, insert, select, update

from jantaku.server.storage import event_schema
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import Store

CLAIMS: Final = event_schema.event_claims
ASKED, TAKEN, UNDONE = "asked", "taken", "undone"


class ClaimRow(NamedTuple):
    """A claim: ``how`` is ``card``, ``code`` or ``asked``, ``state`` ``asked``, ``taken`` or ``undone``."""

    number: int
    entry: str
    person: str | None
    name: str
    how: str
    state: str
    at: int


COLUMNS: Final = tuple(CLAIMS.c[name] for name in ClaimRow._fields)


class ClaimStore:
    """Reads claims."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, event: str, *where: Any, most: int) -> list[ClaimRow]:
        """The claims of an event for which all of ``where`` is true, the newest first."""
        query = select(*COLUMNS).where(CLAIMS.c.event == event, *where).order_by(CLAIMS.c.number.desc())
        return [ClaimRow(*row) for row in await self._store.rows(query.limit(most))]


async def claims_in(change: Change, *where: Any) -> list[ClaimRow]:
    """The claims of the event that is being changed, the oldest first."""
    query = select(*COLUMNS).where(CLAIMS.c.event == change.event.id, *where).order_by(CLAIMS.c.number)
    return [ClaimRow(*row) for row in await change.connection.execute(query)]


async def add_claim(change: Change, row: ClaimRow) -> None:
    """Store a new claim."""
    await change.connection.execute(insert(CLAIMS).values(event=change.event.id, **row._asdict()))


async def set_claims(change: Change, state: str, *where: Any) -> None:
    """Give claims another state."""
    mine = update(CLAIMS).where(CLAIMS.c.event == change.event.id, *where)
    await change.connection.execute(mine.values(state=state))


async def move_claims(change: Change, entry: str, into: str) -> None:
    """Give the claims of an entry to another."""
    mine = (CLAIMS.c.event == change.event.id) & (CLAIMS.c.entry == entry)
    await change.connection.execute(update(CLAIMS).where(mine).values(entry=into))


async def give_entry(change: Change, entry: str, person: str | None, card: str | None) -> None:
    """Say whose an entry is, and with which card somebody else may say so."""
    mine = (event_schema.event_entries.c.event == change.event.id) & (
        event_schema.event_entries.c.id == entry
    )
    await change.connection.execute(
        update(event_schema.event_entries).where(mine).values(person=person, card=card)
    )


async def unsay(change: Change, entry: str, person: str) -> list[str]:
    """Take back what somebody has said at the seats of an entry in games that do not count yet.

    Returns the games that count because they confirmed them.
    """
    event, marks, seats, games = (
        change.event.id,
        event_schema.hand_marks.c,
        event_schema.recorded_seats.c,
        event_schema.recorded_games.c,
    )
    sits = (seats.event == marks.event) & (seats.game == marks.game) & (seats.seat == marks.seat)
    mine = (marks.event == event) & (marks.person == person)
    at_seat = select(seats.game).where(sits, seats.entry == entry).exists()
    counts = select(games.id).where(
        games.event == marks.event, games.id == marks.game, games.status == "confirmed"
    )
    query = select(marks.game).where(mine, marks.kind == "confirmed", at_seat, counts.exists()).distinct()
    counted = list((await change.connection.execute(query)).scalars())
    await change.connection.execute(delete(event_schema.hand_marks).where(mine, at_seat, ~counts.exists()))
    return counted
