"""Rounds as people see them: drafts only organisers."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from jantaku.club.seating import SeatingScore, quality_of
from jantaku.kernels.win import MOST_SEATS
from jantaku.server.events.common.event_plan import EventPlan, iso
from jantaku.server.events.common.event_rights import ORGANISER, RECORDER
from jantaku.server.events.recording.game_rights import status_of
from jantaku.server.events.rounds import round_bodies as bodies
from jantaku.server.events.rounds.round_stage import Player, RoundStage, pairs_apart
from jantaku.server.storage.rounds import RoundClock, RoundRow
from jantaku.server.storage.schema import recorded_games
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

ENDED: Final = ("confirmed", "cancelled", "expired")
Statuses = Mapping[str, Any]


async def stage_shown(
    services: Services, stage: RoundStage, work: bodies.SeatingWork | None
) -> bodies.StageRounds:
    """The rounds of a stage as a person sees them; ``work`` is what is being computed."""
    rights, organises = stage.rights, stage.rights.may(ORGANISER)
    rows = [row for row in stage.rows.rounds if organises or row.state != "drafted"]
    statuses = await _statuses(services, stage) if any(not row.is_open for row in rows) else {}
    online = await services.seating.of_stage(rights.event.id, stage.plan.id)
    mine = rights.entry.id if rights.entry else None
    return bodies.StageRounds(
        revision=rights.event.revision,
        stage=stage.plan.id,
        settings=stage.settings if organises else stage.settings.model_copy(update={"apart": []}),
        rounds=[_round(row, statuses, online) for row in rows],
        absences=[
            bodies.AbsenceInfo.of(absence)
            for absence in stage.rows.absences
            if rights.may(RECORDER) or absence.entry == mine
        ],
        quality=await _quality(services, stage) if organises and rows else None,
        work=work if organises else None,
    )


async def _statuses(services: Services, stage: RoundStage) -> Statuses:
    """The status of each recorded game of the stage."""
    event = stage.rights.event
    plan, now = EventPlan.model_validate_json(event.plan), now_ms()
    games = await services.recorded.all(event.id, recorded_games.c.stage == stage.plan.id)
    return {game.id: status_of(game, plan, now) for game in games}


def _round(row: RoundRow, statuses: Statuses, online: Mapping[tuple[int, int], str]) -> bodies.RoundInfo:
    tables = [
        bodies.RoundTable.of(
            table,
            number=number,
            players=list(table.players),
            status=statuses.get(table.game or ""),
            online=online.get((row.number, number)),
        )
        for number, table in enumerate(row.tables, 1)
    ]
    over = row.state == "running" and all(table.status in ENDED for table in tables)
    return bodies.RoundInfo.of(
        row,
        state="done" if over else row.state,
        tables=tables,
        byes=list(row.byes),
        timer=timer_shown(row.timer, now_ms()),
        published=iso(row.published),
    )


def timer_shown(clock: RoundClock, now: int) -> bodies.RoundTimer:
    """A timer at a time; time that has run out is negative."""
    elapsed = clock.elapsed_ms + (now - clock.started if clock.started is not None else 0)
    left = clock.minutes * 60_000 + clock.extra_s * 1000 - elapsed
    running = clock.started is not None and clock.minutes > 0
    return bodies.RoundTimer(
        minutes=clock.minutes,
        running=running,
        started=clock.started is not None or clock.elapsed_ms > 0,
        extra_s=clock.extra_s,
        left_s=left // 1000 if clock.minutes else 0,
        ends=iso(now + left) if running else None,
    )


async def _quality(services: Services, stage: RoundStage) -> SeatingScore:
    """How good the seating of all rounds is; those that have begun are taken as they are."""
    rows = sorted(stage.rows.rounds, key=lambda row: row.is_open)
    begun = sum(not row.is_open for row in rows)
    sitting = {player for row in rows for table in row.tables for player in table.players}
    entries = [entry for entry in await services.entries.all(stage.rights.event.id) if entry.id in sitting]
    apart = pairs_apart(stage, [Player(entry.id, entry.team) for entry in entries])
    seats = max((len(table.players) for row in rows for table in row.tables), default=MOST_SEATS)
    return await asyncio.to_thread(quality_of, [row.seating for row in rows], seats, apart, begun)
