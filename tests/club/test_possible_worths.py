"""The worths of a ruleset: every win that the engine counts is one of them, and none is beside them."""

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
    """The worths of random wins as a recorder enters them, and whether they are by tsumo."""
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
    """Wins that the engine counts and the table does not have."""
    rows = {
        (tuple(worth.items()), by_tsumo)
        for worth, *by in possible_worths(rules)
        for by_tsumo in (False, True)
        if by[by_tsumo]
    }
    lacking = set(wins(rules, seed, count)) - rows
    if rules.score.aotenjou:  # without limits no table has every han
        lacking = {(key, tsumo) for key, tsumo in lacking if int(dict(key)["han"]) <= MAX_LISTED_HAN}
    return lacking


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.slow
def test_every_win_under_a_preset_is_in_its_table(name: str) -> None:
    assert missing(load(name), PRESETS.index(name), scale(400)) == set()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.long
def test_every_win_under_odd_rules_is_in_their_table(seed: int) -> None:
    for base in (FOUR, THREE):
        assert missing(random_rules(Random(seed), base, own=0), seed, scale(120)) == set()


@pytest.mark.parametrize("name", ["standard", "bgm-2025", "standard-3"])
@pytest.mark.long
def test_the_fewest_han_are_those_of_hands_without_dora(name: str) -> None:
    rules, seen = load(name), dict[tuple[Any, bool], int]()
    for worth, tsumo in wins(rules, 5, scale(20_000), dora="", ura="", honba=0):
        facts = dict(worth)
        if "han" in facts:
            key = facts["fu"], tsumo
            seen[key] = min(int(facts["han"]), seen.get(key, 9))
    usual = [key for key in min_han(rules) if key[0] <= 30]
    assert {key: seen.get(key) for key in usual} == {key: min_han(rules)[key] for key in usual}


@pytest.mark.parametrize(
    ("rules", "fu", "tsumo", "least"),
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
        ("bgm-2025", 20, True, 2),  # 1 han 20 fu is lifted to 30 fu
        ("bgm-2025", 60, False, 0),
        ("bgm-2025", 70, False, 1),  # no open hand of simples has so many fu without other yaku
        ("korea-3", 30, False, 0),
    ],
)
def test_the_grid_begins_where_the_rules_do(rules: str, fu: int, tsumo: bool, least: int | None) -> None:
    assert min_han(load(rules)).get((fu, tsumo)) == least


def test_a_yaku_that_cannot_win_alone_does_not_begin_the_grid() -> None:
    yaku = {"pinfu": {"minimum": False}, "tanyao": {"minimum": False}}
    assert min_han(load({"extends": "bgm-2025", "yaku": yaku}))[30, False] == 1


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({}, 5),  # all honours, four winds, four concealed triplets on the pair, four kans
        ({"yaku": {"daisuushii": {"closed": "double_yakuman", "open": "double_yakuman"}}}, 6),
        ({"score": {"multiple_yakuman": False}}, 2),
        ({"score": {"kazoe": "sanbaiman"}}, 5),
    ],
)
def test_as_many_yakuman_are_offered_as_one_hand_can_have(changes: dict[str, Any], most: int) -> None:
    rules = load({"extends": "standard", **changes})
    assert max_yakuman(rules) == most
    worths = [row.worth for row in payment_table(rules).wins]
    assert [worth["yakuman"] for worth in worths if "yakuman" in worth] == list(range(1, most + 1))


def test_without_yakuman_there_is_no_button_for_one() -> None:
    yaku = {name: {"closed": 13, "open": 13} for name in load("standard").yaku if name in YAKUMAN}
    rules = {"extends": "standard", "score": {"kazoe": "sanbaiman"}, "pao": {"yakuman": []}, "yaku": yaku}
    assert max_yakuman(load(rules)) == 0
