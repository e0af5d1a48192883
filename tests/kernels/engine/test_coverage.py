"""Random games under random rules: every invariant holds, and everything that is possible occurs."""

import pytest

from conftest import scale
from jantaku.kernels._jit import COMPILED
from support.coverage_games import never, run

TOO_RARE = "end: suufuu_renda"  # nobody here discards the same wind on purpose; scenarios do


@pytest.mark.long
def test_random_decisions_reach_every_yaku_foul_and_ending() -> None:
    seen, decisions = run(scale(1_000_000) if COMPILED else 1000, seed=1)
    assert decisions >= 1000
    assert not COMPILED or set(never(seen)) <= {TOO_RARE}
