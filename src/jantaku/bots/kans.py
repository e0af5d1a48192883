"""Chooses kans by their effect on the hand and by how much more than usual the ruleset pays for them."""

from typing import Final

from jantaku.bots.discard import threat_of
from jantaku.bots.discard_features import PROSPECT
from jantaku.bots.efficient import tile_kind
from jantaku.bots.plan import Plan, plan_of
from jantaku.bots.prospects import added_points, find_plans, other_han, points_at, prospect, worth_code
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.rules import OPEN
from jantaku.kernels.shanten import shanten
from jantaku.kernels.win import ANKAN, DAIMINKAN, NO_MELD

THREATENED: Final = 0.5
WORTH_IT: Final = 0.3  # thousands of extra points that justify a kan the bot would not declare otherwise
RINSHAN_CHANCE: Final = 0.04  # chance to win on the replacement tile


@kernel
def _drawn_worth(plan, left, rules, work):
    """Return the extra value of the draw after a kan and of the kan's own han, in thousands of points."""
    han = other_han(plan, rules)
    usual = points_at(han, work.points)
    rinshan = added_points(worth_code(bits.RINSHAN_KAIHOU, plan.side, rules), han, work.points)
    rinshan -= added_points(1.0, han, work.points)
    each = points_at(han + int(rules.score.kan_han), work.points) - usual
    return ((RINSHAN_CHANCE * rinshan if left == 0 else 0.0) + 0.2 * each) / 1000.0


@routine
def _after(view, of, meld, rules, context, work):
    """Return (shanten, extra value of the plans) after a kan of the kind ``of``."""
    for other in range(34):
        work.trial[other] = int(view.hand[other]) if other != of else 0
    left = shanten(work.trial, int(view.melds[0]) + int(meld != NO_MELD), context.tables)
    plan = plan_of(work.trial, view, meld, of, rules)
    if meld == NO_MELD:  # a tile is added to a pon
        plan = Plan(
            plan.side, plan.melds, plan.runs, plan.triplets, plan.kans | 1 << of, plan.ankans,
            plan.yakuhai, plan.yakuhai_pairs, plan.pairs, plan.bonus,
        )  # fmt: skip
    find_plans(work.trial, view, plan, left, rules, work)
    return left, prospect(plan, rules, work) + _drawn_worth(plan, left, rules, work)


@routine
def kan_for(view, kind, count, rules, context, work):
    """Return the kan to declare instead of discarding ``kind``, −1 for none."""
    now, calm = work.choices[kind, 0], threat_of(view, work) < THREATENED
    before = work.features[kind, PROSPECT]
    for i in range(count):
        code = int(work.actions[i])
        of, ankan = tile_kind(code), code >> 8 == actions.ANKAN
        if not ankan and code >> 8 != actions.KAKAN:
            continue
        left, beyond = _after(view, of, ANKAN if ankan else NO_MELD, rules, context, work)
        pays = beyond - before
        if left <= now + 1 and pays > WORTH_IT:
            return code
        if pays < -WORTH_IT:
            continue
        if ankan and left <= now and (calm or now == 0):
            return code
        if not ankan and now <= 1 and calm and of == kind:
            return code
    return -1


@routine
def called_kan(view, rules, context, work):
    """Return whether to call an open kan: only if the ruleset pays more than usual for it."""
    if (
        work.differs[0] == 0
        and rules.score.kan_han == 0
        and worth_code(bits.RINSHAN_KAIHOU, OPEN, rules) == 1
    ):
        return False
    of = int(view.claimed) % RED
    for kind in range(34):
        work.trial[kind] = view.hand[kind]
    now = shanten(work.trial, int(view.melds[0]), context.tables)
    plan = plan_of(work.trial, view, NO_MELD, 0, rules)
    find_plans(work.trial, view, plan, now, rules, work)
    before = prospect(plan, rules, work)
    left, beyond = _after(view, of, DAIMINKAN, rules, context, work)
    return left <= now + 1 and beyond - before > WORTH_IT
