"""How often players meet in a plan, and the fewest repeats that counting allows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

Table = Sequence[int]
Pair = tuple[int, int]


def meetings(rounds: Iterable[Iterable[Table]]) -> Counter[Pair]:
    """How often each pair of players sits at one table; a pair is in ascending order."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repeats_of(meetings: Counter[Pair]) -> int:
    """How often, summed over pairs, two players meet again after their first meeting."""
    return sum(count - 1 for count in meetings.values())


def fewest_repeats(
    games: Sequence[int], seats: int, apart: Iterable[Pair] = (), met: Mapping[Pair, int] | None = None
) -> int:
    """The fewest repeats that counting allows, where each player has so many games and some pairs never meet.

    A player meets ``seats - 1`` others in each game. Meetings beyond the number of possible opponents are
    repeats. ``met`` are the meetings of earlier games; its repeats count, too, and ``games`` come after them.
    """
    earlier = met or {}
    known, again = Counter[int](), Counter[int]()
    for pair, count in earlier.items():
        for player in pair:
            known[player] += 1
            again[player] += count - 1
    somebody = sum(1 for player, count in enumerate(games) if count or known[player])
    new = [somebody - (count > 0 or known[player] > 0) - known[player] for player, count in enumerate(games)]
    for pair in apart:
        if pair not in earlier:
            for player in pair:
                new[player] -= 1
    over = (max(0, (seats - 1) * count - most) for count, most in zip(games, new, strict=True))
    return -(-(sum(over) + again.total()) // 2)
