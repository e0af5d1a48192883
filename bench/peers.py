"""The other packages, called as their documentation recommends."""

import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import riichienv
import xiangting
from jansou.analysis.shanten import shanten as jansou_shanten
from jansou.core import hand as jansou
from jansou.core.notation import parse_136
from jansou.core.rules import preset
from jansou.core.tiles import Tile, Wind
from jansou.game.environment import Environment
from jansou.scoring.context import WinContext
from jansou.scoring.score import score as jansou_score
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten

from bench.inputs import WinInput
from bench.timing import Candidate, each

WINDS: Final = ("east", "south", "west", "north")

IMPORTS: Final = {
    "riichienv": "import riichienv",
    "mahjong": "from mahjong.hand_calculating.hand import HandCalculator;"
    " from mahjong.hand_calculating.hand_config import HandConfig; from mahjong.meld import Meld",
    "jansou": "from jansou.core.notation import parse_mpsz; from jansou.core.rules import preset;"
    " from jansou.core.hand import Hand, Meld; from jansou.core.tiles import Tile;"
    " from jansou.scoring.context import WinContext; from jansou.scoring.score import score",
}
"""The imports that a program needs to score wins."""
_TILES: Final = "[4, 8, 12, 53, 56, 60, 68, 69, 80, 84, 89, 92, 96, 100]"  # 234m567p34567s99p 8s
FIRST_SCORE: Final = {
    "riichienv": f"riichienv.HandEvaluator({_TILES}).calc(100, [], riichienv.Conditions(), [])",
    "mahjong": f"HandCalculator().estimate_hand_value({_TILES}, 100, config=HandConfig())",
    "jansou": "score(Hand(parse_mpsz('234m567p345678s99p')), parse_mpsz('8s')[0],"
    " WinContext(preset('tenhou')))",
}
FIRST_SHANTEN: Final = {
    "riichienv": f"import riichienv; riichienv.calculate_shanten({_TILES})",
    "mahjong": "from mahjong.shanten import Shanten; from mahjong.tile import TilesConverter;"
    " Shanten.calculate_shanten(TilesConverter.string_to_34_array(man='234', pin='56799', sou='345678'))",
    "jansou": "from jansou.core.notation import parse_mpsz; from jansou.core.hand import Hand;"
    " from jansou.analysis.shanten import shanten; shanten(Hand(parse_mpsz('234m567p345678s99p')))",
}


def shanten(hands: list[list[int]]) -> list[Candidate]:
    """Return every package's candidates for the shanten of hands, given as tile numbers."""
    counts = [[sum(number // 4 == kind for number in hand) for kind in range(34)] for hand in hands]
    made = [jansou.Hand(_jansou_tiles(hand)) for hand in hands]
    one, four, few = xiangting.calculate_replacement_number, xiangting.PlayerCount.FOUR, counts[:100]
    return [
        each("riichienv", riichienv.calculate_shanten, hands, "tile numbers"),
        each("xiangting", lambda hand: one(hand, four), counts, "list of counts"),
        each("jansou", jansou_shanten, made, "Hand; caches its results"),
        each("mahjong", Shanten.calculate_shanten, few, "list of counts"),
    ]


class Scorer(NamedTuple):
    """How a package scores a win: convert it to plain ``fields``, build its ``inputs``, get the ``value``."""

    fields: Callable[[WinInput], Any]
    inputs: Callable[[Any], Any]
    value: Callable[[Any], Any]
    note: str
    wins: int
    """Number of wins that suffices for a measurement."""


def score(wins: list[WinInput], *, building: bool) -> list[Candidate]:
    """Return every package's candidate for the value of wins, with or without building its inputs."""
    candidates = []
    for package, (fields, inputs, value, note, count) in SCORERS.items():
        given = list(map(fields, wins[:count]))
        if building:
            candidates.append(each(package, _both(inputs, value), given, f"{note} built"))
        else:
            candidates.append(each(package, value, list(map(inputs, given)), f"{note} built in advance"))
    return candidates


def _both(inputs: Callable[[Any], Any], value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda fields: value(inputs(fields))


def _circumstances(win: WinInput) -> dict[str, Any]:
    """Return the fields that have the same names in several packages."""
    request, tsumo = win.request, win.request["by"] == "tsumo"
    return {
        "riichi": request["riichi"] == "riichi",
        "double_riichi": request["riichi"] == "double",
        "ippatsu": request["ippatsu"],
        "haitei": request["last_tile"] and tsumo,
        "houtei": request["last_tile"] and not tsumo,
        "rinshan": request["rinshan"],
        "chankan": request["chankan"],
        "honba": request["honba"],
        "riichi_sticks": request["deposits"],
    }


_RIICHIENV_MELD: Final = {
    "chi": riichienv.MeldType.Chi,
    "pon": riichienv.MeldType.Pon,
    "ankan": riichienv.MeldType.Ankan,
    "daiminkan": riichienv.MeldType.Daiminkan,
    "kakan": riichienv.MeldType.Kakan,
}


def _riichienv_fields(win: WinInput) -> Any:
    circumstances = _circumstances(win) | {
        "tsumo": win.request["by"] == "tsumo",
        "player_wind": WINDS.index(win.request["seat"]),
        "round_wind": WINDS.index(win.request["round"]),
    }
    melds = [(_RIICHIENV_MELD[kind], tiles, kind != "ankan") for kind, tiles in win.melds]
    return sorted([*win.tiles, win.win_tile]), melds, win.win_tile, win.dora, circumstances, win.ura


def _riichienv_inputs(fields: Any) -> Any:
    tiles, melds, tile, dora, circumstances, ura = fields
    made = [riichienv.Meld(*meld) for meld in melds]
    return tiles, made, tile, dora, riichienv.Conditions(**circumstances), ura


def _riichienv_score(inputs: Any) -> Any:
    tiles, melds, tile, dora, conditions, ura = inputs
    return riichienv.HandEvaluator(tiles, melds).calc(tile, dora, conditions, ura)


def _mahjong_fields(win: WinInput) -> Any:
    names = {"honba": "tsumi_number", "riichi_sticks": "kyoutaku_number", "double_riichi": "is_daburu_riichi"}
    config = {names.get(name, f"is_{name}"): value for name, value in _circumstances(win).items()} | {
        "is_tsumo": win.request["by"] == "tsumo",
        "player_wind": 27 + WINDS.index(win.request["seat"]),
        "round_wind": 27 + WINDS.index(win.request["round"]),
        "options": OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    }
    melds = [("kan" if len(tiles) == 4 else kind, tiles, kind != "ankan") for kind, tiles in win.melds]
    tiles = sorted([*win.tiles, win.win_tile, *(tile for _, meld in win.melds for tile in meld)])
    return tiles, win.win_tile, melds, [*win.dora, *win.ura] if win.request["riichi"] else win.dora, config


def _mahjong_inputs(fields: Any) -> Any:
    tiles, tile, melds, dora, config = fields
    return tiles, tile, [Meld(*meld) for meld in melds], dora, HandConfig(**config)


_MAHJONG: Final = HandCalculator()


def _mahjong_score(inputs: Any) -> Any:
    return _MAHJONG.estimate_hand_value(*inputs)


_TENHOU: Final = preset("tenhou")
_JANSOU_MELD: Final = {
    "chi": jansou.MeldType.CHII,
    "pon": jansou.MeldType.PON,
    "ankan": jansou.MeldType.ANKAN,
    "daiminkan": jansou.MeldType.DAIMINKAN,
    "kakan": jansou.MeldType.SHOUMINKAN,
}


def _jansou_fields(win: WinInput) -> Any:
    tile, request = _jansou_tiles([win.win_tile])[0], win.request
    melds = []
    for kind, numbers in win.melds:
        tiles = _jansou_tiles(numbers)
        called = () if kind == "ankan" else (tiles[0], jansou.CallSource.KAMICHA)
        added = tiles[-1:] if kind == "kakan" else ()
        melds.append((_JANSOU_MELD[kind], tiles, *called, *added))
    context = _circumstances(win) | {
        "rules": _TENHOU,
        "is_tsumo": request["by"] == "tsumo",
        "seat_wind": list(Wind)[WINDS.index(request["seat"])],
        "round_wind": list(Wind)[WINDS.index(request["round"])],
        "dora_indicators": _jansou_tiles(win.dora),
        "ura_indicators": _jansou_tiles(win.ura) if request["riichi"] else (),
    }
    return (*_jansou_tiles(win.tiles), tile), melds, tile, context


def _jansou_tiles(numbers: list[int]) -> tuple[Tile, ...]:
    return tuple(parse_136([number])[0] for number in numbers)


def _jansou_inputs(fields: Any) -> Any:
    tiles, melds, tile, context = fields
    return jansou.Hand(tiles, tuple(jansou.Meld(*meld) for meld in melds)), tile, WinContext(**context)


def _jansou_score(inputs: Any) -> Any:
    return jansou_score(*inputs)


SCORERS: Final = {
    "riichienv": Scorer(_riichienv_fields, _riichienv_inputs, _riichienv_score, "Meld and Conditions", 2000),
    "jansou": Scorer(_jansou_fields, _jansou_inputs, _jansou_score, "Hand, Meld and WinContext", 100),
    "mahjong": Scorer(_mahjong_fields, _mahjong_inputs, _mahjong_score, "Meld and HandConfig", 100),
}


def riichienv_game(seed: int, *, log: bool) -> int:
    """Play a random hanchan, with its ``log`` read or disabled; return the number of decisions."""
    rng, decisions = random.Random(seed), 0
    env = riichienv.RiichiEnv(game_mode="4p-red-half", skip_mjai_logging=not log, seed=seed)
    to_act = env.reset()
    while not env.done():
        decisions += len(to_act)
        to_act = env.step({seat: rng.choice(env.legal_actions()) for seat, env in to_act.items()})
    if log:
        list(env.mjai_log)
    return decisions


def jansou_game(seed: int) -> int:
    """Play a random hanchan; return the number of decisions, each with the preceding events."""
    rng, decisions = random.Random(seed), 0
    game = Environment(_TENHOU, seed=seed).play()
    to_act = next(game)
    while True:
        decisions += 1
        try:
            to_act = game.send(rng.choice(to_act.actions))
        except StopIteration:
            return decisions
