"""Import and export of event files: an event as JSON, with its players, games, rounds and penalties."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal, NamedTuple, cast

from pydantic import Field, ValidationError
from pydantic_core import from_json

from jantaku.club import ClubEvent, Entrant, EventGame, GameResult, SettledGame, event_from
from jantaku.club.doubts import Doubt, EnteredGame, doubts_about
from jantaku.club.event_file import event_to_dict, game_to_dict, in_one_language
from jantaku.club.recorded_hands import live_hands
from jantaku.errors import RequestError
from jantaku.fields import known_id
from jantaku.rules import Ruleset, preset_names
from jantaku.server.edge.bodies import first_error, malformed
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import checked_key, instant_ms, plan_from_file
from jantaku.server.events.common.event_bodies import (
    MAX_TITLE,
    EventStatus,
    ImportEvent,
    StaffRole,
    demand_account,
    entry_name,
    new_event,
)
from jantaku.server.events.organising.event_jobs import read_event_body, read_file_header
from jantaku.server.events.recording.recorded_game import check_hand_size
from jantaku.server.events.registration.entries import MAX_NAME, shown_team, unmerged
from jantaku.server.events.registration.names import Nickname
from jantaku.server.events.results.counted_results import entered_hands, event_game, read_event
from jantaku.server.names import shown_name
from jantaku.server.people.auth_dependencies import InjectedServices
from jantaku.server.settings import (
    ENTRIES_OF_EVENT,
    GAMES_OF_EVENT,
    ROUNDS_OF_STAGE,
    STAFF_OF_EVENT,
    STAGES_OF_EVENT,
)
from jantaku.server.storage.entries import EntryRow, NicknameRow
from jantaku.server.storage.event_plan import EventKey, EventPlan, Registration, RoundNumber, RoundSettings
from jantaku.server.storage.events import CALLING, DOUBT, CallRow, EventRow, PenaltyRow, StaffRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import FIRST, POINTS, HandMark, ImportedRows, RecordedGameRow
from jantaku.server.storage.rounds import Absence, RoundClock, RoundRow, SeatedTable, StageRow, StageRows
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.wire import Wire

KEY: Final = "server"
_OF_PENALTY: Final = ("stage", "points", "why", "game", "cancelled")
OF_PLAN: Final = (
    *("registration", "hidden_standings", "correction_min", "confirm_alone", "online_tables", "spectators"),
)
MAX_TABLES: Final = ENTRIES_OF_EVENT
MAX_NICKNAMES: Final = 100
Moment = Annotated[int, Field(ge=0, le=253_370_764_800_000)]
Seconds = Annotated[int, Field(ge=0, le=86_400)]
Points = Annotated[int, Field(strict=True, ge=-100_000_000, le=100_000_000)]
Reason = Annotated[str, Field(max_length=500)]


class FileAccount(Wire):
    """An account on the server that wrote the file."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{1,16}$")]
    name: Annotated[str, Field(max_length=64)] = ""


class FileEntry(Wire):
    """An entry with its status and the details visible only to organisers."""

    id: EventKey
    name: Annotated[str, Field(max_length=64)]
    team: Annotated[str, Field(max_length=64)] = ""
    status: Literal["asked", "waiting", "playing", "refused", "withdrawn"] = "playing"
    brought: Points | None = None
    real_name: Annotated[str, Field(max_length=64)] = ""
    country: Annotated[str, Field(pattern=r"^([A-Z]{2})?$")] = ""
    association: Annotated[str, Field(max_length=16)] = ""
    player: Annotated[EventKey | None, Field(description="Identifies the person in all events.")] = None
    namesake: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    checked_in: Moment | None = None
    erased: Moment | None = None
    account: FileAccount | None = None
    nicknames: Annotated[list[Nickname], Field(max_length=MAX_NICKNAMES)] = Field(default_factory=list)


class FileStaff(FileAccount):
    """A member of the event's staff."""

    role: StaffRole


class FileMark(Wire):
    """A seat's confirmation of a game that others have not yet confirmed."""

    game: EventKey
    seat: Annotated[int, Field(ge=0, le=3)]
    account: FileAccount | None = None
    at: Moment


class FilePenalty(Wire):
    """A penalty of a stage, or of a ``game``."""

    stage: EventKey
    player: EventKey
    points: Points
    why: Reason = ""
    game: EventKey | None = None
    cancelled: Moment | None = None


class FileTable(Wire):
    """A table of a round."""

    players: Annotated[list[EventKey], Field(min_length=2, max_length=4)]
    game: EventKey | None = None
    extra_s: Seconds = 0


class FileRound(Wire):
    """A round of a stage, with its timer stopped."""

    stage: EventKey
    number: RoundNumber
    state: Literal["drafted", "published", "running", "done"]
    made_by: Annotated[str, Field(pattern=r"^[a-z_]{1,12}$")] = "import"
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    tables: Annotated[list[FileTable], Field(max_length=MAX_TABLES)]
    byes: Annotated[list[EventKey], Field(max_length=ENTRIES_OF_EVENT)] = Field(default_factory=list)
    minutes: Annotated[int, Field(ge=0, le=1440)] = 0
    extra_s: Seconds = 0
    elapsed_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 0
    published: Moment | None = None


class FileAbsence(Wire):
    """An absence of a player from round ``first`` to ``last``, or to the end."""

    stage: EventKey
    player: EventKey
    first: RoundNumber
    last: RoundNumber | None = None


class FileCall(Wire):
    """A referee call or a dispute, with the referee's answer."""

    kind: Literal["call", "dispute"]
    game: EventKey | None = None
    hand: Annotated[int, Field(ge=0, le=1000)] | None = None  # index of the disputed hand
    label: Annotated[str, Field(max_length=64)] = ""
    name: Annotated[str, Field(max_length=64)] = ""
    why: Reason = ""
    at: Moment
    closed: Moment | None = None
    answer: Reason = ""


class EventState(Wire):
    """The state of a running event; omitted fields have the values of a new event."""

    plan: dict[str, Any] = Field(default_factory=dict, max_length=len(OF_PLAN))
    entries: Annotated[list[FileEntry], Field(max_length=ENTRIES_OF_EVENT)] = Field(default_factory=list)
    games: Annotated[list[dict[str, Any]], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    penalties: Annotated[list[FilePenalty], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    settings: Annotated[dict[EventKey, RoundSettings], Field(max_length=STAGES_OF_EVENT)] = Field(
        default_factory=dict
    )
    rounds: Annotated[list[FileRound], Field(max_length=STAGES_OF_EVENT * ROUNDS_OF_STAGE)] = Field(
        default_factory=list
    )
    absences: Annotated[list[FileAbsence], Field(max_length=100_000)] = Field(default_factory=list)
    calls: Annotated[list[FileCall], Field(max_length=10_000)] = Field(default_factory=list)
    status: EventStatus = "open"
    listed: bool = True
    staff: Annotated[list[FileStaff], Field(max_length=STAFF_OF_EVENT)] = Field(default_factory=list)
    marks: Annotated[list[FileMark], Field(max_length=4 * GAMES_OF_EVENT)] = Field(default_factory=list)
    cancelled: Annotated[list[EventKey], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)
    cleared: Annotated[list[EventKey], Field(max_length=GAMES_OF_EVENT)] = Field(default_factory=list)

    def check(self, plan: EventPlan, entries: Iterable[str], games: Iterable[str]) -> None:
        """Raise ``RequestError`` for references to unknown stages, entries or games, and for duplicates."""
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
            _check_unique(people, "rounds")
            for name in people:
                known_id(name, players, f"{KEY}.rounds")
            for table in round_.tables:
                _known(table.game, played, "rounds")
        _check_unique([(row.stage, row.number) for row in self.rounds], "rounds")
        _check_unique([table.game for row in self.rounds for table in row.tables if table.game], "rounds")
        for absence in self.absences:
            known_id(absence.stage, stages, f"{KEY}.absences")
            known_id(absence.player, players, f"{KEY}.absences")
        _check_unique([(row.stage, row.player, row.first) for row in self.absences], "absences")
        for call in self.calls:
            _known(call.game, played, "calls")
        for part in ("cancelled", "cleared"):
            for game in getattr(self, part):
                _known(game, played, part)
        for mark in self.marks:
            _known(mark.game, played, "marks")
        _check_unique([(row.game, row.seat) for row in self.marks], "marks")
        _check_unique([row.id for row in self.staff], "staff")
        _check_unique([row.account.id for row in self.entries if row.account], "entries")
        _check_unique([row.id for row in self.entries], "entries")
        nicknames = [(name.site, name.name) for row in self.entries for name in row.nicknames]
        _check_unique(nicknames, "entries")

    def accounts(self) -> set[str]:
        """Return the ids of all accounts in the file."""
        named = [*(row.account for row in self.entries), *(row.account for row in self.marks), *self.staff]
        return {account.id for account in named if account is not None}

    def round_rows(self, event: str) -> list[RoundRow]:
        """Return the rounds as database rows."""
        return [
            RoundRow(
                *(event, row.stage, row.number, row.state, row.made_by, row.seed),
                tuple(SeatedTable(tuple(table.players), table.game, table.extra_s) for table in row.tables),
                tuple(row.byes),
                RoundClock(row.minutes, row.extra_s, row.elapsed_ms),
                row.published,
            )
            for row in self.rounds
        ]

    def call_rows(self, event: str) -> list[CallRow]:
        """Return the calls as database rows; hands of imported games are versioned ``FIRST`` + number."""
        versions = [None if row.hand is None else f"{FIRST}{row.hand + 1}" for row in self.calls]
        return [
            CallRow(
                *(event, number, row.kind, row.game, version, row.label, None),
                *(row.name, row.why, row.at, row.closed, row.answer),
            )
            for number, (row, version) in enumerate(zip(self.calls, versions, strict=True), 1)
        ]


class FileHeader(NamedTuple):
    """Facts read from a file before checking it: its rules, and whether the request lists the event."""

    rules: str | None
    own_rules: bool
    listed: bool | None


class ImportedEvent(NamedTuple):
    """A validated event file.

    ``hands`` are those of each game as JSON; ``doubts`` are reasons for a referee to check a game.
    """

    event: ClubEvent
    plan: EventPlan
    hands: Mapping[str, Sequence[str]]
    doubts: Mapping[str, Sequence[Doubt]]
    running: EventState | None = None


def _known(game: str | None, games: set[str], part: str) -> None:
    if game is not None:
        known_id(game, games, f"{KEY}.{part}")


def _check_unique(keys: Sequence[object], part: str) -> None:
    seen: set[object] = set()
    for key in keys:
        if key in seen:
            raise RequestError("id_twice", field=f"{KEY}.{part}", value=str(key))
        seen.add(key)


class ExportRows(NamedTuple):
    """Penalties, calls and rounds to export, the exported games, and indices of hands by game and version."""

    penalties: Sequence[PenaltyRow]
    calls: Sequence[CallRow]
    rounds: Mapping[str, StageRows]
    games: set[str]
    places: Mapping[tuple[str, str], int]


def event_state(plan: EventPlan, entries: Sequence[FileEntry], rows_to_export: ExportRows) -> EventState:
    """Build the state of a running event, without unconfirmed games, staff and marks."""
    rounds = rows_to_export.rounds
    return EventState(
        plan={name: value for name, value in plan.model_dump(mode="json").items() if name in OF_PLAN},
        entries=list(entries),
        penalties=[
            FilePenalty(player=row.entry, **{name: getattr(row, name) for name in _OF_PENALTY})
            for row in rows_to_export.penalties
            if row.game is None or row.game in rows_to_export.games
        ],
        settings={stage: rows.settings for stage, rows in rounds.items() if rows.settings != RoundSettings()},
        rounds=[_file_round(row, rows_to_export.games) for rows in rounds.values() for row in rows.rounds],
        absences=[
            FileAbsence(stage=stage, player=row.entry, first=row.first, last=row.last)
            for stage, rows in rounds.items()
            for row in rows.absences
        ],
        calls=[
            FileCall.of(call, hand=rows_to_export.places.get((call.game or "", call.version or "")))
            for call in rows_to_export.calls
            if call.kind in CALLING and (call.game is None or call.game in rows_to_export.games)
        ],
    )


def _file_round(row: RoundRow, games: set[str]) -> FileRound:
    names = ("stage", "number", "state", "made_by", "seed", "published")
    timer = {name: getattr(row.timer, name) for name in ("minutes", "extra_s", "elapsed_ms")}
    tables = [
        FileTable(
            players=list(table.players),
            game=table.game if table.game in games else None,
            extra_s=table.extra_s,
        )
        for table in row.tables
    ]
    return FileRound(
        **{name: getattr(row, name) for name in names}, **timer, tables=tables, byes=list(row.byes)
    )


def plan_changes(running: EventState) -> dict[str, Any]:
    """Return the fields of the plan in ``running``, for ``plan_from_file``."""
    changes = {name: value for name, value in running.plan.items() if name in OF_PLAN}
    if "registration" in changes:
        changes["registration"] = Registration.model_validate(changes["registration"])
    return changes


MAX_CALLS: Final = 10_000


class UnknownAccounts(NamedTuple):
    """Accounts in a file that do not exist here: labels of their entries, and names of staff."""

    entries: list[str]
    staff: list[str]


async def import_event(
    services: InjectedServices, asker: Principal, user: PersonRow, body: bytes
) -> tuple[str, UnknownAccounts]:
    """Create an event organised by ``user`` from a request body with a file (``ImportEvent``).

    Returns its id, and the accounts that do not exist here. A worker parses the file, as it may be large.
    """
    demand_account(user)
    sent: FileHeader = await services.workers.run(asker, read_file_header, body)
    rules = None
    if sent.rules is not None and sent.rules not in preset_names():
        rules = await services.rulesets.find(sent.rules)
    imported: ImportedEvent = await services.workers.run(asker, read_event_body, body, rules)
    event, running = imported.event, imported.running or EventState()
    ruleset = event.rules.under(event.rules.fingerprint) if sent.own_rules else event.rules
    listed = running.listed if sent.listed is None else sent.listed
    row = replace(new_event(event.name, ruleset, imported.plan, listed=listed), status=running.status)
    known = set(await services.accounts.names(running.accounts()))
    rows = _rows(row, imported, user, known)
    await services.events.add(row, user, services.settings.limits.events_of_one, rows.write)
    await services.rulesets.save(ruleset)
    entries = [
        entry.label
        for entry, filed in _with_file_entries(rows.entries, running)
        if filed.account and not entry.person
    ]
    return row.id, UnknownAccounts(entries, [one.name for one in running.staff if one.id not in known])


def _with_file_entries(rows: Iterable[EntryRow], running: EventState) -> list[tuple[EntryRow, FileEntry]]:
    filed = {entry.id: entry for entry in running.entries}
    return [(row, filed[row.id]) for row in rows if row.id in filed]


def _rows(event: EventRow, imported: ImportedEvent, user: PersonRow, known: Container[str]) -> ImportedRows:
    now = now_ms()
    running = imported.running or EventState()
    filed = {entry.id: entry for entry in running.entries}
    order = {entry.id: i for i, entry in enumerate(running.entries)}  # order of registration
    players = sorted(imported.event.players, key=lambda player: order.get(player.id, len(order)))
    open_games = {game.get("id") for game in running.games}
    entries = [
        _entry(event.id, i, player, (filed.get(player.id), known), now) for i, player in enumerate(players, 1)
    ]
    cancelled = set(running.cancelled)
    games = list[RecordedGameRow]()
    for i, game in enumerate(imported.event.games, 1):
        status = "confirmed" if game.result.over and game.id not in open_games else "playing"
        status = "cancelled" if game.id in cancelled else status
        hands, ended, at = game.result.hand_count, game.end, instant_ms(game.at)
        revision = hands or int(ended is not None)
        head = f"{FIRST}{hands}" if hands else f"{POINTS}{revision}" if revision else ""
        key = (event.id, game.id, i, game.stage, game.label, at, user.id, status, head, revision, ended)
        games.append(RecordedGameRow(*key, game.result, game.digest, players=game.players))
    given: list[tuple[str, str, str | None, int, str, int | None]] = [
        (one.stage, one.player, None, one.points, one.why[:MAX_SHOWN], None)
        for one in imported.event.penalties
    ] + [
        (game.stage, game.players[seat], game.id, points, why[:MAX_SHOWN], None)
        for game in imported.event.games
        for seat, points, why in game.penalties
    ]
    if imported.running is not None:  # excludes penalties that rounds imply
        given = [(p.stage, p.player, p.game, p.points, p.why, p.cancelled) for p in running.penalties]
    rows = [
        PenaltyRow(event.id, i, stage, entry, game, points, why, user.id, now, cancelled)
        for i, (stage, entry, game, points, why, cancelled) in enumerate(given, 1)
    ]
    rounds, calls = running.round_rows(event.id), running.call_rows(event.id)
    absences = [Absence(event.id, row.stage, row.player, row.first, row.last) for row in running.absences]
    settings = [StageRow(event.id, stage, values) for stage, values in running.settings.items()]
    nicknames = [
        NicknameRow(event.id, name.site, name.name, row.id)
        for row, entry in _with_file_entries(entries, running)
        for name in entry.nicknames
        if row.erased is None
    ]
    staff = [
        StaffRow(event.id, one.id, one.role)
        for one in running.staff
        if one.id in known and one.id != user.id  # the importing user is already the organiser
    ]
    marks = _mark_rows(event.id, running.marks, {game.id: game for game in games}, known)
    entered, doubts = [*imported.hands.items()], [*imported.doubts.items()]
    parts = (rounds, absences, settings, calls, nicknames, staff, marks)
    return ImportedRows(entries, games, entered, rows, doubts, *parts)


def _mark_rows(
    event: str, marks: Iterable[FileMark], games: Mapping[str, RecordedGameRow], known: Container[str]
) -> list[HandMark]:
    """Return the database rows of seats' confirmations."""
    rows = list[HandMark]()
    for mark in marks:
        game, person = games[mark.game], mark.account.id if mark.account else None
        if mark.seat < len(game.players):
            person = person if person in known else None
            rows.append(HandMark(event, game.id, game.head, mark.seat, "confirmed", person, mark.at))
    return rows


def _entry(
    event: str, number: int, player: Entrant, exported: tuple[FileEntry | None, Container[str]], now: int
) -> EntryRow:
    """Build an entry of the new event, linked to its account if that exists on this server."""
    filed, known = exported
    account = filed.account.id if filed and filed.account and filed.account.id in known else None
    status = "playing" if filed is None else filed.status
    own = {} if filed is None else filed.model_dump(include={"real_name", "country", "association"})
    brought = player.brought if filed is None else filed.brought
    team = player.team if filed is None else shown_team(filed.team)
    values = (event, number, player.name, team)
    return EntryRow(
        *(values[0], player.id, *values[1:], account, status, filed.checked_in if filed else None, None, now),
        card=new_id(),
        brought=brought,
        player=player.person or (filed and filed.player) or new_id(),
        namesake=filed.namesake if filed else player.namesake,
        erased=filed.erased if filed else None,
        **own,
    )


async def export_event_file(services: Services, row: EventRow, language: Language) -> dict[str, Any]:
    """Export the event with everything needed to continue it on another server."""
    plan = row.plan
    recorded = (await services.recorded.all(row.id))[::-1]
    rows = unmerged(await services.entries.all(row.id))
    heads = {game.id: game.head for game in recorded if game.status == "playing"}
    confirmed = await services.recorded.confirmations(row.id)
    marks = [mark for mark in confirmed if mark.version == heads.get(mark.game)]
    people = {row.person for row in rows if row.person} | {mark.person for mark in marks if mark.person}
    names = await services.accounts.names(people)
    called = defaultdict[str, list[Nickname]](list)
    for nickname in await services.nicknames.all(row.id):
        called[nickname.entry].append(Nickname(site=nickname.site, name=nickname.name))
    entries = [
        FileEntry.of(
            entry,
            name=entry.name if entry.erased is None else entry_name(entry, language),
            account=_account(entry.person, names),
            nicknames=called[entry.id],
            player=entry.player or None,
        )
        for entry in rows
    ]
    calls = await services.desk.every_call(row.id, limit=MAX_CALLS)
    doubtful = {call.game for call in calls if call.kind == DOUBT and call.closed is None}
    disputed = {call.game for call in calls if call.game is not None and call.version is not None}
    versions = await services.recorded.versions(row.id, sorted(disputed))
    places = {
        (game, hand.version): place
        for game, made in versions.items()
        for place, hand in enumerate(live_hands(made))
    }
    rows_to_export = ExportRows(
        await services.desk.penalties(row.id),
        calls,
        {stage.id: await services.rounds.of(row.id, stage.id) for stage in plan.stages},
        {game.id for game in recorded},
        places,
    )
    running = event_state(plan, entries, rows_to_export)
    running.status, running.listed = cast("Any", row.status), row.listed
    running.staff = [FileStaff.of(one, id=one.person) for one in await services.events.staff(row.id)]
    running.cancelled = [game.id for game in recorded if game.status == "cancelled"]
    running.cleared = sorted(
        {call.game for call in calls if call.kind == DOUBT and call.game} - doubtful - set(running.cancelled)
    )
    running.marks = [FileMark.of(mark, account=_account(mark.person, names)) for mark in marks]
    others = [game for game in recorded if game.status != "confirmed"]
    hands = await entered_hands(services, others)
    running.games = [game_to_dict(event_game(game, hands[game.id])) for game in others]
    event = await exported_event(services, row, language)
    return {
        **await asyncio.to_thread(event_to_dict, event),
        KEY: running.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }


def _account(person: str | None, names: Mapping[str, str]) -> FileAccount | None:
    return FileAccount(id=person, name=names[person]) if person is not None and person in names else None


async def exported_event(services: Services, row: EventRow, language: Language) -> ClubEvent:
    """Return the event with its confirmed games and their hands as entered."""
    stored = await read_event(services, row)
    return stored.event(language, hands=await entered_hands(services, stored.games))


MAX_SHOWN: Final = 500  # characters of a reason


def parse_import(body: bytes) -> ImportEvent:
    """Parse the body of an import request; raise ``ServerError`` if it is invalid."""
    try:
        return ImportEvent.model_validate(from_json(body, allow_inf_nan=False))
    except ValidationError as error:
        within, reason = first_error(error)
        raise ServerError("bad_request", field=within, reason=reason) from error
    except ValueError as error:
        raise ServerError("bad_request", field="", reason=malformed("json")) from error


def read_header(body: bytes) -> FileHeader:
    """Read the facts needed before the file is checked."""
    sent = parse_import(body)
    rules = sent.file.get("rules")
    named = rules if isinstance(rules, str) else None
    return FileHeader(named, rules is not None and named is None, sent.listed)


def read_event_file(data: Mapping[str, Any], named: Ruleset | None) -> ImportedEvent:
    """Validate an event file; ``named`` is the ruleset it refers to, unless that is a preset.

    Raises ``RequestError``, ``RulesError`` and ``ServerError``.
    """
    find = None if named is None else (lambda _: named)
    data = in_one_language(data)
    running = _running(data)
    if running is not None and running.games:
        data = {**data, "games": [*(data.get("games") or ()), *running.games]}
    if running is not None:
        data = {**data, "players": _players(data, running)}
    event = event_from(data, "standard", find)
    if len(event.players) > ENTRIES_OF_EVENT or len(event.games) > GAMES_OF_EVENT:
        raise RequestError("too_many", field="games", count=len(event.games), most=GAMES_OF_EVENT)
    if not event.name:
        raise ServerError("event_name", field="name")
    plan = _plan(data, running)
    if running is not None:
        running.check(plan, [player.id for player in event.players], [game.id for game in event.games])
    cleared = set[str]() if running is None else {*running.cancelled, *running.cleared}
    for game in event.games:
        _check_game(game)
    return ImportedEvent(
        replace(
            event,
            name=shown_name(event.name, MAX_TITLE),
            players=tuple(map(_checked_entrant, event.players)),
            games=tuple(replace(game, hands=(), result=_without_hands(game.result)) for game in event.games),
        ),
        plan,
        {game.id: [json.dumps(hand, ensure_ascii=False) for hand in game.hands] for game in event.games},
        {game.id: doubts for game in event.games if (doubts := _doubts(game, event.rules, cleared))},
        running,
    )


def _checked_entrant(player: Entrant) -> Entrant:
    return replace(
        player,
        id=checked_key(player.id, "players"),
        name=shown_name(player.name, MAX_NAME),
        team=shown_team(player.team),
        person=player.person and checked_key(player.person, "players"),
    )


def _check_game(game: EventGame) -> None:
    checked_key(game.id, "games")
    instant_ms(game.at)
    for i, hand in enumerate(game.hands):
        check_hand_size(hand, f"hands[{i}]")


def _without_hands(result: GameResult) -> GameResult:
    return result.result if isinstance(result, SettledGame) else result


def _doubts(game: EventGame, rules: Ruleset, cleared: Container[str]) -> Sequence[Doubt]:
    if game.id in cleared or not game.result.over:
        return ()
    return doubts_about(EnteredGame(game.result.scores, game.hands, game.end), rules)


def _running(data: Mapping[str, Any]) -> EventState | None:
    if data.get(KEY) is None:
        return None
    try:
        return EventState.model_validate(data[KEY])
    except ValidationError as error:
        within, reason = first_error(error)
        raise ServerError("bad_request", field=f"{KEY}.{within}", reason=reason) from error


def _players(data: Mapping[str, Any], running: EventState) -> list[Any]:
    """Return the players of the file, followed by entries that are not playing."""
    players = data.get("players")
    listed = list(players) if isinstance(players, list) else []
    known = {player.get("id") for player in listed if isinstance(player, dict)}
    return listed + [
        {"id": entry.id, "name": entry.name, "namesake": entry.namesake}
        for entry in running.entries
        if entry.id not in known
    ]


def _plan(data: Mapping[str, Any], running: EventState | None) -> EventPlan:
    try:
        plan = plan_from_file(data, **({} if running is None else plan_changes(running)))
    except ValidationError as error:
        within, reason = first_error(error)
        raise ServerError("bad_request", field=within, reason=reason) from error
    for stage in plan.stages:
        instant_ms(stage.opens)
        instant_ms(stage.closes)
    return plan
