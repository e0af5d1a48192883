"""Settlement of hands entered without tiles, as recorded at a physical table.

A ``SHEET`` has the field names of a ``GAME``, so the engine's functions for payments, fouls and the end of a
hand accept either. Nothing is validated here: ``jantaku.club.hand_checks`` rejects impossible entries.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.engine.chips_and_yakitori import pay_chips, pay_yakitori
from jantaku.kernels.engine.chombo import void_hand
from jantaku.kernels.engine.exhaustive_draw import NAGASHI_OFF, may_be_tenpai, pay_exhausted
from jantaku.kernels.engine.fouls import charge
from jantaku.kernels.engine.game_end import finish
from jantaku.kernels.engine.hand_end import record_collected, write_stakes
from jantaku.kernels.engine.hands import after, away, dealer, seats_of, wind_of
from jantaku.kernels.engine.settle import lay_deposits, settle
from jantaku.kernels.engine.state import EXHAUSTED, MATCH, NO_SEAT, OUTCOME, SANCHAHOU, VOIDED, WON
from jantaku.kernels.masks import lowest, popcount
from jantaku.kernels.payments import FEEDER_PAYS, WHOLE_HAND, add_deposits, pay_alone, pay_won, whole_points
from jantaku.kernels.points import base_points, lifted_fu
from jantaku.kernels.rons import TRIPLE_DRAW, share_sticks, valid_rons
from jantaku.kernels.win import MAX_SEATS, TSUMO, WIN
from jantaku.rules.catalogue import YAKUMAN_BASE

MAX_FOULS: Final = 255  # in a hand: a seat may commit one after each discard
MAX_WINS: Final = 3
MAX_STICKS: Final = 1_000  # on the table after a game: more than any game can leave

SHEET: Final = np.dtype(
    (
        np.record,
        [
            ("match", MATCH),
            ("outcome", OUTCOME),
            # each winner's share of honba and deposits, nearest to the discarder first
            ("wins", WIN, MAX_WINS),
            ("pay", np.int64, 8),
            # the entries, by seat
            ("riichi", np.uint8, 4),  # whether the seat laid a stick
            ("han", np.int16, 4),
            ("fu", np.int16, 4),
            ("limit_base", np.int32, 4),  # 0: none
            ("yakuman", np.int16, 4),
            ("liable", np.int16, 4),  # number of yakuman for which another seat is liable
            ("liable_seats", np.uint8, 4),  # masks
            ("first_liable", np.uint8, 4),
            ("chips", np.int16, 4),  # chips that each payer owes the seat
            ("feeder", np.uint8, 4),  # seat that fed the open kan before the winning tile, NO_SEAT if none
            ("entered_fouls", np.uint8, (MAX_FOULS, 3)),  # seat, foul, cost
            ("entered_count", np.uint8),
            ("wareme", np.uint8),  # 1 + the seat at whose wall the deal began, 0 if the rules do not use it
            ("stops", np.uint8),  # whether a dealer with the choice ends the game
            # effects of fouls (``fouls.charge``)
            ("dead", np.uint8, 4),
            ("noten", np.uint8, 4),
            ("foul", np.uint8, 4),
            ("foul_cost", np.uint8, 4),
            ("earlier_foul", np.uint8, 4),
            ("earlier_cost", np.uint8, 4),
            ("fouls", np.uint8, 4),
            ("fouled", np.uint8, 4),
        ],
    ),
    align=True,
)


class DrawSpace(NamedTuple):
    """The part of a ``Context`` needed to pay a draw."""

    wins: npt.NDArray[Any]
    pay: npt.NDArray[np.int64]


@allocating
def settle_entered(sheets, rules):
    """Settle the hand entered on ``sheets[0]`` under ``rules[0]``; ``outcome.ended`` gives the result."""
    end_entered(sheets[0], rules[0])


@allocating
def finish_games(scores, rules, final, places):
    """Compute final points and places of games that ended with ``scores``; all three are ``int64[n, 4]``.

    Points missing from a game's total are deposits left on the table, and the rules decide who gets them.
    """
    sheets = np.zeros(1, SHEET)
    match, stick = sheets[0].match, int(rules[0].riichi.deposit)
    match.seats = rules[0].match.players
    for i in range(len(scores)):
        left = int(rules[0].match.start_points) * int(match.seats)
        for seat in range(int(match.seats)):
            match.scores[seat] = scores[i, seat]
            left -= int(scores[i, seat])
        match.deposits = min(left // stick, MAX_STICKS) if stick and left > 0 else 0
        finish(match, rules[0])
        for seat in range(int(match.seats)):
            scores[i, seat] = match.scores[seat]
            final[i, seat] = match.final[seat]
            places[i, seat] = match.place[seat]


@allocating
def add_prizes(places, chips, winners, rules, final, yakitori):
    """Add the prizes of each game to ``final`` and fill ``yakitori``; ``winners`` are masks of seats."""
    sheets = np.zeros(1, SHEET)
    match, seats = sheets[0].match, int(rules[0].match.players)
    match.seats = seats
    for i in range(len(places)):
        match.winners = winners[i]
        for seat in range(seats):
            match.place[seat] = places[i, seat]
            match.yakitori[seat] = 0
        pay_yakitori(match, rules[0])
        for seat in range(seats):
            yakitori[i, seat] = match.yakitori[seat]
            final[i, seat] += int(chips[i, seat]) * int(rules[0].chips.value) + int(match.yakitori[seat])


@routine
def end_entered(sheet, rules):
    """Lay the deposits, charge the fouls, pay, and move to the next hand or end the game."""
    match, outcome = sheet.match, sheet.outcome
    match.seats = rules.match.players
    for seat in range(seats_of(sheet)):
        if sheet.riichi[seat]:
            lay_deposits(match, outcome, seat, 1, rules)
    charge_fouls(sheet, rules)
    if outcome.ended == WON and outcome.discarder != NO_SEAT:
        valid = valid_rons(int(outcome.winners), int(outcome.discarder), rules)
        if valid == TRIPLE_DRAW:
            outcome.ended, outcome.winners = SANCHAHOU, 0
        else:
            outcome.winners = valid
    if outcome.ended == WON:
        pay_wins(sheet, rules)
    elif outcome.ended == EXHAUSTED:
        pay_draw(sheet, rules)
    elif outcome.ended == VOIDED:
        void_hand(match, outcome, rules)
    settle(match, outcome, sheet.stops != 0, rules)


@kernel
def charge_fouls(sheet, rules):
    """Charge the entered fouls; a seat that must pay a chombo becomes an offender."""
    for i in range(int(sheet.entered_count)):
        seat, foul, cost = (
            int(sheet.entered_fouls[i, 0]),
            int(sheet.entered_fouls[i, 1]),
            int(sheet.entered_fouls[i, 2]),
        )
        if charge(sheet, seat, foul, cost, rules):
            sheet.outcome.offenders |= 1 << seat


@kernel
def pay_draw(sheet, rules):
    """Pay an exhaustive draw; the effects of fouls override the tenpai and nagashi entered."""
    outcome = sheet.outcome
    tenpai = nagashi = 0
    for seat in range(seats_of(sheet)):
        tenpai |= (int(outcome.tenpai) & 1 << seat) * int(may_be_tenpai(sheet, seat))
        nagashi |= (int(outcome.nagashi) & 1 << seat) * int(not sheet.dead[seat])
    outcome.tenpai = tenpai
    outcome.nagashi = nagashi if rules.draw.nagashi_mangan != NAGASHI_OFF and rules.nagashi_base else 0
    pay_exhausted(sheet, rules, DrawSpace(sheet.wins, sheet.pay))


@kernel
def pay_wins(sheet, rules):
    """Pay every win, the nearest first, as ``hand_end.end_won`` does for hands with tiles."""
    outcome, number = sheet.outcome, 0
    winners, tsumo = int(outcome.winners), outcome.discarder == NO_SEAT
    own = lowest(winners) if tsumo else int(outcome.discarder)
    for turn in range(seats_of(sheet)):
        seat = after(sheet, own, turn)
        if winners >> seat & 1 == 0:
            continue
        win = sheet.wins[number]
        win.seat = wind_of(sheet, seat)
        win.source = away(sheet, seat, own)
        win.situation = TSUMO if tsumo else 0
        win.wareme = 1 + wind_of(sheet, int(sheet.wareme) - 1) if sheet.wareme else 0
        write_stakes(sheet, seat, rules, win)
        number += 1
    record_collected(sheet, share_sticks(sheet.wins, number, rules, sheet.pay))
    for i in range(number):
        win = sheet.wins[i]
        pay_entered(sheet, win, rules)
        for other in range(seats_of(sheet)):
            outcome.delta[other] += sheet.pay[wind_of(sheet, other)]
        seat = after(sheet, dealer(sheet), int(win.seat))
        pay_chips(sheet.match, outcome, seat, int(sheet.chips[seat]))


@kernel
def base_of(sheet, seat, rules):
    """Return the base points of the seat's winning hand, without honba."""
    if sheet.yakuman[seat]:
        return YAKUMAN_BASE * int(sheet.yakuman[seat])
    if sheet.limit_base[seat]:
        return int(sheet.limit_base[seat])
    han, fu = int(sheet.han[seat]), int(sheet.fu[seat])
    return base_points(han, fu + lifted_fu(han, fu, rules), rules)


@kernel
def pay_entered(sheet, win, rules):
    """Write the payments of a win to ``pay`` by wind, as ``payments`` does for hands with tiles."""
    seat, pay = after(sheet, dealer(sheet), int(win.seat)), sheet.pay
    base, liable, first, owed = base_of(sheet, seat, rules), int(sheet.liable[seat]), -1, 0
    if liable:
        if rules.pao.scope == WHOLE_HAND:
            liable = int(sheet.yakuman[seat])
        first = wind_of(sheet, int(sheet.first_liable[seat]))
        owed = base if rules.score.aotenjou else YAKUMAN_BASE * liable
        write_owed(sheet, seat, whole_points(win, owed, rules))
    pay_won(win, base - owed, owed, first, rules, pay)
    if int(sheet.feeder[seat]) != NO_SEAT and rules.pao.rinshan_after_daiminkan == FEEDER_PAYS:
        pay_alone(pay, int(win.seat), wind_of(sheet, int(sheet.feeder[seat])))
    add_deposits(win, rules, pay)


@kernel
def write_owed(sheet, seat, points):
    """Divide ``points`` equally among the liable seats and write each share to ``pay[4:8]``."""
    number = popcount(int(sheet.liable_seats[seat]))
    for other in range(seats_of(sheet)):
        owes = int(sheet.liable_seats[seat]) >> other & 1
        sheet.pay[MAX_SEATS + wind_of(sheet, other)] = owes * -(-points // number)
