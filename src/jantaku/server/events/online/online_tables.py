"""Online tables of an event: opening them, running them as a referee, and the outcomes of their games."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, NamedTuple

from fastapi import Depends, Path
from pydantic import Field

from jantaku import terms
from jantaku.errors import Phrases
from jantaku.seats import Seat
from jantaku.server.edge.bodies import Problem, iso, router_of
from jantaku.server.edge.protocol import DEFAULT_DELAY_S, MAX_DELAY_S, TableInfo, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import (
    RECORDER,
    REFEREE,
    EventId,
    EventRights,
    RoundId,
    StageId,
    changing,
    rights_in,
)
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.events.common.event_context import PublicEventContext, UserEventContext, message_at
from jantaku.server.events.online.online_counter import Refusal, playing_entries, recorded_id, seated_entries
from jantaku.server.events.recording.starting_games import check_time
from jantaku.server.events.rounds.round_state import RefusedResult, stage_in
from jantaku.server.events.rounds.running_rounds import begin_round
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    RequestLanguage,
    Visiting,
    Visitor,
    deduplicate,
)
from jantaku.server.play import game_steps, table_seats
from jantaku.server.play.agreements import change_seats
from jantaku.server.play.broadcast import info, publish_table, record_browser
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable, close_table
from jantaku.server.play.site import EventsTable, tables_of_event
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.finished_games import COUNTED, OutcomeRow
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.rounds import RoundRow, SeatedTable, rows_in
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language
from jantaku.wire import Wire


class EventTableBody(Wire):
    """A new online table whose games count for a stage."""

    stage: EventKey
    name: Annotated[str, Field(max_length=40)] = ""
    private: bool = False
    spectators: bool = True


class OpenRound(Wire):
    """Options for the online tables of a round; spectators watch with a delay of ``delay_s`` seconds."""

    spectators: bool = True
    delay_s: Annotated[float, Field(ge=0, le=MAX_DELAY_S)] = DEFAULT_DELAY_S


class RoundOpened(Wire):
    """The numbers of the tables opened for a round, and those refused with their problems."""

    opened: list[int]
    refused: list[RefusedResult]


class RunTable(Wire):
    """A referee's action at an online table: start, pause, resume or end its game."""

    action: Literal["start", "halt", "go_on", "end"]
    why: Annotated[str, Field(max_length=500)] = ""


class DoesNotCount(Wire):
    """Why a game does not count; ``seat`` is that of the player responsible, if any."""

    code: str
    message: str
    seat: Seat | None


class EventTable(Wire):
    """An open table of a stage; ``problem`` is why its games would currently not count.

    ``round`` and ``number`` identify the table of a round for which it is played.
    """

    table: TableInfo
    problem: DoesNotCount | None
    round: int | None = None
    number: int | None = None


class OnlineOutcome(Wire):
    """A finished online game of the event; ``game`` is its recorded game, if it counts."""

    replay: str
    stage: str
    ended: str | None
    names: list[str]
    game: str | None
    problem: DoesNotCount | None


class EventTableList(Wire):
    """Open tables of an event, and the latest games finished at such tables."""

    tables: list[EventTable]
    finished: list[OnlineOutcome]


Refused = list[tuple[int, ServerError]]


class RoundPlace(NamedTuple):
    """A round of a stage."""

    stage: str
    number: int


async def open_round(
    lobby: Lobby, rights: EventRights, of_round: RoundPlace, body: OpenRound
) -> tuple[list[int], Refused]:
    """Open an online table for each table of a round without a game, and start the round.

    Returns the numbers of the opened tables, and those refused, each with the error.
    """
    services = lobby.services
    if rights.event.status != "open":
        raise ServerError("event_over")
    await stage_in(services, rights, of_round.stage)
    entries = {entry.id: entry for entry in await services.entries.all(rights.event.id)}
    async with changing(services, rights) as change:
        rows = await rows_in(change, of_round.stage)
        row, away = rows.round(of_round.number), rows.away(of_round.number)
        playing = {key for key, entry in entries.items() if entry.status == "playing" and key not in away}
        there = await services.online.of_stage(rights.event.id, of_round.stage)
        wanted = [
            (t, table)
            for t, table in enumerate(row.tables, 1)
            if table.game is None and (of_round.number, t) not in there
        ]
        people, refused = await _people(services, row, (wanted, playing), entries)
        if people:
            await begin_round(change, row)
            after = {"stage": of_round.stage, "round": of_round.number, "tables": sorted(people)}
            change.note("online_round", after=after)
    opened: list[int] = []
    for number, sitters in people.items():
        try:
            await lobby.add_for_round(_table(rights, of_round, number, sitters, body))
        except ServerError as error:
            refused.append((number, error))
        else:
            opened.append(number)
    if opened:
        await _begin_again(services, rights, of_round)
    return opened, sorted(refused, key=lambda pair: pair[0])


async def _begin_again(services: Services, rights: EventRights, of_round: RoundPlace) -> None:
    """Restart a round that was reset while its tables were opening; otherwise their games would not count."""
    async with changing(services, rights) as change:
        row = (await rows_in(change, of_round.stage)).round(of_round.number)
        if row.is_open:
            await begin_round(change, row)


def _table(
    rights: EventRights, of_round: RoundPlace, number: int, sitters: tuple[Sitter, ...], body: OpenRound
) -> NewTable:
    """Build the online table of a round: rated, with the planned seats; play starts when all are ready."""
    event = rights.event
    watched = body.spectators and event.plan.spectators
    options = TableOptions(
        hints=False, rated=True, draw_seats=False, spectators=watched, spectator_delay_s=body.delay_s
    )
    return NewTable(
        *("", event.rules, options, event.id, of_round.stage, event.fingerprint),
        round=(of_round.number, number),
        sitters=sitters,
    )


async def _people(
    services: Services,
    row: RoundRow,
    wanted: tuple[list[tuple[int, SeatedTable]], set[str]],
    entries: Mapping[str, EntryRow],
) -> tuple[dict[int, tuple[Sitter, ...]], Refused]:
    """Return each table's players, and the tables refused because a player lacks an account or is absent.

    ``wanted`` are the tables with their numbers, and the ids of entries playing in the round.
    """
    tables, playing = wanted
    names, sitters, refused = names_of(list(entries.values())), dict[int, tuple[Sitter, ...]](), Refused()
    for number, table in tables:
        seated = [entries[player] for player in table.players]
        gone = [names[entry.id] for entry in seated if entry.id not in playing]
        if gone:
            refused.append((number, ServerError("seated_gone", number=row.number, names=Phrases(gone))))
            continue
        people = [await _person(services, entry) for entry in seated]
        missing = [names[entry.id] for entry, person in zip(seated, people, strict=True) if person is None]
        if missing:
            refused.append((number, ServerError("seated_offline", names=Phrases(missing))))
        else:
            sitters[number] = tuple(Sitter(person.name, person.id) for person in people if person is not None)
    return sitters, refused


async def _person(services: Services, entry: EntryRow) -> PersonRow | None:
    return None if entry.person is None else await services.accounts.find(entry.person)


async def run_table(lobby: Lobby, rights: EventRights, table_id: str, body: RunTable) -> None:
    """Start, pause, resume or end the game at a table; raise ``no_table`` for a table of another event."""
    rights.demand(REFEREE)
    loop = await lobby.find(table_id)
    if loop.table.row.event != rights.event.id:
        raise ServerError("no_table")
    if body.action == "end" and not body.why.strip():
        raise ServerError("why_needed", field="why")
    if body.action == "end" and loop.table.row.status == "waiting":
        await close_table(loop)
        publish_table(loop.table)
    else:
        async with loop.changing() as table:
            if body.action == "start":
                if table.row.status != "waiting":
                    raise ServerError("already_started")
                if None in table.row.sitters:
                    raise ServerError("seats_free")
                await game_steps.start(table)
            elif body.action == "end":
                if not table.playing and not table.stopped:
                    raise ServerError("not_playing")
                await game_steps.finish(table, "aborted")
            else:
                await game_steps.halt(table, body.action == "halt")
    loop.wake()
    row = loop.table.row
    async with changing(lobby.services, rights) as change:
        after = {"table": table_id, "action": body.action, "stage": row.stage, "round": row.round}
        change.note("online_table", after=after, why=body.why)


router = router_of("/api/events/{event}/tables", "events")
TableId = Annotated[str, Path(max_length=16)]
MAX_TABLES: Final = 200
MAX_FINISHED: Final = 50


@router.get("")
async def tables(context: PublicEventContext, language: RequestLanguage) -> EventTableList:
    """List the open tables of the event, and the outcomes of the latest games."""
    rights = await context.rights()
    playing = playing_entries(await context.services.entries.all(rights.event.id))
    person = None if context.user is None else context.user.id
    there = await tables_of_event(context.services.links, rights.event.id, language, person)
    if rights.may(REFEREE):  # finished games stay visible to delayed spectators, but cannot be run
        there = [table for table in there if table.status in ("waiting", "playing")]
    seen = [table for table in there if table.mine or not table.shown.options.private]
    finished = await context.services.online.of_event(rights.event.id, MAX_FINISHED)
    return EventTableList(
        tables=[_event_table(table, rights, playing, language) for table in seen[:MAX_TABLES]],
        finished=[_outcome(row, game, language) for row, game in finished],
    )


def _event_table(
    table: EventsTable, rights: EventRights, playing: Mapping[str, str], language: Language
) -> EventTable:
    entries = seated_entries(table.sitters, playing)
    if table.fingerprint != rights.event.fingerprint:
        entries = Refusal("rules")
    problem = _problem(entries, language) if isinstance(entries, Refusal) else None
    return EventTable(table=table.shown, problem=problem, round=table.round, number=table.round_table)


def _outcome(row: OutcomeRow, game: GameRow, language: Language) -> OnlineOutcome:
    counted = row.outcome == COUNTED
    return OnlineOutcome(
        replay=game.id,
        stage=row.stage,
        ended=iso(game.ended),
        names=[player.name for player in game.players],
        game=recorded_id(game.id) if counted else None,
        problem=None if counted else _problem(Refusal(row.outcome, row.seat), language),
    )


def _problem(why: Refusal, language: Language) -> DoesNotCount:
    message = terms.text(f"server.online.{why.why}", language)
    return DoesNotCount(code=why.why, message=message, seat=why.seat)


@router.post("", dependencies=[Depends(deduplicate)])
async def open_table(
    services: InjectedServices,
    language: RequestLanguage,
    visitor: Visiting,
    event: EventId,
    body: EventTableBody,
) -> TableInfo:
    """Open a table whose games count for a stage; a caller who plays in the event takes a seat."""
    rights = await rights_in(services, event, visitor.person)
    _check_may_open(rights, body)
    if rights.plays is not None:
        await services.lobby.holdings.check_seat(visitor.holder)  # fail before the table is created
    loop = await _add_table(services, visitor, rights, body)
    if rights.plays is None:
        return info(loop.table, language)
    async with services.lobby.holdings.taking_seat(loop.table, visitor.holder), loop.changing() as table:
        await change_seats(table, table_seats.joined(table.row, visitor.person, None))
        record_browser(table, visitor.person.id, visitor.browser)
        return info(table, language)


async def _add_table(
    services: InjectedServices, visitor: Visitor, rights: EventRights, body: EventTableBody
) -> GameLoop:
    """Create a rated table: no hints, and no bot replaces an absent player."""
    watched = body.spectators and rights.plan.spectators
    options = TableOptions(hints=False, rated=True, private=body.private, spectators=watched)
    event = rights.event
    wanted = NewTable(body.name, event.rules, options, event.id, body.stage, event.fingerprint)
    return await services.lobby.add(visitor.person, visitor.address, wanted)


def _check_may_open(rights: EventRights, body: EventTableBody) -> None:
    if rights.plays is None and not rights.may(RECORDER):
        raise ServerError("no_playing_entry")
    if rights.event.status != "open":
        raise ServerError("event_over")
    if not rights.plan.online_tables:
        rights.demand(RECORDER)
    stage = rights.plan.known_stage(body.stage)
    if stage.kind == "rounds" and not rights.may(RECORDER):
        raise ServerError("stage_seated", stage=stage.id)
    check_time(stage, rights)


def _at_round(stage: StageId, number: RoundId) -> RoundPlace:
    return RoundPlace(stage, number)


AtRound = Annotated[RoundPlace, Depends(_at_round)]


@router.post("/rounds/{stage}/{number}", dependencies=[Depends(deduplicate)])
async def open_tables(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    of_round: AtRound,
    body: OpenRound,
) -> RoundOpened:
    """Open the online tables of a round, seated as planned; a repeated request opens the missing ones."""
    rights = await context.rights(REFEREE)
    opened, refused = await open_round(services.lobby, rights, of_round, body)
    problems = []
    for table, problem in refused:
        message = await message_at(context.services, problem, {"event": context.event}, language)
        problems.append(RefusedResult(table=table, problem=Problem(code=problem.code, message=message)))
    return RoundOpened(opened=opened, refused=problems)


@router.post("/{table}")
async def run(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    table: TableId,
    body: RunTable,
) -> TableInfo:
    """Start, pause, resume or end the game at a table, for referees."""
    rights = await context.rights()
    await run_table(services.lobby, rights, table, body)
    return info((await services.lobby.find(table)).table, language)
