"""Yaku played only at some tables."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import (
    DRAGONS,
    EAST_WIND,
    FIRSTS,
    HONOURS,
    QUAD_ROOM,
    TRIPLE_ROOM,
    WINDS,
    suits_in,
)
from jantaku.kernels.reading import SEVEN_PAIRS, UNCONNECTED


@kernel
def three_suit_straight(runs):
    """Return whether there are 123, 456 and 789, each in a different suit."""
    low, middle, high = runs & FIRSTS, runs >> 3 & FIRSTS, runs >> 6 & FIRSTS
    for first in (1, 1 << 9, 1 << 18):
        for second in (1, 1 << 9, 1 << 18):
            third = FIRSTS & ~first & ~second
            if first != second and low & first and middle & second and high & third:
                return True
    return False


@kernel
def seven_in_a_row(kinds, start):
    """Return whether the kinds are the seven ranks of one suit starting at rank ``start`` (0–2)."""
    row = 0b1111111 << start
    return kinds == row or kinds == row << 9 or kinds == row << 18


@kernel
def sanrenkou(b):
    return b.triplets & b.triplets >> 1 & b.triplets >> 2 & TRIPLE_ROOM != 0


@kernel
def uumensai(b):
    return suits_in(b.kinds) == 3 and b.kinds & WINDS != 0 and b.kinds & DRAGONS != 0


@kernel
def sanshoku_tsuukan(b):
    return three_suit_straight(b.runs)


@kernel
def shiisan_puutaa(b):
    return b.form == UNCONNECTED


@kernel
def shousharin(b):
    return b.form == SEVEN_PAIRS and (seven_in_a_row(b.kinds, 0) or seven_in_a_row(b.kinds, 2))


@kernel
def daisharin(b):
    return b.form == SEVEN_PAIRS and seven_in_a_row(b.kinds, 1)


@kernel
def suurenkou(b):
    return b.triplets & b.triplets >> 1 & b.triplets >> 2 & b.triplets >> 3 & QUAD_ROOM != 0


@kernel
def daichisei(b):
    return b.form == SEVEN_PAIRS and b.kinds & ~HONOURS == 0


@kernel
def paarenchan(b):
    return b.seat == EAST_WIND and b.streak >= 8


@kernel
def by_local_rule(b):
    """Return the yaku of this module that the reading has, as a mask of ``kernels.bits``."""
    mask = 0
    mask |= int(sanrenkou(b)) << bits.SANRENKOU
    mask |= int(uumensai(b)) << bits.UUMENSAI
    mask |= int(sanshoku_tsuukan(b)) << bits.SANSHOKU_TSUUKAN
    mask |= int(shiisan_puutaa(b)) << bits.SHIISAN_PUUTAA
    mask |= int(shousharin(b)) << bits.SHOUSHARIN
    mask |= int(daisharin(b)) << bits.DAISHARIN
    mask |= int(suurenkou(b)) << bits.SUURENKOU
    mask |= int(daichisei(b)) << bits.DAICHISEI
    mask |= int(paarenchan(b)) << bits.PAARENCHAN
    return mask
