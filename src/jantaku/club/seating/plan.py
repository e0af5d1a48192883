"""``seat`` makes a seating plan for an event and measures its quality."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter
from typing import Any, Final

import numpy as np

from jantaku.club.hand_fields import whole
from jantaku.club.seating.meetings import Pair
from jantaku.club.seating.search import Task, best_rounds
from jantaku.club.seating.table_numbers import with_table_numbers
from jantaku.club.seating.winds import with_winds
from jantaku.errors import RequestError
from jantaku.kernels.win import MOST_SEATS

MOST_PLAYERS: Final = 400
MOST_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """``rounds[r][table][seat]`` are players; ``byes[r]`` sit out in round ``r``.

    ``repeats``: how often, summed over pairs, two meet again after their first meeting; ``bound``: the fewest
    that counting allows. ``seat_spread``: the largest difference, over players, between how often somebody
    has two of the winds; ``table_spread`` the same of the tables. ``together``: how often two meet who should
    be kept apart. ``seconds``: how long the search took.
    """

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    byes: tuple[tuple[str, ...], ...]
    repeats: int
    bound: int
    seat_spread: int
    table_spread: int
    together: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As the JSON contract has it: ``byes`` only where there are any."""
        found: dict[str, Any] = {"rounds": self.rounds}
        if any(self.byes):
            found["byes"] = self.byes
        names = ("repeats", "bound", "seat_spread", "table_spread", "together")
        return {**found, **{name: getattr(self, name) for name in names}, "seconds": round(self.seconds, 1)}


def seat(
    players: int | Sequence[str],
    rounds: int,
    *,
    teams: Mapping[str, str] | None = None,
    apart: Iterable[tuple[str, str]] = (),
    seats: int = MOST_SEATS,
    seed: int = 0,
) -> SeatingPlan:
    """Make a seating plan: few repeated opponents, even winds, even tables, byes that go round.

    ``players`` is how many (called ``"1"``, ``"2"``, …) or their names; ``seats`` of them sit at a table.
    Members of one of ``teams`` and the pairs in ``apart`` are kept apart as far as possible. The same
    ``seed`` gives the same plan. Raises ``RequestError``.
    """
    started = perf_counter()
    names = [str(i + 1) for i in range(players)] if isinstance(players, int) else list(players)
    whole(len(names), "players", seats, MOST_PLAYERS)
    whole(rounds, "rounds", 1, MOST_ROUNDS)
    numbers = _numbered(names)
    task = Task(len(names), rounds, seats, _pairs_apart(numbers, teams or {}, apart))
    random = np.random.default_rng(seed)
    found = best_rounds(task, random)
    if not task.apart:  # nobody's seat follows from the order of registration
        found = random.permutation(task.players)[found]
    seated = with_winds(with_table_numbers(found, task.players, random).tolist())
    together, repeats = task.cost(np.array(seated, np.int64))
    return SeatingPlan(
        tuple(tuple(tuple(names[i] for i in table) for table in tables) for tables in seated),
        tuple(_sitting_out(tables, names) for tables in seated),
        repeats,
        task.bound(found),
        _spread(seated, task.players, by_table=False),
        _spread(seated, task.players, by_table=True),
        together,
        perf_counter() - started,
    )


def _numbered(names: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in found:
            raise RequestError("id_twice", field=f"players[{i}]", value=name)
        found[name] = i
    return found


def _pairs_apart(
    numbers: Mapping[str, int], teams: Mapping[str, str], apart: Iterable[tuple[str, str]]
) -> frozenset[Pair]:
    """The pairs to keep apart, as numbers, the lower one first."""
    mates = [pair for pair in combinations(teams, 2) if teams[pair[0]] and teams[pair[0]] == teams[pair[1]]]
    found = set()
    for pair in (*mates, *apart):
        for name in pair:
            if name not in numbers:
                raise RequestError("unknown_id", field="apart", value=name, nearest="")
        one, other = sorted(numbers[name] for name in pair)
        if one == other:
            raise RequestError("id_twice", field="apart", value=pair[0])
        found.add((one, other))
    return frozenset(found)


def _sitting_out(tables: Sequence[Sequence[int]], names: Sequence[str]) -> tuple[str, ...]:
    playing = {player for table in tables for player in table}
    return tuple(name for i, name in enumerate(names) if i not in playing)


def _spread(rounds: Sequence[Sequence[Sequence[int]]], players: int, *, by_table: bool) -> int:
    """The largest difference, over players, between how often somebody has two winds, or two tables."""
    seen = Counter(
        (player, t if by_table else wind)
        for tables in rounds
        for t, table in enumerate(tables)
        for wind, player in enumerate(table)
    )
    places = range(len(rounds[0] if by_table else rounds[0][0]))
    counts = ([seen[player, place] for place in places] for player in range(players))
    return max(max(found) - min(found) for found in counts)
