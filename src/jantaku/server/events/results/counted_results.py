"""A stored event with its confirmed results, and caches of its standings and other computations."""

import asyncio
import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cachetools import LRUCache, TTLCache

from jantaku.club import ClubEvent, Entrant, EventGame, SettledGame, StagePenalty, standings
from jantaku.club.event import SeatPenalty
from jantaku.club.recorded_hands import live_hands
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import iso
from jantaku.server.events.common.event_bodies import ByeTotal, StageStandings, StandingsBody, entry_name
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.events import EventRow, PenaltyRow
from jantaku.server.storage.finished_games import Absent
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language

Result = TypeVar("Result")


class ResultsCache(ABC, Generic[Result]):
    """Cached results of the ``size`` most recently requested events."""

    def __init__(self, size: int) -> None:
        self._known = LRUCache[str, tuple[int, asyncio.Task[Result]]](size)

    @abstractmethod
    async def compute(self, event: EventRow) -> Result:
        """Compute the result of an event."""

    async def get(self, event: EventRow) -> Result:
        """Return the result of an event; simultaneous requests share one computation."""
        results, task = self._known.get(event.id, (None, None))
        if task is None or results != event.results:
            task = asyncio.create_task(self.compute(event))
            self._known[event.id] = (event.results, task)
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(event.id, (None, None))[1] is task:
                del self._known[event.id]  # so that the next request retries
            raise


MAX_FILES: Final = 16
MAX_SCREENS: Final = 256
FRESH_S: Final = 1.0


class ResponseCache:
    """The latest ``size`` responses, each valid for ``ttl_s``; simultaneous requests share the work."""

    def __init__(self, size: int, ttl_s: float = math.inf) -> None:
        self._known = TTLCache[Hashable, asyncio.Task[Any]](size, ttl_s)

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Any]]) -> Any:
        """Return the cached response for a key, or compute it."""
        task = self._known.get(key)
        if task is None:
            task = self._known[key] = asyncio.create_task(_response(work))
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(key) is task:
                del self._known[key]  # so that the next request retries
            raise


async def _response(work: Callable[[], Awaitable[Any]]) -> Any:
    return await work()


Hands = Sequence[Mapping[str, Any]]
SUBSTITUTE: Final = "substitute"  # reason of an adjustment of a substitute's points


class ByePoints(NamedTuple):
    """Points of a player for a bye in a started round."""

    stage: str
    entry: str
    points: int
    number: int

    @property
    def why(self) -> str:
        """The reason stated in event files."""
        return f"bye, round {self.number}"


class RoundEffects(NamedTuple):
    """Effects of rounds on standings: points for byes, stages with substitutes, unranked players by stage.

    ``rounds`` maps games to the number of their round.
    """

    byes: Sequence[ByePoints]
    stages: Mapping[str, RoundSettings]
    unranked: Mapping[str, frozenset[str]]
    rounds: Mapping[str, int]

    def adjustments(self, game: RecordedGameRow, rules: Ruleset) -> list[SeatPenalty]:
        """Return adjustments to final points that give substitutes their fixed points.

        Other players' points, and the places, do not change.
        """
        settings, final = self.stages.get(game.stage), game.result.final
        if settings is None or final is None:
            return []
        return [
            SeatPenalty(seat, wanted - final[seat], SUBSTITUTE)
            for seat, entry in enumerate(game.players)
            if entry in settings.substitutes
            and (wanted := _fixed(settings, game.result.scores[seat], rules)) is not None
        ]


def _fixed(settings: RoundSettings, score: int, rules: Ruleset) -> int | None:
    """Return the fixed final points of a substitute; ``None`` if they score like any other player."""
    if settings.substitute_points is None and settings.substitute_uma is not None:
        return score - rules.match.start_points + settings.substitute_uma
    return settings.substitute_points


async def round_effects(services: Services, event: EventRow) -> RoundEffects:
    """Load the effects of an event's rounds on its standings."""
    byes, stages = list[ByePoints](), dict[str, RoundSettings]()
    unranked, rounds = dict[str, frozenset[str]](), dict[str, int]()
    for stage in event.plan.stages:
        rows = await services.rounds.of(event.id, stage.id)
        rounds |= {table.game: row.number for row in rows.rounds for table in row.tables if table.game}
        sat = {player for row in rows.rounds if not row.is_open for player in row.people}
        unranked[stage.id] = (
            frozenset(absence.entry for absence in rows.absences if absence.last is None) - sat
        )
        settings = rows.settings
        if settings.substitutes:
            stages[stage.id] = settings
            unranked[stage.id] |= {*settings.substitutes}
        if settings.bye_points:
            byes += [
                ByePoints(stage.id, entry, settings.bye_points, row.number)
                for row in await _played(services, event.id, rows.rounds)
                for entry in row.byes
            ]
    return RoundEffects(byes, stages, unranked, rounds)


async def _played(services: Services, event: str, rounds: Sequence[RoundRow]) -> list[RoundRow]:
    """Return the started rounds, except those in which every game was cancelled."""
    cancelled = await services.recorded.all(event, RecordedGameRow.status == "cancelled")
    void = {game.id for game in cancelled}
    return [row for row in rounds if not row.is_open and not {table.game for table in row.tables} <= void]


@dataclass(frozen=True)
class StoredEvent:
    """The rows that determine the results of an event; ``games`` are the confirmed ones, oldest first."""

    row: EventRow
    rules: Ruleset
    games: Sequence[RecordedGameRow]
    penalties: Sequence[PenaltyRow]
    entries: Sequence[EntryRow]
    added: RoundEffects
    absent: Mapping[str, Absent]  # by game

    def event(
        self,
        language: Language | None = None,
        *,
        hands: Mapping[str, Hands] = MappingProxyType({}),
        settled: Mapping[str, SettledGame] = MappingProxyType({}),
    ) -> ClubEvent:
        """Build the event with all playing entries, and others with games, penalties or byes.

        ``hands`` are the entered hands by game, ``settled`` the settled games.
        """
        plan, given = self.row.plan, defaultdict[str | None, list[PenaltyRow]](list)
        for penalty in self.penalties:
            given[penalty.game].append(penalty)
        games = [
            replace(
                event_game(game, hands.get(game.id, ())),
                penalties=self._penalties(game, given[game.id]),
                round=self.added.rounds.get(game.id),
                absent=self.absent.get(game.replay or "", ()),
            )
            for game in self.games
        ]
        games = [game.with_hands(settled[game.id]) if game.id in settled else game for game in games]
        sitting = {entry for game in self.games for entry in game.players}
        sitting |= {penalty.entry for penalty in self.penalties} | {bye.entry for bye in self.added.byes}
        return ClubEvent(
            self.row.name,
            self.rules,
            tuple(
                _entrant(entry, language)
                for entry in self.entries
                if entry.status == "playing" or entry.id in sitting
            ),
            tuple(plan.stages),
            tuple(games),
            (
                *(StagePenalty(row.stage, row.entry, row.points, row.why) for row in given[None]),
                *(StagePenalty(bye.stage, bye.entry, bye.points, bye.why) for bye in self.added.byes),
            ),
            tuple(plan.tie_breaks),
            plan.about,
            self.added.unranked,
        )

    def _penalties(self, game: RecordedGameRow, given: Sequence[PenaltyRow]) -> tuple[SeatPenalty, ...]:
        penalties = [SeatPenalty(game.players.index(row.entry), row.points, row.why) for row in given]
        return (*penalties, *self.added.adjustments(game, self.rules))


def _entrant(entry: EntryRow, language: Language | None) -> Entrant:
    erased = entry.erased is not None
    name, namesake = (entry_name(entry, language), 1) if erased else (entry.name, entry.namesake)
    return Entrant(entry.id, name, entry.team, entry.brought, entry.player, namesake)


def event_game(row: RecordedGameRow, hands: Hands = ()) -> EventGame:
    """Convert a recorded game with its ``hands`` as entered, without penalties."""
    return EventGame(
        *(row.id, row.stage, row.players),
        result=row.result,
        at=iso(row.at),
        hands=tuple(hands),
        end=row.ended_with,
        label=row.label,
        digest=row.digest,
    )


async def read_event(services: Services, row: EventRow) -> StoredEvent:
    """Load the rows that determine the results of an event."""
    return StoredEvent(
        row,
        await services.rulesets.find(row.rules, row.fingerprint),
        (await services.recorded.all(row.id, RecordedGameRow.status == "confirmed"))[::-1],
        [penalty for penalty in await services.desk.penalties(row.id) if penalty.cancelled is None],
        await services.entries.all(row.id),
        await round_effects(services, row),
        await services.online.absences(row.id),
    )


async def entered_hands(services: Services, games: Sequence[RecordedGameRow]) -> dict[str, Hands]:
    """Return the current hands of games of one event, by game."""
    if not games:
        return {}
    versions = await services.recorded.versions(games[0].event, [game.id for game in games])
    # in a thread, as thousands of games would block the event loop
    return await asyncio.to_thread(
        lambda: {game: [hand.hand for hand in live_hands(entered)] for game, entered in versions.items()}
    )


CACHED_EVENTS: Final = 64


class StandingsCache(ResultsCache[StandingsBody]):
    """Standings of recently requested events."""

    def __init__(self, services: Services) -> None:
        super().__init__(CACHED_EVENTS)
        self._services = services

    async def compute(self, event: EventRow) -> StandingsBody:
        """Compute the standings from the confirmed games."""
        stored = await read_event(self._services, event)
        return await asyncio.to_thread(lambda: _standings(stored.event(), stored.added.byes))


def _standings(event: ClubEvent, byes: Sequence[ByePoints]) -> StandingsBody:
    standing = standings(event)
    sums: Counter[tuple[str, str]] = Counter()
    for bye in byes:
        sums[bye.stage, bye.entry] += bye.points
    return StandingsBody(
        stages=[
            StageStandings(id=stage, standings=list(rows), teams=list(standing.teams_of[stage]))
            for stage, rows in standing.stages.items()
        ],
        teams=list(standing.teams),
        byes=[ByeTotal(stage=stage, player=name, points=points) for (stage, name), points in sums.items()],
        names=event.names,
    )
