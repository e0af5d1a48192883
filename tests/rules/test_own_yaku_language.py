"""The language of custom yaku: valid and invalid conditions, positions of errors, and storage in rules."""

import pickle
from random import Random
from typing import Any

import pytest

from jantaku import RulesError, load, terms
from jantaku.errors import JantakuError
from jantaku.records.native.rules_mark import marked_rules, rules_mark
from jantaku.rules import load_stored
from jantaku.rules.bonus import BONUS
from jantaku.rules.own import program, read
from jantaku.server.rules.pages import changes_as_toml, parse_rules
from support.steps import counted_calls

PEACOCK = {"closed": "yakuman", "when": 'only("1579s7z")', "name": {"en": "Red peacock", "ja": "紅孔雀"}}


MAX_CALLS = 100_000  # maximum number of function calls; rules without custom yaku take 30,000


def rules_with(**own: dict[str, Any]) -> Any:
    return load({"extends": "standard", "yaku": own})


REFUSED = [
    ("", "own_expected_end", 1), ("only(", "own_expected_end", 6), ("only()", "own_expected", 6),
    ('onyl("1m")', "own_unknown_nearest", 1), ("zzzzqq", "own_unknown", 1), ("run(n, q)", "own_expected", 8),
    ("run(n, x", "own_expected_end", 9), ('only("1q")', "own_tiles", 7), ('only("10m")', "own_red", 7),
    ("tsumo and", "own_expected_end", 10), ("1 + tsumo", "own_no_number", 5), ("n", "own_no_condition", 1),
    ("man", "own_misplaced", 1), ("ｔsumo", "own_sign", 1), ("tsumо", "own_sign", 5),
    ("tsumo()", "own_expected", 7),
    ('tsumo("1m")', "own_no_brackets", 6), ("run(n, x) == 99999999", "own_number", 14),
    ('yaku("Pinfu!")', "own_no_yaku_nearest", 6), ('has("11111m")', "own_tiles_many", 6),
    ('only("1m', "own_quote", 6), ("(tsumo", "own_expected_end", 7), ("tsumo riichi", "own_expected", 7),
    ('run("1m")', "own_expected", 5), ("run(12, x)", "own_expected", 5),
    ("run(n + 12, x)", "own_expected", 9),
    ("run(n)", "own_two_arguments", 1), ("tsumo == ron", "own_no_number", 1), ("()", "own_expected", 2),
    ("__import__('os')", "own_sign", 1), ("tsumo.real", "own_sign", 6), ("lambda: 1", "own_sign", 7),
    ("not " * 21 + "tsumo", "own_too_deep", 85), ("(" * 400, "own_too_deep", 22),
    (" and ".join(["(tsumo or ron)"] * 9), "own_too_large", 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "at"), REFUSED)
def test_an_error_names_the_character(text: str, code: str, at: int) -> None:
    with pytest.raises(RulesError) as refused:
        program(read(text))
    assert (refused.value.code, refused.value.details.get("at", 0)) == (code, at)
    for language in terms.LANGUAGES:
        assert refused.value.message(language)


@pytest.mark.parametrize(
    "hostile",
    [
        "(" * 1_000_000,
        "not " * 250_000,
        "9" * 1_000_000,
        "tsumo and " * 100_000,
        '"' + "1" * 1_000_000,
        "-" * 400,
    ],
)
def test_hostile_texts_are_refused_quickly(hostile: str) -> None:
    with counted_calls() as work, pytest.raises(JantakuError):
        rules_with(own={"closed": 1, "when": hostile})
    assert work.count < MAX_CALLS


def test_too_many_custom_yaku_are_refused_quickly() -> None:
    with counted_calls() as work, pytest.raises(RulesError, match="16"):
        rules_with(**{f"own{i}": PEACOCK for i in range(5000)})
    assert work.count < MAX_CALLS


SCRAPS = [
    *("only(", '"19m"', ")", "run(n,x)", "n", "+", "-", "1", ">=", "and", "or", "not", ",", "x", "ё", "run"),
]


def outcome(text: str) -> str:
    """Return ``read`` if the condition is valid, otherwise the code of the error."""
    try:
        program(read(text))
    except RulesError as error:
        return error.code
    return "read"


def test_any_text_is_read_or_refused() -> None:
    """The texts are fragments of conditions in random order, with characters foreign to the language."""
    chance = Random(7)
    for _ in range(3000):
        text = " ".join(chance.choice(SCRAPS) for _ in range(chance.randint(0, 14)))
        assert outcome(text).startswith("own_") or outcome(text) == "read", text


def test_rules_round_trip_with_custom_yaku() -> None:
    rules = rules_with(benikujaku=PEACOCK)
    assert load(rules.to_dict(whole=False)) == rules == load(rules.to_dict())
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert marked_rules(rules_mark(rules)) == rules
    assert parse_rules(changes_as_toml(rules)) == rules
    assert parse_rules(changes_as_toml(rules)).own_yaku[0].word("name", "ja") == "紅孔雀"
    changed = rules.with_changes({"yaku.benikujaku.closed": 5})
    assert changed != rules
    assert changed.own_yaku == rules.own_yaku


def test_the_fingerprint_depends_on_the_condition() -> None:
    rules = rules_with(own={"closed": 1, "when": "tsumo and closed"})
    assert rules_with(own={"closed": 1, "when": " tsumo  and\n closed"}) == rules
    assert rules_with(own={"closed": 1, "when": "tsumo and closed", "name": {"en": "T"}}) == rules
    assert rules_with(own={"closed": 1, "when": "tsumo or closed"}) != rules
    assert rules_with(own={"closed": 2, "when": "tsumo and closed"}) != rules
    one, two = {"closed": 1, "when": "tsumo"}, {"closed": 1, "when": "ron"}
    assert rules_with(a=one, b=two) == rules_with(b=two, a=one)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"closed": 1, "name": {"en": "T"}}, "own_without_when"),
        ({"closed": 1}, "own_without_when"),
        ({"closed": 1, "when": 5}, "wrong_value"),
        ({"closed": 1, "wen": "tsumo", "when": "tsumo"}, "unknown_key_nearest"),
        ({"closed": 1, "when": "tsumo", "name": "T"}, "wrong_value"),
        ({"closed": 1, "when": "tsumo", "name": {"en": "T" * 101}}, "text_too_long"),
    ],
)
def test_wrong_settings_are_refused(row: dict[str, Any], code: str) -> None:
    with pytest.raises(RulesError) as refused:
        rules_with(own=row)
    assert [problem.code for problem in refused.value.problems] == [code]  # type: ignore[attr-defined]


def test_a_built_in_yaku_accepts_no_condition() -> None:
    with pytest.raises(RulesError, match="pinfu is a built-in yaku"):
        rules_with(pinfu={"when": "tsumo"})


def test_custom_yaku_may_not_use_names_of_dora() -> None:
    """Scores and records count dora under these names; stored rules with such yaku stay readable."""
    for name in BONUS:
        row = {name: {"closed": 1, "when": "tsumo"}}
        with pytest.raises(RulesError, match="dora"):
            rules_with(**row)
        assert load_stored({"extends": "standard", "yaku": row}).own_yaku[0].id == name
