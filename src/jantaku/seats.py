"""Seats and their winds: who comes after whom, who deals, and which wind a seat has.

Each function takes the number of seats, which comes from the ruleset (``len(rules.seats)``), the game, or the
data of a record. ``kernels.engine.hands`` has the compiled counterparts, ``web/src/lib/seats.ts`` those of
the client.
"""

from collections.abc import Iterable, Sequence

from jantaku.hand import SOURCES, WIND_NAMES, Source, Wind


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


def hand_in_round(number: int, seats: int) -> int:
    """The number of a hand within its round, counted from 1: 3 for East 3."""
    return number % seats + 1


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


def seat_at(seat: int, source: Source, seats: int) -> int:
    """The seat that sits at ``source`` as ``seat`` sees it: ``right`` plays next.

    >>> seat_at(3, "right", 4), seat_at(0, "left", 4)
    (0, 3)
    """
    return after(seat, seats, SOURCES.index(source) + 1)


def source_of(seat: int, other: int, seats: int) -> Source:
    """Where ``other`` sits as ``seat`` sees it; raises ``ValueError`` if they are the same seat."""
    turns = away(seat, other, seats)
    if not turns:
        raise ValueError(other)
    return SOURCES[turns - 1]


def sum_by_seat(rows: Iterable[Sequence[int]], seats: int) -> tuple[int, ...]:
    """The sum of several rows with a number for each seat."""
    found = [0] * seats
    for row in rows:
        found = [one + more for one, more in zip(found, row, strict=True)]
    return tuple(found)
