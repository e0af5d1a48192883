"""Options that follow from others: a file that sets one is read, and rules that agree never change."""

from typing import Any

import pytest

from jantaku import Ruleset, RulesFileError, load, preset_names
from jantaku.rules import load_stored
from jantaku.rules.derived import FOLLOWERS, derived, given_paths, sticks_for
from jantaku.rules.fingerprints import added_options, first_options
from jantaku.rules.sheet import answer_in_words

Changes = dict[str, Any]

# the preset, what a file changes, and what follows from it
FOLLOWS: list[tuple[str, Changes, Changes]] = [
    ("standard", {"match.start_points": 30000},
     {"match.sticks": {"10000": 1, "5000": 3, "1000": 4, "100": 10}}),
    ("standard", {"match.start_points": 27000},
     {"match.sticks": {"10000": 1, "5000": 2, "1000": 6, "100": 10}}),
    ("standard", {"match.start_points": 20300}, {"match.sticks": {"10000": 1, "5000": 2, "100": 3}}),
    ("standard", {"match.start_points": 35000},
     {"match.sticks": {"10000": 2, "5000": 2, "1000": 4, "100": 10}, "match.return_points": 35000}),
    ("standard-3", {"match.start_points": 50000},
     {"match.sticks": {"10000": 3, "5000": 3, "1000": 4, "100": 10}, "match.return_points": 50000}),
    ("standard", {"match.start_points": 30000, "match.return_points": 40000},
     {"match.sticks": {"10000": 1, "5000": 3, "1000": 4, "100": 10}}),
    ("standard", {"win.multiple_ron": "head_bump"}, {"draw.sanchahou": False}),
    ("standard", {"win.multiple_ron": "all"}, {"draw.sanchahou": False}),
    ("standard", {"win.multiple_ron": "head_bump_triple_draw"}, {}),
    ("m-league", {"win.multiple_ron": "double_triple_draw"}, {"draw.sanchahou": True}),
    ("standard", {"draw.sanchahou": False}, {"win.multiple_ron": "all"}),
    ("m-league", {"draw.sanchahou": True}, {"win.multiple_ron": "head_bump_triple_draw"}),
    ("mahjongsoul", {"draw.sanchahou": True}, {"win.multiple_ron": "double_triple_draw"}),
    ("standard", {"dora.ura": False}, {"dora.kan_ura": False}),
    ("standard", {"dora.kan_dora": False}, {"dora.kan_ura": False}),
    ("standard", {"match.players": 3}, {"match.uma": (20000, 0, -20000)}),
    ("standard-3", {"match.players": 4}, {"match.uma": (20000, 0, 0, -20000)}),
    ("jpml-a", {"match.players": 3}, {"match.uma": (8000, 0, -8000), "match.floating_uma": ()}),
    ("standard", {"tiles.man": "one_nine"}, {"tiles.red": {"5p": 1, "5s": 1}}),
    ("bgm-2025", {"yaku.suukantsu.open": 5}, {"pao.yakuman": ("daisangen", "daisuushii", "suurenkou")}),
    ("standard", {"riichi.ippatsu": False}, {}),
    ("standard", {"yaku.riichi.closed": False}, {"riichi.without_yaku": False}),
    ("standard", {"yaku.riichi.closed": 2}, {}),
]  # fmt: skip


def plain(value: Any) -> Any:
    return dict(value) if hasattr(value, "items") else value


@pytest.mark.parametrize(("preset", "changes", "follows"), FOLLOWS)
def test_what_follows_need_not_be_set(preset: str, changes: Changes, follows: Changes) -> None:
    before = load(preset)
    differences = before.with_changes(changes).differences(before)
    assert {path: plain(value) for path, (value, _) in differences.items()} == changes | follows


def test_what_a_file_sets_itself_is_never_changed() -> None:
    sticks = {"1000": 30}
    rules = load({"match": {"start_points": 30000, "sticks": sticks}})
    assert dict(rules.match.sticks) == sticks
    with pytest.raises(RulesFileError, match=r"match\.sticks"):
        load({"match": {"start_points": 30000, "sticks": {"1000": 25}}})


def test_riichi_that_is_off_may_still_be_declared_if_the_file_says_so() -> None:
    off = {"yaku": {"riichi": {"closed": False}}}
    assert not load(off).riichi.without_yaku
    assert load(off | {"riichi": {"without_yaku": True}}).riichi.without_yaku


def test_a_suukansanra_that_is_off_lets_no_fifth_kan_abort() -> None:
    open_ended = load({"calls": {"kan_limit_one_player": False}})
    assert open_ended.with_changes({"draw.suukansanra": False}).calls.kan_limit_one_player


@pytest.mark.parametrize("name", preset_names())
def test_rules_that_agree_are_read_as_they_are(name: str) -> None:
    """Nothing follows in a preset, whichever of its options are given: stored rules keep their meaning."""
    rules = load(name)
    for follower in FOLLOWERS:
        assert derived(rules, frozenset(follower.leaders)) == {}
    assert load_stored(rules.to_dict(whole=False)).fingerprint == rules.fingerprint


def test_the_baseline_agrees_with_itself() -> None:
    paths = frozenset({**first_options(), **added_options()})
    assert derived(load({"extends": "baseline-1"}), paths) == {}
    assert given_paths({"match": {"players": 4}, "yaku": {"pinfu": {"closed": 1}}}) == {
        "match.players",
        "yaku.pinfu.closed",
    }


STICKS = [{"10000": 1, "5000": 2, "1000": 4, "100": 10}, {"10000": 3}, {"1000": 27}, {}, {"300": 5, "7": 2}]


@pytest.mark.parametrize("sticks", STICKS)
def test_any_sum_is_reached_with_whole_sticks(sticks: dict[str, int]) -> None:
    for points in range(1000, 120_000, 637):
        notes = sticks_for(points, sticks)
        assert sum(int(value) * count for value, count in notes.items()) == points
        assert all(count > 0 for count in notes.values())


KEPT: list[Changes] = [
    {"match": {"uma": [-20000, 20000, 10000, -10000]}},
    {"name": {"fr": "Club"}, "about": {"zh-Hant": "規則"}},
]


def test_sticks_are_named_from_the_largest_on_in_whatever_order_they_are_written() -> None:
    standard = load("standard")
    written = dict(reversed([*standard.match.sticks.items()]))
    rules = load({"extends": "standard", "match": {"sticks": written}})
    assert answer_in_words(rules, "match.sticks") == answer_in_words(standard, "match.sticks")


@pytest.mark.parametrize("data", KEPT)
def test_rules_that_an_earlier_version_took_are_still_read(data: Changes) -> None:
    with pytest.raises(RulesFileError):
        load(data)
    kept: Ruleset = load_stored({"extends": "baseline-1", **data})
    assert load_stored(kept.to_dict(whole=False)).fingerprint == kept.fingerprint
    assert all(dict(kept.name).get(language) == text for language, text in data.get("name", {}).items())
