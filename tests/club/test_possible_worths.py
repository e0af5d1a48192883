"""The hand values that are possible under a ruleset are exactly those that the engine can score."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku.club.payment_table import payment_table
from jantaku.club.possible_worths import MAX_LISTED_HAN, max_yakuman, min_han, possible_worths
from jantaku.rules import Ruleset, load
from jantaku.rules.catalogue import catalogue
from naive.generate import random_wins, table_of
from support.presets import FOUR, THREE
from support.random_rules import random_rules
from support.scoring import answer

PRESETS = [*FOUR, *THREE]
YAKUMAN = [name for name, value in catalogue().items() if "yakuman" in str(value.value.closed)]
Key = tuple[tuple[str, int | str], ...]


def wins(rules: Ruleset, seed: int, count: int, **changes: Any) -> Iterator[tuple[Key, bool]]:
    """Yield the values of random wins as they would be entered, and whether each win is a tsumo."""
    requests = random_wins(seed, count, rules.tiles.red, open_riichi=rules.riichi.open, table=table_of(rules))
    for request in requests:
        reply = answer({**request, **changes}, rules)
        if "error" not in reply:
            yield entered(reply), request["by"] == "tsumo"


def entered(score: dict[str, Any]) -> Key:
    if score["yakuman"]:
        return (("yakuman", score["yakuman"]),)
    if score["limit"]:
        counted = score["limit"] == "kazoe_yakuman"
        return (("yakuman", 1),) if counted else (("limit", score["limit"]),)
    return ("han", score["han"]), ("fu", score["fu"])


def missing(rules: Ruleset, seed: int, count: int) -> set[tuple[Key, bool]]:
    """Return the wins that the engine can score but that are not in the table."""
    rows = {
        (tuple(worth.items()), by_tsumo)
        for worth, *by in possible_worths(rules)
        for by_tsumo in (False, True)
        if by[by_tsumo]
    }
    lacking = set(wins(rules, seed, count)) - rows
    if rules.score.aotenjou:  # without limits, a table cannot list every han
        lacking = {(key, tsumo) for key, tsumo in lacking if int(dict(key)["han"]) <= MAX_LISTED_HAN}
    return lacking


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.slow
def test_every_win_under_a_preset_is_in_its_table(name: str) -> None:
    assert missing(load(name), PRESETS.index(name), scale(400)) == set()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.long
def test_every_win_under_random_rules_is_in_their_table(seed: int) -> None:
    for base in (FOUR, THREE):
        assert missing(random_rules(Random(seed), base, own=0), seed, scale(120)) == set()


@pytest.mark.parametrize("name", ["standard", "bgm-2025", "standard-3"])
@pytest.mark.long
def test_minimum_han_are_those_of_hands_without_dora(name: str) -> None:
    rules, seen = load(name), dict[tuple[Any, bool], int]()
    for worth, tsumo in wins(rules, 5, scale(20_000), dora="", ura="", honba=0):
        facts = dict(worth)
        if "han" in facts:
            key = facts["fu"], tsumo
            seen[key] = min(int(facts["han"]), seen.get(key, 9))
    usual = [key for key in min_han(rules) if key[0] <= 30]
    assert {key: seen.get(key) for key in usual} == {key: min_han(rules)[key] for key in usual}


@pytest.mark.parametrize(
    ("rules", "fu", "tsumo", "minimum"),
    [
        ("standard", 20, True, 2),
        ("standard", 20, False, None),
        ("standard", 25, False, 2),
        ("standard", 25, True, 3),
        ("standard", 30, False, 1),
        ("standard", 110, False, 1),
        ("standard", 110, True, 2),
        ("bgm-2025", 30, False, 0),  # pinfu alone, or open tanyao
        ("bgm-2025", 30, True, 0),
        ("bgm-2025", 20, True, 2),  # 1 han 20 fu is raised to 30 fu
        ("bgm-2025", 60, False, 0),
        ("bgm-2025", 70, False, 1),  # without other yaku, no open hand of simples has that many fu
        ("korea-3", 30, False, 0),
    ],
)
def test_minimum_han_follow_the_rules(rules: str, fu: int, tsumo: bool, minimum: int | None) -> None:
    assert min_han(load(rules)).get((fu, tsumo)) == minimum


def test_a_yaku_that_cannot_win_alone_does_not_lower_the_minimum() -> None:
    yaku = {"pinfu": {"minimum": False}, "tanyao": {"minimum": False}}
    assert min_han(load({"extends": "bgm-2025", "yaku": yaku}))[30, False] == 1


@pytest.mark.parametrize(
    ("changes", "maximum"),
    [
        ({}, 5),  # all honours, four winds, four concealed triplets waiting on the pair, four kans
        ({"yaku": {"daisuushii": {"closed": "double_yakuman", "open": "double_yakuman"}}}, 6),
        ({"score": {"multiple_yakuman": False}}, 2),
        ({"score": {"kazoe": "sanbaiman"}}, 5),
    ],
)
def test_offered_yakuman_are_those_one_hand_can_have(changes: dict[str, Any], maximum: int) -> None:
    rules = load({"extends": "standard", **changes})
    assert max_yakuman(rules) == maximum
    worths = [row.worth for row in payment_table(rules).wins]
    assert [worth["yakuman"] for worth in worths if "yakuman" in worth] == list(range(1, maximum + 1))


def test_rules_without_yakuman_offer_none() -> None:
    yaku = {name: {"closed": 13, "open": 13} for name in load("standard").yaku if name in YAKUMAN}
    rules = {"extends": "standard", "score": {"kazoe": "sanbaiman"}, "pao": {"yakuman": []}, "yaku": yaku}
    assert max_yakuman(load(rules)) == 0
