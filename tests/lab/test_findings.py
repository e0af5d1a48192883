"""The sentences that sum up a comparison."""

from typing import Any

import pytest

from jantaku import load, terms
from jantaku.lab.experiment import tried_changes
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.findings import MAX_CHANGES, findings
from jantaku.lab.experiment.rows import ComparedRow, Kind, value_words
from jantaku.lab.report.markup import estimated
from jantaku.rules.sheet import differences_in_words
from jantaku.terms import LANGUAGES

BEFORE = load("standard")
AFTER = BEFORE.with_changes(
    {"yaku.sankantsu.closed": 8, "yaku.pinfu.closed": 0, "match.uma": (30, 10, -10, -30)}
)


@pytest.fixture(autouse=True)
def no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the table of stored answers, except in tests that set their own."""
    monkeypatch.setattr(tried_changes, "_answers", dict)


def row(group: str, name: str, change: float, *, clear: bool) -> ComparedRow:
    value, other = Estimate(0.2, 0.19, 0.21), Estimate(0.2 + change, 0.1, 0.3)
    span = 0.01 if clear else 1
    return ComparedRow(
        group, name, "share", value, other, Estimate(change, change - span, change + span), clear
    )


def test_clear_changes_have_both_values_and_the_rest_is_counted() -> None:
    names = ("tanyao", "riichi", "ippatsu", "dora", "ura_dora", "pinfu", "ittsuu")
    reported = findings([row("share", name, 0.05, clear=True) for name in names], BEFORE, BEFORE)
    assert len(reported) == MAX_CHANGES + 1
    assert all("20.00% → 25.00%" in sentence for sentence in reported[:MAX_CHANGES])
    assert "1" in reported[MAX_CHANGES]


def test_the_largest_changes_come_first_and_new_yaku_after_them() -> None:
    """Changes are sorted by size, not by certainty; a yaku that did not exist before has not changed."""
    small = row("share", "riichi", 0.02, clear=True)
    surest = small._replace(change=Estimate(0.02, 0.0199, 0.0201))
    new = row("share", "uumensai", 0.3, clear=True)._replace(before=Estimate(0, 0, 0))
    reported = findings([surest, new, row("rate", "bust", -0.1, clear=True)], BEFORE, BEFORE)
    assert [
        terms.text("lab.rate.bust") in reported[0],
        "Riichi" in reported[1],
        "Uumensai 50.00%" in reported[2],
    ] == [True] * 3
    assert "→" not in reported[2]


def test_unchanged_rates_are_mentioned() -> None:
    (reported,) = findings([row("rate", "riichi", 0.0, clear=False)], BEFORE, BEFORE)
    assert terms.text("lab.rate.riichi") in reported


def test_a_yaku_whose_value_changes_but_not_its_share_is_not_aimed_for() -> None:
    moved, still = row("share", "pinfu", -0.1, clear=True), row("share", "sankantsu", 0.001, clear=False)
    assert not any("Sankantsu" in sentence for sentence in findings([moved], BEFORE, BEFORE))
    (unmoved,) = [finding for finding in findings([moved, still], BEFORE, AFTER) if "Sankantsu" in finding]
    assert "20.00% → 20.10%" in unmoved
    (never,) = [finding for finding in findings([moved], BEFORE, AFTER) if "Sankantsu" in finding]
    assert "→" not in never
    assert sum("Pinfu" in finding for finding in findings([moved, still], BEFORE, AFTER)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_exist_in_every_language(language: terms.Language) -> None:
    rows = [row("share", "pinfu", -0.1, clear=True), row("rate", "win", 0.0, clear=False)]
    with terms.using(language):
        assert len(findings(rows, BEFORE, AFTER)) == 3


CHANGES = [
    ("yaku.sankantsu", {"yaku.sankantsu.closed": 8}, {"yaku.sankantsu.closed": 6}, ("share", "sankantsu")),
    ("riichi.ippatsu", {"riichi.ippatsu": False}, {"riichi.ippatsu": False}, ("rate", "riichi")),
]


@pytest.mark.parametrize(
    ("verdict", "clear", "mentions"), [("still", 0, 1), ("still", 1, 0), ("moved", 0, 0)]
)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_bots_ignore_is_named_with_the_tried_values(
    monkeypatch: pytest.MonkeyPatch, change: Any, verdict: str, clear: int, mentions: int
) -> None:
    path, tried_at, changed_to, measured = change
    answer = {"path": path, "changes": tried_at, "row": measured, "verdict": verdict}
    figures = {"before": 0.031, "after": 0.032, "games": 2000}
    monkeypatch.setattr(tried_changes, "_answers", lambda: {path: [answer | figures]})
    group, name = measured
    rows = [row(group, name, 0.001, clear=bool(clear)), row("share", "tanyao", 0.0, clear=False)]
    reported = findings(rows, BEFORE, BEFORE.with_changes(changed_to))
    assert sum("3.10% → 3.20%" in sentence and "2,000" in sentence for sentence in reported) == mentions
    other = findings(rows, BEFORE, BEFORE.with_changes({"yaku.sankantsu.closed": 1}))
    assert not any("3.10%" in sentence for sentence in other)


def test_a_new_yaku_is_not_reported_as_unchanged() -> None:
    """Its share may be small, but before the change nobody could win with it at all."""
    after = BEFORE.with_changes({"yaku.renhou.closed": 5})
    seldom = row("share", "renhou", 0.0011, clear=False)._replace(
        before=Estimate(0.0, 0.0, 0.0), after=Estimate(0.0011, 0.0, 0.003)
    )
    assert not BEFORE.yaku["renhou"].closed
    (reported,) = [sentence for sentence in findings([seldom], BEFORE, after) if "enhou" in sentence]
    assert "0.11%" in reported
    assert "0.00%" not in reported


def test_a_difference_in_a_custom_yaku_lists_its_value_and_condition() -> None:
    """``rules diff`` and the report show both, whichever of the two rulesets has the yaku."""
    odd = {"closed": 2, "when": 'only("13579m13579p")', "name": {"en": "Odd"}}
    own = load({"extends": "standard", "yaku": {"odd_pair": odd}})
    for rules, other, at in ((BEFORE, own, 2), (own, BEFORE, 1)):
        rows = differences_in_words(rules, other, "en")
        assert list(rows) == ["yaku.odd_pair", "yaku.odd_pair.when"]
        assert rows["yaku.odd_pair"][0] == "Odd"
        assert rows["yaku.odd_pair.when"][at] != rows["yaku.odd_pair.when"][3 - at]
        assert "no condition" not in "".join(rows["yaku.odd_pair.when"])


def test_negative_numbers_have_a_minus_sign() -> None:
    kinds: tuple[Kind, ...] = ("points", "number", "share")
    for kind in kinds:
        assert value_words(Estimate(-1234.0, -2000.0, -1000.0), kind).startswith("\N{MINUS SIGN}")
        assert "-" not in estimated(Estimate(-1234.0, -2000.0, -1000.0), kind)
