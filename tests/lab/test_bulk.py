"""A million hands of random legal play under random rules: no tile or point is lost, no game gets stuck."""

import resource
import sys
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from conftest import scale
from jantaku.game.engine import context
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine import entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.state import (
    ADDED,
    CALLED,
    CLAIMS,
    CONCEALED,
    GAME_OVER,
    MOST_TILES,
    SET_ASIDE,
    YOUR_TURN,
)
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import ANKAN, CHI, NO_MELD
from jantaku.lab.kernels.randoms import DECISIONS, GAMES, HANDS, STUCK, play_at_random
from jantaku.lab.kernels.turns import CHOICES, Batch, new_batch, sources
from jantaku.rules import Ruleset
from jantaku.tiles import NORTH
from support.engine_options import MULTIPLE_RON, OPTIONS, without_contradictions
from support.table import ruleset, tile_set

pytestmark = pytest.mark.xdist_group("lab")  # one worker compiles it, not all of them

AT_ONCE: Final = 256 if COMPILED else 4  # games
BETWEEN_CHECKS: Final = 61  # decisions of each game
MOST_GROWTH: Final = 24 * 2**20  # bytes


OF_THREE: Final[dict[str, tuple[Any, ...]]] = {
    "tiles.man": ("all", "one_nine", "one_nine", "one_five_nine"),
    "tiles.dead_wall": (14, 16, 18),
    "calls.chi": (True, False, False),
    "kita.nukidora": (True, True, False),
    "kita.han": (0, 1, 2),
    "kita.ron": ("any", "kokushi", "never"),
    "kita.chankan": (True, False),
    "kita.rinshan": (True, False),
    "kita.breaks_ippatsu": (True, False),
    "kita.breaks_first_turn": (True, False),
    "score.missing_share": ("lost", "split", "in_proportion", "plus_1000"),
    "yaku.yakuhai_north.closed": (False, 1),
}


def random_rules(rng: Random, players: int = 4) -> Ruleset:
    changes = {path: rng.choice(values) for path, values in OPTIONS.items()}
    if players == 3:
        changes |= {path: rng.choice(values) for path, values in OF_THREE.items()}
        changes |= {"match.players": 3, "match.uma": (20000, 0, -20000), "tiles.red": {"5p": 1, "5s": 2}}
    return ruleset(without_contradictions(changes, rng.choice(MULTIPLE_RON)))


def add_kinds(counts: Any, tiles: Any, where: Any) -> None:
    """Count the tiles (``[n, m]``) where ``where``, by kind, game by game."""
    games = np.broadcast_to(np.arange(len(tiles))[:, None], tiles.shape)
    np.add.at(counts, (games[where], tiles[where].astype(np.int64) % 34), 1)


def on_the_table(games: Any) -> Any:
    """Every tile in hands, melds and rivers by kind, and how many are red: ``int[n, 35]``."""
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
    """The tiles that have left the wall, in the same form."""
    counts = np.zeros((len(games), 35), np.int64)
    columns, tiles = np.arange(MOST_TILES), games["tiles"][:, None]
    gone = (columns < games["drawn_live"][:, None]) | (columns >= tiles - games["drawn_rinshan"][:, None])
    gone &= columns < tiles
    add_kinds(counts[:, :34], games["wall"], gone)
    counts[:, 34] = (gone & (games["wall"] >= 34)).sum(axis=1)
    return counts


def check(batch: Batch, rules: Ruleset, tiles: Any) -> None:
    games, match = batch.games, batch.games["match"]
    points = match["scores"].sum(axis=1) + match["deposits"] * rules.riichi.deposit
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


def refuse(batch: Batch, ruleset: Ruleset, rng: Random) -> int:
    """Check that illegal actions change nothing; returns how many were tried."""
    tried, rules, room = 0, rules_record(ruleset), context(ruleset.tiles.man)
    for index in rng.sample(range(len(batch.games)), 4):
        games, seat = batch.games[index : index + 1], rng.randrange(ruleset.match.players)
        code = rng.randrange(16) << 8 | rng.randrange(256)
        out = np.empty_like(batch.codes[index])
        legal = out[: entries.legal(games, seat, rules, room, out)].tolist()
        if code in legal:
            continue
        before = games.tobytes()
        assert entries.step(games, seat, code, rules, room) == engine.ILLEGAL
        assert games.tobytes() == before
        tried += 1
    return tried


def play(rules: Ruleset, seed: int, hands: int, at_once: int = AT_ONCE) -> Any:
    """Play so many hands and check every game from time to time; returns the counts, refusals last."""
    tiles, rng = np.array(tile_set(rules), np.uint8), Random(seed)
    batch = new_batch(rules, tiles, seed, 0, at_once)
    chances, counts = sources(seed, CHOICES, 0, at_once), np.zeros(5, np.int64)
    while counts[HANDS] < hands:
        play_at_random(batch, chances, BETWEEN_CHECKS, context(rules.tiles.man), counts)
        assert counts[STUCK] == 0
        check(batch, rules, tiles)
        counts[4] += refuse(batch, rules, rng)
    return counts


def resident() -> int:
    """The peak memory of the process, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def play_all(rounds: int, hands: int, players: int) -> tuple[Any, int]:
    """Play so many hands under so many random rulesets; returns the counts and the growth of memory."""
    rng, total, before = Random(2026), np.zeros(5, np.int64), 0
    for number in range(rounds):
        total += play(random_rules(rng, players), number, hands)
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
    assert growth < MOST_GROWTH


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(scale(5)))
def test_some_hands(seed: int, players: int) -> None:
    counts = play(random_rules(Random(seed), players), seed, 100 if COMPILED else 1)
    assert counts[DECISIONS] > 0
    assert counts[4] > 0


@pytest.mark.skipif(not COMPILED, reason="whole games take long uncompiled")
@pytest.mark.parametrize("players", [3, 4])
def test_game_after_game(players: int) -> None:
    """A few games at once, so that each place begins several matches one after another."""
    counts = play(random_rules(Random(players), players), players, 400, at_once=4)
    assert counts[GAMES] > 2 * 4
