"""Decides whether a tenpai hand declares riichi or stays silent (damaten)."""

from math import log

from jantaku.bots.match_state import is_last_hand
from jantaku.bots.plan import worth_of
from jantaku.bots.weights import RIICHI_AT
from jantaku.bots.worth import tenpai_worth
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine import actions
from jantaku.kernels.rules import CLOSED
from jantaku.kernels.win import IN_RIICHI

(
    ALWAYS,
    TILE,  # for each tile left of the wait, at most eight
    GOOD,  # five or more are left
    GAIN,  # the logarithm of how many times the points of a silent win a riichi brings
    MANGAN,  # the silent win is about a mangan
    LIVE,  # the share of the wall that is left
    DEALER,
    LAST_FIRST,  # first in the last hand
    LAST_FOURTH,
) = range(RIICHI_AT, RIICHI_AT + 9)
MANGAN_POINTS = 7600.0
OPEN_TILES = 6  # a wait with fewer tiles left is never shown, even for the han


@routine
def judge(view, kind, waits, weights, rules, context):  # type: ignore[no-untyped-def]
    """The weight of riichi with the discard of ``kind``, which leaves ``waits``; above 0 it is declared."""
    left, silent = tenpai_worth(view, kind, waits, 0, rules, context)
    if left == 0:
        return -1.0
    _, declared = tenpai_worth(view, kind, waits, IN_RIICHI, rules, context)
    silent = max(silent / left, 300.0)
    declared = max(declared / left, 500.0)
    last = is_last_hand(view, rules)
    place = int(view.places[0])
    weight = weights[ALWAYS] + weights[TILE] * min(left, 8) + weights[GAIN] * log(declared / silent)
    weight += weights[GOOD] * int(left >= 5) + weights[MANGAN] * int(silent >= MANGAN_POINTS)
    weight += weights[LIVE] * int(view.live_left) / 70.0 + weights[DEALER] * int(view.dealer == 0)
    weight += weights[LAST_FIRST] * int(last and place == 0) + weights[LAST_FOURTH] * int(last and place == 3)
    return weight


@kernel
def _shows_hand(view, waits, rules):  # type: ignore[no-untyped-def]
    """Whether to declare open riichi: it adds han, the wait is wide, and two opponents are in riichi."""
    more = worth_of(bits.OPEN_RIICHI, CLOSED, rules) - worth_of(bits.RIICHI, CLOSED, rules)
    bound = 0
    for seat in range(1, int(view.seats)):
        bound += int(view.riichi[seat] != 0)
    left = 0
    for kind in range(34):
        left += 4 - int(view.seen[kind]) if waits >> kind & 1 else 0
    return more > 0 and bound >= 2 and left >= OPEN_TILES


@routine
def riichi_for(view, kind, weights, rules, context, work):  # type: ignore[no-untyped-def]
    """How to discard ``kind``, which leaves a tenpai hand: openly in riichi, in riichi, or silently."""
    waits = work.choices[kind, 1]
    if judge(view, kind, waits, weights, rules, context) <= 0:
        return actions.DISCARD
    return actions.OPEN_RIICHI if _shows_hand(view, waits, rules) else actions.RIICHI
