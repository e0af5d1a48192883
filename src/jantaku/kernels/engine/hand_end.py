"""The end of a hand: wins are paid and settled, and under some rules the dealer may end the game."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.chips_and_yakitori import chips_of, pay_chips
from jantaku.kernels.engine.game_end import STOP_OPTIONAL, dealer_stops, last_number, stop_rule
from jantaku.kernels.engine.hands import after, dealer, seats_of, wind_of
from jantaku.kernels.engine.settle import settle
from jantaku.kernels.engine.state import (
    ALL_TAKEN,
    GAME_OVER,
    HAND_OVER,
    LAID_TAKEN,
    MAX_WINS,
    NO_SEAT,
    NONE_TAKEN,
    WON,
    YOUR_TURN,
)
from jantaku.kernels.engine.winning import write_win
from jantaku.kernels.rons import share_sticks
from jantaku.kernels.score import score
from jantaku.kernels.value import RESULT
from jantaku.kernels.win import FINAL_HAND, IN_RIICHI, MAX_SEATS, PAYMENT


@kernel
def clear_outcome(game):
    """Clear the outcome of the last hand."""
    outcome = game.outcome
    outcome.ended = outcome.winners = outcome.tenpai = outcome.nagashi = outcome.took_deposits = 0
    outcome.offenders = 0
    outcome.discarder = NO_SEAT
    for seat in range(MAX_SEATS):
        outcome.delta[seat] = outcome.laid[seat] = outcome.chips[seat] = 0
    for i in range(MAX_WINS):
        game.won_by[i] = NO_SEAT


@routine
def close_hand(game, ended, stop, rules):
    """Settle the hand, which ended as ``ended``; if the rules allow it, let the dealer end the game.

    ``stop`` is whether a hand that ended this way can end the game.
    """
    match, outcome, number = game.match, game.outcome, int(game.match.number)
    outcome.ended = ended
    asks = stop and stop_rule(outcome, rules) == STOP_OPTIONAL
    settle(match, outcome, stop and not asks, rules)
    game.phase = GAME_OVER if match.over else HAND_OVER
    if asks and not match.over and number == int(match.number) >= last_number(rules):
        if dealer_stops(match, outcome, True, rules):
            game.deciding = 1
            game.turn = dealer(game)
            game.phase = YOUR_TURN


@routine
def end_won(game, winners, tile, robbing, rules, context):
    """Settle the wins of the seats in ``winners`` on ``tile``, with honba and deposits (inventory 258).

    Each win and its result are stored in the record.
    """
    own = int(game.turn)
    outcome, number = game.outcome, 0
    outcome.winners = winners
    outcome.discarder = NO_SEAT if winners >> own & 1 else own
    for turn in range(seats_of(game)):
        seat = after(game, own, turn)
        if winners >> seat & 1 == 0:
            continue
        win = game.wins[number]
        write_win(game, seat, tile, robbing, int(game.indicators), win)
        write_stakes(game, seat, rules, win)
        game.won_by[number] = seat
        number += 1
    record_collected(game, share_sticks(game.wins, number, rules, context.pay))
    for i in range(number):
        score(game.wins[i], rules, context.space, context.result)
        for column in range(RESULT):
            game.results[i, column] = context.result[column]
        chips = chips_of(game.wins[i], context.result, rules)
        pay_chips(game.match, outcome, int(game.won_by[i]), chips)
        for other in range(seats_of(game)):
            outcome.delta[other] += context.result[PAYMENT + wind_of(game, other)]
    close_hand(game, WON, True, rules)


@kernel
def is_final(game, rules):
    """Return whether this is the last regular hand or a later one."""
    return int(game.match.number) >= last_number(rules)


@kernel
def write_stakes(game, seat, rules, win):
    """Write honba, deposits and the facts that decide who gets them to a ``WIN`` (inventory 136–137)."""
    win.honba = game.match.honba
    win.deposits = game.match.deposits
    win.laid = 0
    for other in range(seats_of(game)):
        win.laid += game.outcome.laid[other]
    if game.riichi[seat]:
        win.situation |= IN_RIICHI
    if is_final(game, rules):
        win.situation |= FINAL_HAND


@kernel
def record_collected(game, left):
    """Record which deposits the winners collect; ``left`` of them stay on the table."""
    deposits = int(game.match.deposits)
    game.outcome.took_deposits = ALL_TAKEN if left == 0 else NONE_TAKEN if left == deposits else LAID_TAKEN
