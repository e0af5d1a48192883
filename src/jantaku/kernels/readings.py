"""All readings of a complete hand: how it divides into sets, and which set the winning tile completes."""

from typing import NamedTuple

from jantaku.kernels._jit import kernel
from jantaku.kernels.cuts import CUTS, FOLLOWS, NINE, NO_PAIR, PAIR, SEVEN, TWICE, cut_honours
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.reading import (
    FOUR_KANS,
    KANCHAN,
    MAX_READINGS,
    NO_WAIT,
    PENCHAN,
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
from jantaku.kernels.shanten import suit_key
from jantaku.kernels.win import AFTER_KAN, ANKAN, CHI, FIRST_TURN, NO_MELD, PON, TSUMO


class Sets(NamedTuple):
    """Sets of a hand or of its melds: the masks of a ``PackedReading`` that differ between readings."""

    runs: int
    twice: int
    triplets: int
    concealed: int
    quads: int
    pairs: int


@kernel
def meld_sets(win):
    """Return the sets formed by melds."""
    runs = triplets = concealed = quads = 0
    for i in range(4):
        kind = int(win.meld[i])
        bit = int(kind != NO_MELD) << int(win.meld_first[i])
        runs |= bit if kind == CHI else 0
        triplets |= bit if kind >= PON else 0
        concealed |= bit if kind == ANKAN else 0
        quads |= bit if kind >= ANKAN else 0
    return Sets(runs, 0, triplets, concealed, quads, 0)


@kernel
def _add(readings, count, sets, wait, form):
    if count == MAX_READINGS:
        return count
    readings[count, ROW_RUNS] = sets.runs
    readings[count, ROW_TWICE] = sets.twice
    readings[count, ROW_TRIPLETS] = sets.triplets
    readings[count, ROW_CONCEALED] = sets.concealed
    readings[count, ROW_QUADS] = sets.quads
    readings[count, ROW_PAIRS] = sets.pairs
    readings[count, ROW_WAIT] = wait
    readings[count, ROW_FORM] = form
    return count + 1


@kernel
def _place_winning_tile(sets, runs, triplets, win, readings, count):
    """Add a row for each concealed set (``runs``, ``triplets``) or pair that the winning tile completes."""
    win_kind = int(win.win_kind)
    bit = 1 << win_kind
    if sets.pairs & bit:
        count = _add(readings, count, sets, TANKI, STANDARD)
    if triplets & bit:
        at = count
        count = _add(readings, count, sets, SHANPON, STANDARD)
        if int(win.situation) & TSUMO == 0 and count > at:
            readings[at, ROW_CONCEALED] = sets.concealed & ~bit
    if win_kind >= 27:
        return count
    rank = win_kind % 9
    if rank >= 2 and runs & bit >> 2:
        count = _add(readings, count, sets, PENCHAN if rank == 2 else RYANMEN, STANDARD)
    if 1 <= rank <= 7 and runs & bit >> 1:
        count = _add(readings, count, sets, KANCHAN, STANDARD)
    if rank <= 6 and runs & bit:
        count = _add(readings, count, sets, PENCHAN if rank == 6 else RYANMEN, STANDARD)
    return count


@kernel
def _standard_readings(win, melds, space):
    """Add the readings as four sets and a pair, for each combination of one cut per suit."""
    hand, cuts = win.hand, space.cuts
    honours = cut_honours(hand)
    first_man = int(cuts[suit_key(hand, 0, 9)])
    first_pin = int(cuts[suit_key(hand, 9, 9)])
    first_sou = int(cuts[suit_key(hand, 18, 9)])
    if honours < 0 or first_man == 0 or first_pin == 0 or first_sou == 0:
        return 0
    count = 0
    man = CUTS + first_man
    while True:
        pin = CUTS + first_pin
        while True:
            sou = CUTS + first_sou
            while True:
                count = _join((man, pin, sou), honours, melds, win, space, count)
                sou += 2
                if int(cuts[sou - 1]) >> FOLLOWS == 0:
                    break
            pin += 2
            if int(cuts[pin - 1]) >> FOLLOWS == 0:
                break
        man += 2
        if int(cuts[man - 1]) >> FOLLOWS == 0:
            return count


@kernel
def _pair_of(first, suit):
    """Return the pair of a cut's first entry as a mask of kinds."""
    rank = first >> PAIR
    return 0 if rank == NO_PAIR else 1 << 9 * suit + rank


@kernel
def _join(suits, honours, melds, win, space, count):
    """Add the readings of one cut per suit if the cuts contain exactly one pair in total."""
    cuts = space.cuts
    man, pin, sou = suits
    man_1, man_2 = int(cuts[man]), int(cuts[man + 1])
    pin_1, pin_2 = int(cuts[pin]), int(cuts[pin + 1])
    sou_1, sou_2 = int(cuts[sou]), int(cuts[sou + 1])
    pairs = _pair_of(man_1, 0) | _pair_of(pin_1, 1) | _pair_of(sou_1, 2) | (honours & SEVEN) << 27
    if popcount(pairs) != 1:
        return 0
    runs = man_1 & SEVEN | (pin_1 & SEVEN) << 9 | (sou_1 & SEVEN) << 18
    triplets = man_2 & NINE | (pin_2 & NINE) << 9 | (sou_2 & NINE) << 18 | honours >> 7 << 27
    sets = Sets(
        runs | melds.runs,
        (man_1 >> TWICE & 3) + (pin_1 >> TWICE & 3) + (sou_1 >> TWICE & 3),
        triplets | melds.triplets,
        triplets | melds.concealed,
        melds.quads,
        pairs,
    )
    return _place_winning_tile(sets, runs, triplets, win, space.readings, count)


@kernel
def _unconnected(hand, twice):
    """Return whether there is one pair, and no other two tiles of a suit within two ranks of each other."""
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
def _special_readings(win, readings, count):
    """Add the reading as seven pairs, thirteen orphans, or the unconnected hand of a first draw."""
    kinds = twice = 0
    for kind in range(34):
        copies = int(win.hand[kind])
        kinds |= int(copies > 0) << kind
        twice |= int(copies > 1) << kind
    sets = Sets(0, 0, 0, 0, 0, twice)
    pairs = popcount(twice)
    if kinds == twice and pairs == 7:
        return _add(readings, count, sets, TANKI, SEVEN_PAIRS)
    if pairs != 1 or popcount(kinds) != 13:
        return count
    if kinds == ORPHANS:
        return _add(readings, count, sets, TANKI, THIRTEEN_ORPHANS)
    first_draw = FIRST_TURN | TSUMO
    if int(win.situation) & first_draw == first_draw and _unconnected(win.hand, twice):
        return _add(readings, count, sets, NO_WAIT, UNCONNECTED)
    return count


@kernel
def _four_kans(win, melds, readings, count):
    """Add the reading of four kans on the draw after the fourth, whatever that tile is (inventory 362)."""
    if popcount(melds.quads) != 4 or int(win.situation) & (AFTER_KAN | TSUMO) != AFTER_KAN | TSUMO:
        return count
    return _add(readings, count, melds, NO_WAIT, FOUR_KANS)


@kernel
def find_readings(win, space):
    """Write every reading of the win to ``space.readings`` and return their number.

    The unconnected hand and the four kans are included whenever the tiles have the shape;
    ``kernels.value.is_complete`` decides whether the ruleset lets them win.
    """
    melds = meld_sets(win)
    count = _standard_readings(win, melds, space)
    if win.meld[0] == NO_MELD:
        count = _special_readings(win, space.readings, count)
    elif count == 0:
        count = _four_kans(win, melds, space.readings, count)
    return count
