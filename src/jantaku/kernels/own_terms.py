"""Terms in the conditions of custom yaku: counts of sets and tiles, and circumstances, of one reading."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import FIRSTS, popcount, suits_in
from jantaku.kernels.reading import STANDARD
from jantaku.kernels.win import SAID_DISCARDED, SAID_SCORE, SAID_TURN
from jantaku.rules.own import codes

ROW = 0b111111111
EVERY = ROW * FIRSTS
NINE = 9


@kernel
def tiles_of(mask, b):
    """Return the kinds of a mask, including the winds and value tiles it stands for."""
    kinds = mask & codes.ALL_KINDS
    kinds |= b.seat if mask & codes.SEAT_WIND else 0
    kinds |= b.round if mask & codes.ROUND_WIND else 0
    kinds |= b.win if mask & codes.WINNING_TILE else 0
    return kinds | (b.valued if mask & codes.VALUED else 0)


@kernel
def runs_held(b, level):
    """Return the runs that occur at least ``level`` times, as their lowest tiles."""
    if level <= 1 or b.form != STANDARD or popcount(b.runs) + popcount(b.triplets) == 4:
        return b.runs if level <= 1 else 0
    starts = before = two_before = 0
    for kind in range(27):
        bit = 1 << kind
        held = (
            int(b.kinds & bit != 0) + int(b.two & bit != 0) + int(b.three & bit != 0) + int(b.four & bit != 0)
        )
        held -= 2 * int(b.pairs & bit != 0) + 3 * int(b.triplets & bit != 0) + int(b.quads & bit != 0)
        here = held - before - two_before
        starts |= bit if here >= level else 0
        two_before, before = before, here
    return starts


@kernel
def run_count(b, kinds):
    """Count the runs that consist only of ``kinds``."""
    if kinds == codes.ALL_KINDS:
        return all_runs(b)
    starts = kinds & kinds >> 1 & kinds >> 2 & EVERY
    if b.runs & starts == 0:
        return 0
    total = popcount(b.runs & starts)
    for level in range(2, 5):
        total += popcount(runs_held(b, level) & starts)
    return total


@kernel
def all_runs(b):
    """Count the runs."""
    return 4 - popcount(b.triplets) if b.form == STANDARD else 0


@kernel
def set_term(what, kinds, b):
    """Count sets, pairs or tiles among ``kinds``."""
    if what == codes.COUNT:
        return (
            popcount(b.kinds & kinds)
            + popcount(b.two & kinds)
            + popcount(b.three & kinds)
            + popcount(b.four & kinds)
        )
    if what == codes.RUN:
        return run_count(b, kinds)
    if what == codes.TRIPLET:
        return popcount(b.triplets & kinds)
    if what == codes.CONCEALED_TRIPLET:
        return popcount(b.concealed & kinds)
    if what == codes.QUAD:
        return popcount(b.quads & kinds)
    if what == codes.CONCEALED_QUAD:
        return popcount(b.quads & b.concealed & kinds)
    if what == codes.PAIR:
        return popcount(b.pairs & kinds)
    return int(b.win & kinds != 0)


@kernel
def tile_term(what, kinds, b):
    """Count kinds of tiles, or test a wind."""
    if what == codes.KINDS:
        return popcount(b.kinds & kinds)
    if what == codes.OUTSIDE:
        return popcount(b.kinds & ~kinds)
    if what == codes.STRAY:
        fitting = (kinds | kinds >> 1 | kinds >> 2) & EVERY
        alone = 0 if b.form == STANDARD else b.kinds & ~kinds
        return popcount(b.runs & ~fitting) + popcount((b.triplets | b.pairs) & ~kinds) + popcount(alone)
    if what == codes.MISSING_1:
        return popcount(kinds & ~b.kinds)
    if what == codes.MISSING_2:
        return popcount(kinds & ~b.two)
    if what == codes.MISSING_3:
        return popcount(kinds & ~b.three)
    if what == codes.MISSING_4:
        return popcount(kinds & ~b.four)
    if what == codes.SEAT:
        return int(b.seat & kinds != 0)
    if what == codes.ROUND:
        return int(b.round & kinds != 0)
    return popcount((b.discarded if what == codes.DISCARDED else b.red) & kinds)


@kernel
def plain_number(what, b):
    """Return a number that does not depend on tiles."""
    if what == codes.SUITS:
        return suits_in(b.kinds)
    if what == codes.MELDS:
        return b.melds
    if what == codes.HONBA:
        return b.honba
    if what == codes.STREAK:
        return b.streak
    if what == codes.DORA:
        return b.dora
    if what == codes.URA:
        return b.ura
    if what == codes.RED:
        return b.reds
    if what == codes.KITA:
        return b.kita
    if what == codes.TURN:
        return b.turn
    if what == codes.SCORE:
        return b.score
    return b.twice if what == codes.TWIN_RUNS else b.closed


@kernel
def term(what, mask, b, yaku, had):
    """Return the value of one term of a sum; ``yaku`` are the built-in yaku, ``had`` the custom ones."""
    if what <= codes.WON_ON:
        return set_term(what, tiles_of(mask, b), b)
    if what <= codes.DISCARDED:
        return tile_term(what, tiles_of(mask, b), b)
    if what <= codes.CLOSED:
        return plain_number(what, b)
    if what == codes.FLAG:
        return int(b.flags & mask != 0)
    if what == codes.FORM:
        return int(b.form == mask)
    if what == codes.WAIT:
        return int(b.wait == mask)
    return int((yaku if what == codes.YAKU else had) >> mask & 1)


@kernel
def is_known(what, b):
    """Return whether the win states the fact a term needs; if not, neither a test nor its opposite holds."""
    if what == codes.TURN:
        return b.said & SAID_TURN != 0
    if what == codes.SCORE:
        return b.said & SAID_SCORE != 0
    return what != codes.DISCARDED or b.said & SAID_DISCARDED != 0
