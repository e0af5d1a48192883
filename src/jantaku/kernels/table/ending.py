"""How a hand ends: wins, exhaustive and abortive draws, each written to the outcome and settled."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import popcount
from jantaku.kernels.payments import pay_tsumo, takes_deposits
from jantaku.kernels.rules import choice
from jantaku.kernels.score import score
from jantaku.kernels.table.hands import dealer, is_closed, wind_of, write_win
from jantaku.kernels.table.settle import settle, share_noten
from jantaku.kernels.table.state import (
    CALLED,
    DISCARDED,
    EXHAUSTED,
    GAME_OVER,
    HAND_OVER,
    WON,
)
from jantaku.kernels.win import PAYMENT

NAGASHI_OFF = choice("draw.nagashi_mangan", "off")
NAGASHI_AS_WIN = choice("draw.nagashi_mangan", "as_win")
SPLIT = choice("win.deposits_to", "split")
EACH = choice("win.honba_to", "each")


@kernel
def clear_outcome(game):  # type: ignore[no-untyped-def]
    """Forget the last hand."""
    outcome = game.outcome
    outcome.ended = outcome.winners = outcome.tenpai = outcome.nagashi = outcome.took_deposits = 0
    outcome.discarder = 255
    for seat in range(4):
        outcome.delta[seat] = 0


@routine
def close_hand(game, ended, stop, rules):  # type: ignore[no-untyped-def]
    """Settle the hand that ended so."""
    game.outcome.ended = ended
    settle(game.match, game.outcome, stop, rules)
    game.phase = GAME_OVER if game.match.over else HAND_OVER


@routine
def end_won(game, winners, tile, robbing, rules, context):  # type: ignore[no-untyped-def]
    """The seats in ``winners`` win on ``tile``; honba and deposits go as the rules say (258)."""
    own = int(game.turn)
    number = popcount(winners)
    outcome, win = game.outcome, context.wins[0]
    outcome.winners = winners
    outcome.discarder = 255 if winners >> own & 1 else own
    first = True
    for turn in range(4):
        seat = (own + turn) % 4
        if winners >> seat & 1 == 0:
            continue
        write_win(game, seat, tile, robbing, int(game.indicators), win)
        if not first:
            win.deposits = 0
            if rules.win.honba_to != EACH:
                win.honba = 0
        if rules.win.deposits_to == SPLIT:
            whole = int(game.match.deposits)
            win.deposits = whole // number + (whole % number if first else 0)
        score(win, rules, context.space, context.result)
        if win.deposits and takes_deposits(int(win.situation), rules):
            outcome.took_deposits = 1
        for other in range(4):
            outcome.delta[other] += context.result[PAYMENT + wind_of(game, other)]
        first = False
    close_hand(game, WON, True, rules)


@kernel
def is_nagashi(game, seat, rules):  # type: ignore[no-untyped-def]
    """All discards yaochuu and none called (inventory 305, 342)."""
    if rules.draw.nagashi_needs_closed and not is_closed(game, seat):
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
        tenpai |= int(game.waits[seat] != 0 and not game.dead[seat]) << seat
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
def end_aborted(game, ended, rules):  # type: ignore[no-untyped-def]
    """An abortive draw: no payments (inventory 234–235)."""
    if game.claimed_how == DISCARDED:
        game.outcome.discarder = game.claimed_from
    close_hand(game, ended, False, rules)
