"""Fixtures and helpers for all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from jantaku.kernels._jit import COMPILED, use_compiled
from support.plain import watch_games

SHARED = Path(__file__).parents[2] / "shared" / "data"


SEATS = range(4)
watch_games()
use_compiled()


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Close connections to a parlour that a test left open, except those shared by its module."""
    before = sys.modules.get("server.parlour")
    count = before.opened() if before is not None else 0
    yield
    parlour = sys.modules.get("server.parlour")
    if parlour is not None:
        parlour.close_after(count)


def scale(number: int) -> int:
    """Return the number of cases to run: ``number`` if compiled, otherwise a tenth of it and at most 300."""
    return number if COMPILED else min(300, max(1, number // 10))


def random_counts(rng: Random, melds: int = 0, drawn: bool = False) -> list[int]:
    """Return the concealed tiles of a random hand by kind; half of the hands use one or two suits."""
    first, last = rng.choice(((0, 34), (0, 34), (0, 9), (0, 18), (9, 27), (18, 34)))
    wall = [kind for kind in range(first, last) for _ in range(4)]
    counts = [0] * 34
    for kind in rng.sample(wall, 13 + drawn - 3 * melds):
        counts[kind] += 1
    return counts


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of shared test data; tests that need it are skipped where it is missing."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared data at {SHARED}")
    return SHARED
