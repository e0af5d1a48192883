"""What rounds add to the standings: points for byes, and what substitutes get for a game."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jantaku.rules import Ruleset
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.round_settings import RoundSettings
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundRow
from jantaku.server.storage.schema import recorded_games
from jantaku.server.storage.services import Services


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
    for stage in EventPlan.model_validate_json(event.plan).stages:
        rows = await services.rounds.of(event.id, stage.id)
        rounds |= {table.game: row.number for row in rows.rounds for table in row.tables if table.game}
        sat = {player for row in rows.rounds if not row.is_open for player in row.people}
        unranked[stage.id] = (
            frozenset(absence.entry for absence in rows.absences if absence.last is None) - sat
        )
        if rows.settings is None:
            continue
        settings = RoundSettings.model_validate_json(rows.settings)
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
