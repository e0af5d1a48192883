"""The point sticks that make up a payment."""

from typing import Final

STICKS: Final = (10_000, 5_000, 1_000, 100)


def fewest_sticks(points: int) -> dict[int, int]:
    """The fewest sticks of 10,000, 5,000, 1,000 and 100 that make ``points``: how many of each.

    A remainder below a hundred has no stick and is ignored.

    >>> fewest_sticks(17_300)
    {10000: 1, 5000: 1, 1000: 2, 100: 3}
    """
    # Each value divides the one above it, so taking the largest first is best.
    sticks = {}
    for value in STICKS:
        sticks[value], points = divmod(points, value)
    return sticks
