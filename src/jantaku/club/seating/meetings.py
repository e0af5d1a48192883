"""How often players meet in a plan, and the fewest repeats that counting allows."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

Table = Sequence[int]
Pair = tuple[int, int]


def meetings(rounds: Iterable[Iterable[Table]]) -> Counter[Pair]:
    """How often each pair of players sits at one table; a pair is in ascending order."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repeats_of(found: Counter[Pair]) -> int:
    """How often, summed over pairs, two players meet again after their first meeting."""
    return sum(count - 1 for count in found.values())


def fewest_repeats(games: Sequence[int], seats: int, apart: Iterable[Pair] = ()) -> int:
    """The fewest repeats that counting allows, where each player has so many games and some pairs never meet.

    A player meets ``seats - 1`` others in each game. Meetings beyond the number of possible opponents are
    repeats.
    """
    opponents = [sum(1 for count in games if count) - (count > 0) for count in games]
    for one, other in apart:
        opponents[one] -= 1
        opponents[other] -= 1
    over = sum(max(0, (seats - 1) * count - most) for count, most in zip(games, opponents, strict=True))
    return -(-over // 2)
