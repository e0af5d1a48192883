"""How a finished hand changes points, deposits, honba and the deal, and whether the game ends.

``settle`` needs only a ``MATCH``, an ``OUTCOME`` and the rules, neither tiles nor a game. The engine uses it,
and so do hands recorded at a physical table.
"""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.final_points import ahead_of, clear_deposits, finish
from jantaku.kernels.engine.prizes import busted_seats, gaining_seats, pay_final_chips
from jantaku.kernels.engine.state import ALL_TAKEN, EXHAUSTED, LAID_TAKEN, SANCHAHOU, VOIDED, WON
from jantaku.kernels.masks import popcount
from jantaku.kernels.points import part_of
from jantaku.kernels.rules import choice

EAST_ONLY: Final = choice("match.length", "east")
HANCHAN: Final = choice("match.length", "hanchan")
STAYS: Final = choice("draw.dealer_after_abort", "stays")
TRIPLE_STAYS: Final = choice("draw.dealer_after_triple_ron", "stays")
TRIPLE_PASSES: Final = choice("draw.dealer_after_triple_ron", "passes")
HONBA_ADDS: Final = choice("draw.honba_after_abort", "adds")
NAGASHI_AS_WIN: Final = choice("draw.nagashi_mangan", "as_win")
TENPAI_RENCHAN: Final = choice("deal.renchan", "tenpai")
NO_RENCHAN: Final = choice("deal.renchan", "none")
STOP_OFF: Final = choice("end.dealer_stop", "off")
STOP_OPTIONAL: Final = choice("end.dealer_stop", "optional")
STOP_FORCED: Final = choice("end.dealer_stop", "forced")
SUDDEN_DEATH: Final = choice("end.extension", "sudden_death")


@kernel
def dealer_of(match):
    """The seat that is East in this hand."""
    return int(match.number) % int(match.seats)


@kernel
def dealer_stays(match, outcome, rules):
    """Whether the dealer keeps the deal (inventory 223, 236–238, 244–246, 249)."""
    bit = 1 << dealer_of(match)
    ended = int(outcome.ended)
    if ended == VOIDED:
        return True
    if ended == WON:
        return int(outcome.winners) & bit != 0 and rules.deal.renchan != NO_RENCHAN
    if ended == SANCHAHOU:
        rule = int(rules.draw.dealer_after_triple_ron)
        dealt_in = int(outcome.discarder) == dealer_of(match)
        return rule == TRIPLE_STAYS or (rule != TRIPLE_PASSES and not dealt_in)
    if ended == EXHAUSTED:
        if outcome.nagashi and rules.draw.nagashi_mangan == NAGASHI_AS_WIN:
            return int(outcome.nagashi) & bit != 0 and rules.deal.renchan != NO_RENCHAN
        return int(outcome.tenpai) & bit != 0 and rules.deal.renchan == TENPAI_RENCHAN
    return rules.draw.dealer_after_abort == STAYS


@kernel
def is_win(outcome, rules):
    """Whether the hand counts as won: by a win, or by a nagashi mangan that counts as one."""
    nagashi = outcome.ended == EXHAUSTED and outcome.nagashi != 0
    return outcome.ended == WON or (nagashi and rules.draw.nagashi_mangan == NAGASHI_AS_WIN)


@kernel
def next_honba(match, outcome, stays, rules):
    """The honba of the next hand (inventory 242–246)."""
    honba = int(match.honba)
    if outcome.ended == VOIDED:
        return honba
    if is_win(outcome, rules):
        return honba + 1 if stays else 0
    if outcome.ended == EXHAUSTED or rules.draw.honba_after_abort == HONBA_ADDS:
        return honba + 1
    return honba


@kernel
def last_number(rules):
    """The number of the last regular hand: the last of the East, South or North round."""
    rounds = 4
    if rules.match.length == EAST_ONLY:
        rounds = 1
    elif rules.match.length == HANCHAN:
        rounds = 2
    return rounds * int(rules.match.players) - 1


@kernel
def _highest(match):
    most = int(match.scores[0])
    for seat in range(1, int(match.seats)):
        most = max(most, int(match.scores[seat]))
    return most


@kernel
def ends_game(match, outcome, stays, stop, rules):
    """Whether the game is over after this hand; ``stop`` is the choice of a dealer who may end it."""
    if outcome.ended == VOIDED:
        return False
    if busted_seats(match, rules) or 0 < int(rules.end.top_points) <= _highest(match):
        return True
    if int(match.number) < last_number(rules):
        return False
    if stays:
        return dealer_stops(match, outcome, stop, rules)
    extended = rules.end.extension == SUDDEN_DEATH and int(match.number) < last_number(rules) + int(
        match.seats
    )
    return not extended or _highest(match) >= int(rules.end.extension_target)


@kernel
def dealer_stops(match, outcome, stop, rules):
    """Whether the dealer, leading and staying in the last hand, ends the game (agari-yame, tenpai-yame)."""
    seat = dealer_of(match)
    counts = is_win(outcome, rules) or outcome.ended == EXHAUSTED
    leads = ahead_of(match, seat, rules) == 0 and match.scores[seat] >= rules.end.dealer_stop_points
    if rules.end.dealer_stop == STOP_OFF or not counts or not leads:
        return False
    return rules.end.dealer_stop == STOP_FORCED or stop


@kernel
def settle(match, outcome, stop, rules):
    """Apply the points of ``outcome`` and move to the next hand, or end the game.

    ``outcome.delta`` already holds every payment of the hand, including the deposits that winners take.
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


@kernel
def share_noten(match, outcome, total):
    """Write the noten payments to the outcome (inventory 220)."""
    tenpai = int(outcome.tenpai)
    number = popcount(tenpai)
    if number == 0 or number == int(match.seats):
        return
    paid = received = 0
    for seat in range(int(match.seats)):
        if tenpai >> seat & 1:
            outcome.delta[seat] += part_of(total, number, received)
            received += 1
        else:
            outcome.delta[seat] -= part_of(total, int(match.seats) - number, paid)
            paid += 1
