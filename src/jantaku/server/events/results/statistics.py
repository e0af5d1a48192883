"""Statistics of an event, its players and teams, from ``jantaku.club.statistics``."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Final

from cachetools import LRUCache
from fastapi import Query

from jantaku.club import ClubEvent, SettledGame, settle
from jantaku.club.ratings import RatedGame, Rating, latest_ratings, rated_games
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.club.statistics import Achievement, BriefFigures, Figures, event_figures
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EntryId, hidden
from jantaku.server.events.common.event_bodies import names_view
from jantaku.server.events.common.event_context import PublicEventContext
from jantaku.server.events.results.counted_results import (
    ResultsCache,
    read_event,
)
from jantaku.server.people.auth_dependencies import InjectedServices, RequestLanguage
from jantaku.server.storage.base import UNREADABLE
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.rows import log_unreadable
from jantaku.server.storage.services import Services
from jantaku.wire import Wire


class PlayerBrief(Wire):
    """An entry with its figures; ``rating`` is ``None`` before the first game."""

    entry: str
    figures: BriefFigures
    rating: Rating | None


class TeamBrief(Wire):
    """A team with its figures."""

    team: str
    figures: BriefFigures


class StatisticsBody(Wire):
    """Statistics of an event: brief figures for all players and teams, achievements, and names of entries."""

    players: list[PlayerBrief]
    teams: list[TeamBrief]
    achievements: list[Achievement]
    names: dict[str, str]


class RatedStep(Wire):
    """Change in a player's rating after one game."""

    game: str
    place: int
    before: Rating
    after: Rating


class PlayerBody(Wire):
    """A player with all figures.

    ``rating`` has a step for each game; it is ``None`` while the standings are hidden, since it would reveal
    results of other games. ``names`` are those of the player and the opponents.
    """

    entry: str
    name: str
    team: str
    figures: Figures
    rating: list[RatedStep] | None
    names: dict[str, str]


class TeamBody(Wire):
    """A team with all figures; its opponents are other teams."""

    team: str
    figures: Figures


LOG: Final = logging.getLogger("jantaku.server")
CACHED_EVENTS: Final = 8  # a large event takes 50 MB
Settled = Mapping[tuple[str, str], SettledGame]  # by game and head


class EventStatistics:
    """Statistics of one event, computed on demand."""

    def __init__(self, event: ClubEvent, settled: Settled) -> None:
        self.settled = settled
        self._event = event
        self._figures = event_figures(event)
        self._names = event.names

    @cached_property
    def _rated(self) -> tuple[RatedGame, ...]:
        return rated_games(self._event.results)

    @cached_property
    def brief(self) -> StatisticsBody:
        """Brief figures for all players and teams."""
        ratings, figures = latest_ratings(self._rated), self._figures
        return StatisticsBody(
            players=[
                PlayerBrief(entry=name, figures=own, rating=ratings.get(name))
                for name, own in figures.players.items()
            ],
            teams=[TeamBrief(team=name, figures=own) for name, own in figures.teams.items()],
            achievements=list(figures.achievements),
            names=self._names,
        )

    def player(self, name: str, *, rated: bool) -> PlayerBody:
        """Return all figures for a player; raise ``no_entry`` for an unknown one."""
        player = next((player for player in self._event.players if player.id == name), None)
        if player is None:
            raise ServerError("no_entry")
        figures = self._figures.player(name)
        opponents = (opponent.opponent for opponent in figures.opponents)
        return PlayerBody(
            entry=name,
            name=player.name,
            team=player.team,
            figures=figures,
            rating=self._steps(name) if rated else None,
            names={name: self._names[name] for name in (name, *opponents)},
        )

    def _steps(self, name: str) -> list[RatedStep]:
        return [
            RatedStep(game=game.game, place=seat.place, before=seat.before, after=seat.after)
            for game in self._rated
            for seat in game.seats
            if seat.player == name
        ]

    def team(self, name: str) -> TeamBody:
        """Return all figures for a team; raise ``no_team`` for an unknown one."""
        if name not in self._figures.teams:
            raise ServerError("no_team")
        return TeamBody(team=name, figures=self._figures.team(name))


class StatisticsCache(ResultsCache[EventStatistics]):
    """Statistics of recently requested events; only games that have changed are settled again."""

    def __init__(self, services: Services) -> None:
        super().__init__(CACHED_EVENTS)
        self._services = services
        self._settled = LRUCache[str, Settled](CACHED_EVENTS)
        self._turn = asyncio.Lock()  # a large event takes seconds of CPU time: one at a time

    async def compute(self, event: EventRow) -> EventStatistics:
        """Compute the statistics from the confirmed games."""
        async with self._turn:
            return await self._compute(event)

    async def _compute(self, event: EventRow) -> EventStatistics:
        stored = await read_event(self._services, event)
        heads = {game.id: game.head for game in stored.games if game.ended_with is None}
        before = self._settled.get(event.id, {})
        known = {key: before[key] for key in heads.items() if key in before}
        wanted = [game for game, head in heads.items() if (game, head) not in known]
        versions = await self._services.recorded.versions(event.id, wanted)

        def compute() -> EventStatistics:
            settled = {**known, **settle_games(versions, heads, stored.rules)}
            filled = stored.event(settled={game: played for (game, _), played in settled.items()})
            statistics = EventStatistics(filled, settled)
            _ = statistics.brief  # compute in this thread, once for all requests
            return statistics

        statistics = await asyncio.to_thread(compute)
        self._settled[event.id] = statistics.settled
        return statistics


def settle_games(
    versions: Mapping[str, Iterable[HandVersion]], heads: Mapping[str, str], rules: Ruleset
) -> Settled:
    """Settle games from all their versions; a game that cannot be settled is left out and logged."""
    settled = {}
    for game, entered in versions.items():
        try:
            hands = live_hands(entered)
            settled[game, heads[game]] = settle([hand.hand for hand in hands], rules)
        except UNREADABLE:
            log_unreadable("hands of the recorded game", game)
    return settled


router = router_of("/api/events/{event}", "events")
TeamName = Annotated[str, Query(max_length=64)]


@router.get("/statistics")
async def statistics(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage
) -> StatisticsBody:
    """Return brief figures for every player and team, and the achievements."""
    rights = await context.results()
    figures = await services.statistics.get(rights.event)
    body = figures.brief
    names = await names_view(context.services, context.event, body.names, language)
    return body.model_copy(update={"names": names})


@router.get("/players/{entry}")
async def player(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage, entry: EntryId
) -> PlayerBody:
    """Return all figures for a player with the hands behind them; players always see their own."""
    rights = await context.rights()
    if hidden(rights, [entry]):
        raise ServerError("standings_hidden")
    figures, rated = await services.statistics.get(rights.event), not hidden(rights)
    body = await asyncio.to_thread(lambda: figures.player(entry, rated=rated))
    names = await names_view(context.services, context.event, body.names, language)
    return body.model_copy(update={"names": names, "name": names[entry]})


@router.get("/team")
async def team(context: PublicEventContext, services: InjectedServices, name: TeamName) -> TeamBody:
    """Return all figures for a team with the hands behind them."""
    rights = await context.results()
    figures = await services.statistics.get(rights.event)
    return await asyncio.to_thread(lambda: figures.team(name))
