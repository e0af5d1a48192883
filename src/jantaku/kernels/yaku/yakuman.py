"""The yakuman, and renhou, which counts as one at many tables."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import (
    DRAGONS,
    EAST_WIND,
    ENDS,
    GREENS,
    HONOURS,
    WINDS,
    popcount,
    suits_in,
)
from jantaku.kernels.reading import TANKI, THIRTEEN_ORPHANS, UNCONNECTED
from jantaku.kernels.win import FIRST_TURN, TSUMO


@kernel
def nine_gates(b):
    """Return whether the hand is 1112345678999 plus one tile of the same suit, without melds."""
    if b.melds != 0 or suits_in(b.kinds) != 1 or b.kinds & HONOURS != 0 or popcount(b.kinds) != 9:
        return False
    return b.kinds & ENDS & ~b.three == 0


@kernel
def surplus(b):
    """Return the tile that nine gates has in addition to 1112345678999."""
    return b.two & ~ENDS | b.four & ENDS


@kernel
def first_draw(b):
    """Return whether the player's first draw, before any call, completes the hand in a regular form."""
    return b.flags & (FIRST_TURN | TSUMO) == FIRST_TURN | TSUMO and b.melds == 0 and b.form != UNCONNECTED


@kernel
def renhou(b):
    return b.flags & (FIRST_TURN | TSUMO) == FIRST_TURN and b.seat != EAST_WIND and b.melds == 0


@kernel
def tenhou(b):
    return first_draw(b) and b.seat == EAST_WIND


@kernel
def chiihou(b):
    return first_draw(b) and b.seat != EAST_WIND


@kernel
def kokushi_musou(b):
    return b.form == THIRTEEN_ORPHANS


@kernel
def kokushi_juusanmen(b):
    return b.form == THIRTEEN_ORPHANS and b.pairs == b.win


@kernel
def chuuren_poutou(b):
    return nine_gates(b)


@kernel
def junsei_chuuren(b):
    return nine_gates(b) and b.win == surplus(b)


@kernel
def suuankou(b):
    return popcount(b.concealed) == 4


@kernel
def suuankou_tanki(b):
    return popcount(b.concealed) == 4 and b.wait == TANKI


@kernel
def daisangen(b):
    return popcount(b.triplets & DRAGONS) == 3


@kernel
def shousuushii(b):
    return popcount(b.triplets & WINDS) == 3 and b.pairs & WINDS != 0


@kernel
def daisuushii(b):
    return popcount(b.triplets & WINDS) == 4


@kernel
def tsuuiisou(b):
    return b.kinds & ~HONOURS == 0


@kernel
def ryuuiisou(b):
    return b.kinds & ~GREENS == 0


@kernel
def chinroutou(b):
    return b.kinds & ~ENDS == 0


@kernel
def suukantsu(b):
    return popcount(b.quads) == 4


@kernel
def by_yakuman(b):
    """Return the yaku of this module that the reading has, as a mask of ``kernels.bits``."""
    mask = 0
    mask |= int(renhou(b)) << bits.RENHOU
    mask |= int(tenhou(b)) << bits.TENHOU
    mask |= int(chiihou(b)) << bits.CHIIHOU
    mask |= int(kokushi_musou(b)) << bits.KOKUSHI_MUSOU
    mask |= int(kokushi_juusanmen(b)) << bits.KOKUSHI_JUUSANMEN
    mask |= int(chuuren_poutou(b)) << bits.CHUUREN_POUTOU
    mask |= int(junsei_chuuren(b)) << bits.JUNSEI_CHUUREN
    mask |= int(suuankou(b)) << bits.SUUANKOU
    mask |= int(suuankou_tanki(b)) << bits.SUUANKOU_TANKI
    mask |= int(daisangen(b)) << bits.DAISANGEN
    mask |= int(shousuushii(b)) << bits.SHOUSUUSHII
    mask |= int(daisuushii(b)) << bits.DAISUUSHII
    mask |= int(tsuuiisou(b)) << bits.TSUUIISOU
    mask |= int(ryuuiisou(b)) << bits.RYUUIISOU
    mask |= int(chinroutou(b)) << bits.CHINROUTOU
    mask |= int(suukantsu(b)) << bits.SUUKANTSU
    return mask
