"""Every way to divide a suit's tiles into sets and at most one pair (a *cut*), looked up by the tile counts.

The table is one flat ``uint16`` array. Its first part is indexed by the counts, read as a number in base
five, and gives the position in the second part where the suit's cuts begin, 0 if there is none. A cut is
two entries: the first holds its runs (seven ranks), how many runs occur twice and the rank of its pair; the
second its triplets (nine ranks) and whether another cut follows. 21,743 counts can be cut, in at most four
ways.
"""

from collections import defaultdict
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.kernels._cache import load_or_build
from jantaku.kernels._jit import kernel
from jantaku.kernels.lookup import FIVES

Cuts = npt.NDArray[np.uint16]

CUTS: Final = 5**9  # where the second part begins; its entry 0 is unused
TWICE: Final = 7  # bits of a cut's first entry: runs 0–6, twins 7–8, rank of the pair 9–12
PAIR: Final = 9
NO_PAIR: Final = 15
FOLLOWS: Final = 9  # bits of the second: triplets 0–8, another cut follows
SEVEN: Final = (1 << 7) - 1
NINE: Final = (1 << 9) - 1

_SETS: Final = [(rank, rank + 1, rank + 2) for rank in range(7)] + [(rank,) * 3 for rank in range(9)]


def _cut(chosen: tuple[int, ...], pair: int) -> tuple[int, int]:
    runs = [part for part in chosen if part < 7]
    twins = sum(runs.count(run) // 2 for run in set(runs))
    first = sum(1 << run for run in set(runs)) | twins << TWICE | (pair if pair >= 0 else NO_PAIR) << PAIR
    return first, sum(1 << part - 7 for part in chosen if part >= 7)


def build() -> Cuts:
    """Build the table from every choice of up to four sets and a pair; this takes a quarter of a second."""
    cuts_of: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number in range(5):
        for chosen in combinations_with_replacement(range(len(_SETS)), number):
            counts = [0] * 9
            for part in chosen:
                for rank in _SETS[part]:
                    counts[rank] += 1
            if max(counts) > 4:
                continue
            key = sum(count * five for count, five in zip(counts, FIVES, strict=True))
            for pair in range(-1, 9):
                if pair < 0 or counts[pair] <= 2:
                    cuts_of[key + (2 * FIVES[pair] if pair >= 0 else 0)].append(_cut(chosen, pair))
    table = np.zeros(CUTS, np.uint16)
    entries = [0]
    for key, cuts in cuts_of.items():
        table[key] = len(entries)
        for i, (first, second) in enumerate(cuts):
            entries += [first, second | int(i + 1 < len(cuts)) << FOLLOWS]
    return np.concatenate([table, np.array(entries, np.uint16)])


@lru_cache(maxsize=1)
def cut_tables() -> Cuts:
    """Return the table, loaded from disk if it was built before."""
    return load_or_build("cuts", build)


@kernel
def cut_honours(hand):
    """Cut the honours into ``triplets << 7 | pairs``; −1 if a kind occurs once or four times."""
    triplets = pairs = wrong = 0
    for rank in range(7):
        count = int(hand[27 + rank])
        wrong |= int(count == 1 or count == 4)
        triplets |= int(count == 3) << rank
        pairs |= int(count == 2) << rank
    return -1 if wrong else triplets << 7 | pairs
