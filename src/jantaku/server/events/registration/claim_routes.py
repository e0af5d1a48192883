"""Claims: people on the list say which entry is theirs, and organisers see and undo it."""

from typing import Final

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_path import EntryId, Number
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import ORGANISER, changing
from jantaku.server.events.registration import claim_bodies as bodies
from jantaku.server.events.registration import claims as claiming
from jantaku.server.events.registration import season_people
from jantaku.server.people.asking import AnyKit, Asking, changing_mind, working
from jantaku.server.storage.entries import TAKEN, entry_of

router = router_of("/api/events/{event}", "events")
MOST_SHOWN: Final = 500


@router.post("/entries/{entry}/claim", dependencies=[Depends(changing_mind)])
async def claim(
    asked: AskedByPerson, kit: AnyKit, asker: Asking, entry: EntryId, body: bodies.ClaimBody
) -> bodies.ClaimAnswer:
    """Say that an entry of the list is mine."""
    working(kit, asked.who)
    if not kit.rates.claims.take(asker.address):
        raise ServerError("too_many")
    async with asked.services.events.changing(asked.event, asked.who) as change:
        row = await entry_of(change, entry)
        how = claiming.proof_of(change, row, body.card, body.code)
        state = await claiming.claim(change, asked.who, row, how)
    if state == TAKEN:
        await season_people.owned(asked.services, asked.who, asked.event, row.id)
    return bodies.ClaimAnswer.model_validate({"state": state})


async def _list(asked: AskedByPerson) -> bodies.ClaimList:
    rows = await asked.services.claims.all(asked.event, most=MOST_SHOWN)
    return bodies.ClaimList(claims=[bodies.ClaimInfo.of(row, at=iso(row.at)) for row in rows])


@router.get("/claims")
async def claims(asked: AskedByPerson) -> bodies.ClaimList:
    """Who has said that an entry is theirs, for organisers."""
    await asked.rights(ORGANISER)
    return await _list(asked)


@router.post("/claims/{number}")
async def decide(asked: AskedByPerson, number: Number, body: bodies.DecideClaim) -> bodies.ClaimList:
    """Let a claim hold, or undo it."""
    rights = await asked.rights(ORGANISER)
    async with changing(asked.services, rights) as change:
        entry = await claiming.decide(change, number, body.state, body.why)
    if entry is not None:
        await season_people.account_changed(asked.services, asked.who, asked.event, entry)
    return await _list(asked)


@router.get("/cards")
async def cards(asked: AskedByPerson) -> bodies.CardList:
    """The cards with which people on the list say that they are there, for organisers."""
    await asked.rights(ORGANISER)
    rows = await asked.services.entries.all(asked.event)
    free = [row for row in rows if row.person is None and row.status in claiming.CLAIMED and row.card]
    return bodies.CardList(cards=[bodies.EntryCard(entry=entry.id, card=entry.card or "") for entry in free])
