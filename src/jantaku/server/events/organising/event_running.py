"""What an event file has of how its event runs on a server (``server``): all that standings do not need.

Entries that do not play, games that are not confirmed, rounds, penalties as they were given, calls, the staff
and what was confirmed. Accounts belong to a server: one that knows them gives them their entries and roles
again, on another one players claim their entries anew. Side bets are in no file, since nobody but two players
reads them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from jantaku.errors import RequestError
from jantaku.fields import known_id
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import EventStatus, StaffRole
from jantaku.server.events.common.event_plan import EventKey, EventPlan, Registration
from jantaku.server.events.common.round_settings import RoundNumber, RoundSettings
from jantaku.server.events.registration.name_bodies import Nickname
from jantaku.server.limits import (
    ENTRIES_OF_EVENT,
    GAMES_OF_EVENT,
    ROUNDS_OF_STAGE,
    STAFF_OF_EVENT,
    STAGES_OF_EVENT,
)
from jantaku.server.storage.events import CALLING, CallRow, PenaltyRow
from jantaku.server.storage.recorded_games import FIRST
from jantaku.server.storage.rounds import Absence, RoundClock, RoundRow, SeatedTable, StageRows

KEY: Final = "server"
_OF_PENALTY: Final = ("stage", "points", "why", "game", "cancelled")
OF_PLAN: Final = (
    *("registration", "hidden_standings", "correction_min", "confirm_alone", "online_tables", "spectators"),
)
MOST_TABLES: Final = ENTRIES_OF_EVENT
MOST_NICKNAMES: Final = 100
Moment = Annotated[int, Field(ge=0, le=253_370_764_800_000)]
Seconds = Annotated[int, Field(ge=0, le=86_400)]
Points = Annotated[int, Field(strict=True, ge=-100_000_000, le=100_000_000)]
Reason = Annotated[str, Field(max_length=500)]


class FiledAccount(Wire):
    """Somebody whom the server of the file knows."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{1,16}$")]
    name: Annotated[str, Field(max_length=64)] = ""


class FiledEntry(Wire):
    """An entry with its state, and what only organisers see of it."""

    id: EventKey
    name: Annotated[str, Field(max_length=64)]
    team: Annotated[str, Field(max_length=64)] = ""
    status: Literal["asked", "waiting", "playing", "refused", "withdrawn"] = "playing"
    brought: Points | None = None
    real_name: Annotated[str, Field(max_length=64)] = ""
    country: Annotated[str, Field(pattern=r"^([A-Z]{2})?$")] = ""
    association: Annotated[str, Field(max_length=16)] = ""
    player: Annotated[EventKey | None, Field(description="Who it is in all events.")] = None
    namesake: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    checked_in: Moment | None = None
    erased: Moment | None = None
    account: FiledAccount | None = None
    nicknames: Annotated[list[Nickname], Field(max_length=MOST_NICKNAMES)] = Field(default_factory=list)


class FiledStaff(FiledAccount):
    """Somebody who runs the event."""

    role: StaffRole


class FiledMark(Wire):
    """A seat has confirmed a game that waits for others."""

    game: EventKey
    seat: Annotated[int, Field(ge=0, le=3)]
    account: FiledAccount | None = None
    at: Moment


class FiledPenalty(Wire):
    """A penalty as it was given, of a stage or within a game."""

    stage: EventKey
    player: EventKey
    points: Points
    why: Reason = ""
    game: EventKey | None = None
    cancelled: Moment | None = None


class FiledTable(Wire):
    """A table of a round."""

    players: Annotated[list[EventKey], Field(min_length=2, max_length=4)]
    game: EventKey | None = None
    extra_s: Seconds = 0


class FiledRound(Wire):
    """A round of a stage; its timer stands still."""

    stage: EventKey
    number: RoundNumber
    state: Literal["drafted", "published", "running", "done"]
    made_by: Annotated[str, Field(pattern=r"^[a-z_]{1,12}$")] = "import"
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    tables: Annotated[list[FiledTable], Field(max_length=MOST_TABLES)]
    byes: Annotated[list[EventKey], Field(max_length=ENTRIES_OF_EVENT)] = Field(default_factory=list)
    minutes: Annotated[int, Field(ge=0, le=1440)] = 0
    extra_s: Seconds = 0
    elapsed_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 0
    published: Moment | None = None


class FiledAbsence(Wire):
    """An entry that does not play from one round to another, or to the end."""

    stage: EventKey
    player: EventKey
    first: RoundNumber
    last: RoundNumber | None = None


class FiledCall(Wire):
    """A call for a referee or a dispute, with its answer."""

    kind: Literal["call", "dispute"]
    game: EventKey | None = None
    hand: Annotated[int, Field(ge=0, le=1000)] | None = None  # the disputed one, from 0
    label: Annotated[str, Field(max_length=64)] = ""
    name: Annotated[str, Field(max_length=64)] = ""
    why: Reason = ""
    at: Moment
    closed: Moment | None = None
    answer: Reason = ""


class Running(Wire):
    """How an event runs; what a file leaves out is as in a new event."""

    plan: dict[str, Any] = Field(default_factory=dict, max_length=len(OF_PLAN))
    entries: Annotated[list[FiledEntry], Field(max_length=ENTRIES_OF_EVENT)] = Field(default_factory=list)
    games: Annotated[list[dict[str, Any]], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    penalties: Annotated[list[FiledPenalty], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    settings: Annotated[dict[EventKey, RoundSettings], Field(max_length=STAGES_OF_EVENT)] = Field(
        default_factory=dict
    )
    rounds: Annotated[list[FiledRound], Field(max_length=STAGES_OF_EVENT * ROUNDS_OF_STAGE)] = Field(
        default_factory=list
    )
    absences: Annotated[list[FiledAbsence], Field(max_length=100_000)] = Field(default_factory=list)
    calls: Annotated[list[FiledCall], Field(max_length=10_000)] = Field(default_factory=list)
    status: EventStatus = "open"
    listed: bool = True
    staff: Annotated[list[FiledStaff], Field(max_length=STAFF_OF_EVENT)] = Field(default_factory=list)
    marks: Annotated[list[FiledMark], Field(max_length=4 * GAMES_OF_EVENT)] = Field(default_factory=list)
    cancelled: Annotated[list[EventKey], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    cleared: Annotated[list[EventKey], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)

    def check(self, plan: EventPlan, entries: Iterable[str], games: Iterable[str]) -> None:
        """Raise ``RequestError`` for what names a stage, an entry or a game that the event does not have."""
        players, played = {*entries}, {*games}
        stages = {stage.id for stage in plan.stages}
        for penalty in self.penalties:
            known_id(penalty.stage, stages, f"{KEY}.penalties")
            known_id(penalty.player, players, f"{KEY}.penalties")
            _known(penalty.game, played, "penalties")
        for stage, settings in self.settings.items():
            known_id(stage, stages, f"{KEY}.settings")
            for name in (*settings.substitutes, *(name for pair in settings.apart for name in pair)):
                known_id(name, players, f"{KEY}.settings")
        for round_ in self.rounds:
            known_id(round_.stage, stages, f"{KEY}.rounds")
            people = [*(name for table in round_.tables for name in table.players), *round_.byes]
            _once(people, "rounds")
            for name in people:
                known_id(name, players, f"{KEY}.rounds")
            for table in round_.tables:
                _known(table.game, played, "rounds")
        _once([(row.stage, row.number) for row in self.rounds], "rounds")
        _once([table.game for row in self.rounds for table in row.tables if table.game], "rounds")
        for absence in self.absences:
            known_id(absence.stage, stages, f"{KEY}.absences")
            known_id(absence.player, players, f"{KEY}.absences")
        _once([(row.stage, row.player, row.first) for row in self.absences], "absences")
        for call in self.calls:
            _known(call.game, played, "calls")
        for part in ("cancelled", "cleared"):
            for game in getattr(self, part):
                _known(game, played, part)
        for mark in self.marks:
            _known(mark.game, played, "marks")
        _once([(row.game, row.seat) for row in self.marks], "marks")
        _once([row.id for row in self.staff], "staff")
        _once([row.account.id for row in self.entries if row.account], "entries")
        _once([row.id for row in self.entries], "entries")
        nicknames = [(name.site, name.name) for row in self.entries for name in row.nicknames]
        _once(nicknames, "entries")

    def accounts(self) -> set[str]:
        """Everybody whom the file knows by an account."""
        named = [*(row.account for row in self.entries), *(row.account for row in self.marks), *self.staff]
        return {account.id for account in named if account is not None}

    def round_rows(self) -> list[dict[str, Any]]:
        """The rounds as they are stored."""
        return [
            RoundRow(
                *(row.stage, row.number, row.state, row.made_by, row.seed),
                tuple(SeatedTable(tuple(table.players), table.game, table.extra_s) for table in row.tables),
                tuple(row.byes),
                RoundClock(row.minutes, row.extra_s, row.elapsed_ms),
                row.published,
            ).values
            for row in self.rounds
        ]

    def absence_rows(self) -> list[dict[str, Any]]:
        """Who does not play, as it is stored."""
        return [
            {"stage": row.stage, **Absence(row.player, row.first, row.last)._asdict()}
            for row in self.absences
        ]

    def settings_rows(self) -> list[dict[str, Any]]:
        """The settings of stages as they are stored."""
        return [{"stage": stage, "settings": said.model_dump_json()} for stage, said in self.settings.items()]

    def call_rows(self) -> list[dict[str, Any]]:
        """The calls as they are stored; the hands of an imported game have versions from ``FIRST`` on."""
        versions = [None if row.hand is None else f"{FIRST}{row.hand + 1}" for row in self.calls]
        return [
            CallRow(
                *(
                    i,
                    row.kind,
                    row.game,
                    versions[i - 1],
                    row.label,
                    None,
                    row.name,
                    row.why,
                    row.at,
                    row.closed,
                ),
                row.answer,
            )._asdict()
            for i, row in enumerate(self.calls, 1)
        ]


def _known(game: str | None, games: set[str], part: str) -> None:
    if game is not None:
        known_id(game, games, f"{KEY}.{part}")


def _once(keys: Sequence[object], part: str) -> None:
    seen: set[object] = set()
    for key in keys:
        if key in seen:
            raise RequestError("id_twice", field=f"{KEY}.{part}", value=str(key))
        seen.add(key)


class Happened(NamedTuple):
    """What else a file is made from: the games in it, and the places of hands by game and version."""

    penalties: Sequence[PenaltyRow]
    calls: Sequence[CallRow]
    rounds: Mapping[str, StageRows]
    games: set[str]
    places: Mapping[tuple[str, str], int]


def running_of(plan: EventPlan, entries: Sequence[FiledEntry], happened: Happened) -> Running:
    """How an event runs; the caller adds its games that are not confirmed, its staff and its marks."""
    rounds = happened.rounds
    return Running(
        plan={name: value for name, value in plan.model_dump(mode="json").items() if name in OF_PLAN},
        entries=list(entries),
        penalties=[
            FiledPenalty(player=row.entry, **{name: getattr(row, name) for name in _OF_PENALTY})
            for row in happened.penalties
            if row.game is None or row.game in happened.games
        ],
        settings={
            stage: RoundSettings.model_validate_json(rows.settings)
            for stage, rows in rounds.items()
            if rows.settings
        },
        rounds=[_filed(row, happened.games) for rows in rounds.values() for row in rows.rounds],
        absences=[
            FiledAbsence(stage=stage, player=row.entry, first=row.first, last=row.last)
            for stage, rows in rounds.items()
            for row in rows.absences
        ],
        calls=[
            FiledCall.of(call, hand=happened.places.get((call.game or "", call.version or "")))
            for call in happened.calls
            if call.kind in CALLING and (call.game is None or call.game in happened.games)
        ],
    )


def _filed(row: RoundRow, games: set[str]) -> FiledRound:
    names = ("stage", "number", "state", "made_by", "seed", "published")
    timer = {name: getattr(row.timer, name) for name in ("minutes", "extra_s", "elapsed_ms")}
    tables = [
        FiledTable(
            players=list(table.players),
            game=table.game if table.game in games else None,
            extra_s=table.extra_s,
        )
        for table in row.tables
    ]
    return FiledRound(
        **{name: getattr(row, name) for name in names}, **timer, tables=tables, byes=list(row.byes)
    )


def plan_changes(running: Running) -> dict[str, Any]:
    """What the file decides about an event beside its stages."""
    said = {name: value for name, value in running.plan.items() if name in OF_PLAN}
    if "registration" in said:
        said["registration"] = Registration.model_validate(said["registration"])
    return said
