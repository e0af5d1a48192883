"""Side bets of an event; everybody reads and answers only their own."""

from typing import Annotated

from fastapi import APIRouter, Path

from jantaku.server.edge.deps import Person, Place
from jantaku.server.edge.strict_json import StrictRoute
from jantaku.server.events.organising.event_routes import EventId
from jantaku.server.events.results import side_bets as logic
from jantaku.server.events.results.side_bet_bodies import BetAnswer, BetBody, BetList

router = APIRouter(prefix="/api/events/{event}/bets", tags=["events"], route_class=StrictRoute)
Number = Annotated[int, Path(ge=1, le=10**9)]


@router.get("")
async def bets(place: Place, who: Person, event: EventId) -> BetList:
    """My bets and balances."""
    return await logic.ledger(place.services, event, who)


@router.post("")
async def offer(place: Place, who: Person, event: EventId, body: BetBody) -> BetList:
    """Offer a bet to another player of a game."""
    await logic.offer(place.services, event, who, body)
    return await logic.ledger(place.services, event, who)


@router.post("/{number}/answer")
async def answer(place: Place, who: Person, event: EventId, number: Number, body: BetAnswer) -> BetList:
    """Agree, decline, or withdraw."""
    await logic.answer(place.services, event, who, number, body.answer)
    return await logic.ledger(place.services, event, who)
