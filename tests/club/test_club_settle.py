"""Settling recorded games: hand-written examples, the data of the contract, fouls, and played games."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import scale
from jantaku.club import EnteredHand, EnteredLiability, EnteredWin, settle
from jantaku.club.as_entered import played_hands, points_after_hands
from jantaku.club.jsonl import settle_answer
from jantaku.game import Foul, Game
from jantaku.rules import load, preset_names
from support.playing import played
from support.scoring import table
from support.table import ruleset

ROWS = table("entered.tsv")


def changes(text: str) -> dict[str, Any]:
    """Parse changes to the standard rules such as ``end.tobi="off" riichi.deposit=500``."""
    pairs = dict(part.split("=", 1) for part in text.split())
    return {path: _value(value) for path, value in pairs.items()}


def _value(text: str) -> Any:
    setting = text if text == "off" else json.loads(text)
    return tuple(setting) if isinstance(setting, list) else setting


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_entered_hands(row: dict[str, str]) -> None:
    game = settle(json.loads(row["hands"]), ruleset(changes(row["rules"])))
    assert list(game.hands[-1].deltas) == [int(word) for word in row["deltas"].split()]
    assert [game.number, game.honba, game.deposits] == [int(word) for word in row["next"].split()]
    final = None if game.final is None else list(game.final)
    assert final == ([int(word) for word in row["final"].split()] or None)


def test_the_recorded_games_of_the_contract(shared_data: Path) -> None:
    lines = (shared_data / "settle-tenhou.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 35
    for line in lines:
        row = json.loads(line)
        answer = json.loads(json.dumps(settle_answer(row["request"])))
        assert {name: answer[name] for name in row["expect"]} == row["expect"]


def test_the_example_of_the_contract() -> None:
    hands: list[dict[str, Any]] = [
        {"riichi": [0, 2], "end": "ron", "from": 1,
         "wins": [{"seat": 0, "han": 3, "fu": 40}, {"seat": 2, "limit": "mangan"}]},
        {"end": "tsumo", "wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [1], "yakuman": 1}}]},
        {"riichi": [3], "end": "draw", "tenpai": [0, 3], "nagashi": []},
        {"end": "abort", "kind": "kyuushu_kyuuhai", "seat": 1},
        {"end": "foul", "fouls": [{"seat": 1, "foul": "furiten_ron"}]},
    ]  # fmt: skip
    answer = settle_answer(
        {"id": "g1", "rules": "bgm-2025", "hands": hands, "penalties": [{"seat": 3, "points": -5000}]}
    )
    assert [hand["deltas"] for hand in answer["hands"]] == [
        (6700, -15700, 9000, 0),
        (0, -32300, 32300, 0),
        (1500, -1500, -1500, 500),
        (0, 0, 0, 0),
        (3000, -9000, 3000, 3000),
    ]
    assert (answer["id"], answer["over"], answer["final"], answer["places"]) == ("g1", False, None, None)
    assert answer["scores"] == (41200, -28500, 72800, 33500)


def test_dataclasses_and_json_objects_settle_alike() -> None:
    values = [
        EnteredHand("draw", riichi=(3,), tenpai=(0, 3)),
        EnteredHand("ron", wins=(EnteredWin(2, yakuman=1, pao=EnteredLiability((3,), 1)),), discarder=1),
    ]
    objects: list[dict[str, Any]] = [
        {"end": "draw", "riichi": [3], "tenpai": [0, 3]},
        {"end": "ron", "from": 1, "wins": [{"seat": 2, "yakuman": 1, "pao": {"seats": [3]}}]},
    ]
    assert settle(values, "tenhou") == settle(objects, "tenhou")


def test_penalties_affect_only_the_final_points() -> None:
    hands: list[dict[str, Any]] = [{"end": "ron", "from": 0, "wins": [{"seat": 1, "yakuman": 1}]}]
    plain = settle(hands)
    fined = settle(hands, penalties=[(3, -5000), (3, -1000), (0, 500)])
    assert plain.final == (-57000, 67000, 5000, -15000)
    assert fined.final == (-56500, 67000, 5000, -21000)
    assert (fined.scores, fined.places) == (plain.scores, plain.places)


def test_a_deducted_chombo_is_subtracted_from_the_final_points() -> None:
    rules = ruleset({"fouls.chombo": "deduct", "fouls.chombo_points": 20000})
    foul = {"end": "foul", "riichi": [0], "fouls": [{"seat": 2, "foul": "furiten_ron"}]}
    game = settle([foul, {"end": "ron", "from": 0, "wins": [{"seat": 1, "yakuman": 1}]}], rules)
    assert game.hands[0].deltas == (0, 0, 0, 0)
    assert game.final == (-57000, 67000, -15000, -15000)


def test_a_hand_with_many_fouls_settles_as_played() -> None:
    game = Game(ruleset({"fouls.mode": "penalise", "end.tobi": "off"}), seed=5)
    slip = Foul("call_slip")
    while game.record.match.number == 0 and game.record.match.honba == 0:
        slips = [seat for seat in range(4) if slip in game.fouls(seat)]
        seat = slips[0] if slips else game.to_act[0]
        plain = (action for action in game.legal(seat) if getattr(action, "riichi", None) is None)
        game.play(seat, slip if slips else [*plain][-1])
    hand = played_hands(game)[0]
    assert len(hand["fouls"]) > 100
    assert settle([hand], game.rules).scores == points_after_hands(game)[0]


# Invariants ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_an_entered_game_settles_like_the_played_one(preset: str) -> None:
    for seed in range(scale(4)):
        game = played(preset, seed)
        assert game.is_over
        settlement = settle(played_hands(game), load(preset))
        assert (settlement.over, list(settlement.scores)) == (True, list(game.scores))
        assert list(settlement.final or ()) == [
            int(points) for points in game.record.match.final[: len(game.scores)]
        ]
        assert list(settlement.places or ()) == [
            int(place) for place in game.record.match.place[: len(game.scores)]
        ]


def test_three_player_games_have_three_columns() -> None:
    game = settle([{"end": "draw", "tenpai": [1]}, {"end": "draw", "tenpai": [0, 2]}], load("standard-3"))
    assert [len(row) for hand in game.hands for row in (hand.deltas, hand.scores)] == [3] * 4
    assert (len(game.scores), sum(game.scores)) == (3, 105000)
    assert game.hands[0].deltas == (-1000, 2000, -1000)
