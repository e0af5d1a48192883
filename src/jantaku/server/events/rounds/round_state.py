"""State of a stage's rounds: request and response bodies, present players, and how good a seating is."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from jantaku.club.seating import SeatingScore, quality_of
from jantaku.club.seating.plan import team_mates
from jantaku.errors import Phrases
from jantaku.kernels.win import MAX_SEATS
from jantaku.server.edge.bodies import Problem, iso
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, RECORDER, EventRights, valid_check_in
from jantaku.server.events.common.event_bodies import Reason, Why
from jantaku.server.events.recording.recorded_game import (
    EndChips,
    EndScores,
    GameState,
    NoWin,
    SeatEntries,
    status_of,
)
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.settings import ROUNDS_OF_STAGE
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_plan import EventKey, Pair, RoundNumber, RoundSettings, StagePlan
from jantaku.server.storage.events import Change
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rounds import RoundClock, RoundRow, StageRows, covers, rows_in
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.wire import Wire

MAX_TABLES = 100
MAX_SEED = 2**31 - 1
TableNumber = Annotated[int, Field(ge=1, le=MAX_TABLES)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
RoundState = Literal["drafted", "published", "running", "done"]
RoundMaker = Literal["plan", "rebuild", "import", "random", "swiss", "ranking", "interval"]
SeatingWay = Literal["plan", "rebuild", "random", "swiss", "ranking", "interval"]
Tables = Annotated[list[SeatEntries], Field(min_length=1, max_length=MAX_TABLES)]


class SetRounds(RoundSettings):
    """New settings of a stage, based on a known ``revision`` of the event."""

    revision: Annotated[int, Field(ge=1)] | None = None

    @property
    def settings(self) -> RoundSettings:
        """The settings without the revision."""
        return RoundSettings(**self.model_dump(exclude={"revision"}))


class MakeSeating(Wire):
    """How to seat rounds as drafts.

    ``plan`` seats all rounds not yet started, up to ``rounds`` in total. ``rebuild`` improves the existing
    seating from round ``first`` on. The other methods seat the next round from the standings or at random.
    Without a ``seed`` the server draws one.
    """

    how: SeatingWay = "plan"
    rounds: RoundNumber | None = None
    first: RoundNumber | None = None
    seed: Seed | None = None


class ImportSeating(Wire):
    """A seating to import: ``rounds[r][table]`` are entries by seat.

    ``csv`` has a line for each table: round number, table number, and the ids or names of the entries, East
    first. Rounds are numbered from ``first``.
    """

    rounds: Annotated[list[Tables], Field(max_length=ROUNDS_OF_STAGE)] = Field(default_factory=list)
    csv: Annotated[str, Field(max_length=100_000)] = ""
    first: RoundNumber = 1


class RoundNumbers(Wire):
    """Rounds of a stage; without ``numbers``, all drafts."""

    numbers: Annotated[list[RoundNumber], Field(min_length=1, max_length=ROUNDS_OF_STAGE)] | None = None


class PublishRounds(RoundNumbers):
    """Drafts to publish; ``start`` also starts the first of these rounds."""

    start: bool = False


class TimerBody(Wire):
    """A change to a round's timer: an action, or ``extra_s`` more seconds for a ``table`` or for all tables.

    A negative number reduces the time. ``minutes`` changes the duration of the round.
    """

    action: Literal["start", "pause", "reset"] | None = None
    minutes: Annotated[int, Field(ge=0, le=1440)] | None = None
    extra_s: Annotated[int, Field(ge=-86_400, le=86_400)] = 0
    table: TableNumber | None = None
    why: Why = ""


class FinishTable(Wire):
    """The end of a game: ``scores``, ``chips`` and seats with ``no_win``, or else its current points."""

    scores: EndScores | None = None
    chips: EndChips | None = None
    no_win: NoWin | None = None
    why: Reason


class TableResult(Wire):
    """The result of a table's game; ``revision`` is that of the game as last read."""

    table: TableNumber
    scores: EndScores
    chips: EndChips | None = None
    no_win: NoWin | None = None
    revision: Annotated[int, Field(ge=0, le=10**9)] | None = None


class RoundResults(Wire):
    """Results of a round's games. Replacing hands or points requires a reason (``why``)."""

    results: Annotated[list[TableResult], Field(min_length=1, max_length=MAX_TABLES)]
    why: Why = ""


class FinishRound(Wire):
    """The end of a round; ``everything`` ends unfinished games with their current points."""

    everything: bool = False
    why: Why = ""


class TakeBackRound(Wire):
    """The reason to reset a round started by mistake."""

    why: Why = ""


class ChangeSeats(Wire):
    """A change to a round's seats: two players to ``swap``, or all seats of some ``tables``.

    Recorded hands stay with the seats (``keep``, to correct the names), or the games restart (``restart``).
    """

    swap: Pair | None = None
    tables: dict[TableNumber, SeatEntries] | None = Field(default=None, max_length=MAX_TABLES)
    hands: Literal["keep", "restart"] = "keep"
    why: Why = ""


class AbsenceBody(Wire):
    """An absence of an entry from round ``first`` to ``last``, or to the end.

    ``present`` removes the absence. Players may change their own absences, staff all of them.
    """

    entry: EventKey
    first: RoundNumber
    last: RoundNumber | None = None
    present: bool = False
    why: Why = ""


class ReplaceBody(Wire):
    """The player ``by`` who replaces ``entry`` in all rounds not yet started, from round ``first``.

    ``now`` includes running games.
    """

    entry: EventKey
    by: EventKey
    first: RoundNumber = 1
    now: bool = False
    why: Why = ""


class RoundTable(Wire):
    """A table of a round: entries by seat, its game, and its own extra time.

    ``online`` is the id of its online table.
    """

    number: int
    players: list[str]
    game: str | None
    status: GameState | None
    extra_s: int
    online: str | None = None


class RoundTimer(Wire):
    """The timer of a round: ``left_s`` at the time of the response; ``ends`` while it is running."""

    minutes: int
    running: bool
    started: bool
    extra_s: int
    left_s: int
    ends: str | None


class RoundInfo(Wire):
    """A round; ``seed`` reproduces its seating."""

    number: int
    state: RoundState
    made_by: RoundMaker
    seed: int | None
    tables: list[RoundTable]
    byes: list[str]
    timer: RoundTimer
    published: str | None


class SeatingWork(Wire):
    """The computation of a seating: ``progress`` is an estimate, 0–1."""

    state: Literal["working", "failed"]
    how: RoundMaker
    progress: float
    error: Problem | None


class AbsenceInfo(Wire):
    """An absence from round ``first`` to ``last``, or to the end."""

    entry: str
    first: int
    last: int | None


class StageRounds(Wire):
    """Rounds of a stage; organisers also get drafts, running computations and the quality of the seating."""

    revision: int
    stage: str
    settings: RoundSettings
    rounds: list[RoundInfo]
    absences: list[AbsenceInfo]
    quality: SeatingScore | None
    work: SeatingWork | None


class RefusedResult(Wire):
    """A refused table, with the problem."""

    table: int
    problem: Problem


class ResultsAnswer(Wire):
    """The rounds after entering results, and the tables refused."""

    rounds: StageRounds
    refused: list[RefusedResult]


class EventRounds(Wire):
    """Rounds of all stages with rounds; ``now`` is the server's time."""

    revision: int
    now: str
    stages: list[StageRounds]


class RoundStage(NamedTuple):
    """A stage with rounds: its plan and its stored rows."""

    rights: EventRights
    plan: StagePlan
    rows: StageRows

    @property
    def settings(self) -> RoundSettings:
        """Settings of the rounds."""
        return self.rows.settings


class Player(NamedTuple):
    """A player to seat in a stage, with their team."""

    id: str
    team: str


def stages_of_rounds(rights: EventRights) -> list[StagePlan]:
    """Return the stages of an event with rounds."""
    plan = rights.plan
    return [stage for stage in plan.stages if stage.kind == "rounds"]


async def stage_in(services: Services, rights: EventRights, stage: str) -> RoundStage:
    """Load a stage with rounds; raise ``no_stage``, or ``stage_open`` for a stage without rounds."""
    planned = rights.plan.stage(stage)
    if planned is None:
        known = Phrases(stage.id for stage in stages_of_rounds(rights))
        raise ServerError("no_stage", field="stage", stage=stage, known=known)
    if planned.kind != "rounds":
        raise ServerError("stage_open", field="stage", stage=stage)
    rows = await services.rounds.of(rights.event.id, stage)
    return RoundStage(rights, planned, rows)


async def players_of(services: Services, stage: RoundStage, standings: StandingsCache) -> list[Player]:
    """Return the players of a stage in the order of registration, without substitutes.

    These are the players qualified for the stage, replacements, and anyone in a started round. The order does
    not depend on results, so that a seed reproduces a seating.
    """
    event = stage.rights.event
    stages = (await standings.get(event)).stages
    admitted = {row.player for part in stages if part.id == stage.plan.id for row in part.standings}
    admitted |= await services.event_log.replacements(event.id, stage.plan.id)
    admitted |= {player for row in stage.rows.rounds if not row.is_open for player in row.people}
    entries = await services.entries.all(event.id)
    return [
        Player(entry.id, entry.team) for entry in entries if entry.id in admitted and _is_seated(entry, stage)
    ]


def _is_seated(entry: EntryRow, stage: RoundStage) -> bool:
    return may_sit(entry, stage.settings) and entry.id not in stage.settings.substitutes


def may_sit(entry: EntryRow, settings: RoundSettings) -> bool:
    """Whether an entry is playing, and has checked in if the settings require it."""
    here = not settings.checked_in or valid_check_in(entry.checked_in, now_ms()) is not None
    return entry.status == "playing" and here


def present_in(stage: RoundStage, players: Sequence[Player], numbers: Sequence[int]) -> list[list[str]]:
    """Return the players present in each of these rounds.

    Players who do not join by the round ``late_until`` do not play at all.
    """
    remade = set(numbers)
    fixed = {row.number: row.people for row in stage.rows.rounds if row.number not in remade}
    late = stage.settings.late_until
    present: list[list[str]] = [[] for _ in numbers]
    for player in players:
        away = stage.rows.spans(player.id)
        there = [number for number in numbers if not any(covers(span, number) for span in away)]
        before = [number for number, people in fixed.items() if player.id in people]
        if late is not None and min([*there, *before], default=0) > late:
            continue
        for i, number in enumerate(numbers):
            if number in there:
                present[i].append(player.id)
    return present


def pairs_apart(stage: RoundStage, players: Sequence[Player]) -> list[tuple[str, str]]:
    """Return the pairs to keep apart: team mates if configured, and pairs chosen by an organiser."""
    teams = {player.id: player.team for player in players}
    mates = team_mates(teams) if stage.settings.teams_apart else []
    known = set(teams)
    chosen = [(one, other) for one, other in stage.settings.apart if {one, other} <= known and one != other]
    return [*mates, *chosen]


async def unchanged(change: Change, stage: RoundStage) -> StageRows:
    """Read the rows within a transaction; raise ``rounds_moved_on`` if the rounds have changed since."""
    rows = await rows_in(change, stage.plan.id)
    if rows.rounds != stage.rows.rounds:
        raise ServerError("rounds_moved_on")
    return rows


ENDED: Final = ("confirmed", "cancelled", "expired")
Statuses = Mapping[str, Any]


async def stage_view(services: Services, stage: RoundStage, work: SeatingWork | None) -> StageRounds:
    """Build the response for a stage's rounds as seen by one person; ``work`` is a running computation."""
    rights, organises = stage.rights, stage.rights.may(ORGANISER)
    rows = [row for row in stage.rows.rounds if organises or row.state != "drafted"]
    statuses = await _statuses(services, stage) if any(not row.is_open for row in rows) else {}
    online = await services.online.of_stage(rights.event.id, stage.plan.id)
    mine = rights.entry.id if rights.entry else None
    return StageRounds(
        revision=rights.event.revision,
        stage=stage.plan.id,
        settings=stage.settings if organises else stage.settings.model_copy(update={"apart": []}),
        rounds=[_round(row, statuses, online) for row in rows],
        absences=[
            AbsenceInfo.of(absence)
            for absence in stage.rows.absences
            if rights.may(RECORDER) or absence.entry == mine
        ],
        quality=await _quality(services, stage) if organises and rows else None,
        work=work if organises else None,
    )


async def _statuses(services: Services, stage: RoundStage) -> Statuses:
    """Return the status of each recorded game of the stage."""
    event = stage.rights.event
    plan, now = event.plan, now_ms()
    games = await services.recorded.all(event.id, RecordedGameRow.stage == stage.plan.id)
    return {game.id: status_of(game, plan, now) for game in games}


def _round(row: RoundRow, statuses: Statuses, online: Mapping[tuple[int, int], str]) -> RoundInfo:
    tables = [
        RoundTable.of(
            table,
            number=number,
            players=list(table.players),
            status=statuses.get(table.game or ""),
            online=online.get((row.number, number)),
        )
        for number, table in enumerate(row.tables, 1)
    ]
    over = row.state == "running" and all(table.status in ENDED for table in tables)
    return RoundInfo.of(
        row,
        state="done" if over else row.state,
        tables=tables,
        byes=list(row.byes),
        timer=timer_view(row.timer, now_ms()),
        published=iso(row.published),
    )


def timer_view(clock: RoundClock, now: int) -> RoundTimer:
    """Build the response for a timer at the time ``now`` in ms; overtime is negative."""
    elapsed = clock.elapsed_ms + (now - clock.started if clock.started is not None else 0)
    left = clock.minutes * 60_000 + clock.extra_s * 1000 - elapsed
    running = clock.started is not None and clock.minutes > 0
    return RoundTimer(
        minutes=clock.minutes,
        running=running,
        started=clock.started is not None or clock.elapsed_ms > 0,
        extra_s=clock.extra_s,
        left_s=left // 1000 if clock.minutes else 0,
        ends=iso(now + left) if running else None,
    )


async def _quality(services: Services, stage: RoundStage) -> SeatingScore:
    """Return the quality of the seating of all rounds; started rounds are treated as fixed."""
    rows = sorted(stage.rows.rounds, key=lambda row: row.is_open)
    begun = sum(not row.is_open for row in rows)
    sitting = {player for row in rows for table in row.tables for player in table.players}
    entries = [entry for entry in await services.entries.all(stage.rights.event.id) if entry.id in sitting]
    apart = pairs_apart(stage, [Player(entry.id, entry.team) for entry in entries])
    seats = max((len(table.players) for row in rows for table in row.tables), default=MAX_SEATS)
    return await asyncio.to_thread(quality_of, [row.seating for row in rows], seats, apart, begun)
