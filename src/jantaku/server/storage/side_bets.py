"""Side bets in the database; every query names a person, so nobody else's are ever read."""

from typing import NamedTuple

from sqlalchemy import or_, select

from jantaku.server.errors import ServerError
from jantaku.server.storage.events import Change
from jantaku.server.storage.season_schema import side_bets
from jantaku.server.storage.store import OverStore


class BetRow(NamedTuple):
    """A bet that ``person`` offers ``opponent``: ``offered``, ``agreed``, ``declined`` or ``withdrawn``."""

    event: str
    number: int
    game: str
    person: str
    opponent: str
    kind: str
    stake: int
    status: str
    at: int


class BetStore(OverStore):
    """The bets of all events."""

    async def of(self, event: str, person: str) -> list[BetRow]:
        """The bets of one person in an event, oldest first."""
        mine = or_(side_bets.c.person == person, side_bets.c.opponent == person)
        query = select(side_bets).where(side_bets.c.event == event, mine).order_by(side_bets.c.number)
        return [BetRow(*row) for row in await self._store.rows(query)]


async def add_bet(change: Change, row: BetRow, most: int) -> None:
    """Store a bet under the next number; raises ``too_many_bets`` if there are ``most`` of a person."""
    if await change.count(side_bets.c.number, side_bets.c.person == row.person) >= most:
        raise ServerError("too_many_bets", most=most)
    number = await change.next_number(side_bets.c.number)
    await change.add(side_bets, [row._replace(number=number)._asdict()])


async def decide_bet(change: Change, row: BetRow, status: str) -> None:
    """Give an offer its new status; raises ``bet_decided`` if it is no offer any more."""
    offered = (side_bets.c.number == row.number) & (side_bets.c.status == "offered")
    if not await change.set(side_bets, offered, status=status):
        raise ServerError("bet_decided")
