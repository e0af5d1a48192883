"""Features of each possible chi and pon, weighted by ``bots.weights``; a pass has weight 0."""

from math import log
from typing import Final, NamedTuple

from jantaku.bots.danger import find_risks
from jantaku.bots.efficient import after_call, take_called
from jantaku.bots.plan import plan_of, worth_of
from jantaku.bots.shape import threat_of
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.rules import CLOSED, OPEN
from jantaku.kernels.shanten import shanten
from jantaku.kernels.win import CHI, NO_MELD, PON

(
    OF_CHI,
    OF_PON,
    NEARER,
    SAME,
    LEAVES_0,
    LEAVES_1,
    LEAVES_2,
    LEAVES_3,
    UKEIRE,
    NO_YAKU,
    YAKUHAI,
    YAKUHAI_PON,
    YAKUHAI_PAIR,
    TANYAO,
    TANYAO_LEFT,
    HONITSU,
    HONITSU_NEAR,
    TOITOI,
    HAN,
    HAN_0,
    TURN,
    TURN_2,
    THREAT,
    THREAT_1,
    OPENS,
    OPENS_1,
    OPENS_2,
    LAST_PAIR,
    TENPAI_LATE,
    TENPAI_LAST,
) = range(30)
COUNT: Final = 30


class Before(NamedTuple):
    """The hand before a call: shanten, pairs, whether it is closed, yakuhai; and the threat and the turn."""

    shanten: int
    pairs: int
    closed: int
    yakuhai: int
    threat: float
    turn: float


@kernel
def _yaku(plan, row, rules):  # type: ignore[no-untyped-def]
    """Write the features that say which yaku the hand can reach."""
    tanyao = plan.simple and plan.yaochuu <= 4 and worth_of(bits.TANYAO, OPEN, rules) > 0
    honitsu = not plan.mixed and plan.off <= 4 and worth_of(bits.HONITSU, OPEN, rules) > 0
    toitoi = plan.chi == 0 and plan.triplets + plan.pairs >= 4 and worth_of(bits.TOITOI, OPEN, rules) > 0
    if plan.yakuhai > 0:
        row[YAKUHAI] = 1.0
    elif plan.yakuhai_pairs > 0:
        row[YAKUHAI_PAIR] = 1.0
    elif tanyao:
        row[TANYAO] = 1.0
        row[TANYAO_LEFT] = plan.yaochuu
    elif honitsu:
        row[HONITSU] = 1.0
    elif toitoi:
        row[TOITOI] = 1.0
    else:
        row[NO_YAKU] = 1.0
    if honitsu and (plan.yakuhai > 0 or plan.yakuhai_pairs > 0 or not tanyao):
        row[HONITSU_NEAR] = 5.0 - plan.off
    han = plan.bonus + plan.yakuhai + (0.5 * plan.yakuhai_pairs if plan.yakuhai == 0 else 0.0)
    han += worth_of(bits.TANYAO, OPEN, rules) if tanyao else 0
    if honitsu and plan.off <= 2:
        han += worth_of(bits.HONITSU, OPEN, rules)
    row[HAN] = han


@routine
def before_call(view, rules, context, work):  # type: ignore[no-untyped-def]
    """The hand and the threat before a call; also writes the risks to ``work``."""
    find_risks(view, rules, context, work)
    now = shanten(view.hand, int(view.melds[0]), context.tables)
    plan = plan_of(view.hand, view, NO_MELD, 0, rules)
    turn = min(int(view.discards[0]), 17) / 10.0
    return Before(now, plan.pairs, int(plan.side == CLOSED), plan.yakuhai, threat_of(view, work), turn)


@routine
def describe_call(view, code, before, rules, context, work):  # type: ignore[no-untyped-def]
    """Write the features of one call to the first row of ``work.features``."""
    row = work.features[0]
    for i in range(COUNT):
        row[i] = 0.0
    pon = code >> 8 == actions.PON
    first = take_called(view, code, work.trial)
    left, tiles = after_call(view, code, first, rules, context, work)
    plan = plan_of(work.trial, view, PON if pon else CHI, first, rules)
    _yaku(plan, row, rules)
    row[HAN] += int(int(view.claimed) >= RED)
    row[OF_PON if pon else OF_CHI] = 1.0
    row[NEARER] = int(left < before.shanten)
    row[SAME] = int(left == before.shanten)
    row[LEAVES_0 + min(left, 3)] = 1.0
    row[UKEIRE] = log((tiles + 0.5) / 12.0)
    row[YAKUHAI_PON] = int(pon and plan.yakuhai > before.yakuhai)
    row[HAN_0] = row[HAN] if left == 0 else 0.0
    row[TURN] = before.turn
    row[TURN_2] = before.turn * int(left >= 2)
    row[THREAT] = before.threat
    row[THREAT_1] = before.threat * int(left >= 1)
    row[OPENS] = before.closed
    row[OPENS_1] = int(before.closed and before.shanten <= 1)
    row[OPENS_2] = int(before.closed and before.shanten == 2)
    row[LAST_PAIR] = int(pon and before.pairs <= 1)
    row[TENPAI_LATE] = before.turn * int(left == 0)
    row[TENPAI_LAST] = int(left == 0 and view.live_left < 16)


@routine
def best_call(view, count, weights, rules, context, work):  # type: ignore[no-untyped-def]
    """The best chi or pon among the first ``count`` of ``work.actions``; a pass if no weight is above 0."""
    before = before_call(view, rules, context, work)
    best, most = actions.PASS << 8, 0.0
    for i in range(count):
        code = int(work.actions[i])
        if code >> 8 != actions.CHI and code >> 8 != actions.PON:
            continue
        describe_call(view, code, before, rules, context, work)
        weight = 0.0
        for j in range(COUNT):
            weight += weights[j] * work.features[0, j]
        if weight > most:
            best, most = code, weight
    return best
