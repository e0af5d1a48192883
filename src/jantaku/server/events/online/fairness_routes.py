"""Signs of unfair play, and the log of appeals: for referees alone."""

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.online.fairness_bodies import Fairness, NewAppeal
from jantaku.server.events.online.fairness_service import appeal, fairness
from jantaku.server.people.asking import RequestLanguage, not_twice

router = router_of("/api/events/{event}/fairness", "events")


@router.get("")
async def shown(asked: AskedByPerson, language: RequestLanguage) -> Fairness:
    """What the online games of an event say of fair play, with its uncertainty."""
    return await fairness(asked.services, await asked.rights(), language)


@router.post("/appeals", dependencies=[Depends(not_twice)])
async def add_appeal(asked: AskedByPerson, language: RequestLanguage, body: NewAppeal) -> Fairness:
    """Add to the log of appeals."""
    rights = await asked.rights()
    await appeal(asked.services, rights, body)
    return await fairness(asked.services, rights, language)
