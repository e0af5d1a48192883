"""Scoring of a winning hand under a ruleset: every reading is valued, and the highest-paying one counts."""

from typing import Final

import numpy as np

from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.hand import held_counts, kans_of_win, reading_of, whole_hand
from jantaku.kernels.payments import payments
from jantaku.kernels.reading import ROW
from jantaku.kernels.readings import find_readings
from jantaku.kernels.rules import choice
from jantaku.kernels.value import RESULT, available, is_complete, value
from jantaku.kernels.win import (
    BASE,
    DORA,
    ERROR,
    FIRST_TURN,
    FU,
    FURITEN,
    HAN,
    IN_FURITEN,
    IN_RIICHI,
    KANS,
    KITA,
    MAX_SEATS,
    NO_ERROR,
    NO_YAKU,
    NOT_COMPLETE,
    ONE_SHOT,
    OWN_YAKU,
    PAYMENT,
    POINTS,
    READING,
    RED,
    STANDS_FOR,
    TSUMO,
    URA,
    WIN,
    YAKU,
    YAKUMAN,
)
from jantaku.kernels.workspace import new_workspace
from jantaku.tiles import WHITE

KANZEN: Final = choice("calls.sakizuke", "kanzen")
BEST_WAIT: Final = choice("score.tenhou_wait", "best")
POCCHI_OFF: Final = choice("riichi.shiro_pocchi", "off")
POCCHI_IPPATSU: Final = choice("riichi.shiro_pocchi", "ippatsu")
WHITE_KIND: Final = int(WHITE)
ANY_YAKU: Final = -1


@kernel
def is_better(new, old):
    """Return whether ``new`` beats ``old``: may win, base points, yakuman, han, fu (高点法, inventory 68)."""
    if new[ERROR] != old[ERROR]:  # a later error code means a hand closer to winning
        return new[ERROR] == NO_ERROR or (old[ERROR] != NO_ERROR and new[ERROR] > old[ERROR])
    if new[BASE] != old[BASE]:
        return new[BASE] > old[BASE]
    if new[YAKUMAN] != old[YAKUMAN]:
        return new[YAKUMAN] > old[YAKUMAN]
    if new[HAN] != old[HAN]:
        return new[HAN] > old[HAN]
    return new[FU] > old[FU]


@kernel
def best_reading(win, rules, fixed, space, out):
    """Write the value of the best reading to ``out`` (``int64[RESULT]``).

    Only readings with a yaku in ``fixed`` may win; ``ANY_YAKU`` lets all of them win.
    """
    held, readings = space.held, space.readings
    held_counts(win, held)
    whole = whole_hand(win, held, rules)
    out[ERROR] = NOT_COMPLETE
    out[STANDS_FOR] = 0
    best = -1
    for i in range(find_readings(win, space)):
        row = out if i == 0 else space.trial
        row[DORA] = whole.dora
        row[RED] = int(win.red)
        row[URA] = whole.ura
        row[KITA] = int(win.kita) * int(rules.kita.han)
        row[KANS] = kans_of_win(win) * int(rules.score.kan_han)
        row[STANDS_FOR] = 0
        reading = reading_of(readings, i, whole)
        value(reading, int(win.honba), rules, row)
        if fixed != ANY_YAKU and row[OWN_YAKU] == 0:
            fits = available(reading, rules) & int(rules.yaku.minimum) & fixed != 0
            if not fits and row[ERROR] != NOT_COMPLETE:
                row[ERROR] = NO_YAKU
        if i == 0 or is_better(row, out):
            best = i
            if i > 0:
                for column in range(RESULT):
                    out[column] = row[column]
    if best >= 0:
        for column in range(ROW):
            out[READING + column] = readings[best, column]


@allocating
def fixed_yaku(win, rules, space):
    """Return the yaku that are certain on every tile of the wait (kanzen-sakizuke, inventory 92 and 314)."""
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
        count = find_readings(other, space)
        held_counts(other, held)
        whole = whole_hand(other, held, rules)
        union, complete = 0, False
        for i in range(count):
            reading = reading_of(space.readings, i, whole)
            mask = available(reading, rules)
            if is_complete(reading, mask, rules):
                union |= mask
                complete = True
        if complete:
            fixed &= union
        other.hand[kind] -= 1
    return fixed & ~int(rules.yaku.accidental)


@kernel
def has_no_last_tile(win, rules):
    """Return whether the hand is a tenhou, in which any tile may count as the last one (inventory d28)."""
    dealt = TSUMO | FIRST_TURN
    return rules.score.tenhou_wait == BEST_WAIT and win.seat == 0 and int(win.situation) & dealt == dealt


@allocating
def best_last_tile(win, rules, fixed, space, out):
    """Compute ``best_reading`` with the last tile chosen to give the hand its highest value.

    The drawn tile stays the last one unless another pays more.
    """
    trial = np.empty(1, WIN)
    trial[0] = win
    other, best = trial[0], int(win.win_kind)
    base, yakuman = out[BASE], out[YAKUMAN]
    if out[ERROR] != NO_ERROR:
        base = yakuman = -1
    for kind in range(34):
        if other.hand[kind] > 0:
            other.win_kind = kind
            best_reading(other, rules, fixed, space, out)
            if out[ERROR] == NO_ERROR and (out[BASE], out[YAKUMAN]) > (base, yakuman):
                best, base, yakuman = kind, out[BASE], out[YAKUMAN]
    other.win_kind = best
    best_reading(other, rules, fixed, space, out)


@kernel
def is_any_tile(win, rules):
    """Return whether the drawn tile stands for any tile: white dragon in riichi (白ポッチ, inventory d41)."""
    if rules.riichi.shiro_pocchi == POCCHI_OFF or int(win.win_kind) != WHITE_KIND:
        return False
    needed = TSUMO | IN_RIICHI
    if rules.riichi.shiro_pocchi == POCCHI_IPPATSU:
        needed |= ONE_SHOT
    return int(win.situation) & needed == needed


@kernel
def rank_of(out):
    """Return a sort key for a result: closeness to a win, base points, yakuman, han, fu."""
    if out[ERROR] != NO_ERROR:  # a later error code means a hand closer to winning
        return 0, out[ERROR], 0, 0, 0
    return 1, out[BASE], out[YAKUMAN], out[HAN], out[FU]


@allocating
def best_tile(win, rules, fixed, space, out):
    """Compute ``best_reading`` with the drawn tile as the kind of highest value, but never as a fifth copy.

    The tile keeps its own kind unless another is better.
    """
    trial = np.empty(1, WIN)
    trial[0] = win
    other, best = trial[0], int(win.win_kind)
    rank = rank_of(out)
    other.hand[best] -= 1
    for kind in range(34):
        held_counts(other, space.held)
        if space.held[kind] >= int(rules.copies[kind]):
            continue
        other.hand[kind] += 1
        other.win_kind = kind
        best_reading(other, rules, fixed, space, out)
        if rank_of(out) > rank:
            best, rank = kind, rank_of(out)
        other.hand[kind] -= 1
    other.hand[best] += 1
    other.win_kind = best
    best_reading(other, rules, fixed, space, out)
    out[STANDS_FOR] = 0 if best == int(win.win_kind) else 1 + best


@routine
def score(win, rules, space, out):
    """Score one win: write value, reading and payments, or an error, to ``out`` (``int64[RESULT]``)."""
    fixed = ANY_YAKU
    if rules.calls.sakizuke == KANZEN:
        fixed = fixed_yaku(win, rules, space)
    best_reading(win, rules, fixed, space, out)
    if is_any_tile(win, rules):
        best_tile(win, rules, fixed, space, out)
    if out[ERROR] == NOT_COMPLETE:
        return
    if has_no_last_tile(win, rules):
        best_last_tile(win, rules, fixed, space, out)
    if int(win.situation) & (IN_FURITEN | TSUMO) == IN_FURITEN:
        out[ERROR] = FURITEN
    elif out[ERROR] == NO_ERROR:
        out[POINTS] = payments(win, out[BASE], out[YAKUMAN], out[YAKU], rules, space.pay)
        for seat in range(MAX_SEATS):
            out[PAYMENT + seat] = space.pay[seat]


@allocating
def score_packed(packed, rules, cuts, out):
    """Score the bytes of one ``WIN`` under an array of one ruleset and return the error.

    ``out`` has the bytes of ``int64[RESULT]``. Python creates bytes faster than arrays.
    """
    result = np.frombuffer(out, np.int64)
    score(np.frombuffer(packed, WIN)[0], rules[0], new_workspace(cuts), result)
    return result[ERROR]


@allocating
def score_batch(wins, rules, cuts):
    """Score ``WIN[n]`` and return results ``int64[n, RESULT]``."""
    results = np.zeros((len(wins), RESULT), np.int64)
    space = new_workspace(cuts)
    for i in range(len(wins)):
        score(wins[i], rules[0], space, results[i])
    return results


@allocating
def score_readings(wins, rules, cuts, results):
    """Value every reading of ``wins[0]``, one per row of ``results`` (``int64[MAX_READINGS, RESULT]``).

    Returns the number of readings. Payments are left out. A reading that is not a complete hand under the
    rules has the error ``NOT_COMPLETE``.
    """
    win, ruleset = wins[0], rules[0]
    space = new_workspace(cuts)
    held_counts(win, space.held)
    whole = whole_hand(win, space.held, ruleset)
    count = find_readings(win, space)
    for i in range(count):
        row = results[i]
        row[DORA] = whole.dora
        row[RED] = int(win.red)
        row[URA] = whole.ura
        row[KITA] = int(win.kita) * int(ruleset.kita.han)
        row[KANS] = kans_of_win(win) * int(ruleset.score.kan_han)
        value(reading_of(space.readings, i, whole), int(win.honba), ruleset, row)
        for column in range(ROW):
            row[READING + column] = space.readings[i, column]
    return count
