"""Games of three beside riichienv's engine: its games checked by ours, ours read by its replay, and wins.

``docs/conformance.md`` has the figures and the reason of each difference.
"""

from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from support import conformance
from support.riichienv_three import KNOWN, RULES

riichienv: Any = pytest.importorskip("riichienv", reason="riichienv is not installed")
pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("games", [
    pytest.param(20, marks=pytest.mark.slow), pytest.param(conformance.GAMES, marks=pytest.mark.long),
])  # fmt: skip
def test_its_games_agree_to_the_point(rules: str, games: int) -> None:
    report = conformance.its_games(riichienv, rules, games)
    assert report.unknown == []
    assert report.differences.keys() <= KNOWN.keys()
    assert report.events["won"] > games
    assert report.events["kita_declared"] > 10 * games


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("games", [
    pytest.param(10, marks=pytest.mark.slow), pytest.param(conformance.GAMES, marks=pytest.mark.long),
])  # fmt: skip
def test_its_replay_finds_every_action_of_ours_legal(rules: str, games: int) -> None:
    found = conformance.our_games(riichienv, rules, games)
    assert found["actions"] > 200 * games
    assert found["same points"] == found["hands"]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("games", [
    pytest.param(5, marks=pytest.mark.slow), pytest.param(conformance.DECIDED, marks=pytest.mark.long),
])  # fmt: skip
def test_it_finds_the_same_legal_actions(rules: str, games: int) -> None:
    found = conformance.legal_actions(riichienv, rules, games)
    assert found.pop("decisions") > 300 * games
    assert found.keys() <= {conformance.RINSHAN}


@pytest.mark.parametrize("count", [
    pytest.param(1000, marks=pytest.mark.slow), pytest.param(conformance.WINS, marks=pytest.mark.long),
])  # fmt: skip
def test_wins_are_worth_the_same(count: int) -> None:
    found, unknown = conformance.wins(riichienv, count)
    assert unknown == []
    assert found["same"] > 0.95 * count
