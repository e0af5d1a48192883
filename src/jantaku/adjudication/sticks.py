"""Payment of points with sticks."""

from typing import Final

STICKS: Final = (10_000, 5_000, 1_000, 100)


def fewest_sticks(points: int) -> dict[int, int]:
    """Return the smallest number of sticks that add up to ``points``, by value (10,000, 5,000, 1,000, 100).

    A remainder below 100 is ignored.

    >>> fewest_sticks(17_300)
    {10000: 1, 5000: 1, 1000: 2, 100: 3}
    """
    # Each value divides the next larger one, so the greedy choice is optimal.
    sticks = {}
    for value in STICKS:
        sticks[value], points = divmod(points, value)
    return sticks
