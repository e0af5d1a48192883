"""Options without effect make no difference in random games: the same actions give the same game."""

from random import Random
from typing import Any, Final

import numpy as np
import pytest

from conftest import scale
from jantaku.errors import RulesError
from jantaku.game import Game
from jantaku.kernels.engine.state import GAME
from jantaku.rules import Ruleset
from jantaku.rules.check import choices_of, hints
from jantaku.rules.gates import gate_open, value_at
from jantaku.rules.idle_options import NEEDS, SWITCHES
from jantaku.rules.options import SECTIONS
from support.lacking import lacking
from support.plain import differences
from support.playing import choose
from support.random_rules import random_rules

PAIRS: Final = [
    *((path, need) for path, needs in NEEDS.items() for need in needs),
    *SWITCHES.items(),
]
RECORDED: Final = {
    "riichi", "ippatsu", "after_kan", "furiten_lasting", "river_marks", "wins", "match.deposits",
    "match.deposits_of",
}  # fmt: skip
"""Fields that the engine records even if no rule uses them, such as the kind of riichi."""
STEPS: Final = 50


def rules_without(chance: Random, path: str, need: str) -> list[Ruleset]:
    """Return random rules under which ``need`` is not met, one for each value of the option."""
    rules = random_rules(chance).with_changes({"match.length": "east"})
    changes = lacking(need)
    if "riichi.without_yaku" not in changes and chance.random() < 0.5:
        changes |= {"riichi.without_yaku": True}
    idle = []
    for value in values_of(path, value_at(rules, path)):
        try:
            idle.append(rules.with_changes({**changes, path: value}))
        except RulesError:  # contradictory rules
            continue
    return [ruleset for ruleset in idle if not gate_open(need, ruleset)]


def values_of(path: str, present: Any) -> list[Any]:
    section, name = path.split(".")
    hint = hints(SECTIONS[section])[name]
    named = [True, False] if hint is bool else list(choices_of(hint))
    return named or ([0, 1, 4, 300, 3000] if hint is int else [present])


def play_same_game(rulesets: list[Ruleset], chance: Random) -> None:
    """Play the same actions, including fouls, under each ruleset; fail if the games differ."""
    seed, heedless = chance.getrandbits(60), chance.random() < 0.5
    games = [Game(rules, seed=seed) for rules in rulesets]
    first = games[0]
    for _ in range(STEPS):
        if first.is_over:
            return
        fouls = [[(seat, act) for seat in game.seats for act in game.fouls(seat)] for game in games]
        legal = [[(seat, act) for seat in game.to_act for act in game.legal(seat)] for game in games]
        assert all(action == legal[0] for action in legal)
        assert all(seat == fouls[0] for seat in fouls)
        seat, act = chance.choice(legal[0])
        if fouls[0] and chance.random() < 0.05:
            seat, act = chance.choice(fouls[0])
        elif not heedless:
            act = choose(first, seat, chance)
        for game in games:
            game.play(seat, act)
        records = [np.frombuffer(game.state, GAME)[0] for game in games]
        for record in records[1:]:
            assert not differences(records[0], record).keys() - RECORDED


def try_pair(path: str, need: str, number: int) -> None:
    chance = Random(f"{path} {need} {number}")
    rulesets = rules_without(chance, path, need)
    if len(rulesets) > 1:
        play_same_game(rulesets, chance)


@pytest.mark.parametrize(("path", "need"), [pair for pair in PAIRS if pair[1] == "match.players=4"])
def test_options_for_four_players_change_no_game_of_three(path: str, need: str) -> None:
    for number in range(scale(3)):
        try_pair(path, need, number)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "need"), PAIRS)
def test_an_option_without_effect_changes_no_random_game(path: str, need: str) -> None:
    for number in range(scale(4)):
        try_pair(path, need, number)
