"""An event as it is stored, with the results that count: for standings and statistics."""

import asyncio
import dataclasses
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, NamedTuple, TypeVar

from jantaku.bounded import LRUCache
from jantaku.club import ClubEvent, GameResult, SettledGame, StagePenalty, standings
from jantaku.rules import Ruleset
from jantaku.server.events.common.event_bodies import StandingsBody
from jantaku.server.storage.entries import EntryRow, entrant_of
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.events import EventRow, PenaltyRow
from jantaku.server.storage.finished_games import Absent
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundRow
from jantaku.server.storage.schema import recorded_games
from jantaku.server.storage.services import Services

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
        self._known.move_to_end(event.id)
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

    def __init__(self, most: int, lasts_s: float | None = None) -> None:
        self._known = LRUCache[Hashable, tuple[float, asyncio.Task[Any]]](most)
        self._lasts_s = lasts_s

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Any]]) -> Any:
        """The answer to a key, worked out unless it is known."""
        began, task = self._known.get(key, (0.0, None))
        if task is None or (self._lasts_s is not None and time.monotonic() - began >= self._lasts_s):
            task = asyncio.create_task(_answer(work))
            self._known[key] = (time.monotonic(), task)
        self._known.move_to_end(key)
        try:
            return await asyncio.shield(task)
        except Exception:
            if self._known.get(key, (0.0, None))[1] is task:
                del self._known[key]  # the next one tries again
            raise


async def _answer(work: Callable[[], Awaitable[Any]]) -> Any:
    return await work()


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

    def adjustments(self, game: RecordedGameRow, rules: Ruleset) -> list[tuple[int, int]]:
        """What is added to the final points of a seat, so that substitutes get what is fixed for them.

        The points of all others and the places stay as they were played.
        """
        settings, result = self.stages.get(game.stage), game.result
        if settings is None or result is None or result.get("final") is None:
            return []
        return [
            (seat, wanted - result["final"][seat])
            for seat, entry in enumerate(game.players)
            if entry in settings.substitutes and (wanted := _fixed(settings, result, seat, rules)) is not None
        ]


def _fixed(settings: RoundSettings, result: Mapping[str, Any], seat: int, rules: Ruleset) -> int | None:
    if settings.substitute_points is not None:
        return settings.substitute_points
    if settings.substitute_uma is not None:
        return int(result["scores"][seat]) - rules.match.start_points + settings.substitute_uma
    return None


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
    cancelled = await services.recorded.all(event, recorded_games.c.status == "cancelled")
    void = {game.id for game in cancelled}
    return [row for row in rounds if not row.is_open and not {table.game for table in row.tables} <= void]


@dataclasses.dataclass(frozen=True)
class StoredResults:
    """The rows of an event from which its results come; ``games`` are those that count, oldest first."""

    skeleton: ClubEvent
    games: Sequence[RecordedGameRow]
    penalties: Sequence[PenaltyRow]
    entries: Sequence[EntryRow]
    added: RoundPoints
    absent: Mapping[str, Absent]  # by game

    def filled(self, played: Mapping[str, SettledGame] | None = None) -> ClubEvent:
        """The event with everybody who plays or has played; ``played`` has the hands of its games."""
        sitting = {entry for game in self.games for entry in game.players}
        sitting |= {penalty.entry for penalty in self.penalties} | {bye.entry for bye in self.added.byes}
        players = [entry for entry in self.entries if entry.status == "playing" or entry.id in sitting]
        inside: dict[str, list[PenaltyRow]] = {}
        for penalty in self.penalties:
            inside.setdefault(penalty.game or "", []).append(penalty)
        known = played or {}
        return dataclasses.replace(
            self.skeleton,
            unranked=self.added.unranked,
            players=tuple(map(entrant_of, players)),
            results=tuple(
                dataclasses.replace(
                    _result(game, self._points(game, inside.get(game.id, ())), known.get(game.id)),
                    absent=self.absent.get(game.replay or "", ()),
                )
                for game in self.games
                if game.result
            ),
            penalties=(
                *(
                    StagePenalty(penalty.stage, penalty.entry, penalty.points, penalty.why)
                    for penalty in inside.get("", ())
                ),
                *(StagePenalty(bye.stage, bye.entry, bye.points, bye.why) for bye in self.added.byes),
            ),
        )

    def _points(self, game: RecordedGameRow, penalties: Sequence[PenaltyRow]) -> list[tuple[int, int]]:
        """What is added to the final points of each seat of a game: penalties, and what substitutes get."""
        given = [(game.players.index(penalty.entry), penalty.points) for penalty in penalties]
        return given + self.added.adjustments(game, self.skeleton.rules)


async def read_results(services: Services, event: EventRow) -> StoredResults:
    """Read an event's results from the database."""
    rules = await services.rulesets.find(event.rules, event.fingerprint)
    plan = event.plan
    skeleton = ClubEvent(event.name, rules, (), tuple(plan.stages), (), tie_breaks=tuple(plan.tie_breaks))
    games = await services.recorded.all(event.id, recorded_games.c.status == "confirmed")
    penalties = [penalty for penalty in await services.desk.penalties(event.id) if penalty.cancelled is None]
    entries = await services.entries.all(event.id)
    added, absent = await round_points(services, event), await services.online.absences(event.id)
    return StoredResults(skeleton, games[::-1], penalties, entries, added, absent)


def _result(
    game: RecordedGameRow, added: Sequence[tuple[int, int]], played: SettledGame | None
) -> GameResult:
    result: dict[str, Any] = game.result or {}
    final = list(result["final"])
    for seat, points in added:
        final[seat] += points
    at = None if game.at is None else datetime.fromtimestamp(game.at / 1000, UTC)
    return GameResult(game.id, game.stage, at, game.players, tuple(final), tuple(result["places"]), played)


KEPT: Final = 64  # events whose standings are kept


class StandingsCache(ResultsCache[StandingsBody]):
    """The standings of the events that were asked for last."""

    def __init__(self, services: Services) -> None:
        super().__init__(KEPT)
        self._services = services

    async def compute(self, event: EventRow) -> StandingsBody:
        """The standings from the games that count now."""
        stored = await read_results(self._services, event)
        return await asyncio.to_thread(lambda: _standings(stored.filled(), stored.added.byes))


def _standings(event: ClubEvent, byes: Sequence[ByePoints]) -> StandingsBody:
    standing = standings(event)
    data: dict[str, Any] = {"teams": [], **standing.to_dict()}
    for stage in data["stages"]:
        stage["teams"] = [team.to_dict() for team in standing.teams_of[stage["id"]]]
    names = {player.id: player.label for player in event.players}
    sums: Counter[tuple[str, str]] = Counter()
    for bye in byes:
        sums[bye.stage, bye.entry] += bye.points
    totals = [{"stage": stage, "player": name, "points": points} for (stage, name), points in sums.items()]
    return StandingsBody.model_validate({**data, "byes": totals, "names": names})
