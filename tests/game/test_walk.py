"""Replaying a game's events step by step gives the same table as the engine."""

from random import Random

import pytest

from jantaku.game import Game
from jantaku.game.events import HandStarted, hide
from jantaku.game.walk import HandEnd, TableWalk, walk
from jantaku.tiles import RED


def counts(tiles: list[int]) -> list[int]:
    return [sum(tile % RED == kind for tile in tiles) for kind in range(34)]


@pytest.mark.parametrize(("rules", "seed"), [("tenhou", 4), ("korea-3", 2)])
def test_the_walk_agrees_with_the_engine_on_tiles_and_points(rules: str, seed: int) -> None:
    game, rng, table, hands = Game(rules, seed=seed), Random(seed), TableWalk(), 0
    done = 0
    while not game.is_over and hands < 4:
        for event in game.events[done:]:
            hands += isinstance(event, HandStarted)
            table.apply(event)
        done = len(game.events)
        for seat in game.seats:
            assert counts(table.held[seat]) == game.record.hand[seat].tolist()
        assert tuple(table.scores) == game.scores
        assert table.deposits == game.record.match.deposits
        seat = rng.choice(game.to_act)
        game.play(seat, rng.choice(game.legal(seat)))


def test_every_hand_ends_once_before_its_points_change() -> None:
    game, rng = Game("standard", seed=7), Random(7)
    while not game.is_over:
        seat = rng.choice(game.to_act)
        game.play(seat, rng.choice(game.legal(seat)))
    for seen in (game.events, [hide(event, 1) for event in game.events]):
        table, before = TableWalk(), []
        ends = []
        for event in walk(seen, table):
            if isinstance(event, HandEnd):
                ends.append(event)
                before.append([a + b for a, b in zip(table.scores, event.deltas, strict=True)])
        starts = [list(event.scores) for event in game.events if isinstance(event, HandStarted)]
        assert len(ends) == len(starts)
        assert before[:-1] == starts[1:]
