"""Settlement of points, deposits, honba, next dealer and end of game: a table of cases, and invariants."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import scale
from jantaku.kernels.engine.chombo import pay_chombo
from jantaku.kernels.engine.settle import settle
from jantaku.kernels.engine.state import EXHAUSTED, MATCH, OUTCOME, VOIDED, WON
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from support.scoring import table
from support.table import ENDED, ruleset

ROWS = table("settle.tsv")
SEATS = "ESWN"


def mask(seats: str) -> int:
    return sum(1 << SEATS.index(seat) for seat in seats)


def ints(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def changes(text: str) -> dict[str, Any]:
    """Parse changes to the standard rules such as ``end.tobi=off match.uma=[…]``."""
    pairs = dict(part.split("=") for part in text.split())
    return {path: json.loads(value) if value[0] in "[0123456789" else value for path, value in pairs.items()}


def new_match(text: str) -> Any:
    """Parse ``number honba deposits points…``; deposits list the seats that made them, ``-`` for none."""
    match = np.zeros(1, MATCH)
    number, honba, owners, *points = text.split()
    match[0].seats = len(SEATS)
    match[0].number, match[0].honba = int(number), int(honba)
    for owner in owners.strip("-"):
        match[0].deposits += 1
        match[0].deposits_of[SEATS.index(owner)] += 1
    match[0].scores[: len(points)] = [int(word) for word in points]
    return match


def new_outcome(text: str, delta: str) -> tuple[Any, bool]:
    """Parse an outcome.

    Examples: ``won ES took``, ``won S chips -1,3,-1,-1``, ``exhausted tenpai E nagashi S``,
    ``sanchahou from E``.
    """
    outcome = np.zeros(1, OUTCOME)
    end = outcome[0]
    ended, *words = text.split()
    end.ended, end.discarder = ENDED.index(ended), 255
    end.delta[:] = ints(delta)
    if ended == "won":
        end.winners = mask(words[0])
    for word, value in pairwise(words):
        if word in ("tenpai", "nagashi"):
            end[word] = mask(value)
        elif word == "from":
            end.discarder = SEATS.index(value)
        elif word == "chips":
            end.chips[:] = [int(count) for count in value.split(",")]
        elif word == "by":
            end.offenders = mask(value)
    end.took_deposits = int("took" in words)
    return outcome, "no-stop" not in words


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_a_settled_hand(row: dict[str, str]) -> None:
    rules = rules_record(ruleset(changes(row["rules"])))[0]
    match = new_match(row["before"])
    outcome, stop = new_outcome(row["outcome"], row["delta"])
    for seat in range(4):
        if int(outcome[0].offenders) >> seat & 1:
            pay_chombo(match[0], outcome[0], seat, rules)
    settle(match[0], outcome[0], stop, rules)
    game = match[0]
    state = [int(game.number), int(game.honba), int(game.deposits), *map(int, game.scores)]
    assert (state, bool(game.over)) == (ints(row["after"]), row["over"] == "over")
    if row["over"] == "over":
        assert [int(points) for points in game.final] == ints(row["final"])


def test_a_deducted_chombo_costs_only_the_final_points() -> None:
    rules = rules_record(ruleset({"fouls.chombo": "deduct", "fouls.chombo_points": 20000}))[0]
    match = new_match("7 0 - 25000 25000 24000 26000")
    outcome, _ = new_outcome("voided by N", "0 0 0 0")
    pay_chombo(match[0], outcome[0], 3, rules)
    settle(match[0], outcome[0], True, rules)
    assert (list(match[0].scores), match[0].over) == ([25000, 25000, 24000, 26000], 0)
    last, _ = new_outcome("won E", "1000 -1000 0 0")
    settle(match[0], last[0], True, rules)
    assert (list(match[0].final), match[0].over) == ([36000, -16000, -26000, -14000], 1)


# Invariants ----------------------------------------------------------------------------------------------

RULES = st.fixed_dictionaries(
    {
        "match.length": st.sampled_from(("east", "hanchan", "full")),
        "match.oka": st.sampled_from(("derived", "none")),
        "match.tie": st.sampled_from(("seat_order", "share")),
        "match.final_rounding": st.sampled_from(("none", "nearest_1000", "five_down_six_up")),
        "match.return_points": st.sampled_from((25000, 30000)),
        "draw.nagashi_mangan": st.sampled_from(("off", "as_draw", "as_win")),
        "deal.renchan": st.sampled_from(("tenpai", "agari", "none")),
        "end.tobi": st.sampled_from(("off", "below_zero", "zero_or_below")),
        "end.agari_yame": st.sampled_from(("off", "optional", "forced")),
        "end.tenpai_yame": st.sampled_from(("off", "optional", "forced")),
        "end.extension": st.sampled_from(("none", "sudden_death")),
        "end.leftover_deposits": st.sampled_from(("first", "nobody", "riichi_owner")),
        "chips.value": st.sampled_from((0, 1000)),
        "chips.tobi": st.integers(0, 5),
        "chips.tobi_to": st.sampled_from(("winner", "first", "each")),
        "chips.first": st.integers(0, 3),
    }
).map(ruleset)


@st.composite
def hands(draw: st.DrawFn) -> tuple[Any, Any]:
    """Generate a match with 100,000 points and an outcome whose changes add up to the deposits paid out."""
    match, outcome = np.zeros(1, MATCH), np.zeros(1, OUTCOME)
    game, end = match[0], outcome[0]
    game.seats = len(SEATS)
    owners = [draw(st.integers(0, 3)) for _ in range(4)]
    game.deposits_of[:] = owners
    game.deposits = sum(owners)
    game.number, game.honba = draw(st.integers(0, 19)), draw(st.integers(0, 9))
    points = [100 * draw(st.integers(-100, 600)) for _ in range(3)]
    game.scores[:] = [*points, 100000 - 1000 * sum(owners) - sum(points)]
    end.ended = draw(st.integers(WON, VOIDED))
    end.winners = draw(st.integers(1, 15)) if end.ended == WON else 0
    if end.ended == EXHAUSTED:
        end.tenpai, end.nagashi = draw(st.integers(0, 15)), draw(st.integers(0, 15))
    end.discarder = draw(st.sampled_from((0, 1, 2, 3, 255)))
    end.took_deposits = int(end.ended == WON and draw(st.booleans()))
    moved = [100 * draw(st.integers(-300, 300)) for _ in range(3)]
    end.delta[:] = [*moved, 1000 * sum(owners) * int(end.took_deposits) - sum(moved)]
    return match, outcome


@pytest.mark.slow
@settings(max_examples=scale(600), deadline=None)
@given(RULES, hands(), st.booleans())
def test_settlement_conserves_points(rules: Ruleset, hand: tuple[Any, Any], stop: bool) -> None:
    match, outcome = hand
    game, record = match[0], rules_record(rules)[0]
    number, honba = int(game.number), int(game.honba)
    settle(game, outcome[0], stop, record)
    assert int(game.scores.sum()) + 1000 * int(game.deposits) == 100000
    assert int(game.number) - number in (0, 1)
    assert int(game.honba) in (0, honba, honba + 1)
    if game.over:
        oka = 20000 if rules.match.oka == "derived" and rules.match.return_points == 30000 else 0
        balance = int(game.scores.sum()) - 4 * rules.match.return_points + oka
        assert int(game.final.sum()) == balance
