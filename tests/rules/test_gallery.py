"""The gallery: each part loads, has its effect, and has texts in three languages and a source."""

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku import load, terms
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score
from jantaku.cli.app import app
from jantaku.errors import HandError, RulesError
from jantaku.rules import Ruleset
from jantaku.rules.elsewhere import RuleElsewhere, elsewhere
from jantaku.rules.gallery import GalleryPart, gallery, part_of
from jantaku.rules.own import program, read
from jantaku.rules.ruleset import parse

PARTS = [pytest.param(part, id=part.id) for part in gallery().values()]
YAKU = [pytest.param(part, id=part.id) for part in gallery().values() if part.kind == "yaku"]


def set_option(setting: str) -> None:
    path, _, value = setting.partition(" = ")
    section, _, name = path.partition(".")
    load("standard").option(path)
    if value:
        load(parse(f'extends = "standard"\n[{section}]\n{name} = {value}\n', setting))


KINDS: dict[str, Callable[[str], object]] = {
    "option": set_option,
    "yaku": lambda name: load("standard").yaku[name],
    "gallery": part_of,
    "custom yaku": lambda condition: program(read(condition)),
}


def with_part(part: GalleryPart) -> Ruleset:
    return load(parse(f'extends = "standard"\n\n{part.toml}\n', part.id))


def yaku_of(request: Any, rules: Ruleset) -> dict[str, Any]:
    """Return the yaku of a hand; empty if the hand may not win because it has none."""
    try:
        return dict(score(win_from_request(dict(request)), rules).to_dict()["yaku"])
    except HandError as error:
        if error.code != "no_yaku":
            raise
        return {}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_changes_exactly_its_options(part: GalleryPart) -> None:
    standard, rules = load("standard"), with_part(part)
    assert rules == standard.with_changes(part.changes)
    differences = standard.differences(rules)
    own = {f"yaku.{part.id}" for _ in range(part.kind == "yaku")}
    assert differences
    assert all(
        path in part.changes or path.rpartition(".")[0] in own
        for path in differences
        if path != "draw.sanchahou"
    )
    assert load(rules.to_dict()) == rules


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_a_source_and_texts_in_three_languages(part: GalleryPart) -> None:
    assert part.source.startswith("http") or part.statements
    for texts in (part.name, part.about):
        assert set(texts) == set(terms.LANGUAGES)
        assert all(texts.values())
    assert len({*part.about.values()}) == len(terms.LANGUAGES)


@pytest.mark.parametrize("part", YAKU)
def test_the_example_has_the_yaku_and_the_near_miss_does_not(part: GalleryPart) -> None:
    rules = with_part(part)
    assert part.id in yaku_of(part.example, rules)
    assert part.id not in yaku_of(part.near, rules)


def test_an_unknown_part_is_refused_with_a_suggestion() -> None:
    with pytest.raises(RulesError) as refused:
        part_of("benikujak")
    assert refused.value.code == "unknown_part"
    for language in terms.LANGUAGES:
        assert "benikujaku" in refused.value.message(language)


@pytest.mark.parametrize("name", ["benikujaku", "yakitori"])
@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_command_prints_lines_for_a_rules_file(name: str, language: str) -> None:
    result = CliRunner().invoke(app, ["--lang", language, "rules", "gallery", name])
    assert result.exit_code == 0
    assert part_of(name).toml in result.stdout


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in elsewhere()])
def test_a_rule_of_another_program_has_equivalents_or_a_reason(rule: RuleElsewhere) -> None:
    assert bool(rule.has) != bool(rule.why_not)
    for kind, name in rule.parts():
        KINDS[kind](name)
