"""How a hand ends: wins, exhaustive and abortive draws, each written to the outcome and settled."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import popcount
from jantaku.kernels.payments import pay_tsumo, takes_deposits
from jantaku.kernels.rons import deposits_taken, honba_taken
from jantaku.kernels.rules import choice
from jantaku.kernels.score import score
from jantaku.kernels.table.hands import dealer, is_closed, wind_of, write_win
from jantaku.kernels.table.settle import (
    STOP_OPTIONAL,
    dealer_stops,
    last_number,
    pay_chombo,
    settle,
    share_noten,
)
from jantaku.kernels.table.state import (
    CALLED,
    EXHAUSTED,
    GAME_OVER,
    HAND_OVER,
    NO_SEAT,
    VOIDED,
    WON,
    YOUR_TURN,
)
from jantaku.kernels.win import FINAL_HAND, IN_RIICHI, PAYMENT

NAGASHI_OFF = choice("draw.nagashi_mangan", "off")
NAGASHI_AS_WIN = choice("draw.nagashi_mangan", "as_win")


@kernel
def clear_outcome(game):  # type: ignore[no-untyped-def]
    """Forget the last hand."""
    outcome = game.outcome
    outcome.ended = outcome.winners = outcome.tenpai = outcome.nagashi = outcome.took_deposits = 0
    outcome.offenders = 0
    outcome.discarder = NO_SEAT
    for seat in range(4):
        outcome.delta[seat] = 0


@routine
def close_hand(game, ended, stop, rules):  # type: ignore[no-untyped-def]
    """Settle the hand that ended so; where the dealer may end the game but need not, it is asked."""
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
def end_won(game, winners, tile, robbing, rules, context):  # type: ignore[no-untyped-def]
    """The seats in ``winners`` win on ``tile``; honba and deposits go as the rules say (258)."""
    own = int(game.turn)
    outcome, win = game.outcome, context.wins[0]
    outcome.winners = winners
    outcome.discarder = NO_SEAT if winners >> own & 1 else own
    takers = deposit_takers(game, winners, rules)
    outcome.took_deposits = int(takers > 0)
    first, to_give = True, int(game.match.deposits)
    for turn in range(4):
        seat = (own + turn) % 4
        if winners >> seat & 1 == 0:
            continue
        write_win(game, seat, tile, robbing, int(game.indicators), win)
        if is_final(game, rules):
            win.situation |= FINAL_HAND
        win.honba = honba_taken(int(win.honba), first, rules)
        first = False
        win.deposits = 0
        if takers >> seat & 1:
            win.deposits = deposits_taken(to_give, popcount(takers), rules)
            to_give -= int(win.deposits)
            takers &= ~(1 << seat)
        score(win, rules, context.space, context.result)
        for other in range(4):
            outcome.delta[other] += context.result[PAYMENT + wind_of(game, other)]
    close_hand(game, WON, True, rules)


@kernel
def is_final(game, rules):  # type: ignore[no-untyped-def]
    """Whether this is the last ordinary hand or a later one."""
    return int(game.match.number) >= last_number(rules)


@kernel
def deposit_takers(game, winners, rules):  # type: ignore[no-untyped-def]
    """The winners whom the rules let take the deposits, as a mask (136–137)."""
    takers = 0
    for seat in range(4):
        situation = IN_RIICHI if game.riichi[seat] else 0
        situation |= FINAL_HAND if is_final(game, rules) else 0
        if winners >> seat & 1 and takes_deposits(situation, rules):
            takers |= 1 << seat
    return takers


@kernel
def is_nagashi(game, seat, rules):  # type: ignore[no-untyped-def]
    """All discards yaochuu and none called (inventory 305, 342)."""
    if game.dead[seat] or (rules.draw.nagashi_needs_closed and not is_closed(game, seat)):
        return False
    for i in range(int(game.discards[seat])):
        kind = int(game.river[seat, i]) % 34
        if int(game.river_marks[seat, i]) & CALLED or (kind < 27 and 0 < kind % 9 < 8):
            return False
    return True


@kernel
def pay_nagashi(game, rules, context):  # type: ignore[no-untyped-def]
    """Pay every nagashi mangan like a tsumo; as a win the first takes honba and deposits (d8)."""
    outcome, first = game.outcome, True
    for turn in range(4):
        seat = (dealer(game) + turn) % 4
        if int(outcome.nagashi) >> seat & 1 == 0:
            continue
        for wind in range(4):
            context.pay[wind] = 0
        pay_tsumo(context.pay, wind_of(game, seat), int(rules.nagashi_base))
        for other in range(4):
            outcome.delta[other] += context.pay[wind_of(game, other)]
        if first and rules.draw.nagashi_mangan == NAGASHI_AS_WIN:
            each = int(game.match.honba) * int(rules.score.honba_value) // 3
            for other in range(4):
                outcome.delta[other] -= each
            outcome.delta[seat] += 4 * each + int(game.match.deposits) * int(rules.riichi.deposit)
            outcome.took_deposits = 1
        first = False


@routine
def end_exhausted(game, rules, context):  # type: ignore[no-untyped-def]
    """The wall is empty: nagashi mangan, or noten payments."""
    outcome = game.outcome
    tenpai = nagashi = 0
    for seat in range(4):
        tenpai |= int(game.waits[seat] != 0 and not game.dead[seat] and not game.noten[seat]) << seat
        if rules.draw.nagashi_mangan != NAGASHI_OFF and is_nagashi(game, seat, rules):
            nagashi |= 1 << seat
    outcome.tenpai = tenpai
    outcome.nagashi = nagashi
    if nagashi:
        pay_nagashi(game, rules, context)
    else:
        share_noten(outcome, int(rules.draw.noten_payment))
    close_hand(game, EXHAUSTED, True, rules)


@kernel
def end_aborted(game, ended, discarder, rules):  # type: ignore[no-untyped-def]
    """An abortive draw: no payments (234–235). ``discarder`` fed three rons, ``NO_SEAT`` otherwise."""
    game.outcome.discarder = discarder
    close_hand(game, ended, False, rules)


@routine
def end_chombo(game, offenders, rules):  # type: ignore[no-untyped-def]
    """The hand is void: riichi sticks go back, the offenders (a mask) pay, it is played again (166–172)."""
    match = game.match
    for seat in range(4):
        laid = game.riichi[seat] and not (game.declaring and seat == int(game.turn))
        if laid:
            match.scores[seat] += rules.riichi.deposit
            match.deposits -= 1
            match.deposits_of[seat] -= 1
        if offenders >> seat & 1:
            pay_chombo(match, game.outcome, seat, rules)
    game.outcome.offenders = offenders
    close_hand(game, VOIDED, False, rules)
