"""At the end everybody confirms the game."""

from collections.abc import Mapping

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.event_rights import REFEREE, changing
from jantaku.server.events.recording.doubtful import note_doubts
from jantaku.server.events.recording.game_rights import GameTable
from jantaku.server.events.recording.recorded_game_bodies import ConfirmBody
from jantaku.server.storage.entries import CLAIMS, TAKEN, claims_in
from jantaku.server.storage.events import Change, settle_doubts
from jantaku.server.storage.people import PersonRow, with_account
from jantaku.server.storage.recorded_games import HandMark, change_game, confirm_seat, confirmations
from jantaku.server.storage.schema import event_calls
from jantaku.server.storage.services import Services


async def _speaking_for(services: Services, table: GameTable, seat: int | None) -> int:
    """The seat for which the person speaks; raises ``which_seat``.

    A player speaks for their own seat, whoever records for seats without an account, a referee for all.
    """
    table.demand_record()
    if seat is None or seat == table.seat:
        if table.seat is None:
            raise ServerError("which_seat", field="seat")
        return table.seat
    if seat >= len(table.row.players):
        raise ServerError("which_seat", field="seat")
    entries = {entry.id: entry for entry in await services.entries.all(table.row.event)}
    if entries[table.row.players[seat]].person is not None and not table.rights.may(REFEREE):
        raise ServerError("which_seat", field="seat")
    return seat


async def confirm(services: Services, table: GameTable, who: PersonRow, body: ConfirmBody) -> None:
    """Confirm a game that is over. When every seat has done so, or a referee, it counts.

    If all confirmations come from one account, it waits for another one or a referee, unless the event
    allows it: anybody at a table confirms for the seats without an account.
    Raises ``game_moved_on`` if hands have changed since, ``disputed`` while a dispute is open.
    """
    seats = await _confirming(services, table, body)
    if table.status == "confirmed":
        return
    if table.status == "cancelled":
        raise ServerError("game_closed")
    if table.status != "over":
        raise ServerError("not_over")
    if body.head != table.row.head:
        raise ServerError("game_moved_on")
    async with changing(services, table.rights) as change:
        if await _disputed(change, table):
            raise ServerError("disputed")
        said = await confirmations(change, table.row.id, body.head)
        if not table.rights.may(REFEREE) and all(said.get(seat) == who.id for seat in seats):
            return
        for seat in seats:
            mark = HandMark(body.head, seat, "confirmed", who.id, change.at)
            await confirm_seat(change, table.row.id, mark)
        confirmed = await confirmations(change, table.row.id, body.head)
        everybody = len(confirmed) == len(table.row.players)
        counts = everybody and await _vouched(change, table, confirmed)
        await change_game(change, table.row, status="confirmed" if counts else "playing")
        change.note("confirm", game=table.row.id, after={"seats": seats, "confirmed": counts})
        change.results_change = counts
        if table.rights.may(REFEREE):
            if counts:
                await settle_doubts(change, table.row.id)
        elif everybody:
            await note_doubts(change, table.row, table.rules, table.versions, alone=not counts)


async def _vouched(change: Change, table: GameTable, confirmed: Mapping[int, str | None]) -> bool:
    """Whether more than one person stands by a game, or a referee, or the event does not ask for it.

    A guest is a person where they have said that the seat is theirs, and no organiser has undone it.
    """
    plan = EventPlan.model_validate_json(change.event.plan)
    if plan.confirm_alone or table.rights.may(REFEREE):
        return True
    said = {(row.entry, row.person) for row in await claims_in(change, CLAIMS.c.state == TAKEN)}
    own = {person for seat, person in confirmed.items() if (table.row.players[seat], person) in said}
    accounts = await with_account(
        change.connection, {person for person in confirmed.values() if person is not None}
    )
    return len(accounts | own) > 1


async def _confirming(services: Services, table: GameTable, body: ConfirmBody) -> list[int]:
    if body.everybody:
        table.rights.demand(REFEREE)
        return list(range(len(table.row.players)))
    return [await _speaking_for(services, table, body.seat)]


async def _disputed(change: Change, table: GameTable) -> bool:
    open_ = (event_calls.c.kind == "dispute") & event_calls.c.closed.is_(None)
    return await change.count(event_calls.c.number, event_calls.c.game == table.row.id, open_) > 0


def confirmed_seats(table: GameTable) -> dict[int, str | None]:
    """The seats that have confirmed the game as it stands, and who did so for each."""
    return {mark.seat: mark.person for mark in table.marks if mark.version == table.row.head}
