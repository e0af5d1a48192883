"""The environment with bots as opponents, and its rewards per hand and per game."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jantaku.bots import bot
from jantaku.bots.chance import shuffle
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.actions import decode
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import CLAIMS, KYUUSHU_KYUUHAI, MAX_TILES, NO_SEAT
from jantaku.lab.kernels import action_space as space
from jantaku.lab.kernels.turns import WALLS, sources
from jantaku.lab.vector import VectorEnv
from jantaku.rules import Ruleset, load
from lab.test_environments import any_of

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles

GAMES = 4 if COMPILED else 2
SHORT: dict[str, Any] = {"match.length": "east"}


def walls(rules: Ruleset, seed: int, index: int) -> Iterator[list[int]]:
    """Yield the walls of one game in an environment."""
    source, tiles = sources(seed, WALLS, index, 1)[0], np.array(tile_set(rules), np.uint8)
    wall = np.zeros(MAX_TILES, np.uint8)
    while True:
        shuffle(tiles, source, wall)
        yield wall[: len(tiles)].tolist()


def carry_out(game: Game, seat: int, index: int) -> None:
    legal = np.array(game._engine.legal(seat), np.int16)
    called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
    game.play(seat, decode(int(space.code_of(index, legal, len(legal))), called))


def to_act(game: Game) -> int:
    """Return the seat that acts next in the environment, which is the first one after the discarder."""
    source, number = int(game.record.claimed_from), len(game.seats)
    return min(game.to_act, key=lambda seat: (seat - source - 1) % number)


@pytest.mark.parametrize(
    ("rules", "name", "seats"),
    [("tenhou", "standard", None), ("bgm-2025", "efficient", (1, 3)), ("tenhou-3", "standard", None)],
)
def test_opponents_play_like_bots_in_a_game(rules: str, name: str, seats: Any) -> None:
    """At every decision of the caller, the record has the same bytes as a game played step by step."""
    short = load(rules).with_changes(SHORT)
    env = VectorEnv(short, GAMES, seed=3, opponents=name, seats=seats, auto_reset=False)
    games = [Game(short, walls=walls(short, 3, index)) for index in range(GAMES)]
    mine = [set(seats or (index % len(short.seats),)) for index in range(GAMES)]
    rng, player = np.random.default_rng(3), bot(name)
    now: Any = env.reset()
    for _ in range(2000 if COMPILED else 20):
        for game, own, record in zip(games, mine, env.records, strict=True):
            while not game.is_over and to_act(game) not in own:
                game.play(to_act(game), player.choose(game, to_act(game)))
            assert game.state == record.tobytes()
        expected = [NO_SEAT if game.is_over else to_act(game) for game in games]
        assert now.seat.tolist() == expected
        if all(game.is_over for game in games):
            break
        indices = any_of(now.mask, rng)
        for game, seat, index in zip(games, expected, indices.tolist(), strict=True):
            if seat != NO_SEAT:
                carry_out(game, seat, index)
        now = env.step(indices)
    assert all(game.is_over for game in games) or not COMPILED


@pytest.mark.parametrize(
    ("rules", "opponents"), [("tenhou", "random"), ("wrc", None), ("tenhou-3", "random")]
)
def test_the_hands_of_a_game_add_up_to_its_points(rules: str, opponents: Any) -> None:
    """If random bots end a hand before the caller's first decision, its points count in the next reward."""
    short = load(rules).with_changes(SHORT)
    seats = None if opponents is None else 2
    env = VectorEnv(short, 16, seed=5, opponents=opponents, seats=seats, reward="hand", auto_reset=False)
    rng, steps = np.random.default_rng(5), 0
    now: Any = env.reset()
    first, total = env.records["match"]["scores"].copy(), np.zeros((16, 4), np.int64)
    first[:] = short.match.start_points
    first[:, len(short.seats) :] = 0
    while (now.seat != NO_SEAT).any() and steps < (30_000 if COMPILED else 50):
        before = now.seat != NO_SEAT
        stepped = env.step(any_of(now.mask, rng))
        total += stepped.reward
        assert (stepped.reward == env.delta).all()
        assert not stepped.reward[env.ended == 0].any()
        ended = stepped.done & before
        assert (env.final[ended] == env.records["match"]["final"][ended]).all()
        assert not env.final[~ended].any()
        now, steps = stepped, steps + 1
    if COMPILED:
        assert stepped.done.all()
        assert (total == env.records["match"]["scores"] - first).all()


def test_a_hand_that_ends_before_the_first_decision_counts_in_the_first_step() -> None:
    """In a few of thousands of games, a random bot ends the first hand with kyuushu kyuuhai."""
    env = VectorEnv("tenhou", 4096 if COMPILED else 10, seed=1, opponents="random", seats=3)
    now = env.reset()
    before = env.records["match"]["honba"] > 0
    assert before.any() or not COMPILED
    assert not env.ended.any()
    env.step(now.mask.argmax(axis=1))
    assert (env.ended[before] == KYUUSHU_KYUUHAI).all()
    env.step(env.mask.argmax(axis=1))
    assert not env.ended[before].all() or not COMPILED


@pytest.mark.parametrize("kind", ["game", "hand"])
def test_auto_reset_and_reset_give_the_same_rewards(kind: Any) -> None:
    short = load("tenhou").with_changes(SHORT)
    paid: list[list[list[Any]]] = []
    for again in (True, False):
        env = VectorEnv(short, 3, seed=9, opponents="random", seats=3, reward=kind, auto_reset=again)
        rng = np.random.default_rng(9)
        now: Any = env.reset()
        rewards: list[list[Any]] = [[], [], []]
        for _ in range(3000 if COMPILED else 50):
            stepped = env.step(any_of(now.mask, rng))
            for game in range(3):
                if stepped.reward[game].any() or stepped.done[game]:
                    rewards[game].append([bool(stepped.done[game]), *stepped.reward[game].tolist()])
            now = stepped if again or not stepped.done.any() else env.reset(which=stepped.done)
        paid.append(rewards)
    assert paid[0] == paid[1]
    assert sum(row[0] for rows in paid[0] for row in rows) > 3 or not COMPILED


@pytest.mark.parametrize("name", ["random", "standard"])
def test_a_game_depends_on_the_seed_and_its_index_alone(name: str) -> None:
    """A game is the same whatever the number of games, and after pickling."""
    few, many = (VectorEnv("tenhou", games, seed=4, opponents=name) for games in (2, 5))
    here: Any = few.reset()
    there: Any = many.reset()
    for step in range(600 if COMPILED else 20):
        assert few.records.tobytes() == many.records[:2].tobytes()
        assert (here.mask == there.mask[:2]).all()
        choice = there.mask.argmax(axis=1)
        here, there = few.step(choice[:2]), many.step(choice)
        if step == (300 if COMPILED else 10):
            few = pickle.loads(pickle.dumps(few))
    first = VectorEnv("tenhou", 2, seed=4, opponents=name)
    first.reset()
    few.reset(seed=4)
    assert few.records.tobytes() == first.records.tobytes()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"opponents": "gentle"}, "opponents"),
        ({"opponents": 5}, "opponents"),
        ({"opponents": ["standard"]}, "opponents"),
        ({"seats": 0}, "seats"),
        ({"opponents": "random", "seats": 4}, "seats"),
        ({"opponents": "random", "seats": -1}, "seats"),
        ({"opponents": "random", "seats": ()}, "seats"),
        ({"opponents": "random", "seats": "0"}, "seats"),
        ({"opponents": "random", "seats": 1.0}, "seats"),
        ({"opponents": "random", "seats": True}, "seats"),
        ({"opponents": "random", "rules": "tenhou-3", "seats": 3}, "seats"),
        ({"reward": "points"}, "reward"),
        ({"games": 2.0}, "games"),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(RequestError) as refused:
        VectorEnv(**{"games": 2, **given})
    assert refused.value.field == field
