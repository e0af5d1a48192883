"""Untrusted rules are either refused with a proper error or work everywhere."""

import json
import random
import tomllib

import pytest

from conftest import scale
from jantaku import RulesError, Ruleset, RulesFileError, load
from jantaku.adjudication.jsonl import answer
from jantaku.game import Game
from jantaku.rules.ruleset import MAX_PROBLEMS
from jantaku.rules.sheet import sheet
from jantaku.server.rules.pages import changes_as_toml, check_rules, page, rules_name
from jantaku.terms import LANGUAGES
from naive.generate import random_wins
from support.rules_mutants import mutated, mutated_text

MAX_MESSAGE = 40_000
DECISIONS = 20_000


def accepted(data: object) -> Ruleset | None:
    """Return the ruleset of the data, ``None`` if it is refused; messages must be short in every language."""
    try:
        return load(data)  # type: ignore[arg-type]
    except RulesError as error:
        for language in LANGUAGES:
            text = error.message(language)
            assert len(text.encode()) < MAX_MESSAGE
        assert not isinstance(error, RulesFileError) or 0 < len(error.problems) <= MAX_PROBLEMS  # noqa: PT017
        return None


def check_works(rules: Ruleset, chance: random.Random) -> None:
    """Check that the rules work in a whole random game, and for wins, sheets, lists and texts."""
    game = Game(rules, seed=chance.randrange(1 << 30))
    for _ in range(DECISIONS if scale(10) == 10 else 200):
        if game.is_over:
            break
        seat = chance.choice(game.to_act)
        legal = game.legal(seat)
        game.play(seat, chance.choice([*legal, legal[-1], legal[-1]]))
        game.view(seat)
    for request in random_wins(chance.randrange(1 << 30), 3):
        answer(request | {"rules": None}, rules)
    for language in LANGUAGES:
        assert sheet(rules, language).sections
        assert rules_name(rules, language)
    again = load(json.loads(json.dumps(rules.to_dict())))
    assert again == rules
    text = changes_as_toml(rules)
    assert load(tomllib.loads(text)) == rules
    page(rules, text, "en").model_dump_json()


def fuzz(number: int, seed: int) -> int:
    """Try ``number`` rulesets and return how many were accepted."""
    chance, passed = random.Random(seed), 0
    for _ in range(number):
        rules = accepted(mutated(chance))
        if rules is not None:
            passed += 1
            check_works(rules, chance)
    return passed


@pytest.mark.slow
def test_mutated_rules_are_refused_or_work() -> None:
    assert fuzz(scale(120), 1) > 0


@pytest.mark.parametrize("key", [1, 10**400, 1.5, float("nan"), float("inf"), None, True, (1,), b"5m"])
@pytest.mark.parametrize("path", ["match.sticks", "tiles.red"])
def test_keys_of_a_table_are_strings(path: str, key: object) -> None:
    """TOML and JSON have only such keys, but Python allows others."""
    section, option = path.split(".")
    with pytest.raises(RulesFileError, match="table of names"):
        load({section: {option: {key: 1}}})
    with pytest.raises(RulesFileError, match="table of names"):
        load().with_changes({path: {key: 1}})


@pytest.mark.slow
def test_mutated_texts_are_answered() -> None:
    chance = random.Random(2)
    for _ in range(scale(500)):
        check_rules(mutated_text(chance).encode("utf-8", "replace").decode(), "en").model_dump_json()


@pytest.mark.long
def test_ten_thousand_mutated_rules_are_refused_or_work() -> None:
    assert fuzz(10_000, 3) > 1000
