"""The sentences that a comparison is told in."""

from typing import Any

import pytest

from jantaku import load, terms
from jantaku.lab.experiment import tried_changes as known
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
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table of answers, unless a test has its own."""
    monkeypatch.setattr(known, "_answers", dict)


def row(group: str, name: str, change: float, *, clear: bool) -> ComparedRow:
    value, other = Estimate(0.2, 0.19, 0.21), Estimate(0.2 + change, 0.1, 0.3)
    span = 0.01 if clear else 1
    return ComparedRow(
        group, name, "share", value, other, Estimate(change, change - span, change + span), clear
    )


def test_clear_changes_are_told_with_both_values_and_the_rest_counted() -> None:
    names = ("tanyao", "riichi", "ippatsu", "dora", "ura_dora", "pinfu", "ittsuu")
    said = findings([row("share", name, 0.05, clear=True) for name in names], BEFORE, BEFORE)
    assert len(said) == MAX_CHANGES + 1
    assert all("20.00% → 25.00%" in sentence for sentence in said[:MAX_CHANGES])
    assert "1" in said[MAX_CHANGES]


def test_the_largest_changes_come_first_and_new_yaku_after_them() -> None:
    """What is surest is not what changes most, and a yaku that did not exist cannot change."""
    small = row("share", "riichi", 0.02, clear=True)
    surest = small._replace(change=Estimate(0.02, 0.0199, 0.0201))
    new = row("share", "uumensai", 0.3, clear=True)._replace(before=Estimate(0, 0, 0))
    said = findings([surest, new, row("rate", "bust", -0.1, clear=True)], BEFORE, BEFORE)
    assert [terms.text("lab.rate.bust") in said[0], "Riichi" in said[1], "Uumensai 50.00%" in said[2]] == [
        True
    ] * 3
    assert "→" not in said[2]


def test_what_stays_is_told() -> None:
    (said,) = findings([row("rate", "riichi", 0.0, clear=False)], BEFORE, BEFORE)
    assert terms.text("lab.rate.riichi") in said


def test_a_yaku_whose_value_changes_but_not_its_share_is_not_aimed_for() -> None:
    moved, still = row("share", "pinfu", -0.1, clear=True), row("share", "sankantsu", 0.001, clear=False)
    assert not any("Sankantsu" in sentence for sentence in findings([moved], BEFORE, BEFORE))
    (unmoved,) = [finding for finding in findings([moved, still], BEFORE, AFTER) if "Sankantsu" in finding]
    assert "20.00% → 20.10%" in unmoved
    (never,) = [finding for finding in findings([moved], BEFORE, AFTER) if "Sankantsu" in finding]
    assert "→" not in never
    assert (
        sum("Pinfu" in finding for finding in findings([moved, still], BEFORE, AFTER)) == 1
    )  # it only changes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_it(language: terms.Language) -> None:
    rows = [row("share", "pinfu", -0.1, clear=True), row("rate", "win", 0.0, clear=False)]
    with terms.using(language):
        assert len(findings(rows, BEFORE, AFTER)) == 3


CHANGES = [
    ("yaku.sankantsu", {"yaku.sankantsu.closed": 8}, {"yaku.sankantsu.closed": 6}, ("share", "sankantsu")),
    ("riichi.ippatsu", {"riichi.ippatsu": False}, {"riichi.ippatsu": False}, ("rate", "riichi")),
]


@pytest.mark.parametrize(("verdict", "clear", "said"), [("still", 0, 1), ("still", 1, 0), ("moved", 0, 0)])
@pytest.mark.parametrize("change", CHANGES)
def test_what_bots_are_known_not_to_answer_to_is_said_with_the_figure(
    monkeypatch: pytest.MonkeyPatch, change: Any, verdict: str, clear: int, said: int
) -> None:
    path, tried_at, changed_to, measured = change
    answer = {"path": path, "changes": tried_at, "row": measured, "verdict": verdict}
    figures = {"before": 0.031, "after": 0.032, "games": 2000}
    monkeypatch.setattr(known, "_answers", lambda: {path: [answer | figures]})
    group, name = measured
    rows = [row(group, name, 0.001, clear=bool(clear)), row("share", "tanyao", 0.0, clear=False)]
    reported = findings(rows, BEFORE, BEFORE.with_changes(changed_to))
    assert sum("3.10% → 3.20%" in sentence and "2,000" in sentence for sentence in reported) == said
    other = findings(rows, BEFORE, BEFORE.with_changes({"yaku.sankantsu.closed": 1}))
    assert not any("3.10%" in sentence for sentence in other)


def test_a_yaku_that_was_absent_is_not_won_about_as_often() -> None:
    """A small share of wins is no change of how often, where nobody could win with it before."""
    after = BEFORE.with_changes({"yaku.renhou.closed": 5})
    seldom = row("share", "renhou", 0.0011, clear=False)._replace(
        before=Estimate(0.0, 0.0, 0.0), after=Estimate(0.0011, 0.0, 0.003)
    )
    assert not BEFORE.yaku["renhou"].closed
    (said,) = [sentence for sentence in findings([seldom], BEFORE, after) if "enhou" in sentence]
    assert "0.11%" in said
    assert "0.00%" not in said


def test_an_own_yaku_is_a_worth_and_a_condition() -> None:
    """As ``rules diff`` and the report show it, whichever of the rulesets has it."""
    odd = {"closed": 2, "when": 'only("13579m13579p")', "name": {"en": "Odd"}}
    own = load({"extends": "standard", "yaku": {"odd_pair": odd}})
    for rules, other, at in ((BEFORE, own, 2), (own, BEFORE, 1)):
        rows = differences_in_words(rules, other, "en")
        assert list(rows) == ["yaku.odd_pair", "yaku.odd_pair.when"]
        assert rows["yaku.odd_pair"][0] == "Odd"
        assert rows["yaku.odd_pair.when"][at] != rows["yaku.odd_pair.when"][3 - at]
        assert "no condition" not in "".join(rows["yaku.odd_pair.when"])


def test_negative_numbers_have_the_minus_of_changes() -> None:
    kinds: tuple[Kind, ...] = ("points", "number", "share")
    for kind in kinds:
        assert value_words(Estimate(-1234.0, -2000.0, -1000.0), kind).startswith("\N{MINUS SIGN}")
        assert "-" not in estimated(Estimate(-1234.0, -2000.0, -1000.0), kind)
