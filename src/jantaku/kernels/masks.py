"""Sets of tile kinds as bit masks, bit ``k`` for kind ``k``, and functions to count them."""

from typing import Final

from jantaku.kernels._jit import kernel

SUIT_MAN: Final = (1 << 9) - 1
SUIT_PIN: Final = SUIT_MAN << 9
SUIT_SOU: Final = SUIT_MAN << 18
HONOURS: Final = 0b1111111 << 27
WINDS: Final = 0b1111 << 27
DRAGONS: Final = 0b111 << 31
EAST_WIND: Final = 1 << 27
NORTH_WIND: Final = 1 << 30
HAKU: Final = 1 << 31
HATSU: Final = 1 << 32
CHUN: Final = 1 << 33
ENDS: Final = 0b100000001 | 0b100000001 << 9 | 0b100000001 << 18
ORPHANS: Final = ENDS | HONOURS
GREENS: Final = (1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7) << 18 | HATSU
FIRSTS: Final = 1 | 1 << 9 | 1 << 18  # first rank of each suit
SEVENTHS: Final = FIRSTS << 6  # first rank of each run up to nine
END_RUNS: Final = FIRSTS | SEVENTHS  # runs that contain a terminal
TRIPLE_ROOM: Final = 0b1111111 | 0b1111111 << 9 | 0b1111111 << 18  # ranks 1–7: two more above
QUAD_ROOM: Final = 0b111111 | 0b111111 << 9 | 0b111111 << 18  # ranks 1–6: three more above


@kernel
def popcount(mask):
    """Count the bits set; LLVM turns the loop into one instruction."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@kernel
def lowest(mask):
    """Return the number of the lowest set bit."""
    return popcount((mask & -mask) - 1)


@kernel
def suits_in(kinds):
    """Count the suits that occur (0–3)."""
    return int(kinds & SUIT_MAN != 0) + int(kinds & SUIT_PIN != 0) + int(kinds & SUIT_SOU != 0)
