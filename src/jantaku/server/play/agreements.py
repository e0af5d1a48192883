"""What players agree on: to be ready, seats, pace, to end a game or play another, open hands."""

import dataclasses
import time
from typing import TypeVar

from jantaku.server.edge.protocol import Pace
from jantaku.server.errors import ServerError
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import (
    all_show_hands,
    renew_hands,
    send_away,
    show_watchers,
    sync,
    tell_table,
    welcome,
)
from jantaku.server.play.carry_out import start
from jantaku.server.play.table import Answered, Table
from jantaku.server.play.table_seats import away_at
from jantaku.server.settings import PACES
from jantaku.server.storage.tables import TableRow


def keep_agreed(table: Table, row: TableRow) -> None:
    """Keep what was agreed only by those who stay in their seats in ``row``, the table's next state."""
    before = table.row.sitters
    moved = {seat for seat in table.seats if before[seat] != row.sitters[seat]}
    table.ready -= moved
    table.swaps = {
        seat: wanted for seat, wanted in table.swaps.items() if seat not in moved and wanted not in moved
    }


async def change_seats(table: Table, row: TableRow) -> None:
    """Store who sits where from now on and tell everyone; the table must be locked.

    What belongs to a person goes along to the new seat: the socket, the time of its loss, the answers given.
    """
    if row is table.row:
        return
    await table.services.seating.change(row)
    keep_agreed(table, row)
    earlier = [
        table_seats.seat_of(table.row, sitter.person) if sitter and sitter.person else None
        for sitter in row.sitters
    ]
    table.row = row
    lost, answered = table.lost_at, table.answered
    table.lost_at = {seat: lost[old] for seat, old in enumerate(earlier) if old is not None and old in lost}
    table.answered = [Answered() if old is None else answered[old] for old in earlier]
    _move_sockets(table)
    tell_table(table)


def _move_sockets(table: Table) -> None:
    """Give the sockets the seats that their people have now; who has left looks on, where that is allowed."""
    before = {connection: seat for seat, connection in table.audience.seats.items()}
    if any(table_seats.taken_by(table.row, connection.person.id) is None for connection in before):
        show_watchers(table, time.monotonic())
    play.seat_sockets(table)
    send_away(table)
    for connection, seat in before.items():
        if connection.seat != seat and connection.closing is None:
            welcome(table, connection)
            sync(table, connection)


async def say_ready(table: Table, seat: int, on: bool) -> None:
    """Say that a seat is ready, or not; the game starts when all seats are taken and everybody is."""
    check_waiting(table)
    if on != (seat in table.ready):
        (table.ready.add if on else table.ready.discard)(seat)
        if not await start_if_ready(table):
            tell_table(table)


async def start_if_ready(table: Table) -> bool:
    """Start the game if no seat is free and all people are connected and ready; whether it started."""
    people = table_seats.persons(table.row)
    if table.row.status != "waiting" or None in table.row.sitters or not people:
        return False
    if not table.ready.issuperset(people) or not all(seat in table.audience.seats for seat in people):
        return False
    await play.start(table)
    return True


async def swap(table: Table, seat: int, other: int, agree: bool) -> None:
    """Ask for another player's seat, agree to their wish, or withdraw and refuse.

    Two who wish for each other's seats change places; a bot always agrees. Raises ``no_seat``, ``no_swap``.
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
        tell_table(table)
    elif sitter.person is None or table.swaps.get(other) == seat:
        await _change_places(table, seat, other)
    else:
        table.swaps[seat] = other
        tell_table(table)


async def _change_places(table: Table, one: int, other: int) -> None:
    sitters = list(table.row.sitters)
    sitters[one], sitters[other] = sitters[other], sitters[one]
    await change_seats(table, dataclasses.replace(table.row, sitters=tuple(sitters)))


async def set_pace(table: Table, seat: int, pace: Pace) -> None:
    """Let the bots play at another pace from now on. Raises ``not_alone``."""
    check_alone(table, seat)
    options = table.row.options.model_copy(update={"pace": pace})
    row = dataclasses.replace(table.row, options=options)
    await table.services.seating.change(row)
    table.row = row
    if table.live is not None:
        table.live.pace = PACES[pace]
    tell_table(table)


def check_alone(table: Table, seat: int) -> None:
    """Raise ``not_alone`` unless nobody but this seat's person plays here, or may come back to play."""
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


Voter = TypeVar("Voter", int, str)  # a seat, or a person


def vote_abort(table: Table, seat: int, agree: bool) -> bool:
    """Record a vote to end the game here; return whether everyone agrees, so that it must end."""
    if not table.playing:
        raise ServerError("not_playing")
    check_unranked(table)
    if _vote(table.wants_abort, seat, agree) and not all_abort(table):
        tell_table(table)
    return all_abort(table)


def vote_hands(table: Table, person: str, agree: bool) -> None:
    """Record whether a player agrees that spectators see all hands; raises ``event_hands``."""
    if table.row.event is not None:
        raise ServerError("event_hands")
    passed = all_show_hands(table)
    if _vote(table.shows_hand, person, agree):
        if passed:
            table.shows_hand.clear()  # whoever ends what everybody agreed to proposes nothing to the others
        tell_table(table)
        renew_hands(table)


def _vote(agreeing: set[Voter], voter: Voter, agree: bool) -> bool:
    """Agree, withdraw, or decline, which ends the vote; return whether anything changed."""
    before = set(agreeing)
    if agree:
        agreeing.add(voter)
    elif voter in agreeing:
        agreeing.discard(voter)
    else:
        agreeing.clear()
    return agreeing != before


def all_abort(table: Table) -> bool:
    """Whether every person at the table agrees to end the game here."""
    return table.playing and table.wants_abort.issuperset(table_seats.persons(table.row))


def check_over(table: Table) -> None:
    """Refuse what is only possible after a game."""
    if table.row.status not in ("finished", "aborted"):
        raise ServerError("already_started")


def check_unranked(table: Table) -> None:
    """Refuse what would let people choose at a table that the parlour has put together."""
    if table.row.ranked:
        raise ServerError("ranked_table")
    if table.row.round is not None:
        raise ServerError("round_table")


async def vote_rematch(table: Table, seat: int, agree: bool) -> None:
    """Record a vote for a rematch; it begins once everyone present agrees."""
    check_over(table)
    check_unranked(table)
    if agree and not await table.may_go_on():
        raise ServerError("no_room_for_rematch")
    _vote(table.wants_rematch, seat, agree)
    if not await rematch(table):
        tell_table(table)


def _staying(table: Table) -> set[int] | None:
    """Who plays the rematch, if everyone agrees who is present or has just lost the connection."""
    people, now = set(table_seats.persons(table.row)), time.monotonic()
    here = {seat for seat in people if seat in table.audience.seats}
    staying = here | {seat for seat in people - here if away_at(table, seat) > now}
    return staying if here and table.wants_rematch >= staying else None


async def rematch(table: Table) -> bool:
    """Start another game if everyone agrees who is present or has just lost the connection.

    Returns whether it started. After a restart nobody is connected for a moment: the first to return must not
    start without the others.
    """
    if _staying(table) is None or not await table.may_go_on():
        return False
    staying = _staying(table)  # of that moment: asking takes a while in a site of several processes
    if staying is None or table.beginning:
        return False
    before, table.beginning = table.row, True
    for seat in set(table_seats.persons(table.row)) - staying:
        table.row = table_seats.with_seat(table.row, seat, None)
    try:
        await start(table)
    except ServerError:
        table.row = before
        raise
    finally:
        table.beginning = False
    return True
