"""The broadcast of an event: for an overlay over a video, a commentator, and a big screen."""

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByAnyone
from jantaku.server.events.online.broadcast_bodies import Broadcast
from jantaku.server.events.online.broadcasts import broadcast
from jantaku.server.people.asking import RequestLanguage

router = router_of("/api/events/{event}/broadcast", "events")


@router.get("")
async def shown(asked: AskedByAnyone, language: RequestLanguage) -> Broadcast:
    """The tables that are played, as spectators may know them, without hands."""
    rights = await asked.rights()
    return await broadcast(asked.services, rights, language)
