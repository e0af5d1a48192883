"""People who are away from their table: how long it waits for them, and who plays in their place."""

import time
from typing import Final

from jantaku.bots import LEVELS
from jantaku.server.play import table_seats
from jantaku.server.play.table import Table

GRACE_S: Final = 30.0  # how long a seat without a socket waits before a bot plays for it
AWAY_S: Final = 900.0  # how long a seat is kept before the game for somebody who has no socket
NEVER: Final = float("inf")


def arrived(table: Table, seat: int) -> None:
    """The person of a seat has connected."""
    table.lost_at.pop(seat, None)
    table.away.discard(seat)


def left(table: Table, seat: int) -> None:
    """The seat has lost its socket."""
    table.touched = table.lost_at[seat] = time.monotonic()
    if table.row.status == "waiting":
        table.ready.discard(seat)


def unseen_s(table: Table, seat: int, now: float) -> float:
    """How long the person of a seat has had no socket."""
    return 0.0 if seat in table.audience.seats else now - table.lost_at.get(seat, table.touched)


def away_at(table: Table, seat: int) -> float:
    """When a bot takes over from a person whose socket is lost; never where only that person plays."""
    lost, grace_s = table.lost_at.get(seat), table.services.settings.grace_s
    return NEVER if table.practice or lost is None else lost + (GRACE_S if grace_s is None else grace_s)


def take_over(table: Table, now: float) -> tuple[bool, float]:
    """Let bots take over from people who have been gone too long: whether one did, and when the next will.

    Everyone sees the takeover, so it does not wait until the seat is asked: that would reveal the question.
    """
    times = {seat: away_at(table, seat) for seat in _awaited(table)}
    gone = {seat for seat, at in times.items() if at <= now} - table.away
    table.away |= gone
    return bool(gone), min((at for at in times.values() if at > now), default=NEVER)


def _awaited(table: Table) -> list[int]:
    """The seats of people whose return is awaited, including those who have left a rated game.

    A person who leaves a rated game gets exactly the time that a lost connection gets.
    """
    gone = [seat for seat in table.seats if table.sitter(seat).gone and not table.sitter(seat).bot]
    return table_seats.persons(table.row) + (gone if table.row.options.rated else [])


def is_absent(table: Table, seat: int) -> bool:
    """Whether the person has left, or been away for so long, that the table plays for them."""
    return seat in table.away or (table.sitter(seat).gone and seat not in _awaited(table))


def stand_in(table: Table) -> str:
    """The level of the bot that plays for an absent person: that of the bots here.

    Where they differ it is the gentlest, so that nobody gains by leaving; where there are none, the level
    that the table was opened with.
    """
    here = {sitter.bot for sitter in table.row.sitters if sitter and sitter.bot and not sitter.person}
    return next((level for level in LEVELS if level in here), table.level)


def bot_of(table: Table, seat: int) -> str | None:
    """The policy that plays for a seat; ``None``: the drawn tile is discarded and calls are passed.

    No bot plays for a person who may return to a rated game: leaving would buy a bot's move.
    """
    return table.sitter(seat).bot or (None if table.row.options.rated else stand_in(table))
