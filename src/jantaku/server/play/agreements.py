"""Decisions the players make together: ready, seat swaps, pace, ending a game, rematches, open hands."""

import dataclasses
import time
from typing import TypeVar

from jantaku.server.edge.protocol import Pace
from jantaku.server.errors import ServerError
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import (
    dismiss_watchers,
    open_hands_agreed,
    publish_table,
    refresh_open_hands,
    sync,
    update_watchers,
    welcome,
)
from jantaku.server.play.game_steps import start
from jantaku.server.play.table import HandledIds, Table
from jantaku.server.play.table_seats import away_at
from jantaku.server.settings import PACES
from jantaku.server.storage.tables import TableRow


def drop_agreements(table: Table, row: TableRow) -> None:
    """Drop the ready marks and swap requests of seats whose player differs in ``row``, the next state."""
    before = table.row.sitters
    moved = {seat for seat in table.seats if before[seat] != row.sitters[seat]}
    table.ready -= moved
    table.swaps = {
        seat: wanted for seat, wanted in table.swaps.items() if seat not in moved and wanted not in moved
    }


async def change_seats(table: Table, row: TableRow) -> None:
    """Store the new seating and publish it; the caller holds the table's lock.

    A player's socket, disconnection time and handled message ids move to the new seat.
    """
    if row is table.row:
        return
    await table.services.seating.change(row)
    drop_agreements(table, row)
    earlier = [
        table_seats.seat_of(table.row, sitter.person) if sitter and sitter.person else None
        for sitter in row.sitters
    ]
    table.row = row
    lost, answered = table.lost_at, table.handled
    table.lost_at = {seat: lost[old] for seat, old in enumerate(earlier) if old is not None and old in lost}
    table.handled = [HandledIds() if old is None else answered[old] for old in earlier]
    _move_sockets(table)
    publish_table(table)


def _move_sockets(table: Table) -> None:
    """Move sockets to their players' new seats; players who left become spectators where allowed."""
    before = {connection: seat for seat, connection in table.audience.seats.items()}
    if any(table_seats.active_seat(table.row, connection.person.id) is None for connection in before):
        update_watchers(table, time.monotonic())
    play.seat_sockets(table)
    dismiss_watchers(table)
    for connection, seat in before.items():
        if connection.seat != seat and connection.closing is None:
            welcome(table, connection)
            sync(table, connection)


async def set_ready(table: Table, seat: int, on: bool) -> None:
    """Mark a seat as ready or not; the game starts once all seats are taken and all players are ready."""
    check_waiting(table)
    if on != (seat in table.ready):
        (table.ready.add if on else table.ready.discard)(seat)
        if not await start_if_ready(table):
            publish_table(table)


async def start_if_ready(table: Table) -> bool:
    """Start the game if no seat is free and all people are connected and ready; return whether it started."""
    people = table_seats.persons(table.row)
    if table.row.status != "waiting" or None in table.row.sitters or not people:
        return False
    if not table.ready.issuperset(people) or not all(seat in table.audience.seats for seat in people):
        return False
    await play.start(table)
    return True


async def swap(table: Table, seat: int, other: int, agree: bool) -> None:
    """Request a seat swap or accept the other player's request; without ``agree``, withdraw or refuse it.

    The swap happens once both players have requested it; bots always accept. Raises ``no_seat``, ``no_swap``.
    """
    check_waiting(table)
    if other not in table.seats:
        raise ServerError("no_seat", seat=other)
    sitter = table.row.sitters[other]
    if sitter is None or other == seat:
        raise ServerError("no_swap", seat=other)
    if not agree:
        for one, wanted in ((seat, other), (other, seat)):
            if table.swaps.get(one) == wanted:
                del table.swaps[one]
        publish_table(table)
    elif sitter.person is None or table.swaps.get(other) == seat:
        await _change_places(table, seat, other)
    else:
        table.swaps[seat] = other
        publish_table(table)


async def _change_places(table: Table, one: int, other: int) -> None:
    sitters = list(table.row.sitters)
    sitters[one], sitters[other] = sitters[other], sitters[one]
    await change_seats(table, dataclasses.replace(table.row, sitters=tuple(sitters)))


async def set_pace(table: Table, seat: int, pace: Pace) -> None:
    """Change the pace of the bots. Raises ``not_alone`` if other people play."""
    check_alone(table, seat)
    options = table.row.options.model_copy(update={"pace": pace})
    row = dataclasses.replace(table.row, options=options)
    await table.services.seating.change(row)
    table.row = row
    if table.live is not None:
        table.live.pace = PACES[pace]
    publish_table(table)


def check_alone(table: Table, seat: int) -> None:
    """Raise ``not_alone`` if anyone else plays here or may return to their seat."""
    if any(
        sitter and sitter.person and not sitter.bot
        for other, sitter in enumerate(table.row.sitters)
        if other != seat
    ):
        raise ServerError("not_alone")


def check_waiting(table: Table) -> None:
    """Raise ``already_started`` once the game has begun."""
    if table.row.status != "waiting":
        raise ServerError("already_started")


Voter = TypeVar("Voter", int, str)  # a seat or a person's id


def vote_abort(table: Table, seat: int, agree: bool) -> bool:
    """Record a vote to abort the game; return whether the vote is unanimous. Raises ``not_playing``."""
    if not table.playing:
        raise ServerError("not_playing")
    check_unranked(table)
    if _vote(table.wants_abort, seat, agree) and not abort_agreed(table):
        publish_table(table)
    return abort_agreed(table)


def vote_hands(table: Table, person: str, agree: bool) -> None:
    """Record whether a player lets spectators see all hands. Raises ``event_hands`` at an event's table."""
    if table.row.event is not None:
        raise ServerError("event_hands")
    passed = open_hands_agreed(table)
    if _vote(table.shows_hand, person, agree):
        if passed:
            table.shows_hand.clear()  # withdrawing consent must not leave the other votes as a new proposal
        publish_table(table)
        refresh_open_hands(table)


def _vote(agreeing: set[Voter], voter: Voter, agree: bool) -> bool:
    """Agree, withdraw one's vote, or decline, which clears all votes; return whether anything changed."""
    before = set(agreeing)
    if agree:
        agreeing.add(voter)
    elif voter in agreeing:
        agreeing.discard(voter)
    else:
        agreeing.clear()
    return agreeing != before


def abort_agreed(table: Table) -> bool:
    """Whether every person at the table agrees to abort the game."""
    return table.playing and table.wants_abort.issuperset(table_seats.persons(table.row))


def check_over(table: Table) -> None:
    """Raise ``already_started`` unless the game is over."""
    if table.row.status not in ("finished", "aborted"):
        raise ServerError("already_started")


def check_unranked(table: Table) -> None:
    """Raise ``ranked_table`` or ``round_table`` where the server, not the players, arranged the table."""
    if table.row.ranked:
        raise ServerError("ranked_table")
    if table.row.round is not None:
        raise ServerError("round_table")


async def vote_rematch(table: Table, seat: int, agree: bool) -> None:
    """Record a vote for a rematch, which begins once everyone present agrees.

    Raises ``already_started`` and ``no_room_for_rematch``.
    """
    check_over(table)
    check_unranked(table)
    if agree and not await table.may_rematch():
        raise ServerError("no_room_for_rematch")
    _vote(table.wants_rematch, seat, agree)
    if not await rematch(table):
        publish_table(table)


def _rematch_seats(table: Table) -> set[int] | None:
    """Return the seats that play the rematch; ``None`` unless all connected or just lost players agree."""
    people, now = set(table_seats.persons(table.row)), time.monotonic()
    here = {seat for seat in people if seat in table.audience.seats}
    staying = here | {seat for seat in people - here if away_at(table, seat) > now}
    return staying if here and table.wants_rematch >= staying else None


async def rematch(table: Table) -> bool:
    """Start a rematch if all connected or recently disconnected players agree; return whether it started.

    Players who lost their connection a moment ago count because a restart disconnects everyone: the first to
    return must not start without the others.
    """
    if _rematch_seats(table) is None or not await table.may_rematch():
        return False
    staying = _rematch_seats(table)  # read again: asking the other processes takes a while
    if staying is None or table.starting_rematch:
        return False
    before, table.starting_rematch = table.row, True
    for seat in set(table_seats.persons(table.row)) - staying:
        table.row = table_seats.with_seat(table.row, seat, None)
    try:
        await start(table)
    except ServerError:
        table.row = before
        raise
    finally:
        table.starting_rematch = False
    return True
