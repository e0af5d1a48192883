"""Shanten: the number of tiles a hand is from tenpai, −1 if it is complete.

``hand`` (``uint8[34]``) always counts the concealed tiles only; ``melds`` is the number of melds.
"""

import numpy as np

from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.lookup import (
    FIVES,
    HELD,
    HIGH,
    HONOUR,
    LOWER,
    MAN,
    NUMBER,
    PAIR,
    PAIRS,
    SUIT,
    TOTAL,
    TWICE,
    VECTORS,
    YAOCHUU,
    YAOCHUU_TWICE,
)

NEVER = 99  # shanten of a form that melds rule out, or after a discard of a tile not held


@kernel
def suit_key(hand, first, ranks):
    """Return the counts of ``ranks`` kinds starting at ``first`` as a number in base five."""
    key = 0
    for rank in range(ranks):
        key += int(hand[first + rank]) * FIVES[rank]
    return key


@kernel
def suit_entry(key, part, tables):
    """Return the entry of a suit: its vector's number and packed counts; ``part`` is SUIT, MAN or HONOUR."""
    low = int(tables[part + key % LOWER])
    return int(tables[HIGH + (low & NUMBER) + key // LOWER]) + (low & ~NUMBER)


@kernel
def standard_of(man, pin, sou, honours, melds, tables):
    """Return the shanten for four sets and a pair, from the entries of the four suits."""
    left = int(tables[PAIR + VECTORS * (man & NUMBER) + (pin & NUMBER)])
    right = int(tables[PAIR + VECTORS * (sou & NUMBER) + (honours & NUMBER)])
    return int(tables[TOTAL + PAIRS * (PAIRS * (4 - melds) + left) + right]) - 1


@kernel
def chiitoitsu_of(facts):
    """Return the shanten for seven different pairs, from the sum of the suits' entries."""
    return 6 - (facts >> TWICE & 7) + max(0, 7 - (facts >> HELD & 15))


@kernel
def kokushi_of(facts):
    """Return the shanten for the thirteen yaochuu kinds with one of them twice."""
    return 13 - (facts >> YAOCHUU & 15) - int(facts >> YAOCHUU_TWICE != 0)


@kernel
def lowest_of(man, pin, sou, honours, melds, tables):
    """Return the lowest shanten of the three forms, from the entries of the four suits."""
    best = standard_of(man, pin, sou, honours, melds, tables)
    if melds == 0:
        facts = man + pin + sou + honours
        best = min(best, chiitoitsu_of(facts), kokushi_of(facts))
    return best


@kernel
def shanten(hand, melds, tables):
    """Return the lowest shanten of the three forms."""
    man = suit_entry(suit_key(hand, 0, 9), MAN, tables)
    pin = suit_entry(suit_key(hand, 9, 9), SUIT, tables)
    sou = suit_entry(suit_key(hand, 18, 9), SUIT, tables)
    honours = suit_entry(suit_key(hand, 27, 7), HONOUR, tables)
    return lowest_of(man, pin, sou, honours, melds, tables)


@routine
def shanten_forms(hand, melds, tables, out):
    """Write (lowest, standard, chiitoitsu, kokushi) to ``out``; ``NEVER`` for a form that melds rule out."""
    man = suit_entry(suit_key(hand, 0, 9), MAN, tables)
    pin = suit_entry(suit_key(hand, 9, 9), SUIT, tables)
    sou = suit_entry(suit_key(hand, 18, 9), SUIT, tables)
    honours = suit_entry(suit_key(hand, 27, 7), HONOUR, tables)
    facts = man + pin + sou + honours
    out[1] = standard_of(man, pin, sou, honours, melds, tables)
    out[2] = chiitoitsu_of(facts) if melds == 0 else NEVER
    out[3] = kokushi_of(facts) if melds == 0 else NEVER
    out[0] = min(int(out[1]), int(out[2]), int(out[3]))


@allocating
def shanten_batch(hands, melds, tables):
    """Return the shanten ``int8[n]`` of ``uint8[n, 34]`` hands with ``uint8[n]`` melds."""
    out = np.empty(len(hands), np.int8)
    for i in range(len(hands)):
        out[i] = shanten(hands[i], int(melds[i]), tables)
    return out
