"""The broadcast of an event: for an overlay over a video, a commentator, and a big screen."""

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByAnyone
from jantaku.server.events.common.event_rights import hidden
from jantaku.server.events.online.broadcast_bodies import Broadcast
from jantaku.server.events.online.broadcasts import broadcast
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.people.asking import RequestLanguage

router = router_of("/api/events/{event}/broadcast", "events")


@router.get("")
async def shown(asked: AskedByAnyone, kit: AtResults, language: RequestLanguage) -> Broadcast:
    """The tables that are played, as spectators may know them, without hands; the same for a second."""
    rights = await asked.rights()
    key = (rights.event.id, hidden(rights), language)
    answer: Broadcast = await kit.broadcasts.get(key, lambda: broadcast(asked.services, rights, language))
    return answer
