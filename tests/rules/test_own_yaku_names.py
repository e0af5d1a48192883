"""Conditions that refer to other custom yaku, or to circumstances known only in a game."""

from typing import Any

import pytest

from jantaku import JantakuError, Ruleset, Win, load, terms
from jantaku.adjudication.explain import explain
from jantaku.adjudication.own_trial import try_yaku
from jantaku.adjudication.score import score
from jantaku.tiles import parse_tiles

EARLY = {"closed": 2, "open": 1, "when": "turn <= 5"}
HAND = "234m567p34567s99p 8s"  # pinfu
DISCARDS = "19m1p"


def rules_with(**own: Any) -> Ruleset:
    rows = {name: {"closed": 1, "open": 1, "when": yaku} if isinstance(yaku, str) else yaku
            for name, yaku in own.items()}  # fmt: skip
    return load({"extends": "standard", "yaku": rows})


def own_of(rules: Ruleset, **circumstances: Any) -> list[str]:
    names = score(Win.parse(HAND, **circumstances), rules).yaku
    return [yaku.id for yaku in rules.own_yaku if yaku.id in names]


@pytest.mark.parametrize(
    ("circumstances", "wanted"),
    [
        ({"turn": 3, "tsumo": True}, ["a", "early"]),
        ({"turn": 3}, ["c", "early"]),
        ({"turn": 6}, []),
        ({}, []),
    ],
)
def test_a_custom_yaku_may_refer_to_a_later_one(circumstances: dict[str, Any], wanted: list[str]) -> None:
    rules = rules_with(a='yaku("early") and tsumo', c='yaku("early") and not yaku("a")', early=EARLY)
    assert own_of(rules, **circumstances) == wanted


def test_conditions_see_replaced_yaku() -> None:
    rules = rules_with(a="tsumo or ron", b='yaku("a")', c={"closed": 1, "when": "ron", "replaces": ["a"]})
    assert own_of(rules) == ["b", "c"]


CYCLES = [
    {"a": 'yaku("a")'},
    {"a": 'yaku("b")', "b": 'not yaku("a")'},
    {"a": 'yaku("b")', "b": 'yaku("c") or tsumo', "c": 'yaku("a")', "d": 'yaku("a")'},
]


@pytest.mark.parametrize("own", CYCLES)
def test_a_cycle_is_refused(own: dict[str, str]) -> None:
    with pytest.raises(JantakuError) as refused:
        rules_with(**own)
    for language in terms.LANGUAGES:
        assert "yaku.a.when" in refused.value.message(language)


@pytest.mark.parametrize(
    ("when", "at"), [('yaku("pinfuu")', 6), ('tsumo and yaku("earl")', 16), ('yaku("nothing_like_it")', 6)]
)
def test_an_unknown_yaku_is_refused_at_its_character(when: str, at: int) -> None:
    with pytest.raises(JantakuError, match=f"yaku.a.when, character {at}:"):
        rules_with(a=when, early=EARLY)


def test_a_chain_of_references_is_allowed() -> None:
    own = {f"own{i:02}": "tsumo or ron" if i == 0 else f'yaku("own{i - 1:02}")' for i in range(16)}
    assert len(own_of(rules_with(**own))) == 16


# Circumstances known only in a game -----------------------------------------------------------------------

THREE = {"discarded": DISCARDS}
KNOWN: list[tuple[str, dict[str, Any], bool]] = [
    ("turn == 4", {"turn": 4}, True),
    ("turn == 4", THREE, True),
    ("turn > 4", {"turn": 4}, False),
    ("score >= 25000", {"score": 25000}, True),
    ("score < 0", {"score": -100}, True),
    ("score < 0", {"score": 0}, False),
    ("discarded == 3", THREE, True),
    ("discarded(man) == 2", THREE, True),
    ('discarded("9p") >= 1', THREE, False),
    ("not discarded(dragons) >= 1", {"discarded": ""}, True),
    ("turn + score >= 5", {"turn": 2, "score": 3}, True),
    ("turn + score >= 5", {"turn": 9}, False),
    ("tsumo or turn >= 1", {"tsumo": True}, True),
]
UNKNOWN = ["turn >= 1", "not turn >= 1", "score < 1", "not score < 1", "discarded == 0", "discarded != 0",
          "not (turn >= 1 or discarded == 0)"]  # fmt: skip


@pytest.mark.parametrize(("when", "circumstances", "has"), KNOWN)
def test_turn_points_and_discards(when: str, circumstances: dict[str, Any], has: bool) -> None:
    given = circumstances | (
        {"discarded": tuple(parse_tiles(circumstances["discarded"]))} if "discarded" in circumstances else {}
    )
    assert own_of(rules_with(a=when), **given) == ["a"] * has


@pytest.mark.parametrize("when", UNKNOWN)
def test_an_unknown_value_meets_neither_a_test_nor_its_negation(when: str) -> None:
    rules = rules_with(a=when)
    assert own_of(rules) == []
    missed = explain(score(Win.parse(HAND), rules), "en").near_misses
    assert all("holds: a" not in row.why for row in missed)


@pytest.mark.parametrize(
    ("circumstances", "field"),
    [
        ({"turn": 0}, "turn"), ({"turn": 100}, "turn"), ({"score": 10**16}, "score"),
        ({"turn": 2, "discarded": ()}, "discarded"), ({"discarded": (8,) * 5}, "discarded"),
        ({"turn": 2, "first_turn": True}, "turn"),
    ],
)  # fmt: skip
def test_impossible_circumstances_are_refused(circumstances: dict[str, Any], field: str) -> None:
    with pytest.raises(JantakuError) as refused:
        Win.parse(HAND, **circumstances)
    assert refused.value.details["field"] == field


@pytest.mark.parametrize(
    "when", ["turn <= 3", "score < 1000", 'discarded("5z") == 1', 'yaku("early") and yaku("tanyao")']
)
def test_examples_are_found(when: str) -> None:
    trial = try_yaku(rules_with(a=when, early=EARLY), "a", "en")
    assert trial.tried >= 30
    assert trial.having
