"""Yaku that depend on the tiles of the hand."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import (
    CHUN,
    DRAGONS,
    END_RUNS,
    ENDS,
    FIRSTS,
    HAKU,
    HATSU,
    HONOURS,
    NORTH_WIND,
    ORPHANS,
    SUIT_MAN,
    popcount,
    suits_in,
)
from jantaku.kernels.reading import RYANMEN, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNCONNECTED


@kernel
def pinfu(b):
    return (
        b.form == STANDARD
        and b.triplets == 0
        and b.wait == RYANMEN
        and b.pairs & (b.seat | b.round | b.valued) == 0
    )


@kernel
def tanyao(b):
    return b.kinds & ORPHANS == 0


@kernel
def iipeikou(b):
    return b.twice > 0


@kernel
def yakuhai_haku(b):
    return b.triplets & HAKU != 0


@kernel
def yakuhai_hatsu(b):
    return b.triplets & HATSU != 0


@kernel
def yakuhai_chun(b):
    return b.triplets & CHUN != 0


@kernel
def round_wind(b):
    return b.triplets & b.round != 0


@kernel
def seat_wind(b):
    return b.triplets & b.seat != 0


@kernel
def yakuhai_north(b):
    return b.triplets & NORTH_WIND != 0


@kernel
def sanshoku_doujun(b):
    return b.runs & b.runs >> 9 & b.runs >> 18 != 0


@kernel
def ittsuu(b):
    return b.runs & b.runs >> 3 & b.runs >> 6 & FIRSTS != 0


@kernel
def chiitoitsu(b):
    return b.form == SEVEN_PAIRS


@kernel
def sanshoku_doukou(b):
    return b.triplets & b.triplets >> 9 & b.triplets >> 18 & SUIT_MAN != 0


@kernel
def chanta(b):
    return b.runs != 0 and b.runs & ~END_RUNS == 0 and (b.triplets | b.pairs) & ~ORPHANS == 0


@kernel
def honroutou(b):
    return b.runs == 0 and b.form != UNCONNECTED and b.kinds & ~ORPHANS == 0 and b.form != THIRTEEN_ORPHANS


@kernel
def toitoi(b):
    return b.form == STANDARD and b.runs == 0


@kernel
def sanankou(b):
    return popcount(b.concealed) >= 3


@kernel
def shousangen(b):
    return popcount(b.triplets & DRAGONS) == 2 and b.pairs & DRAGONS != 0


@kernel
def sankantsu(b):
    return popcount(b.quads) >= 3


@kernel
def ryanpeikou(b):
    return b.twice == 2


@kernel
def junchan(b):
    return b.runs != 0 and b.runs & ~END_RUNS == 0 and (b.triplets | b.pairs) & ~ENDS == 0


@kernel
def honitsu(b):
    return suits_in(b.kinds) == 1 and b.kinds & HONOURS != 0


@kernel
def chinitsu(b):
    return suits_in(b.kinds) == 1 and b.kinds & HONOURS == 0


@kernel
def by_hand(b):
    """Return the yaku of this module that the reading has, as a mask of ``kernels.bits``."""
    mask = 0
    mask |= int(pinfu(b)) << bits.PINFU
    mask |= int(tanyao(b)) << bits.TANYAO
    mask |= int(iipeikou(b)) << bits.IIPEIKOU
    mask |= int(yakuhai_haku(b)) << bits.YAKUHAI_HAKU
    mask |= int(yakuhai_hatsu(b)) << bits.YAKUHAI_HATSU
    mask |= int(yakuhai_chun(b)) << bits.YAKUHAI_CHUN
    mask |= int(round_wind(b)) << bits.ROUND_WIND
    mask |= int(seat_wind(b)) << bits.SEAT_WIND
    mask |= int(yakuhai_north(b)) << bits.YAKUHAI_NORTH
    mask |= int(sanshoku_doujun(b)) << bits.SANSHOKU_DOUJUN
    mask |= int(ittsuu(b)) << bits.ITTSUU
    mask |= int(chiitoitsu(b)) << bits.CHIITOITSU
    mask |= int(sanshoku_doukou(b)) << bits.SANSHOKU_DOUKOU
    mask |= int(chanta(b)) << bits.CHANTA
    mask |= int(honroutou(b)) << bits.HONROUTOU
    mask |= int(toitoi(b)) << bits.TOITOI
    mask |= int(sanankou(b)) << bits.SANANKOU
    mask |= int(shousangen(b)) << bits.SHOUSANGEN
    mask |= int(sankantsu(b)) << bits.SANKANTSU
    mask |= int(ryanpeikou(b)) << bits.RYANPEIKOU
    mask |= int(junchan(b)) << bits.JUNCHAN
    mask |= int(honitsu(b)) << bits.HONITSU
    mask |= int(chinitsu(b)) << bits.CHINITSU
    return mask
