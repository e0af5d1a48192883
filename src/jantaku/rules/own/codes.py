"""The instruction codes of conditions, for the compiled evaluator.

A program is a list of alternatives. Each has a filter, which is compared with a reading first, and steps for
the tests that the filter does not decide. A test handles all values of the letters n and x at once: bit
``9 * suit + rank`` of a mask stands for one pair of values. A sum adds up terms and compares the total with a
bound.
"""

from typing import Final

MAX_STEPS: Final = 128  # of one condition, including one for each alternative
MAX_STEPS_TOGETHER: Final = 512  # of all conditions of a ruleset
MAX_ALTERNATIVES_TOGETHER: Final = MAX_STEPS_TOGETHER // 2  # each has at least two steps
OP, MASK, ARGUMENT = range(3)  # the columns of a step
STEP: Final = 3

# Operations of steps
(AT_LEAST, BELOW, EQUAL, UNEQUAL, PATTERN, NO_PATTERN) = range(6)
(RANKS, VALUES_OF_K, N_AT_LEAST_K, N_BELOW_K, N_IS_K, N_IS_NOT_K) = range(6, 12)
TERM: Final = 16  # codes from here on are terms of a sum

# What a pattern or a term counts
COUNT, RUN, TRIPLET, CONCEALED_TRIPLET, QUAD, CONCEALED_QUAD, PAIR, WON_ON = range(8)
(KINDS, OUTSIDE, STRAY, MISSING_1, MISSING_2, MISSING_3, MISSING_4, SEAT, ROUND, RED_KINDS) = range(8, 18)
(DISCARDED, SUITS, MELDS, HONBA, STREAK, DORA, URA, RED, KITA, TWIN_RUNS, TURN, SCORE) = range(18, 30)
(CLOSED, FLAG, FORM, WAIT, YAKU, OWN) = range(30, 36)

# The letters of a pattern: its rank is n, k or fixed; its suit x, y, z or fixed
RANK_N, RANK_K, RANK_FIXED = range(3)
SUIT_X, SUIT_Y, SUIT_Z, SUIT_FIXED = range(4)
OFFSET: Final = 16  # added to the offset of a rank, so that it is never negative

# Tiles that depend on the win: bits of a mask above those of the 34 kinds
SEAT_WIND: Final = 1 << 34
ROUND_WIND: Final = 1 << 35
VALUED: Final = 1 << 36
WINNING_TILE: Final = 1 << 37
ALL_KINDS: Final = (1 << 34) - 1

# The columns of a filter: mask and values of circumstances; lower and upper bounds of the numbers (the upper
# ones with ``GUARDS``); kinds that must not occur; kinds of which at least one must occur
CARE, WANT, LOW, HIGH, NONE_OF, SOME_OF = range(6)
FILTER: Final = 6

# The circumstances of a reading as one integer: flags of the win, then a bit for each form, wait and wind
FLAG_BITS: Final = (1 << 14) - 1
FORM_AT, WAIT_AT, CLOSED_AT, SEAT_AT, ROUND_AT = 14, 19, 25, 26, 30

# The numbers of a reading as one integer: four bits each, and a guard bit for the comparison
COUNTED: Final = (
    RUN, TRIPLET, CONCEALED_TRIPLET, QUAD, CONCEALED_QUAD, PAIR, KINDS, SUITS, MELDS, TWIN_RUNS, DORA, RED,
)  # fmt: skip
NUMBER_WIDTH: Final = 5
MAX_COUNTED: Final = 15  # larger numbers are capped
GUARDS: Final = sum(1 << NUMBER_WIDTH * i + 4 for i in range(len(COUNTED)))
