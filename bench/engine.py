"""Benchmarks of whole games: in bulk, step by step, by bots and on all cores; memory and record size."""

import contextlib
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from rich.table import Table

from bench import peers
from bench.timing import OURS, Bench, Candidate, Measured
from jantaku import Game, load
from jantaku.bots import bot
from jantaku.game.engine import Engine, context, seats_to_act
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER
from jantaku.lab.chunks import ChunkPlan, play_chunk, played_chunks
from jantaku.lab.kernels.randoms import DECISIONS, HANDS, STUCK, play_at_random
from jantaku.lab.kernels.turns import CHOICES, new_batch, sources
from jantaku.lab.vector import VectorEnv
from jantaku.records.native.compact import compact

RULES = "tenhou"


def per_decision(play: Callable[[int], int], games: int = 1) -> Measured:
    """Measure the CPU seconds per decision over games with different seeds.

    ``play`` plays a game and returns its number of decisions, which varies with the seed.
    """
    seeds = count()

    def measured() -> float:
        start = time.process_time()
        decisions = sum(play(next(seeds)) for _ in range(games))
        return (time.process_time() - start) / decisions

    return measured


def in_bulk(seed: int) -> int:
    """Play random legal hanchan entirely in compiled code."""
    rules, counts = load(RULES), np.zeros(4, np.int64)
    batch = new_batch(rules, np.array(tile_set(rules), np.uint8), seed, 0, 64)
    play_at_random(batch, sources(seed, CHOICES, 0, 64), 4_000, context(), counts)
    return int(counts[DECISIONS])


def with_observations(seed: int) -> int:
    """Step many games with observations and masks; NumPy chooses random actions."""
    env, rng = VectorEnv(RULES, 512, seed, copy=False), np.random.default_rng(seed)
    state: Any = env.reset()
    for _ in range(200):
        state = env.step((state.mask * rng.random(state.mask.shape, np.float32)).argmax(axis=1))
    return 512 * 200


def environment(seed: int) -> int:
    """Step one game from Python, one call per decision, with observation and mask."""
    env, rng = VectorEnv(RULES, 1, seed, copy=False), random.Random(seed)
    state: Any = env.reset()
    for _ in range(10_000):
        state = env.step([rng.choice(state.mask[0].nonzero()[0])])
    return 10_000


def engine(seed: int) -> int:
    """Play a game on ``Engine`` with integer codes: one call for the legal actions, one per decision."""
    rules, rng, decisions = load(RULES), random.Random(seed), 0
    wall = tile_set(rules)
    rng.shuffle(wall)
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
    return decisions


def typed(seed: int, *, read: bool) -> int:
    """Play a ``Game`` with typed actions; its events are created only if ``read`` is true."""
    rng, game = random.Random(seed), Game(RULES, seed=seed)
    while not game.is_over:
        seat = game.to_act[0]
        events = game.play(seat, rng.choice(game.legal(seat)))
        if read:
            list(events)
    return len(game.played)


def play_section(bench: Bench) -> None:
    """Compare random legal play, in bulk and stepped from Python."""
    bench.compare(
        "Random play, per decision",
        [
            Candidate(OURS, per_decision(in_bulk), "in bulk", must_win=True),
            Candidate(OURS, per_decision(with_observations), "VectorEnv of 512 games", must_win=True),
            Candidate(OURS, per_decision(environment), "VectorEnv of one game", must_win=True),
            Candidate(OURS, per_decision(engine, 2), "Engine", must_win=True),
            Candidate(
                OURS, per_decision(partial(typed, read=False), 2), "Game, no event read", must_win=True
            ),
            Candidate(
                "riichienv", per_decision(partial(peers.riichienv_game, log=False), 4), "without a log"
            ),
            Candidate("jansou", per_decision(peers.jansou_game), "Environment"),
        ],
    )
    bench.compare(
        "Random play with every event, per decision",
        [
            Candidate(
                OURS, per_decision(partial(typed, read=True), 2), "Game, every event read", must_win=True
            ),
            Candidate(
                "riichienv", per_decision(partial(peers.riichienv_game, log=True), 4), "with its log read"
            ),
            Candidate("jansou", per_decision(peers.jansou_game), "Environment"),
        ],
    )


def bots_section(bench: Bench) -> None:
    """Measure hanchan per second of each bot on one core."""
    table = Table(title="Four identical bots, one core", title_justify="left")
    for column in ("bot", "hanchan/s", "µs per decision"):
        table.add_column(column, justify="right")
    for name, games in (("standard", 64), ("efficient", 64), ("random", 256)):
        plan, best = ChunkPlan(load(RULES), (name,) * 4, games), (0.0, 0.0)
        for number in range(2 if bench.short else 5):
            start = time.process_time()
            done = play_chunk(plan, games * number, games).games
            seconds = time.process_time() - start
            best = max(best, (len(done) / seconds, 1e6 * seconds / int(done["decisions"].sum())))
        table.add_row(name, f"{best[0]:,.1f}", f"{best[1]:.2f}")
    bench.console.print(table)
    bench.console.print("aim: 100 hanchan/s for standard")


@contextlib.contextmanager
def all_cores(cores: set[int]) -> Iterator[None]:
    """Let threads started inside the block run on all of these cores."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def scaling_section(bench: Bench, cores: set[int]) -> None:
    """Measure the elapsed time of a simulation on one thread and on one thread per core."""
    number = len(cores) or os.cpu_count() or 1
    plan = ChunkPlan(load(RULES), ("standard",) * 4, 320)

    def seconds(jobs: int) -> float:
        start = time.perf_counter()
        with played_chunks(plan, jobs) as chunks:
            for _ in chunks:
                pass
        return time.perf_counter() - start

    with all_cores(cores):
        one, many = (min(seconds(jobs) for _ in range(3)) for jobs in (1, number))
    rates = f"{plan.games / one:,.0f} → {plan.games / many:,.0f} hanchan/s"
    speedup = f"{one / many:.2f} times (aim: 1.8)"
    bench.console.print(f"\nSimulation by standard on 1 and {number} threads: {rates}, {speedup}")


def resident() -> float:
    """Return the peak memory of this process in megabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def memory_section(bench: Bench) -> None:
    """Measure the memory growth of the process over many hands."""
    in_bulk(0)
    before, hands, counts = resident(), 0, np.zeros(4, np.int64)
    rules = load(RULES)
    batch = new_batch(rules, np.array(tile_set(rules), np.uint8), 1, 0, 64)
    while hands < 1_000_000:
        play_at_random(batch, sources(1, CHOICES, 0, 64), 20_000, context(), counts)
        hands = int(counts[HANDS])
        if counts[STUCK]:
            raise RuntimeError(f"{counts[STUCK]} random games are stuck")
    bench.console.print(f"Memory over {hands:,} random hands: {before:,.0f} MB, then {resident():,.0f} MB")


def record_section(bench: Bench) -> None:
    """Measure the size of the compact record of a hanchan."""
    player, sizes = bot("standard", 1), []
    for seed in range(4):
        game = Game(RULES, seed=seed)
        while not game.is_over:
            seat = game.to_act[0]
            game.play(seat, player.choose(game, seat))
        sizes.append(len(compact(game)))
    bench.console.print(
        f"Compact record of a hanchan played by standard: {min(sizes):,} to {max(sizes):,} bytes (aim: 8 KB)"
    )


def engine_section(bench: Bench, cores: set[int]) -> None:
    """Run all benchmarks of whole games on ``cores``, the processor cores that this process may use."""
    play_section(bench)
    bots_section(bench)
    record_section(bench)
    if not bench.short:
        memory_section(bench)
        scaling_section(bench, cores)
