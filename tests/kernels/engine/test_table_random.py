"""Random legal play: no tile or point is lost, refusals change nothing, and games are reproducible."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jantaku
from conftest import scale
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine import actions, dealing, entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.state import (
    CLAIMS,
    CONCEALED,
    GAME,
    GAME_OVER,
    HAND_OVER,
    SET_ASIDE,
    YOUR_TURN,
)
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from support.engine_options import MULTIPLE_RON, OPTIONS, without_contradictions
from support.perft import offers
from support.plain import compare_step
from support.random_games import tiles_gone, tiles_outside
from support.table import context, ruleset, tile_set

DECISIONS = 400 if COMPILED else 60
Game = Any  # an array of one GAME


def deal(games: Game, rules: Ruleset, rng: np.random.Generator) -> None:
    wall = np.array(tile_set(rules), np.uint8)
    rng.shuffle(wall)
    games[0].wall[: len(wall)] = wall
    dealing.start_hand(games[0], context(rules.tiles.man))


def check(games: Game, rules: Ruleset) -> None:
    game, match = games[0], games[0].match
    points = int(match.scores.sum()) + int(match.deposits) * rules.riichi.deposit
    assert points == len(rules.seats) * rules.match.start_points
    assert int(match.deposits_of.sum()) == int(match.deposits)
    if game.phase in (YOUR_TURN, CLAIMS):
        assert tiles_outside(game) == tiles_gone(game)
    for seat in rules.seats:
        held = int(game.hand[seat].sum()) + 3 * int(game.melds[seat])
        shown = game.claimed_how in (CONCEALED, SET_ASIDE) and seat == game.claimed_from
        assert held in (13, 14) or (game.phase == CLAIMS and shown) or game.phase in (HAND_OVER, GAME_OVER)
        assert (game.red[seat] <= game.hand[seat]).all()


def refused(games: Game, ruleset: Ruleset, allowed: dict[int, list[int]], rng: np.random.Generator) -> None:
    """An action that was not offered is refused and leaves the record as it was."""
    before, rules, man = games.tobytes(), rules_record(ruleset), ruleset.tiles.man
    for _ in range(3):
        seat, code = int(rng.integers(0, 4)), int(rng.integers(0, 16)) << 8 | int(rng.integers(0, 256))
        if code not in allowed.get(seat, []):
            assert entries.step(games, seat, code, rules, context(man)) == engine.ILLEGAL
            assert games.tobytes() == before


def play(rules: Ruleset, seed: int, decisions: int, *, checked: bool) -> Game:
    """Play random actions for so many decisions or to the end, choosing rare actions often."""
    rng, records, games = np.random.default_rng(seed), rules_record(rules), np.zeros(1, GAME)
    room = context(rules.tiles.man)
    dealing.start_match(games[0], records[0])
    deal(games, rules, rng)
    for number in range(decisions):
        if games[0].phase == HAND_OVER:
            deal(games, rules, rng)
        if games[0].phase == GAME_OVER:
            break
        allowed = {seat: offers(games, seat, records) for seat in rules.seats}
        able = [seat for seat in rules.seats if allowed[seat]]
        assert able, "somebody may always act"
        if checked and number % 4 == 0:
            check(games, rules)
            refused(games, rules, allowed, rng)
        seat = able[int(rng.integers(0, len(able)))]
        codes = allowed[seat]
        rare = [code for code in codes if code >> 8 > actions.DISCARD]
        codes = rare if rare and rng.integers(0, 2) else codes
        before, code = games.tobytes(), codes[int(rng.integers(0, len(codes)))]
        assert entries.step(games, seat, code, records, room) == 0
        if games[0].phase in (HAND_OVER, GAME_OVER):
            compare_step(before, seat, code, rules)
    if checked:
        check(games, rules)
    return games


@pytest.mark.parametrize("preset", jantaku.preset_names())
def test_random_games_of_every_preset(preset: str) -> None:
    for seed in range(scale(3)):
        play(jantaku.load(preset), seed, DECISIONS, checked=True)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    changes = {path: draw(st.sampled_from(values)) for path, values in OPTIONS.items()}
    return ruleset(without_contradictions(changes, draw(st.sampled_from(MULTIPLE_RON))))


@pytest.mark.slow
@settings(max_examples=scale(20), deadline=None)
@given(rulesets(), st.integers(0, 2**32))
def test_random_games_of_random_rules(rules: Ruleset, seed: int) -> None:
    play(rules, seed, DECISIONS, checked=True)


def test_the_same_seed_gives_the_same_game() -> None:
    rules = jantaku.load("bgm-2025")
    first, again, other = (play(rules, seed, 500, checked=False).tobytes() for seed in (7, 7, 8))
    assert first == again
    assert first != other
