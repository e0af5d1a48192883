"""The yaku as predicates over one reading of a hand.

A predicate only decides whether the reading has the yaku. Its closed and open value, the yaku it replaces and
further conditions are settings of the ruleset (``rules/yaku.toml``).
"""

from jantaku.kernels._jit import kernel
from jantaku.kernels.yaku.hand import by_hand
from jantaku.kernels.yaku.local import by_local_rule
from jantaku.kernels.yaku.situation import by_situation
from jantaku.kernels.yaku.yakuman import by_yakuman


@kernel
def yaku_mask(b):
    """Return every yaku of the catalogue that the reading has, as a mask of ``kernels.bits``."""
    return by_situation(b) | by_hand(b) | by_local_rule(b) | by_yakuman(b)
