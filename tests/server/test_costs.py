"""The costs of mistakes in a profile: estimates by game, halves, situations, and bots for comparison."""

import random
from pathlib import Path

import pytest

from jantaku.bots.review import levels
from jantaku.bots.review.levels import LevelCost, level_costs
from jantaku.server.storage.reviews import GameCosts
from jantaku.server.study.profile import profile_costs


def game(hands: int, efficiency: float = 0.0, riichi: float = 0.0) -> GameCosts:
    return GameCosts(
        hands=hands,
        lost={"efficiency": efficiency, "riichi": riichi},
        lost_in={"dealer": efficiency, "child": riichi},
        arose={"dealer": hands // 4, "child": hands - hands // 4},
    )


def test_costs_are_per_hand_and_largest_first() -> None:
    costs = profile_costs([game(8, 100, 700), game(12, 300)], 4)
    assert costs is not None
    assert (costs.games, costs.hands) == (2, 20)
    shown = [(row.kind, row.cost.cost, row.cost.low, row.change) for row in costs.costs]
    assert shown == [(None, 55, None, None), ("riichi", 35, None, None), ("efficiency", 20, None, None)]
    situations = [(row.situation, row.hands, row.cost.cost) for row in costs.situations if row.hands]
    assert situations == [("dealer", 5, 80), ("child", 15, pytest.approx(700 / 15))]


def test_without_reviewed_hands_there_are_no_costs() -> None:
    assert [profile_costs(games, 4) for games in ([], [game(0)])] == [None, None]


@pytest.mark.parametrize("games", [10, 40])
def test_intervals_contain_the_truth_in_about_95_of_100_profiles(games: int) -> None:
    """Hands of a game are dependent here: a game has a form of its day."""
    chance, inside, changes, tries = random.Random(games), 0, 0, 600
    for _ in range(tries):
        sample = [
            game(hands, sum(chance.expovariate(1 / form) for _ in range(hands)))
            for hands, form in ((chance.randint(6, 12), chance.uniform(20, 180)) for _ in range(games))
        ]
        costs = profile_costs(sample, 4)
        assert costs is not None
        whole = costs.costs[0]
        assert whole.cost.low is not None
        assert whole.cost.high is not None
        assert whole.change is not None
        assert whole.change.low is not None
        assert whole.change.high is not None
        inside += whole.cost.low <= 100 <= whole.cost.high
        changes += whole.change.low <= 0 <= whole.change.high
    assert 0.92 < inside / tries < 0.98
    assert 0.92 < changes / tries < 0.985


def test_a_player_who_improves_sees_it() -> None:
    costs = profile_costs([game(8, 800 + i) for i in range(10)] + [game(8, 80 + i) for i in range(10)], 4)
    assert costs is not None
    change = costs.costs[0].change
    assert change is not None
    assert change.high is not None
    assert change.high < 0


def test_bots_are_read_by_number_of_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for players in (3, 4):
        assert all(row.cost >= 0 and row.error >= 0 for row in level_costs(players))
    file = tmp_path / "levels.tsv"
    file.write_text(
        "level\tplayers\tkind\tcost\terror\nstandard\t4\tall\t210.5\t9\nstandard\t4\triichi\t20\t2\n"
    )
    monkeypatch.setattr(levels, "FILE", file)
    level_costs.cache_clear()
    first, second = (
        LevelCost(level="standard", kind=None, cost=210.5, error=9),
        LevelCost(level="standard", kind="riichi", cost=20, error=2),
    )
    assert (level_costs(4), level_costs(3)) == ((first, second), ())
    level_costs.cache_clear()
