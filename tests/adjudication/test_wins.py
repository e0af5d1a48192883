"""Wins of known value: 5,000 real wins on Tenhou, and the catalogue's examples under many presets.

The files in ``tests/data`` are generated with the reference scorer (``naive``): ``naive/make_wins.py``
writes the examples and random hands, ``support/bot_games.py`` the wins from bot games under every preset.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jantaku
from conftest import scale
from jantaku.adjudication import batch
from jantaku.adjudication.requests import win_from_request
from jantaku.kernels.fu import FU_ITEMS
from jantaku.kernels.win import LIMITS, NO_ERROR
from jantaku.rules import catalogue
from naive.make_wins import DEFAULTS
from support.presets import FOUR
from support.scoring import DATA, SEATS, Answer, agrees, answer

Row = dict[str, Any]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


OWN = read(DATA / "wins.jsonl")
RANDOM = [row | {"request": DEFAULTS | row["request"]} for row in read(DATA / "random-wins.jsonl")]
PLAYED = [row | {"request": DEFAULTS | row["request"]} for row in read(DATA / "bot-wins.jsonl")]


def mistakes(rows: list[Row]) -> list[tuple[str, Answer, Answer]]:
    """Return the rows whose answer differs from the expected one in any given field."""
    wrong = []
    for row in rows:
        request, expect = row["request"], row["expect"]
        reply = answer(request, jantaku.load(request["rules"]))
        if {name: reply.get(name) for name in expect} != expect or not adds_up(reply, request):
            wrong.append((request["id"], expect, reply))
    return wrong


def adds_up(reply: Answer, request: Row) -> bool:
    """Return whether fu, han and payments are each the sum of their parts."""
    if "error" in reply:
        return True
    sticks = request["deposits"] * jantaku.load(request["rules"]).riichi.deposit
    items, yaku = reply["fu_items"], reply["yaku"]
    whole = reply["yakuman"] > 0
    return (
        set(items) <= set(FU_ITEMS)
        and sum(items.values()) == (reply["fu"] or 0)
        and sum(yaku.values()) == (13 * reply["yakuman"] if whole else reply["han"])
        and sum(reply["payments"].values()) == sticks
    )


@pytest.fixture(scope="module")
def tenhou(shared_data: Path) -> list[Row]:
    rows = read(shared_data / "wins-tenhou.jsonl")
    for row in rows:
        if isinstance(row["expect"]["yaku"], list):  # seven yakuman hands list their yaku without values
            row["expect"]["yaku"] = dict.fromkeys(row["expect"]["yaku"], 13)
    return rows


def test_tenhou_wins(tenhou: list[Row]) -> None:
    assert len(tenhou) == 5000
    assert mistakes(tenhou[: scale(5000)]) == []


def test_the_oracle_agrees_with_the_tenhou_wins(tenhou: list[Row]) -> None:
    rules = jantaku.load("tenhou")
    for row in tenhou[: scale(1000)]:
        assert agrees(answer(row["request"], rules), row["request"], rules)


def test_tenhou_wins_in_one_batch(tenhou: list[Row]) -> None:
    rows = tenhou[: scale(5000)]
    wins = [win_from_request(row["request"]) for row in rows]
    value = batch.score(batch.win_records(wins), "tenhou")
    assert (value.error == NO_ERROR).all()
    for name in ("yakuman", "points"):
        assert getattr(value, name).tolist() == [row["expect"][name] for row in rows]
    for name in ("han", "fu"):
        assert getattr(value, name).tolist() == [row["expect"][name] or 0 for row in rows]
    payments = [[row["expect"]["payments"][seat] for seat in SEATS] for row in rows]
    assert value.payments.tolist() == payments
    names = [name for name in catalogue() if name != "nagashi_mangan"]
    bonus = {"dora", "red_dora", "ura_dora"}
    for mask, row in zip(value.yaku.tolist(), rows, strict=True):
        held = {name for bit, name in enumerate(names) if mask >> bit & 1}
        reported = {catalogue()[name].form_of or name for name in held}
        assert reported == set(row["expect"]["yaku"]) - bonus


@pytest.mark.parametrize("row", OWN, ids=[row["request"]["id"] for row in OWN])
def test_stored_wins(row: Row) -> None:
    assert mistakes([row]) == []


@pytest.mark.parametrize("rules", FOUR)
def test_wins_of_bot_games(rules: str) -> None:
    rows = [row for row in PLAYED if row["request"]["rules"] == rules]
    assert len(rows) > 70
    assert mistakes(rows[: scale(len(rows))]) == []


def test_random_wins_in_one_batch() -> None:
    wins = [win_from_request(row["request"]) for row in RANDOM]
    value = batch.score(batch.win_records(wins), "tenhou")
    assert len(wins) > 1000
    assert (value.error == NO_ERROR).all()
    assert value.points.tolist() == [row["expect"]["points"] for row in RANDOM]
    payments = [[row["expect"]["payments"][seat] for seat in SEATS] for row in RANDOM]
    assert value.payments.tolist() == payments


def test_stored_wins_in_batches() -> None:
    for name in FOUR:
        rows = [row for row in OWN if row["request"]["rules"] == name]
        value = batch.score(batch.win_records(win_from_request(row["request"]) for row in rows), name)
        expected = [row["expect"] for row in rows]
        assert (value.error == NO_ERROR).tolist() == ["error" not in row for row in expected]
        assert value.points.tolist() == [row.get("points", 0) for row in expected]
        good = np.flatnonzero(value.error == NO_ERROR)
        assert [LIMITS[value.limit[i]] for i in good] == [expected[i]["limit"] for i in good]
