"""The quality of a seating: repeated opponents and their lower bound, balance of winds and of tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

Table = Sequence[int]


Pair = tuple[int, int]


def meetings(rounds: Iterable[Iterable[Table]]) -> Counter[Pair]:
    """Count how often each pair of players shares a table; pairs are in ascending order."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def repeats_of(meetings: Counter[Pair]) -> int:
    """Return the number of meetings beyond the first of each pair."""
    return sum(count - 1 for count in meetings.values())


def min_repeats(
    games: Sequence[int], seats: int, apart: Iterable[Pair] = (), met: Mapping[Pair, int] | None = None
) -> int:
    """Return a lower bound of repeats, given each player's number of games and pairs that never meet.

    A player meets ``seats - 1`` others in each game; meetings beyond the number of possible opponents are
    repeats. ``met`` counts the meetings in earlier games, whose repeats are included; ``games`` are upcoming.
    """
    earlier = met or {}
    known, again = Counter[int](), Counter[int]()
    for pair, count in earlier.items():
        for player in pair:
            known[player] += 1
            again[player] += count - 1
    total = sum(1 for player, count in enumerate(games) if count or known[player])
    new = [total - (count > 0 or known[player] > 0) - known[player] for player, count in enumerate(games)]
    for pair in apart:
        if pair not in earlier:
            for player in pair:
                new[player] -= 1
    over = (max(0, (seats - 1) * count - limit) for count, limit in zip(games, new, strict=True))
    return -(-(sum(over) + again.total()) // 2)


Rounds = Sequence[Sequence[Sequence[str]]]


MEASURES: Final = ("repeats", "bound", "seat_spread", "table_spread", "together")


@dataclass(frozen=True, slots=True)
class SeatingScore:
    """Measures of a seating. ``repeats``: meetings beyond the first, summed over all pairs.

    ``bound``: a lower bound of ``repeats``. ``seat_spread``: the largest difference, over all players,
    between a player's counts of two winds; ``table_spread`` the same for tables. ``together``: meetings of
    players who should be kept apart.
    """

    repeats: int
    bound: int
    seat_spread: int
    table_spread: int
    together: int

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as JSON."""
        return {name: getattr(self, name) for name in MEASURES}


def quality_of(
    rounds: Rounds, seats: int, apart: Iterable[tuple[str, str]] = (), played: int = 0
) -> SeatingScore:
    """Measure a seating ``rounds[r][table][seat]``; rounds may differ in their number of tables.

    Pairs in ``apart`` with a player who never plays are ignored. The bound takes the first ``played`` rounds
    as fixed and assumes that pairs kept apart by this seating stay apart.
    """
    games = Counter(player for tables in rounds for table in tables for player in table)
    numbers = {player: i for i, player in enumerate(games)}
    plan = [[[numbers[player] for player in table] for table in tables] for tables in rounds]
    met = meetings(plan)
    to_come = Counter(player for tables in plan[played:] for table in tables for player in table)
    pairs = {
        (min(numbers[one], numbers[other]), max(numbers[one], numbers[other]))
        for one, other in apart
        if one in numbers and other in numbers
    }
    kept_apart = [pair for pair in pairs if not met[pair]]
    return SeatingScore(
        repeats_of(met),
        min_repeats([to_come[i] for i in range(len(games))], seats, kept_apart, meetings(plan[:played])),
        _spread(rounds, games, by_table=False),
        _spread(rounds, games, by_table=True),
        sum(met[pair] for pair in pairs),
    )


def _spread(rounds: Rounds, players: Iterable[str], *, by_table: bool) -> int:
    """Return the largest difference, over all players, between a player's counts of two winds or tables."""
    seen = Counter(
        (player, t if by_table else wind)
        for tables in rounds
        for t, table in enumerate(tables)
        for wind, player in enumerate(table)
    )
    numbers = range(max((number for _, number in seen), default=0) + 1)
    counts = ([seen[player, number] for number in numbers] for player in players)
    return max((max(count) - min(count) for count in counts), default=0)
