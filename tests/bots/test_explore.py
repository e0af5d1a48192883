"""Exploration: the frequency of each option, and the recorded trace."""

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.chance import new_source
from jantaku.bots.explore import explore
from jantaku.bots.net import DISCARD
from jantaku.bots.net_file import PLAIN
from jantaku.bots.policies import ADAPTED_NAME
from jantaku.bots.weights import STANDARD_WEIGHTS
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.kernels._jit import COMPILED
from jantaku.lab.chunks import Chunk, ChunkPlan, play_chunk

FIRST, COUNT = 7, 3
SUMS = {1: 0.5, 4: -0.2, 9: 0.1}
TIMES = 20_000 if COMPILED else 3_000


def workspace(sharpness: float) -> BotWorkspace:
    """Return a workspace with three options with random features, for seat 2."""
    work = new_bot_workspace(new_source(3), load("tenhou"), traced=True)
    work.sharpness[0], work.seat[0] = sharpness, 2
    work.features[:, :COUNT] = np.random.default_rng(1).normal(size=(34, COUNT))
    for option, weighted in SUMS.items():
        work.utility[option] = weighted
    work.utility[2] = 99.0  # not an option
    return work


@pytest.mark.parametrize("sharpness", [0.5, 2.0, 8.0])
def test_better_options_are_chosen_more_often(sharpness: float) -> None:
    work = workspace(sharpness)
    options = sum(1 << option for option in SUMS)
    chosen = [int(explore(DISCARD, options, (FIRST, COUNT), work)) for _ in range(TIMES)]
    weights = np.exp(sharpness * np.array(list(SUMS.values())))
    shares = weights / weights.sum()
    assert [chosen.count(option) / TIMES for option in SUMS] == pytest.approx(shares, abs=4 / TIMES**0.5)
    total = np.zeros(COUNT)
    for option in chosen:
        total += work.features[option, :COUNT] - shares @ work.features[list(SUMS), :COUNT]
    assert work.trace[2, FIRST : FIRST + COUNT] == pytest.approx(total)
    assert np.abs(total).max() < 8 * TIMES**0.5  # the expected sum is zero
    work.trace[2, FIRST : FIRST + COUNT] = 0.0
    assert not work.trace.any()


def played(sharpness: float) -> Chunk:
    bots = (ADAPTED_NAME,) * 4
    return play_chunk(ChunkPlan(load("tenhou"), bots, 2, 1, adapted=PLAIN, sharpness=sharpness), 0, 2)


@pytest.mark.xdist_group("lab")
@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_games_with_exploration_have_traces() -> None:
    plain, sharp, explored = played(0.0), played(1e9), played(1.0)
    assert len(plain.traces) == 0
    assert np.abs(sharp.traces).max() < 1e-6  # only the best option is chosen, or one with the same features
    assert not np.array_equal(explored.hands["delta"][:4], plain.hands["delta"][:4])
    assert explored.traces.shape == (len(explored.hands), 4, len(STANDARD_WEIGHTS))
    assert np.abs(explored.traces).max(axis=2).min() > 0  # every seat explores in every hand
