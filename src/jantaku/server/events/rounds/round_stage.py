"""A stage of rounds as one person finds it: its settings, its rounds, and who plays in it."""

from collections.abc import Sequence
from typing import NamedTuple

from jantaku.club.seating.kept_apart import team_mates
from jantaku.errors import Phrases
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import StagePlan, still_here
from jantaku.server.events.common.event_rights import EventRights
from jantaku.server.events.common.round_settings import RoundSettings
from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import Change
from jantaku.server.storage.rounds import StageRows, rows_in
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms


class RoundStage(NamedTuple):
    """A stage of rounds: what its organiser set, and what is stored."""

    rights: EventRights
    plan: StagePlan
    settings: RoundSettings
    rows: StageRows


class Player(NamedTuple):
    """Somebody who may be seated in a stage, with their team."""

    id: str
    team: str


def stages_of_rounds(rights: EventRights) -> list[StagePlan]:
    """The stages of an event that have rounds."""
    plan = rights.plan
    return [stage for stage in plan.stages if stage.kind == "rounds"]


def settings_of(rows: StageRows) -> RoundSettings:
    """The settings of a stage; those nobody has set are the usual ones."""
    return RoundSettings() if rows.settings is None else RoundSettings.model_validate_json(rows.settings)


async def stage_in(services: Services, rights: EventRights, stage: str) -> RoundStage:
    """A stage of rounds; raises ``no_stage`` or ``stage_open``."""
    planned = rights.plan.stage(stage)
    if planned is None:
        known = Phrases(stage.id for stage in stages_of_rounds(rights))
        raise ServerError("no_stage", field="stage", stage=stage, known=known)
    if planned.kind != "rounds":
        raise ServerError("stage_open", field="stage", stage=stage)
    rows = await services.rounds.of(rights.event.id, stage)
    return RoundStage(rights, planned, settings_of(rows), rows)


async def players_of(services: Services, stage: RoundStage, standings: StandingsCache) -> list[Player]:
    """Everybody who got into a stage or was let in, but substitutes, in the order of registration.

    Somebody who has replaced a player was let in, and so was anyone in a round that has begun. The order does
    not depend on results, so that a seed gives the same seating again.
    """
    event = stage.rights.event
    stages = (await standings.get(event)).stages
    admitted = {row.player for part in stages if part.id == stage.plan.id for row in part.standings}
    admitted |= await services.event_log.let_in(event.id, stage.plan.id)
    admitted |= {player for row in stage.rows.rounds if not row.is_open for player in row.people}
    entries = await services.entries.all(event.id)
    return [
        Player(entry.id, entry.team) for entry in entries if entry.id in admitted and _is_seated(entry, stage)
    ]


def _is_seated(entry: EntryRow, stage: RoundStage) -> bool:
    return may_sit(entry, stage.settings) and entry.id not in stage.settings.substitutes


def may_sit(entry: EntryRow, settings: RoundSettings) -> bool:
    """Whether somebody plays, and is there if only those are seated who have checked in."""
    here = not settings.checked_in or still_here(entry.checked_in, now_ms()) is not None
    return entry.status == "playing" and here


def present_in(stage: RoundStage, players: Sequence[Player], numbers: Sequence[int]) -> list[list[str]]:
    """For each of these rounds, who is there.

    Somebody who does not come in by the round ``late_until`` does not play at all.
    """
    remade = set(numbers)
    fixed = {row.number: row.people for row in stage.rows.rounds if row.number not in remade}
    late = stage.settings.late_until
    present: list[list[str]] = [[] for _ in numbers]
    for player in players:
        away = [absence for absence in stage.rows.absences if absence.entry == player.id]
        there = [number for number in numbers if not any(absence.covers(number) for absence in away)]
        before = [number for number, people in fixed.items() if player.id in people]
        if late is not None and min([*there, *before], default=0) > late:
            continue
        for i, number in enumerate(numbers):
            if number in there:
                present[i].append(player.id)
    return present


def pairs_apart(stage: RoundStage, players: Sequence[Player]) -> list[tuple[str, str]]:
    """The pairs that should not meet: team mates, and those whom an organiser keeps apart."""
    teams = {player.id: player.team for player in players}
    mates = team_mates(teams) if stage.settings.teams_apart else []
    known = set(teams)
    chosen = [(one, other) for one, other in stage.settings.apart if {one, other} <= known and one != other]
    return [*mates, *chosen]


async def unchanged(change: Change, stage: RoundStage) -> StageRows:
    """The rows within a change; raises ``rounds_moved_on`` if they have changed since they were read."""
    rows = await rows_in(change, stage.plan.id)
    if rows.rounds != stage.rows.rounds:
        raise ServerError("rounds_moved_on")
    return rows
