"""The yaku as predicates over one reading of a hand.

A predicate only says whether the reading has the yaku. What it is worth closed or open, what it replaces
and its further conditions are settings of the ruleset (``rules/yaku.toml``).
"""

from jantaku.kernels._jit import kernel
from jantaku.kernels.yaku.hand import by_hand
from jantaku.kernels.yaku.local import by_local_rule
from jantaku.kernels.yaku.situation import by_situation
from jantaku.kernels.yaku.yakuman import by_yakuman


@kernel
def yaku_mask(b):
    """Every yaku of the catalogue that the reading has, as a mask of ``kernels.bits``."""
    return by_situation(b) | by_hand(b) | by_local_rule(b) | by_yakuman(b)
