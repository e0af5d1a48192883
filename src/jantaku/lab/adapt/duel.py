"""Games of adapted bots against plain ones on the same walls, and the results of the adapted bots."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.policies import ADAPTED_NAME, BOTS, STANDARD
from jantaku.lab.chunks import CHUNK, ChunkPlan, play_chunk
from jantaku.rules import Ruleset

Weights = tuple[float, ...]
Floats = npt.NDArray[np.float64]


class DuelResults(NamedTuple):
    """The adapted bots' mean final score and place in each game, ``float64[n]``."""

    scores: Floats
    places: Floats


def plans_of(
    rules: Ruleset, candidates: Sequence[Weights], adapted: int, games: int, seed: int
) -> list[ChunkPlan]:
    """Return one plan per candidate, all on the same walls: ``adapted`` bots, and ``standard`` for the rest.

    The seats rotate from game to game, so every bot sits in every seat equally often.
    """
    seats = len(rules.seats)
    if 2 * adapted == seats:
        bots = (ADAPTED_NAME, BOTS[STANDARD]) * adapted  # adapted bots never sit side by side
    else:
        bots = (ADAPTED_NAME,) * adapted + (BOTS[STANDARD],) * (seats - adapted)
    return [ChunkPlan(rules, bots, games, seed, True, weights) for weights in candidates]


def results(
    plans: Sequence[ChunkPlan], jobs: int, progress: Callable[[int], object] = lambda _: None
) -> list[DuelResults]:
    """Play each plan on ``jobs`` threads and return the adapted bots' results.

    ``progress`` is called with the number of games in each finished chunk.
    """

    def play(task: tuple[ChunkPlan, int]) -> DuelResults:
        plan, first = task
        chunk = play_chunk(plan, first, min(CHUNK, plan.games - first))
        own = np.array([bot == ADAPTED_NAME for bot in plan.bots])[chunk.seated]
        progress(len(own))

        def mean_of(name: str) -> Floats:
            values: Floats = (chunk.games[name][:, np.array(chunk.seats)] * own).sum(axis=1) / own.sum(axis=1)
            return values

        return DuelResults(mean_of("final"), mean_of("place"))

    tasks = [(plan, first) for plan in plans for first in range(0, plan.games, CHUNK)]
    with ThreadPoolExecutor(jobs) as pool:
        parts = iter(list(pool.map(play, tasks)))
    return [_joined([next(parts) for _ in range(0, plan.games, CHUNK)]) for plan in plans]


def _joined(parts: Sequence[DuelResults]) -> DuelResults:
    return DuelResults(
        np.concatenate([part.scores for part in parts]), np.concatenate([part.places for part in parts])
    )
