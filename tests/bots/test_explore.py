"""Exploration: the frequency of each option."""

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.chance import new_source
from jantaku.bots.explore import explore
from jantaku.bots.net import DISCARD
from jantaku.bots.workspace import new_bot_workspace
from jantaku.kernels._jit import COMPILED

SUMS = {1: 0.5, 4: -0.2, 9: 0.1}
TIMES = 20_000 if COMPILED else 3_000


@pytest.mark.parametrize("sharpness", [0.5, 2.0, 8.0])
def test_better_options_are_chosen_more_often(sharpness: float) -> None:
    work = new_bot_workspace(new_source(3), load("tenhou"))
    work.sharpness[0] = sharpness
    for option, value in SUMS.items():
        work.utility[option] = value
    work.utility[2] = 99.0  # not an option
    options = sum(1 << option for option in SUMS)
    chosen = [int(explore(DISCARD, options, work)) for _ in range(TIMES)]
    weights = np.exp(sharpness * np.array(list(SUMS.values())))
    shares = weights / weights.sum()
    assert [chosen.count(option) / TIMES for option in SUMS] == pytest.approx(shares, abs=4 / TIMES**0.5)
    assert work.inputs.chances[DISCARD, list(SUMS)] == pytest.approx(shares, rel=1e-5)
    assert work.inputs.chances[DISCARD].sum() == pytest.approx(1.0)
