"""Winds of the rounds to come, even together with the winds of the rounds that have been played."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, permutations
from typing import Final

import numpy as np

from jantaku.club.seating.winds import with_winds

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
