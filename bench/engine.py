"""Whole games: in bulk, one decision at a time, by bots, on every core; memory and the size of a record."""

import contextlib
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import riichienv
from rich.console import Console
from rich.table import Table as RichTable

from bench.timing import Measure, show
from jantaku import Game, load
from jantaku.bots import bot
from jantaku.game.engine import Engine, context, seats_to_act
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER
from jantaku.lab.chunks import ChunkPlan, play_chunk, played
from jantaku.lab.kernels.randoms import DECISIONS, GAMES, HANDS, STUCK, play_at_random
from jantaku.lab.kernels.turns import CHOICES, new_batch, sources
from jantaku.lab.vector import VectorEnv
from jantaku.records.native.compact import compact

RULES = "tenhou"
REPEATS = 5
PEER_GAMES = 12


@dataclass(frozen=True)
class Run:
    """What one run played, in how many seconds."""

    seconds: float
    games: int
    decisions: int


def fastest(run: Callable[[int], tuple[int, int]], repeats: int = REPEATS) -> Run:
    """The run with the least time a decision of several with seeds of their own, after one to warm up."""
    run(0)
    runs = []
    for seed in range(1, repeats + 1):
        start = time.perf_counter()
        games, decisions = run(seed)
        runs.append(Run(time.perf_counter() - start, games, decisions))
    return min(runs, key=lambda run: run.seconds / run.decisions)


def in_bulk(seed: int) -> tuple[int, int]:
    """Random legal hanchan, compiled from end to end; those under way at the end count as decisions only."""
    rules, counts = load(RULES), np.zeros(4, np.int64)
    batch = new_batch(rules, np.array(tile_set(rules), np.uint8), seed, 0, 64)
    play_at_random(batch, sources(seed, CHOICES, 0, 64), 12_000, context(), counts)
    return int(counts[GAMES]), int(counts[DECISIONS])


def with_observations(seed: int) -> tuple[int, int]:
    """The environment of many games, each with observation and mask; random actions chosen by NumPy."""
    env, rng = VectorEnv(RULES, 512, seed, copy=False), np.random.default_rng(seed)
    state: Any = env.reset()
    games = 0
    for _ in range(500):
        state = env.step((state.mask * rng.random(state.mask.shape, np.float32)).argmax(axis=1))
        games += int(state.done.sum())
    return games, 512 * 500


def environment(seed: int) -> tuple[int, int]:
    """One game, one call from Python for each decision, with observation and mask."""
    env, rng = VectorEnv(RULES, 1, seed, copy=False), random.Random(seed)
    state: Any = env.reset()
    games = 0
    for _ in range(20_000):
        state = env.step([rng.choice(state.mask[0].nonzero()[0])])
        games += bool(state.done[0])
    return games, 20_000


def tables(seed: int) -> tuple[int, int]:
    """The engine's integers behind ``Engine``, one call for what is legal and one for each decision."""
    rules, rng, decisions = load(RULES), random.Random(seed), 0
    wall = tile_set(rules)
    rng.shuffle(wall)
    for _ in range(4):
        table = Engine(rules)
        table.deal(wall)
        now = table.snapshot()
        while now.phase != GAME_OVER:
            if now.phase == HAND_OVER:
                rng.shuffle(wall)
                table.deal(wall)
                now = table.snapshot()
            seat = seats_to_act(now)[0]
            table.step(seat, rng.choice(table.legal(seat)))
            decisions += 1
            now = table.snapshot()
    return 4, decisions


def typed(seed: int, *, read: bool = False) -> tuple[int, int]:
    """``Game``: typed actions; its events are made only if they are ``read``."""
    rng, decisions = random.Random(seed), 0
    for number in range(2):
        game = Game(RULES, seed=2 * seed + number)
        while not game.is_over:
            seat = game.to_act[0]
            events = game.play(seat, rng.choice(game.legal(seat)))
            if read:
                list(events)
        decisions += len(game.played)
    return 2, decisions


def peer(seed: int, *, log: bool = False) -> tuple[int, int]:
    """riichienv's own environment, with its ``log`` read or without one: one call for all seats asked."""
    rng, decisions = random.Random(seed), 0
    for number in range(PEER_GAMES):
        env = riichienv.RiichiEnv(
            game_mode="4p-red-half", skip_mjai_logging=not log, seed=PEER_GAMES * seed + number
        )
        asked = env.reset()
        while not env.done():
            decisions += len(asked)
            asked = env.step({seat: rng.choice(env.legal_actions()) for seat, env in asked.items()})
        if log:
            list(env.mjai_log)
    return PEER_GAMES, decisions


def measure(package: str, run: Run, note: str) -> Measure:
    """Time a decision: how many decisions a random hanchan has differs from seed to seed."""
    return Measure(package, run.seconds / run.decisions, note)


def play_section(console: Console) -> None:
    """Random legal play, in bulk and stepped from Python."""
    theirs, bulk, seen = fastest(peer), fastest(in_bulk), fastest(with_observations)
    hanchan = [f"{run.games / run.seconds:,.1f} hanchan/s" for run in (theirs, bulk)]
    other = measure("riichienv", theirs, f"{hanchan[0]}, stepped from Python")
    ours = measure("jantaku", bulk, hanchan[1])
    show(
        console,
        "Random legal hanchan in bulk, a decision",
        ours,
        [measure("jantaku", seen, "512 games a call, with observations and masks"), other],
        "aim: thirty times riichienv's rate",
    )
    rows = [
        measure("jantaku", fastest(tables, 3), "Engine: the engine's integers"),
        measure("jantaku", fastest(typed, 3), "Game: typed actions, as the peer without events"),
        measure("jantaku", fastest(partial(typed, read=True), 3), "Game: typed actions, every event read"),
        other,
        measure("riichienv", fastest(partial(peer, log=True)), "its log kept and read"),
    ]
    single = measure("jantaku", fastest(environment), "VectorEnv of one game, with observation")
    show(console, "One decision at a time from Python", single, rows, "aim: at least riichienv's rate")


def bots_section(console: Console) -> None:
    """Hanchan a second of the bots, on one core."""
    rates = []
    for name, count in (("standard", 64), ("efficient", 64), ("random", 256)):
        plan = ChunkPlan(load(RULES), (name,) * 4, count)

        def run(seed: int, plan: ChunkPlan = plan) -> tuple[int, int]:
            games = play_chunk(plan, plan.games * seed, plan.games).games
            return len(games), int(games["decisions"].sum())

        best = fastest(run)
        rates.append((name, best.games / best.seconds, best.seconds / best.decisions))
    table = RichTable(title="Four bots of a kind, one core", title_justify="left")
    for column in ("bot", "hanchan/s", "µs a decision"):
        table.add_column(column, justify="right")
    for name, rate, seconds in rates:
        table.add_row(name, f"{rate:,.1f}", f"{seconds * 1e6:.2f}")
    console.print(table)
    console.print("aim: 100 hanchan/s for standard")


@contextlib.contextmanager
def all_cores(cores: set[int]) -> Iterator[None]:
    """Let the threads made inside run on all of these cores."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def scaling_section(console: Console, cores: set[int]) -> None:
    """The same simulation on one thread and on one for every core."""
    number = len(cores) or os.cpu_count() or 1
    plan = ChunkPlan(load(RULES), ("standard",) * 4, 640)

    def seconds(jobs: int) -> float:
        start = time.perf_counter()
        with played(plan, jobs) as chunks:
            for _ in chunks:
                pass
        return time.perf_counter() - start

    with all_cores(cores):
        one, all_of_them = (min(seconds(jobs) for _ in range(3)) for jobs in (1, number))
    said = f"{plan.games / one:,.0f} → {plan.games / all_of_them:,.0f} hanchan/s"
    times = f"{one / all_of_them:.2f} times (aim: 1.8)"
    console.print(f"\nSimulation by standard on 1 and {number} threads: {said}, {times}")


def resident() -> float:
    """The most memory that this process has held, in megabytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def memory_section(console: Console) -> None:
    """Growth of the process over many hands."""
    in_bulk(0)
    before, hands, counts = resident(), 0, np.zeros(4, np.int64)
    rules = load(RULES)
    batch = new_batch(rules, np.array(tile_set(rules), np.uint8), 1, 0, 64)
    while hands < 1_000_000:
        play_at_random(batch, sources(1, CHOICES, 0, 64), 20_000, context(), counts)
        hands = int(counts[HANDS])
        if counts[STUCK]:
            raise RuntimeError(f"{counts[STUCK]} random games are stuck")
    console.print(f"Memory over {hands:,} random hands: {before:,.0f} MB, then {resident():,.0f} MB")


def record_section(console: Console) -> None:
    """How large the compact record of a hanchan is."""
    player, sizes = bot("standard", 1), []
    for seed in range(4):
        game = Game(RULES, seed=seed)
        while not game.is_over:
            seat = game.to_act[0]
            game.play(seat, player.choose(game, seat))
        sizes.append(len(compact(game)))
    console.print(
        f"Compact record of a hanchan played by standard: {min(sizes):,} to {max(sizes):,} bytes (aim: 8 KB)"
    )


def engine_section(console: Console, cores: set[int]) -> None:
    """Everything about whole games; ``cores`` are those that the process may use."""
    memory_section(console)
    play_section(console)
    bots_section(console)
    scaling_section(console, cores)
    record_section(console)
