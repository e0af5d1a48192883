"""Records the results of simulated hands and games."""

from typing import Final

import numpy as np

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.state import MAX_WINS, NO_SEAT
from jantaku.kernels.win import (
    ANKAN,
    DORA,
    FU,
    HAN,
    KANS,
    KITA,
    MAX_SEATS,
    NO_MELD,
    OWN_YAKU,
    POINTS,
    RED,
    URA,
    YAKU,
    YAKUMAN,
)

ENDED_HAND: Final = np.dtype(
    (
        np.record,
        [
            ("game", np.int32),  # within the chunk
            ("hand", np.int16),  # within the game
            ("number", np.int16),  # since East 1
            ("honba", np.int16),
            ("deposits", np.int16),
            ("scores", np.int64, 4),  # before the hand
            ("ended", np.uint8),
            ("winners", np.uint8),  # masks of seats
            ("tenpai", np.uint8),
            ("nagashi", np.uint8),
            ("discarder", np.uint8),
            ("turns", np.uint8),  # the largest number of discards of a seat
            ("discards", np.uint8),  # of all seats
            ("delta", np.int64, 4),
            ("riichi", np.uint8, 4),
            ("calls", np.uint8, 4),  # melds with a called tile
            ("han", np.uint8, 4),  # of winners, like the fields below
            ("fu", np.uint8, 4),
            ("yakuman", np.uint8, 4),
            ("dora", np.uint8, 4),  # of all types
            ("red_dora", np.uint8, 4),
            ("ura_dora", np.uint8, 4),
            ("kita", np.uint8, 4),  # han of norths set aside
            ("kan_han", np.uint8, 4),  # han for kans
            ("points", np.int64, 4),  # without honba and deposits
            ("yaku", np.int64, 4),  # bits of ``kernels.bits``
            ("own_yaku", np.int64, 4),  # bits in the order of the ruleset's custom yaku
        ],
    ),
    align=True,
)

ENDED_GAME: Final = np.dtype(
    (
        np.record,
        [
            ("hands", np.int16),
            ("decisions", np.int32),
            ("scores", np.int64, 4),
            ("final", np.int64, 4),
            ("place", np.uint8, 4),
        ],
    ),
    align=True,
)


@kernel
def record_start(game, row, index, hand):
    """Record the start of hand ``hand`` of the game ``index``."""
    match = game.match
    row.game, row.hand = index, hand
    row.number, row.honba, row.deposits = match.number, match.honba, match.deposits
    for seat in range(MAX_SEATS):
        row.scores[seat] = match.scores[seat]
        row.han[seat] = row.fu[seat] = row.yakuman[seat] = 0
        row.dora[seat] = row.red_dora[seat] = row.ura_dora[seat] = row.kita[seat] = row.kan_han[seat] = 0
        row.points[seat] = row.yaku[seat] = row.own_yaku[seat] = 0


@kernel
def _calls(game, seat):
    calls = 0
    for i in range(4):
        meld = int(game.meld[seat, i])
        calls += int(meld != NO_MELD and meld != ANKAN)
    return calls


@kernel
def record_end(game, row):
    """Record the result of a hand, before the next one is dealt."""
    outcome = game.outcome
    row.ended, row.winners, row.tenpai = outcome.ended, outcome.winners, outcome.tenpai
    row.nagashi, row.discarder = outcome.nagashi, outcome.discarder
    turns = total = 0
    for seat in range(MAX_SEATS):
        number = int(game.discards[seat])
        turns, total = max(turns, number), total + number
        row.delta[seat] = outcome.delta[seat]
        row.riichi[seat] = game.riichi[seat]
        row.calls[seat] = _calls(game, seat)
    row.turns, row.discards = turns, total
    _record_wins(game, row)


@kernel
def _record_wins(game, row):
    """Record the value of each win."""
    for i in range(MAX_WINS):
        seat = int(game.won_by[i])
        if seat == NO_SEAT:
            break
        value = game.results[i]
        row.han[seat], row.fu[seat], row.yakuman[seat] = value[HAN], value[FU], value[YAKUMAN]
        row.dora[seat] = value[DORA] + value[RED] + value[URA] + value[KITA]
        row.red_dora[seat], row.ura_dora[seat] = value[RED], value[URA]
        row.kita[seat], row.kan_han[seat] = value[KITA], value[KANS]
        row.points[seat], row.yaku[seat], row.own_yaku[seat] = value[POINTS], value[YAKU], value[OWN_YAKU]


@kernel
def record_game(game, result, hands, decisions):
    """Record the result of a game."""
    result.hands, result.decisions = hands, decisions
    for seat in range(MAX_SEATS):
        result.scores[seat] = game.match.scores[seat]
        result.final[seat] = game.match.final[seat]
        result.place[seat] = game.match.place[seat]
