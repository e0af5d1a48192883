"""Numbers the tables of each round so that players use all tables evenly."""

import numpy as np

from jantaku.club.kernels.anneal import spread_tables
from jantaku.club.seating.symmetry import Ints

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
