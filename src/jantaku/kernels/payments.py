"""Each player's payment from base points: ron, tsumo, honba, deposits and liability (pao).

Seats are 0–3 for East to North throughout. ``pay`` is ``int64[8]``: first the points each seat receives
(negative: pays), then the points each owes because of liability.
"""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.hand import has_open_meld
from jantaku.kernels.masks import lowest, popcount
from jantaku.kernels.points import honba_share, hundreds
from jantaku.kernels.rules import CLOSED, OPEN, choice
from jantaku.kernels.win import AFTER_KAN, FINAL_HAND, IN_RIICHI, MAX_SEATS, NOBODY, TSUMO
from jantaku.rules.catalogue import YAKUMAN_BASE

ANY_WINNER: Final = choice("riichi.sticks_to", "any_winner")
EQUAL_SHARES_TSUMO: Final = choice("pao.tsumo", "equal_shares")
EQUAL_SHARES_RON: Final = choice("pao.ron", "equal_shares")
WHOLE_HAND: Final = choice("pao.scope", "whole_hand")
HONBA_BY_LIABLE: Final = choice("pao.honba", "liable")
FEEDER_PAYS: Final = choice("pao.rinshan_after_daiminkan", "feeder_pays")
SHARE_LOST: Final = choice("score.missing_share", "lost")
SHARE_SPLIT: Final = choice("score.missing_share", "split")
SHARE_PLUS_1000: Final = choice("score.missing_share", "plus_1000")
WAREME_OFF: Final = choice("score.wareme", "off")
WAREME_HONBA: Final = choice("score.wareme", "hand_and_honba")
# the bit of rinshan_kaihou: in ``liable_yaku`` it marks the seat that fed the open kan
RINSHAN_FEEDER: Final = 9


@kernel
def _move(pay, payer, winner, points):
    pay[payer] -= points
    pay[winner] += points


@kernel
def ron_points(winner, base):
    """Return the points of a ron before rounding: six times the base for the dealer, else four times."""
    return base * (6 if winner == 0 else 4)


@kernel
def tsumo_share(winner, payer, base, rules):
    """Return the payment of ``payer`` for a tsumo: the base, doubled if either player is the dealer.

    With fewer than four players, the rules determine who covers the missing shares.
    """
    times = 2 if winner == 0 or payer == 0 else 1
    share = hundreds(times * base)
    players, way = int(rules.match.players), rules.score.missing_share
    missing = MAX_SEATS - players
    if missing == 0 or base == 0 or way == SHARE_LOST:
        return share
    if way == SHARE_PLUS_1000:
        return share + 1000 * missing
    if way == SHARE_SPLIT:
        lost = missing * hundreds((2 if winner == 0 else 1) * base)
        return share + hundreds(-(-lost // (players - 1)))
    whole = hundreds(ron_points(winner, base))  # in proportion, to the nearest hundred
    parts = players - 1 if winner == 0 else players
    part = whole if winner == 0 else times * whole
    return (part + 50 * parts) // (100 * parts) * 100


@kernel
def whole_points(win, base, rules):
    """Return the total that all payers owe for a win of these base points, before rounding."""
    winner = int(win.seat)
    if int(win.situation) & TSUMO == 0:
        return ron_points(winner, base)
    whole = 0
    for seat in range(int(rules.match.players)):
        if seat != winner:
            whole += tsumo_share(winner, seat, base, rules)
    return whole


@kernel
def pay_tsumo(pay, winner, base, rules):
    """Pay a tsumo: every other seat pays its share."""
    for seat in range(int(rules.match.players)):
        if seat != winner:
            _move(pay, seat, winner, tsumo_share(winner, seat, base, rules))


@kernel
def seat_from(seat, source, rules):
    """Return the seat at ``source`` (1 right, 2 across, 3 left) of ``seat``.

    With three players, 2 and 3 are the same seat.
    """
    players = int(rules.match.players)
    return (seat + min(source, players - 1)) % players


@kernel
def _liable_seat(win, yaku, rules):
    """Return the seat liable for the yaku, −1 if there is none."""
    for i in range(3):
        if int(win.liable_yaku[i]) == yaku and int(win.liable_seat[i]) != NOBODY:
            return seat_from(int(win.seat), int(win.liable_seat[i]), rules)
    return -1


@kernel
def _liability(win, won, multiples, rules, owes):
    """Write the number of yakuman each seat is liable for to ``owes``; return the sum (inventory 394–399)."""
    for seat in range(MAX_SEATS):
        owes[seat] = 0
    total = 0
    side = OPEN if has_open_meld(win) else CLOSED
    rest = won & int(rules.yaku.liable)
    while rest != 0:
        yaku = lowest(rest)
        rest &= rest - 1
        seat = _liable_seat(win, yaku, rules)
        if seat >= 0:
            units = min(int(rules.yaku.worth[side, yaku]), multiples - total)
            owes[seat] += units
            total += units
    return total


@kernel
def _pay_shared(pay, winner, points, payers):
    """Make the seats in ``payers`` (a mask) pay ``points`` in equal shares, each rounded up to a hundred."""
    share = hundreds(-(-points // popcount(payers)))
    for seat in range(MAX_SEATS):
        if payers >> seat & 1:
            _move(pay, seat, winner, share)


@kernel
def _pay_liable(pay, win, discarder, base, rules):
    """Pay the liable part ``base``; the ``discarder`` of a ron (−1: tsumo) contributes.

    ``pay[4:8]`` holds what each seat owes, before rounding.
    """
    winner, owes, liable = int(win.seat), pay[MAX_SEATS:], 0
    for seat in range(MAX_SEATS):
        liable |= int(owes[seat] > 0) << seat
    shares = rules.pao.tsumo == EQUAL_SHARES_TSUMO
    if discarder >= 0:
        shares = rules.pao.ron == EQUAL_SHARES_RON
    also = 1 << discarder if discarder >= 0 else 0
    if shares:
        _pay_shared(pay, winner, whole_points(win, base, rules), liable | also)
        return
    for seat in range(MAX_SEATS):
        if owes[seat] > 0:
            _pay_shared(pay, winner, owes[seat], 1 << seat | also)


@kernel
def _pay_honba(pay, win, payer, rules):
    """Pay the honba: ``payer`` pays it alone or, if −1, every other seat pays a share."""
    winner, honba = int(win.seat), int(win.honba)
    for seat in range(int(rules.match.players)):
        times = wareme_times(win, seat, rules) if rules.score.wareme == WAREME_HONBA else 1
        if payer >= 0 and seat == payer:
            _move(pay, seat, winner, times * honba * int(rules.score.honba_value))
        elif payer < 0 and seat != winner:
            _move(pay, seat, winner, times * honba_share(honba, rules))


@kernel
def _first_liable(win, won, rules):
    """Return the first seat liable for a yaku of the hand, −1 if there is none."""
    for i in range(3):
        yaku = int(win.liable_yaku[i])
        if yaku < 62 and won & int(rules.yaku.liable) & 1 << yaku:
            return seat_from(int(win.seat), int(win.liable_seat[i]), rules)
    return -1


@kernel
def may_collect_earlier(situation, rules):
    """Return whether this winner may collect deposits of earlier hands (inventory 137).

    That can require riichi, except in the final hand.
    """
    return rules.riichi.sticks_to == ANY_WINNER or situation & (IN_RIICHI | FINAL_HAND) != 0


@kernel
def wareme_times(win, payer, rules):
    """Return the factor on what ``payer`` pays the winner: 2 if one of them has wareme (inventory d37)."""
    broken = int(win.wareme) - 1
    concerned = broken >= 0 and (broken == int(win.seat) or broken == payer)
    return 2 if concerned and rules.score.wareme != WAREME_OFF else 1


@kernel
def _pay_wareme(pay, win, rules):
    """Multiply each seat's payment for the hand by ``wareme_times``."""
    winner = int(win.seat)
    for seat in range(MAX_SEATS):
        if seat != winner:
            _move(pay, seat, winner, -int(pay[seat]) * (wareme_times(win, seat, rules) - 1))


@kernel
def pay_won(win, base, liable, first, rules, pay):
    """Write the payments of a win to ``pay[:4]``; return the points of the hand itself.

    ``base`` is the part without liability. ``liable`` is the part with liability, in base points;
    ``pay[4:8]`` gives each seat's share of it (``whole_points``), and ``first`` is the liable seat that may
    have to pay the honba. Deposits are not included.
    """
    for seat in range(MAX_SEATS):
        pay[seat] = 0
    winner = int(win.seat)
    discarder = -1 if int(win.situation) & TSUMO else seat_from(winner, int(win.source), rules)
    if liable:
        _pay_liable(pay, win, discarder, liable, rules)
    if discarder >= 0:
        _move(pay, discarder, winner, hundreds(ron_points(winner, base)))
    else:
        pay_tsumo(pay, winner, base, rules)
    _pay_wareme(pay, win, rules)
    points = int(pay[winner])
    by_liable = liable and (discarder < 0 or rules.pao.honba == HONBA_BY_LIABLE)
    _pay_honba(pay, win, first if by_liable else discarder, rules)
    return points


@kernel
def pay_alone(pay, winner, payer):
    """Make ``payer`` pay everything that the other seats owe the winner."""
    for seat in range(MAX_SEATS):
        if seat != winner and seat != payer:
            pay[payer] += pay[seat]
            pay[seat] = 0


@kernel
def add_deposits(win, rules, pay):
    """Add the deposits that the winner collects."""
    sticks = int(win.deposits) if may_collect_earlier(int(win.situation), rules) else int(win.laid)
    pay[int(win.seat)] += sticks * int(rules.riichi.deposit)


@kernel
def payments(win, base, yakuman, won, rules, pay):
    """Write the points each seat receives to ``pay``; return the points of the hand itself.

    ``yakuman`` is the hand's number of yakuman (0: none), ``won`` the mask of its yaku. ``pay`` includes
    honba and deposits, the returned points do not.
    """
    owes, liable, first = pay[MAX_SEATS:], 0, -1
    if yakuman:
        liable = _liability(win, won, yakuman, rules, owes)
    if rules.score.aotenjou:
        first = _first_liable(win, won, rules)
        if first >= 0:  # han multiply, so no part of the hand belongs to the yakuman alone
            for seat in range(MAX_SEATS):
                owes[seat] = whole_points(win, base, rules) if seat == first else 0
            base, liable = 0, base
    elif liable:
        first = _first_liable(win, won, rules)
        if rules.pao.scope == WHOLE_HAND:
            owes[first] += yakuman - liable
            liable = yakuman
        base = YAKUMAN_BASE * (yakuman - liable)
        for seat in range(MAX_SEATS):
            owes[seat] = whole_points(win, YAKUMAN_BASE * owes[seat], rules)
        liable *= YAKUMAN_BASE
    points = pay_won(win, base, liable, first, rules, pay)
    if int(win.situation) & AFTER_KAN and rules.pao.rinshan_after_daiminkan == FEEDER_PAYS:
        feeder = _liable_seat(win, RINSHAN_FEEDER, rules)
        if feeder >= 0:
            pay_alone(pay, int(win.seat), feeder)
    add_deposits(win, rules, pay)
    return points
