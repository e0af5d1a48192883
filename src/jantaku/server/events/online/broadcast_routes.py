"""The broadcast of an event: for an overlay over a video, a commentator, and a big screen."""

import secrets
from typing import Annotated

from fastapi import Query

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByAnyone, AskedByPerson
from jantaku.server.events.common.event_rights import ORGANISER, REFEREE, changing
from jantaku.server.events.online.broadcast_bodies import Broadcast, BroadcastKey, SetBroadcast
from jantaku.server.events.online.broadcasts import broadcast
from jantaku.server.people.asking import RequestLanguage
from jantaku.server.storage.event_schema import events
from jantaku.server.storage.events import ANY

router = router_of("/api/events/{event}/broadcast", "events")


@router.get("")
async def shown(
    asked: AskedByAnyone, language: RequestLanguage, key: Annotated[str, Query(max_length=32)] = ""
) -> Broadcast:
    """The tables that are played, as watchers may know them, with hands for whoever has the key."""
    rights = await asked.rights()
    return await broadcast(asked.services, rights, key, language)


@router.get("/key")
async def key_of(asked: AskedByPerson) -> BroadcastKey:
    """The key of the broadcast, for referees."""
    rights = await asked.rights(REFEREE)
    return BroadcastKey(key=rights.event.broadcast)


@router.post("/key")
async def set_key(asked: AskedByPerson, body: SetBroadcast) -> BroadcastKey:
    """Make a new key, so that earlier ones show no hands any more, or take it away."""
    rights = await asked.rights(ORGANISER)
    key = secrets.token_urlsafe(18) if body.hands else None
    async with changing(asked.services, rights, ANY) as change:
        await change.set(events, broadcast=key)
        change.note("broadcast", after={"hands": body.hands})
    return BroadcastKey(key=key)
