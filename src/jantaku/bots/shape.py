"""Features of each discard, weighted by ``bots.weights``.

A feature that does not apply is 0. Features of the hand's shape fade as an opponent nears tenpai. Yaku
features count han, risk and prospects thousands of points.
"""

from math import log
from typing import Final, NamedTuple

from jantaku.bots import plans
from jantaku.bots.danger import PROBABLE, dora_of, find_risks, yakuhai_han
from jantaku.bots.distance import FAR
from jantaku.bots.efficient import tiles_left
from jantaku.bots.match_state import caution_of, margins_of
from jantaku.bots.plan import plan_of
from jantaku.bots.prospects import (
    beyond_usual,
    consider,
    counts_open,
    find_plans,
    forget,
    last_tile_beyond_usual,
    other_han,
    usual_worth,
)
from jantaku.bots.stakes import of_hand
from jantaku.bots.worth import one_away_worth, situation_of, tenpai_worth
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import CALLED, NO_TILE
from jantaku.kernels.masks import ORPHANS, lowest
from jantaku.kernels.rules import CLOSED, OPEN, choice
from jantaku.kernels.shanten import NEVER
from jantaku.kernels.waits import discard_choices
from jantaku.kernels.win import NO_MELD

(
    FURTHER,
    FURTHER_NEAR,
    FURTHER_THREAT,
    UKEIRE_0,
    UKEIRE_1,
    UKEIRE_2,
    UKEIRE_3,
    UKEIRE_THREAT_1,
    UKEIRE_THREAT_2,
    UKEIRE_THREAT_3,
    MANY_2,
    MANY_3,
    POINTS_0,
    ALONE_19,
    ALONE_28,
    ALONE_37,
    ALONE_456,
    ALONE_LATE,
    NEXT_ONE,
    NEXT_BOTH,
    GAPPED,
    PAIR,
    TRIPLET,
    MANY_PAIRS,
    GUEST_0,
    GUEST_1,
    GUEST_2,
    VALUE_0,
    VALUE_1,
    VALUE_2,
    VALUE_PAIR,
    GUEST_PAIR,
    HONOUR_LATE,
    UNSEEN_LATE,
    SAFE_HONOUR,
    DORA,
    RED_ONE,
    DORA_NEAR,
    VALUE_ONE_AWAY,
    YAKU_MISSING,
    RISK_0,
    RISK_1,
    RISK_2,
    RISK_3,
    RISK_FURTHER,
    SAFE_FAR,
    DRAWN,
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
    FAR_HONITSU,
    FAR_CHINITSU,
    FAR_TOITOI,
    FAR_CHIITOITSU,
    FAR_SANSHOKU,
    FAR_ITTSUU,
    FAR_CHANTA,
    FAR_IIPEIKOU,
    FAR_TRIPLE_TRIPLETS,
    FAR_DRAGONS,
    FAR_TANYAO,
    FAR_PINFU,
    RISK_HAN,
    RISK_HAN_READY,
    RISK_DEALER,
    RISK_TURN,
    RISK_AHEAD,
    RISK_BEHIND,
    RISK_POINTS,
    RISK_VALUE,
    DORA_CHASING,
    POINTS_CHASING,
    VALUE_CHASING,
    UKEIRE_CHASING,
    FURTHER_CHASING,
    NEAR_CHASING,
    FAR_CHASING,
    SAFE_NEAR,
    RISK_0_FLAT,
    RISK_1_FLAT,
    PROSPECT,
) = range(90)
COUNT: Final = 90
TASTE_COUNT: Final = FAR_HONITSU - NEAR_HONITSU
NEAR: Final = 3  # a plan is near with fewer tiles missing
NAGASHI_OFF: Final = choice("draw.nagashi_mangan", "off")
NAGASHI_USUAL: Final = 2000  # base points of a nagashi mangan
ORPHAN_DRAWN: Final = 0.45  # the chance to get a terminal or an honour in time, for each that is missing


class Moment(NamedTuple):
    """Facts that are the same for all discards of a turn.

    ``best`` is the lowest shanten, ``most`` the improving tiles after the best discard; ``threat`` the
    probability that an opponent is tenpai (1 in riichi), ``calm`` its complement; ``turn`` the number of own
    discards divided by ten; ``caution`` scales risk; bit ``taste`` of ``likes_far`` and ``likes_near`` says
    that the bot's weight of that plan is above 0. It has no array, as ``claim.Before``.
    """

    best: int
    most: int
    threat: float
    calm: float
    turn: float
    caution: float
    ahead: float
    behind: float
    chasing: float
    likes_far: int
    likes_near: int


@kernel
def threat_of(view, work):
    """The highest probability that an opponent is tenpai, 0 if none is above 0.3."""
    most = 0.0
    for seat in range(1, int(view.seats)):
        likely = work.threat[seat, PROBABLE]
        if likely > 0.3:
            most = max(most, likely)
    return most


@routine
def _moment(view, weights, rules, work):
    """The ``Moment`` of the view, from ``work.choices`` and ``work.threat``."""
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
        far |= int(weights[FAR_HONITSU + taste] > 0.0) << taste
        near |= int(weights[NEAR_HONITSU + taste] > 0.0) << taste
    return Moment(best, most, threat, 1.0 - threat, turn, caution, ahead, behind, chasing, far, near)


@kernel
def _distance(view, kind, now, work, row):
    """Write the features of shanten and improving tiles."""
    if work.choices[kind, 0] > now.best:
        row[FURTHER] = 1.0
        row[FURTHER_NEAR] = int(now.best <= 1)
        row[FURTHER_THREAT] = now.threat
        row[FURTHER_CHASING] = now.chasing
        return
    left = tiles_left(work.choices[kind, 1], view.seen)
    ratio = log((left + 0.5) / (now.most + 0.5))
    stage = min(now.best, 3)
    row[UKEIRE_0 + stage] = ratio
    row[UKEIRE_CHASING] = ratio * now.chasing
    if stage > 0:
        row[UKEIRE_THREAT_1 + stage - 1] = ratio * now.threat
    if stage > 1:
        row[MANY_2 + stage - 2] = left * now.calm / 10.0


@kernel
def _suited(hand, kind, now, row):
    """Write the features of a suit tile's neighbours."""
    rank = kind % 9
    low = int(hand[kind - 1] > 0) if rank > 0 else 0
    high = int(hand[kind + 1] > 0) if rank < 8 else 0
    gap = int(hand[kind - 2] > 0) if rank > 1 else 0
    gap |= int(hand[kind + 2] > 0) if rank < 7 else 0
    if hand[kind] == 1 and low + high + gap == 0:
        row[ALONE_19 + min(rank, 8 - rank, 3)] = now.calm
        row[ALONE_LATE] = now.turn * now.calm
    row[NEXT_ONE] = now.calm * int(low + high == 1)
    row[NEXT_BOTH] = now.calm * int(low + high == 2)
    row[GAPPED] = now.calm * int(low + high == 0 and gap)
    row[PAIR] = now.calm * int(hand[kind] == 2)


@kernel
def _honour(view, kind, now, rules, row):
    """Write the features of an honour's potential."""
    held, han = int(view.hand[kind]), yakuhai_han(view, 0, kind, rules)
    elsewhere = 0
    while elsewhere < 2 and int(view.seen[kind]) > held + elsewhere:
        elsewhere += 1
    if held == 1:
        if han:
            row[VALUE_0 + elsewhere] = han * now.calm
        else:
            row[GUEST_0 + elsewhere] = now.calm
        row[HONOUR_LATE] = now.turn * now.calm
        row[UNSEEN_LATE] = now.turn * now.calm * int(elsewhere == 0)
    elif held == 2:
        row[VALUE_PAIR if han else GUEST_PAIR] = now.calm * max(han, 1)
    row[SAFE_HONOUR] = now.calm * int(view.seen[kind] >= 3)


@kernel
def _bonus(view, kind, now, rules, row):
    """Write the features of the dora that the discard gives up."""
    row[DORA] = dora_of(view, kind, rules)
    row[RED_ONE] = int(view.red[kind] > 0 and view.red[kind] == view.hand[kind])
    row[DORA_CHASING] = (row[DORA] + row[RED_ONE]) * now.chasing
    if kind >= 27:
        return
    near = 0
    for other in range(max(kind - 2, kind - kind % 9), min(kind + 2, kind - kind % 9 + 8) + 1):
        near += dora_of(view, other, rules) if other != kind else 0
    row[DORA_NEAR] = near * now.calm


@kernel
def _tastes(p, missing, side, now, kind, work):
    """Write how near a plan is that people are known to like or to avoid, at its usual worth.

    What they like they like less if the ruleset pays less for it; what they avoid they avoid as before.
    """
    taste, row = int(work.plans[p, plans.TASTE]), work.features[kind]
    usual = now.calm * usual_worth(p, side, work)
    share = work.plans[p, plans.SHARE_CLOSED + side]
    far, near = FAR_HONITSU + taste, NEAR_HONITSU + taste
    row[far] = usual * (FAR - missing) / FAR * (share if now.likes_far >> taste & 1 else 1.0)
    row[near] = usual * max(NEAR - missing, 0) / NEAR * (share if now.likes_near >> taste & 1 else 1.0)
    row[FAR_CHASING] += row[far] * now.chasing
    row[NEAR_CHASING] += row[near] * now.chasing


@kernel
def _plan_of_kinds(p, now, plan, han, work):
    """Count one plan for each discard that leaves it in reach."""
    done, opens = 0, plan.side == OPEN and counts_open(p, work)
    tasted, differs = work.plans[p, plans.TASTE] >= 0.0, work.differs[0] != 0
    chance, each = work.odds[p, 1], work.odds[p, 0]
    for missing in range(FAR):
        rest = int(work.reach[p, missing]) & ~done
        done |= rest
        while rest != 0:
            kind = lowest(rest)
            rest &= rest - 1
            if tasted:
                _tastes(p, missing, plan.side, now, kind, work)
            if opens:
                work.nearest[kind] = min(int(work.nearest[kind]), missing)
            if differs:
                consider(p, chance, plan.side, han, work.best[kind], work)
        chance *= each


@kernel
def _nagashi(view, kind, rules):
    """What a discard keeps of a nagashi mangan beyond the usual, in thousands of points."""
    base = int(rules.nagashi_base) if rules.draw.nagashi_mangan != NAGASHI_OFF else 0
    if base == NAGASHI_USUAL or ORPHANS >> kind & 1 == 0 or int(view.discarded[0]) & ~ORPHANS:
        return 0.0
    held = 0
    for i in range(int(view.discards[0])):
        if int(view.river_marks[0, i]) & CALLED:
            return 0.0
    for other in range(34):
        held += int(view.hand[other]) if ORPHANS >> other & 1 else 0
    lacks = max(int(view.live_left) / int(view.seats) + 1 - held, 0.0)
    return 4.0 * (base - NAGASHI_USUAL) / 1000.0 * ORPHAN_DRAWN**lacks


@routine
def _plans(view, now, plan, rules, work):
    """Write how near each discard leaves the hand to its plans, and what these bring beyond the usual."""
    find_plans(work.trial, view, plan, now.best, rules, work)
    for kind in range(34):
        work.nearest[kind] = FAR
        forget(work.best[kind])
    han = other_han(plan, rules)
    for p in range(len(work.plans)):
        _plan_of_kinds(p, now, plan, han, work)
    for kind in range(34):
        if view.hand[kind] == 0:
            continue
        row = work.features[kind]
        if work.differs[0] != 0:
            row[PROSPECT] = beyond_usual(work.best[kind])
        row[PROSPECT] += _nagashi(view, kind, rules) + of_hand(work.choices[kind, 0], view, rules)
        if plan.side != OPEN or plan.yakuhai > 0:
            continue
        breaks = plan.yakuhai_pairs > 0 and view.hand[kind] == 2 and yakuhai_han(view, 0, kind, rules) > 0
        least = 1 if plan.yakuhai_pairs > 0 else FAR
        row[YAKU_MISSING] = max(min(int(work.nearest[kind]), least), 2 if breaks else 0)


@kernel
def _risk(view, kind, now, plan, work, row):
    """Write the features of the discard's risk."""
    after = work.choices[kind, 0]
    risk = work.risk[0, kind] / 1000.0 * now.caution
    row[RISK_0 + min(after, 3)] = risk
    row[RISK_FURTHER] = risk * int(after > now.best)
    han = min(plan.bonus + plan.yakuhai + int(plan.side == CLOSED), 6) / 4.0
    row[RISK_HAN] = risk * han
    row[RISK_HAN_READY] = risk * han * int(after == 0)
    row[RISK_DEALER] = risk * int(view.dealer == 0)
    row[RISK_TURN] = risk * now.turn
    row[RISK_AHEAD] = risk * now.ahead
    row[RISK_BEHIND] = risk * now.behind
    row[SAFE_NEAR] = now.threat * int(work.risk[0, kind] < 30.0 and now.best <= 1)
    row[RISK_0_FLAT] = min(risk, 0.5) * int(after == 0)
    row[RISK_1_FLAT] = min(risk, 0.5) * int(after >= 1)
    row[SAFE_FAR] = now.threat * int(work.risk[0, kind] < 30.0 and now.best >= 2)


@routine
def _tenpai(view, now, plan, rules, context, work):
    """Write how much each discard that leaves tenpai is worth, compared with the best of them."""
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
            row[PROSPECT] += last_tile_beyond_usual(view, tiles, plan, rules, work)
            row[POINTS_0] = log((work.utility[kind] + 100.0) / (most + 100.0))
            row[POINTS_CHASING] = row[POINTS_0] * now.chasing
            row[RISK_POINTS] = row[RISK_0] * log((work.utility[kind] + 100.0) / 15000.0)


@routine
def _one_away(view, now, rules, context, work):
    """Write how much each discard that leaves one tile to tenpai is worth, compared with the best of them."""
    most = 1.0
    for kind in range(34):
        if work.choices[kind, 0] == 1:
            value = one_away_worth(view, kind, work.choices[kind, 1], rules, context, work)
            work.utility[kind] = value
            most = max(most, value)
    for kind in range(34):
        if work.choices[kind, 0] == 1:
            row = work.features[kind]
            row[VALUE_ONE_AWAY] = log((work.utility[kind] + 200.0) / (most + 200.0))
            row[VALUE_CHASING] = row[VALUE_ONE_AWAY] * now.chasing
            row[RISK_VALUE] = row[RISK_1] * log((work.utility[kind] + 200.0) / 200000.0)


@routine
def describe_discards(view, weights, rules, context, work):
    """Write the features of each kind's discard to ``work.features``; return the lowest shanten.

    ``weights`` are those that the features will get: a habit that people avoid does not fade with its worth.
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
        row[TRIPLET] = now.calm * int(count >= 3)
        if count == 2 and plan.side == CLOSED:
            row[MANY_PAIRS] = max(plan.pairs - 3, 0) * now.calm
        _bonus(view, kind, now, rules, row)
        _risk(view, kind, now, plan, work, row)
        row[DRAWN] = int(int(view.drawn) != NO_TILE and int(view.drawn) % RED == kind)
    _plans(view, now, plan, rules, work)
    if now.best == 0:
        _tenpai(view, now, plan, rules, context, work)
    elif now.best == 1:
        _one_away(view, now, rules, context, work)
    return now.best
