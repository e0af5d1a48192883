"""Ends a hand: writes wins, exhaustive and abortive draws to the outcome and settles them."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.chombo import void_hand
from jantaku.kernels.engine.game_end import STOP_OPTIONAL, dealer_stops, last_number
from jantaku.kernels.engine.hands import after, dealer, is_closed, seats_of, wind_of, write_win
from jantaku.kernels.engine.prizes import chips_of, pay_chips
from jantaku.kernels.engine.settle import settle, share_noten
from jantaku.kernels.engine.state import (
    ALL_TAKEN,
    CALLED,
    EXHAUSTED,
    GAME_OVER,
    HAND_OVER,
    LAID_TAKEN,
    MOST_WINS,
    NO_SEAT,
    NONE_TAKEN,
    VOIDED,
    WON,
    YOUR_TURN,
)
from jantaku.kernels.payments import pay_tsumo
from jantaku.kernels.points import honba_share
from jantaku.kernels.rons import share_sticks
from jantaku.kernels.rules import choice
from jantaku.kernels.score import score
from jantaku.kernels.value import RESULT
from jantaku.kernels.win import FINAL_HAND, IN_RIICHI, MOST_SEATS, PAYMENT

NAGASHI_OFF = choice("draw.nagashi_mangan", "off")
NAGASHI_AS_WIN = choice("draw.nagashi_mangan", "as_win")


@kernel
def clear_outcome(game):
    """Clear the outcome of the last hand."""
    outcome = game.outcome
    outcome.ended = outcome.winners = outcome.tenpai = outcome.nagashi = outcome.took_deposits = 0
    outcome.offenders = 0
    outcome.discarder = NO_SEAT
    for seat in range(MOST_SEATS):
        outcome.delta[seat] = outcome.laid[seat] = outcome.chips[seat] = 0
    for i in range(MOST_WINS):
        game.won_by[i] = NO_SEAT


@routine
def close_hand(game, ended, stop, rules):
    """Settle the hand, which ended as ``ended``; ask the dealer whether to end the game if that is a choice.

    ``stop`` says whether the dealer may end the game after such an ending.
    """
    match, outcome, number = game.match, game.outcome, int(game.match.number)
    outcome.ended = ended
    asks = stop and rules.end.dealer_stop == STOP_OPTIONAL
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

    The record keeps each win and its result.
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
    note_taken(game, share_sticks(game.wins, number, rules, context.pay))
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
    """Whether this is the last ordinary hand or a later one."""
    return int(game.match.number) >= last_number(rules)


@kernel
def write_stakes(game, seat, rules, win):
    """Write honba, deposits and what decides who takes them to a ``WIN`` of ``seat`` (inventory 136–137)."""
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
def note_taken(game, left):
    """Record which deposits the winners take; ``left`` of them stay on the table."""
    deposits = int(game.match.deposits)
    game.outcome.took_deposits = ALL_TAKEN if left == 0 else NONE_TAKEN if left == deposits else LAID_TAKEN


@kernel
def is_nagashi(game, seat, rules):
    """Whether all the seat's discards are yaochuu and none was called (inventory 305, 342)."""
    if rules.nagashi_base == 0:
        return False
    if game.dead[seat] or (rules.draw.nagashi_needs_closed and not is_closed(game, seat)):
        return False
    for i in range(int(game.discards[seat])):
        kind = int(game.river[seat, i]) % 34
        if int(game.river_marks[seat, i]) & CALLED or (kind < 27 and 0 < kind % 9 < 8):
            return False
    return True


@kernel
def sticks_of_nagashi(game, seat, rules, context):
    """Return how many deposits a nagashi mangan takes if it counts as a win, and record them as taken."""
    win = context.wins[0]
    win.situation = 0
    write_stakes(game, seat, rules, win)
    note_taken(game, share_sticks(context.wins, 1, rules, context.pay))
    return int(win.deposits)


@kernel
def pay_nagashi(game, rules, context):
    """Pay every nagashi mangan like a tsumo (inventory d8).

    If it counts as a win, the first also takes honba and deposits.
    """
    outcome, first = game.outcome, True
    for turn in range(seats_of(game)):
        seat = after(game, dealer(game), turn)
        if int(outcome.nagashi) >> seat & 1 == 0:
            continue
        for wind in range(seats_of(game)):
            context.pay[wind] = 0
        pay_tsumo(context.pay, wind_of(game, seat), int(rules.nagashi_base), rules)
        for other in range(seats_of(game)):
            outcome.delta[other] += context.pay[wind_of(game, other)]
        if first and rules.draw.nagashi_mangan == NAGASHI_AS_WIN:
            each = honba_share(int(game.match.honba), rules)
            for other in range(seats_of(game)):
                outcome.delta[other] -= each
            sticks = sticks_of_nagashi(game, seat, rules, context)
            outcome.delta[seat] += seats_of(game) * each + sticks * int(rules.riichi.deposit)
        first = False


@kernel
def pay_exhausted(game, rules, context):
    """Pay the nagashi mangan of an exhaustive draw, or the noten payments if there is none."""
    if game.outcome.nagashi:
        pay_nagashi(game, rules, context)
    else:
        share_noten(game.match, game.outcome, int(rules.draw.noten_payment))


@kernel
def may_be_tenpai(game, seat):
    """Whether no foul makes the seat count as noten at a draw."""
    return not game.dead[seat] and not game.noten[seat]


@routine
def end_exhausted(game, rules, context):
    """End the hand because the wall is empty: pay nagashi mangan, or noten payments."""
    outcome = game.outcome
    tenpai = nagashi = 0
    for seat in range(seats_of(game)):
        tenpai |= int(game.waits[seat] != 0 and may_be_tenpai(game, seat)) << seat
        if rules.draw.nagashi_mangan != NAGASHI_OFF and is_nagashi(game, seat, rules):
            nagashi |= 1 << seat
    outcome.tenpai = tenpai
    outcome.nagashi = nagashi
    pay_exhausted(game, rules, context)
    close_hand(game, EXHAUSTED, True, rules)


@kernel
def end_aborted(game, ended, discarder, rules):
    """End the hand in an abortive draw, without payments (inventory 234–235).

    ``discarder`` is the seat whose tile three seats ronned, otherwise ``NO_SEAT``.
    """
    game.outcome.discarder = discarder
    close_hand(game, ended, False, rules)


@routine
def end_chombo(game, offenders, rules):
    """Void the hand: return its deposits and charge the offenders (a mask) (inventory 166–172)."""
    game.outcome.offenders = offenders
    void_hand(game.match, game.outcome, rules)
    close_hand(game, VOIDED, False, rules)
