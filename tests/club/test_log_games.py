"""Logs as games of events, where hands move no points but riichi sticks lie on the table."""

import pytest

from jantaku.club.log_games import log_game
from jantaku.club.played import points_after_hands, points_of
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.events import HandStarted, PointsMoved, RiichiAccepted
from jantaku.records.formats import dumps
from jantaku.rules import Ruleset, load
from support.playing import played

pytestmark = pytest.mark.slow
FREE_DRAWS = {"draw.noten_payment": 0, "match.length": "east", "end.leftover_deposits": "nobody"}


def only_sticks(game: Game) -> int:
    """How many hands moved no points but riichi sticks."""
    laid, moved, found = False, False, 0
    for event in game.events[1:]:
        if isinstance(event, HandStarted):
            found += laid and not moved
            laid = moved = False
        laid |= isinstance(event, RiichiAccepted)
        moved |= isinstance(event, PointsMoved)
    return found + (laid and not moved)


def free_draws(name: str) -> Ruleset:
    return load(name).with_changes(FREE_DRAWS)


@pytest.mark.parametrize("name", ["standard", "standard-3"])
def test_a_log_with_a_draw_that_moves_no_points_is_entered(name: str) -> None:
    rules, seen = free_draws(name), 0
    for seed in range(8):
        game = played(rules, seed)
        seen += only_sticks(game)
        for form in ("jantaku", "mjai"):
            assert len(log_game(dumps(game, form).encode(), rules).hands) == len(game.walls)
        assert points_of(game) == points_after_hands(game)[-1] == tuple(game.scores)
    assert seen


def test_a_log_that_other_rules_would_go_on_with_is_refused() -> None:
    game = played(free_draws("standard-3"), 1)
    longer = load("standard-3").with_changes({**FREE_DRAWS, "match.length": "hanchan"})
    with pytest.raises(RequestError) as caught:
        log_game(dumps(game, "jantaku").encode(), longer)
    assert caught.value.code == "log_not_over"
