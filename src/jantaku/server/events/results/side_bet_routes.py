"""Side bets of an event; everybody reads and answers only their own."""

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_path import Number
from jantaku.server.events.results import side_bets as logic
from jantaku.server.events.results.side_bet_bodies import BetAnswer, BetBody, BetList
from jantaku.server.people.asking import not_twice

router = router_of("/api/events/{event}/bets", "events")


@router.get("")
async def bets(asked: AskedByPerson) -> BetList:
    """My bets and balances."""
    return await logic.ledger(asked.services, asked.event, asked.who)


@router.post("", dependencies=[Depends(not_twice)])
async def offer(asked: AskedByPerson, body: BetBody) -> BetList:
    """Offer a bet to another player of a game."""
    await logic.offer(asked.services, asked.event, asked.who, body)
    return await logic.ledger(asked.services, asked.event, asked.who)


@router.post("/{number}/answer")
async def answer(asked: AskedByPerson, number: Number, body: BetAnswer) -> BetList:
    """Agree, decline, or withdraw."""
    await logic.answer(asked.services, asked.event, asked.who, number, body.answer)
    return await logic.ledger(asked.services, asked.event, asked.who)
