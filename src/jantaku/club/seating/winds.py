"""Winds by edge colouring, and numbers of tables, so that players have all of them evenly."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, permutations
from typing import Final

import numpy as np

from jantaku.club.kernels.anneal import spread_tables
from jantaku.club.seating.search import Ints

Node = tuple[str, int, int]


def with_winds(rounds: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """The same tables, each in the order of its winds.

    As many games of a player in a row as a table has seats are one node of a graph, a table of a round is
    another, and each seat taken is an edge between them. No node has more edges than there are seats, so that
    many colours do (König): the winds. A player has every wind once in each such row of games.
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
        self._turn(table, free_here, free_there)
        self._join(player, table, free_here)

    def _free(self, node: Node) -> int:
        return next(colour for colour in self.colours if colour not in self.at[node])

    def _join(self, one: Node, other: Node, colour: int) -> None:
        self.at[one][colour] = other
        self.at[other][colour] = one

    def _turn(self, start: Node, colour: int, other: int) -> None:
        """Exchange two colours along the path from ``start`` that begins with ``colour``.

        The player whose edge is added is not on it: the path comes to players by ``colour``, free there.
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


TURNS: Final = 20_000  # tables that are looked at, at most


Plan = Sequence[Sequence[Sequence[int]]]


Counts = Counter[tuple[int, int]]


def winds_after(played: Plan, rounds: Plan, seats: int, random: np.random.Generator) -> list[list[list[int]]]:
    """The tables of ``rounds``, each in the order of its winds.

    Each player should have had every wind as often as the others, counting ``played``. An edge colouring
    makes the rounds even by themselves; then tables change their winds one by one, until nobody's are uneven.
    """
    if not rounds:
        return []
    seated = with_winds(rounds)
    counts = _counts(played) + _counts(seated)
    players = {player for player, _ in counts}
    for _ in range(TURNS // sum(map(len, seated)) + 1):
        had = ([counts[player, wind] for wind in range(seats)] for player in players)
        if all(max(counts) - min(counts) <= 1 for counts in had):
            break
        for table in chain.from_iterable(seated):
            _turn(table, counts, random)
    return seated


def _counts(rounds: Plan) -> Counts:
    tables = chain.from_iterable(rounds)
    return Counter((player, wind) for table in tables for wind, player in enumerate(table))


def _turn(table: list[int], counts: Counts, random: np.random.Generator) -> None:
    """Give the players of a table the winds that they have had least; by lot among equally good ones."""
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
    """The same tables (``int64[rounds, tables, 4]``), each round in another order.

    ``before`` (``int64[players, tables]``) counts how often players have sat at the tables already.
    """
    copy = rounds.copy()
    seen = np.zeros((players, rounds.shape[1]), np.int64) if before is None else before.copy()
    for tables in copy:
        for number, table in enumerate(tables):
            seen[table, number] += 1
    spread_tables(copy, seen, STEPS if rounds.shape[1] > 1 else 0, random)
    return copy
