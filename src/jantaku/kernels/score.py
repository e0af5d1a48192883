"""A winning hand's value under a ruleset: every reading is valued and the one that pays most is kept."""

from typing import Final

import numpy as np

from jantaku.kernels._jit import kernel
from jantaku.kernels.hand import count_dora, held_counts, reading_of, whole_hand
from jantaku.kernels.points import payments
from jantaku.kernels.reading import MOST_READINGS, ROW
from jantaku.kernels.readings import find_readings
from jantaku.kernels.rules import choice
from jantaku.kernels.value import RESULT, available, value
from jantaku.kernels.win import (
    BASE,
    DORA,
    ERROR,
    FU,
    FURITEN,
    HAN,
    IN_FURITEN,
    IN_RIICHI,
    LOCAL,
    NO_ERROR,
    NO_YAKU,
    NOT_COMPLETE,
    PAYMENT,
    POINTS,
    READING,
    RED,
    TSUMO,
    URA,
    WIN,
    YAKU,
    YAKUMAN,
)

KANZEN: Final = choice("calls.sakizuke", "kanzen")
ANY_YAKU: Final = -1


@kernel
def is_better(new, old):  # type: ignore[no-untyped-def]
    """Whether a reading's value beats another's: may it win, base points, han, fu (高点法, inventory 68)."""
    if (new[ERROR] == NO_ERROR) != (old[ERROR] == NO_ERROR):
        return new[ERROR] == NO_ERROR
    if new[BASE] != old[BASE]:
        return new[BASE] > old[BASE]
    if new[HAN] != old[HAN]:
        return new[HAN] > old[HAN]
    return new[FU] > old[FU]


@kernel
def best_reading(win, rules, fixed, buffer, out):  # type: ignore[no-untyped-def]
    """Write the value of the best reading to ``out`` (``int64[2, RESULT]``, the second row is scratch).

    Only readings with a yaku in ``fixed`` qualify (``ANY_YAKU``: all do).
    """
    held = np.empty(34, np.int64)
    held_counts(win, held)
    whole = whole_hand(win, held)
    best, trial = out[0], out[1]
    dora = count_dora(win.dora, rules.dora.kan_dora, held)
    ura = 0
    if int(win.flags) & IN_RIICHI and rules.dora.ura:
        ura = count_dora(win.ura, rules.dora.kan_ura, held)
    best[ERROR] = NOT_COMPLETE
    found = find_readings(win, buffer)
    for i in range(found):
        trial[DORA] = dora
        trial[RED] = int(win.red)
        trial[URA] = ura
        value(reading_of(buffer[i], whole), int(win.honba), rules, trial)
        if fixed != ANY_YAKU and trial[YAKU] & int(rules.yaku.minimum) & fixed == 0 and trial[LOCAL] == 0:
            trial[ERROR] = NO_YAKU
        if i == 0 or is_better(trial, best):
            trial[READING : READING + ROW] = buffer[i]
            best[:] = trial


@kernel
def fixed_yaku(win, rules, buffer):  # type: ignore[no-untyped-def]
    """The yaku that are certain on every tile of the wait (kanzen-sakizuke, inventory 92 and 314)."""
    trial = np.empty(1, WIN)
    trial[0] = win
    other = trial[0]
    other.hand[int(win.win_kind)] -= 1
    held = np.empty(34, np.int64)
    fixed = ANY_YAKU
    for kind in range(34):
        held_counts(other, held)
        if held[kind] >= 4:
            continue
        other.hand[kind] += 1
        other.win_kind = kind
        found = find_readings(other, buffer)
        held_counts(other, held)
        whole = whole_hand(other, held)
        union = 0
        for i in range(found):
            union |= available(reading_of(buffer[i], whole), rules)
        if found:
            fixed &= union
        other.hand[kind] -= 1
    return fixed & ~int(rules.yaku.accidental)


@kernel
def score(win, rules, buffer, out):  # type: ignore[no-untyped-def]
    """Adjudicate one win: ``out[0]`` gets value, reading and payments, or the ``ERROR``.

    ``buffer`` is ``int64[MOST_READINGS, ROW]``, ``out`` ``int64[2, RESULT]``.
    """
    fixed = ANY_YAKU
    if rules.calls.sakizuke == KANZEN:
        fixed = fixed_yaku(win, rules, buffer)
    best_reading(win, rules, fixed, buffer, out)
    best = out[0]
    if best[ERROR] == NOT_COMPLETE:
        return
    if int(win.flags) & (IN_FURITEN | TSUMO) == IN_FURITEN:
        best[ERROR] = FURITEN
    elif best[ERROR] == NO_ERROR:
        pay = np.zeros(8, np.int64)
        points = payments(win, best[BASE], best[YAKUMAN], best[YAKU], rules, pay)
        best[POINTS] = points
        best[PAYMENT : PAYMENT + 4] = pay[:4]


@kernel
def score_one(wins, rules, out):  # type: ignore[no-untyped-def]
    """``score`` of an array of one win under an array of one ruleset."""
    buffer = np.empty((MOST_READINGS, ROW), np.int64)
    score(wins[0], rules[0], buffer, out)


@kernel
def score_batch(wins, rules):  # type: ignore[no-untyped-def]
    """``score`` of ``WIN[n]``: results ``int64[n, RESULT]``."""
    results = np.zeros((len(wins), RESULT), np.int64)
    buffer = np.empty((MOST_READINGS, ROW), np.int64)
    out = np.zeros((2, RESULT), np.int64)
    for i in range(len(wins)):
        score(wins[i], rules[0], buffer, out)
        results[i] = out[0]
    return results
