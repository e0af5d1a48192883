"""Fu, the minor points of a hand, item by item."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.reading import KANCHAN, PENCHAN, SEVEN_PAIRS, STANDARD, TANKI
from jantaku.kernels.win import AFTER_KAN, TSUMO

(
    BASE_FU,
    MENZEN_RON,
    TSUMO_FU,
    PAIR,
    TRIPLETS,
    WAIT,
    OPEN_PINFU,
    CHIITOITSU_FU,
    ONE_HAN_20_FU,
    ROUNDING,
    FIXED,
) = range(11)
FU_ITEMS: Final = (
    "base",
    "menzen_ron",
    "tsumo",
    "pair",
    "triplets",
    "wait",
    "open_pinfu",
    "chiitoitsu",
    "one_han_20_fu",
    "rounding",
    "fixed",
)


@kernel
def pair_fu(b, double_wind):
    """Return 2 for a pair of value tiles, ``double_wind`` for a pair of a double wind, otherwise 0."""
    if b.pairs & b.seat & b.round:
        return double_wind
    return 2 if b.pairs & (b.seat | b.round | b.valued) else 0


@kernel
def triplet_fu(b):
    """Return the fu of triplets: 2 if open, doubled if concealed, doubled for yaochuu, fourfold for quads."""
    total = 0
    for quads in range(2):
        for concealed in range(2):
            sets = b.quads if quads else b.triplets & ~b.quads
            sets &= b.concealed if concealed else ~b.concealed
            each = 2 << 2 * quads + concealed
            total += each * (popcount(sets) + popcount(sets & ORPHANS))
    return total


@kernel
def fu(b, pinfu, rules, items):
    """Return the hand's fu, rounded up to tens, and write each part to ``items`` (``int64[len(FU_ITEMS)]``).

    ``pinfu`` is whether the hand has pinfu, even one worth 0 han: its tsumo adds no fu.
    """
    for i in range(len(FU_ITEMS)):
        items[i] = 0
    if rules.score.fixed_fu:
        items[FIXED] = int(rules.score.fixed_fu)
        return items[FIXED]
    if b.form != STANDARD:
        if b.form == SEVEN_PAIRS:
            items[CHIITOITSU_FU] = 25
            return 25
        items[BASE_FU] = 30
        return 30
    items[BASE_FU] = 20
    if b.flags & TSUMO == 0:
        items[MENZEN_RON] = 10 * b.closed
    elif not pinfu and (b.flags & AFTER_KAN == 0 or rules.score.rinshan_tsumo_fu):
        items[TSUMO_FU] = 2
    items[PAIR] = pair_fu(b, int(rules.score.double_wind_pair_fu))
    items[TRIPLETS] = triplet_fu(b)
    items[WAIT] = 2 if b.wait == KANCHAN or b.wait == PENCHAN or b.wait == TANKI else 0
    total = items[BASE_FU] + items[MENZEN_RON] + items[TSUMO_FU] + items[PAIR] + items[TRIPLETS] + items[WAIT]
    if total == 20 and b.closed == 0:
        items[OPEN_PINFU] = 10
    items[ROUNDING] = -total % 10
    return total + items[OPEN_PINFU] + items[ROUNDING]
