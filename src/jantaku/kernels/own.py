"""Own yaku in compiled code: the steps of their conditions (``rules.own.codes``) over one reading of a hand.

Most alternatives end at their filter: the circumstances and numbers of the reading are each one integer, so a
few comparisons decide many tests at once. A test of the others works on 27-bit masks: bit ``9 * suit + rank``
stands for one choice of the letters n and x. The suits y and z are the two others, in both orders; k is tried
number by number. So nothing is searched, and the cost is that of the steps.
"""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import FIRSTS, popcount, suits_in
from jantaku.kernels.reading import STANDARD
from jantaku.kernels.win import SAID_DISCARDED, SAID_SCORE, SAID_TURN
from jantaku.rules.own.codes import (
    ALL_KINDS,
    ARGUMENT,
    AT_LEAST,
    BELOW,
    CARE,
    CLOSED,
    CLOSED_AT,
    CONCEALED_QUAD,
    CONCEALED_TRIPLET,
    COUNT,
    DISCARDED,
    DORA,
    EQUAL,
    FLAG,
    FLAG_BITS,
    FORM,
    FORM_AT,
    GUARDS,
    HIGH,
    HONBA,
    KINDS,
    KITA,
    LOW,
    MASK,
    MELDS,
    MISSING_1,
    MISSING_2,
    MISSING_3,
    MISSING_4,
    MOST_COUNTED,
    N_AT_LEAST_K,
    N_BELOW_K,
    N_IS_K,
    NO_PATTERN,
    NONE_OF,
    NUMBER_WIDTH,
    OFFSET,
    OP,
    OUTSIDE,
    PAIR,
    PATTERN,
    QUAD,
    RANK_K,
    RANK_N,
    RANKS,
    RED,
    ROUND,
    ROUND_AT,
    ROUND_WIND,
    RUN,
    SCORE,
    SEAT,
    SEAT_AT,
    SEAT_WIND,
    SOME_OF,
    STRAY,
    STREAK,
    SUIT_FIXED,
    SUITS,
    TERM,
    TRIPLET,
    TURN,
    TWIN_RUNS,
    UNEQUAL,
    URA,
    VALUED,
    VALUES_OF_K,
    WAIT,
    WAIT_AT,
    WANT,
    WINNING_TILE,
    WON_ON,
    YAKU,
)

ROW = 0b111111111
EVERY = ROW * FIRSTS
NINE = 9


@kernel
def tiles_of(mask, b):
    """The kinds of a mask, with the winds and value tiles that it stands for."""
    kinds = mask & ALL_KINDS
    kinds |= b.seat if mask & SEAT_WIND else 0
    kinds |= b.round if mask & ROUND_WIND else 0
    kinds |= b.win if mask & WINNING_TILE else 0
    return kinds | (b.valued if mask & VALUED else 0)


@kernel
def runs_held(b, level):
    """The runs that occur at least ``level`` times, as their lowest tiles."""
    if level <= 1 or b.form != STANDARD or popcount(b.runs) + popcount(b.triplets) == 4:
        return b.runs if level <= 1 else 0
    found = before = two_before = 0
    for kind in range(27):
        bit = 1 << kind
        held = (
            int(b.kinds & bit != 0) + int(b.two & bit != 0) + int(b.three & bit != 0) + int(b.four & bit != 0)
        )
        held -= 2 * int(b.pairs & bit != 0) + 3 * int(b.triplets & bit != 0) + int(b.quads & bit != 0)
        here = held - before - two_before
        found |= bit if here >= level else 0
        two_before, before = before, here
    return found


@kernel
def run_count(b, kinds):
    """How many runs need no other tiles than ``kinds``."""
    if kinds == ALL_KINDS:
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
    """How many runs there are."""
    return 4 - popcount(b.triplets) if b.form == STANDARD else 0


@kernel
def set_term(what, kinds, b):
    """A number of sets, pairs or tiles among ``kinds``."""
    if what == COUNT:
        return (
            popcount(b.kinds & kinds)
            + popcount(b.two & kinds)
            + popcount(b.three & kinds)
            + popcount(b.four & kinds)
        )
    if what == RUN:
        return run_count(b, kinds)
    if what == TRIPLET:
        return popcount(b.triplets & kinds)
    if what == CONCEALED_TRIPLET:
        return popcount(b.concealed & kinds)
    if what == QUAD:
        return popcount(b.quads & kinds)
    if what == CONCEALED_QUAD:
        return popcount(b.quads & b.concealed & kinds)
    if what == PAIR:
        return popcount(b.pairs & kinds)
    return int(b.win & kinds != 0)


@kernel
def tile_term(what, kinds, b):
    """A number of kinds of tiles, or a wind."""
    if what == KINDS:
        return popcount(b.kinds & kinds)
    if what == OUTSIDE:
        return popcount(b.kinds & ~kinds)
    if what == STRAY:
        fitting = (kinds | kinds >> 1 | kinds >> 2) & EVERY
        alone = 0 if b.form == STANDARD else b.kinds & ~kinds
        return popcount(b.runs & ~fitting) + popcount((b.triplets | b.pairs) & ~kinds) + popcount(alone)
    if what == MISSING_1:
        return popcount(kinds & ~b.kinds)
    if what == MISSING_2:
        return popcount(kinds & ~b.two)
    if what == MISSING_3:
        return popcount(kinds & ~b.three)
    if what == MISSING_4:
        return popcount(kinds & ~b.four)
    if what == SEAT:
        return int(b.seat & kinds != 0)
    if what == ROUND:
        return int(b.round & kinds != 0)
    return popcount((b.discarded if what == DISCARDED else b.red) & kinds)


@kernel
def plain_number(what, b):
    """A number that does not depend on tiles named."""
    if what == SUITS:
        return suits_in(b.kinds)
    if what == MELDS:
        return b.melds
    if what == HONBA:
        return b.honba
    if what == STREAK:
        return b.streak
    if what == DORA:
        return b.dora
    if what == URA:
        return b.ura
    if what == RED:
        return b.reds
    if what == KITA:
        return b.kita
    if what == TURN:
        return b.turn
    if what == SCORE:
        return b.score
    return b.twice if what == TWIN_RUNS else b.closed


@kernel
def term(what, mask, b, yaku, found):
    """The value of one term of a sum; ``yaku`` are the reading's built-in yaku, ``found`` its local ones."""
    if what <= WON_ON:
        return set_term(what, tiles_of(mask, b), b)
    if what <= DISCARDED:
        return tile_term(what, tiles_of(mask, b), b)
    if what <= CLOSED:
        return plain_number(what, b)
    if what == FLAG:
        return int(b.flags & mask != 0)
    if what == FORM:
        return int(b.form == mask)
    if what == WAIT:
        return int(b.wait == mask)
    return int((yaku if what == YAKU else found) >> mask & 1)


@kernel
def is_said(what, b):
    """Whether the win says what a term asks for; unsaid, neither a test nor its opposite holds."""
    if what == TURN:
        return b.said & SAID_TURN != 0
    if what == SCORE:
        return b.said & SAID_SCORE != 0
    return what != DISCARDED or b.said & SAID_DISCARDED != 0


@kernel
def held_at_least(what, level, b):
    """Where there are at least ``level`` (1–4) of something, as a mask of kinds."""
    if what == RUN:
        return runs_held(b, level)
    if what == COUNT:
        if level <= 2:
            return b.kinds if level == 1 else b.two
        return b.three if level == 3 else b.four
    if level > 1:
        return 0
    if what == TRIPLET:
        return b.triplets
    if what == CONCEALED_TRIPLET:
        return b.concealed
    if what == QUAD:
        return b.quads
    if what == CONCEALED_QUAD:
        return b.quads & b.concealed
    return b.pairs if what == PAIR else b.win


@kernel
def moved(mask, argument, k, order):
    """For which choices of n and x the tile of a pattern is in ``mask``."""
    suit, rank, kind = argument >> 12 & 15, (argument >> 16) - OFFSET, argument >> 8 & 15
    mask &= EVERY
    if suit >= SUIT_FIXED:
        mask = (mask >> NINE * (suit - SUIT_FIXED) & ROW) * FIRSTS
    elif suit > 0:
        turn = NINE * (suit if order == 0 else 3 - suit)
        mask = (mask >> turn | mask << 27 - turn) & EVERY
    if kind == RANK_N:
        if rank >= 0:
            return mask >> rank & (ROW >> rank) * FIRSTS
        return mask << -rank & (ROW << -rank & ROW) * FIRSTS
    if kind == RANK_K:
        rank += k
    return (mask >> rank & FIRSTS) * ROW if 0 <= rank < NINE else 0


@kernel
def pattern(argument, k, order, b):
    """For which choices of n and x the hand has what a pattern asks for."""
    least = argument >> 4 & 15
    if least == 0:
        return EVERY
    if least > 4:
        return 0
    return moved(held_at_least(argument & 15, least, b), argument, k, order)


@kernel
def against_k(op, offset, k):
    """For which n ``n + offset`` is at least k, equal to it, or not."""
    found = 0
    for n in range(NINE):
        least, equal = n + offset >= k, n + offset == k
        if op == N_AT_LEAST_K:
            holds = least
        elif op == N_BELOW_K:
            holds = not least
        else:
            holds = equal == (op == N_IS_K)
        found |= FIRSTS << n if holds else 0
    return found


@kernel
def test(own, i, total, k, order, b):
    """For which choices of n and x the test of step ``i`` holds; ``total`` is the sum before it."""
    op, bound = int(own.steps[i, OP]), int(own.steps[i, ARGUMENT])
    if op == AT_LEAST:
        return EVERY if total >= bound else 0
    if op == BELOW:
        return EVERY if total < bound else 0
    if op == EQUAL:
        return EVERY if total == bound else 0
    if op == UNEQUAL:
        return EVERY if total != bound else 0
    if op == PATTERN:
        return pattern(bound, k, order, b)
    if op == NO_PATTERN:
        return EVERY & ~pattern(bound, k, order, b)
    if op == RANKS:
        return int(own.steps[i, MASK])
    if op == VALUES_OF_K:
        return EVERY if int(own.steps[i, MASK]) >> k & 1 else 0
    return against_k(op, bound, k)


@kernel
def circumstances(b):
    """The flags, the form, the wait and the winds of the reading as one integer."""
    return (
        b.flags & FLAG_BITS
        | 1 << FORM_AT + b.form
        | 1 << WAIT_AT + b.wait
        | b.closed << CLOSED_AT
        | b.seat >> 27 << SEAT_AT
        | b.round >> 27 << ROUND_AT
    )


@kernel
def numbers(b):
    """The numbers of the reading (``COUNTED``) as one integer."""
    total = min(b.reds, MOST_COUNTED)
    total = total << NUMBER_WIDTH | min(b.dora, MOST_COUNTED)
    total = total << NUMBER_WIDTH | b.twice
    total = total << NUMBER_WIDTH | b.melds
    total = total << NUMBER_WIDTH | suits_in(b.kinds)
    total = total << NUMBER_WIDTH | popcount(b.kinds)
    total = total << NUMBER_WIDTH | popcount(b.pairs)
    total = total << NUMBER_WIDTH | popcount(b.quads & b.concealed)
    total = total << NUMBER_WIDTH | popcount(b.quads)
    total = total << NUMBER_WIDTH | popcount(b.concealed)
    total = total << NUMBER_WIDTH | popcount(b.triplets)
    return total << NUMBER_WIDTH | all_runs(b)


@kernel
def passes(own, i, circumstance, number, kinds):
    """Whether a reading meets the filter of an alternative."""
    wrong = circumstance & int(own.filter[i, CARE]) ^ int(own.filter[i, WANT])
    wrong |= kinds & int(own.filter[i, NONE_OF])
    within = (number | GUARDS) - int(own.filter[i, LOW]) & int(own.filter[i, HIGH]) - number
    return wrong | ~within & GUARDS == 0 and kinds & int(own.filter[i, SOME_OF]) != 0


@kernel
def holds(own, which, choice, b, yaku, found):
    """Whether some n and x meet all tests of an alternative, for one choice of k and order of the suits."""
    chosen, total, k, order = EVERY, 0, choice >> 1, choice & 1
    for i in range(int(own.begin[which]), int(own.end[which])):
        op = int(own.steps[i, OP])
        if op >= TERM:
            if not is_said(op - TERM, b):
                return False
            total += int(own.steps[i, ARGUMENT]) * term(op - TERM, int(own.steps[i, MASK]), b, yaku, found)
            continue
        chosen &= test(own, i, total, k, order, b)
        if chosen == 0:
            return False
        total = 0
    return True


@kernel
def is_met(own, which, b, yaku, found):
    """Whether some choice of the letters meets all tests of an alternative."""
    for k in range(int(own.values_of_k[which])):
        for order in range(int(own.orders[which])):
            if holds(own, which, k << 1 | order, b, yaku, found):
                return True
    return False


@routine
def own_mask(b, yaku, found, wanted, rules):
    """``found``, and those of the local yaku ``wanted`` whose conditions the reading meets.

    ``yaku`` are its built-in yaku. An own yaku comes after those that its condition names.
    """
    own = rules.own
    circumstance, number = circumstances(b), numbers(b)
    for i in range(int(own.count)):
        bit = 1 << int(own.place[i])
        if (
            wanted & ~found & bit
            and passes(own, i, circumstance, number, b.kinds)
            and is_met(own, i, b, yaku, found)
        ):
            found |= bit
    return found
