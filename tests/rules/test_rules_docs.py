"""Output generated from the option table: the schema, the rule sheet, the page of options."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import jantaku.rules
from jantaku import terms
from jantaku.rules import catalogue, load, load_file, preset_names
from jantaku.rules.answers import answer, applies
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.reference import reference
from jantaku.rules.schema import Schema, schema
from jantaku.rules.sheet import ruleset_name, sheet
from jantaku.rules.worths import worths
from jantaku.terms import LANGUAGES

TYPES = {"integer": int, "string": str, "boolean": bool, "array": list, "object": dict}


def problems(  # noqa: PLR0911
    value: Any, rule: Schema, whole: Schema, path: str = ""
) -> list[str]:
    """Return the paths at which ``value`` violates the schema, for the keywords that we use."""
    if "$ref" in rule:
        return problems(value, whole["$defs"][rule["$ref"].rpartition("/")[2]], whole, path)
    if "anyOf" in rule:
        fits = any(not problems(value, choice, whole, path) for choice in rule["anyOf"])
        return [] if fits else [path]
    if "const" in rule:
        return [] if value is rule["const"] else [path]
    if "enum" in rule:
        fits = any(value == choice and type(value) is type(choice) for choice in rule["enum"])
        return [] if fits else [path]
    if "type" in rule and type(value) is not TYPES[rule["type"]]:
        return [path]
    if isinstance(value, dict):
        wrong = []
        for key, item in value.items():
            below = rule.get("properties", {}).get(key, rule.get("additionalProperties", {}))
            here = f"{path}.{key}"
            wrong += [here] if below is False else problems(item, below, whole, here)
        return wrong + [path for key in rule.get("required", ()) if key not in value]
    if isinstance(value, list):
        return [p for item in value for p in problems(item, rule["items"], whole, path)]
    low, high = rule.get("minimum"), rule.get("maximum")
    return [path] if low is not None and not low <= value <= high else []


def preset_file(name: str) -> dict[str, Any]:
    folder = resources.files(jantaku.rules).joinpath("presets")
    return tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", preset_names())
def test_presets_fit_the_schema(name: str) -> None:
    whole = schema("en")
    assert problems(preset_file(name), whole, whole) == []
    assert problems(load(name).to_dict(), whole, whole) == []


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"riichi": {"ipatsu": False}}, ".riichi.ipatsu"),
        ({"riichi": {"ippatsu": 0}}, ".riichi.ippatsu"),
        ({"riichi": {"ankan": "same_wait"}}, ".riichi.ankan"),
        ({"riichi": {"deposit": -1}}, ".riichi.deposit"),
        ({"tiles": {"red": {"5m": 5}}}, ".tiles.red.5m"),
        ({"score": {"double_wind_pair_fu": 3}}, ".score.double_wind_pair_fu"),
        ({"yaku": {"pinfu": {"closed": True}}}, ".yaku.pinfu.closed"),
        ({"yaku": {"pinfu": {"closed": "Yakuman"}}}, ".yaku.pinfu.closed"),
        ({"yaku": {"pinfu": {"close": 1}}}, ".yaku.pinfu.close"),
        ({"pao": {"yakuman": ["pinfoo"]}}, ".pao.yakuman"),
        ({"extend": "wrc"}, ".extend"),
    ],
)
def test_the_schema_finds_mistakes(data: dict[str, Any], path: str) -> None:
    whole = schema("en")
    assert problems(data, whole, whole) == [path]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_schema_explains_every_option(language: terms.Language) -> None:
    whole, standard = schema(language), load("standard").to_dict()
    for path, default in load("standard").options():
        section, name, *setting = path.split(".")
        if setting:
            assert name in whole["properties"]["yaku"]["properties"]
            node = whole["$defs"]["yaku"]["properties"][setting[0]]
        else:
            node = whole["properties"][section]["properties"][name]
            assert node["default"] == standard[section][name], default
        assert node["title"]
        assert node["description"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", preset_names())
def test_rule_sheets_contain_no_codes(name: str, language: terms.Language) -> None:
    page = sheet(load(name), language)
    rows = [row for section in page.sections for row in section.rows]
    standard = load("standard")
    differing = {path for path in load(name).differences(standard) if path[:5] != "yaku."}
    shown = {row.path for row in rows if row.differs}
    assert shown - differing <= {row.path for row in rows if not applies(standard, row.path)} | {"match.oka"}
    unsaid = {path for path in differing - shown if answer(load(name), path) != answer(standard, path)}
    assert {path for path in unsaid if applies(load(name), path)} == set()
    assert [row.id for row in page.yaku] == list(catalogue())
    for row in rows:
        assert row.label
        assert "_" not in row.value, row  # an id without a translation
        assert row.value not in ("True", "False", "")


def test_yaku_worths_follow_their_conditions() -> None:
    assert worths(load("standard"), "open_riichi") == (False, False)
    assert worths(load("bgm-2025"), "open_riichi") == (2, False)
    assert worths(load("bgm-2025"), "double_open_riichi") == (3, False)
    assert worths(load("standard"), "tanyao") == (1, 1)
    assert worths(load({"calls": {"kuitan": False}}), "tanyao") == (1, False)
    assert worths(load("standard"), "no_such_yaku") == (False, False)


def test_names_of_house_rules(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('extends = "wrc"\n', "utf-8")
    assert ruleset_name(load_file(file), "en") == "club"
    assert sheet(load_file(file), "en").about == ""
    file.write_text('extends = "wrc"\n[name]\nen = "Our club"\n', "utf-8")
    assert ruleset_name(load_file(file), "ko") == "Our club"


def test_the_reference_has_every_option_and_yaku() -> None:
    page = reference()
    paths = [f"{section}.{name}" for section, cls in SECTIONS.items() for name in hints(cls)]
    paths += [f"yaku.{name}" for name in catalogue()]
    assert [path for path in paths if f'<a id="{path}">' not in page] == []
