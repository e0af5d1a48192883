"""The first hand of somebody who has never played: real rules, a stacked wall, and players who help."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from jantaku import Meld, Win, score
from jantaku.errors import IllegalActionError
from jantaku.game import Action
from jantaku.game.fair_walls import checked
from jantaku.game.notation import from_dict
from jantaku.rules import load
from jantaku.server.errors import ServerError
from jantaku.server.study.first_hand_routes import HAND, MOST_MOVES, RULES, FirstHand, first_hand, wall
from jantaku.tiles import RED, format_tiles, parse_tiles

Shown = dict[str, Any]


def action(found: Shown) -> Action:
    return from_dict({name: value for name, value in found.items() if value is not None})


def advised(shown: Shown) -> Shown:
    """What the lesson advises: win, let calls pass, declare riichi, discard for the most acceptance."""
    legal = shown["own"]["legal"]
    best = shown["hints"]["discards"][0]["tile"] if shown["hints"]["discards"] else None
    wins = [action for action in legal if action["type"] in ("ron", "tsumo")]
    passes = [action for action in legal if action["type"] == "pass"]
    riichi = [action for action in legal if action.get("riichi")]
    discards = [action for action in legal if action.get("tile") == best]
    choice: Shown = (wins or passes or riichi or discards)[0]
    return choice


def test_the_wall_is_a_wall_of_its_rules() -> None:
    assert format_tiles(checked(wall(), load(RULES))) == format_tiles(parse_tiles(format_tiles(wall())))


def test_the_numbers_on_the_cards_are_those_of_its_rules() -> None:
    kinds = Counter(format_tiles([tile % RED]) for tile in wall())
    suits = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]
    winds, dragons = [f"{wind}z" for wind in range(1, 5)], [f"{dragon}z" for dragon in range(5, 8)]
    assert kinds == dict.fromkeys([*suits, *winds, *dragons], 4)
    shown = first_hand([], "en")
    started, drew = shown["events"]
    assert len(parse_tiles(started["hands"][0])) == 13
    assert (drew["type"], drew["seat"], drew["tile"]) == ("drew", 0, shown["own"]["drawn"])
    # The hand on the second card, with the pair as a dora, and one of 2 to 8 alone that has been opened
    whole = [
        score(Win.parse("234678m345s777p2z 2z", dora=dora, riichi="riichi"), RULES) for dora in ("", "1z")
    ]
    assert whole[1].yaku == {**whole[0].yaku, "dora": 2}
    assert score(Win.parse("234678m345s8p 8p", [Meld.parse("pon", "777p")]), RULES).yaku == {"tanyao": 1}


@pytest.mark.slow
def test_who_follows_the_advice_meets_every_lesson_and_wins() -> None:
    moves: list[Action] = []
    met: list[str] = []
    shown = first_hand(moves, "en")
    assert shown["own"]["hand"] == format_tiles(parse_tiles(HAND))
    while not shown["over"]:
        FirstHand(**shown)
        met += [action["type"] for action in shown["own"]["legal"]]
        met += [f"riichi {action['riichi']}" for action in shown["own"]["legal"] if action.get("riichi")]
        moves.append(action(advised(shown)))
        shown = first_hand(moves, "en")
    assert {"pon", "chi", "riichi riichi"} <= set(met)
    staked = next(event for event in shown["events"] if event["type"] == "riichi_accepted")
    assert (staked["seat"], staked["deposit"]) == (0, shown["deposit"])
    won = next(event for event in shown["events"] if event["type"] == "won")
    assert won["seat"] == 0
    assert {"riichi", "pinfu", "tanyao"} <= won["score"]["yaku"].keys()
    assert len(moves) < 15
    with pytest.raises(ServerError):
        first_hand([*moves, moves[0]], "en")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whoever_plays_otherwise_plays_on_to_an_end(seed: int) -> None:
    chance, moves = Random(seed), []
    shown = first_hand([], "ko")
    while not shown["over"]:
        moves.append(action(chance.choice(shown["own"]["legal"])))
        shown = first_hand(moves, "ko")
    assert len(moves) <= MOST_MOVES
    winners = [event["seat"] for event in shown["events"] if event["type"] == "won"]
    assert set(winners) <= {0}  # the others never win
    assert [event["type"] for event in shown["events"]].count("hand_started") == 1


@pytest.mark.slow
def test_nothing_hidden_is_sent_and_nothing_illegal_is_played() -> None:
    shown = first_hand([], "ja")
    started, *rest = shown["events"]
    assert [hand is None for hand in started["hands"]] == [False, True, True, True]
    shown = first_hand([action(advised(shown))], "ja")
    drawn = [event.get("tile") for event in shown["events"] if event["type"] == "drew" and event["seat"]]
    assert drawn == [None] * 3
    with pytest.raises(IllegalActionError):
        first_hand([from_dict({"type": "ron"})], "ja")
    assert rest
