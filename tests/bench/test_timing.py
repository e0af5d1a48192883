"""Comparisons report the candidates that are slower than a peer."""

import pytest
from bench.timing import OURS, Bench, Candidate, calls
from rich.console import Console


@pytest.mark.parametrize(
    ("ours", "theirs", "slower"),
    [
        ([1.0, 1.0, 1.0], [1.3, 1.3, 1.3], False),
        ([1.3, 1.3, 1.3], [1.0, 1.0, 1.0], True),
        ([1.01, 1.01, 1.01], [1.0, 1.0, 1.0], False),  # within the noise
        ([1.0, 9.0, 9.0], [1.1, 9.9, 9.9], False),  # the machine was busy in most rounds
        ([2.0, 2.0, 1.5], [1.0, 1.0, 9.0], True),  # one lucky round
    ],
)
def test_a_candidate_slower_than_a_peer_in_most_rounds_is_reported(
    ours: list[float], theirs: list[float], *, slower: bool
) -> None:
    bench = Bench(Console(quiet=True))
    mine, other = iter([0.5, *ours]), iter([0.5, *theirs])
    candidates = [
        Candidate(OURS, lambda: next(mine), "call", must_win=True),
        Candidate("peer", lambda: next(other)),
    ]
    bench.compare("Work", candidates, rounds=3)
    assert bool(bench.slower) is slower


def test_a_candidate_that_need_not_win_may_be_slower() -> None:
    bench = Bench(Console(quiet=True))
    bench.compare("Work", [Candidate(OURS, lambda: 2.0), Candidate("peer", lambda: 1.0)], rounds=1)
    assert not bench.slower


def test_the_time_of_a_call_is_divided_by_its_units() -> None:
    runs: list[int] = []

    def run() -> None:
        runs.append(sum(range(100_000)))

    assert calls(run, 1000)() < calls(run, 1)() / 100
    assert runs
