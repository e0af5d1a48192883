"""Derived options: a file may set only the option they derive from; consistent rules are read unchanged."""

from typing import Any

import pytest

from jantaku import Ruleset, RulesFileError, load, preset_names
from jantaku.rules import load_stored
from jantaku.rules.derived import FOLLOWERS, derived, given_paths, sticks_for
from jantaku.rules.fingerprints import added_options, first_options
from jantaku.rules.sheet import answer_in_words

Changes = dict[str, Any]

# preset, options set in a file, options derived from them
DERIVED: list[tuple[str, Changes, Changes]] = [
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


@pytest.mark.parametrize(("preset", "changes", "follows"), DERIVED)
def test_derived_options_need_not_be_set(preset: str, changes: Changes, follows: Changes) -> None:
    before = load(preset)
    differences = before.with_changes(changes).differences(before)
    assert {path: plain(value) for path, (value, _) in differences.items()} == changes | follows


def test_an_option_set_by_the_file_is_never_changed() -> None:
    sticks = {"1000": 30}
    rules = load({"match": {"start_points": 30000, "sticks": sticks}})
    assert dict(rules.match.sticks) == sticks
    with pytest.raises(RulesFileError, match=r"match\.sticks"):
        load({"match": {"start_points": 30000, "sticks": {"1000": 25}}})


def test_a_file_may_allow_riichi_without_the_yaku() -> None:
    off = {"yaku": {"riichi": {"closed": False}}}
    assert not load(off).riichi.without_yaku
    assert load(off | {"riichi": {"without_yaku": True}}).riichi.without_yaku


def test_without_suukansanra_one_player_is_limited_to_four_kans() -> None:
    open_ended = load({"calls": {"kan_limit_one_player": False}})
    assert open_ended.with_changes({"draw.suukansanra": False}).calls.kan_limit_one_player


@pytest.mark.parametrize("name", preset_names())
def test_consistent_rules_are_read_unchanged(name: str) -> None:
    """Giving some options of a preset never changes its other options, so stored rules keep their meaning."""
    rules = load(name)
    for follower in FOLLOWERS:
        assert derived(rules, frozenset(follower.leaders)) == {}
    assert load_stored(rules.to_dict(whole=False)).fingerprint == rules.fingerprint


def test_the_baseline_is_consistent() -> None:
    paths = frozenset({**first_options(), **added_options()})
    assert derived(load({"extends": "baseline-1"}), paths) == {}
    assert given_paths({"match": {"players": 4}, "yaku": {"pinfu": {"closed": 1}}}) == {
        "match.players",
        "yaku.pinfu.closed",
    }


STICKS = [{"10000": 1, "5000": 2, "1000": 4, "100": 10}, {"10000": 3}, {"1000": 27}, {}, {"300": 5, "7": 2}]


@pytest.mark.parametrize("sticks", STICKS)
def test_sticks_add_up_to_any_points(sticks: dict[str, int]) -> None:
    for points in range(1000, 120_000, 637):
        notes = sticks_for(points, sticks)
        assert sum(int(value) * count for value, count in notes.items()) == points
        assert all(count > 0 for count in notes.values())


STORED: list[Changes] = [
    {"match": {"uma": [-20000, 20000, 10000, -10000]}},
    {"name": {"fr": "Club"}, "about": {"zh-Hant": "規則"}},
]


def test_sticks_are_listed_from_the_largest_in_any_order() -> None:
    standard = load("standard")
    reverse = dict(reversed([*standard.match.sticks.items()]))
    rules = load({"extends": "standard", "match": {"sticks": reverse}})
    assert answer_in_words(rules, "match.sticks") == answer_in_words(standard, "match.sticks")


@pytest.mark.parametrize("data", STORED)
def test_rules_stored_by_an_earlier_version_are_readable(data: Changes) -> None:
    with pytest.raises(RulesFileError):
        load(data)
    stored: Ruleset = load_stored({"extends": "baseline-1", **data})
    assert load_stored(stored.to_dict(whole=False)).fingerprint == stored.fingerprint
    assert all(dict(stored.name).get(language) == text for language, text in data.get("name", {}).items())
