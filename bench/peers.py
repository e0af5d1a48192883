"""The other packages, called as their own documentation shows."""

from collections.abc import Callable
from typing import Any

import riichienv
import xiangting
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten

from bench.inputs import WinInput

WINDS = ("east", "south", "west", "north")
Call = Callable[[], Any]

_RIICHIENV_MELD = {
    "chi": riichienv.MeldType.Chi,
    "pon": riichienv.MeldType.Pon,
    "ankan": riichienv.MeldType.Ankan,
    "daiminkan": riichienv.MeldType.Daiminkan,
    "kakan": riichienv.MeldType.Kakan,
}


def riichienv_shanten(hands: list[list[int]]) -> Call:
    """Shanten of hands given as tile numbers."""
    function = riichienv.calculate_shanten
    return lambda: [function(hand) for hand in hands]


def xiangting_shanten(hands: list[list[int]]) -> Call:
    """Shanten of hands given as lists of 34 counts."""
    function, four = xiangting.calculate_replacement_number, xiangting.PlayerCount.FOUR
    return lambda: [function(hand, four) for hand in hands]


def mahjong_shanten(hands: list[list[int]]) -> Call:
    """Shanten of hands given as lists of 34 counts."""
    function = Shanten.calculate_shanten
    return lambda: [function(hand) for hand in hands]


def _riichienv_inputs(win: WinInput) -> tuple[Any, ...]:
    request = win.request
    tsumo = request["by"] == "tsumo"
    melds = [riichienv.Meld(_RIICHIENV_MELD[kind], tiles, kind != "ankan") for kind, tiles in win.melds]
    conditions = riichienv.Conditions(
        tsumo=tsumo,
        riichi=request["riichi"] == "riichi",
        double_riichi=request["riichi"] == "double",
        ippatsu=request["ippatsu"],
        haitei=request["last_tile"] and tsumo,
        houtei=request["last_tile"] and not tsumo,
        rinshan=request["rinshan"],
        chankan=request["chankan"],
        player_wind=WINDS.index(request["seat"]),
        round_wind=WINDS.index(request["round"]),
        riichi_sticks=request["deposits"],
        honba=request["honba"],
    )
    tiles = sorted([*win.tiles, win.win_tile])
    return tiles, melds, win.win_tile, win.dora, conditions, win.ura


def riichienv_score(wins: list[WinInput], *, building: bool) -> Call:
    """Value of wins, with or without making riichienv's own inputs from the tile numbers."""

    def value(tiles: Any, melds: Any, win_tile: Any, dora: Any, conditions: Any, ura: Any) -> Any:
        return riichienv.HandEvaluator(tiles, melds).calc(win_tile, dora, conditions, ura)

    if building:
        return lambda: [value(*_riichienv_inputs(win)) for win in wins]
    ready = [_riichienv_inputs(win) for win in wins]
    return lambda: [value(*case) for case in ready]


def mahjong_score(wins: list[WinInput]) -> Call:
    """Value of wins by PyPI's mahjong, its inputs made beforehand."""
    options = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
    ready = []
    for win in wins:
        request = win.request
        tsumo = request["by"] == "tsumo"
        config = HandConfig(
            is_tsumo=tsumo,
            is_riichi=request["riichi"] == "riichi",
            is_daburu_riichi=request["riichi"] == "double",
            is_ippatsu=request["ippatsu"],
            is_rinshan=request["rinshan"],
            is_chankan=request["chankan"],
            is_haitei=request["last_tile"] and tsumo,
            is_houtei=request["last_tile"] and not tsumo,
            player_wind=27 + WINDS.index(request["seat"]),
            round_wind=27 + WINDS.index(request["round"]),
            kyoutaku_number=request["deposits"],
            tsumi_number=request["honba"],
            options=options,
        )
        melds = [
            Meld("kan" if len(tiles) == 4 else kind, tiles, kind != "ankan") for kind, tiles in win.melds
        ]
        tiles = [*win.tiles, win.win_tile, *(tile for _, meld in win.melds for tile in meld)]
        indicators = [*win.dora, *win.ura] if request["riichi"] else win.dora
        ready.append((sorted(tiles), win.win_tile, melds, indicators, config))
    calculator = HandCalculator()
    return lambda: [calculator.estimate_hand_value(*case) for case in ready]
