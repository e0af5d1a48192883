"""Seating of rounds: background computations, imports and discarding of drafts."""

import asyncio
import csv
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from jantaku import terms
from jantaku.club.namesakes import same_name
from jantaku.club.seating import Known, Wishes, quality_of
from jantaku.errors import JantakuError, RequestError
from jantaku.server.edge.bodies import Problem
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import (
    EventRights,
    changing,
)
from jantaku.server.events.results.counted_results import read_event
from jantaku.server.events.rounds import seating_jobs
from jantaku.server.events.rounds.round_state import (
    MAX_SEED,
    MAX_TABLES,
    ImportSeating,
    MakeSeating,
    RoundMaker,
    RoundNumbers,
    RoundStage,
    SeatingWork,
    may_sit,
    pairs_apart,
    players_of,
    present_in,
    stage_in,
    unchanged,
)
from jantaku.server.events.rounds.seating_jobs import part_done
from jantaku.server.people.auth_dependencies import InjectedServices
from jantaku.server.settings import ROUNDS_OF_STAGE
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.rounds import (
    RoundRow,
    SeatedTable,
    remove_rounds,
    rows_in,
    save_rounds,
)

REQUEST_WAIT_S: Final = 1.5  # a request waits this long, which is enough for most seatings
MAX_FAILED: Final = 100
Key = tuple[str, str]  # event and stage
Work = Callable[[Path], Awaitable[None]]


class _Running:
    """A running computation, and the file to which its worker writes progress."""

    def __init__(self, how: RoundMaker, work: Work) -> None:
        self.how = how
        self._folder = TemporaryDirectory(prefix="jantaku-seating-")
        self.progress = Path(self._folder.name) / "part"
        self.task = asyncio.create_task(self._run(work))

    async def _run(self, work: Work) -> None:
        try:
            await work(self.progress)
        finally:
            self._folder.cleanup()


class SeatingComputations:
    """Running and failed computations of seatings, at most one for each stage."""

    def __init__(self) -> None:
        self._running: dict[Key, _Running] = {}
        self._failed: dict[Key, tuple[RoundMaker, JantakuError]] = {}

    async def start(self, key: Key, how: RoundMaker, work: Work) -> None:
        """Start computing a seating; return when it is ready or after ``REQUEST_WAIT_S``, while it continues.

        Raises ``seating_busy`` if the stage has a running computation, and early errors of ``work``.
        """
        if key in self._running:
            raise ServerError("seating_busy")
        self._failed.pop(key, None)
        running = self._running[key] = _Running(how, work)
        running.task.add_done_callback(lambda _: self._done(key, running))
        done, _ = await asyncio.wait({running.task}, timeout=REQUEST_WAIT_S)
        if done and not running.task.cancelled():
            self._failed.pop(key, None)
            running.task.result()

    def _done(self, key: Key, running: _Running) -> None:
        self._running.pop(key, None)
        error = None if running.task.cancelled() else running.task.exception()
        if isinstance(error, JantakuError):
            self._failed[key] = (running.how, error)
            while len(self._failed) > MAX_FAILED:
                del self._failed[next(iter(self._failed))]

    async def cancel(self, key: Key) -> None:
        """Cancel a computation and forget the last failure."""
        self._failed.pop(key, None)
        running = self._running.get(key)
        if running is not None:
            running.task.cancel()
            await asyncio.wait({running.task})

    def status(self, key: Key, language: terms.Language) -> SeatingWork | None:
        """Return the running computation of a stage, or its last failure."""
        running = self._running.get(key)
        if running is not None:
            return SeatingWork(
                state="working", how=running.how, progress=part_done(running.progress), error=None
            )
        if key not in self._failed:
            return None
        how, error = self._failed[key]
        field = str(error.details.get("field") or "")
        if isinstance(error, RequestError):
            error.names = ()  # omit the field name from the message
        problem = Problem(code=error.code, message=error.message(language), field=field)
        return SeatingWork(state="failed", how=how, progress=0, error=problem)

    async def close(self) -> None:
        """Cancel all computations."""
        for key in list(self._running):
            with suppress(Exception):
                await self.cancel(key)


class _SeatingRequest(NamedTuple):
    """An organiser's request: the numbers of the rounds to seat, the method and the seed."""

    numbers: list[int]
    how: Any
    seed: int


async def make(
    services: InjectedServices, rights: EventRights, asker: Principal, stage: str, body: MakeSeating
) -> None:
    """Seat rounds as drafts; long computations continue in the background."""
    planned = await stage_in(services, rights, stage)
    seed = secrets.randbelow(MAX_SEED) if body.seed is None else body.seed
    order = _SeatingRequest(_numbers(planned, body), body.how, seed)
    task = await _task(services, planned, order)

    async def work(progress: Path) -> None:
        seating = await services.workers.run(asker, seating_jobs.make_seating, task, str(progress))
        await _store(services, planned, order, seating)

    await services.seatings.start((rights.event.id, stage), body.how, work)


def _numbers(stage: RoundStage, body: MakeSeating) -> list[int]:
    """Return the numbers of the rounds to seat; raise ``no_round_left`` if there are none."""
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


async def _task(
    services: InjectedServices, stage: RoundStage, order: _SeatingRequest
) -> seating_jobs.SeatingTask:
    """Build the task for the worker process."""
    event = stage.rights.event
    players = await players_of(services, stage, services.standings)
    rules = await services.rulesets.find(event.rules, event.fingerprint)
    numbers = set(order.numbers)
    fixed = [row for row in stage.rows.rounds if row.number not in numbers]
    present = present_in(stage, players, order.numbers)
    reserves = await _reserves(services, stage)
    wishes = Wishes(reserves, pairs_apart(stage, players))
    if order.how not in ("plan", "rebuild"):
        return await _next(services, stage, order, present[0], wishes)
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
    services: InjectedServices,
    stage: RoundStage,
    order: _SeatingRequest,
    there: Sequence[str],
    wishes: Wishes,
) -> seating_jobs.NextTask:
    """Build the task to seat the next round from the standings or at random."""
    event = (await read_event(services, stage.rights.event)).event()
    _check_number([there], len(event.rules.seats))
    seated = [table for row in stage.rows.rounds for table in row.seating]
    counted = {game.players for game in event.results if game.stage == stage.plan.id}
    waiting = [table for table in seated if tuple(table) not in counted]
    order_of_all = (await services.standings.get(stage.rights.event)).stages
    names = [
        row.player for standing in order_of_all if standing.id == stage.plan.id for row in standing.standings
    ]
    out = [name for name in names if name not in set(there) | set(wishes.reserves)]
    return seating_jobs.NextTask(event, stage.plan.id, order.how, out, Known(waiting, wishes), order.seed)


async def _reserves(services: InjectedServices, stage: RoundStage) -> list[str]:
    """Return the substitutes who may be seated."""
    entries = await services.entries.all(stage.rights.event.id)
    playing = {entry.id for entry in entries if may_sit(entry, stage.settings)}
    return [substitute for substitute in stage.settings.substitutes if substitute in playing]


async def _store(
    services: InjectedServices, stage: RoundStage, order: _SeatingRequest, made: seating_jobs.SeatingMade
) -> None:
    """Store the new rounds as drafts; a new plan removes drafts after its last round."""
    event, name = stage.rights.event.id, stage.plan.id
    rows = [
        RoundRow(event, name, number, "drafted", order.how, order.seed, _tables(tables), tuple(byes))
        for number, tables, byes in zip(order.numbers, made.rounds, made.byes, strict=True)
    ]
    async with changing(services, stage.rights) as change:
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


async def discard(services: InjectedServices, rights: EventRights, stage: str, body: RoundNumbers) -> None:
    """Discard drafts."""
    await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        rows = await rows_in(change, stage)
        drafts = [row.number for row in rows.rounds if row.state == "drafted"]
        gone = [number for number in drafts if body.numbers is None or number in body.numbers]
        await remove_rounds(change, stage, gone)
        change.note("seating", before={"stage": stage, "rounds": gone}, after={"stage": stage, "rounds": []})


Tables = list[list[str]]


async def import_seating(
    services: InjectedServices, rights: EventRights, stage: str, body: ImportSeating
) -> None:
    """Store an imported seating as drafts. Present players without a seat get a bye.

    Raises ``round_begun`` for a started round, ``not_entered`` for a player not in the event,
    ``twice_in_round``, and ``seating_row`` for an invalid line.
    """
    planned = await stage_in(services, rights, stage)
    entries = [entry for entry in await services.entries.all(rights.event.id) if entry.status == "playing"]
    rounds = _from_csv(body, entries) if body.csv.strip() else {}
    rounds |= dict(enumerate(([list(table) for table in round_] for round_ in body.rounds), body.first))
    if not rounds:
        raise ServerError("no_seating")
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    begun = {row.number for row in planned.rows.rounds if not row.is_open}
    for number, tables in rounds.items():
        if number in begun:
            raise ServerError("round_begun", number=number)
        if number > ROUNDS_OF_STAGE:
            raise ServerError("too_many_rounds", most=ROUNDS_OF_STAGE)
        check_round(number, tables, {entry.id for entry in entries}, rules.match.players)
    players = await players_of(services, planned, services.standings)
    present = present_in(planned, players, list(rounds))
    rows = []
    for (number, tables), there in zip(rounds.items(), present, strict=True):
        sitting = {player for table in tables for player in table}
        byes = tuple(player for player in there if player not in sitting)
        seated = tuple(SeatedTable(tuple(table)) for table in tables)
        rows.append(RoundRow(rights.event.id, stage, number, "drafted", "import", None, seated, byes))
    async with changing(services, rights) as change:
        await unchanged(change, planned)
        await save_rounds(change, rows)
        change.note("seating", after={"stage": stage, "rounds": sorted(rounds), "made_by": "import"})


def check_round(number: int, tables: Sequence[Sequence[str]], known: set[str], seats: int) -> None:
    """Raise unless every table is full, and every player is in ``known`` and seated only once."""
    seen = set[str]()
    for t, table in enumerate(tables, 1):
        if len(table) != seats:
            raise ServerError("table_seats", number=number, table=t, wanted=seats)
        for player in table:
            if player not in known:
                raise ServerError("not_entered", field="rounds", id=player)
            if player in seen:
                raise ServerError("twice_in_round", number=number, id=player)
            seen.add(player)


def _from_csv(body: ImportSeating, entries: Sequence[EntryRow]) -> dict[int, Tables]:
    """Parse the rounds of a CSV file, with tables sorted by their numbers."""
    by_id, by_name, lines = {entry.id for entry in entries}, _by_name(entries), body.csv.splitlines()
    delimiter = next((sign for sign in "\t;" if sign in body.csv), ",")  # a spreadsheet pastes tabs
    rounds: dict[int, dict[int, list[str]]] = {}
    for line, row in enumerate(csv.reader(lines, delimiter=delimiter), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and not _is_number(cells[0].lstrip("\ufeff"))):
            continue
        number, table = cells[0].lstrip("\ufeff"), cells[1] if len(cells) > 1 else ""
        if not (_is_number(number) and _is_number(table)) or not 1 <= int(table) <= MAX_TABLES:
            raise ServerError("seating_row", line=line)
        tables = rounds.setdefault(int(number) + body.first - 1, {})
        if int(table) in tables or int(number) < 1:
            raise ServerError("seating_row", line=line)
        tables[int(table)] = [
            cell if cell in by_id else by_name.get(same_name(cell), cell) for cell in cells[2:] if cell
        ]
    return {number: [tables[t] for t in sorted(tables)] for number, tables in sorted(rounds.items())}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 3


def _by_name(entries: Sequence[EntryRow]) -> Mapping[str, str]:
    """Return entry ids by normalised name, for names without namesakes and numbered labels."""
    names = Counter(same_name(entry.name) for entry in entries)
    alone = {key: entry.id for entry in entries if names[key := same_name(entry.name)] == 1}
    return alone | {same_name(entry.label): entry.id for entry in entries if entry.namesake > 1}
