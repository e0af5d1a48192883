"""Features of each possible chi and pon, weighted by ``bots.weights``; passing has weight 0."""

from math import log
from typing import Final, NamedTuple

from jantaku.bots import plan_tables as plans
from jantaku.bots.caution import margins_of
from jantaku.bots.danger import find_risks
from jantaku.bots.discard import threat_of
from jantaku.bots.discard_features import TASTE_COUNT
from jantaku.bots.distance import FAR
from jantaku.bots.efficient import after_call, take_called
from jantaku.bots.explore import MAX_OPTIONS, explore, explores
from jantaku.bots.net import CALL, begin_options, net_value
from jantaku.bots.net_inputs import write_call, write_situation
from jantaku.bots.plan import plan_of
from jantaku.bots.prospects import (
    LEAST,
    closed_beyond_usual,
    find_plans,
    last_tile_beyond_usual,
    nearest_yaku,
    prospect,
    usual_worth,
)
from jantaku.bots.stakes import hand_bonus
from jantaku.bots.weights import CLAIM_AT
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.rules import CLOSED
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
    YAKU_0,
    YAKU_1,
    YAKU_2,
    YAKU_3,
    YAKU_FAR,
    YAKUHAI,
    YAKUHAI_PON,
    YAKUHAI_PAIR,
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
    NEAR_HONITSU,
    NEAR_CHINITSU,
    NEAR_TOITOI,
    NEAR_CHIITOITSU,
    NEAR_SANSHOKU,
    NEAR_ITTSUU,
    NEAR_CHANTA,
    NEAR_IIPEIKOU,
    NEAR_TRIPLE_TRIPLETS,
    NEAR_DRAGONS,
    NEAR_TANYAO,
    NEAR_PINFU,
    CHASING,
    HAN_CHASING,
    DEALER,
    AHEAD,
    THREAT_HAN,
    THREAT_0,
    UKEIRE_2,
    PROSPECT,
) = range(49)
COUNT: Final = 49


class Before(NamedTuple):
    """The hand before a call (shanten, pairs, closed or not, yakuhai), the threat and the turn.

    ``beyond`` is how much more than usual its plans are worth (``bots.prospects``); bit ``taste`` of
    ``liked`` is set if the bot's weight for approaching that plan is positive. The tuple holds no array:
    compiled code miscounts the references to an array returned in a tuple and frees it while it is in use.
    """

    shanten: int
    pairs: int
    closed: int
    yakuhai: int
    threat: float
    turn: float
    dealer: int
    ahead: float
    chasing: float
    beyond: float
    liked: int


@kernel
def _yaku(plan, liked, view, rules, row, work):
    """Write the features of the yaku within reach after the call, and the han they would give."""
    row[YAKU_0 + min(nearest_yaku(plan, view, rules, work), 4)] = 1.0
    row[YAKUHAI] = int(plan.yakuhai > 0)
    row[YAKUHAI_PAIR] = int(plan.yakuhai == 0 and plan.yakuhai_pairs > 0)
    han = plan.bonus + plan.yakuhai + (0.5 * plan.yakuhai_pairs if plan.yakuhai == 0 else 0.0)
    for p in range(len(work.plans)):
        taste, missing = int(work.plans[p, plans.TASTE]), int(work.reach[p, LEAST])
        if taste < 0 or missing >= FAR:
            continue
        share, at = work.plans[p, plans.SHARE_CLOSED + plan.side], NEAR_HONITSU + taste
        near = (FAR - missing) / FAR * usual_worth(p, plan.side, work)
        row[at] = near * (share if liked >> taste & 1 else 1.0)
        han += near * share if missing <= 1 else 0.0
    row[HAN] = han


@routine
def before_call(view, weights, rules, context, work):
    """Return the hand and the threat before a call; also write the risks to ``work``."""
    find_risks(view, rules, context, work)
    now = shanten(view.hand, int(view.melds[0]), context.tables)
    plan = plan_of(view.hand, view, NO_MELD, 0, rules)
    turn = min(int(view.discards[0]), 17) / 10.0
    margins = margins_of(view, rules)
    beyond = 0.0
    if work.differs[0] != 0:
        for kind in range(34):
            work.trial[kind] = view.hand[kind]
        find_plans(work.trial, view, plan, now, rules, work)
        beyond = prospect(plan, rules, work)
    if plan.side == CLOSED:
        beyond += closed_beyond_usual(plan, now, rules, work)
    liked = 0
    for taste in range(TASTE_COUNT):
        liked |= int(weights[CLAIM_AT + NEAR_HONITSU + taste] > 0.0) << taste
    return Before(
        now, plan.pairs, int(plan.side == CLOSED), plan.yakuhai, threat_of(view, work), turn,
        int(view.dealer == 0), margins.ahead, margins.behind - margins.ahead, beyond, liked,
    )  # fmt: skip


@routine
def describe_call(view, code, before, rules, context, work):
    """Write the features of a call to row 0 of ``work.features``; return (shanten, tiles) after it."""
    row = work.features[0]
    for i in range(COUNT):
        row[i] = 0.0
    pon = code >> 8 == actions.PON
    first = take_called(view, code, work.trial)
    left, tiles = after_call(view, code, first, rules, context, work)
    plan = plan_of(work.trial, view, PON if pon else CHI, first, rules)
    find_plans(work.trial, view, plan, left, rules, work)
    _yaku(plan, before.liked, view, rules, row, work)
    stakes = hand_bonus(left, view, rules) - hand_bonus(before.shanten, view, rules)
    row[PROSPECT] = prospect(plan, rules, work) - before.beyond + stakes
    if left == 0 and before.shanten > 0:
        row[PROSPECT] += last_tile_beyond_usual(view, tiles, plan, rules, work)
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
    row[CHASING] = before.chasing
    row[HAN_CHASING] = before.chasing * row[HAN]
    row[DEALER] = before.dealer
    row[AHEAD] = before.ahead
    row[THREAT_HAN] = before.threat * row[HAN]
    row[THREAT_0] = before.threat * int(left == 0)
    row[UKEIRE_2] = row[UKEIRE] * int(left >= 2)
    row[TENPAI_LAST] = int(left == 0 and view.live_left < 16)
    return left, tiles


@routine
def best_call(view, count, row, rules, context, work):
    """Return the best chi or pon among the first ``count`` of ``work.actions``; pass if none exceeds 0."""
    weights = work.weights[row]
    before = before_call(view, weights, rules, context, work)
    corrected = work.corrected[row, CALL] != 0
    if corrected:
        write_situation(view, before.shanten, rules, work)
        begin_options(CALL, row, work)
    best, most, options, chosen = actions.PASS << 8, 0.0, 1, 0
    for i in range(min(count, MAX_OPTIONS - 1)):
        code = int(work.actions[i])
        if code >> 8 != actions.CHI and code >> 8 != actions.PON:
            continue
        after = describe_call(view, code, before, rules, context, work)
        weight = 0.0
        for j in range(COUNT):
            weight += weights[CLAIM_AT + j] * work.features[0, j]
        if corrected:
            write_call(view, code, COUNT, after, work, work.inputs.option[CALL, i + 1])
            weight += net_value(CALL, i + 1, row, work)
        options |= 2 << i
        if weight > most:
            best, most, chosen = code, weight, i + 1
        work.utility[i + 1] = weight
    if options == 1:
        return best
    if explores(work):
        work.utility[0] = 0.0
        chosen = explore(CALL, options, work)
    work.inputs.options[CALL] = options & ~1
    work.inputs.chosen[CALL] = chosen if chosen > 0 else -1
    return int(work.actions[chosen - 1]) if chosen > 0 else actions.PASS << 8
