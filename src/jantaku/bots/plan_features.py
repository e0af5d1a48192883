"""Features of each discard from the plans it keeps in reach: how near they are, and their value."""

from typing import Final

from jantaku.bots import discard_features as features
from jantaku.bots import plan_tables as plans
from jantaku.bots.danger import yakuhai_han
from jantaku.bots.distance import FAR
from jantaku.bots.prospects import (
    beyond_usual,
    consider,
    counts_open,
    find_plans,
    other_han,
    reset_best,
    usual_worth,
)
from jantaku.bots.stakes import hand_bonus
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.exhaustive_draw import NAGASHI_OFF
from jantaku.kernels.engine.state import CALLED
from jantaku.kernels.masks import ORPHANS, lowest
from jantaku.kernels.rules import OPEN

NEAR: Final = 3  # plans with fewer missing tiles are near
NAGASHI_USUAL: Final = 2000  # base points of a nagashi mangan
ORPHAN_DRAWN: Final = 0.45  # chance to draw each missing terminal or honour in time


@kernel
def _tastes(p, missing, side, now, kind, work):
    """Write how near the hand is to a plan that people are known to like or avoid, at its usual value.

    Liked plans lose weight if the ruleset pays less for them; avoided plans stay avoided.
    """
    taste, row = int(work.plans[p, plans.TASTE]), work.features[kind]
    usual = now.calm * usual_worth(p, side, work)
    share = work.plans[p, plans.SHARE_CLOSED + side]
    far, near = features.FAR_HONITSU + taste, features.NEAR_HONITSU + taste
    row[far] = usual * (FAR - missing) / FAR * (share if now.likes_far >> taste & 1 else 1.0)
    row[near] = usual * max(NEAR - missing, 0) / NEAR * (share if now.likes_near >> taste & 1 else 1.0)
    row[features.FAR_CHASING] += row[far] * now.chasing
    row[features.NEAR_CHASING] += row[near] * now.chasing


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
    """Return the extra value of a nagashi mangan that a discard keeps possible, in thousands of points."""
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
def describe_plans(view, now, plan, rules, work):
    """Write how near each discard leaves the hand to its plans, and their value compared with the usual."""
    find_plans(work.trial, view, plan, now.best, rules, work)
    for kind in range(34):
        work.nearest[kind] = FAR
        reset_best(work.best[kind])
    han = other_han(plan, rules)
    for p in range(len(work.plans)):
        _plan_of_kinds(p, now, plan, han, work)
    for kind in range(34):
        if view.hand[kind] == 0:
            continue
        row = work.features[kind]
        if work.differs[0] != 0:
            row[features.PROSPECT] = beyond_usual(work.best[kind])
        row[features.PROSPECT] += _nagashi(view, kind, rules) + hand_bonus(work.choices[kind, 0], view, rules)
        if plan.side != OPEN or plan.yakuhai > 0:
            continue
        breaks = plan.yakuhai_pairs > 0 and view.hand[kind] == 2 and yakuhai_han(view, 0, kind, rules) > 0
        least = 1 if plan.yakuhai_pairs > 0 else FAR
        row[features.YAKU_MISSING] = max(min(int(work.nearest[kind]), least), 2 if breaks else 0)
