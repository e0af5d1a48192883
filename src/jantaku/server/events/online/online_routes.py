"""Tables of the parlour that are opened for an event."""

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import Depends, Path

from jantaku import terms
from jantaku.server.edge.protocol import TableInfo, TableOptions
from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Problem
from jantaku.server.errors import ServerError
from jantaku.server.events.common.error_words import message_at
from jantaku.server.events.common.event_asked import AskedByAnyone, AskedByPerson
from jantaku.server.events.common.event_path import EventId, RoundId, StageId
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import RECORDER, REFEREE, EventRights, rights_in
from jantaku.server.events.online import online_bodies as bodies
from jantaku.server.events.online.online_counter import Refusal, playing_entries, recorded_id, seated_entries
from jantaku.server.events.online.online_rounds import RoundPlace, open_round, run_table
from jantaku.server.events.recording.starting_games import check_time
from jantaku.server.events.rounds.round_bodies import RefusedResult
from jantaku.server.people.asking import RequestLanguage, Visiting, Visitor, not_twice
from jantaku.server.play import table_seats
from jantaku.server.play.before_game import change_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.listed_tables import EventsTable, tables_of_event
from jantaku.server.play.lobby import NewTable
from jantaku.server.play.table_info import info
from jantaku.server.play.table_kit import AtTables, TableKit
from jantaku.server.play.table_rights import sits
from jantaku.server.storage.finished_games import COUNTED, OutcomeRow
from jantaku.server.storage.games import GameRow
from jantaku.terms import Language

router = router_of("/api/events/{event}/tables", "events")
TableId = Annotated[str, Path(max_length=16)]
MOST_TABLES: Final = 200
MOST_FINISHED: Final = 50


@router.get("")
async def tables(asked: AskedByAnyone, language: RequestLanguage) -> bodies.EventTableList:
    """The tables that are open for the event, and what became of the newest games."""
    rights = await asked.rights()
    playing = playing_entries(await asked.services.entries.all(rights.event.id))
    there = await tables_of_event(asked.services.links, rights.event.id, language, asked.who and asked.who.id)
    if rights.may(REFEREE):  # watchers still see a game for a while that nobody can run any more
        there = [table for table in there if table.status in ("waiting", "playing")]
    seen = [table for table in there if table.mine or not table.shown.options.private]
    finished = await asked.services.online.of_event(rights.event.id, MOST_FINISHED)
    return bodies.EventTableList(
        tables=[_shown(table, rights, playing, language) for table in seen[:MOST_TABLES]],
        finished=[_outcome(row, game, language) for row, game in finished],
    )


def _shown(
    table: EventsTable, rights: EventRights, playing: Mapping[str, str], language: Language
) -> bodies.EventTable:
    entries = seated_entries(table.sitters, playing)
    if table.fingerprint != rights.event.fingerprint:
        entries = Refusal("rules")
    problem = _problem(entries, language) if isinstance(entries, Refusal) else None
    return bodies.EventTable(table=table.shown, problem=problem, round=table.round, number=table.round_table)


def _outcome(row: OutcomeRow, game: GameRow, language: Language) -> bodies.OnlineOutcome:
    counted = row.outcome == COUNTED
    return bodies.OnlineOutcome(
        replay=game.id,
        stage=row.stage,
        ended=iso(game.ended),
        names=[player.name for player in game.players],
        game=recorded_id(game.id) if counted else None,
        problem=None if counted else _problem(Refusal(row.outcome, row.seat), language),
    )


def _problem(why: Refusal, language: Language) -> bodies.DoesNotCount:
    message = terms.text(f"server.online.{why.why}", language)
    return bodies.DoesNotCount(code=why.why, message=message, seat=why.seat)


@router.post("", dependencies=[Depends(not_twice)])
async def open_table(
    kit: AtTables, language: RequestLanguage, who: Visiting, event: EventId, body: bodies.EventTableBody
) -> TableInfo:
    """Open a table whose games count for a stage, by the rules of the event; I take a seat if I play."""
    rights = await rights_in(kit.services, event, who.person)
    _check_may_open(rights, body)
    if rights.plays is not None:
        await kit.lobby.holdings.check_seat(who.holder)  # before there is a table
    loop = await _added(kit, who, rights, body)
    if rights.plays is None:
        return info(loop.table, language)
    async with kit.lobby.holdings.taking_seat(loop.table, who.holder), loop.changing() as table:
        await change_seats(table, table_seats.joined(table.row, who.person, None))
        sits(table, who.person.id, who.browser)
        return info(table, language)


async def _added(kit: TableKit, who: Visitor, rights: EventRights, body: bodies.EventTableBody) -> GameLoop:
    """Such a table is rated: nobody is helped by hints, or by a bot while they are away."""
    watched = body.spectators and rights.plan.spectators
    options = TableOptions(hints=False, rated=True, private=body.private, spectators=watched)
    event = rights.event
    wanted = NewTable(body.name, event.rules, options, event.id, body.stage, event.fingerprint)
    return await kit.lobby.add(who.person, who.address, wanted)


def _check_may_open(rights: EventRights, body: bodies.EventTableBody) -> None:
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


@router.post("/rounds/{stage}/{number}", dependencies=[Depends(not_twice)])
async def open_tables(
    asked: AskedByPerson, kit: AtTables, language: RequestLanguage, of_round: AtRound, body: bodies.OpenRound
) -> bodies.RoundOpened:
    """Open the tables of a round in the parlour, seated by its plan; asking again opens the rest."""
    rights = await asked.rights(REFEREE)
    opened, refused = await open_round(kit.lobby, rights, of_round, body)
    problems = []
    for table, problem in refused:
        message = await message_at(asked.services, problem, {"event": asked.event}, language)
        problems.append(RefusedResult(table=table, problem=Problem(code=problem.code, message=message)))
    return bodies.RoundOpened(opened=opened, refused=problems)


@router.post("/{table}")
async def run(
    asked: AskedByPerson, kit: AtTables, language: RequestLanguage, table: TableId, body: bodies.RunTable
) -> TableInfo:
    """Begin, halt, go on with or end the game of a table, as a referee."""
    rights = await asked.rights()
    await run_table(kit.lobby, rights, table, body)
    return info((await kit.lobby.find(table)).table, language)
