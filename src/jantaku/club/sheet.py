"""Writes an entered hand to the record that the compiled settlement reads."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.club.fouls import cost_of
from jantaku.club.hands import EnteredHand, EnteredWin
from jantaku.kernels.engine.entered import SHEET
from jantaku.kernels.engine.state import (
    EXHAUSTED,
    KYUUSHU_KYUUHAI,
    NO_SEAT,
    SANCHAHOU,
    SUUCHA_RIICHI,
    SUUFUU_RENDA,
    SUUKANSANRA,
    VOIDED,
    WON,
)
from jantaku.kernels.rules import choice, foul
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_BASE

Sheet = npt.NDArray[Any]

ENDED: Final = {
    "ron": WON,
    "tsumo": WON,
    "draw": EXHAUSTED,
    "foul": VOIDED,
    "kyuushu_kyuuhai": KYUUSHU_KYUUHAI,
    "suufuu_renda": SUUFUU_RENDA,
    "suucha_riichi": SUUCHA_RIICHI,
    "suukansanra": SUUKANSANRA,
    "sanchahou": SANCHAHOU,
}


def new_sheet(rules: Ruleset) -> Sheet:
    """The sheet of a game in which nothing has happened, an array of one ``SHEET``."""
    sheet = np.zeros(1, SHEET)
    sheet[0].match.scores[:] = rules.match.start_points
    return sheet


def next_sheet(sheet: Sheet) -> Sheet:
    """A sheet for the next hand of the game."""
    fresh = np.zeros(1, SHEET)
    fresh["match"] = sheet["match"]
    fresh["feeder"] = NO_SEAT
    return fresh


def write_hand(sheet: Sheet, hand: EnteredHand, rules: Ruleset, *, stops: bool) -> None:
    """Write the hand to an empty sheet; ``stops``: the dealer ends the game if the rules allow a choice."""
    one = sheet[0]
    outcome = one.outcome
    outcome.ended = ENDED[hand.abort or hand.end]
    outcome.discarder = NO_SEAT if hand.discarder is None else hand.discarder
    outcome.winners = mask(win.seat for win in hand.wins)
    outcome.tenpai, outcome.nagashi = mask(hand.tenpai), mask(hand.nagashi)
    one.stops = stops
    for seat in hand.riichi:
        one.riichi[seat] = 1
    if hand.riichi_tile and rules.riichi.stick_when_declaration_is_ronned == "kept":
        one.riichi[hand.discarder] = 0
    for win in hand.wins:
        _write_win(one, win)
    for i, committed in enumerate(hand.fouls):
        cost = choice(f"fouls.{committed.foul}", cost_of(committed, hand, rules))
        one.entered_fouls[i] = committed.seat, foul(committed.foul), cost
    one.entered_count = len(hand.fouls)


def mask(seats: Any) -> int:
    """The seats as bits."""
    return sum(1 << seat for seat in seats)


def _write_win(one: Any, win: EnteredWin) -> None:
    seat = win.seat
    one.han[seat], one.fu[seat], one.yakuman[seat] = win.han, win.fu, win.yakuman
    one.limit_base[seat] = LIMIT_BASE[win.limit] if win.limit else 0
    if win.pao is not None:
        one.liable[seat] = win.pao.yakuman
        one.liable_seats[seat] = mask(win.pao.seats)
        one.first_liable[seat] = win.pao.seats[0]
    if win.feeder is not None:
        one.feeder[seat] = win.feeder
