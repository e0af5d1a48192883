"""What players agree on before the game: that they are ready, and who sits where; and how fast bots play.

The first two live in memory only: after a restart everybody says it again.
"""

import dataclasses
import time

from jantaku.server.edge.protocol import Pace
from jantaku.server.errors import ServerError
from jantaku.server.pauses import PACES
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.audience import Answered
from jantaku.server.play.broadcast import show_watchers, sync, tell_table, welcome
from jantaku.server.play.table import Table
from jantaku.server.play.table_rights import send_away
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
