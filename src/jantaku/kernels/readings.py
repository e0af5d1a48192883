"""All readings of a complete hand: which sets it can be cut into, and where the winning tile belongs.

A suit's runs are settled once its triplets and pair are chosen, so a suit is cut by trying every choice
of triplets among the ranks held three times, and reading the rest as runs from the lowest rank up.
"""

import numpy as np

from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.reading import (
    KANCHAN,
    MOST_READINGS,
    NO_WAIT,
    PENCHAN,
    ROW,
    ROW_CONCEALED,
    ROW_FORM,
    ROW_PAIRS,
    ROW_QUADS,
    ROW_RUNS,
    ROW_TRIPLETS,
    ROW_TWICE,
    ROW_WAIT,
    RYANMEN,
    SEVEN_PAIRS,
    SHANPON,
    STANDARD,
    TANKI,
    THIRTEEN_ORPHANS,
    UNCONNECTED,
)
from jantaku.kernels.win import ANKAN, CHI, FIRST_TURN, NO_MELD, PON, TSUMO

MOST_CUTS = 16  # ways to cut one suit; tests hold every one-suit hand to it
CUT_RUNS, CUT_TWICE, CUT_TRIPLETS, CUT_PAIR = range(4)


@kernel
def _runs_left(counts, ranks, cut):  # type: ignore[no-untyped-def]
    """Read ``counts`` (used up) as runs alone; write them to ``cut``. False where that cannot be."""
    runs = twice = 0
    for rank in range(ranks):
        count = counts[rank]
        if count == 0:
            continue
        if rank + 2 >= ranks or ranks == 7 or counts[rank + 1] < count or counts[rank + 2] < count:
            return False
        counts[rank + 1] -= count
        counts[rank + 2] -= count
        runs |= 1 << rank
        twice += count // 2
    cut[CUT_RUNS] = runs
    cut[CUT_TWICE] = twice
    return True


@kernel
def _cut_with_pair(hand, first, pair, cuts, found):  # type: ignore[no-untyped-def]
    """Add every cut of one suit with the pair at rank ``pair`` (−1: none) to ``cuts``."""
    ranks = 7 if first == 27 else 9
    thrice = 0
    for rank in range(ranks):
        if int(hand[first + rank]) - 2 * int(rank == pair) >= 3:
            thrice |= 1 << rank
    counts = np.empty(9, np.int64)
    chosen = thrice
    while True:
        for rank in range(ranks):
            taken = 3 * (chosen >> rank & 1) + 2 * int(rank == pair)
            counts[rank] = int(hand[first + rank]) - taken
        if _runs_left(counts, ranks, cuts[found]):
            cuts[found, CUT_TRIPLETS] = chosen
            cuts[found, CUT_PAIR] = 0 if pair < 0 else 1 << pair
            found += 1
        if chosen == 0 or found == MOST_CUTS:
            return found
        chosen = (chosen - 1) & thrice


@kernel
def cut_suit(hand, first, cuts):  # type: ignore[no-untyped-def]
    """Every way to cut the tiles of one suit into sets, with a pair where their number asks for one."""
    ranks = 7 if first == 27 else 9
    total = 0
    for rank in range(ranks):
        total += int(hand[first + rank])
    if total % 3 == 0:
        return _cut_with_pair(hand, first, -1, cuts, 0)
    found = 0
    if total % 3 == 2:
        for rank in range(ranks):
            if int(hand[first + rank]) >= 2 and found < MOST_CUTS:
                found = _cut_with_pair(hand, first, rank, cuts, found)
    return found


@kernel
def meld_masks(win, row):  # type: ignore[no-untyped-def]
    """Write the melds' runs, triplets, quads and concealed sets to ``row``; their number."""
    melds = 0
    for i in range(4):
        kind = int(win.meld[i])
        if kind == NO_MELD:
            continue
        melds += 1
        bit = 1 << int(win.meld_first[i])
        if kind == CHI:
            row[ROW_RUNS] |= bit
            continue
        row[ROW_TRIPLETS] |= bit
        if kind != PON:
            row[ROW_QUADS] |= bit
        if kind == ANKAN:
            row[ROW_CONCEALED] |= bit
    return melds


@kernel
def _add(buffer, found, row, wait):  # type: ignore[no-untyped-def]
    if found < MOST_READINGS:
        buffer[found, :] = row
        buffer[found, ROW_WAIT] = wait
        found += 1
    return found


@kernel
def _place_winning_tile(row, melds_row, win_kind, tsumo, buffer, found):  # type: ignore[no-untyped-def]
    """Add a row for every set or pair of the concealed tiles that the winning tile may complete."""
    bit = 1 << win_kind
    if row[ROW_PAIRS] & bit:
        found = _add(buffer, found, row, TANKI)
    if row[ROW_TRIPLETS] & ~melds_row[ROW_TRIPLETS] & bit:
        at = found
        found = _add(buffer, found, row, SHANPON)
        if not tsumo and found > at:
            buffer[at, ROW_CONCEALED] &= ~bit
    if win_kind >= 27:
        return found
    rank = win_kind % 9
    runs = row[ROW_FORM]  # while cutting: the concealed runs
    if rank >= 2 and runs & bit >> 2:
        found = _add(buffer, found, row, PENCHAN if rank == 2 else RYANMEN)
    if 1 <= rank <= 7 and runs & bit >> 1:
        found = _add(buffer, found, row, KANCHAN)
    if rank <= 6 and runs & bit:
        found = _add(buffer, found, row, PENCHAN if rank == 6 else RYANMEN)
    return found


@kernel
def _standard_readings(win, melds_row, buffer):  # type: ignore[no-untyped-def]
    """Readings as sets and a pair: one for each choice of a cut in each suit."""
    cuts = np.empty((4, MOST_CUTS, 4), np.int64)
    ways = np.empty(4, np.int64)
    pairs = total = 0
    for suit in range(4):
        ways[suit] = cut_suit(win.hand, 9 * suit, cuts[suit])
        if ways[suit] == 0:
            return 0
        pairs += int(cuts[suit, 0, CUT_PAIR] != 0)
    for kind in range(34):
        total += int(win.hand[kind])
    if pairs != 1 or total % 3 != 2:
        return 0
    tsumo = int(win.flags) & TSUMO != 0
    row = np.empty(ROW, np.int64)
    found = 0
    for choice in range(ways[0] * ways[1] * ways[2] * ways[3]):
        row[:] = melds_row
        row[ROW_FORM] = 0
        rest = choice
        for suit in range(4):
            cut = cuts[suit, rest % ways[suit]]
            rest //= ways[suit]
            row[ROW_FORM] |= cut[CUT_RUNS] << 9 * suit
            row[ROW_TWICE] += cut[CUT_TWICE]
            row[ROW_TRIPLETS] |= cut[CUT_TRIPLETS] << 9 * suit
            row[ROW_CONCEALED] |= cut[CUT_TRIPLETS] << 9 * suit
            row[ROW_PAIRS] |= cut[CUT_PAIR] << 9 * suit
        row[ROW_RUNS] |= row[ROW_FORM]
        found = _place_winning_tile(row, melds_row, int(win.win_kind), tsumo, buffer, found)
    for i in range(found):
        buffer[i, ROW_FORM] = STANDARD
    return found


@kernel
def _unconnected(hand, twice):  # type: ignore[no-untyped-def]
    """One pair, and otherwise no two tiles of a suit within two ranks of each other."""
    if popcount(twice) != 1:
        return False
    for kind in range(27):
        if hand[kind] == 0:
            continue
        if hand[kind] > 2:
            return False
        for near in (1, 2):
            if kind % 9 + near < 9 and hand[kind + near] != 0:
                return False
    return True


@kernel
def _special_readings(win, buffer, found):  # type: ignore[no-untyped-def]
    """Seven pairs, thirteen orphans, and the unconnected hand of a first draw."""
    kinds = twice = 0
    total = 0
    for kind in range(34):
        count = int(win.hand[kind])
        total += count
        kinds |= int(count > 0) << kind
        twice |= int(count > 1) << kind
    if total != 14:
        return found
    row = np.zeros(ROW, np.int64)
    row[ROW_PAIRS] = twice
    if kinds == twice and popcount(twice) == 7:
        row[ROW_FORM] = SEVEN_PAIRS
        return _add(buffer, found, row, TANKI)
    if kinds == ORPHANS and popcount(twice) == 1:
        row[ROW_FORM] = THIRTEEN_ORPHANS
        return _add(buffer, found, row, TANKI)
    first_draw = FIRST_TURN | TSUMO
    if int(win.flags) & first_draw == first_draw and popcount(kinds) == 13 and _unconnected(win.hand, twice):
        row[ROW_FORM] = UNCONNECTED
        return _add(buffer, found, row, NO_WAIT)
    return found


@kernel
def find_readings(win, buffer):  # type: ignore[no-untyped-def]
    """Write every reading of the win to ``buffer`` (``int64[MOST_READINGS, ROW]``); how many there are."""
    melds_row = np.zeros(ROW, np.int64)
    melds = meld_masks(win, melds_row)
    found = _standard_readings(win, melds_row, buffer)
    if melds == 0:
        found = _special_readings(win, buffer, found)
    return found
