"""Recorded games that are impossible, and games in JSON lines on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.cli.app import app
from jantaku.club import settle
from jantaku.club.jsonl import settle_answer
from jantaku.errors import RequestError
from support.scoring import table
from support.table import ruleset

RON = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}
BUST = [{"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 1}]}]
POOR = [
    {"end": "ron", "from": 1, "wins": [{"seat": 2, "limit": "sanbaiman"}]},
    {"end": "ron", "from": 1, "wins": [{"seat": 2, "han": 1, "fu": 30}]},
]


def refused(hands: list[Any], rules: Any = "standard") -> RequestError:
    with pytest.raises(RequestError) as error:
        settle(hands, rules)
    return error.value


def win(**value: Any) -> dict[str, Any]:
    return {"end": "tsumo", "wins": [{"seat": 0, **value}]}


REFUSED = table("entered_refused.tsv")


@pytest.mark.parametrize("row", REFUSED, ids=[row["case"] for row in REFUSED])
def test_impossible_hands_are_refused(row: dict[str, str]) -> None:
    field = row["field"]
    answer = settle_answer({"id": row["case"], "hands": json.loads(row["hands"])})
    assert set(answer) == {"id", "error"}
    error = answer["error"]
    assert (error["code"], error["field"]) == (row["code"], field)
    assert error["hand"] == int(field.removeprefix("hands[")[0])
    assert error["message"].startswith(field)


def test_too_many_hands_are_refused() -> None:
    error = settle_answer({"hands": [{"end": "draw", "tenpai": [0]}] * 1001})["error"]
    assert (error["code"], error["hand"], error["field"]) == ("too_many_hands", None, "hands")


def test_unlimited_points_are_refused() -> None:
    rules = {
        "extends": "standard",
        "score": {"honba_value": 10_000, "aotenjou": True},
        "end": {"tobi": "off", "agari_yame": "off", "tenpai_yame": "off"},
        "match": {"length": "full"},
    }
    hands = [{"end": "tsumo", "wins": [{"seat": 0, "han": 60, "fu": 100}]}] * 200
    error = settle_answer({"rules": rules, "hands": hands})["error"]
    assert error["code"] == "number_range"
    assert error["field"] == f"hands[{error['hand']}]"


def test_every_stick_is_counted() -> None:
    rules = {"extends": "standard", "riichi": {"deposit": 100}, "end": {"tobi": "off"}}
    fouls = [{"seat": seat % 4, "foul": "call_slip"} for seat in range(8)]
    game = settle_answer({"rules": rules, "hands": [{"end": "draw", "tenpai": [0], "fouls": fouls}] * 300})
    assert game["hands"][-1]["deposits"] == 299 * 80


@pytest.mark.parametrize(
    ("rules", "hand", "code"),
    [
        ({"draw.kyuushu_kyuuhai": False}, {"end": "abort", "kind": "kyuushu_kyuuhai"}, "abort_not_in_rules"),
        ({"draw.suufuu_renda": False}, {"end": "abort", "kind": "suufuu_renda"}, "abort_not_in_rules"),
        ("wrc", {"end": "abort", "kind": "sanchahou", "from": 1}, "abort_not_in_rules"),
        ({"draw.nagashi_mangan": "off"}, {"end": "draw", "nagashi": [1]}, "nagashi_not_in_rules"),
        ({"yaku.nagashi_mangan.closed": False}, {"end": "draw", "nagashi": [1]}, "nagashi_not_in_rules"),
        ("ema", win(yakuman=2), "too_many_yakuman"),
        ({"pao.yakuman": []}, win(yakuman=1, pao={"seats": [1]}), "no_pao"),
    ],
)  # fmt: skip
def test_hands_outside_the_rules_are_refused(rules: Any, hand: dict[str, Any], code: str) -> None:
    assert refused([hand], ruleset(rules)).code == code


def test_riichi_on_credit_where_the_rules_allow_it() -> None:
    rules = ruleset({"riichi.needs_points": False, "end.tobi": "off"})
    assert settle([*POOR, RON | {"riichi": [1]}], rules).hands[2].deltas == (2000, -2000, 0, 0)


def test_a_broken_line_does_not_stop_the_next(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"id":1,"hands":[{"end":"ron"}]}\nnonsense\n{"id":2,"hands":[]}\n', "utf-8")
    with pytest.raises(SystemExit) as stopped:
        app(["settle", "--jsonl", str(file)])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert stopped.value.code == 0
    assert [answer.get("id") for answer in answers] == [1, None, 2]
    assert answers[0]["error"]["hand"] == 0
    assert answers[2]["scores"] == [25000] * 4


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_a_game_is_shown_in_every_language(
    language: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"hands": BUST}, indent=1), "utf-8")
    with pytest.raises(SystemExit) as stopped:
        app(["settle", str(file), "--lang", language])
    shown = capsys.readouterr().out
    assert stopped.value.code == 0
    assert "+83,000" in shown
    assert "−23,000" in shown
