"""Turn order, dealers and winds of the seats.

Seats are numbered from 0, the first dealer. Each function takes the number of seats, which comes from the
ruleset (``len(rules.seats)``), the game or a record. ``kernels.engine.hands`` has the compiled counterparts,
``web/src/domain/seats.ts`` those of the client.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated

from jantaku import terms
from jantaku.hand import SOURCES, WIND_NAMES, Source, Wind
from jantaku.reading import Within

Seat = Annotated[int, Within(0, len(WIND_NAMES) - 1)]
BySeat = Annotated[tuple[int, ...], Within(2, len(WIND_NAMES))]


def after(seat: int, seats: int, turns: int = 1) -> int:
    """Return the seat whose turn is ``turns`` turns after that of ``seat``.

    >>> after(2, 3), after(0, 4, 2)
    (0, 2)
    """
    return (seat + turns) % seats


def away(seat: int, other: int, seats: int) -> int:
    """Return the number of turns from ``seat`` to ``other``, 0 for the seat itself."""
    return (other - seat) % seats


def others(seat: int, seats: int) -> list[int]:
    """Return the other seats, in turn order after ``seat``.

    >>> others(1, 3)
    [2, 0]
    """
    return [after(seat, seats, turns) for turns in range(1, seats)]


def by_place(scores: Sequence[int]) -> list[int]:
    """Return the seats from first place to last by points; ties go to the lower seat number."""
    return sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))


def dealer_of(number: int, seats: int) -> int:
    """Return the dealer of the hand ``number``, counted from 0 for East 1."""
    return number % seats


def round_wind(number: int, seats: int) -> Wind:
    """Return the round wind of the hand ``number``, counted from 0 for East 1.

    >>> round_wind(5, 4), round_wind(5, 3), round_wind(16, 4)
    ('south', 'south', 'east')
    """
    return WIND_NAMES[number // seats % len(WIND_NAMES)]


def returns_to_east(number: int, seats: int) -> bool:
    """Return whether the hand is in the second East round, after North (返り東, inventory d27).

    >>> returns_to_east(15, 4), returns_to_east(16, 4), returns_to_east(12, 3)
    (False, True, True)
    """
    return number // seats >= len(WIND_NAMES)


def hand_in_round(number: int, seats: int) -> int:
    """Return the number of a hand within its round, counted from 1: 3 for East 3."""
    return number % seats + 1


def hand_name(number: int, honba: int, seats: int, language: terms.Language | None = None) -> str:
    """Return the name of a hand, as in ``South 4, 1 honba``; ``number`` counts from 0 for East 1.

    >>> hand_name(16, 0, 4, "en")
    'East 1 again'
    """
    wind = terms.text(f"drawn_table.wind.{round_wind(number, seats)}", language)
    key = "drawn_table.hand_again" if returns_to_east(number, seats) else "drawn_table.hand"
    text = terms.text(key, language, wind=wind, number=hand_in_round(number, seats))
    return terms.text("drawn_table.with_honba", language, hand=text, honba=honba) if honba else text


def seat_wind(seat: int, dealer: int, seats: int) -> Wind:
    """Return the seat wind of ``seat`` when ``dealer`` deals."""
    return WIND_NAMES[away(dealer, seat, seats)]


def winds_of(seats: int) -> tuple[Wind, ...]:
    """Return the seat winds in use, East first."""
    return WIND_NAMES[:seats]


def by_wind(numbers: Sequence[int], dealer: int) -> dict[Wind, int]:
    """Turn numbers by seat into numbers by seat wind, East first."""
    seats = len(numbers)
    return {wind: numbers[after(dealer, seats, turns)] for turns, wind in enumerate(winds_of(seats))}


@cache
def sources_of(seats: int) -> tuple[Source, ...]:
    """Return the positions of the other players in turn order; with three players, there is no ``across``.

    >>> sources_of(3)
    ('right', 'left')
    """
    return (*SOURCES[: seats - 2], SOURCES[-1])


def turns_to(source: Source, seats: int) -> int:
    """Return the number of turns from a seat to the player at ``source``.

    With three players, ``across`` means the last player, as in records of earlier versions.

    >>> turns_to("left", 4), turns_to("left", 3), turns_to("across", 3)
    (3, 2, 2)
    """
    return min(SOURCES.index(source) + 1, seats - 1)


def seat_at(seat: int, source: Source, seats: int) -> int:
    """Return the seat at position ``source`` relative to ``seat``: ``right`` plays next, ``left`` last.

    >>> seat_at(3, "right", 4), seat_at(0, "left", 4), seat_at(0, "left", 3)
    (0, 3, 2)
    """
    return after(seat, seats, turns_to(source, seats))


def source_of(seat: int, other: int, seats: int) -> Source:
    """Return the position of ``other`` relative to ``seat``; raises ``ValueError`` if they are the same."""
    turns = away(seat, other, seats)
    if not turns:
        raise ValueError(other)
    return sources_of(seats)[turns - 1]


def sum_by_seat(rows: Iterable[Sequence[int]], seats: int) -> tuple[int, ...]:
    """Return the sums by seat of rows that have one number for each seat."""
    sums = [0] * seats
    for row in rows:
        sums = [total + number for total, number in zip(sums, row, strict=True)]
    return tuple(sums)
