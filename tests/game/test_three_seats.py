"""How many play comes from the rules: whole games with three seats, and nothing gets lost.

No ruleset offers three players yet, so the test sets the field of the options past the check.
"""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from conftest import scale
from jantaku.adjudication.score import Score
from jantaku.bots import bot
from jantaku.bots.arena import contest, pairing
from jantaku.bots.match import GAMES, HANDS, new_match, play_match
from jantaku.game import Game
from jantaku.game.engine import concealed, context, melds, others
from jantaku.game.events import EVENTS, GameEnded, HandDrawn, HandStarted, PointsMoved, Won, from_dict, hide
from jantaku.game.walls import tile_set
from jantaku.kernels.engine.state import ADDED, CALLED, GAME, YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.lab.simulate import Summary
from jantaku.lab.vector import VectorEnv
from jantaku.rules import Ruleset, load
from jantaku.tiles import RED
from support.playing import choose

START = 25000


def three(name: str = "standard") -> Ruleset:
    """A ruleset for three, with all 136 tiles."""
    rules = load(name)
    three_players: Any = {"players": 3}
    match = replace(rules.match, uma=(15000, 0, -15000), start_points=START, length="east", **three_players)
    return replace(rules, match=match)


def tiles_lying(game: Game) -> list[int]:
    """Every tile wherever it lies: hands, melds, rivers and the wall."""
    record = game.record
    found = [int(tile) for tile in record.wall[record.drawn_live : record.tiles - record.drawn_rinshan]]
    for seat in game.seats:
        found += concealed(record, seat)
        found += [tile for meld in melds(record, seat) for tile in meld.tiles]
        river = zip(record.river[seat].tolist(), record.river_marks[seat].tolist(), strict=True)
        found += [tile for tile, mark in list(river)[: record.discards[seat]] if not mark & CALLED]
    if record.claimed_how == ADDED and record.phase != YOUR_TURN:  # a kan that may still be robbed
        found.append(int(record.claimed_tile))
    return found


def check(game: Game, tiles: Counter[int]) -> None:
    """Every tile lies in one place, every point at one seat or on the table; the fourth seat has nothing."""
    record = game.record
    assert Counter(tiles_lying(game)) == tiles
    if not game.is_over:
        assert sum(game.scores) + 1000 * int(record.match.deposits) == 3 * START
    assert not record.hand[3].any()
    assert record.match.scores[3] == record.discards[3] == record.melds[3] == record.asked[3] == 0
    assert all(seat in game.seats for seat in game.to_act)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["standard", "tenhou", "wrc"])
def test_whole_games_of_three_lose_no_tile_and_no_point(name: str, seed: int) -> None:
    rules = three(name)
    tiles = Counter(map(int, tile_set(rules)))
    rng, game = Random(seed), Game(rules, seed=seed)
    assert sum(tiles.values()) == 136
    while not game.is_over and len(game.played) < scale(10**5):
        seat = rng.choice(game.to_act)
        action = choose(game, seat, rng)
        before = len(game.events)
        game.play(seat, action)
        if not any(isinstance(event, HandStarted) for event in game.events[before:]):
            check(game, tiles)
    if len(game.played) < scale(10**5):
        last = game.events[-1]
        assert isinstance(last, GameEnded)
        assert sorted(last.places) == [1, 2, 3]


def test_events_and_views_of_three_have_three_seats() -> None:
    rng, game = Random(5), Game(three(), seed=5)
    while not game.is_over and len(game.played) < scale(2000):
        seat = game.to_act[0]
        game.play(seat, choose(game, seat, rng))
        view = game.view(seat)
        for part in (view.scores, view.melds, view.rivers, view.riichi, view.shown, view.dead):
            assert len(part) == 3
    for event in game.events:
        assert from_dict(event.to_dict()).to_dict() == event.to_dict()
        assert hide(event, 2).type in EVENTS
        if isinstance(event, HandStarted):
            assert (len(event.hands), len(event.scores)) == (3, 3)
            assert event.dealer == event.number % 3
        elif isinstance(event, PointsMoved):
            assert sum(event.deltas) in (0, *(1000 * sticks for sticks in range(1, 9)))
        elif isinstance(event, HandDrawn):
            assert len(event.hands) == 3
        elif isinstance(event, Won):
            assert isinstance(event.score, Score)
            assert event.score.payments["north"] == 0
    assert sum(isinstance(event, HandStarted) for event in game.events) == len(game.walls)


def test_turns_go_round_three() -> None:
    game = Game(three(), seed=1)
    assert [others(game.record, seat) for seat in game.seats] == [[1, 2], [2, 0], [0, 1]]
    assert [sum(game.record.hand[seat]) for seat in range(4)] == [14, 13, 13, 0]
    dealt = [tile % RED for tile in game.walls[0]]
    for seat in game.seats:
        places = [i for i in range(39) if (i // 4 % 3 if i < 36 else i % 3) == seat]
        drawn = [dealt[39]] if seat == 0 else []
        assert sorted([*(dealt[i] for i in places), *drawn]) == sorted(
            t % RED for t in concealed(game.record, seat)
        )


@pytest.mark.parametrize("name", ["random", "efficient", "standard"])
def test_bots_play_among_three(name: str) -> None:
    game = Game(three(), seed=3)
    players = [bot(name, seat) for seat in game.seats]
    while not game.is_over and len(game.played) < scale(3000):
        seat = game.to_act[0]
        game.play(seat, players[seat].choose(game, seat))
    assert game.is_over or scale(10) < 10


def test_compiled_games_of_three() -> None:
    rules = three()
    match = new_match(rules, (2, 1, 1), seed=4)
    game = np.zeros(1, GAME)[0]
    play_match(game, match, rules_record(rules)[0], context())
    assert match.tally[:, GAMES].tolist() == [1, 1, 1, 0]
    assert match.tally[3].sum() == 0
    assert match.tally[0, HANDS] > 0
    assert sorted(game.match.place.tolist()) == [0, 1, 2, 3]
    assert sum(game.match.scores.tolist()) == 3 * START


def test_a_contest_of_three() -> None:
    found = contest(pairing(three(), ("efficient", "random", "efficient"), seed=1), 1)
    assert [int(one.tally[GAMES]) for one in found] == [3, 3, 3]
    assert sum(one.rounds[0] for one in found) == pytest.approx(6)


def test_the_simulator_plays_three() -> None:
    plan, summary = ChunkPlan(three(), ("efficient",) * 3, 3), Summary()
    chunk = play_chunk(plan, 0, 3)
    summary.add(chunk)
    assert summary.places[:3, :3].sum() == 9
    assert summary.places.sum() == 9
    assert chunk.seated.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert chunk.games["scores"].sum(axis=1).tolist() == [3 * START] * 3
    assert set((chunk.hands["delta"][:, 3]).tolist()) == {0}


def test_the_vector_environment_plays_three() -> None:
    env, rng = VectorEnv(three(), 8, seed=2), np.random.default_rng(2)
    mask, done = env.reset().mask, 0
    for _ in range(scale(3000)):
        told = env.step([int(rng.choice(np.flatnonzero(row))) for row in mask])
        assert told.seat.max() <= 2
        assert not told.reward[:, 3].any()
        mask, done = told.mask, done + int(told.done.sum())
    assert done or scale(10) < 10
