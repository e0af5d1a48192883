"""The numbers of a condition's steps, as the compiled evaluator reads them.

A program is a list of alternatives; each is a list of tests that ends with ``END``. A test works on all
choices of the letters n and x at once: bit ``9 * suit + rank`` of a mask stands for one choice. A sum adds
terms up and compares them.
"""

from typing import Final

MOST_STEPS: Final = 128  # of one condition
MOST_STEPS_TOGETHER: Final = 512  # of all conditions of a ruleset
OP, MASK, ARGUMENT, NEXT = range(4)  # the columns of a step
STEP: Final = 4

# What a step does
(END, AT_LEAST, BELOW, EQUAL, UNEQUAL, PATTERN, NO_PATTERN) = range(7)
(RANKS, VALUES_OF_K, N_AT_LEAST_K, N_BELOW_K, N_IS_K, N_IS_NOT_K) = range(7, 13)
TERM: Final = 16  # from here on: a term of a sum

# What a pattern or a term looks for
COUNT, RUN, TRIPLET, CONCEALED_TRIPLET, QUAD, CONCEALED_QUAD, PAIR, WON_ON = range(8)
(KINDS, OUTSIDE, STRAY, MISSING_1, MISSING_2, MISSING_3, MISSING_4, SEAT, ROUND, RED_KINDS) = range(8, 18)
(SUITS, MELDS, HONBA, STREAK, DORA, URA, RED, KITA, TWIN_RUNS) = range(18, 27)
(CLOSED, FLAG, FORM, WAIT, YAKU) = range(27, 32)

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
