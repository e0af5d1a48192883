"""Own yaku in compiled code: the steps of their conditions (``rules.own.codes``) over one reading of a hand.

Most alternatives end at their filter: the circumstances and numbers of the reading are each one integer, so a
few comparisons decide many tests at once. A test of the others works on 27-bit masks: bit ``9 * suit + rank``
stands for one choice of the letters n and x. The suits y and z are the two others, in both orders; k is tried
number by number. So nothing is searched, and the cost is that of the steps.
"""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import FIRSTS, popcount, suits_in
from jantaku.kernels.own_terms import EVERY, NINE, ROW, all_runs, is_said, runs_held, term
from jantaku.rules.own import codes


@kernel
def held_at_least(what, level, b):
    """Where there are at least ``level`` (1–4) of something, as a mask of kinds."""
    if what == codes.RUN:
        return runs_held(b, level)
    if what == codes.COUNT:
        if level <= 2:
            return b.kinds if level == 1 else b.two
        return b.three if level == 3 else b.four
    if level > 1:
        return 0
    if what == codes.TRIPLET:
        return b.triplets
    if what == codes.CONCEALED_TRIPLET:
        return b.concealed
    if what == codes.QUAD:
        return b.quads
    if what == codes.CONCEALED_QUAD:
        return b.quads & b.concealed
    return b.pairs if what == codes.PAIR else b.win


@kernel
def moved(mask, argument, k, order):
    """For which choices of n and x the tile of a pattern is in ``mask``."""
    suit, rank, kind = argument >> 12 & 15, (argument >> 16) - codes.OFFSET, argument >> 8 & 15
    mask &= EVERY
    if suit >= codes.SUIT_FIXED:
        mask = (mask >> NINE * (suit - codes.SUIT_FIXED) & ROW) * FIRSTS
    elif suit > 0:
        turn = NINE * (suit if order == 0 else 3 - suit)
        mask = (mask >> turn | mask << 27 - turn) & EVERY
    if kind == codes.RANK_N:
        if rank >= 0:
            return mask >> rank & (ROW >> rank) * FIRSTS
        return mask << -rank & (ROW << -rank & ROW) * FIRSTS
    if kind == codes.RANK_K:
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
    chosen = 0
    for n in range(NINE):
        least, equal = n + offset >= k, n + offset == k
        if op == codes.N_AT_LEAST_K:
            holds = least
        elif op == codes.N_BELOW_K:
            holds = not least
        else:
            holds = equal == (op == codes.N_IS_K)
        chosen |= FIRSTS << n if holds else 0
    return chosen


@kernel
def test(own, i, total, k, order, b):
    """For which choices of n and x the test of step ``i`` holds; ``total`` is the sum before it."""
    op, bound = int(own.steps[i, codes.OP]), int(own.steps[i, codes.ARGUMENT])
    if op == codes.AT_LEAST:
        return EVERY if total >= bound else 0
    if op == codes.BELOW:
        return EVERY if total < bound else 0
    if op == codes.EQUAL:
        return EVERY if total == bound else 0
    if op == codes.UNEQUAL:
        return EVERY if total != bound else 0
    if op == codes.PATTERN:
        return pattern(bound, k, order, b)
    if op == codes.NO_PATTERN:
        return EVERY & ~pattern(bound, k, order, b)
    if op == codes.RANKS:
        return int(own.steps[i, codes.MASK])
    if op == codes.VALUES_OF_K:
        return EVERY if int(own.steps[i, codes.MASK]) >> k & 1 else 0
    return against_k(op, bound, k)


@kernel
def circumstances(b):
    """The flags, the form, the wait and the winds of the reading as one integer."""
    return (
        b.flags & codes.FLAG_BITS
        | 1 << codes.FORM_AT + b.form
        | 1 << codes.WAIT_AT + b.wait
        | b.closed << codes.CLOSED_AT
        | b.seat >> 27 << codes.SEAT_AT
        | b.round >> 27 << codes.ROUND_AT
    )


@kernel
def numbers(b):
    """The numbers of the reading (``COUNTED``) as one integer."""
    total = min(b.reds, codes.MOST_COUNTED)
    total = total << codes.NUMBER_WIDTH | min(b.dora, codes.MOST_COUNTED)
    total = total << codes.NUMBER_WIDTH | b.twice
    total = total << codes.NUMBER_WIDTH | b.melds
    total = total << codes.NUMBER_WIDTH | suits_in(b.kinds)
    total = total << codes.NUMBER_WIDTH | popcount(b.kinds)
    total = total << codes.NUMBER_WIDTH | popcount(b.pairs)
    total = total << codes.NUMBER_WIDTH | popcount(b.quads & b.concealed)
    total = total << codes.NUMBER_WIDTH | popcount(b.quads)
    total = total << codes.NUMBER_WIDTH | popcount(b.concealed)
    total = total << codes.NUMBER_WIDTH | popcount(b.triplets)
    return total << codes.NUMBER_WIDTH | all_runs(b)


@kernel
def passes(own, i, circumstance, number, kinds):
    """Whether a reading meets the filter of an alternative."""
    wrong = circumstance & int(own.filter[i, codes.CARE]) ^ int(own.filter[i, codes.WANT])
    wrong |= kinds & int(own.filter[i, codes.NONE_OF])
    within = (number | codes.GUARDS) - int(own.filter[i, codes.LOW]) & int(own.filter[i, codes.HIGH]) - number
    return wrong | ~within & codes.GUARDS == 0 and kinds & int(own.filter[i, codes.SOME_OF]) != 0


@kernel
def holds(own, which, choice, b, yaku, had):
    """Whether some n and x meet all tests of an alternative, for one choice of k and order of the suits."""
    chosen, total, k, order = EVERY, 0, choice >> 1, choice & 1
    for i in range(int(own.begin[which]), int(own.end[which])):
        op = int(own.steps[i, codes.OP])
        if op >= codes.TERM:
            if not is_said(op - codes.TERM, b):
                return False
            mask, factor = int(own.steps[i, codes.MASK]), int(own.steps[i, codes.ARGUMENT])
            total += factor * term(op - codes.TERM, mask, b, yaku, had)
            continue
        chosen &= test(own, i, total, k, order, b)
        if chosen == 0:
            return False
        total = 0
    return True


@kernel
def is_met(own, which, b, yaku, had):
    """Whether some choice of the letters meets all tests of an alternative."""
    for k in range(int(own.values_of_k[which])):
        for order in range(int(own.orders[which])):
            if holds(own, which, k << 1 | order, b, yaku, had):
                return True
    return False


@routine
def own_mask(b, yaku, wanted, rules):
    """Which of the own yaku ``wanted`` the reading has, as bits in the order of the ruleset.

    ``yaku`` are its built-in yaku. An own yaku comes after those that its condition names.
    """
    own, had = rules.conditions, 0
    circumstance, number = circumstances(b), numbers(b)
    for i in range(int(own.count)):
        bit = 1 << int(own.index[i])
        if (
            wanted & ~had & bit
            and passes(own, i, circumstance, number, b.kinds)
            and is_met(own, i, b, yaku, had)
        ):
            had |= bit
    return had
