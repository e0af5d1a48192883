"""Games entered by their final points, under rules with chips and yakitori."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from jantaku.club import event_from, settle, standings
from jantaku.club.entered_results import GameEnd, check_end, ended_game, interim_end
from jantaku.club.jsonl import settle_answer
from jantaku.errors import RequestError
from jantaku.rules import Ruleset, load
from support.club_games import random_game

PLAIN = load("tenhou").with_changes({"end.tobi": "off", "match.length": "east", "end.extension": "none"})
BOTH = PLAIN.with_changes({"chips.value": 1000, "match.yakitori": 3000})
SCORES = [41000, 29000, 20000, 10000]
FULL = {"scores": SCORES, "chips": [3, -1, 0, -2], "no_win": [3]}


def ron(winner: int, loser: int, **more: Any) -> dict[str, Any]:
    return {"end": "ron", "from": loser, "wins": [{"seat": winner, "han": 1, "fu": 30, **more}]}


def answer(fields: dict[str, Any], rules: Ruleset = BOTH) -> dict[str, Any]:
    return dict(settle_answer(fields, rules))


def test_chips_and_yakitori_count_in_the_final_points_of_entered_ends() -> None:
    reply, plain = answer(FULL), answer({"scores": SCORES}, PLAIN)
    assert (reply["yakitori"], reply["chips"]) == ((3000, 3000, 3000, -9000), (3, -1, 0, -2))
    moved = [one - other for one, other in zip(reply["final"], plain["final"], strict=True)]
    assert moved == [6000, 2000, 3000, -11000]
    assert (reply["places"], reply["hands"], reply["over"]) == (plain["places"], [], True)


@pytest.mark.parametrize("to", ["each_winner", "shared", "first"])
@pytest.mark.parametrize("winner", [1, 3])
def test_an_entered_end_gives_the_same_result_as_its_hands(to: str, winner: int) -> None:
    rules = BOTH.with_changes({"match.yakitori_to": to})
    others = (ron(2, 4 - winner, chips=1), ron(2, winner, chips=4))
    hands = [ron(winner, 0, chips=2), others[0], ron(winner, 2, chips=0), others[1]]
    whole = settle(hands, rules)
    assert whole.over
    end = interim_end(whole, rules)
    again = ended_game(end, rules)
    assert (again.final, again.places, again.chips, again.yakitori, again.no_win) == (
        whole.final,
        whole.places,
        whole.chips,
        whole.yakitori,
        whole.no_win,
    )


@pytest.mark.parametrize("leftover", ["first", "nobody", "riichi_owner"])
@pytest.mark.parametrize("base", ["bgm-2025", "standard-3", "wrc"])
def test_leftover_sticks_are_awarded_as_with_hands(base: str, leftover: str) -> None:
    rules = load(base).with_changes({"end.leftover_deposits": leftover, "match.tie": "share"})
    left = 0
    for seed in range(25):
        hands = random_game(Random(seed), rules)
        last: dict[str, Any] = {"end": "draw", "tenpai": [1], "riichi": [1]}
        for game in (settle(hands, rules), settle([*hands[: len(hands) // 2], last], rules)):
            returned = game.over and leftover == "riichi_owner"
            # the points that the players noted on paper
            paper = game.scores if returned else game.hands[-1].scores
            end = interim_end(replace(game, scores=paper), rules)
            lies = rules.match.start_points * len(paper) - sum(paper)
            left += bool(lies)
            ending = ended_game(end, rules)
            assert sum(ending.scores) == sum(paper) + (0 if leftover == "nobody" else lies)
            if game.over:
                assert (ending.scores, ending.final, ending.places) == (game.scores, game.final, game.places)
    assert left > 12


def test_several_leftover_sticks_go_to_first_place() -> None:
    rules = load("bgm-2025")
    start = rules.match.start_points
    ending = ended_game(GameEnd((start + 9000, start - 1000, start - 4000, start - 7000)), rules)
    whole = ended_game(GameEnd((start + 12000, start - 1000, start - 4000, start - 7000)), rules)
    assert (ending.scores, ending.final, ending.places) == (whole.scores, whole.final, whole.places)


FOUL: dict[str, Any] = {"end": "foul", "fouls": [{"seat": 2, "foul": "false_win_shown"}]}


@pytest.mark.parametrize("way", ["deduct", "to_each"])
def test_a_chombo_costs_the_same_in_an_interrupted_game(way: str) -> None:
    rules = PLAIN.with_changes({"fouls.chombo": way, "fouls.chombo_points": 20000})
    hands = [ron(1, 0), FOUL, ron(3, 2), ron(1, 2), ron(1, 0)]
    whole = settle(hands, rules)
    assert whole.over
    end = interim_end(whole, rules)
    assert end.deducted == ((0, 0, 20000, 0) if way == "deduct" else None)
    assert ended_game(end, rules).final == whole.final
    assert answer({"scores": list(end.scores), **end.besides_scores()}, rules)["final"] == whole.final


def test_no_yakitori_is_paid_without_a_winner() -> None:
    reply = answer({**FULL, "no_win": [0, 1, 2, 3]})
    assert reply["yakitori"] == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "rules", "code", "field"),
    [
        ({"chips": None}, BOTH, "end_without_chips", "chips"),
        ({"no_win": None}, BOTH, "end_without_winners", "no_win"),
        ({}, PLAIN, "no_chips", "chips"),
        ({"chips": None}, PLAIN, "no_yakitori", "no_win"),
        ({"chips": [1, 0, 0, 0]}, BOTH, "chips_sum", "chips"),
        ({"chips": [1, -1]}, BOTH, "wrong_count", "chips"),
        ({"chips": [2001, -2001, 0, 0]}, BOTH, "number_range", "chips[0]"),
        ({"no_win": [4]}, BOTH, "number_range", "no_win[0]"),
        ({"no_win": [1, 1]}, BOTH, "seat_twice", "no_win"),
        ({"deducted": [0, -100, 0, 0]}, BOTH, "number_range", "deducted[1]"),
        ({"deducted": [0, 0]}, BOTH, "wrong_count", "deducted"),
        ({"hands": []}, BOTH, "hands_or_scores", "scores"),
    ],
)
def test_impossible_ends_are_refused(change: Any, rules: Ruleset, code: str, field: str) -> None:
    error = answer({**FULL, **change}, rules)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"]


def test_an_event_file_may_have_games_without_hands() -> None:
    names = ["a", "b", "c", "d"]
    event: dict[str, Any] = {
        "jantaku_event": 1,
        "name": "Chips",
        "players": [{"id": name} for name in names],
        "stages": [{"id": "s"}],
        "games": [{"id": "g", "stage": "s", "players": names, **FULL}],
    }
    rows = standings(event_from(event, BOTH)).stages["s"]
    points = {row.player: row.points for row in rows}
    assert [points[name] for name in names] == list(answer(FULL)["final"])
    del event["games"][0]["no_win"]
    with pytest.raises(RequestError) as refused:
        event_from(event, BOTH)
    assert refused.value.details["field"] == "games[0].no_win"


@pytest.mark.parametrize(
    ("base", "changes", "sticks"),
    [
        ("tenhou", {}, 12),
        ("tenhou-3", {}, 9),
        ("tenhou", {"riichi.deposit": 10_000}, 10),
        ("tenhou", {"riichi.sticks_to": "riichi_winner"}, 64),
        ("tenhou", {"riichi.deposit": 0}, 0),
        ("tenhou", {"end.leftover_deposits": "riichi_owner"}, 0),
    ],
)
def test_missing_points_are_limited_to_possible_riichi_sticks(
    base: str, changes: dict[str, Any], sticks: int
) -> None:
    rules = load(base).with_changes(changes)
    deposit, seats = rules.riichi.deposit or 1000, rules.match.players

    def is_accepted(lost: int) -> bool:
        scores = [rules.match.start_points] * seats
        scores[0] -= lost
        try:
            check_end(GameEnd(tuple(scores)), rules)
        except RequestError:
            return False
        return True

    accepted = [count for count in range(-2, 110) if is_accepted(count * deposit)]
    assert accepted == list(range(sticks + 1))
    assert not any(is_accepted(count * deposit + more) for count in (0, 1) for more in (-100, 100))
