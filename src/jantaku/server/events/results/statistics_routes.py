"""Statistics of events: everybody in brief, one player or team with every hand behind the figures."""

import asyncio
from typing import Annotated

from fastapi import Query

from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_asked import AskedByAnyone
from jantaku.server.events.common.event_path import EntryId
from jantaku.server.events.common.event_rights import hidden
from jantaku.server.events.common.event_shown import names_shown
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.events.results.statistics_bodies import PlayerBody, StatisticsBody, TeamBody
from jantaku.server.people.asking import RequestLanguage

router = router_of("/api/events/{event}", "events")
TeamName = Annotated[str, Query(max_length=64)]


@router.get("/statistics")
async def statistics(asked: AskedByAnyone, kit: AtResults, language: RequestLanguage) -> StatisticsBody:
    """The figures of every player and team in brief, and the achievements."""
    rights = await asked.results()
    figures = await kit.statistics.get(rights.event)
    body = figures.brief
    names = await names_shown(asked.services, asked.event, body.names, language)
    return body.model_copy(update={"names": names})


@router.get("/players/{entry}")
async def player(
    asked: AskedByAnyone, kit: AtResults, language: RequestLanguage, entry: EntryId
) -> PlayerBody:
    """All figures of a player, with the hands behind them; one's own even while standings are hidden."""
    rights = await asked.rights()
    if hidden(rights, [entry]):
        raise ServerError("standings_hidden")
    figures, rated = await kit.statistics.get(rights.event), not hidden(rights)
    body = await asyncio.to_thread(lambda: figures.player(entry, rated=rated))
    names = await names_shown(asked.services, asked.event, body.names, language)
    return body.model_copy(update={"names": names, "name": names[entry]})


@router.get("/team")
async def team(asked: AskedByAnyone, kit: AtResults, name: TeamName) -> TeamBody:
    """All figures of a team, with the hands from which they come."""
    rights = await asked.results()
    figures = await kit.statistics.get(rights.event)
    return await asyncio.to_thread(lambda: figures.team(name))
