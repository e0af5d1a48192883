"""Seats the rounds of a stage: whole plans, one more round, the rounds to come anew, prescribed seatings."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jantaku.club.seating import Known, Wishes, quality_of
from jantaku.errors import RequestError
from jantaku.server.edge.holdings import Holder
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import EventRights, changing
from jantaku.server.events.results.counted_results import read_results
from jantaku.server.events.rounds import seating_jobs
from jantaku.server.events.rounds.round_bodies import MOST_SEED, MakeSeating, RoundNumbers
from jantaku.server.events.rounds.round_stage import (
    RoundStage,
    may_sit,
    pairs_apart,
    players_of,
    present_in,
    stage_in,
    unchanged,
)
from jantaku.server.events.rounds.rounds_kit import RoundsKit
from jantaku.server.limits import ROUNDS_OF_STAGE
from jantaku.server.storage.rounds import RoundRow, SeatedTable, remove_rounds, rows_in, save_rounds


class _Order(NamedTuple):
    """What an organiser wants: the numbers of the rounds to be made, and with which seed."""

    numbers: list[int]
    how: Any
    seed: int


async def make(kit: RoundsKit, rights: EventRights, asker: Holder, stage: str, body: MakeSeating) -> None:
    """Seat rounds as drafts; long computations go on in the background."""
    asked = await stage_in(kit.services, rights, stage)
    seed = secrets.randbelow(MOST_SEED) if body.seed is None else body.seed
    order = _Order(_numbers(asked, body), body.how, seed)
    task = await _task(kit, asked, order)

    async def work(progress: Path) -> None:
        made = await kit.workers.run(asker, seating_jobs.make_seating, task, str(progress))
        await _store(kit, asked, order, made)

    await kit.seatings.start((rights.event.id, stage), body.how, work)


def _numbers(stage: RoundStage, body: MakeSeating) -> list[int]:
    """The rounds to be made; raises ``round_begun`` if there is none left to make."""
    rows = stage.rows.rounds
    begun = {row.number for row in rows if not row.is_open}
    last = max((row.number for row in rows), default=0)
    if body.how == "plan":
        if not (body.rounds or last):
            raise RequestError("missing_field", field="rounds")
        numbers = [number for number in range(1, (body.rounds or last) + 1) if number not in begun]
    elif body.how == "rebuild":
        numbers = [row.number for row in rows if row.is_open and row.number >= (body.first or 1)]
    else:
        numbers = [last + 1]
    if not numbers:
        raise ServerError("no_round_left")
    if numbers[-1] > ROUNDS_OF_STAGE:
        raise RequestError("number_range", field="rounds", value=numbers[-1], low=1, high=ROUNDS_OF_STAGE)
    return numbers


async def _task(kit: RoundsKit, stage: RoundStage, order: _Order) -> seating_jobs.SeatingTask:
    """What the worker has to do."""
    event = stage.rights.event
    players = await players_of(kit.services, stage, kit.standings)
    rules = await kit.services.rulesets.find(event.rules, event.fingerprint)
    numbers = set(order.numbers)
    fixed = [row for row in stage.rows.rounds if row.number not in numbers]
    present = present_in(stage, players, order.numbers)
    reserves = await _reserves(kit, stage)
    wishes = Wishes(reserves, pairs_apart(stage, players))
    if order.how not in ("plan", "rebuild"):
        return await _next(kit, stage, order, present[0], wishes)
    before = {row.number: row.seating for row in stage.rows.rounds} if order.how == "rebuild" else {}
    kept = [before[number] for number in order.numbers if number in before]
    seats = rules.match.players
    _check_number(present, seats)
    return seating_jobs.PlanTask(seating_jobs.seated_before(fixed), present, kept, wishes, seats, order.seed)


def _check_number(present: Sequence[Sequence[str]], seats: int) -> None:
    fewest = min(len(players) for players in present)
    if fewest < seats:
        raise ServerError("too_few_players", found=fewest, wanted=seats)


async def _next(
    kit: RoundsKit, stage: RoundStage, order: _Order, there: Sequence[str], wishes: Wishes
) -> seating_jobs.NextTask:
    """One more round from the standings, or by lot."""
    event = (await read_results(kit.services, stage.rights.event)).filled()
    _check_number([there], len(event.rules.seats))
    seated = [table for row in stage.rows.rounds for table in row.seating]
    counted = {game.players for game in event.results if game.stage == stage.plan.id}
    waiting = [table for table in seated if tuple(table) not in counted]
    order_of_all = (await kit.standings.get(stage.rights.event)).stages
    names = [
        row.player for standing in order_of_all if standing.id == stage.plan.id for row in standing.standings
    ]
    out = [name for name in names if name not in set(there) | set(wishes.reserves)]
    return seating_jobs.NextTask(event, stage.plan.id, order.how, out, Known(waiting, wishes), order.seed)


async def _reserves(kit: RoundsKit, stage: RoundStage) -> list[str]:
    """The substitutes who play in the event."""
    entries = await kit.services.entries.all(stage.rights.event.id)
    playing = {entry.id for entry in entries if may_sit(entry, stage.settings)}
    return [substitute for substitute in stage.settings.substitutes if substitute in playing]


async def _store(kit: RoundsKit, stage: RoundStage, order: _Order, made: seating_jobs.SeatingMade) -> None:
    """Store the new rounds as drafts; drafts beyond a plan go."""
    name = stage.plan.id
    rows = [
        RoundRow(name, number, "drafted", order.how, order.seed, _tables(tables), tuple(byes))
        for number, tables, byes in zip(order.numbers, made.rounds, made.byes, strict=True)
    ]
    async with changing(kit.services, stage.rights) as change:
        before = (await unchanged(change, stage)).rounds
        if order.how == "plan":
            gone = [row.number for row in before if row.is_open and row.number > order.numbers[-1]]
            await remove_rounds(change, name, gone)
            before = [row for row in before if row.number not in gone]
        await save_rounds(change, rows)
        new = {row.number: row for row in (*before, *rows)}
        ordered = sorted(new.values(), key=lambda row: row.is_open)
        begun = sum(not row.is_open for row in ordered)
        seats = max(len(table) for tables in made.rounds for table in tables)
        quality = quality_of([row.seating for row in ordered], seats, (), begun)
        about = {"stage": name, "rounds": order.numbers, "made_by": order.how, "seed": order.seed}
        change.note("seating", after=about | quality.to_dict())


def _tables(tables: Sequence[Sequence[str]]) -> tuple[SeatedTable, ...]:
    return tuple(SeatedTable(tuple(table)) for table in tables)


async def discard(kit: RoundsKit, rights: EventRights, stage: str, body: RoundNumbers) -> None:
    """Throw drafts away."""
    await stage_in(kit.services, rights, stage)
    async with changing(kit.services, rights) as change:
        rows = await rows_in(change, stage)
        drafts = [row.number for row in rows.rounds if row.state == "drafted"]
        gone = [number for number in drafts if body.numbers is None or number in body.numbers]
        await remove_rounds(change, stage, gone)
        change.note("seating", before={"stage": stage, "rounds": gone}, after={"stage": stage, "rounds": []})
