"""Forms of a yaku (such as a double yakuman or open riichi) and ippatsu count only if the yaku does.

This covers every condition (``only``) of every yaku with such forms.
"""

from itertools import product
from typing import Any

import pytest

import jantaku
from jantaku.rules import catalogue
from jantaku.rules.worths import conditions, worths
from support.scoring import agrees, answer, full

FORMS = {name: entry.needs for name, entry in catalogue().items() if entry.needs}
# Options that allow the form, and a hand that scores with it
HANDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "double_riichi": ({}, {"hand": "123789m4699p222s", "win": "5p", "riichi": "double"}),
    "open_riichi": ({"riichi.open": True}, {"hand": "123789m4699p222s", "win": "5p", "riichi": "open"}),
    "double_open_riichi": (
        {"riichi.open": True},
        {"hand": "123789m4699p222s", "win": "5p", "riichi": "double_open"},
    ),
    "open_riichi_deal_in": (
        {"riichi.open": True, "riichi.open_deal_in": "yakuman"},
        {"hand": "123789m4699p222s", "win": "5p", "riichi": "open"},
    ),
    "ippatsu": ({}, {"hand": "123789m4699p222s", "win": "5p", "riichi": "riichi", "ippatsu": True}),
    "kokushi_juusanmen": ({}, {"hand": "19m19p19s1234567z", "win": "1z"}),
    "junsei_chuuren": ({}, {"hand": "1112345678999m", "win": "5m"}),
    "suuankou_tanki": ({}, {"hand": "444m111p888s6667z", "win": "7z"}),
}
WAYS = ("ron", "tsumo", "furiten tsumo")
ONLY = ("tsumo", "man", "pin", "hatsu", "not_furiten")
CASES = [case for case in product(HANDS, ONLY, WAYS) if case[0] != "open_riichi_deal_in" or case[2] == "ron"]


def counted(rules: jantaku.Ruleset, request: dict[str, Any]) -> set[str]:
    """Return the yaku that count in a win, forms under their own names; empty if the hand may not win."""
    win = jantaku.adjudication.requests.win_from_request(full(request))
    try:
        counted_names = {name for _, name, _ in jantaku.score(win, rules).counted()}
    except jantaku.HandError:
        counted_names = set()
    assert agrees(answer(full(request), rules), full(request), rules)
    return counted_names


@pytest.mark.parametrize("form", HANDS)
def test_a_form_counts_if_its_condition_is_met(form: str) -> None:
    changes, request = HANDS[form]
    assert form in counted(jantaku.load("standard").with_changes(changes), request)


@pytest.mark.parametrize(("form", "base"), [(form, base) for form in FORMS for base in FORMS[form]])
def test_a_form_does_not_count_without_the_yaku_it_needs(form: str, base: str) -> None:
    changes, request = HANDS[form]
    rules = jantaku.load("standard").with_changes(changes | {f"yaku.{base}.closed": False})
    assert not {form, base} & counted(rules, request)
    assert worths(rules, form) == (False, False)


@pytest.mark.parametrize("form", [name for name, e in catalogue().items() if e.form_of and not e.gate])
def test_the_yaku_counts_without_its_form(form: str) -> None:
    changes, request = HANDS[form]
    rules = jantaku.load("standard").with_changes(changes | {f"yaku.{form}.closed": False})
    assert catalogue()[form].form_of in counted(rules, request)


def meets(only: str, form: str, tsumo: bool, furiten: bool) -> bool:
    """Return whether the form's hand meets the condition."""
    return {
        "tsumo": tsumo,
        "man": form == "junsei_chuuren",
        "pin": False,
        "hatsu": form in ("kokushi_juusanmen", "suuankou_tanki"),
        "not_furiten": not furiten,
    }[only]


@pytest.mark.parametrize(("form", "only", "by"), CASES)
def test_a_condition_of_a_yaku_applies_to_its_forms(form: str, only: str, by: str) -> None:
    """The ``only`` of a yaku also applies to its forms; the ``only`` of a form applies to that form alone."""
    changes, request = HANDS[form]
    request = request | {"by": "ron" if by == "ron" else "tsumo", "furiten": by == "furiten tsumo"}
    meeting = meets(only, form, by != "ron", by == "furiten tsumo")
    for base in FORMS[form]:
        rules = jantaku.load("standard").with_changes(changes | {f"yaku.{base}.only": only})
        assert conditions(rules, form) >= {only}
        assert (form in counted(rules, request)) is meeting
    own = jantaku.load("standard").with_changes(changes | {f"yaku.{form}.only": only})
    yaku = counted(own, request)
    assert (form in yaku) is meeting
    if not meeting and (base := catalogue()[form].form_of):
        assert base in yaku


@pytest.mark.parametrize(
    ("changes", "riichi", "yaku"),
    [
        ({}, "double_open", {"double_open_riichi": 3}),
        ({"riichi.double": False}, "double_open", {"open_riichi": 2}),
        ({"yaku.double_riichi.closed": False}, "double_open", {"open_riichi": 2}),
        ({"yaku.double_open_riichi.closed": False}, "double_open", {"double_riichi": 2, "open_riichi": 2}),
        ({"riichi.double": False}, "double", {"riichi": 1}),
        ({"yaku.riichi.closed": False}, "double_open", {}),
    ],
)
def test_which_riichi_counts(changes: dict[str, Any], riichi: str, yaku: dict[str, int]) -> None:
    rules = jantaku.load("standard").with_changes({"riichi.open": True} | changes)
    request = full({"hand": "234m56p345678s99p", "win": "7p", "riichi": riichi})
    reply = answer(request, rules)
    assert agrees(reply, request, rules)
    assert {name: han for name, han in reply["yaku"].items() if "riichi" in name} == yaku


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        ({"hand": "1133m66p2299s447z", "win": "7z"}, "uumensai=2"),
        ({"hand": "1133m66p2299s445z", "win": "5z", "riichi": "riichi"}, "uumensai=2"),
    ],
)
def test_uumensai_of_seven_pairs(request_: dict[str, Any], value: str) -> None:
    """Seven pairs that include all three suits, a wind and a dragon score uumensai (inventory 392)."""
    rules = jantaku.load("bgm-2025")
    reply = answer(full(request_), rules)
    assert agrees(reply, full(request_), rules)
    name, _, han = value.partition("=")
    assert reply["yaku"][name] == int(han)
