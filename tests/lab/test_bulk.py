"""In a million hands of random legal play under random rules, no tile or point is lost and no game sticks."""

import resource
import sys
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from conftest import scale
from jantaku.game.engine import context
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import (
    ADDED,
    CALLED,
    CLAIMS,
    CONCEALED,
    GAME_OVER,
    MAX_TILES,
    SET_ASIDE,
    YOUR_TURN,
)
from jantaku.kernels.win import ANKAN, CHI, NO_MELD
from jantaku.lab.kernels.randoms import DECISIONS, GAMES, HANDS, STUCK, play_at_random
from jantaku.lab.kernels.turns import CHOICES, Batch, new_batch, sources
from jantaku.rules import Ruleset
from jantaku.tiles import NORTH
from support.presets import FOUR, THREE
from support.random_rules import random_rules
from support.table import tile_set

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles

AT_ONCE: Final = 256 if COMPILED else 4  # number of games
BETWEEN_CHECKS: Final = 61  # number of decisions in each game
MAX_GROWTH: Final = 24 * 2**20  # in bytes


def rules_of(rng: Random, players: int) -> Ruleset:
    return random_rules(rng, FOUR if players == 4 else THREE, own=0)


def add_kinds(counts: Any, tiles: Any, where: Any) -> None:
    """Add the tiles (``[n, m]``) for which ``where`` is true to the counts by game and kind."""
    games = np.broadcast_to(np.arange(len(tiles))[:, None], tiles.shape)
    np.add.at(counts, (games[where], tiles[where].astype(np.int64) % 34), 1)


def on_the_table(games: Any) -> Any:
    """Count the tiles in hands, melds and rivers by kind, and the red ones last: ``int[n, 35]``."""
    numbers = np.zeros((len(games), 35), np.int64)
    counts = numbers[:, :34]
    counts += games["hand"].astype(np.int64).sum(axis=1)
    numbers[:, 34] = games["red"].astype(np.int64).sum(axis=(1, 2))
    melds = games["meld"].reshape(len(games), 16)
    first = games["meld_first"].reshape(len(games), 16)
    for k in range(3):
        add_kinds(counts, first + k * (melds == CHI), melds != NO_MELD)
    add_kinds(counts, first, melds >= ANKAN)
    red = games["meld_red"].reshape(len(games), 16) * (melds != NO_MELD)
    numbers[:, 34] += sum((red >> k & 1).sum(axis=1, dtype=np.int64) for k in range(4))
    river = games["river"].reshape(len(games), -1)
    laid = np.arange(games["river"].shape[2]) < games["discards"][:, :, None]
    laid = (laid & (games["river_marks"] & CALLED == 0)).reshape(len(games), -1)
    add_kinds(counts, river, laid)
    numbers[:, 34] += (laid & (river >= 34)).sum(axis=1)
    counts[:, NORTH] += games["kita"].astype(np.int64).sum(axis=1)
    offered = (games["claimed_how"] == ADDED) | (games["claimed_how"] == SET_ASIDE)
    adding = (games["phase"] == CLAIMS) & offered
    add_kinds(counts, games["claimed_tile"][:, None], adding[:, None])
    numbers[:, 34] += adding & (games["claimed_tile"] >= 34)
    return numbers


def drawn(games: Any) -> Any:
    """Count the tiles drawn from the wall in the same way."""
    counts = np.zeros((len(games), 35), np.int64)
    columns, tiles = np.arange(MAX_TILES), games["tiles"][:, None]
    gone = (columns < games["drawn_live"][:, None]) | (columns >= tiles - games["drawn_rinshan"][:, None])
    gone &= columns < tiles
    add_kinds(counts[:, :34], games["wall"], gone)
    counts[:, 34] = (gone & (games["wall"] >= 34)).sum(axis=1)
    return counts


def check(batch: Batch, rules: Ruleset, tiles: Any) -> None:
    games, match = batch.games, batch.games["match"]
    points = match["scores"].sum(axis=1) + match["deposits"].astype(int) * rules.riichi.deposit
    seats = rules.match.players
    assert (points == seats * rules.match.start_points).all()
    laid = match["deposits_of"].sum(axis=1) == match["deposits"]
    assert (laid | (games["phase"] == GAME_OVER)).all()
    assert (np.sort(games["wall"][:, : len(tiles)], axis=1) == np.sort(tiles)).all()
    running = games[((games["phase"] == YOUR_TURN) & (games["deciding"] == 0)) | (games["phase"] == CLAIMS)]
    assert (on_the_table(running) == drawn(running)).all()
    held = running["hand"].sum(axis=2) + 3 * running["melds"]
    declared = (running["phase"] == CLAIMS) & np.isin(running["claimed_how"], (CONCEALED, SET_ASIDE))
    own = np.arange(4) == running["claimed_from"][:, None]
    seated = np.arange(4) < seats
    assert ((held == 13) | (held == 14) | (declared[:, None] & own) | ~seated).all()
    assert not held[:, ~seated].any()
    assert (games["red"] <= games["hand"]).all()


def play(rules: Ruleset, seed: int, hands: int, at_once: int = AT_ONCE) -> Any:
    """Play at least ``hands`` hands and check every game at regular intervals; return the counts."""
    tiles = np.array(tile_set(rules), np.uint8)
    batch = new_batch(rules, tiles, seed, 0, at_once)
    chances, counts = sources(seed, CHOICES, 0, at_once), np.zeros(4, np.int64)
    while counts[HANDS] < hands:
        play_at_random(batch, chances, BETWEEN_CHECKS, context(rules.tiles.man), counts)
        assert counts[STUCK] == 0
        check(batch, rules, tiles)
    return counts


def resident() -> int:
    """Return the peak memory of the process in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def play_all(rounds: int, hands: int, players: int) -> tuple[Any, int]:
    """Play ``hands`` hands under each of ``rounds`` random rulesets.

    Return the counts and how much the memory grew.
    """
    rng, total, before = Random(2026), np.zeros(4, np.int64), 0
    for number in range(rounds):
        total += play(rules_of(rng, players), number, hands)
        if number == rounds // 10:
            before = resident()
    return total, resident() - before


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4])
def test_a_million_hands(players: int) -> None:
    rounds, hands = (200, 5000) if COMPILED else (1, 1)
    total, growth = play_all(rounds, hands, players)
    assert total[HANDS] >= rounds * hands
    assert total[GAMES] > 0 or not COMPILED
    assert growth < MAX_GROWTH


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(scale(5)))
def test_some_hands(seed: int, players: int) -> None:
    counts = play(rules_of(Random(seed), players), seed, 100 if COMPILED else 1)
    assert counts[DECISIONS] > 0


@pytest.mark.skipif(not COMPILED, reason="whole games take long uncompiled")
@pytest.mark.parametrize("players", [3, 4])
def test_game_after_game(players: int) -> None:
    """Only a few games are played at once, so each place in the batch has several matches in a row."""
    counts = play(rules_of(Random(players), players), players, 400, at_once=4)
    assert counts[GAMES] > 2 * 4
