"""The seats of a table as pure functions on its row, and substitutes for absent people."""

import dataclasses
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jantaku import terms
from jantaku.bots import BOTS, LEVELS
from jantaku.bots.policies import STRONG
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES
from jantaku.server.programs import Programs
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.tables import Sitter, TableRow

if TYPE_CHECKING:
    from jantaku.server.play.table import Table


_CHANCE: Final = random.SystemRandom()


def seat_of(row: TableRow, person: str) -> int | None:
    """Return the seat of a person, including one who has left a running game."""
    return next((seat for seat, sitter in enumerate(row.sitters) if sitter and sitter.person == person), None)


def active_seat(row: TableRow, person: str) -> int | None:
    """Return the seat where a person plays; ``None`` if they have left it."""
    seat = seat_of(row, person)
    sitter = None if seat is None else row.sitters[seat]
    return None if sitter is None or sitter.gone else seat


def persons(row: TableRow) -> list[int]:
    """Return the seats of people who have not left."""
    return [seat for seat, sitter in enumerate(row.sitters) if sitter and sitter.person and not sitter.gone]


def with_seat(row: TableRow, seat: int, sitter: Sitter | None) -> TableRow:
    """Return the row with another sitter, or ``None``, in a seat."""
    sitters = tuple(sitter if i == seat else other for i, other in enumerate(row.sitters))
    return dataclasses.replace(row, sitters=sitters)


def check_seat(row: TableRow, seat: int) -> None:
    """Raise ``no_seat`` for a seat that the table does not have."""
    if seat not in range(len(row.sitters)):
        raise ServerError("no_seat", seat=seat)


def free_seat(row: TableRow, wanted: int | None) -> int:
    """Return the wanted seat, or else the first free one. Raises ``seat_taken`` and ``no_free_seat``."""
    free = [seat for seat, sitter in enumerate(row.sitters) if sitter is None]
    if wanted is not None:
        check_seat(row, wanted)
    if wanted is not None and wanted not in free:
        raise ServerError("seat_taken", seat=wanted)
    if not free:
        raise ServerError("no_free_seat")
    return free[0] if wanted is None else wanted


def joined(row: TableRow, person: PersonRow, wanted: int | None) -> TableRow:
    """Return the row with a person seated, in the seat they left if there is one.

    Before the game it also moves a person to another seat. Raises ``already_started``.
    """
    old = seat_of(row, person.id)
    if old is not None:
        back = row.sitters[old]
        if back is not None and back.gone:
            return with_seat(row, old, dataclasses.replace(back, gone=False))
        if wanted in (None, old) or row.status != "waiting":
            return row
        row = with_seat(row, old, None)
    elif row.status != "waiting":
        raise ServerError("already_started")
    return with_seat(row, free_seat(row, wanted), Sitter(person.name, person.id))


def left(row: TableRow, person: str, may_own: Callable[[str], bool] = lambda _: True) -> TableRow:
    """Return the row without a person; during a game they keep the seat, marked as gone.

    If the owner leaves, the first person who ``may_own`` the table becomes its owner; if there is none, the
    owner stays. Raises ``not_seated``.
    """
    seat = seat_of(row, person)
    if seat is None:
        raise ServerError("not_seated")
    sitter = row.sitters[seat]
    if row.status == "playing" and sitter is not None:
        return with_seat(row, seat, dataclasses.replace(sitter, gone=True))
    row = with_seat(row, seat, None)
    if row.owner == person:
        rest = (sitter.person for sitter in row.sitters if sitter and sitter.person)
        row = dataclasses.replace(row, owner=next(filter(may_own, rest), person))
    return row


def removed(row: TableRow, person: str, policy: str, may_own: Callable[[str], bool]) -> TableRow:
    """Return the row with a person removed; during a game a bot replaces them under their name."""
    seat = seat_of(row, person)
    row = left(row, person, may_own)
    sitter = None if seat is None else row.sitters[seat]
    if seat is None or sitter is None:
        return row
    return with_seat(row, seat, dataclasses.replace(sitter, bot=policy))


def with_bot(row: TableRow, wanted: int | None, policy: str) -> TableRow:
    """Return the row with a bot in the wanted or first free seat."""
    seat = free_seat(row, wanted)
    taken = {sitter.name for sitter in row.sitters if sitter}
    name = next(name for name in BOT_NAMES if name not in taken)
    return with_seat(row, seat, Sitter(name, bot=policy))


def without_bot(row: TableRow, seat: int) -> TableRow:
    """Return the row without the bot of a seat. Raises ``no_bot_there``."""
    check_seat(row, seat)
    sitter = row.sitters[seat]
    if sitter is None or not sitter.bot:
        raise ServerError("no_bot_there", seat=seat)
    return with_seat(row, seat, None)


def filled(row: TableRow, policy: str) -> TableRow:
    """Return the row with bots in free and abandoned seats; draw the seats if the options require it."""
    for seat, sitter in enumerate(row.sitters):
        if sitter is not None and sitter.gone:
            row = with_seat(row, seat, None)
    while None in row.sitters:
        row = with_bot(row, None, policy)
    if not row.options.draw_seats:
        return row
    sitters: list[Sitter | None] = list(row.sitters)
    _CHANCE.shuffle(sitters)
    return dataclasses.replace(row, sitters=tuple(sitters))


def with_room(row: TableRow, programs: Programs) -> TableRow:
    """Return the row with ``strong`` in place of the programs that have no room on the server."""
    room = programs.room
    for seat, sitter in enumerate(row.sitters):
        if sitter is not None and sitter.bot in programs:
            if room <= 0:
                row = with_seat(row, seat, dataclasses.replace(sitter, bot=BOTS[STRONG]))
            room -= 1
    return row


def sitter_name(sitter: Sitter, language: terms.Language) -> str:
    """Return a player's displayed name; a bot that replaces a person keeps the person's."""
    if sitter.bot is None or sitter.person is not None or sitter.name not in BOT_NAMES:
        return sitter.name
    return terms.text(f"server.bots.{sitter.name}", language)


GRACE_S: Final = 30.0  # how long a seat may be without a socket before a bot takes over
AWAY_S: Final = 900.0  # how long a person without a socket keeps a seat before the game
NEVER: Final = float("inf")


def socket_connected(table: "Table", seat: int) -> None:
    """Record that the person of a seat has connected."""
    table.lost_at.pop(seat, None)
    table.away.discard(seat)


def socket_lost(table: "Table", seat: int) -> None:
    """Record that a seat has lost its socket."""
    table.touched = table.lost_at[seat] = time.monotonic()
    if table.row.status == "waiting":
        table.ready.discard(seat)


def offline_s(table: "Table", seat: int, now: float) -> float:
    """Return how many seconds the person of a seat has been disconnected."""
    return 0.0 if seat in table.audience.seats else now - table.lost_at.get(seat, table.touched)


def away_at(table: "Table", seat: int) -> float:
    """Return when a bot takes over from a disconnected person; ``NEVER`` in a practice game."""
    lost, grace_s = table.lost_at.get(seat), table.services.settings.grace_s
    return NEVER if table.practice or lost is None else lost + (GRACE_S if grace_s is None else grace_s)


def take_over(table: "Table", now: float) -> tuple[bool, float]:
    """Let bots take over from people who have been away too long.

    Returns whether one did and when the next will. The takeover is public, so it does not wait until the seat
    has to act: that would reveal that it can.
    """
    times = {seat: away_at(table, seat) for seat in _awaited(table)}
    gone = {seat for seat, at in times.items() if at <= now} - table.away
    table.away |= gone
    return bool(gone), min((at for at in times.values() if at > now), default=NEVER)


def _awaited(table: "Table") -> list[int]:
    """Return the seats whose people may return in time, including those who have left a rated game.

    Leaving a rated game gives exactly the same grace time as a lost connection.
    """
    gone = [seat for seat in table.seats if table.sitter(seat).gone and not table.sitter(seat).bot]
    return persons(table.row) + (gone if table.row.options.rated else [])


def is_absent(table: "Table", seat: int) -> bool:
    """Whether the server plays for the person of a seat, who has left or been away too long."""
    return seat in table.away or (table.sitter(seat).gone and seat not in _awaited(table))


def stand_in(table: "Table") -> str:
    """Return the level of the bot that replaces an absent person: the weakest of the bots at the table.

    Using the weakest ensures that nobody gains by leaving. Without bots at the table, it is the table's
    level; it is never a program.
    """
    here = {sitter.bot for sitter in table.row.sitters if sitter and sitter.bot and not sitter.person}
    usual = table.services.settings.bot if table.level in table.services.programs else table.level
    return next((level for level in LEVELS if level in here), usual)


def bot_of(table: "Table", seat: int) -> str | None:
    """Return the policy that plays for a seat; ``None``: discard the drawn tile and pass on calls.

    In a rated game no bot plays for an absent person, because leaving would buy a bot's move.
    """
    return table.sitter(seat).bot or (None if table.row.options.rated else stand_in(table))
