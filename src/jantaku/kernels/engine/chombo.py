"""The cost of a chombo, and the end of the hand it voids."""

from typing import Final

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hand_end import close_hand
from jantaku.kernels.engine.renchan import dealer_of
from jantaku.kernels.engine.state import VOIDED
from jantaku.kernels.points import part_of
from jantaku.kernels.rules import choice
from jantaku.rules.catalogue import LIMIT_BASE

MANGAN: Final = choice("fouls.chombo", "mangan")
FLAT: Final = choice("fouls.chombo", "flat")
DEDUCT: Final = choice("fouls.chombo", "deduct")
MANGAN_BASE: Final = LIMIT_BASE["mangan"]


@kernel
def void_hand(match, outcome, rules):
    """Return the deposits laid in the hand and charge the offenders' chombo (inventory 166–172, d10)."""
    for seat in range(int(match.seats)):
        sticks = int(outcome.laid[seat])
        match.scores[seat] += sticks * int(rules.riichi.deposit)
        match.deposits -= sticks
        match.deposits_of[seat] -= sticks
        if int(outcome.offenders) >> seat & 1:
            pay_chombo(match, outcome, seat, rules)


@kernel
def pay_chombo(match, outcome, seat, rules):
    """Record the seat's payment for a chombo in the outcome, or in its penalties (inventory 167–170)."""
    way, points = rules.fouls.chombo, int(rules.fouls.chombo_points)
    if way == DEDUCT:
        match.penalties[seat] += points
        return
    dealer = dealer_of(match)
    for other in range(int(match.seats)):
        if other == seat:
            continue
        due = points
        if way == MANGAN:
            due = MANGAN_BASE * (2 if seat == dealer or other == dealer else 1)
        elif way == FLAT:  # one sum, divided among the others
            seats = int(match.seats)
            due = part_of(points, seats - 1, (other - seat) % seats - 1)
        outcome.delta[seat] -= due
        outcome.delta[other] += due


@routine
def end_chombo(game, offenders, rules):
    """Void the hand: return its deposits and charge the offenders, given as a mask (inventory 166–172)."""
    game.outcome.offenders = offenders
    void_hand(game.match, game.outcome, rules)
    close_hand(game, VOIDED, False, rules)
