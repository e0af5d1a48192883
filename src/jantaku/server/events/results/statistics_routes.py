"""Statistics of events: everybody in brief, one player or team with every hand behind the figures."""

import asyncio
from typing import Annotated

from fastapi import Query

from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_path import EntryId, EventId
from jantaku.server.events.common.event_shown import names_shown
from jantaku.server.events.common.rights import hidden, rights_in
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.events.results.statistics_bodies import PlayerBody, StatisticsBody, TeamBody
from jantaku.server.people.asking import RequestLanguage, Whoever

router = router_of("/api/events/{event}", "events")
TeamName = Annotated[str, Query(max_length=64)]


@router.get("/statistics")
async def statistics(
    kit: AtResults, language: RequestLanguage, who: Whoever, event: EventId
) -> StatisticsBody:
    """The figures of every player and team in brief, and the achievements."""
    rights = await rights_in(kit.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    figures = await kit.statistics.get(rights.event)
    body = figures.brief
    names = await names_shown(kit.services, event, body.names, language)
    return body.model_copy(update={"names": names})


@router.get("/players/{entry}")
async def player(
    kit: AtResults, language: RequestLanguage, who: Whoever, event: EventId, entry: EntryId
) -> PlayerBody:
    """All figures of a player, with the hands behind them; one's own even while standings are hidden."""
    rights = await rights_in(kit.services, event, who)
    if hidden(rights, [entry]):
        raise ServerError("standings_hidden")
    figures, rated = await kit.statistics.get(rights.event), not hidden(rights)
    body = await asyncio.to_thread(lambda: figures.player(entry, rated=rated))
    names = await names_shown(kit.services, event, body.names, language)
    return body.model_copy(update={"names": names, "name": names[entry]})


@router.get("/team")
async def team(kit: AtResults, who: Whoever, event: EventId, name: TeamName) -> TeamBody:
    """All figures of a team, with the hands from which they come."""
    rights = await rights_in(kit.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    figures = await kit.statistics.get(rights.event)
    return await asyncio.to_thread(lambda: figures.team(name))
