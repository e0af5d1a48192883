"""Random games with every foul under random rules, checked after every action.

``research.random_games`` plays more of them.
"""

from collections import Counter
from random import Random

import pytest

from jantaku.adjudication.score import Score
from jantaku.game.events import Won
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import load
from jantaku.rules.ruleset import Ruleset
from support.playing import played
from support.random_games import Checks, Plan, RandomGame, plans
from support.random_rules import random_rules
from support.record_games import comparable_events

PENALISED = ("bgm-2025", "tenhou-3")
QUICK = 20  # number of hands in the short suite
compiled_only = pytest.mark.skipif(not COMPILED, reason="whole games")


def rules_of(preset: str) -> Ruleset:
    return load(preset).with_changes({"fouls.mode": "penalise", "riichi.short_wall": "foul"})


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("preset", PENALISED)
def test_every_format_writes_and_reads_after_every_action(preset: str) -> None:
    checks = Checks(fouls=0.2, modes=0.0, formats=1.0, steps=25)
    seen = RandomGame(rules_of(preset), "every action", checks).play()
    assert seen["games written in every format"] > 20
    assert seen["fouls"]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("preset", PENALISED)
def test_a_game_with_every_foul(preset: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(3):
        seen += RandomGame(rules_of(preset), str(seed), Checks(fouls=0.1, modes=0.1)).play()
    assert seen["fouls"] > 100
    assert seen["acting_dead: chombo"]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_a_game_under_random_rules(number: int) -> None:
    rules = random_rules(Random(f"test-{number}"))
    RandomGame(rules, f"test-{number}", Checks(fouls=(0.0, 0.05)[number % 2])).play()


@compiled_only
@pytest.mark.parametrize(("changes", "limit"), [
    ({"dora.ura": False}, 0), ({"dora.kan_ura": False}, 1), ({}, 5),
])  # fmt: skip
def test_a_win_has_only_the_ura_indicators_that_are_turned(changes: dict[str, bool], limit: int) -> None:
    """Indicators that stay face down never appear in a score, so every format reads the same win."""
    rules, named = load("standard").with_changes(changes), 0
    for seed in range(2):
        game = played(rules, seed)
        for event in game.events:
            if isinstance(event, Won) and isinstance(event.score, Score) and event.score.win.riichi:
                assert len(event.score.win.ura) == min(limit, len(event.score.win.dora))
                named += 1
        whole = comparable_events(game)
        for name in ("mjlog", "mjai", "tenhou"):
            assert comparable_events(formats.parse_record(formats.dumps(game, name).encode()).game) == whole
    assert named > 2


@compiled_only
@pytest.mark.parametrize(
    "plan",
    [pytest.param(plan, marks=[pytest.mark.slow] * (number >= QUICK)) for number, plan in enumerate(plans())],
)
def test_a_hand_of_rare_actions_can_be_played_and_written(plan: Plan) -> None:
    RandomGame(plan.rules, "x", Checks(modes=0.1, formats=0.0)).play_plan(plan)
