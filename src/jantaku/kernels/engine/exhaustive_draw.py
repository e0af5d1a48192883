"""The exhaustive draw: tenpai seats, noten payments and nagashi mangan."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hand_end import close_hand, record_collected, write_stakes
from jantaku.kernels.engine.hands import after, dealer, is_closed, seats_of, wind_of
from jantaku.kernels.engine.renchan import NAGASHI_AS_WIN
from jantaku.kernels.engine.state import CALLED, EXHAUSTED
from jantaku.kernels.masks import popcount
from jantaku.kernels.payments import pay_tsumo
from jantaku.kernels.points import honba_share, part_of
from jantaku.kernels.rons import share_sticks
from jantaku.kernels.rules import choice

NAGASHI_OFF = choice("draw.nagashi_mangan", "off")


@kernel
def share_noten(match, outcome, total):
    """Divide the noten payment ``total`` among the seats in the outcome (inventory 220)."""
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


@routine
def end_exhausted(game, rules, context):
    """End the hand because the wall is exhausted: pay nagashi mangan, or noten payments."""
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
def may_be_tenpai(game, seat):
    """Return whether the seat may count as tenpai at a draw: a foul can rule that out."""
    return not game.dead[seat] and not game.noten[seat]


@kernel
def pay_exhausted(game, rules, context):
    """Pay the nagashi mangan of an exhaustive draw, or the noten payments if there is none."""
    if game.outcome.nagashi:
        pay_nagashi(game, rules, context)
    else:
        share_noten(game.match, game.outcome, int(rules.draw.noten_payment))


@kernel
def is_nagashi(game, seat, rules):
    """Return whether all the seat's discards are yaochuu and none was called (inventory 305, 342)."""
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
def pay_nagashi(game, rules, context):
    """Pay every nagashi mangan like a tsumo (inventory d8).

    If it counts as a win, the first one also collects honba and deposits.
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
def sticks_of_nagashi(game, seat, rules, context):
    """Return and record the number of deposits collected by a nagashi mangan that counts as a win."""
    win = context.wins[0]
    win.situation = 0
    write_stakes(game, seat, rules, win)
    record_collected(game, share_sticks(context.wins, 1, rules, context.pay))
    return int(win.deposits)
