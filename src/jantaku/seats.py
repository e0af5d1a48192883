"""Seats and their winds: who comes after whom, who deals, and which wind a seat has.

Each function takes the number of seats, which comes from the ruleset (``len(rules.seats)``), the game, or the
data of a record. ``kernels.engine.hands`` has the compiled counterparts, ``web/src/domain/seats.ts`` those of
the client.
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
    """The seat that comes ``turns`` turns after ``seat``.

    >>> after(2, 3), after(0, 4, 2)
    (0, 2)
    """
    return (seat + turns) % seats


def away(seat: int, other: int, seats: int) -> int:
    """How many turns after ``seat`` the turn of ``other`` comes, 0 for the seat itself."""
    return (other - seat) % seats


def others(seat: int, seats: int) -> list[int]:
    """The other seats, in turn order after ``seat``.

    >>> others(1, 3)
    [2, 0]
    """
    return [after(seat, seats, turns) for turns in range(1, seats)]


def by_place(scores: Sequence[int]) -> list[int]:
    """The seats from the first place to the last by points; between equal seats the earlier one leads."""
    return sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))


def dealer_of(number: int, seats: int) -> int:
    """The seat that deals the hand ``number``, counted from 0 for East 1."""
    return number % seats


def round_wind(number: int, seats: int) -> Wind:
    """The wind of the round that the hand ``number`` belongs to.

    >>> round_wind(5, 4), round_wind(5, 3), round_wind(16, 4)
    ('south', 'south', 'east')
    """
    return WIND_NAMES[number // seats % len(WIND_NAMES)]


def returns_to_east(number: int, seats: int) -> bool:
    """Whether the hand belongs to the round after North, which is East once more (返り東, inventory d27).

    >>> returns_to_east(15, 4), returns_to_east(16, 4), returns_to_east(12, 3)
    (False, True, True)
    """
    return number // seats >= len(WIND_NAMES)


def hand_in_round(number: int, seats: int) -> int:
    """The number of a hand within its round, counted from 1: 3 for East 3."""
    return number % seats + 1


def hand_name(number: int, honba: int, seats: int, language: terms.Language | None = None) -> str:
    """``East 2``, ``South 4, 1 honba``: the name of a hand counted since East 1 (0).

    >>> hand_name(16, 0, 4, "en")
    'East 1 again'
    """
    wind = terms.text(f"drawn_table.wind.{round_wind(number, seats)}", language)
    key = "drawn_table.hand_again" if returns_to_east(number, seats) else "drawn_table.hand"
    text = terms.text(key, language, wind=wind, number=hand_in_round(number, seats))
    return terms.text("drawn_table.with_honba", language, hand=text, honba=honba) if honba else text


def seat_wind(seat: int, dealer: int, seats: int) -> Wind:
    """The wind of ``seat`` when ``dealer`` deals."""
    return WIND_NAMES[away(dealer, seat, seats)]


def winds_of(seats: int) -> tuple[Wind, ...]:
    """The winds that have a seat, East first."""
    return WIND_NAMES[:seats]


def by_wind(numbers: Sequence[int], dealer: int) -> dict[Wind, int]:
    """Numbers by seat as numbers by wind, East first."""
    seats = len(numbers)
    return {wind: numbers[after(dealer, seats, turns)] for turns, wind in enumerate(winds_of(seats))}


@cache
def sources_of(seats: int) -> tuple[Source, ...]:
    """Where the others sit as a player sees it, in turn order; among three nobody sits across.

    >>> sources_of(3)
    ('right', 'left')
    """
    return (*SOURCES[: seats - 2], SOURCES[-1])


def turns_to(source: Source, seats: int) -> int:
    """How many turns after a seat the player at ``source`` comes.

    Among three, ``across`` is the last player, as earlier versions wrote it.

    >>> turns_to("left", 4), turns_to("left", 3), turns_to("across", 3)
    (3, 2, 2)
    """
    return min(SOURCES.index(source) + 1, seats - 1)


def seat_at(seat: int, source: Source, seats: int) -> int:
    """The seat that sits at ``source`` as ``seat`` sees it: ``right`` plays next, ``left`` last.

    >>> seat_at(3, "right", 4), seat_at(0, "left", 4), seat_at(0, "left", 3)
    (0, 3, 2)
    """
    return after(seat, seats, turns_to(source, seats))


def source_of(seat: int, other: int, seats: int) -> Source:
    """Where ``other`` sits as ``seat`` sees it; raises ``ValueError`` if they are the same seat."""
    turns = away(seat, other, seats)
    if not turns:
        raise ValueError(other)
    return sources_of(seats)[turns - 1]


def sum_by_seat(rows: Iterable[Sequence[int]], seats: int) -> tuple[int, ...]:
    """The sum of several rows with a number for each seat."""
    sums = [0] * seats
    for row in rows:
        sums = [one + more for one, more in zip(sums, row, strict=True)]
    return tuple(sums)
