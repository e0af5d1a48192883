"""Winds by edge colouring: everybody has each wind once in as many games as there are winds."""

from collections import defaultdict
from collections.abc import Sequence

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
