"""The four places of Tenhou's formats, for games with any number of players.

With fewer players the last places are empty: no tiles, no name, 0 points. Hand numbers count four per round,
and the source of a call is counted around all four places.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

PLACES: Final = 4
Filled = TypeVar("Filled")


def at_places(by_seat: Sequence[Filled], empty: Filled) -> list[Filled]:
    """Return the value of each place.

    >>> at_places([35000, 35000, 35000], 0)
    [35000, 35000, 35000, 0]
    """
    return [*by_seat, *(empty for _ in range(PLACES - len(by_seat)))]


def place_number(number: int, seats: int) -> int:
    """Convert a hand number to a format that counts four hands per round.

    >>> place_number(3, 3), place_number(3, 4)
    (4, 3)
    """
    return number // seats * PLACES + number % seats


def number_at(counted: int, seats: int) -> int:
    """Convert a hand number from a format with four places; raise ``ValueError`` if no seat deals that hand.

    >>> number_at(4, 3)
    3
    """
    around, dealer = divmod(counted, PLACES)
    if dealer >= seats or counted < 0:
        raise ValueError(counted)
    return around * seats + dealer
