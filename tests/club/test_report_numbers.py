"""The numbers in a report, counted again from the raw hands of random events."""

from random import Random
from typing import Any

import pytest

from jantaku.club import event_figures, event_from
from jantaku.club.export.event_tables import EventTables
from jantaku.club.report import event_report
from jantaku.rules import load
from support.club_games import random_event


def raw_hands(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the hands that no chombo has voided."""
    return [hand for game in data["games"] for hand in game.get("hands", ()) if hand["end"] != "foul"]


@pytest.mark.parametrize(("rules", "seed"), [("bgm-2025", 4), ("tenhou", 5), ("mahjongsoul", 6)])
def test_the_numbers_match_a_recount(rules: str, seed: int) -> None:
    data = random_event(Random(seed), load(rules), 9, 24)
    over = {result.id for result in event_from(data).results}
    data["games"] = [game for game in data["games"] if game["id"] in over]
    numbers, hands = event_report(EventTables(event_from(data))).numbers, raw_hands(data)
    winners = [len(hand.get("wins") or ()) for hand in hands]
    assert numbers.games == len(data["games"])
    assert numbers.games_with_hands == sum("hands" in game for game in data["games"])
    assert numbers.hands == len(hands)
    assert (numbers.wins, numbers.winners) == (sum(map(bool, winners)), sum(winners))
    assert numbers.tsumo == sum(hand["end"] == "tsumo" for hand in hands)
    assert numbers.riichi == sum(len(hand.get("riichi") or ()) for hand in hands)
    assert numbers.wins + numbers.draws <= numbers.hands


@pytest.mark.parametrize(("kind", "win"), [("as_win", 1), ("as_draw", 0)])
def test_a_nagashi_mangan_is_a_win_if_the_rules_say_so(kind: str, win: int) -> None:
    draw = {"end": "draw", "tenpai": [1], "nagashi": [0]}
    both = {"end": "ron", "from": 3, "wins": [{"seat": 0, "yakuman": 2}, {"seat": 1, "yakuman": 2}]}
    rules = {"extends": "standard", "draw": {"nagashi_mangan": kind}}
    players = [{"id": name} for name in "abcd"]
    games = [
        {"id": "g", "stage": "s", "players": list("abcd"), "hands": [draw, both]},
        {"id": "h", "stage": "s", "players": list("abcd"), "scores": [40000, 30000, 20000, 10000]},
    ]
    data = {"jantaku_event": 1, "rules": rules, "players": players, "stages": [{"id": "s"}], "games": games}
    numbers = event_report(EventTables(event_from(data))).numbers
    assert (numbers.games, numbers.games_with_hands, numbers.hands) == (2, 1, 2)
    assert (numbers.wins, numbers.winners, numbers.draws) == (1 + win, 2 + win, 1 - win)
    figures = event_figures(event_from(data)).player("a")
    assert figures.rates["win"].count == 1 + win
    assert figures.rates["draw"].count == 1 - win
    assert [bar.key for bar in figures.yaku.bars] == ["nagashi_mangan"] * win
