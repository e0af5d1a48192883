"""Custom yaku in compiled code: evaluates the steps of their conditions (``rules.own.codes``) for a reading.

Most alternatives are decided by their filter: the circumstances and the numbers of the reading are one
integer each, so a few comparisons evaluate many tests at once. The other tests work on 27-bit masks, in which
bit ``9 * suit + rank`` stands for one choice of the letters n and x. The suits y and z are the two others, in
both orders; k is tried number by number. There is no search: the cost depends only on the number of steps.
"""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import FIRSTS, popcount, suits_in
from jantaku.kernels.own_terms import EVERY, NINE, ROW, all_runs, is_known, runs_held, term
from jantaku.rules.own import codes


@kernel
def held_at_least(what, level, b):
    """Return where there are at least ``level`` (1–4) of something, as a mask of kinds."""
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
    """Return the choices of n and x that place the tile of a pattern in ``mask``."""
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
    """Return the choices of n and x for which the hand matches a pattern."""
    least = argument >> 4 & 15
    if least == 0:
        return EVERY
    if least > 4:
        return 0
    return moved(held_at_least(argument & 15, least, b), argument, k, order)


@kernel
def against_k(op, offset, k):
    """Return the choices of n for which ``n + offset`` is at least k, below k, equal to k or unequal to k."""
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
    """Return the choices of n and x that meet the test of step ``i``; ``total`` is the sum before it."""
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
    """Pack the flags, the form, the wait and the winds of the reading into one integer."""
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
    """Pack the numbers of the reading (``COUNTED``) into one integer."""
    total = min(b.reds, codes.MAX_COUNTED)
    total = total << codes.NUMBER_WIDTH | min(b.dora, codes.MAX_COUNTED)
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
    """Return whether a reading passes the filter of an alternative."""
    wrong = circumstance & int(own.filter[i, codes.CARE]) ^ int(own.filter[i, codes.WANT])
    wrong |= kinds & int(own.filter[i, codes.NONE_OF])
    within = (number | codes.GUARDS) - int(own.filter[i, codes.LOW]) & int(own.filter[i, codes.HIGH]) - number
    return wrong | ~within & codes.GUARDS == 0 and kinds & int(own.filter[i, codes.SOME_OF]) != 0


@kernel
def holds(own, which, choice, b, yaku, had):
    """Return whether any n and x meet all tests of an alternative, for one choice of k and order of suits."""
    chosen, total, k, order = EVERY, 0, choice >> 1, choice & 1
    for i in range(int(own.begin[which]), int(own.end[which])):
        op = int(own.steps[i, codes.OP])
        if op >= codes.TERM:
            if not is_known(op - codes.TERM, b):
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
    """Return whether any choice of the letters meets all tests of an alternative."""
    for k in range(int(own.values_of_k[which])):
        for order in range(int(own.orders[which])):
            if holds(own, which, k << 1 | order, b, yaku, had):
                return True
    return False


@routine
def own_mask(b, yaku, wanted, rules):
    """Return which of the ``wanted`` custom yaku the reading has, as bits in the order of the ruleset.

    ``yaku`` are its built-in yaku. A custom yaku comes after those named in its condition.
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
