"""Statistics of events: everybody in brief, one player or team with every hand behind the figures."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from jantaku.server.edge.deps import Place, RequestLanguage, Whoever
from jantaku.server.edge.strict_json import StrictRoute
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_shown import names_shown
from jantaku.server.events.common.rights import rights_in
from jantaku.server.events.organising.event_routes import EventId
from jantaku.server.events.recording.games_shown import hidden
from jantaku.server.events.results.statistics_bodies import PlayerBody, StatisticsBody, TeamBody

router = APIRouter(prefix="/api/events/{event}", tags=["events"], route_class=StrictRoute)
EntryId = Annotated[str, Path(max_length=64)]
TeamName = Annotated[str, Query(max_length=64)]


@router.get("/statistics")
async def statistics(place: Place, language: RequestLanguage, who: Whoever, event: EventId) -> StatisticsBody:
    """The figures of every player and team in brief, and the achievements."""
    rights = await rights_in(place.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    found = await place.statistics.get(rights.event)
    body = found.brief
    names = await names_shown(place.services, event, body.names, language)
    return body.model_copy(update={"names": names})


@router.get("/players/{entry}")
async def player(
    place: Place, language: RequestLanguage, who: Whoever, event: EventId, entry: EntryId
) -> PlayerBody:
    """All figures of a player, with the hands behind them; one's own even while standings are hidden."""
    rights = await rights_in(place.services, event, who)
    if hidden(rights, [entry]):
        raise ServerError("standings_hidden")
    found, rated = await place.statistics.get(rights.event), not hidden(rights)
    body = await asyncio.to_thread(lambda: found.player(entry, rated=rated))
    names = await names_shown(place.services, event, body.names, language)
    return body.model_copy(update={"names": names, "name": names[entry]})


@router.get("/team")
async def team(place: Place, who: Whoever, event: EventId, name: TeamName) -> TeamBody:
    """All figures of a team, with the hands from which they come."""
    rights = await rights_in(place.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    found = await place.statistics.get(rights.event)
    return await asyncio.to_thread(lambda: found.team(name))
