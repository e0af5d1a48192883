"""How good a seating is: repeated opponents against their bound, the spread of winds and of tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

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


Rounds = Sequence[Sequence[Sequence[str]]]


MEASURES: Final = ("repeats", "bound", "seat_spread", "table_spread", "together")


@dataclass(frozen=True, slots=True)
class SeatingScore:
    """``repeats``: how often, summed over pairs, two meet again after their first meeting.

    ``bound``: the fewest repeats that counting allows. ``seat_spread``: the largest difference, over players,
    between how often somebody has two of the winds; ``table_spread`` the same of the tables. ``together``:
    how often two meet who should be kept apart.
    """

    repeats: int
    bound: int
    seat_spread: int
    table_spread: int
    together: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {name: getattr(self, name) for name in MEASURES}


def quality_of(
    rounds: Rounds, seats: int, apart: Iterable[tuple[str, str]] = (), played: int = 0
) -> SeatingScore:
    """Measure a seating ``rounds[r][table][seat]``; rounds may have different numbers of tables.

    Pairs in ``apart`` of whom one never plays do not count. The bound takes the first ``played`` rounds as
    they are, and keeps those pairs of ``apart`` apart that this seating does.
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
        fewest_repeats([to_come[i] for i in range(len(games))], seats, kept_apart, meetings(plan[:played])),
        _spread(rounds, games, by_table=False),
        _spread(rounds, games, by_table=True),
        sum(met[pair] for pair in pairs),
    )


def _spread(rounds: Rounds, players: Iterable[str], *, by_table: bool) -> int:
    """The largest difference, over players, between how often somebody has two winds, or two tables."""
    seen = Counter(
        (player, t if by_table else wind)
        for tables in rounds
        for t, table in enumerate(tables)
        for wind, player in enumerate(table)
    )
    numbers = range(max((number for _, number in seen), default=0) + 1)
    counts = ([seen[player, number] for number in numbers] for player in players)
    return max((max(count) - min(count) for count in counts), default=0)
