"""The numbers of a condition's steps, as the compiled evaluator reads them.

A program is a list of alternatives. Each has a filter, numbers that a reading is compared with first, and the
tests that the filter does not decide. A test works on all choices of the letters n and x at once: bit
``9 * suit + rank`` of a mask stands for one choice. A sum adds terms up and compares them.
"""

from typing import Final

MOST_STEPS: Final = 128  # of one condition, one for each alternative included
MOST_STEPS_TOGETHER: Final = 512  # of all conditions of a ruleset
MOST_ALTERNATIVES_TOGETHER: Final = MOST_STEPS_TOGETHER // 2  # each has a step of its own and one of a test
OP, MASK, ARGUMENT = range(3)  # the columns of a step
STEP: Final = 3

# What a step does
(AT_LEAST, BELOW, EQUAL, UNEQUAL, PATTERN, NO_PATTERN) = range(6)
(RANKS, VALUES_OF_K, N_AT_LEAST_K, N_BELOW_K, N_IS_K, N_IS_NOT_K) = range(6, 12)
TERM: Final = 16  # from here on: a term of a sum

# What a pattern or a term looks for
COUNT, RUN, TRIPLET, CONCEALED_TRIPLET, QUAD, CONCEALED_QUAD, PAIR, WON_ON = range(8)
(KINDS, OUTSIDE, STRAY, MISSING_1, MISSING_2, MISSING_3, MISSING_4, SEAT, ROUND, RED_KINDS) = range(8, 18)
(DISCARDED, SUITS, MELDS, HONBA, STREAK, DORA, URA, RED, KITA, TWIN_RUNS, TURN, SCORE) = range(18, 30)
(CLOSED, FLAG, FORM, WAIT, YAKU, OWN) = range(30, 36)

# The letters of a pattern: its rank is n, k or fixed; its suit x, y, z or fixed
RANK_N, RANK_K, RANK_FIXED = range(3)
SUIT_X, SUIT_Y, SUIT_Z, SUIT_FIXED = range(4)
OFFSET: Final = 16  # added to the offset of a rank, so that it is never negative

# Tiles that depend on the seat: bits of a mask above those of the 34 kinds
SEAT_WIND: Final = 1 << 34
ROUND_WIND: Final = 1 << 35
VALUED: Final = 1 << 36
WINNING_TILE: Final = 1 << 37
ALL_KINDS: Final = (1 << 34) - 1

# The columns of a filter: which circumstances are compared, and with what; the least and most of each number
# (the most with ``GUARDS``); the kinds of which there is none; those of which there is at least one
CARE, WANT, LOW, HIGH, NONE_OF, SOME_OF = range(6)
FILTER: Final = 6

# The circumstances of a reading as one integer: the flags of a win, then one bit for each form, wait and wind
FLAG_BITS: Final = (1 << 14) - 1
FORM_AT, WAIT_AT, CLOSED_AT, SEAT_AT, ROUND_AT = 14, 19, 25, 26, 30

# The numbers of a reading as one integer: four bits each, above which one is free for the comparison
COUNTED: Final = (
    RUN, TRIPLET, CONCEALED_TRIPLET, QUAD, CONCEALED_QUAD, PAIR, KINDS, SUITS, MELDS, TWIN_RUNS, DORA, RED,
)  # fmt: skip
NUMBER_WIDTH: Final = 5
MOST_COUNTED: Final = 15  # more than that counts as that
GUARDS: Final = sum(1 << NUMBER_WIDTH * i + 4 for i in range(len(COUNTED)))
