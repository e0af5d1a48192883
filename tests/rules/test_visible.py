"""Texts with invisible, reversing or stacked characters: refused in rules and names, dropped if stored."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jantaku import terms
from jantaku.errors import RulesError, RulesFileError
from jantaku.game import Game
from jantaku.records.native import game_file
from jantaku.records.native.rules_mark import marked_rules, rules_mark
from jantaku.rules import load, load_file, load_stored
from jantaku.server.errors import ServerError
from jantaku.server.names import shown_name
from jantaku.server.rules.pages import parse_rules

HIDDEN = {
    "\u3164": "unwritten_characters",
    "\u3164클럽": "unwritten_characters",
    "\u2800": "unwritten_characters",
    "Club\u200b": "unwritten_characters",
    "\u202eelbat": "unwritten_characters",
    "\u2066Club\u2069": "unwritten_characters",
    "Club\u0007": "unwritten_characters",
    "Club\u2028": "unwritten_characters",
    "\u115f\u1160": "unwritten_characters",
    "\U000e0041x": "unwritten_characters",
    " ": "blank_text",
    "\u3000 ": "blank_text",
    "...": "blank_text",
    "Z\u0310\u0352\u033bina": "piled_marks",
}
ALLOWED = ("우리 동호회", "ㅋㅋ 룰", "みなと雀荘", "Nguyễn Văn", "ภูมิ", "♠️ Club", "클럽".encode().decode(), "")


def by_text(name: str, part: str, _folder: Path) -> object:
    return parse_rules(f"{part} = {{ ko = {json.dumps(name, ensure_ascii=False)} }}")


def by_file(name: str, part: str, folder: Path) -> object:
    file = folder / "club.toml"
    file.write_text(f"[{part}]\nko = {json.dumps(name, ensure_ascii=False)}\n", "utf-8")
    return load_file(file)


def by_data(name: str, part: str, _folder: Path) -> object:
    return load({part: {"ko": name}})


WAYS: tuple[Callable[[str, str, Path], object], ...] = (by_text, by_file, by_data)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("part", ["name", "about"])
@pytest.mark.parametrize("name", HIDDEN)
def test_rules_may_not_have_hidden_characters(
    name: str, part: str, way: Callable[[str, str, Path], object], tmp_path: Path
) -> None:
    with pytest.raises(RulesFileError) as error:
        way(name, part, tmp_path)
    assert [(problem.code, problem.path) for problem in error.value.problems] == [
        (HIDDEN[name], f"{part}.ko")
    ]
    messages = {error.value.problems[0].message(language) for language in terms.LANGUAGES}
    assert len(messages) == 3


@pytest.mark.parametrize("name", HIDDEN)
def test_names_of_people_have_the_same_limits(name: str) -> None:
    with pytest.raises(ServerError):
        shown_name(name)


@pytest.mark.parametrize("name", ALLOWED)
def test_texts_in_all_scripts_are_allowed(name: str) -> None:
    assert load({"name": {"ko": name}}).name == {"ko": name}


def test_descriptions_may_have_several_lines() -> None:
    about = "첫째 줄\n둘째 줄\r\n\t셋째 줄"
    assert load({"about": {"ko": about}}).about == {"ko": about}


def test_stored_rules_are_read_without_forbidden_texts() -> None:
    rules = load_stored(
        {"name": {"en": "Club", "ko": "\u3164"}, "about": {"en": "\u202e"}, "riichi": {"open": True}}
    )
    assert (rules.name, rules.about, rules.riichi.open) == ({"en": "Club"}, {}, True)
    with pytest.raises(RulesError):
        load_stored({"name": {"en": 5}})


def test_records_with_such_names_are_read() -> None:
    game = Game(load("standard").with_changes({"riichi.open": True}), seed=1)
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[-1])
    first, *rest = game_file.dumps(game).splitlines()
    header = json.loads(first)
    header["ruleset"]["name"] = {"en": "\u3164"}
    again = game_file.loads("\n".join([json.dumps(header), *rest]))
    assert (again.rules, again.rules.name) == (game.rules, {})
    mark = rules_mark(game.rules)
    mark["ruleset"]["name"] = {"en": "\u3164"}
    assert marked_rules(mark) == game.rules


@pytest.mark.parametrize("text", ["Our\nrules", "Our\r\n\trules", " Our\n\nrules\n"])
def test_a_name_is_one_line(text: str) -> None:
    """Tables, headings and lists show names in one line; stored rules with line breaks stay readable."""
    rows = {"closed": 1, "when": "tsumo", "name": {"en": text}, "definition": {"en": text}}
    for read in (load, load_stored):
        rules = read({"extends": "standard", "name": {"en": text}, "yaku": {"mine": rows}})
        assert rules.name["en"] == "Our rules"
        assert (
            rules.own_yaku[0].word("name", "en") == rules.own_yaku[0].word("definition", "en") == "Our rules"
        )
        assert read(rules.to_dict()).fingerprint == rules.fingerprint
