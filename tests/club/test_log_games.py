"""Logs as games of an event, including hands in which only riichi sticks change hands."""

import pytest

from jantaku.club.as_entered import played_hands, points_after_hands, points_of
from jantaku.club.log_games import log_game
from jantaku.club.settlement import settle
from jantaku.errors import RequestError
from jantaku.game import Discard, Game, Pass
from jantaku.game.events import HandStarted, PointsMoved, RiichiAccepted
from jantaku.records.formats import dumps
from jantaku.rules import Ruleset, load
from support.playing import played

pytestmark = pytest.mark.slow
FREE_DRAWS = {"draw.noten_payment": 0, "match.length": "east", "end.leftover_deposits": "nobody"}


def hands_with_only_sticks(game: Game) -> int:
    """Count the hands in which nothing but riichi sticks changed hands."""
    laid, moved, count = False, False, 0
    for event in game.events[1:]:
        if isinstance(event, HandStarted):
            count += laid and not moved
            laid = moved = False
        laid |= isinstance(event, RiichiAccepted)
        moved |= isinstance(event, PointsMoved)
    return count + (laid and not moved)


def free_draws(name: str) -> Ruleset:
    return load(name).with_changes(FREE_DRAWS)


@pytest.mark.parametrize("name", ["standard", "standard-3"])
def test_a_log_with_a_draw_that_moves_no_points_is_imported(name: str) -> None:
    rules, seen = free_draws(name), 0
    for seed in range(8):
        game = played(rules, seed)
        seen += hands_with_only_sticks(game)
        for form in ("jantaku", "mjai"):
            assert len(log_game(dumps(game, form).encode(), rules).hands) == len(game.walls)
        assert points_of(game) == points_after_hands(game)[-1] == tuple(game.scores)
    assert seen


def test_a_log_that_ends_too_early_for_the_rules_is_refused() -> None:
    game = played(free_draws("standard-3"), 1)
    longer = load("standard-3").with_changes({**FREE_DRAWS, "match.length": "hanchan"})
    with pytest.raises(RequestError) as caught:
        log_game(dumps(game, "jantaku").encode(), longer)
    assert caught.value.code == "log_not_over"


@pytest.mark.parametrize("name", ["standard", "standard-3"])
@pytest.mark.parametrize("cost", ["none", "noten_at_draw", "dead_hand"])
def test_riichi_without_tenpai_is_imported_as_a_foul(name: str, cost: str) -> None:
    """If a draw shows that a hand in riichi is noten, there is a foul, even one without a penalty."""
    rules = load(name).with_changes({"fouls.mode": "penalise", "fouls.noten_riichi": cost})
    game = Game(rules, seed=3)
    while len(game.walls) == 1:
        seat = game.to_act[0]
        fouls = game.fouls(seat) if seat == 1 else []
        riichi = [act for act in fouls if isinstance(act, Discard) and act.riichi]
        plain = [act for act in game.legal(seat) if isinstance(act, Discard | Pass)]
        game.play(seat, (riichi or plain)[0])
    [hand] = played_hands(game)
    assert hand["end"] == "draw"
    assert {foul["foul"] for foul in hand["fouls"]} == {"noten_riichi"}
    assert settle([hand], rules).scores == tuple(game.scores)
