"""Rounds that are played at tables of the parlour, seated by their plan, and what a referee does there."""

from collections.abc import Mapping
from typing import NamedTuple

from jantaku.errors import Phrases
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.event_rights import REFEREE, EventRights, changing
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.online.online_bodies import OpenRound, RunTable
from jantaku.server.events.rounds.round_stage import stage_in
from jantaku.server.events.rounds.running_rounds import begin_round
from jantaku.server.play import carry_out
from jantaku.server.play.broadcast import tell_table
from jantaku.server.play.lobby import Lobby, NewTable, close_table
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.rounds import RoundRow, SeatedTable, rows_in
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import Sitter

Refused = list[tuple[int, ServerError]]


class RoundPlace(NamedTuple):
    """A round of a stage."""

    stage: str
    number: int


async def open_round(
    lobby: Lobby, rights: EventRights, of_round: RoundPlace, body: OpenRound
) -> tuple[list[int], Refused]:
    """Open a table of the parlour for each table of a round that has no game; the first ones begin the round.

    Returns the numbers of those that were opened, and those that were not, each with the reason.
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
        there = await services.seating.of_stage(rights.event.id, of_round.stage)
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
    """Begin a round that was taken back before its tables were there, or their games would not count."""
    async with changing(services, rights) as change:
        row = (await rows_in(change, of_round.stage)).round(of_round.number)
        if row.is_open:
            await begin_round(change, row)


def _table(
    rights: EventRights, of_round: RoundPlace, number: int, sitters: tuple[Sitter, ...], body: OpenRound
) -> NewTable:
    """Such a table is rated, its seats are those of the plan, and it begins once all are ready."""
    event = rights.event
    watched = body.spectators and EventPlan.model_validate_json(event.plan).spectators
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
    """Who sits at each table, and the tables where somebody has no account or does not play in the round.

    ``wanted`` are the tables and who plays in it.
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
    """Begin, halt, go on with or end the game of a table of the event; raises ``no_table`` for another."""
    rights.demand(REFEREE)
    loop = await lobby.find(table_id)
    if loop.table.row.event != rights.event.id:
        raise ServerError("no_table")
    if body.action == "end" and not body.why.strip():
        raise ServerError("why_needed", field="why")
    if body.action == "end" and loop.table.row.status == "waiting":
        await close_table(loop)
        tell_table(loop.table)
    else:
        async with loop.changing() as table:
            if body.action == "start":
                if table.row.status != "waiting":
                    raise ServerError("already_started")
                if None in table.row.sitters:
                    raise ServerError("seats_free")
                await carry_out.start(table)
            elif body.action == "end":
                if not table.playing and not table.stopped:
                    raise ServerError("not_playing")
                await carry_out.finish(table, "aborted")
            else:
                await carry_out.halt(table, body.action == "halt")
    loop.wake()
    row = loop.table.row
    async with changing(lobby.services, rights) as change:
        after = {"table": table_id, "action": body.action, "stage": row.stage, "round": row.round}
        change.note("online_table", after=after, why=body.why)
