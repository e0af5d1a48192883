"""Counts and masks shared by all readings of a hand."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.dora import count_dora, ura_dora
from jantaku.kernels.reading import (
    ROW_CONCEALED,
    ROW_FORM,
    ROW_PAIRS,
    ROW_QUADS,
    ROW_RUNS,
    ROW_TRIPLETS,
    ROW_TWICE,
    ROW_WAIT,
    PackedReading,
)
from jantaku.kernels.win import ANKAN, CHI, NO_MELD


@kernel
def held_counts(win, held):
    """Write the counts of all 34 kinds, including melds, to ``held``."""
    for kind in range(34):
        held[kind] = int(win.hand[kind])
    for i in range(4):
        meld, first = int(win.meld[i]), int(win.meld_first[i])
        if meld == NO_MELD:
            continue
        if meld == CHI:
            held[first] += 1
            held[first + 1] += 1
            held[first + 2] += 1
        else:
            held[first] += 3 + int(meld >= ANKAN)


@kernel
def has_open_meld(win):
    """Return whether the hand has a meld other than an ankan."""
    for i in range(4):
        kind = int(win.meld[i])
        if kind != NO_MELD and kind != ANKAN:
            return True
    return False


@kernel
def kans_of_win(win):
    """Return how many kans the hand has."""
    kans = 0
    for i in range(4):
        kans += int(win.meld[i] >= ANKAN)
    return kans


@kernel
def whole_hand(win, held, rules):
    """Return a ``PackedReading`` with only the fields that all readings share; all other fields are 0."""
    melds = one = two = three = four = 0
    for i in range(4):
        melds += int(win.meld[i] != NO_MELD)
    for kind in range(34):
        count = held[kind]
        one |= int(count >= 1) << kind
        two |= int(count >= 2) << kind
        three |= int(count >= 3) << kind
        four |= int(count >= 4) << kind
    return PackedReading(
        0,
        0,
        0,
        0,
        0,
        0,
        one,
        two,
        three,
        four,
        1 << int(win.win_kind),
        1 << 27 + int(win.seat),
        1 << 27 + int(win.round_wind),
        0,
        0,
        int(not has_open_meld(win)),
        melds,
        int(win.situation),
        int(win.streak),
        int(rules.valued),
        int(win.red_kinds),
        int(win.red),
        int(win.honba),
        count_dora(win.dora, rules.dora.kan_dora != 0, held, int(win.kita), rules),
        ura_dora(win, rules, held),
        int(win.kita),
        int(win.turn),
        int(win.score),
        int(win.discarded),
        int(win.said),
    )


@kernel
def reading_of(readings, i, w):
    """Return row ``i`` of the readings as a ``PackedReading``; ``w`` is the result of ``whole_hand``."""
    return PackedReading(
        readings[i, ROW_RUNS],
        readings[i, ROW_TWICE],
        readings[i, ROW_TRIPLETS],
        readings[i, ROW_CONCEALED],
        readings[i, ROW_QUADS],
        readings[i, ROW_PAIRS],
        w.kinds,
        w.two,
        w.three,
        w.four,
        w.win,
        w.seat,
        w.round,
        readings[i, ROW_WAIT],
        readings[i, ROW_FORM],
        w.closed,
        w.melds,
        w.flags,
        w.streak,
        w.valued,
        w.red,
        w.reds,
        w.honba,
        w.dora,
        w.ura,
        w.kita,
        w.turn,
        w.score,
        w.discarded,
        w.said,
    )
