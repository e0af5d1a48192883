"""Rulesets: valid rules files, the errors of invalid ones, and rules as values."""

import json
from collections.abc import Mapping
from dataclasses import field, make_dataclass
from pathlib import Path
from typing import Any

import pytest

import jantaku
from jantaku import RulesError, Ruleset, RulesFileError, load, load_file, preset_names
from jantaku.errors import Phrase
from jantaku.rules import catalogue, fingerprints
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.sheet import in_words, label
from jantaku.terms import LANGUAGES
from support.scoring import table

STANDARD = load("standard")
SAME_RULES = {"standard", "jongryumon", "kmf"}  # two of the presets have no known differences

# data, then code, path and suggested name, if any
WRONG: list[tuple[dict[str, Any], str, str, str]] = [
    ({"riichi": {"ipatsu": True}}, "unknown_key_nearest", "riichi.ipatsu", "ippatsu"),
    ({"riichii": {}}, "unknown_key_nearest", "riichii", "riichi"),
    ({"pinfu": 0}, "unknown_key_nearest", "pinfu", "yaku.pinfu"),
    ({"xyzzy": 1}, "unknown_key", "xyzzy", ""),
    ({"riichi": {"xyzzy": 1}}, "unknown_key", "riichi.xyzzy", ""),
    ({"riichi": {"ippatsu": 1}}, "wrong_value", "riichi.ippatsu", ""),
    ({"riichi": {"deposit": "1000"}}, "wrong_value", "riichi.deposit", ""),
    ({"riichi": {"deposit": True}}, "wrong_value", "riichi.deposit", ""),
    ({"riichi": {"deposit": 1000.0}}, "wrong_value", "riichi.deposit", ""),
    ({"riichi": {"deposit": -1}}, "out_of_range", "riichi.deposit", ""),
    ({"riichi": {"ankan": "same_wait"}}, "wrong_value_nearest", "riichi.ankan", "same_waits"),
    ({"riichi": 5}, "wrong_value", "riichi", ""),
    ({"score": {"double_wind_pair_fu": 3}}, "wrong_value", "score.double_wind_pair_fu", ""),
    ({"match": {"uma": [1, "2", 3, 4]}}, "wrong_value", "match.uma", ""),
    ({"match": {"players": 5}}, "wrong_value", "match.players", ""),
    ({"tiles": {"red": {"5m": True}}}, "wrong_value", "tiles.red", ""),
    ({"pao": {"yakuman": "daisangen"}}, "wrong_value", "pao.yakuman", ""),
    ({"yaku": 5}, "wrong_value", "yaku", ""),
    ({"yaku": {"pinfuu": {}}}, "unknown_key_nearest", "yaku.pinfuu", "pinfu"),
    ({"yaku": {"pinfu": 1}}, "wrong_value", "yaku.pinfu", ""),
    ({"yaku": {"pinfu": {"close": 1}}}, "unknown_key_nearest", "yaku.pinfu.close", "closed"),
    ({"yaku": {"pinfu": {"closed": True}}}, "wrong_yaku_value", "yaku.pinfu.closed", ""),
    ({"yaku": {"pinfu": {"closed": 27}}}, "wrong_yaku_value", "yaku.pinfu.closed", ""),
    ({"yaku": {"pinfu": {"open": "yakumann"}}}, "wrong_yaku_value", "yaku.pinfu.open", ""),
    ({"yaku": {"pinfu": {"only": "sou"}}}, "wrong_value", "yaku.pinfu.only", ""),
    ({"yaku": {"pinfu": {"minimum": 0}}}, "wrong_value", "yaku.pinfu.minimum", ""),
    ({"yaku": {"pinfu": {"replaces": ["tanyo"]}}},
     "unknown_key_nearest", "yaku.pinfu.replaces.tanyo", "tanyao"),
    ({"name": "mine"}, "wrong_value", "name", ""),
    # valid alone, but not together
    ({"match": {"uma": [1, -1]}}, "uma_length", "match.uma", ""),
    ({"match": {"uma": [3, 1, -1, -2]}}, "uma_sum", "match.uma", ""),
    ({"match": {"floating_uma": [[3, 1, -1, -3]]}}, "floating_rows", "match.floating_uma", ""),
    ({"match": {"floating_uma": [[1]] * 3}}, "uma_length", "match.floating_uma", ""),
    ({"match": {"return_points": 24000}}, "return_below_start", "match.return_points", ""),
    (
        {"end": {"top_points": 50000}, "match": {"start_points": 50000}},
        "top_at_start", "end.top_points", "",
    ),
    ({"match": {"sticks": {"1000": 1}}}, "sticks_total", "match.sticks", ""),
    ({"match": {"sticks": {"25000": 1, "x": 0}}}, "sticks_total", "match.sticks", ""),
    ({"win": {"multiple_ron": "all"}, "draw": {"sanchahou": True}}, "triple_ron", "win.multiple_ron", ""),
    ({"match": {"uma": [10, 20, -10, -20]}}, "uma_order", "match.uma", ""),
    ({"match": {"floating_uma": [[5, 4, -3, -6], [9, 3, -3, -9], [3, 9, -3, -9]]}},
     "uma_order", "match.floating_uma", ""),
    ({"name": {"fr": "Club"}}, "unknown_language", "name.fr", ""),
    ({"about": {"zh": "規則"}}, "unknown_language", "about.zh", ""),
    ({"match": {"ippatsu": True}},
     "unknown_key_nearest", "match.ippatsu", "yaku.ippatsu / chips.ippatsu / riichi.ippatsu"),
    ({"kuitan": False}, "unknown_key_nearest", "kuitan", "calls.kuitan"),
    ({"score": {"honba_value": 100_000}}, "out_of_range", "score.honba_value", ""),
    ({"pao": {"yakuman": ["daisangenn"]}},
     "unknown_key_nearest", "pao.yakuman.daisangenn", "daisangen"),
    ({"pao": {"yakuman": ["toitoi"]}}, "pao_never_liable", "pao.yakuman", ""),
    ({"tiles": {"red": {"5z": 1}}}, "red_kind", "tiles.red.5z", ""),
    ({"tiles": {"red": {"0m": 1}}}, "red_kind", "tiles.red.0m", ""),
    ({"tiles": {"red": {"five": 1}}}, "red_kind", "tiles.red.five", ""),
    ({"tiles": {"red": {"5m": 5}}}, "out_of_range", "tiles.red.5m", ""),
]  # fmt: skip


@pytest.mark.parametrize(("data", "code", "path", "nearest"), WRONG)
def test_errors_name_the_problem(data: dict[str, Any], code: str, path: str, nearest: str) -> None:
    with pytest.raises(RulesFileError) as caught:
        load(data)
    problems = {(p.code, p.path): p for p in caught.value.problems}
    assert (code, path) in problems
    problem = problems[code, path]
    assert problem.details.get("nearest", "") == nearest
    for language in LANGUAGES:
        text = problem.message(language)
        assert text in caught.value.message(language)
        assert path.split(".", maxsplit=1)[0] in text
        assert nearest in text


def test_every_problem_of_a_file_is_reported() -> None:
    data = {"riichi": {"ipatsu": True, "deposit": -1}, "yaku": {"pinfuu": {}}, "scores": {}}
    with pytest.raises(RulesFileError) as caught:
        load(data)
    assert [p.path for p in caught.value.problems] == [
        "riichi.ipatsu", "riichi.deposit", "yaku.pinfuu", "scores",
    ]  # fmt: skip
    assert len(str(caught.value).splitlines()) == 5


def test_zero_han_differs_from_no_yaku() -> None:
    rules = load("standard").with_changes({"yaku.riichi.open": 0})
    assert rules.differences(load("standard")) == {"yaku.riichi.open": (0, False)}
    assert rules != load("standard")


NOWHERE = ["no-such-rules", "tenhou.toml", "/nowhere/at.toml", "", "\0", "x" * 5000, "."]


@pytest.mark.parametrize("source", NOWHERE)
def test_unknown_rules_are_refused(source: str) -> None:
    with pytest.raises(RulesError, match="standard") as caught:
        load(source)
    assert caught.value.code == "unknown_preset"


@pytest.mark.parametrize("source", NOWHERE)
def test_a_missing_rules_file_is_reported(source: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_file(source)
    assert caught.value.code in ("no_such_rules", "unreadable_rules")


def test_names_are_never_paths(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('extends = "tenhou"\n')
    path = str(tmp_path / "club.toml")
    assert load_file(path) == load("tenhou")
    for source in (path, {"extends": path}):
        with pytest.raises(RulesError) as caught:
            load(source)
        assert caught.value.code == "unknown_preset"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[riichi\n", "place"),
        ("[riichi]\ndeposit = 1000\ndeposit = 500\n", "place"),
        ("[riichi]\ndeposit = 1000\ndeposit = 500", "end"),
        ("[riichi]\ndeposit = ", "end"),
        ("[match]\numa = [20000, 10000", "end"),
        ('[name]\nen = "Club', "end"),
    ],
)
def test_invalid_toml_is_reported_with_its_position(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_file(path)
    assert caught.value.code == "not_toml"
    reason = caught.value.details["reason"]
    assert isinstance(reason, Phrase)
    assert reason.key == f"errors.causes.{key}"


def test_files_can_extend_files(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('extends = "tenhou"\n[riichi]\ndeposit = 500\n')
    (tmp_path / "evening.toml").write_text('extends = "club.toml"\n[score]\nhonba_value = 1500\n')
    rules = load_file(tmp_path / "evening.toml")
    assert set(rules.differences(load("tenhou"))) == {"riichi.deposit", "score.honba_value"}
    assert rules.id == "evening"
    assert rules.name == load("tenhou").name


@pytest.mark.parametrize("extends", [5, ["standard"], {}, True])
def test_extends_must_be_a_name(extends: object) -> None:
    with pytest.raises(RulesError):
        load({"extends": extends})


def test_files_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('extends = "two.toml"\n')
    (tmp_path / "two.toml").write_text('extends = "one.toml"\n')
    with pytest.raises(RulesError):
        load_file(tmp_path / "one.toml")


FINGERPRINTS = {row["preset"]: row["fingerprint"] for row in table("fingerprints.tsv")}


def test_a_later_option_changes_a_fingerprint_only_if_it_changes_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = load("standard")
    options = dict(rules.options())
    later = make_dataclass("Later", [("option", str, field(default="on", metadata={"before": "off"}))])
    monkeypatch.setattr(fingerprints, "SECTIONS", {**SECTIONS, "later": later})
    fingerprints.added_options.cache_clear()
    try:
        assert fingerprints.fingerprint({**options, "later.option": "off"}, []) == rules.fingerprint
        assert fingerprints.fingerprint({**options, "later.option": "on"}, []) != rules.fingerprint
    finally:
        fingerprints.added_options.cache_clear()


@pytest.mark.parametrize("name", preset_names())
def test_fingerprints_are_stable(name: str) -> None:
    """No preset's rules have changed since its fingerprint was recorded."""
    fingerprint = load(name).fingerprint
    assert fingerprint == FINGERPRINTS.get(name), (
        f"The rules of {name} have changed. If that is intended, note it in the changelog and put "
        f"this line into tests/data/fingerprints.tsv: {name}\t{fingerprint}"
    )


def test_different_rules_have_different_fingerprints() -> None:
    assert set(FINGERPRINTS) == set(preset_names())
    distinct = [name for name in FINGERPRINTS if name not in SAME_RULES - {"standard"}]
    assert len({FINGERPRINTS[name] for name in distinct}) == len(distinct)
    assert len({load(name) for name in SAME_RULES}) == 1


def other_value(hint: Any, value: Any) -> Any:
    """Return another value of an option, or ``None``."""
    choices = [choice for choice in getattr(hint, "__args__", ()) if choice != value]
    if hint is bool:
        return not value
    if hint is int:
        return value + 1 if value < 2 else value - 1
    return choices[0] if choices and not isinstance(value, tuple | Mapping) else None


@pytest.mark.parametrize("section", SECTIONS)
def test_every_option_is_part_of_the_fingerprint(section: str) -> None:
    for name, hint in hints(SECTIONS[section]).items():
        old = getattr(getattr(STANDARD, section), name)
        if (new := other_value(hint, old)) is None:
            continue
        try:
            changed = STANDARD.with_changes({f"{section}.{name}": new})
        except RulesFileError:  # contradicts another option
            continue
        assert changed != STANDARD
        assert changed.differences(STANDARD)[f"{section}.{name}"] == (new, old)


def test_a_setting_of_a_yaku_has_an_alias() -> None:
    longer = load({"yaku": {"chanta": {"counts_for_minimum": False}}})
    assert longer == load({"yaku": {"chanta": {"minimum": False}}})
    assert not longer.yaku["chanta"].minimum
    with pytest.raises(RulesFileError, match=r"counts_for_minimum.*minimum"):
        load({"yaku": {"chanta": {"counts_for_minimum": False, "minimum": True}}})
    with pytest.raises(RulesFileError, match=r"counts_for_minimum"):
        load({"yaku": {"chanta": {"counts_for_minimum": 3}}})


def test_names_do_not_change_the_fingerprint() -> None:
    named = load({"extends": "tenhou", "name": {"en": "Ours"}, "about": {"en": "x"}})
    assert named == load("tenhou")
    assert hash(named) == hash(load("tenhou"))
    assert named.id != load("tenhou").id


def test_with_changes() -> None:
    changed = STANDARD.with_changes({"riichi.ippatsu": False, "yaku.pinfu.closed": 0}, name="x")
    assert (changed.id, changed.riichi.ippatsu, changed.yaku["pinfu"].closed) == ("x", False, 0)
    assert STANDARD.riichi.ippatsu
    assert changed.with_changes({"riichi.ippatsu": True, "yaku.pinfu.closed": 1}) == STANDARD
    assert changed.option("riichi.ippatsu") is False
    with pytest.raises(RulesFileError, match=r"riichi\.ipatsu.*ippatsu"):
        STANDARD.with_changes({"riichi.ipatsu": False})
    with pytest.raises(RulesFileError, match="did you mean"):
        STANDARD.with_changes({"riichii.ippatsu": False})
    with pytest.raises(RulesError, match=r"riichi\.ippatsu"):
        STANDARD.option("riichi.ipatsu")


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_data(name: str) -> None:
    rules = load(name)
    data = json.loads(json.dumps(rules.to_dict()))
    assert load(data) == rules
    assert load(data).name == rules.name
    assert set(data["yaku"]) == set(catalogue())
    assert {language for words in (rules.name, rules.about) for language in words} == set(LANGUAGES)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        STANDARD.riichi.ippatsu = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        STANDARD.tiles.red["5m"] = 4  # type: ignore[index]
    with pytest.raises(TypeError):
        STANDARD.yaku["pinfu"] = STANDARD.yaku["tanyao"]  # type: ignore[index]
    assert isinstance(load(STANDARD), Ruleset)
    assert load(STANDARD) is STANDARD
    assert load("standard") is jantaku.load()


def test_the_condition_of_a_custom_yaku_is_a_difference() -> None:
    """Rulesets that differ only in a condition have that difference."""
    mine = {"closed": 1, "when": "tsumo", "name": {"en": "Mine"}}
    ruleset = load({"extends": "standard", "yaku": {"mine": mine}})
    other = load({"extends": "standard", "yaku": {"mine": mine | {"when": "ron"}}})
    path = "yaku.mine.when"
    assert ruleset.differences(other) == {path: ("tsumo", "ron")}
    assert ruleset.with_changes({path: "ron"}) == other
    assert path not in ruleset.differences(load("standard"))  # the worth of the yaku already differs
    assert in_words(path, "tsumo", "en") != in_words(path, "ron", "en")
    assert label(path, "en", ruleset).startswith("Mine")
