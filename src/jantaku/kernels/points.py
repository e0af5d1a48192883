"""Limits and base points from han and fu."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.rules import choice
from jantaku.kernels.win import BAIMAN, HANEMAN, KAZOE_YAKUMAN, MANGAN, NO_LIMIT, SANBAIMAN
from jantaku.rules.catalogue import LIMIT_BASE, YAKUMAN_BASE

MANGAN_BASE: Final = LIMIT_BASE["mangan"]
HANEMAN_BASE: Final = LIMIT_BASE["haneman"]
BAIMAN_BASE: Final = LIMIT_BASE["baiman"]
SANBAIMAN_BASE: Final = LIMIT_BASE["sanbaiman"]
KAZOE_SANBAIMAN: Final = choice("score.kazoe", "sanbaiman")
KAZOE_MULTIPLES: Final = choice("score.kazoe", "multiples")
KAZOE_HAN: Final = 13
ZERO_HAN_NONE: Final = choice("score.zero_han_win", "none")
MAX_BASE: Final = 10**12
"""Cap on base points without limits, so that no total of a game overflows."""
_MAX_DOUBLINGS: Final = 40


@kernel
def limit_of(han, fu, rules):
    """Return the limit that han and fu reach, or ``NO_LIMIT`` (below mangan, or under aotenjou)."""
    base = fu << min(2 + han, _MAX_DOUBLINGS)
    mangan = han >= 5 or base > MANGAN_BASE or (rules.score.kiriage_mangan and base == 1920)
    if rules.score.aotenjou or not mangan:
        return NO_LIMIT
    if han >= KAZOE_HAN:
        return SANBAIMAN if rules.score.kazoe == KAZOE_SANBAIMAN else KAZOE_YAKUMAN
    if han >= 11:
        return SANBAIMAN
    if han >= 8:
        return BAIMAN
    if han >= 6:
        return HANEMAN
    return MANGAN


@kernel
def base_points(han, fu, rules):
    """Return the base points of a hand without yakuman: a quarter of a non-dealer's ron."""
    limit = limit_of(han, fu, rules)
    if limit == NO_LIMIT:
        if han == 0 and rules.score.zero_han_win == ZERO_HAN_NONE:
            return 0
        return min(fu << min(2 + han, _MAX_DOUBLINGS), MAX_BASE)
    if limit == KAZOE_YAKUMAN:
        return YAKUMAN_BASE * (han // KAZOE_HAN if rules.score.kazoe == KAZOE_MULTIPLES else 1)
    if limit == SANBAIMAN:
        return SANBAIMAN_BASE
    if limit == BAIMAN:
        return BAIMAN_BASE
    return HANEMAN_BASE if limit == HANEMAN else MANGAN_BASE


@kernel
def lifted_fu(han, fu, rules):
    """Return the fu to add to a hand of 1 han 20 fu if the rules do not allow such a hand (inventory 270)."""
    stays = rules.score.one_han_20_fu or rules.score.fixed_fu
    return 10 if han <= 1 and fu == 20 and not stays else 0


@kernel
def hundreds(points):
    """Round ``points`` up to a hundred."""
    return -(-points // 100) * 100


@kernel
def part_of(total, parts, index):
    """Return share ``index`` of ``total`` in whole hundreds; odd hundreds go to the first of ``parts``."""
    share = total // 100 // parts * 100
    odd = total // 100 % parts
    share += 100 if index < odd else 0
    return share + total % 100 if index == 0 else share


@kernel
def honba_share(honba, rules):
    """Return each payer's equal share of the honba on a tsumo, rounded up to hundreds (inventory 248)."""
    return hundreds(-(-honba * int(rules.score.honba_value) // (int(rules.match.players) - 1)))
