"""Changes of a table's seats as pure functions on its row, who owns the table, and how sitters are called."""

import dataclasses
import random
from collections.abc import Callable
from typing import Final

from jantaku import terms
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.tables import Sitter, TableRow

_CHANCE: Final = random.SystemRandom()


def seat_of(row: TableRow, person: str) -> int | None:
    """The seat of a person."""
    return next((seat for seat, sitter in enumerate(row.sitters) if sitter and sitter.person == person), None)


def taken_by(row: TableRow, person: str) -> int | None:
    """The seat where a person plays; none for one who has left it."""
    seat = seat_of(row, person)
    sitter = None if seat is None else row.sitters[seat]
    return None if sitter is None or sitter.gone else seat


def persons(row: TableRow) -> list[int]:
    """The seats of people who have not left."""
    return [seat for seat, sitter in enumerate(row.sitters) if sitter and sitter.person and not sitter.gone]


def with_seat(row: TableRow, seat: int, sitter: Sitter | None) -> TableRow:
    """The table with another sitter (or nobody) in a seat."""
    sitters = tuple(sitter if i == seat else other for i, other in enumerate(row.sitters))
    return dataclasses.replace(row, sitters=sitters)


def check_seat(row: TableRow, seat: int) -> None:
    """Raise ``no_seat`` for a seat that the table does not have."""
    if seat not in range(len(row.sitters)):
        raise ServerError("no_seat", seat=seat)


def free_seat(row: TableRow, wanted: int | None) -> int:
    """The wanted seat, or else the first free one."""
    free = [seat for seat, sitter in enumerate(row.sitters) if sitter is None]
    if wanted is not None:
        check_seat(row, wanted)
    if wanted is not None and wanted not in free:
        raise ServerError("seat_taken", seat=wanted)
    if not free:
        raise ServerError("no_free_seat")
    return free[0] if wanted is None else wanted


def joined(row: TableRow, person: PersonRow, wanted: int | None) -> TableRow:
    """A person sits down, or returns to the seat they left."""
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
    """A person gets up; during a game the seat stays theirs and a bot plays on.

    The table of an owner who gets up goes to the first who ``may_own`` it, and else stays theirs.
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
    """A person is removed; during a game a bot keeps the seat under the name it began with."""
    seat = seat_of(row, person)
    row = left(row, person, may_own)
    sitter = None if seat is None else row.sitters[seat]
    if seat is None or sitter is None:
        return row
    return with_seat(row, seat, dataclasses.replace(sitter, bot=policy))


def with_bot(row: TableRow, wanted: int | None, policy: str) -> TableRow:
    """A bot sits down."""
    seat = free_seat(row, wanted)
    taken = {sitter.name for sitter in row.sitters if sitter}
    name = next(name for name in BOT_NAMES if name not in taken)
    return with_seat(row, seat, Sitter(name, bot=policy))


def without_bot(row: TableRow, seat: int) -> TableRow:
    """A bot leaves its seat."""
    check_seat(row, seat)
    sitter = row.sitters[seat]
    if sitter is None or not sitter.bot:
        raise ServerError("no_bot_there", seat=seat)
    return with_seat(row, seat, None)


def filled(row: TableRow, policy: str) -> TableRow:
    """Put bots into every free seat and the seats of people who left; draw seats if the table says so."""
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


def sitter_name(sitter: Sitter, language: terms.Language) -> str:
    """The name of a player; a bot that took over from a person keeps the person's."""
    if sitter.bot is None or sitter.person is not None or sitter.name not in BOT_NAMES:
        return sitter.name
    return terms.text(f"server.bots.{sitter.name}", language)
