"""An event as it is stored, with the results that count: for standings and statistics."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from jantaku.club import ClubEvent, GameResult, SettledGame, StagePenalty
from jantaku.server.events.common.event_plan import EventPlan, skeleton_of
from jantaku.server.events.results.round_points import RoundPoints, round_points
from jantaku.server.storage.entries import EntryRow, entrant_of
from jantaku.server.storage.events import EventRow, PenaltyRow
from jantaku.server.storage.finished_games import Absent
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.schema import recorded_games
from jantaku.server.storage.services import Services


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
        without = self.added.unranked
        return dataclasses.replace(
            self.skeleton,
            stages=tuple(
                dataclasses.replace(stage, unranked=without.get(stage.id, frozenset()))
                for stage in self.skeleton.stages
            ),
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
    skeleton = skeleton_of(EventPlan.model_validate_json(event.plan), rules)
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
