"""The effect of a finished hand on points, deposits, dealer and honba.

``settle`` needs only a ``MATCH``, an ``OUTCOME`` and the rules: neither tiles nor a game. It serves both the
engine and hands recorded at a physical table.
"""

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.chips_and_yakitori import gaining_seats, pay_final_chips
from jantaku.kernels.engine.game_end import busted_seats, clear_deposits, ends_game, finish
from jantaku.kernels.engine.renchan import dealer_stays, is_win, next_honba
from jantaku.kernels.engine.state import ALL_TAKEN, LAID_TAKEN, VOIDED, WON


@kernel
def settle(match, outcome, stop, rules):
    """Apply the points of ``outcome`` and move to the next hand, or end the game.

    ``outcome.delta`` already includes every payment of the hand and the deposits that winners collect.
    """
    for seat in range(int(match.seats)):
        match.scores[seat] += outcome.delta[seat]
        match.chips[seat] += outcome.chips[seat]
    if is_win(outcome, rules):
        match.winners |= outcome.winners if outcome.ended == WON else outcome.nagashi
    if outcome.took_deposits == ALL_TAKEN:
        clear_deposits(match)
    elif outcome.took_deposits == LAID_TAKEN:
        for seat in range(int(match.seats)):
            match.deposits -= outcome.laid[seat]
            match.deposits_of[seat] -= outcome.laid[seat]
    stays = dealer_stays(match, outcome, rules)
    over = ends_game(match, outcome, stays, stop, rules)
    dealer_won = is_win(outcome, rules) and stays
    match.honba = next_honba(match, outcome, stays, rules)
    if outcome.ended != VOIDED:
        match.streak = int(match.streak) + 1 if dealer_won else 0
    if over:
        busted = busted_seats(match, rules)
        finish(match, rules)
        pay_final_chips(match, busted, gaining_seats(outcome, int(match.seats)), rules)
    elif not stays:
        match.number += 1


@kernel
def lay_deposits(match, outcome, seat, sticks, rules):
    """Lay deposits of the seat: one for a riichi, or the cost of a foul (inventory 122, 202)."""
    match.scores[seat] -= sticks * int(rules.riichi.deposit)
    match.deposits += sticks
    match.deposits_of[seat] += sticks
    outcome.laid[seat] += sticks
