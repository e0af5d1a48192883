"""The value of one reading of a winning hand: its yaku, han, fu and base points."""

from typing import Final

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.fu import FU_ITEMS, ONE_HAN_20_FU, fu
from jantaku.kernels.masks import HATSU, SUIT_MAN, SUIT_PIN, SUIT_SOU, lowest
from jantaku.kernels.own import own_mask
from jantaku.kernels.points import base_points, lifted_fu, limit_of
from jantaku.kernels.reading import FOUR_KANS, ROW, UNCONNECTED
from jantaku.kernels.rules import ONLY, choice
from jantaku.kernels.win import (
    BASE,
    DORA,
    ERROR,
    FU,
    HAN,
    IN_FURITEN,
    KANS,
    KITA,
    LIMIT,
    NO_ERROR,
    NO_YAKU,
    NOT_COMPLETE,
    OWN_YAKU,
    READING,
    RED,
    TSUMO,
    TWO_HAN_MINIMUM,
    URA,
    YAKU,
    YAKUMAN,
    YAKUMAN_LIMIT,
)
from jantaku.kernels.yaku import yaku_mask
from jantaku.rules.catalogue import YAKUMAN_BASE

ITEMS: Final = READING + ROW
RESULT: Final = ITEMS + len(FU_ITEMS)
SUITED: Final = SUIT_MAN | SUIT_PIN | SUIT_SOU
ADDS: Final = choice("score.limit_yaku", "adds")
EVERY_EIGHTH: Final = choice("deal.paarenchan", "every_eighth")
ONLY_TSUMO: Final = ONLY.index("tsumo")
ONLY_MAN: Final = ONLY.index("man")
ONLY_PIN: Final = ONLY.index("pin")
ONLY_HATSU: Final = ONLY.index("hatsu")
ONLY_NOT_FURITEN: Final = ONLY.index("not_furiten")
CAPS: Final = choice("score.limit_yaku", "caps")


@kernel
def unmet(b):
    """Return the conditions of ``only`` that the reading does not meet, as bits in the order of ``ONLY``."""
    return (
        int(b.flags & TSUMO == 0) << ONLY_TSUMO
        | int(b.kinds & SUITED & ~SUIT_MAN != 0) << ONLY_MAN
        | int(b.kinds & SUITED & ~SUIT_PIN != 0) << ONLY_PIN
        | int(b.kinds & HATSU == 0) << ONLY_HATSU
        | int(b.flags & IN_FURITEN != 0) << ONLY_NOT_FURITEN
    )


@kernel
def counted(b, part):
    """Return the yaku of ``part`` of the rules, built-in or custom, that may count for such a hand."""
    mask, failed = int(part.available[1 - b.closed]), unmet(b)
    while failed != 0:
        mask &= ~int(part.only[lowest(failed)])
        failed &= failed - 1
    return mask


@kernel
def available(b, rules):
    """Return the yaku of the reading that count under the ruleset, before replacements."""
    mask = yaku_mask(b) & counted(b, rules.yaku)
    if rules.deal.paarenchan == EVERY_EIGHTH and b.streak % 8 != 0:
        mask &= ~(1 << bits.PAARENCHAN)
    return mask


@kernel
def is_complete(b, mask, rules):
    """Return whether the reading is a complete hand; forms unique to one yaku need that yaku in ``mask``."""
    if b.form == UNCONNECTED:
        return mask >> bits.SHIISAN_PUUTAA & 1 != 0
    if b.form == FOUR_KANS:
        return rules.win.suukantsu_by_kan != 0 and mask >> bits.SUUKANTSU & 1 != 0
    return True


@kernel
def own_yaku_mask(b, yaku, rules):
    """Return the custom yaku of the reading; ``yaku`` are its built-in ones."""
    if rules.own_yaku.available[1 - b.closed] == 0:
        return 0
    return own_mask(b, yaku, counted(b, rules.own_yaku), rules)


@kernel
def without_replaced(mask, own, rules):
    """Return ``mask`` and ``own`` without yaku that another yaku of the hand replaces."""
    rest, left = mask & int(rules.yaku.replacing), own & int(rules.own_yaku.replacing)
    while rest != 0:
        mask &= ~int(rules.yaku.replaces[lowest(rest)])
        own &= ~int(rules.yaku.replaces_own[lowest(rest)])
        rest &= rest - 1
    while left != 0:
        mask &= ~int(rules.own_yaku.replaces[lowest(left)])
        own &= ~int(rules.own_yaku.replaces_own[lowest(left)])
        left &= left - 1
    return mask, own


@kernel
def sum_worth(mask, side, part):
    """Return the total value of the yaku in ``mask``; ``part`` of the rules: built-in or custom."""
    total = 0
    while mask != 0:
        total += int(part.worth[side, lowest(mask)])
        mask &= mask - 1
    return total


@kernel
def max_worth(mask, side, part):
    """Return the highest value of a yaku in ``mask``."""
    most = 0
    while mask != 0:
        most = max(most, int(part.worth[side, lowest(mask)]))
        mask &= mask - 1
    return most


@kernel
def total_worth(mask, own, side, rules):
    """Return the total value of all yaku of a hand."""
    return sum_worth(mask, side, rules.yaku) + sum_worth(own, side, rules.own_yaku)


@kernel
def highest_worth(mask, own, side, rules):
    """Return the highest value of a yaku of a hand."""
    return max(max_worth(mask, side, rules.yaku), max_worth(own, side, rules.own_yaku))


@kernel
def bonus_han(out):
    """Return the han that do not come from yaku: dora, norths set aside and kans."""
    return out[DORA] + out[RED] + out[URA] + out[KITA] + out[KANS]


@kernel
def clear_bonus(out):
    """Remove the han that do not come from yaku."""
    out[DORA] = out[RED] = out[URA] = out[KITA] = out[KANS] = 0


@kernel
def value_yakuman(mask, own, side, rules, out):
    """Value the hand by its yakuman alone; return False if it has none."""
    mask &= int(rules.yaku.yakuman[side])
    own &= int(rules.own_yaku.yakuman[side])
    if mask == 0 and own == 0:
        return False
    multiple = total_worth(mask, own, side, rules)
    if not rules.score.multiple_yakuman:
        multiple = highest_worth(mask, own, side, rules)
    out[YAKU] = mask
    out[OWN_YAKU] = own
    out[YAKUMAN] = multiple
    out[BASE] = YAKUMAN_BASE * multiple
    out[LIMIT] = YAKUMAN_LIMIT
    out[HAN] = out[FU] = 0
    clear_bonus(out)
    return True


@kernel
def has_yakuman(result, rules):
    """Return whether a hand has a yakuman by its yaku, not by counting han."""
    if not rules.score.aotenjou:
        return result[YAKUMAN] > 0
    built_in, own = rules.yaku.yakuman, rules.own_yaku.yakuman
    return (
        result[YAKU] & (int(built_in[0]) | int(built_in[1])) != 0
        or result[OWN_YAKU] & (int(own[0]) | int(own[1])) != 0
    )


@kernel
def minimum_error(mask, own, honba, side, rules):
    """Return why a hand with these yaku may not win: no yaku, or less than the two-han minimum in force."""
    mask &= int(rules.yaku.minimum)
    own &= int(rules.own_yaku.minimum)
    if mask == 0 and own == 0:
        return NO_YAKU
    han = total_worth(mask, own, side, rules)
    threshold = int(rules.win.two_han_from_honba)
    if threshold and honba >= threshold and han < 2:
        return TWO_HAN_MINIMUM
    return NO_ERROR


@kernel
def finish(han, points, rules, out):
    """Write han, fu, limit and base points to ``out``; ``points`` is the fu before ``lifted_fu``."""
    out[ITEMS + ONE_HAN_20_FU] = lifted_fu(han, points, rules)
    points += out[ITEMS + ONE_HAN_20_FU]
    out[HAN] = han
    out[FU] = points
    out[LIMIT] = limit_of(han, points, rules)
    out[BASE] = base_points(han, points, rules)


@kernel
def value(b, honba, rules, out):
    """Value one reading; ``out`` (``int64[RESULT]``) already contains the han of ``bonus_han``."""
    side = 1 - b.closed
    mask = available(b, rules)
    own = own_yaku_mask(b, mask, rules)
    points = fu(b, mask >> bits.PINFU & 1, rules, out[ITEMS:])
    complete = is_complete(b, mask, rules)
    mask, own = without_replaced(mask, own, rules)
    out[ERROR] = NO_ERROR
    out[YAKUMAN] = 0
    if not complete:
        out[ERROR] = NOT_COMPLETE
        out[YAKU] = out[OWN_YAKU] = out[HAN] = out[FU] = out[BASE] = out[LIMIT] = 0
        return
    if not rules.score.aotenjou and value_yakuman(mask, own, side, rules, out):
        return
    limits, own_limits = mask & int(rules.yaku.limit[side]), own & int(rules.own_yaku.limit[side])
    out[YAKU], out[OWN_YAKU] = mask, own
    if rules.score.limit_yaku != ADDS:
        out[YAKU], out[OWN_YAKU] = mask & ~limits, own & ~own_limits
    han = total_worth(out[YAKU], out[OWN_YAKU], side, rules)
    out[ERROR] = minimum_error(out[YAKU], out[OWN_YAKU], honba, side, rules)
    finish(han + bonus_han(out), points, rules, out)
    together = minimum_error(mask, own, honba, side, rules)
    if limits | own_limits != 0 and rules.score.limit_yaku != ADDS and together == NO_ERROR:
        limit_han = highest_worth(limits, own_limits, side, rules)
        alone = base_points(limit_han, points, rules)
        if rules.score.limit_yaku == CAPS or out[ERROR] or alone > out[BASE]:
            out[ERROR] = NO_ERROR
            out[YAKU], out[OWN_YAKU] = limits, own_limits
            clear_bonus(out)
            finish(limit_han, points, rules, out)
