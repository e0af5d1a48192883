"""From base points to what each player pays: ron, tsumo, honba, deposits, and liability (pao).

Seats are 0–3 for East–North throughout; ``pay`` is ``int64[4]``, positive for what a seat receives.
"""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.hand import has_open_meld
from jantaku.kernels.masks import lowest
from jantaku.kernels.points import honba_third, hundreds
from jantaku.kernels.rules import CLOSED, OPEN, choice
from jantaku.kernels.win import AFTER_KAN, FINAL_HAND, IN_RIICHI, NOBODY, TSUMO
from jantaku.rules.catalogue import YAKUMAN_BASE

ANY_WINNER: Final = choice("riichi.sticks_to", "any_winner")
EQUAL_SHARES_TSUMO: Final = choice("pao.tsumo", "equal_shares")
EQUAL_SHARES_RON: Final = choice("pao.ron", "equal_shares")
WHOLE_HAND: Final = choice("pao.scope", "whole_hand")
HONBA_BY_LIABLE: Final = choice("pao.honba", "liable")
FEEDER_PAYS: Final = choice("pao.rinshan_after_daiminkan", "feeder_pays")
RINSHAN_FEEDER: Final = 9  # the bit of rinshan_kaihou, which names the feeder of a kan


@kernel
def _move(pay, payer, winner, points):  # type: ignore[no-untyped-def]
    pay[payer] -= points
    pay[winner] += points


@kernel
def pay_tsumo(pay, winner, base):  # type: ignore[no-untyped-def]
    """Everybody pays a tsumo: twice the base where the winner or the payer is the dealer."""
    for seat in range(4):
        if seat != winner:
            times = 2 if winner == 0 or seat == 0 else 1
            _move(pay, seat, winner, hundreds(times * base))


@kernel
def ron_points(winner, base):  # type: ignore[no-untyped-def]
    """What a ron is worth before rounding: six times the base for the dealer, four for others."""
    return base * (6 if winner == 0 else 4)


@kernel
def _liable_seat(win, yaku):  # type: ignore[no-untyped-def]
    """The seat liable for the yaku, −1 where nobody is."""
    for i in range(3):
        if int(win.liable_yaku[i]) == yaku and int(win.liable_seat[i]) != NOBODY:
            return (int(win.seat) + int(win.liable_seat[i])) % 4
    return -1


@kernel
def _liability(win, won, multiples, rules, owes):  # type: ignore[no-untyped-def]
    """Write how many yakuman each seat is liable for to ``owes``; their sum (pao, inventory 394–399)."""
    for seat in range(4):
        owes[seat] = 0
    total = 0
    side = OPEN if has_open_meld(win) else CLOSED
    rest = won & int(rules.yaku.liable)
    while rest != 0:
        yaku = lowest(rest)
        rest &= rest - 1
        seat = _liable_seat(win, yaku)
        if seat >= 0:
            units = min(int(rules.yaku.worth[side, yaku]), multiples - total)
            owes[seat] += units
            total += units
    return total


@kernel
def _pay_shared(pay, winner, base, payers):  # type: ignore[no-untyped-def]
    """The seats in ``payers`` (a mask) pay a ron in equal shares, each rounded up to a hundred."""
    number = 0
    for seat in range(4):
        number += payers >> seat & 1
    share = hundreds(-(-ron_points(winner, base) // number))
    for seat in range(4):
        if payers >> seat & 1:
            _move(pay, seat, winner, share)


@kernel
def _pay_liable(pay, winner, discarder, owes, rules):  # type: ignore[no-untyped-def]
    """The liable seats pay what ``owes`` says (yakuman), with the discarder of a ron (−1: tsumo)."""
    units = liable = 0
    for seat in range(4):
        units += owes[seat]
        liable |= int(owes[seat] > 0) << seat
    shares = rules.pao.tsumo == EQUAL_SHARES_TSUMO
    if discarder >= 0:
        shares = rules.pao.ron == EQUAL_SHARES_RON
    if shares:
        payers = liable | (1 << discarder if discarder >= 0 else 0)
        _pay_shared(pay, winner, YAKUMAN_BASE * units, payers)
        return
    for seat in range(4):
        if owes[seat] > 0:
            payers = 1 << seat | (1 << discarder if discarder >= 0 else 0)
            _pay_shared(pay, winner, YAKUMAN_BASE * owes[seat], payers)


@kernel
def _pay_honba(pay, win, payer, rules):  # type: ignore[no-untyped-def]
    """Honba from ``payer`` alone, or a third from everybody (−1)."""
    winner, honba = int(win.seat), int(win.honba)
    for seat in range(4):
        if payer >= 0 and seat == payer:
            _move(pay, seat, winner, honba * int(rules.score.honba_value))
        elif payer < 0 and seat != winner:
            _move(pay, seat, winner, honba_third(honba, rules))


@kernel
def _first_liable(win, won, rules):  # type: ignore[no-untyped-def]
    """The seat of the first liability that counts, −1 where there is none."""
    for i in range(3):
        yaku = int(win.liable_yaku[i])
        if yaku < 62 and won & int(rules.yaku.liable) & 1 << yaku:
            return (int(win.seat) + int(win.liable_seat[i])) % 4
    return -1


@kernel
def takes_carried(situation, rules):  # type: ignore[no-untyped-def]
    """Whether this winner takes earlier sticks: in riichi, and in the final hand always (inventory 137)."""
    return rules.riichi.sticks_to == ANY_WINNER or situation & (IN_RIICHI | FINAL_HAND) != 0


@kernel
def payments(win, base, yakuman, won, rules, pay):  # type: ignore[no-untyped-def]
    """Write what each seat receives to ``pay``; the points of the hand itself are returned.

    ``yakuman`` is how many yakuman the hand is worth (0: none), ``won`` the mask of its yaku. Honba and
    deposits are in ``pay`` but not in the points.
    """
    owes = pay[4:8]
    for seat in range(4):
        pay[seat] = 0
    winner, flags = int(win.seat), int(win.situation)
    discarder = -1 if flags & TSUMO else (winner + int(win.source)) % 4
    liable = _liability(win, won, yakuman, rules, owes) if yakuman else 0
    if liable and rules.pao.scope == WHOLE_HAND:
        owes[_first_liable(win, won, rules)] += yakuman - liable
        liable = yakuman
    feeder = -1
    if flags & AFTER_KAN and rules.pao.rinshan_after_daiminkan == FEEDER_PAYS:
        feeder = _liable_seat(win, RINSHAN_FEEDER)
    if liable:
        _pay_liable(pay, winner, discarder, owes, rules)
        base = YAKUMAN_BASE * (yakuman - liable)
    if discarder >= 0:
        _move(pay, discarder, winner, hundreds(ron_points(winner, base)))
    else:
        pay_tsumo(pay, winner, base)
    points = int(pay[winner])
    honba_payer = discarder
    if liable and (discarder < 0 or rules.pao.honba == HONBA_BY_LIABLE):
        honba_payer = _first_liable(win, won, rules)
    _pay_honba(pay, win, honba_payer, rules)
    if feeder >= 0:
        for seat in range(4):
            if seat != winner and seat != feeder:
                pay[feeder] += pay[seat]
                pay[seat] = 0
    sticks = int(win.deposits) if takes_carried(flags, rules) else int(win.laid)
    pay[winner] += sticks * int(rules.riichi.deposit)
    return points
