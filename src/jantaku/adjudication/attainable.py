"""Shanten and effective tiles when melds or norths set aside hold tiles the hand would need.

The lookup tables of ``jantaku.kernels`` allow four concealed tiles of every kind. Here each kind has its own
limit: the number of copies that can still be concealed.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels.shanten import NEVER
from jantaku.tiles import COPIES, HONOURS, KINDS, YAOCHUU

Costs = tuple[tuple[tuple[int, ...], ...], ...]
Rows = npt.NDArray[np.int8]

_FIRSTS: Final = (0, 9, 18, HONOURS)
_ENDS: Final = (9, 18, HONOURS, KINDS)
_CACHE_SIZE: Final = 4096
_PAIRS: Final = 7


class Attainable(NamedTuple):
    """Shanten by form (``NEVER`` if out of reach) and the kinds that lower the lowest of the three."""

    standard: int
    chiitoitsu: int
    kokushi: int
    lower: tuple[int, ...]


def attainable(held: Sequence[int], limits: Sequence[int], melds: int) -> Attainable:
    """Return the shanten of concealed tiles if at most ``limits[kind]`` tiles of a kind can be concealed.

    ``held`` and ``limits`` have 34 entries; ``melds`` is the number of melds.
    """
    sets = 4 - melds
    costs = [
        _costs(tuple(held[first:end]), tuple(limits[first:end]), sets)
        for first, end in zip(_FIRSTS, _ENDS, strict=True)
    ]
    rests = [_joined([_columns(cost, 0) for j, cost in enumerate(costs) if j != i], sets) for i in range(4)]
    standard = _least(_columns(costs[0], 0), rests[0], sets)
    chiitoitsu, kokushi = (_chiitoitsu(held, limits), _kokushi(held, limits)) if not melds else (NEVER, NEVER)
    lowest = min(standard, chiitoitsu, kokushi)
    lower = []
    for kind in range(KINDS):
        if held[kind] >= limits[kind]:
            continue
        suit = kind // 9
        after = _least(_columns(costs[suit], kind - _FIRSTS[suit] + 1), rests[suit], sets)
        if not melds and after >= lowest:
            drawn = [*held]
            drawn[kind] += 1
            after = min(_chiitoitsu(drawn, limits), _kokushi(drawn, limits))
        if after < lowest:
            lower.append(kind)
    return Attainable(standard, chiitoitsu, kokushi, tuple(lower))


@cache
def _shapes(kinds: int, sets: int) -> tuple[tuple[Rows, ...], ...]:
    """Return the tile counts of every combination of 0 to ``sets`` sets, without and with a pair.

    ``kinds`` is 9 for a suit and 7 for the honours.
    """
    one = np.eye(kinds, dtype=np.int8)
    parts = [3 * one]
    if kinds == 9:
        parts.append(np.array([one[i : i + 3].sum(0) for i in range(7)], np.int8))
    part = np.concatenate(parts)
    row = np.zeros((1, kinds), np.int8)
    shapes = []
    for _ in range(sets + 1):
        shapes.append((row, _sums(row, 2 * one)))
        row = _sums(row, part)
    return tuple(shapes)


def _sums(rows: Rows, parts: Rows) -> Rows:
    every = (rows[:, None] + parts).reshape(-1, rows.shape[1])
    return np.unique(every[(every <= COPIES).all(1)], axis=0)


@lru_cache(maxsize=_CACHE_SIZE)
def _costs(held: tuple[int, ...], limits: tuple[int, ...], sets: int) -> Costs:
    """Return the tiles missing for each number of sets, without and with a pair.

    The first column is the cost for the tiles held, the others the cost after drawing each kind.
    """
    have, limit = np.array(held, np.int8), np.array(limits, np.int8)
    return tuple(
        tuple(_cost(rows[(rows <= limit).all(1)], have) for rows in pair) for pair in _shapes(len(held), sets)
    )


def _cost(rows: Rows, have: Rows) -> tuple[int, ...]:
    if not len(rows):
        return (NEVER,) * (len(have) + 1)
    short = np.maximum(rows - have, 0)
    total = short.sum(1)
    return int(total.min()), *(total[:, None] - (short > 0)).min(0).tolist()


def _columns(costs: Costs, column: int) -> list[tuple[int, int]]:
    return [(alone[column], paired[column]) for alone, paired in costs]


def _joined(suits: Sequence[list[tuple[int, int]]], sets: int) -> list[tuple[int, int]]:
    """Return the lowest cost of each number of sets, without and with a pair, over several suits."""
    whole = suits[0]
    for other in suits[1:]:
        whole = [
            (
                min(whole[i][0] + other[n - i][0] for i in range(n + 1)),
                min(min(whole[i][0] + other[n - i][1], whole[i][1] + other[n - i][0]) for i in range(n + 1)),
            )
            for n in range(sets + 1)
        ]
    return whole


def _least(suit: list[tuple[int, int]], rest: list[tuple[int, int]], sets: int) -> int:
    costs = (min(suit[i][0] + rest[sets - i][1], suit[i][1] + rest[sets - i][0]) for i in range(sets + 1))
    return min(NEVER, min(costs) - 1)


def _chiitoitsu(held: Sequence[int], limits: Sequence[int]) -> int:
    paired = [min(count, 2) for count, limit in zip(held, limits, strict=True) if limit >= 2]
    return _PAIRS - 1 - paired.count(2) + max(0, _PAIRS - paired.count(1) - paired.count(2))


def _kokushi(held: Sequence[int], limits: Sequence[int]) -> int:
    if not all(limits[kind] for kind in YAOCHUU):
        return NEVER
    counts = [held[kind] for kind in YAOCHUU]
    return len(counts) - sum(map(bool, counts)) - any(count > 1 for count in counts)
