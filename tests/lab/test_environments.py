"""The environments for learning agents, with many games at once, and that they agree with each other."""

import doctest
import importlib
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conftest import scale
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.actions import decode
from jantaku.game.engine import Record, context, without_drawn
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine import entries
from jantaku.kernels.engine.actions import MAX_ACTIONS
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.dealing import start_hand, start_match
from jantaku.kernels.engine.state import CLAIMS, GAME, HAND_OVER, NO_SEAT
from jantaku.kernels.rules import rules_record
from jantaku.lab import aec, vector
from jantaku.lab.kernels import action_space as space
from jantaku.lab.kernels import observation as seen
from jantaku.lab.kernels.turns import WALLS, sources
from jantaku.lab.vector import VectorEnv
from jantaku.rules import Ruleset, load
from jantaku.tiles import format_tiles

pytestmark = pytest.mark.xdist_group("lab")  # so that only one worker compiles

GAMES = 4 if COMPILED else 2


def any_of(mask: Any, rng: np.random.Generator) -> Any:
    """Choose a random legal action in every game, or 0 if there is none."""
    return (mask * rng.random(mask.shape)).argmax(axis=1)


def shown_to(record: Record, seat: int) -> Any:
    out = np.empty((seen.ROWS, seen.COLUMNS), np.int16)
    seen.encode(record, seat, out)
    return out


# Many games at once ----------------------------------------------------------------------------------------


def walls_of(env: VectorEnv, index: int) -> Iterator[list[int]]:
    """Yield the walls of one game in order."""
    while True:
        yield env.records[index].wall.tolist()


def test_vector_games_equal_engine_games() -> None:
    """If ``Game`` replays the games of the environment, the records have the same bytes at every step."""
    env, rng = VectorEnv("bgm-2025", GAMES, seed=3), np.random.default_rng(3)
    observed: Any = env.reset()
    games = [Game("bgm-2025", walls=walls_of(env, index)) for index in range(GAMES)]
    for _ in range(scale(600)):
        assert [game.state for game in games] == [record.tobytes() for record in env.records]
        assert observed.seat.tolist() == [next_seat(game.record) for game in games]
        acting = list(zip(games, observed.seat.tolist(), strict=True))
        codes = [np.array(game._engine.legal(seat), np.int16) for game, seat in acting]
        assert [code.size for code in codes] >= observed.mask.sum(axis=1).tolist()
        indices = any_of(observed.mask, rng)
        observed = env.step(indices)
        if observed.done.any():
            break
        for (game, seat), index, legal in zip(acting, indices.tolist(), codes, strict=True):
            called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
            game.play(seat, decode(int(space.code_of(index, legal, len(legal))), called))


def test_masks_and_observations_belong_to_the_acting_seat() -> None:
    env, rng = VectorEnv("tenhou", GAMES, seed=4), np.random.default_rng(4)
    observed: Any = env.reset()
    for _ in range(scale(300)):
        for i in range(GAMES):
            seat = int(observed.seat[i])
            assert (observed.observation[i] == shown_to(env.records[i], seat)).all()
            assert observed.mask[i].any()
        observed = env.step(any_of(observed.mask, rng))


@pytest.mark.parametrize("rules", ["tenhou", "wrc"])
def test_rewards_are_the_final_points(rules: str) -> None:
    """The rewards come with the hand that ends a game and equal the final points in the record."""
    short = load(rules).with_changes({"match.length": "east"})
    env, rng = VectorEnv(short, GAMES, seed=5, auto_reset=False), np.random.default_rng(5)
    observed: Any = env.reset()
    rewarded, steps = np.zeros(GAMES, int), 0
    while (observed.seat != NO_SEAT).any() and steps < scale(20_000):
        steps += 1
        observed = env.step(any_of(observed.mask, rng))
        assert ((env.delta != 0).any(axis=1) <= (env.ended > 0)).all()
        for i in np.flatnonzero(observed.done & (env.ended > 0)):
            assert (observed.reward[i] == env.records[i].match.final).all()
            rewarded[i] += 1
        assert not observed.reward[~observed.done | (env.ended == 0)].any()
    if COMPILED:
        assert observed.done.all()
        assert rewarded.tolist() == [1] * GAMES
        assert not observed.mask.any()
        before = env.records.tobytes()
        assert env.step(np.full(GAMES, -1)).done.all()
        assert env.records.tobytes() == before


# Short games with more state than the points: chips, and for yakitori who has won a hand
SHORT: dict[str, Any] = {
    "match.length": "east", "match.start_points": 5000, "match.return_points": 5000,
    "match.sticks": {"1000": 5}, "end.tobi": "zero_or_below", "match.yakitori": 1000, "chips.value": 500,
}  # fmt: skip


class Alone:
    """A single game with a record of its own, played on the walls of a game in the environment."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules, self.room = rules_record(rules), context(rules.tiles.man)
        self.games = np.zeros(1, GAME)
        self.codes = np.empty(MAX_ACTIONS, np.int16)
        start_match(self.games[0], self.rules[0])

    def deal(self, wall: Any) -> None:
        self.games[0].wall[:] = wall
        start_hand(self.games[0], self.room)

    def step(self, index: int, wall: Any) -> None:
        """Carry out an action; if the hand is over, deal the next one from this wall."""
        seat = int(next_seat(self.games[0]))
        count = int(entries.legal(self.games, seat, self.rules, self.room, self.codes))
        entries.step(self.games, seat, space.code_of(index, self.codes, count), self.rules, self.room)
        if self.games[0].phase == HAND_OVER:
            self.deal(wall)


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3", "bgm-2025"])
def test_a_game_after_another_equals_a_single_game(rules: str) -> None:
    """At every step the records have the same bytes, so nothing is left over from the game before."""
    short = load(rules).with_changes(SHORT)
    env, rng = VectorEnv(short, GAMES, seed=6), np.random.default_rng(6)
    observed: Any = env.reset()
    alone, restarts = [Alone(short) for _ in range(GAMES)], 0
    for env_alone, record in zip(alone, env.records, strict=True):
        env_alone.deal(record["wall"])
    for step in range(scale(1500)):
        if step % scale(400) == scale(200):  # during a game
            which = rng.random(GAMES) < 0.5
            observed, done, indices = env.reset(which=which), which, np.zeros(GAMES, np.int64)
        else:
            indices = any_of(observed.mask, rng)
            observed = env.step(indices)
            done, which = observed.done, np.ones(GAMES, np.bool_)
        for i in range(GAMES):
            wall = env.records[i]["wall"]
            if done[i]:
                alone[i] = Alone(short)
                alone[i].deal(wall)
                restarts += 1
            elif which[i]:
                alone[i].step(int(indices[i]), wall)
            assert env.records[i].tobytes() == alone[i].games[0].tobytes()
    assert restarts > (5 if COMPILED else 0)


def test_an_illegal_action_changes_no_game() -> None:
    env = VectorEnv("standard", 3, seed=1)
    observed: Any = env.reset()
    before = env.records.tobytes()
    indices = observed.mask.argmax(axis=1)
    for wrong in (space.RON, -1, space.ACTIONS):
        indices[2] = wrong
        with pytest.raises(RequestError, match="Game 2") as caught:
            env.step(indices)
        offered = [int(part.split()[0]) for part in str(caught.value.details["legal"]).split(", ")]
        assert offered == np.flatnonzero(observed.mask[2]).tolist()
        assert env.records.tobytes() == before


def test_walls_depend_only_on_seed_and_index() -> None:
    few, many = VectorEnv("tenhou", 2, seed=9), VectorEnv("tenhou", 3, seed=9)
    few.reset()
    observed = many.reset()
    many.step(observed.mask.argmax(axis=1))
    assert (few.records["wall"] == many.records["wall"][:2]).all()
    first = few.records["wall"].copy()
    few.reset()
    assert (few.records["wall"] != first).any(axis=1).all()
    few.reset(which=np.array([True, False]), seed=9)
    assert (few.records["wall"][0] == first[0]).all()
    assert (few.records["wall"][1] != first[1]).any()
    assert sorted(first[0].tolist()) == sorted(tile_set(load("tenhou")))
    assert not (sources(9, WALLS, 0, 4) == sources(10, WALLS, 0, 4)).any()


def test_arrays_are_copies_by_default() -> None:
    copied, own = VectorEnv("tenhou", 1, seed=1), VectorEnv("tenhou", 1, seed=1, copy=False)
    observed, same = copied.reset(), own.reset()
    mask = observed.mask.copy()
    copied.step(mask.argmax(axis=1))
    later = own.step(mask.argmax(axis=1))
    assert (observed.mask == mask).all()
    assert later.mask is same.mask


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: VectorEnv(games=0), "games"),
        (lambda: VectorEnv(games=1, seed=-1), "seed"),
        (lambda: VectorEnv(games=2).step([0]), "actions"),
        (lambda: VectorEnv(games=2).step([0.5, 0.5]), "actions"),
        (lambda: VectorEnv(games=2).step([[0], []]), "actions"),
        (lambda: VectorEnv(games=2).step("ab"), "actions"),
        (lambda: VectorEnv(games=2).step(None), "actions"),  # type: ignore[arg-type]
        (lambda: VectorEnv(games=2).reset(which=np.array([True])), "which"),
    ],
)
def test_wrong_arguments_are_refused(make: Any, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        make()
    assert caught.value.field == field


# PettingZoo ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")  # it would rather have plain arrays as observations
def test_pettingzoo_accepts_it() -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(aec.env("tenhou"), num_cycles=scale(2500), verbose_progress=False)
    seed_test(aec.env, num_cycles=scale(300))


def test_both_environments_have_the_same_observations() -> None:
    table, env = aec.env("tenhou"), VectorEnv("tenhou", 1, seed=2)
    table.reset(seed=2)
    observed: Any = env.reset()
    rng = np.random.default_rng(2)
    for _ in range(scale(300)):
        agent = table.agent_selection
        assert agent == f"seat_{observed.seat[0]}"
        found = table.observe(agent)
        assert (found["observation"] == observed.observation[0]).all()
        assert (found["action_mask"] == observed.mask[0]).all()
        others = [other for other in table.agents if other != agent]
        assert not any(table.observe(other)["action_mask"].any() for other in others)
        action = int(any_of(observed.mask, rng)[0])
        table.step(action)
        observed = env.step([action])
        if env.ended[0]:
            assert [table.infos[a]["delta"] for a in table.agents] == env.delta[0].tolist()
        if observed.done[0]:
            break


def test_agents_are_rewarded_at_the_end() -> None:
    rules = load("tenhou").with_changes({"match.length": "east"})
    table, rng = aec.env(rules), np.random.default_rng(1)
    table.reset(seed=1)
    rewards: dict[str, float] = {}
    for number, agent in enumerate(table.agent_iter()):
        observed, reward, terminated, _, _ = table.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        mask = observed["action_mask"]
        table.step(None if terminated else int(any_of(mask[None], rng)[0]))
        if number == scale(10**6) and not COMPILED:
            return
    assert table.agents == []
    assert list(map(rewards.get, table.possible_agents)) == table.record.match.final.tolist()


def test_a_game_can_be_played_before_the_first_reset() -> None:
    table = aec.env("tenhou", "ansi")
    before = table.render()
    table.step(int(table.last()[0]["action_mask"].argmax()))
    assert before
    assert table.render() != before


def test_a_game_is_rendered_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """``ansi`` returns the text, and ``human`` prints it after every step."""
    table, printing = aec.env("standard-3", "ansi"), aec.env("standard-3", "human")
    for env in (table, printing):
        env.reset(seed=1)
        for _ in range(30):
            env.step(int(env.last()[0]["action_mask"].argmax()))
    text = table.render()
    assert text is not None
    lines = text.split("\n")
    assert len(lines) == 1 + 3
    assert format_tiles(without_drawn(table.record, 0)) in lines[1]
    printed = capsys.readouterr().out
    assert printed.count(text.split(" ")[0]) >= 30
    assert printed.endswith(text + "\n")
    with pytest.raises(RequestError, match="ansi, human"):
        aec.env(render_mode="rgb_array")


# Gymnasium --------------------------------------------------------------------------------------------------


def test_observations_and_actions_are_in_the_spaces() -> None:
    env = VectorEnv("tenhou", games=5, seed=2)
    now = env.reset()
    assert env.num_envs == 5
    assert env.observation_space.contains(now.observation)
    assert env.single_observation_space.contains(now.observation[0])
    mask = now.mask.astype(np.int8)
    legal = env.action_space.sample(mask=tuple(mask))
    assert env.action_space.contains(legal)
    assert env.single_action_space.contains(env.single_action_space.sample(mask=mask[0]))
    assert not env.step(legal).done.any()


@pytest.mark.parametrize("rules", ["tenhou", "korea-3"])
def test_a_pickled_environment_continues_identically(rules: str) -> None:
    env, rng = VectorEnv(rules, games=3, seed=5), np.random.default_rng(1)
    mask = env.reset().mask
    for _ in range(40):
        mask = env.step((mask * rng.random(mask.shape)).argmax(axis=1)).mask
    twin = pickle.loads(pickle.dumps(env))
    assert repr(twin) == repr(env) == f"<VectorEnv {rules}: 3 games, 0 over>"
    for _ in range(2000 if COMPILED else 10):  # enough steps to need walls from the pickled sources
        actions = (mask * rng.random(mask.shape)).argmax(axis=1)
        one, other = env.step(actions), twin.step(actions)
        assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in one._fields)
        mask = one.mask
    assert env.records.tobytes() == twin.records.tobytes()


def test_missing_dependencies_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "jantaku.lab.aec")
    with pytest.raises(RequestError, match=r"jantaku\[env\]"):
        importlib.import_module("jantaku.lab.aec")


@pytest.mark.parametrize("module", [space, vector, aec])
def test_examples_in_the_docs(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert result.failed == 0
