"""Request and response bodies of side bets."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.club.side_bets import BetKind
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_plan import EventKey

MOST_STAKE = 1_000_000
BetStatus = Literal["offered", "agreed", "declined", "withdrawn", "settled", "void"]


class BetBody(Wire):
    """Offer a bet on a game to the player of an ``entry``: ``stake`` points, or so many per 1,000."""

    game: EventKey
    entry: EventKey
    kind: BetKind = "fixed"
    stake: Annotated[int, Field(strict=True, ge=1, le=MOST_STAKE)]


class BetAnswer(Wire):
    """Agree to a bet, decline it, or withdraw one's own offer."""

    answer: Literal["agreed", "declined", "withdrawn"]


class BetInfo(Wire):
    """A bet with another player; ``points`` is what I have won, once it is ``settled``.

    A bet is ``void`` if its game is cancelled, or confirmed before both have agreed.
    """

    number: int
    game: str
    kind: BetKind
    stake: int
    entry: str | None
    name: str
    offered_by_me: bool
    status: BetStatus
    points: int | None


class BetBalance(Wire):
    """What I have won from a player over all settled bets; negative if I have lost."""

    entry: str
    name: str
    points: int


class BetList(Wire):
    """My bets in an event."""

    bets: list[BetInfo]
    balances: list[BetBalance]
