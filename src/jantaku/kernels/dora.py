"""Counting the dora and ura dora of a winning hand; ``engine/kan_dora.py`` turns the indicators."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.win import IN_RIICHI, NO_TILE
from jantaku.tiles import NORTH

NORTH_KIND: Final = int(NORTH)


@kernel
def count_dora(indicators, kan, held, kita, rules):
    """Count the dora in ``held`` and among ``kita`` norths set aside.

    Without ``kan``, only the first indicator counts.
    """
    total = 0
    for i in range(5 if kan else 1):
        if int(indicators[i]) != NO_TILE:
            kind = int(rules.next_kind[int(indicators[i])])
            total += int(held[kind]) + (kita if kind == NORTH_KIND else 0)
    return total


@kernel
def ura_dora(win, rules, held):
    """Count the ura dora of a winner in riichi; 0 for other winners."""
    if int(win.situation) & IN_RIICHI and rules.dora.ura:
        return count_dora(win.ura, rules.dora.kan_ura != 0, held, int(win.kita), rules)
    return 0
