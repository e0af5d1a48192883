"""An event as it is stored, with the results that count: for standings and statistics."""

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

Kept = TypeVar("Kept")


class ResultsCache(ABC, Generic[Kept]):
    """The results of the events that were asked for last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._known = LRUCache[str, tuple[int, asyncio.Task[Kept]]](most)

    @abstractmethod
    async def compute(self, event: EventRow) -> Kept:
        """Work it out anew."""

    async def get(self, event: EventRow) -> Kept:
        """What belongs to an event; people who ask at the same time share one computation."""
        results, task = self._known.get(event.id, (None, None))
        if task is None or results != event.results:
            task = asyncio.create_task(self.compute(event))
            self._known[event.id] = (event.results, task)
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(event.id, (None, None))[1] is task:
                del self._known[event.id]  # the next one tries again
            raise


MOST_FILES: Final = 16
MOST_SCREENS: Final = 256
FRESH_S: Final = 1.0


class KeptAnswers:
    """The newest ``most`` answers. Those who ask at the same time share the work.

    ``lasts_s``: how long an answer is good, if not for as long as its key is asked for.
    """

    def __init__(self, most: int, lasts_s: float = math.inf) -> None:
        self._known = TTLCache[Hashable, asyncio.Task[Any]](most, lasts_s)

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Any]]) -> Any:
        """The answer to a key, worked out unless it is known."""
        task = self._known.get(key)
        if task is None:
            task = self._known[key] = asyncio.create_task(_answer(work))
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(key) is task:
                del self._known[key]  # the next one tries again
            raise


async def _answer(work: Callable[[], Awaitable[Any]]) -> Any:
    return await work()


Hands = Sequence[Mapping[str, Any]]
SUBSTITUTE: Final = "substitute"  # why a substitute's points are changed


class ByePoints(NamedTuple):
    """What a player gets for a bye in a round that has begun."""

    stage: str
    entry: str
    points: int
    number: int

    @property
    def why(self) -> str:
        """How the event file explains them."""
        return f"bye, round {self.number}"


class RoundPoints(NamedTuple):
    """The points for byes, the settings of stages with substitutes, and who has no rank in a stage.

    ``rounds`` has the number of the round of each game that belongs to one.
    """

    byes: Sequence[ByePoints]
    stages: Mapping[str, RoundSettings]
    unranked: Mapping[str, frozenset[str]]
    rounds: Mapping[str, int]

    def adjustments(self, game: RecordedGameRow, rules: Ruleset) -> list[SeatPenalty]:
        """What is added to the final points of a seat, so that substitutes get what is fixed for them.

        The points of all others and the places stay as they were played.
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
    """The final points of a substitute; ``None`` if they get what everybody gets."""
    if settings.substitute_points is None and settings.substitute_uma is not None:
        return score - rules.match.start_points + settings.substitute_uma
    return settings.substitute_points


async def round_points(services: Services, event: EventRow) -> RoundPoints:
    """What the rounds of an event add to its standings."""
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
    return RoundPoints(byes, stages, unranked, rounds)


async def _played(services: Services, event: str, rounds: Sequence[RoundRow]) -> list[RoundRow]:
    """The rounds that have begun, but for those of which every game was cancelled: nobody played in them."""
    cancelled = await services.recorded.all(event, RecordedGameRow.status == "cancelled")
    void = {game.id for game in cancelled}
    return [row for row in rounds if not row.is_open and not {table.game for table in row.tables} <= void]


@dataclass(frozen=True)
class StoredEvent:
    """The rows of an event from which its results come; ``games`` are those that count, oldest first."""

    row: EventRow
    rules: Ruleset
    games: Sequence[RecordedGameRow]
    penalties: Sequence[PenaltyRow]
    entries: Sequence[EntryRow]
    added: RoundPoints
    absent: Mapping[str, Absent]  # by game

    def event(
        self,
        language: Language | None = None,
        *,
        hands: Mapping[str, Hands] = MappingProxyType({}),
        settled: Mapping[str, SettledGame] = MappingProxyType({}),
    ) -> ClubEvent:
        """The event with everybody who plays or has played.

        ``hands`` are those of its games as they were entered, ``settled`` the games with their hands settled.
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
    """A recorded game without penalties; ``hands`` as they were entered."""
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
    """Read from the database what the results of an event come from."""
    return StoredEvent(
        row,
        await services.rulesets.find(row.rules, row.fingerprint),
        (await services.recorded.all(row.id, RecordedGameRow.status == "confirmed"))[::-1],
        [penalty for penalty in await services.desk.penalties(row.id) if penalty.cancelled is None],
        await services.entries.all(row.id),
        await round_points(services, row),
        await services.online.absences(row.id),
    )


async def entered_hands(services: Services, games: Sequence[RecordedGameRow]) -> dict[str, Hands]:
    """The hands of games of one event as they stand, by game."""
    if not games:
        return {}
    versions = await services.recorded.versions(games[0].event, [game.id for game in games])
    # in a thread, as thousands of games would hold up everybody
    return await asyncio.to_thread(
        lambda: {game: [hand.hand for hand in live_hands(entered)] for game, entered in versions.items()}
    )


KEPT: Final = 64  # events whose standings are kept


class StandingsCache(ResultsCache[StandingsBody]):
    """The standings of the events that were asked for last."""

    def __init__(self, services: Services) -> None:
        super().__init__(KEPT)
        self._services = services

    async def compute(self, event: EventRow) -> StandingsBody:
        """The standings from the games that count now."""
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
