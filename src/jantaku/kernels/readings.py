"""All readings of a complete hand: which sets it can be cut into, and where the winning tile belongs.

A suit's runs are settled once its triplets and pair are chosen, so a suit is cut by trying every choice
of triplets among the ranks held three times, and reading the rest as runs from the lowest rank up.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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

# A cut of one suit is packed into one integer: masks of nine ranks, then how many runs are twins
CUT_RUNS, CUT_TRIPLETS, CUT_PAIR, CUT_TWICE = 0, 9, 18, 27
NINE = (1 << 9) - 1
NO_CUT = -1
# Counts of a suit are packed four bits a rank
ONES = 0x111111111
RUN = 0x111


class Workspace(NamedTuple):
    """Room to read hands in: the readings found, the cuts of each suit, a row in the making, the melds."""

    readings: npt.NDArray[np.int64]
    cuts: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    melds: npt.NDArray[np.int64]


@kernel
def new_workspace():  # type: ignore[no-untyped-def]
    """A ``Workspace``; make one and use it for many hands."""
    return Workspace(
        np.empty((MOST_READINGS, ROW), np.int64),
        np.empty(4 * MOST_CUTS, np.int64),
        np.empty(ROW, np.int64),
        np.empty(ROW, np.int64),
    )


@kernel
def _as_runs(packed):  # type: ignore[no-untyped-def]
    """Read packed counts as runs alone: the cut, or ``NO_CUT``. Without branches, which would be guessed wrong."""
    cut = missing = 0
    for rank in range(7):
        count = packed & 15
        missing |= count & 8  # a count below zero has borrowed from the next rank
        packed = packed - count * RUN >> 4
        cut |= int(count != 0) << rank
        cut += count >> 1 << CUT_TWICE
    return cut if missing == 0 and packed == 0 else NO_CUT


@kernel
def _ranks_of(lanes):  # type: ignore[no-untyped-def]
    """The mask of nine ranks from bits four apart: neighbours are moved together, then pairs, then fours."""
    lanes = (lanes | lanes >> 3) & 0x303030303
    lanes = (lanes | lanes >> 6) & 0xF000F000F
    lanes = (lanes | lanes >> 12) & 0xF000000FF
    return (lanes | lanes >> 24) & NINE


@kernel
def _cut_without_pair(packed, pair, cuts, start, found):  # type: ignore[no-untyped-def]
    """Add every cut of ``packed`` into runs and triplets to ``cuts``; ``pair`` is the pair's bit."""
    thrice = packed + 5 * ONES >> 3 & ONES
    cut = _as_runs(packed)
    if cut != NO_CUT:
        cuts[start + found] = cut | pair << CUT_PAIR
        found += 1
    chosen = thrice
    while chosen != 0 and found < MOST_CUTS:
        cut = _as_runs(packed - 3 * chosen)
        if cut != NO_CUT:
            cuts[start + found] = cut | _ranks_of(chosen) << CUT_TRIPLETS | pair << CUT_PAIR
            found += 1
        chosen = (chosen - 1) & thrice
    return found


@kernel
def cut_honours(hand, cuts, start):  # type: ignore[no-untyped-def]
    """The one way to cut the honours, if there is one: triplets and at most a pair."""
    triplets = pairs = 0
    for rank in range(7):
        count = int(hand[27 + rank])
        if count == 1 or count == 4:
            return 0
        triplets |= int(count == 3) << rank
        pairs |= int(count == 2) << rank
    cuts[start] = triplets << CUT_TRIPLETS | pairs << CUT_PAIR
    return 1


@kernel
def cut_suit(hand, first, cuts, start):  # type: ignore[no-untyped-def]
    """Every way to cut the tiles of one suit into sets, with a pair where their number asks for one."""
    packed = total = weight = 0
    for rank in range(9):
        count = int(hand[first + rank])
        packed |= count << 4 * rank
        total += count
        weight += count * rank
    if total % 3 == 0:
        return _cut_without_pair(packed, 0, cuts, start, 0)
    found = 0
    if total % 3 == 2:  # sets weigh a multiple of three, which leaves three ranks for the pair
        for rank in range(2 * weight % 3, 9, 3):
            if packed >> 4 * rank & 15 >= 2:
                found = _cut_without_pair(packed - (2 << 4 * rank), 1 << rank, cuts, start, found)
    return found


@kernel
def meld_masks(win, row):  # type: ignore[no-untyped-def]
    """Write the melds' runs, triplets, quads and concealed sets to ``row``; their number."""
    for column in range(ROW):
        row[column] = 0
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
        for column in range(ROW):
            buffer[found, column] = row[column]
        buffer[found, ROW_WAIT] = wait
        found += 1
    return found


@kernel
def _place_winning_tile(row, runs, triplets, win, buffer, found):  # type: ignore[no-untyped-def]
    """Add a row for every concealed set or pair that the winning tile may complete."""
    win_kind = int(win.win_kind)
    bit = 1 << win_kind
    if row[ROW_PAIRS] & bit:
        found = _add(buffer, found, row, TANKI)
    if triplets & bit:
        at = found
        found = _add(buffer, found, row, SHANPON)
        if int(win.flags) & TSUMO == 0 and found > at:
            buffer[at, ROW_CONCEALED] &= ~bit
    if win_kind >= 27:
        return found
    rank = win_kind % 9
    if rank >= 2 and runs & bit >> 2:
        found = _add(buffer, found, row, PENCHAN if rank == 2 else RYANMEN)
    if 1 <= rank <= 7 and runs & bit >> 1:
        found = _add(buffer, found, row, KANCHAN)
    if rank <= 6 and runs & bit:
        found = _add(buffer, found, row, PENCHAN if rank == 6 else RYANMEN)
    return found


@kernel
def _standard_readings(win, space):  # type: ignore[no-untyped-def]
    """Readings as sets and a pair: one for each choice of a cut in each suit."""
    cuts, row, melds_row = space.cuts, space.row, space.melds
    if cut_honours(win.hand, cuts, 3 * MOST_CUTS) == 0:
        return 0
    ways_man = cut_suit(win.hand, 0, cuts, 0)
    if ways_man == 0:
        return 0
    ways_pin = cut_suit(win.hand, 9, cuts, MOST_CUTS)
    if ways_pin == 0:
        return 0
    ways_sou = cut_suit(win.hand, 18, cuts, 2 * MOST_CUTS)
    honours = cuts[3 * MOST_CUTS]
    found = 0
    for man in cuts[:ways_man]:
        for pin in cuts[MOST_CUTS : MOST_CUTS + ways_pin]:
            for sou in cuts[2 * MOST_CUTS : 2 * MOST_CUTS + ways_sou]:
                pairs = _joined(man, pin, sou, honours, CUT_PAIR)
                if popcount(pairs) != 1:
                    return 0
                triplets = _joined(man, pin, sou, honours, CUT_TRIPLETS)
                runs = _joined(man, pin, sou, 0, CUT_RUNS)
                row[ROW_RUNS] = runs | melds_row[ROW_RUNS]
                row[ROW_TWICE] = (man >> CUT_TWICE) + (pin >> CUT_TWICE) + (sou >> CUT_TWICE)
                row[ROW_TRIPLETS] = triplets | melds_row[ROW_TRIPLETS]
                row[ROW_CONCEALED] = triplets | melds_row[ROW_CONCEALED]
                row[ROW_QUADS] = melds_row[ROW_QUADS]
                row[ROW_PAIRS] = pairs
                row[ROW_FORM] = STANDARD
                found = _place_winning_tile(row, runs, triplets, win, space.readings, found)
    return found


@kernel
def _joined(man, pin, sou, honours, part):  # type: ignore[no-untyped-def]
    """One part of the four suits' cuts as a mask of all kinds."""
    low = (man >> part & NINE) | (pin >> part & NINE) << 9
    return low | (sou >> part & NINE) << 18 | (honours >> part & NINE) << 27


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
def _special_readings(win, space, found):  # type: ignore[no-untyped-def]
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
    row, buffer = space.row, space.readings
    for column in range(ROW):
        row[column] = 0
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
def find_readings(win, space):  # type: ignore[no-untyped-def]
    """Write every reading of the win to ``space.readings``; how many there are."""
    melds = meld_masks(win, space.melds)
    found = _standard_readings(win, space)
    if melds == 0:
        found = _special_readings(win, space, found)
    return found
