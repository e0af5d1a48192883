"""Claims: somebody has said that an entry of the list is theirs, and what became of it."""

from typing import Any, Final, NamedTuple

from sqlalchemy import select

from jantaku.club.doubts import Doubt
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_schema import event_claims, hand_marks, recorded_games, recorded_seats
from jantaku.server.storage.events import Change
from jantaku.server.storage.penalties_and_calls import ask_to_look
from jantaku.server.storage.store import OverStore

CLAIMS: Final = event_claims
ASKED, TAKEN, UNDONE = "asked", "taken", "undone"
UNCLAIMED: Final = Doubt("unclaimed", {})


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


class ClaimStore(OverStore):
    """Reads claims."""

    async def all(self, event: str, *where: Any, most: int) -> list[ClaimRow]:
        """The claims of an event for which all of ``where`` is true, the newest first."""
        query = select(*COLUMNS).where(CLAIMS.c.event == event, *where).order_by(CLAIMS.c.number.desc())
        return [ClaimRow(*row) for row in await self._store.rows(query.limit(most))]


async def claims_in(change: Change, *where: Any) -> list[ClaimRow]:
    """The claims of the event that is being changed, the oldest first."""
    query = select(*COLUMNS).where(change.of(CLAIMS), *where).order_by(CLAIMS.c.number)
    return [ClaimRow(*row) for row in await change.rows(query)]


async def unsay(change: Change, entry: str, person: str) -> list[str]:
    """Take back what somebody has said at the seats of an entry in games that do not count yet.

    Returns the games that count because they confirmed them.
    """
    marks, seats, games = hand_marks.c, recorded_seats.c, recorded_games.c
    sits = (seats.event == marks.event) & (seats.game == marks.game) & (seats.seat == marks.seat)
    mine = change.of(hand_marks) & (marks.person == person)
    at_seat = select(seats.game).where(sits, seats.entry == entry).exists()
    same = (games.event == marks.event) & (games.id == marks.game)
    counts = select(games.id).where(same, games.status == "confirmed")
    query = select(marks.game).where(mine, marks.kind == "confirmed", at_seat, counts.exists()).distinct()
    counted = [row.game for row in await change.rows(query)]
    await change.remove(hand_marks, mine, at_seat, ~counts.exists())
    return counted


async def forget_marks(change: Change, entry: EntryRow) -> None:
    """Take back what the owner of an entry has said at its seats; a referee looks at what counts by it."""
    for game in await unsay(change, entry.id, entry.person or ""):
        await ask_to_look(change, game, [UNCLAIMED])
