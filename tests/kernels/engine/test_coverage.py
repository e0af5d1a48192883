"""Random games under random rules: every invariant holds, and everything that is possible occurs."""

import pytest

from conftest import scale
from jantaku.kernels._jit import COMPILED
from support.coverage_games import never, run


@pytest.mark.long
def test_random_decisions_keep_every_invariant() -> None:
    """Fifty thousand decisions are enough for nearly everything that is possible."""
    seen, decisions = run(scale(50_000) if COMPILED else 1000, seed=5)
    assert decisions >= 1000
    assert not COMPILED or len(never(seen)) <= 5, never(seen)


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="ten million decisions take hours uncompiled")
def test_ten_million_decisions_reach_every_yaku_and_option() -> None:
    seen, decisions = run(10_000_000, seed=1)
    assert decisions >= 10_000_000
    assert never(seen) == []
