"""Groups that turn one round of a seating plan into many: each round is the one before, moved on by a step.

The players stand on ``orbits`` circles of ``order`` players each, and perhaps a few stand still. If no step
moves a pair of one table onto another pair of that round, nobody meets anybody twice in ``order`` rounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_FIXED = 4
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Symmetry:
    """The cyclic group of ``order`` on ``players``: ``orbits`` circles, the other players are fixed."""

    players: int
    order: int
    orbits: int

    @property
    def standing_still(self) -> int:
        """How many players the group does not move."""
        return self.players - self.orbits * self.order

    @property
    def is_promising(self) -> bool:
        """Whether there are three or four circles, which made the best plans."""
        return self.orbits in (3, 4)

    def moved(self, player: Any, steps: int) -> Any:
        """Where a player (or an array of players) goes in so many steps."""
        circle = player // self.order * self.order + (player % self.order + steps) % self.order
        return np.where(player < self.orbits * self.order, circle, player)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The orbits of pairs: ``kind[p, q]`` numbers them, ``size`` says how many pairs each has."""
        first, second = np.tril_indices(self.players, -1)
        names = np.full(len(first), self.players**2, np.int64)
        for step in range(self.order):
            one, other = self.moved(first, step), self.moved(second, step)
            np.minimum(names, np.maximum(one, other) * self.players + np.minimum(one, other), out=names)
        _, index, size = np.unique(names, return_inverse=True, return_counts=True)
        kind = np.zeros((self.players, self.players), np.int64)
        kind[first, second] = kind[second, first] = index
        return kind, size.astype(np.int64)

    def rounds(self, base: Ints, number: int) -> Ints:
        """``int64[number, tables, seats]``: the base round (``int64[tables, seats]``) moved step by step."""
        return np.array([self.moved(base, step) for step in range(number)], np.int64)


def plain(players: int) -> Symmetry:
    """No symmetry: every round is a base round."""
    return Symmetry(players, 1, players)


def symmetries(players: int, rounds: int, seats: int) -> Iterator[Symmetry]:
    """The groups worth trying, the most promising first: four or three circles, few fixed points.

    Circles as long as there are rounds come first. Shorter ones make fewer rounds, to which others are added.
    Byes come from different circles, so that no circle has two in a round.
    """
    kinds, byes = [], players % seats
    for orbits in (4, 3, 2, 1, 5, 6):
        for fixed in range(MOST_FIXED + 1):
            order, rest = divmod(players - fixed, orbits)
            if rest == 0 and order >= 2 and orbits >= byes:
                kinds.append(Symmetry(players, order, orbits))
    enough = [kind for kind in kinds if kind.order >= rounds]
    short = [kind for kind in kinds if rounds // 2 <= kind.order < rounds and kind.is_promising]
    yield from sorted(enough, key=lambda kind: (not kind.is_promising, kind.standing_still))
    yield from sorted(short, key=lambda kind: -kind.order)
