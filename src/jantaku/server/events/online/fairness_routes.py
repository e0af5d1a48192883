"""Signs of unfair play, and the log of appeals: for referees alone."""

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.rights import rights_in
from jantaku.server.events.online.fairness_bodies import Fairness, NewAppeal
from jantaku.server.events.online.fairness_service import appeal, fairness
from jantaku.server.people.asking import Person, RequestLanguage, not_twice
from jantaku.server.play.table_kit import AtTables

router = router_of("/api/events/{event}/fairness", "events")


@router.get("")
async def shown(kit: AtTables, language: RequestLanguage, who: Person, event: EventId) -> Fairness:
    """What the online games of an event say of fair play, with its uncertainty."""
    return await fairness(kit.services, await rights_in(kit.services, event, who), language)


@router.post("/appeals", dependencies=[Depends(not_twice)])
async def add_appeal(
    kit: AtTables, language: RequestLanguage, who: Person, event: EventId, body: NewAppeal
) -> Fairness:
    """Add to the log of appeals."""
    rights = await rights_in(kit.services, event, who)
    await appeal(kit.services, rights, body)
    return await fairness(kit.services, rights, language)
