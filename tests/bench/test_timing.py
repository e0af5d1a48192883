"""What a comparison calls slower than a peer."""

import pytest
from bench.timing import OURS, Bench, Way, calls
from rich.console import Console


@pytest.mark.parametrize(
    ("ours", "theirs", "slower"),
    [
        ([1.0, 1.0, 1.0], [1.3, 1.3, 1.3], False),
        ([1.3, 1.3, 1.3], [1.0, 1.0, 1.0], True),
        ([1.01, 1.01, 1.01], [1.0, 1.0, 1.0], False),  # as noise may have it
        ([1.0, 9.0, 9.0], [1.1, 9.9, 9.9], False),  # something else ran in most rounds, beside both
        ([2.0, 2.0, 1.5], [1.0, 1.0, 9.0], True),  # one lucky round
    ],
)
def test_what_is_slower_than_a_peer_in_most_rounds_is_named(
    ours: list[float], theirs: list[float], *, slower: bool
) -> None:
    bench = Bench(Console(quiet=True))
    mine, other = iter([0.5, *ours]), iter([0.5, *theirs])
    ways = [Way(OURS, lambda: next(mine), "way", promised=True), Way("peer", lambda: next(other))]
    bench.compare("Work", ways, rounds=3)
    assert bool(bench.slower) is slower


def test_a_way_that_promises_nothing_may_be_slower() -> None:
    bench = Bench(Console(quiet=True))
    bench.compare("Work", [Way(OURS, lambda: 2.0), Way("peer", lambda: 1.0)], rounds=1)
    assert not bench.slower


def test_a_call_counts_for_each_of_its_units() -> None:
    runs: list[int] = []

    def run() -> None:
        runs.append(sum(range(100_000)))

    assert calls(run, 1000)() < calls(run, 1)() / 100
    assert runs
