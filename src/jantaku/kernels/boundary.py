"""Entry points for Python: validation, shanten, effective tiles and readings, for one hand or many."""

from typing import Final

import numpy as np

from jantaku.kernels._jit import allocating, routine
from jantaku.kernels.reading import MAX_READINGS, ROW
from jantaku.kernels.readings import find_readings
from jantaku.kernels.shanten import shanten
from jantaku.kernels.waits import effective
from jantaku.kernels.workspace import new_workspace

MAX_WAITS: Final = 13


@routine
def shanten_packed(hand, tables):
    """Return the shanten of a hand given as ``uint8[35]``: its 34 counts, then its number of melds."""
    return shanten(hand, int(hand[34]), tables)


@routine
def shanten_of(counts, melds, tables):
    """Return the shanten of a hand given as ``uint8[34]`` counts and its number of melds."""
    return shanten(counts, melds, tables)


@allocating
def first_invalid(hands, melds, min_tiles, max_tiles):
    """Return the index of the first hand with more than four of a kind or a wrong number of tiles.

    Valid hands have ``min_tiles`` to ``max_tiles`` tiles; a meld counts as three. Returns −1 if every hand is
    valid.
    """
    for i in range(len(hands)):
        total = 3 * int(melds[i])
        beyond = 0
        for kind in range(34):
            count = int(hands[i, kind])
            total += count
            beyond |= count + 3 >> 3  # a count above four
        if total < min_tiles or total > max_tiles or beyond:
            return i
    return -1


@allocating
def effective_batch(hands, held, melds, tables):
    """Apply ``effective`` to ``uint8[n, 34]`` hands and return ``int64[n]`` masks."""
    out = np.empty(len(hands), np.int64)
    for i in range(len(hands)):
        out[i] = effective(hands[i], held[i], int(melds[i]), tables)
    return out


@allocating
def wait_readings(wins, kinds, cuts):
    """Find the readings of a hand completed by each of ``kinds``, a mask of its waits.

    ``wins`` is an array of one win; each kind in turn replaces its winning tile. ``cuts`` is
    ``cut_tables()``. Returns ``int64[n, ROW + 1]``: each row is a reading followed by the kind.
    """
    win = wins[0]
    space = new_workspace(cuts)
    rows = np.empty((MAX_WAITS * MAX_READINGS, ROW + 1), np.int64)
    count = 0
    win.hand[int(win.win_kind)] -= 1
    for kind in range(34):
        if kinds >> kind & 1 == 0:
            continue
        win.hand[kind] += 1
        win.win_kind = kind
        for i in range(find_readings(win, space)):
            for column in range(ROW):
                rows[count, column] = space.readings[i, column]
            rows[count, ROW] = kind
            count += 1
        win.hand[kind] -= 1
    return rows[:count]
