"""Features of each discard, weighted by ``bots.weights``.

A feature that does not apply is 0. Features of the hand's shape fade as an opponent nears tenpai. Yaku
features are in han; risk and prospects are in thousands of points.
"""

from math import log

from jantaku.bots import discard_features as features
from jantaku.bots.caution import caution_of, margins_of
from jantaku.bots.danger import PROBABLE, dora_of, find_risks, yakuhai_han
from jantaku.bots.discard_features import COUNT, TASTE_COUNT, Moment
from jantaku.bots.efficient import tiles_left
from jantaku.bots.plan import plan_of
from jantaku.bots.plan_features import describe_plans
from jantaku.bots.prospects import (
    last_tile_beyond_usual,
)
from jantaku.bots.worth import one_away_worth, situation_of, tenpai_worth
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.shanten import NEVER
from jantaku.kernels.waits import discard_choices
from jantaku.kernels.win import NO_MELD


@kernel
def threat_of(view, work):
    """Return the highest probability that an opponent is tenpai, 0 if none is above 0.3."""
    most = 0.0
    for seat in range(1, int(view.seats)):
        likely = work.threat[seat, PROBABLE]
        if likely > 0.3:
            most = max(most, likely)
    return most


@routine
def _moment(view, weights, rules, work):
    """Return the ``Moment`` of the view, from ``work.choices`` and ``work.threat``."""
    choices = work.choices
    best = NEVER
    for kind in range(34):
        best = min(best, choices[kind, 0])
    most = 1
    for kind in range(34):
        if choices[kind, 0] == best:
            most = max(most, tiles_left(choices[kind, 1], view.seen))
    threat = threat_of(view, work)
    turn = min(int(view.discards[0]), 17) / 10.0
    margins = margins_of(view, rules)
    chasing = margins.behind - margins.ahead
    caution = caution_of(view, rules)
    ahead, behind = margins.ahead, margins.behind
    far = near = 0
    for taste in range(TASTE_COUNT):
        far |= int(weights[features.FAR_HONITSU + taste] > 0.0) << taste
        near |= int(weights[features.NEAR_HONITSU + taste] > 0.0) << taste
    return Moment(best, most, threat, 1.0 - threat, turn, caution, ahead, behind, chasing, far, near)


@kernel
def _distance(view, kind, now, work, row):
    """Write the features of shanten and improving tiles."""
    if work.choices[kind, 0] > now.best:
        row[features.FURTHER] = 1.0
        row[features.FURTHER_NEAR] = int(now.best <= 1)
        row[features.FURTHER_THREAT] = now.threat
        row[features.FURTHER_CHASING] = now.chasing
        return
    left = tiles_left(work.choices[kind, 1], view.seen)
    ratio = log((left + 0.5) / (now.most + 0.5))
    stage = min(now.best, 3)
    row[features.UKEIRE_0 + stage] = ratio
    row[features.UKEIRE_CHASING] = ratio * now.chasing
    if stage > 0:
        row[features.UKEIRE_THREAT_1 + stage - 1] = ratio * now.threat
    if stage > 1:
        row[features.MANY_2 + stage - 2] = left * now.calm / 10.0


@kernel
def _suited(hand, kind, now, row):
    """Write the features of a suit tile's neighbours."""
    rank = kind % 9
    low = int(hand[kind - 1] > 0) if rank > 0 else 0
    high = int(hand[kind + 1] > 0) if rank < 8 else 0
    gap = int(hand[kind - 2] > 0) if rank > 1 else 0
    gap |= int(hand[kind + 2] > 0) if rank < 7 else 0
    if hand[kind] == 1 and low + high + gap == 0:
        row[features.ALONE_19 + min(rank, 8 - rank, 3)] = now.calm
        row[features.ALONE_LATE] = now.turn * now.calm
    row[features.NEXT_ONE] = now.calm * int(low + high == 1)
    row[features.NEXT_BOTH] = now.calm * int(low + high == 2)
    row[features.GAPPED] = now.calm * int(low + high == 0 and gap)
    row[features.PAIR] = now.calm * int(hand[kind] == 2)


@kernel
def _honour(view, kind, now, rules, row):
    """Write the features of an honour's potential."""
    held, han = int(view.hand[kind]), yakuhai_han(view, 0, kind, rules)
    elsewhere = 0
    while elsewhere < 2 and int(view.seen[kind]) > held + elsewhere:
        elsewhere += 1
    if held == 1:
        if han:
            row[features.VALUE_0 + elsewhere] = han * now.calm
        else:
            row[features.GUEST_0 + elsewhere] = now.calm
        row[features.HONOUR_LATE] = now.turn * now.calm
        row[features.UNSEEN_LATE] = now.turn * now.calm * int(elsewhere == 0)
    elif held == 2:
        row[features.VALUE_PAIR if han else features.GUEST_PAIR] = now.calm * max(han, 1)
    row[features.SAFE_HONOUR] = now.calm * int(view.seen[kind] >= 3)


@kernel
def _bonus(view, kind, now, rules, row):
    """Write the features of the dora that the discard gives up."""
    row[features.DORA] = dora_of(view, kind, rules)
    row[features.RED_ONE] = int(view.red[kind] > 0 and view.red[kind] == view.hand[kind])
    row[features.DORA_CHASING] = (row[features.DORA] + row[features.RED_ONE]) * now.chasing
    if kind >= 27:
        return
    near = 0
    for other in range(max(kind - 2, kind - kind % 9), min(kind + 2, kind - kind % 9 + 8) + 1):
        near += dora_of(view, other, rules) if other != kind else 0
    row[features.DORA_NEAR] = near * now.calm


@kernel
def _risk(view, kind, now, plan, work, row):
    """Write the features of the discard's risk."""
    after = work.choices[kind, 0]
    risk = work.risk[0, kind] / 1000.0 * now.caution
    row[features.RISK_0 + min(after, 3)] = risk
    row[features.RISK_FURTHER] = risk * int(after > now.best)
    han = min(plan.bonus + plan.yakuhai + int(plan.side == CLOSED), 6) / 4.0
    row[features.RISK_HAN] = risk * han
    row[features.RISK_HAN_READY] = risk * han * int(after == 0)
    row[features.RISK_DEALER] = risk * int(view.dealer == 0)
    row[features.RISK_TURN] = risk * now.turn
    row[features.RISK_AHEAD] = risk * now.ahead
    row[features.RISK_BEHIND] = risk * now.behind
    row[features.SAFE_NEAR] = now.threat * int(work.risk[0, kind] < 30.0 and now.best <= 1)
    row[features.RISK_0_FLAT] = min(risk, 0.5) * int(after == 0)
    row[features.RISK_1_FLAT] = min(risk, 0.5) * int(after >= 1)
    row[features.SAFE_FAR] = now.threat * int(work.risk[0, kind] < 30.0 and now.best >= 2)


@routine
def _tenpai(view, now, plan, rules, context, work):
    """Write the value of each discard that leaves the hand tenpai, relative to the best of them."""
    situation, most = situation_of(view), 1.0
    for kind in range(34):
        if work.choices[kind, 0] == 0:
            _, points = tenpai_worth(view, kind, work.choices[kind, 1], situation, rules, context)
            work.utility[kind] = points
            most = max(most, points)
    for kind in range(34):
        if work.choices[kind, 0] == 0:
            row = work.features[kind]
            tiles = tiles_left(work.choices[kind, 1], view.seen)
            row[features.PROSPECT] += last_tile_beyond_usual(view, tiles, plan, rules, work)
            row[features.POINTS_0] = log((work.utility[kind] + 100.0) / (most + 100.0))
            row[features.POINTS_CHASING] = row[features.POINTS_0] * now.chasing
            row[features.RISK_POINTS] = row[features.RISK_0] * log((work.utility[kind] + 100.0) / 15000.0)


@routine
def _one_away(view, now, rules, context, work):
    """Write the value of each discard that leaves the hand one tile from tenpai, relative to the best."""
    most = 1.0
    for kind in range(34):
        if work.choices[kind, 0] == 1:
            value = one_away_worth(view, kind, work.choices[kind, 1], rules, context, work)
            work.utility[kind] = value
            most = max(most, value)
    for kind in range(34):
        if work.choices[kind, 0] == 1:
            row = work.features[kind]
            row[features.VALUE_ONE_AWAY] = log((work.utility[kind] + 200.0) / (most + 200.0))
            row[features.VALUE_CHASING] = row[features.VALUE_ONE_AWAY] * now.chasing
            row[features.RISK_VALUE] = row[features.RISK_1] * log((work.utility[kind] + 200.0) / 200000.0)


@routine
def describe_discards(view, weights, rules, context, work):
    """Write the features of each kind's discard to ``work.features``; return the lowest shanten.

    ``weights`` are the weights of these features: the negative ones, which mark habits that people avoid, do
    not fade with the plan's value.
    """
    find_risks(view, rules, context, work)
    melds = int(view.melds[0])
    discard_choices(view.hand, view.seen, melds, context.tables, context.scratch, work.choices)
    now = _moment(view, weights, rules, work)
    plan = plan_of(view.hand, view, NO_MELD, 0, rules)
    for kind in range(34):
        work.trial[kind] = view.hand[kind]
    for kind in range(34):
        count = int(view.hand[kind])
        if count == 0:
            continue
        row = work.features[kind]
        for i in range(COUNT):
            row[i] = 0.0
        _distance(view, kind, now, work, row)
        if kind < 27:
            _suited(view.hand, kind, now, row)
        else:
            _honour(view, kind, now, rules, row)
        row[features.TRIPLET] = now.calm * int(count >= 3)
        if count == 2 and plan.side == CLOSED:
            row[features.MANY_PAIRS] = max(plan.pairs - 3, 0) * now.calm
        _bonus(view, kind, now, rules, row)
        _risk(view, kind, now, plan, work, row)
        row[features.DRAWN] = int(int(view.drawn) != NO_TILE and int(view.drawn) % RED == kind)
    describe_plans(view, now, plan, rules, work)
    if now.best == 0:
        _tenpai(view, now, plan, rules, context, work)
    elif now.best == 1:
        _one_away(view, now, rules, context, work)
    return now.best
