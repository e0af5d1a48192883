"""Balance each player's winds, by edge colouring, and table numbers."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, permutations
from typing import Final

import numpy as np

from jantaku.club.kernels.anneal import spread_tables
from jantaku.club.seating.search import Ints

Node = tuple[str, int, int]


def with_winds(rounds: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """Order the players of each table by wind.

    The tables define a bipartite graph: one side has a node for each ``seats`` consecutive games of a player,
    the other a node for each table of each round, and every seat is an edge. No node has more than ``seats``
    edges, so ``seats`` colours suffice (König); they are the winds. Each player therefore has every wind once
    in each such run of games.
    """
    seats = len(rounds[0][0])
    colouring = _Colouring(seats)
    played: defaultdict[int, int] = defaultdict(int)
    for r, tables in enumerate(rounds):
        for t, table in enumerate(tables):
            for player in table:
                colouring.add(("player", player, played[player] // seats), ("table", r, t))
                played[player] += 1
    return [
        [[colouring.at["table", r, t][wind][1] for wind in range(seats)] for t in range(len(tables))]
        for r, tables in enumerate(rounds)
    ]


class _Colouring:
    """A proper edge colouring of a bipartite graph; ``at[node][colour]`` is the neighbour."""

    def __init__(self, colours: int) -> None:
        self.colours = range(colours)
        self.at: defaultdict[Node, dict[int, Node]] = defaultdict(dict)

    def add(self, player: Node, table: Node) -> None:
        """Add an edge; if no colour is free at both ends, recolour a path."""
        free_here, free_there = self._free(player), self._free(table)
        if free_here not in self.at[table]:
            self._join(player, table, free_here)
            return
        self._swap_path(table, free_here, free_there)
        self._join(player, table, free_here)

    def _free(self, node: Node) -> int:
        return next(colour for colour in self.colours if colour not in self.at[node])

    def _join(self, one: Node, other: Node, colour: int) -> None:
        self.at[one][colour] = other
        self.at[other][colour] = one

    def _swap_path(self, start: Node, colour: int, other: int) -> None:
        """Exchange two colours along the path from ``start`` that begins with ``colour``.

        The path avoids the player of the new edge: it reaches players by ``colour``, which is free there.
        """
        path, node, wanted = [start], start, colour
        while wanted in self.at[node]:
            node = self.at[node][wanted]
            path.append(node)
            wanted = other if wanted == colour else colour
        for step, node in enumerate(path[:-1]):
            del self.at[node][colour if step % 2 == 0 else other]
            self.at[path[step + 1]].pop(colour if step % 2 == 0 else other, None)
        for step, node in enumerate(path[:-1]):
            self._join(node, path[step + 1], other if step % 2 == 0 else colour)


MAX_TABLE_CHANGES: Final = 20_000

Plan = Sequence[Sequence[Sequence[int]]]
Counts = Counter[tuple[int, int]]


def winds_after(played: Plan, rounds: Plan, seats: int, random: np.random.Generator) -> list[list[list[int]]]:
    """Order the players of each table of ``rounds`` by wind, so that each has had every wind equally often.

    Winds in ``played`` count. Edge colouring balances the new rounds on their own; then the winds of single
    tables change until no player's counts differ by more than one.
    """
    if not rounds:
        return []
    seated = with_winds(rounds)
    counts = _counts(played) + _counts(seated)
    players = {player for player, _ in counts}
    for _ in range(MAX_TABLE_CHANGES // sum(map(len, seated)) + 1):
        had = ([counts[player, wind] for wind in range(seats)] for player in players)
        if all(max(counts) - min(counts) <= 1 for counts in had):
            break
        for table in chain.from_iterable(seated):
            _rebalance(table, counts, random)
    return seated


def _counts(rounds: Plan) -> Counts:
    tables = chain.from_iterable(rounds)
    return Counter((player, wind) for table in tables for wind, player in enumerate(table))


def _rebalance(table: list[int], counts: Counts, random: np.random.Generator) -> None:
    """Give each player of a table the wind they have had least often; ties are broken at random."""
    for wind, player in enumerate(table):
        counts[player, wind] -= 1
    cost = {
        order: sum(counts[player, wind] for wind, player in enumerate(order)) for order in permutations(table)
    }
    lowest = min(cost.values())
    best = [order for order, value in cost.items() if value == lowest]
    table[:] = best[int(random.integers(len(best)))]
    for wind, player in enumerate(table):
        counts[player, wind] += 1


STEPS = 1_000_000


def with_table_numbers(
    rounds: Ints, players: int, random: np.random.Generator, before: Ints | None = None
) -> Ints:
    """Reorder the tables of each round (``int64[rounds, tables, seats]``) to balance table numbers.

    ``before`` (``int64[players, tables]``) counts how often players have already sat at each table.
    """
    copy = rounds.copy()
    seen = np.zeros((players, rounds.shape[1]), np.int64) if before is None else before.copy()
    for tables in copy:
        for number, table in enumerate(tables):
            seen[table, number] += 1
    spread_tables(copy, seen, STEPS if rounds.shape[1] > 1 else 0, random)
    return copy
