"""Chips and yakitori in recorded games: how they change the final points, and which fields are required."""

from typing import Any

import pytest

from jantaku import terms
from jantaku.cli.bot_games import final_sheet
from jantaku.club import settle
from jantaku.club.as_entered import end_of, played_hands
from jantaku.errors import RequestError
from jantaku.game.events import PointsMoved
from jantaku.rules import Ruleset, load
from support.playing import played
from support.terminal import written

CHIPS = load("standard").with_changes({"chips.value": 2000, "match.length": "east", "end.tobi": "off"})
YAKITORI = load("standard").with_changes({"match.yakitori": 5000, "match.length": "east", "end.tobi": "off"})
PLAIN = load("standard").with_changes({"match.length": "east", "end.tobi": "off"})


def ron(winner: int, loser: int, **more: Any) -> dict[str, Any]:
    return {"end": "ron", "from": loser, "wins": [{"seat": winner, "han": 1, "fu": 30, **more}]}


def ended(first: dict[str, Any], rules: Ruleset) -> Any:
    """Settle a game that starts with this hand, after which South, West and East each win without chips."""
    none = {"chips": 0} if rules.chips.value else {}
    return settle([first, ron(2, 1, **none), ron(3, 2, **none), ron(0, 3, **none)], rules)


def test_chips_affect_only_the_final_points() -> None:
    first = {"end": "tsumo", "wins": [{"seat": 1, "han": 1, "fu": 30, "chips": 2}]}
    plain = ended({"end": "tsumo", "wins": [{"seat": 1, "han": 1, "fu": 30}]}, PLAIN)
    game = ended(first, CHIPS)
    assert game.hands[0].chips == (-2, 6, -2, -2)
    assert (game.scores, game.places) == (plain.scores, plain.places)
    gained = [after - before for after, before in zip(game.final, plain.final, strict=True)]
    assert (game.chips, gained) == ((-2, 6, -2, -2), [-4000, 12000, -4000, -4000])
    assert game.to_dict()["chips"] == (-2, 6, -2, -2)
    assert "chips" not in plain.to_dict()


def test_only_the_discarder_pays_the_chips_of_a_ron() -> None:
    assert settle([ron(1, 3, chips=3)], CHIPS).chips == (0, 3, 0, -3)


@pytest.mark.parametrize(
    ("entered", "chips"),
    [
        ({"yaku": ["riichi", "ippatsu"]}, 1),
        ({"yaku": {"riichi": 1, "ippatsu": 1, "ura_dora": 2, "red_dora": 1}}, 4),
        ({"yaku": ["riichi", "ura_dora"], "bonus": {"ura_dora": 3}}, 3),
        ({"yaku": ["pinfu"]}, 0),
        ({"yaku": ["riichi", "ippatsu"], "chips": 0}, 0),  # a number that was entered takes precedence
    ],
)
def test_chips_follow_from_known_yaku(entered: dict[str, Any], chips: int) -> None:
    riichi = [1] if "riichi" in entered["yaku"] else []
    hand = {**ron(1, 3, **{"han": 4, **entered}), "riichi": riichi}
    assert settle([hand], CHIPS).chips == (0, chips, 0, -chips)


@pytest.mark.parametrize(("end", "chips"), [("ron", (0, 20, 0, -20)), ("tsumo", (-10, 30, -10, -10))])
def test_yakuman_have_a_fixed_number_of_chips(end: str, chips: tuple[int, ...]) -> None:
    by = {"from": 3} if end == "ron" else {}
    hand = {"end": end, "wins": [{"seat": 1, "yakuman": 2}], **by}
    assert settle([hand], CHIPS).chips == chips


def test_red_tiles_of_an_open_hand_may_pay_no_chips() -> None:
    rules = CHIPS.with_changes({"chips.red_open": False})
    entered = {"yaku": {"tanyao": 1, "red_dora": 1}}
    assert settle([{**ron(1, 3, **entered), "calls": [1]}], rules).chips == (0, 0, 0, 0)
    assert settle([{**ron(1, 3, fu=40, **entered), "calls": []}], rules).chips == (0, 1, 0, -1)
    with pytest.raises(RequestError, match="chips"):
        settle([ron(1, 3, **entered)], rules)


@pytest.mark.parametrize("entered", [{}, {"yaku": ["ura_dora"]}])
def test_a_win_with_unknown_chips_is_refused(entered: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as refused:
        settle([ron(1, 3, **entered)], CHIPS)
    assert (refused.value.code, refused.value.details["field"]) == ("chips_unknown", "hands[0].wins[0].chips")


def test_chips_are_refused_under_rules_without_them() -> None:
    with pytest.raises(RequestError) as refused:
        settle([ron(1, 3, chips=1)], PLAIN)
    assert refused.value.code == "no_chips"


def test_players_without_a_win_pay_yakitori() -> None:
    hands = [ron(1, 3), ron(2, 3), ron(1, 3), ron(2, 3)]
    plain, game = settle(hands, PLAIN), settle(hands, YAKITORI)
    assert game.yakitori == (-10000, 10000, 10000, -10000)
    assert game.final is not None
    assert plain.final is not None
    assert [a - b for a, b in zip(game.final, plain.final, strict=True)] == list(game.yakitori)
    assert settle(hands[:2], YAKITORI).yakitori is None  # the game is not over


def test_a_played_game_and_its_entered_hands_give_the_same_result() -> None:
    rules = load("standard").with_changes(
        {"chips.value": 1000, "chips.red_open": False, "match.yakitori": 3000, "match.length": "east"}
    )
    moved = 0
    for seed in range(3):
        game = played(rules, seed)
        end, settled = end_of(game), settle(played_hands(game), rules)
        assert end is not None
        assert (settled.final, settled.chips, settled.yakitori) == (end.final, end.chips, end.yakitori)
        chips_ = [event.chips for event in game.events if isinstance(event, PointsMoved) and event.chips]
        assert [sum(column) for column in zip(*chips_, strict=True)] == list(end.chips or ()) or not chips_
        moved += len(chips_)
    assert moved  # the seeds must include wins with chips


def test_the_final_sheet_of_the_terminal_lists_chips_and_yakitori() -> None:
    game = played(CHIPS.with_changes({"match.yakitori": 3000}), 2)
    end = end_of(game)
    assert end is not None
    assert end.chips is not None
    names = ["A", "B", "C", "D"]
    with terms.using("en"):
        sheet = written(final_sheet(game, names))
    moved = " · ".join(
        f"{name} {terms.signed(count)}" for name, count in zip(names, end.chips, strict=True) if count
    )
    assert f"Chips: {moved}" in sheet
    assert "Yakitori: " in sheet
    assert "+40,000" in sheet  # first place with uma and oka, but without chips and yakitori
