"""Explanations: sums, near misses, and texts in three languages."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku import terms
from jantaku.adjudication.arithmetic import steps
from jantaku.adjudication.explain import Explanation, explain, explain_failure
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import Score, score
from jantaku.adjudication.sticks import STICKS, fewest_sticks
from jantaku.errors import HandError, RequestError, RulesError
from jantaku.hand import Meld
from jantaku.kernels._jit import COMPILED
from jantaku.rules import Ruleset, catalogue, load
from jantaku.win import Win
from naive.generate import random_wins

PRESETS = ("standard", "bgm-2025", "jpml-a", "wrc")
HOUSE = load("standard").with_changes(
    {
        "score.kiriage_mangan": True,
        "score.multiple_yakuman": False,
        "score.zero_han_win": "counted",
        "pao.scope": "whole_hand",
        "pao.honba": "liable",
        "pao.rinshan_after_daiminkan": "feeder_pays",
        "yaku.renhou.closed": "mangan",
        "yaku.pinfu.closed": 0,
    },
    name="house",
)
RULESETS = (*map(load, PRESETS), HOUSE)


def melds(text: str) -> list[Meld]:
    """Parse melds written as ``chi:234m pon:777z``."""
    parts = [part.partition(":") for part in text.split()]
    return [Meld.parse(kind, tiles) for kind, _, tiles in parts]


def explained(win: Win, rules: Ruleset | str, language: terms.Language = "en") -> Explanation:
    """Explain a win, or why the hand may not win."""
    try:
        return explain(score(win, rules), language)
    except HandError as error:
        return explain_failure(win, rules, error, language)


EXAMPLES = [pytest.param(dict(e.example), id=name) for name, e in catalogue().items() if e.example]


def check_sums(value: Score) -> None:
    """Check that every sum in an explanation equals the score."""
    explanation = explain(value, "en")
    if value.fu is not None:
        assert sum(row.points for row in explanation.fu) == value.fu == explanation.fu_after
        before = sum(row.points for row in explanation.fu if row.item not in ("rounding", "one_han_20_fu"))
        assert before == explanation.fu_before
        sets = sum(row.points for row in explanation.fu if row.item == "triplets")
        assert sets == value.fu_items.get("triplets", 0)
    assert {row.seat: row.points for row in explanation.payments} == value.payments
    for row in explanation.payments:
        assert sum(worth * count for worth, count in row.sticks.items()) == max(0, -row.points)
    paid: Counter[str] = Counter()
    for step in steps(value, Words("en", value.rules)):
        for seat, points in step.pays:
            paid[seat] += points
    payers = [seat for seat in value.payments if seat != value.win.seat]
    assert [paid[seat] for seat in payers] == [-value.payments[seat] for seat in payers]
    assert {row.id for row in explanation.yaku} == set(value.yaku)
    assert sum(row.han for row in explanation.yaku) == sum(han for _, _, han in value.counted()) + sum(
        value.bonus.values()
    )
    winning = [group for group in explanation.reading if group.winning]
    assert len(winning) == 1
    assert not winning[0].melded


@pytest.mark.parametrize("request_", EXAMPLES)
def test_every_yaku_is_explained(request_: dict[str, Any]) -> None:
    win = win_from_request(request_)
    for rules in RULESETS:
        try:
            value = score(win, rules)
        except (HandError, RulesError):
            continue
        check_sums(value)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_sums_of_random_wins(rules: Ruleset) -> None:
    scored, wanted = 0, 100 if COMPILED else 30
    for request in random_wins(7, wanted, rules.tiles.red, open_riichi=rules.riichi.open):
        win = win_from_request(request)
        explanation = explained(win, rules, "ko")
        assert explanation.text()
        if explanation.error:
            assert explanation.notes
        else:
            check_sums(score(win, rules))
            scored += 1
    assert scored > wanted // 3


def rows(name: str) -> list[list[str]]:
    """Read the rows of a table under ``tests/data`` without comments and heading."""
    text = (Path(__file__).parents[1] / "data" / name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"][1:]


@pytest.mark.parametrize("row", rows("near_misses.tsv"), ids=lambda row: f"{row[4]} {row[0]}")
def test_near_misses(row: list[str]) -> None:
    hand, called, situation, rules, yaku, expected = ["" if cell == "-" else cell for cell in row]
    ruleset = load("standard")
    ruleset = ruleset.with_changes(json.loads(rules)) if rules[0] == "{" else load(rules)
    explanation = explained(Win.parse(hand, melds(called), **json.loads(situation or "{}")), ruleset)
    reasons = {miss.id: miss.why for miss in explanation.near_misses}
    assert len(reasons) <= 6
    if expected:
        assert expected in reasons[yaku]
    else:
        assert yaku not in reasons


ARITHMETIC: tuple[tuple[str, str, dict[str, Any], str, tuple[str, ...]], ...] = (
    (
        "234567m46p55678s 5p",
        "",
        {"riichi": "riichi", "honba": 2, "deposits": 1},
        "standard",
        (
            "40 fu × 2^(2+2) = 640 base points",
            "ron by a non-dealer: 640 × 4 = 2,560 → the discarder pays 2,600",
            "honba: 2 × 300 = 600, paid by the discarder",
            "deposits: 1 × 1,000 = 1,000 to the winner",
        ),
    ),
    (
        "23m345678p99s678s 4m",
        "",
        {"tsumo": True},
        "bgm-2025",
        (
            "1 han 20 fu does not exist under these rules, so the hand counts as 30 fu",
            "30 fu × 2^(2+1) = 240 base points",
            "tsumo by a non-dealer: 240 × 2 = 480 → the dealer pays 500",
            "and 240 × 1 = 240 → each other player pays 300",
        ),
    ),
    (
        "22345m678p11146s 5s",
        "",
        {"first_turn": True},
        "bgm-2025",
        (
            "Renhou counts as baiman on its own: 4,000 base points",
            "ron by a non-dealer: 4,000 × 4 = 16,000 → the discarder pays 16,000",
        ),
    ),
    (
        "7z 7z",
        "pon:111z pon:222z pon:333z pon:444z",
        {"source": "left", "pao": {"daisuushii": "right"}},
        "standard",
        (
            "double yakuman: 2 × 8,000 = 16,000 base points",
            "pao: West is liable for Daisuushii; West, East pay 16,000 each",
            "the other yakuman are paid as usual: 8,000 base points",
            "ron by a non-dealer: 8,000 × 4 = 32,000 → East pays 32,000",
        ),
    ),
    (
        "23m99p555666z 4m",
        "pon:777z",
        {"tsumo": True, "honba": 1, "pao": {"daisangen": "left"}},
        "bgm-2025",
        (
            "yakuman: 8,000 base points",
            "pao: East is liable for Daisangen and pays 32,000",
            "honba: 1 × 300 = 300, paid by East",
        ),
    ),
)


@pytest.mark.parametrize(("hand", "called", "situation", "rules", "lines"), ARITHMETIC)
def test_arithmetic(
    hand: str, called: str, situation: dict[str, Any], rules: Any, lines: tuple[str, ...]
) -> None:
    value = score(Win.parse(hand, melds(called), **situation), rules)
    check_sums(value)
    assert explain(value, "en").arithmetic == lines


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("standard", "30 fu × 2^(2+4) = 1,920 base points"),
        (HOUSE, "30 fu × 2^(2+4) = 1,920, rounded up to mangan: 2,000 base points"),
    ],
)
def test_kiriage_mangan(rules: Ruleset | str, line: str) -> None:
    win = Win.parse("23m567p88s678s 4m", melds("pon:777z"), dora="4p 6s 5p")
    value = score(win, rules)
    check_sums(value)
    assert explain(value, "en").arithmetic[0] == line


@pytest.mark.parametrize("rules", ["standard", "tenhou-3"])
def test_a_ron_without_a_source_has_no_payer(rules: str) -> None:
    """Only the total that the winner receives is certain."""
    value = score(
        Win.parse("234m567p34567s99p 8s" if rules == "standard" else "111222333p5577s 5s", honba=1), rules
    )
    sourced = [score(replace(value.win, source=source), rules) for source in ("left", "right")]
    assert [other.points for other in sourced] == [value.points] * 2
    assert all(value.payments == {"south": other.payments["south"]} for other in sourced)
    explanation = explain(value, "en")
    assert [row.seat for row in explanation.payments] == ["south"]
    assert "the discarder" in " ".join(explanation.arithmetic)
    assert explanation.notes
    assert "not_stated" not in sourced[0].to_dict()
    assert value.to_dict()["not_stated"] == ["from"]


def test_wareme_makes_payments_uncertain_without_a_source() -> None:
    """The seat of the broken wall pays double, so the total is certain only if the winner sits there."""
    rules = load("standard").with_changes({"score.wareme": "hand"})
    assert score(Win.parse("234m567p34567s99p 8s", wareme="west"), rules).payments == {}
    assert score(Win.parse("234m567p34567s99p 8s", wareme="south"), rules).payments == {"south": 2000}


def test_liable_player_is_named() -> None:
    hand, called = "23m99p555666z 4m", melds("pon:777z")
    win = Win.parse(hand, called, source="right", pao={"daisangen": "left"})
    roles = {row.seat: row.role for row in explain(score(win), "en").payments}
    assert roles["east"] == "liable for Daisangen"
    assert roles["west"] == "discarder"


def test_reading_shows_red_and_winning_tiles() -> None:
    win = Win.parse("345m40677p67s 8s", melds("chi:340m"), tsumo=True, seat="north")
    groups = {group.tiles: group for group in explain(score(win, "tenhou"), "en").reading}
    assert set(groups) == {"345m", "406p", "678s", "340m", "77p"}
    assert groups["678s"].winning == "8s"
    assert groups["340m"].melded
    assert not groups["340m"].concealed


@pytest.mark.parametrize("request_", EXAMPLES)
def test_three_languages(request_: dict[str, Any]) -> None:
    win = win_from_request(request_)
    rules = load("bgm-2025" if request_.get("riichi", "") in ("open", "double_open") else "standard")
    explanations = [explained(win, rules, language) for language in get_args(terms.Language)]
    texts = [explanation.text() for explanation in explanations]
    assert len(set(texts)) == 3
    for explanation, text in zip(explanations, texts, strict=True):
        assert explanation.title
        assert "{" not in text
        assert json.loads(json.dumps(explanation.to_dict()))["title"] == explanation.title
    for field in ("reading", "yaku", "near_misses", "fu", "arithmetic", "payments", "notes"):
        assert len({len(getattr(explanation, field)) for explanation in explanations}) == 1


TITLES: list[tuple[str, dict[str, Any], str, str, str]] = [
    # hand, situation, end of the title in English, Japanese and Korean
    (
        "234m567p345678s9p 9p",
        {"tsumo": True},
        "1 han 30 fu, 1,100 points (300 / 500)",
        "1,100点（300-500）",
        "1,100점(자 300 · 친 500)",
    ),
    (
        "234m567p345678s9p 9p",
        {"tsumo": True, "seat": "east", "honba": 2, "deposits": 1},
        "1 han 30 fu, 1,500 points (500 all)",
        "1,500点（500オール）",
        "1,500점(500점 올)",
    ),
    (
        "234567m345p6799s 8s",
        {"riichi": "riichi", "ippatsu": True, "tsumo": True, "dora": "8s", "seat": "east"},
        "haneman (6 han), 18,000 points (6,000 all)",
        "跳満（6翻） 18,000点（6,000オール）",
        "하네만(6판), 18,000점(6,000점 올)",
    ),
]


@pytest.mark.parametrize(("hand", "situation", "english", "japanese", "korean"), TITLES)
def test_titles_state_each_payment(
    hand: str, situation: dict[str, Any], english: str, japanese: str, korean: str
) -> None:
    value = score(Win.parse(hand, **situation), "standard")
    assert explain(value, "en").title.endswith(english)
    assert explain(value, "ja").title.endswith(japanese)
    assert explain(value, "ko").title.endswith(korean)


def test_the_title_has_no_split_if_one_player_pays_everything() -> None:
    """The player liable for the yakuman pays alone."""
    called = melds("pon:555z pon:666z pon:777z")
    liable = Win.parse("55m99s 9s", called, tsumo=True, pao={"daisangen": "left"})
    assert explain(score(liable, "standard"), "en").title.endswith("yakuman, 32,000 points")


@pytest.mark.parametrize("code", ["not_complete", "no_yaku", "two_han_minimum", "furiten"])
def test_failures_have_titles(code: str) -> None:
    wins = {
        "not_complete": Win.parse("234m567p3456s889p 5p"),
        "no_yaku": Win.parse("234m567p345678s9p 9p"),
        "two_han_minimum": Win.parse("23m345678p99s678s 4m", honba=5),
        "furiten": Win.parse("34m234678p55678s 2m", furiten=True),
    }
    rules = load("standard").with_changes({"win.two_han_from_honba": 5})
    for language in get_args(terms.Language):
        explanation = explained(wins[code], rules, language)
        assert explanation.error == code
        assert explanation.title in explanation.text()
        assert explanation.notes[0] in explanation.text()
        assert not explanation.payments


@given(st.integers(0, 10_000))
def test_sticks_add_up_to_the_payment(hundreds: int) -> None:
    sticks = fewest_sticks(100 * hundreds)
    assert tuple(sticks) == STICKS
    assert sum(value * count for value, count in sticks.items()) == 100 * hundreds
    assert sticks[5_000] <= 1
    assert sticks[1_000] <= 4
    assert sticks[100] <= 9


def test_an_unknown_language_is_refused() -> None:
    result = score(Win.parse("234m567p345678s9p 9p", tsumo=True))
    with pytest.raises(RequestError) as caught:
        explain(result, "fr")  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.field) == ("wrong_choice", "language")
