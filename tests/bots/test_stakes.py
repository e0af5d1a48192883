"""Payments other than the value of a hand change the play of bots in the expected direction."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from jantaku import load
from jantaku.kernels import bits
from jantaku.kernels._jit import COMPILED
from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.rules import Ruleset

GAMES = 96
OPEN = {"riichi.open": True}
HIGH = {"yaku.haitei.closed": "yakuman", "yaku.haitei.open": "yakuman"}
LATE = HIGH | {"yaku.houtei.closed": "yakuman", "yaku.houtei.open": "yakuman"}


@cache
def rates(rules: Ruleset) -> dict[str, float]:
    """Return the rates of calls, riichi, draws and open riichi wins; all rulesets use the same walls."""
    plan = ChunkPlan(rules, ("standard",) * 4, GAMES, 3, own_draws=True)
    hands: Any = play_chunk(plan, 0, GAMES).hands
    return {
        "calls": float((hands["calls"] > 0).mean()),
        "riichi": float((hands["riichi"] > 0).mean()),
        "draws": float((hands["winners"] == 0).mean()),
        "shown": float((hands["yaku"] >> bits.OPEN_RIICHI & 1).mean()),
    }


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
@pytest.mark.parametrize(
    ("base", "changes", "rate", "sign"),
    [
        ({}, {"chips.value": 2000}, "calls", -1),
        ({}, {"chips.value": 2000}, "riichi", 1),
        ({}, {"calls.sakizuke": "kanzen"}, "calls", -1),
        ({}, {"win.two_han_from_honba": 1}, "calls", -1),
        ({}, {"score.honba_value": 3000}, "calls", 1),
        ({}, {"draw.noten_payment": 9000}, "calls", 1),
        ({}, {"draw.noten_payment": 0}, "calls", -1),
        ({}, {"match.yakitori": 20_000}, "calls", 1),
        ({}, {"riichi.shiro_pocchi": "always"}, "riichi", 1),
        ({}, {"riichi.deposit": 0}, "riichi", 1),
        ({}, {"riichi.deposit": 5000}, "riichi", -1),
        ({}, {"yaku.menzen_tsumo.closed": "yakuman"}, "calls", -1),
        ({}, {"yaku.riichi.closed": "yakuman"}, "riichi", 1),
        ({}, LATE, "draws", -1),
        (OPEN, {"riichi.open_han": 4}, "shown", 1),
    ],
    ids=str,
)
def test_bots_respond(base: dict[str, Any], changes: dict[str, Any], rate: str, sign: int) -> None:
    before = load("standard").with_changes(base)
    assert sign * (rates(before.with_changes(changes))[rate] - rates(before)[rate]) > 0


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for uncompiled code")
def test_the_usual_stakes_do_not_change_play() -> None:
    """Stating the usual payments explicitly gives the same result as the defaults of ``tenhou``."""
    rules = load("tenhou")
    usual = {
        "score.honba_value": 300,
        "draw.noten_payment": 3000,
        "riichi.deposit": 1000,
        "match.yakitori": 0,
    }
    assert rates(rules.with_changes(usual)) == rates(rules)
    open_one = rules.with_changes({"riichi.open": True, "riichi.open_han": 1})
    hands = [
        play_chunk(ChunkPlan(ruleset, ("standard",) * 4, 8, 3), 0, 8).hands for ruleset in (rules, open_one)
    ]
    assert np.array_equal(hands[0]["delta"], hands[1]["delta"])
