"""The four places that a Tenhou format names, in games of any number of players.

Fewer players leave the last places empty: hands without tiles, names without letters, points of 0. The number
of a hand counts four to a round, and the source of a call is counted around all four places.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

PLACES: Final = 4
Filled = TypeVar("Filled")


def at_places(by_seat: Sequence[Filled], empty: Filled) -> list[Filled]:
    """What each place holds.

    >>> at_places([35000, 35000, 35000], 0)
    [35000, 35000, 35000, 0]
    """
    return [*by_seat, *(empty for _ in range(PLACES - len(by_seat)))]


def place_number(number: int, seats: int) -> int:
    """The hand ``number`` as a format of four places counts it.

    >>> place_number(3, 3), place_number(3, 4)
    (4, 3)
    """
    return number // seats * PLACES + number % seats


def number_at(counted: int, seats: int) -> int:
    """The hand that a format of four places calls ``counted``; raises ``ValueError`` if no seat deals it.

    >>> number_at(4, 3)
    3
    """
    around, dealer = divmod(counted, PLACES)
    if dealer >= seats or counted < 0:
        raise ValueError(counted)
    return around * seats + dealer
