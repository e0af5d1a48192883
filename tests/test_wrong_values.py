"""Values of every type for every parameter of the public interface give a result or a ``JantakuError``."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pytest

import jantaku
from jantaku import Game, Hand, JantakuError, Meld, Tile, Win
from jantaku.adjudication import analysis, batch
from jantaku.adjudication.jsonl import answer
from jantaku.adjudication.rons_and_nagashi import score_nagashi
from jantaku.bots import bot
from jantaku.club import settle
from jantaku.game import Chi, Discard, Foul, Kan, Pass, Pon, Standing
from jantaku.lab.vector import VectorEnv

WON, TENPAI, DRAWN = "234m567p34567s99p 8s", "234m567p34567s99p", "123456m123679p11z"


@cache
def _game() -> Game:
    return Game("tenhou", seed=7)


def wrong() -> Iterator[Any]:
    """Yield new values of every kind."""
    yield from (None, True, False, -1, 0, 1, 99, 2.0, 2.5, float("nan"), 10**30, 1j)
    yield from ("", "x", "5m", "east", "\0", "\ud800", b"5m")
    yield from ([], [1, 2], [-1], (99,), ["x", "5m"], (None,), (1, "x"), [[1, [2]]], {1, "x"}, range(14))
    yield from ({"x": 1}, {"x": []}, {1: 2}, count(), iter("5m"), object(), int, len, ...)
    yield from (np.int64(3), np.bool_(True), np.float32(1.5), np.zeros(3), np.zeros(34, np.uint8))
    yield from (hand(), Win.parse(WON), Meld.parse("pon", "555z"), _game(), jantaku.load("tenhou"), Pass())


@cache
def _env() -> VectorEnv:
    env = VectorEnv(games=2)
    env.reset()
    return env


def hand() -> Hand:
    """Return a hand in tenpai."""
    return Hand.parse(TENPAI)


def _circumstances() -> dict[str, Any]:
    return {
        "tsumo": False, "source": None, "round": "east", "seat": "south", "riichi": None, "ippatsu": False,
        "last_tile": False, "rinshan": False, "chankan": False, "first_turn": False, "riichi_tile": False,
        "kan_discard": False, "discarder_riichi": False, "furiten": False, "final_hand": False, "dora": "",
        "ura": "", "honba": 0, "deposits": 0, "laid": 0, "dealer_streak": 0, "kita": 0, "pao": None,
        "wareme": None, "turn": None, "score": None, "discarded": None,
    }  # fmt: skip


def _scored(*args: Any, **circumstances: Any) -> Any:
    win = Win(*args, **circumstances)
    return repr(win), hash(win), jantaku.explain(jantaku.score(win, "bgm-2025")).to_dict()


def _parsed(*args: Any, **circumstances: Any) -> Any:
    return jantaku.score(Win.parse(*args, **circumstances), "tenhou").to_dict()


def _analysed(**of: Any) -> Any:
    held = Hand(**of)
    return repr(held), held.tiles[0].kind, jantaku.shanten(held)


_TABLE = {"seen": (), "man": "all", "kita": 0, "in_melds": False}
CALLS: dict[str, tuple[Callable[..., Any], Callable[[], dict[str, Any]]]] = {
    "Tile": (Tile, lambda: {"number": 3}),
    "Tile.parse": (Tile.parse, lambda: {"text": "5m"}),
    "parse_tiles": (jantaku.parse_tiles, lambda: {"text": "5m"}),
    "format_tiles": (jantaku.format_tiles, lambda: {"tiles": "5m"}),
    "tile_name": (jantaku.tile_name, lambda: {"tile": "5m", "language": "ja"}),
    "Meld": (Meld, lambda: {"type": "pon", "tiles": "555m", "called": "5m", "source": "left"}),
    "Meld.parse": (Meld.parse, lambda: {"kind": "chi", "tiles": "340m", "called": "4m", "source": "left"}),
    "Hand": (_analysed, lambda: {"tiles": TENPAI, "melds": ()}),
    "Hand.parse": (Hand.parse, lambda: {"text": TENPAI, "melds": ()}),
    "Win": (_scored, lambda: {"hand": hand(), "tile": "8s", **_circumstances()}),
    "Win of a yakuman": (
        _scored,
        lambda: {"hand": Hand("23m99p555666z", [Meld("pon", "777z")]), "tile": "4m", **_circumstances()},
    ),
    "Win.parse": (_parsed, lambda: {"text": WON, "melds": (), **_circumstances()}),
    "score": (jantaku.score, lambda: {"win": Win.parse(WON), "rules": "tenhou"}),
    "score_rons": (jantaku.score_rons, lambda: {"wins": [Win.parse(WON, source="left")], "rules": "tenhou"}),
    "explain": (jantaku.explain, lambda: {"score": jantaku.score(Win.parse(WON)), "language": "ko"}),
    "readings": (jantaku.readings, lambda: {"win": Win.parse(WON), "rules": "tenhou"}),
    "shanten": (lambda *, hand, melds: jantaku.shanten(hand, melds), lambda: {"hand": hand(), "melds": 0}),
    "shanten_forms": (
        analysis.shanten_forms,
        lambda: {"hand": hand(), "man": "all", "kita": 0, "in_melds": False},
    ),
    "waits": (jantaku.waits, lambda: {"hand": hand(), **_TABLE}),
    "effective_tiles": (jantaku.effective_tiles, lambda: {"hand": hand(), **_TABLE}),
    "best_discards": (jantaku.best_discards, lambda: {"hand": Hand.parse(DRAWN), **_TABLE}),
    "is_furiten": (jantaku.is_furiten, lambda: {"hand": hand(), "discards": "1m", "passed": "2m"}),
    "riichi_ankan_allowed": (
        analysis.riichi_ankan_allowed,
        lambda: {"hand": hand(), "drawn": "1m", "rule": "never", "kita": 0, "in_melds": False},
    ),
    "load": (jantaku.load, lambda: {"source": "tenhou"}),
    "load_file": (jantaku.load_file, lambda: {"path": "nowhere.toml"}),
    "with_changes": (jantaku.load("tenhou").with_changes, lambda: {"changes": {"riichi.open": True}}),
    "yaku_name": (jantaku.yaku_name, lambda: {"yaku": "pinfu", "language": "ja"}),
    "answer": (answer, lambda: {"request": {}, "default_rules": "tenhou"}),
    "read": (jantaku.read, lambda: {"path": "nowhere.mjlog", "rules": None}),
    "Game": (Game, lambda: {"rules": "tenhou", "seed": 1, "walls": None, "standing": None}),
    "Game of walls": (Game, lambda: {"rules": "tenhou", "walls": _game().walls}),
    "legal": (lambda seat: _game().legal(seat), lambda: {"seat": 0}),
    "fouls": (lambda seat: _game().fouls(seat), lambda: {"seat": 0}),
    "view": (lambda seat: _game().view(seat), lambda: {"seat": 0}),
    "play": (
        lambda seat, action: _game().copy().play(seat, action),
        lambda: {"seat": 0, "action": Discard("5m")},
    ),
    "why": (
        lambda seat, what, language: _game().why(seat, what, language),
        lambda: {"seat": 0, "what": "riichi", "language": "ja"},
    ),
    "Discard": (lambda **of: str(Discard(**of)), lambda: {"tile": "5m", "drawn": False, "riichi": None}),
    "Chi": (lambda **of: str(Chi(**of)), lambda: {"tiles": ("3m", "4m")}),
    "Pon": (lambda **of: str(Pon(**of)), lambda: {"red": 0}),
    "Kan": (lambda **of: str(Kan(**of)), lambda: {"kind": "ankan", "tile": "5m"}),
    "Foul": (lambda **of: str(Foul(**of)), lambda: {"act": "win_shown"}),
    "bot": (bot, lambda: {"name": "random", "seed": 1}),
    "VectorEnv": (
        VectorEnv,
        lambda: {
            "rules": "tenhou", "games": 2, "seed": 1, "opponents": "random", "seats": 0, "reward": "game",
            "auto_reset": True, "copy": True,
        },
    ),
    "step": (lambda actions: _env().step(actions), lambda: {"actions": np.zeros(2, np.int64)}),
    "settle": (settle, lambda: {"hands": [], "rules": "standard", "penalties": [(0, -1000)]}),
    "Standing": (Standing, lambda: {"number": 0, "honba": 0, "deposits": 0, "scores": (25000,) * 4}),
    "score_nagashi": (
        score_nagashi,
        lambda: {"seat": "east", "rules": "tenhou", "closed": True, "honba": 0, "deposits": 0},
    ),
    "batch.shanten": (batch.shanten, lambda: {"hands": np.zeros((1, 34), np.uint8)}),
    "batch.score": (batch.score, lambda: {"records": batch.win_records([Win.parse(WON)]), "rules": "tenhou"}),
    "batch.win_records": (batch.win_records, lambda: {"wins": [Win.parse(WON)]}),
}  # fmt: skip


PARAMETERS = [(name, field) for name, (_, usual) in CALLS.items() for field in usual()]


@pytest.mark.parametrize(("name", "field"), PARAMETERS)
def test_a_wrong_value_is_explained(name: str, field: str) -> None:
    call, usual = CALLS[name]
    for value in wrong():
        with suppress(JantakuError):
            call(**{**usual(), field: value})
