"""The yaku of a reading before one yaku replaces another, and why a custom yaku does not count."""

from typing import Any

import pytest

from jantaku import Meld, Ruleset, Win, explain, load, score
from jantaku.adjudication.explain import explain_failure
from jantaku.adjudication.own_trial import judged
from jantaku.errors import HandError

TOITOI = Win.parse("222m333p55z66s 6s", [Meld.parse("pon", "888m")], tsumo=True)
RON = Win.parse("222m333p55z66s 6s", [Meld.parse("pon", "888m")])
MINE: dict[str, Any] = {"closed": 1, "open": 1, "when": "triplets == 4"}


def rules_of(mine: dict[str, Any], **others: dict[str, Any]) -> Ruleset:
    return load({"extends": "standard", "yaku": {"mine": MINE | mine, **others}})


def reason(win: Win, rules: Ruleset) -> str:
    """Return why ``mine`` does not count, according to the explanation."""
    try:
        misses = explain(score(win, rules), "en").near_misses
    except HandError as error:
        misses = explain_failure(win, rules, error, "en").near_misses
    return next((miss.why for miss in misses if "mine" in miss.id.split(",")), "")


YAKUMAN = {"open": "yakuman", "when": "melds == 1"}


@pytest.mark.parametrize(("mine", "others", "expected"), [
    ({"open": False}, {}, "needs a closed hand"),
    ({"only": "tsumo"}, {}, "only on tsumo"),
    ({}, {"other": {"open": 3, "when": "melds == 1", "replaces": ["mine"]}}, "other counts instead"),
    ({"open": "yakuman"}, {"other": YAKUMAN | {"replaces": ["mine"]}}, "other"),
    ({"minimum": False, "replaces": ["toitoi", "sanankou"]}, {}, "not enough to win"),
    ({"open": "yakuman", "only": "tsumo"}, {"other": YAKUMAN}, "only on tsumo"),
])  # fmt: skip
def test_the_reason_is_given_if_a_custom_yaku_does_not_count(
    mine: dict[str, Any], others: dict[str, Any], expected: str
) -> None:
    assert expected in reason(RON, rules_of(mine, **others))


@pytest.mark.parametrize("worth", [1, "mangan", "yakuman"])
def test_conditions_see_yaku_that_are_replaced_or_overridden(worth: int | str) -> None:
    when = 'yaku("toitoi") and tsumo'
    rules = rules_of({"open": worth, "replaces": ["toitoi"], "when": when})
    error, has, parts = judged(TOITOI, rules, "mine", "en")
    assert (error, has, [part.holds for part in parts]) == ("", True, [True, True])
