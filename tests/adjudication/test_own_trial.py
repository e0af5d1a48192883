"""Trials of custom yaku: examples, near misses, and the yaku they combine with."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from jantaku import Ruleset, Win, load
from jantaku.adjudication.own_changes import changed_wins
from jantaku.adjudication.own_trial import YakuTrial, example_win, judged, try_yaku
from jantaku.adjudication.score import score
from jantaku.errors import JantakuError, RulesFileError
from jantaku.rules.own.written import written
from jantaku.rules.own_yaku import MAX_OWN
from support.own_fuzz import used

STAIRS = "run(n, x) and run(n + 1, x) and run(n + 2, x)"
SOME = [
    'only("1579s7z")', STAIRS, "run(n, x) >= 3", 'count("5z") == 2', "dora >= 3", "red >= 2",
    "last_tile and tsumo", "kans == 2", 'won_on("5p") and kanchan', "dealer and streak >= 3",
    'yaku("pinfu") and tsumo', "double_riichi and ippatsu",
]  # fmt: skip


def rules_with(when: str, **more: object) -> Ruleset:
    return load({"extends": "standard", "yaku": {"mine": {"closed": 3, "open": 3, "when": when, **more}}})


def kinds(win: Win) -> Counter[int]:
    return Counter(int(tile.kind) for tile in (*win.hand.all_tiles, win.tile))


def has(win: Win, rules: Ruleset) -> bool:
    try:
        return "mine" in score(win, rules).yaku
    except JantakuError:
        return False


def checked(when: str) -> YakuTrial:
    """Try a condition, and check which hands score the yaku."""
    rules = rules_with(when)
    trial = try_yaku(rules, "mine", "en")
    assert 3 <= len(trial.having) <= 6, when
    assert 3 <= len(trial.near) <= 6, when
    assert all(value is not None and has(win, rules) for win, value in trial.having)
    for near in trial.near:
        assert not has(near.win, rules)
        assert not all(part.holds for part in near.parts)
        assert near.change.text("ko")
    return trial


@pytest.mark.parametrize("when", SOME)
def test_hands_with_a_yaku_and_near_misses_are_found(when: str) -> None:
    own = checked(when)
    assert all(near.change.distance <= 2 for near in own.near)


def test_a_near_miss_differs_by_one_tile_or_one_circumstance() -> None:
    win = Win.parse("123234345m67p99s 8p", tsumo=True)
    for other, change in changed_wins(win, rules_with(STAIRS)):
        moved = sum((kinds(win) - kinds(other)).values())
        assert moved == (change.distance if change.kind in ("tile", "pair") else 0)


def test_the_same_condition_gives_the_same_answer() -> None:
    rules = rules_with(STAIRS)
    assert try_yaku(rules, "mine", "ja") == try_yaku(rules, "mine", "ja")


def test_what_a_yaku_contains_and_excludes() -> None:
    trial = try_yaku(rules_with('only("1579s7z")'), "mine", "en")
    assert {"toitoi", "honitsu"} <= set(trial.always)
    assert {"tanyao", "pinfu"} <= set(trial.never)
    assert trial.tried >= 100


def test_the_longest_chain_of_yaku_can_be_tried() -> None:
    """The condition of each yaku refers to the next yaku, so the first depends on all of them."""
    names = [f"mine_{number:02}" for number in range(MAX_OWN)]
    links = [f'tsumo and yaku("{following}")' for following in names[1:]]
    conditions = [*links, "runs == 4"]
    rows = {name: {"closed": 1, "when": when} for name, when in zip(names, conditions, strict=True)}
    trial = try_yaku(load({"extends": "standard", "yaku": rows}), names[0], "en")
    assert all(value is not None and set(names) <= set(value.yaku) for _, value in trial.having)
    assert len(trial.having) >= 3


def test_an_impossible_condition_gives_no_hands() -> None:
    trial = try_yaku(rules_with("tsumo and ron"), "mine", "en")
    assert (trial.having, trial.tried) == ((), 0)
    assert example_win(rules_with("tsumo and ron"), "mine") is None


def test_examples_of_a_yaku_for_open_hands_are_open() -> None:
    trial = try_yaku(rules_with(STAIRS, closed=False), "mine", "en")
    assert trial.having
    assert not any(win.hand.is_closed for win, _ in trial.having)


def test_a_hand_is_judged_part_by_part() -> None:
    rules = rules_with(STAIRS)
    assert judged(Win.parse("123234345m67p99s 8p", tsumo=True), rules, "mine", "en")[:2] == ("", True)
    error, problem, parts = judged(Win.parse("123234789m67p99s 8p", tsumo=True), rules, "mine", "en")
    assert (error, problem) == ("", False)
    assert [part.holds for part in parts] == [True, True, False]
    assert judged(Win.parse("123234789m67p19s 8p"), rules, "mine", "en") == ("not_complete", False, [])


@pytest.mark.slow
def test_examples_are_found_for_every_condition_of_the_catalogue() -> None:
    for name, when in written().items():
        if name != "shiisan_puutaa":  # its special form counts as complete only if the built-in yaku is on
            assert try_yaku(rules_with(when).with_changes({"riichi.open": True}), "mine", "en").having, name


def test_a_white_dragon_joker_is_judged_as_the_tile_it_stands_for() -> None:
    own = {"mine": {"closed": 1, "when": "won_on(7, pin)"}}
    rules = load({"extends": "standard", "riichi": {"shiro_pocchi": "always"}, "yaku": own})
    win = Win.parse("12399m68p234678s 5z", tsumo=True, riichi="riichi")
    error, has, parts = judged(win, rules, "mine", "en")
    assert (error, has, [part.holds for part in parts]) == ("", True, [True])


@pytest.mark.parametrize("when", [
    "suits != 3", "not suits == 3", "suits >= 4", "suits == 99", "kinds >= 100", "n == 20",
    "score >= 0 - 5",
    'yaku("open_riichi_deal_in")', "open_riichi", "not turn >= 0", "kita >= 5", "n == n",
    "suits - suits >= 0",
])  # fmt: skip
def test_conditions_that_are_always_or_never_met_can_be_tried(when: str) -> None:
    rules = rules_with(when)
    trial = try_yaku(rules, "mine", "en")
    assert all(value is None or "mine" in value.yaku for _, value in trial.having)
    example_win(rules, "mine")


@pytest.mark.parametrize(("when", "rules"), [
    ("streak >= 2 and honba >= streak", {}),
    ("honba >= 3 and honba - streak >= 2", {}),
    ("kita + honba >= 4 and kita >= 2", {"extends": "tenhou-3"}),
    ("score >= 30000 and turn + honba >= 9", {}),
    ("dora > red and red >= 2", {}), ("kans >= dora and dora >= 2", {}),
    ("red == kans and kans >= 1", {}), ("dora + ura == red and red >= 2", {}),
    ("discarded(man) > kinds(man) and kinds(man) >= 2", {}), ("concealed_kans == 2 and kans == 3", {}),
    ("kans > runs and runs >= 1", {}), ("turn < kans and kans >= 3", {}), ("suits == kans", {}),
    ("triplets == kans and kans >= 2", {}), ("count(man) == count(pin) and count(pin) >= 5", {}),
    ("twin_runs == 2", {}), ("not dora == ura and dora + ura >= 7", {}),
    ("kita > dora and dora >= 1", {"extends": "tenhou-3"}),
    ('yaku("open_riichi_deal_in")', {"riichi": {"open": True, "open_deal_in": "yakuman"}}),
])  # fmt: skip
def test_hands_are_found_for_conditions_that_compare_numbers(when: str, rules: dict[str, Any]) -> None:
    yaku = {"mine": {"closed": 3, "open": 3, "when": when}}
    assert try_yaku(load({"extends": "standard", **rules, "yaku": yaku}), "mine", "en").having


@pytest.mark.parametrize(("when", "code", "at"), [
    ("2 > 1", "own_constant", 1), ("128 >= 127", "own_constant", 1),
    ("closed and 0 == 0", "own_constant", 12),
    ("(2 + 1) - 1 != dora - dora or 3 < 4", "own_constant", 31), ("not 1 <= 2 <= suits", "own_constant", 5),
    ('yaku("nagashi_mangan")', "own_yaku_at_draw", 6),
    ('tsumo or not yaku("nagashi_mangan")', "own_yaku_at_draw", 19),
])  # fmt: skip
def test_conditions_that_do_not_depend_on_the_hand_are_refused(when: str, code: str, at: int) -> None:
    with pytest.raises(RulesFileError) as caught:
        rules_with(when)
    [problem] = caught.value.problems
    assert (problem.code, problem.details["at"]) == (code, at)


@pytest.mark.parametrize(
    "number", [4, *(pytest.param(number, marks=pytest.mark.slow) for number in range(20, 40))]
)
def test_a_ruleset_with_random_custom_yaku_is_refused_or_works_everywhere(number: int) -> None:
    """``research.random_conditions`` tries more rulesets."""
    assert used(Random(f"short {number}"), number)
