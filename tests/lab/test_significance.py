"""The joint test of many differences, which is valid at any time during a run."""

import numpy as np
import numpy.typing as npt
import pytest

from jantaku.lab.experiment.estimates import Moments, RatioDifference
from jantaku.lab.experiment.significance import LEVEL, judge

pytest.importorskip("scipy")


def differences(rows: npt.NDArray[np.float64]) -> list[RatioDifference]:
    """Return the difference per game between the two columns of each pair."""
    moments = Moments(rows.shape[1])
    moments.add(rows)
    ratios = [moments.ratio(rank, rows.shape[1] - 1) for rank in range(rows.shape[1] - 1)]
    return [moments.difference(a, b) for a, b in zip(ratios[::2], ratios[1::2], strict=True) if a and b]


def played(rng: np.random.Generator, games: int, rows: int, shift: float = 0.0) -> npt.NDArray[np.float64]:
    """Simulate games.

    The columns are pairs of counts, from rare to common, followed by a column of ones.
    """
    rates = np.repeat(np.geomspace(0.05, 3, rows), 2)
    counts = rng.poisson(rates * np.tile([1 + shift, 1], rows), (games, 2 * rows)).astype(float)
    return np.hstack([counts, np.ones((games, 1))])


@pytest.mark.parametrize("rows", [1, pytest.param(40, marks=pytest.mark.slow)])
def test_equal_rules_show_no_clear_row_at_any_time(rows: int) -> None:
    """In at most 5% of 200 comparisons of equal rules, checked every 16 games, a row is ever clear."""
    rng, games, false_alarms = np.random.default_rng(5), 256, 0
    for _ in range(200):
        whole = played(rng, games, rows)
        looks = (judge(differences(whole[:end]), end, games) for end in range(16, games + 1, 16))
        false_alarms += any(row.clear for look in looks for row in look)
    assert false_alarms <= 200 * LEVEL + 2 * (200 * LEVEL * (1 - LEVEL)) ** 0.5


def test_true_differences_are_clear_and_few_others() -> None:
    """Ten of 40 rows differ by half; those with common cases are clear, and hardly any other rows are."""
    rng, right, wrong = np.random.default_rng(6), 0, 0
    for _ in range(20):
        same, other = played(rng, 512, 30), played(rng, 512, 10, shift=0.5)
        rows = judge(differences(np.hstack([same[:, :-1], other])), 512, 512)
        wrong += sum(row.clear for row in rows[:30])
        right += sum(row.clear for row in rows[30:])
    assert right >= 120
    assert wrong <= 2 * LEVEL * right


def test_a_row_is_clear_exactly_if_its_interval_excludes_zero() -> None:
    rng = np.random.default_rng(7)
    rows = judge(differences(played(rng, 400, 30, shift=0.3)), 400, 800)
    assert 0 < sum(row.clear for row in rows) < 30
    assert all(row.clear == (row.interval.low > 0 or row.interval.high < 0) for row in rows)


def test_fewer_games_than_wanted_make_wider_intervals() -> None:
    (whole,), (half,) = (judge([RatioDifference(1.0, 0.3, 500.0)], 500, wanted) for wanted in (500, 2000))
    assert half.interval.high - 1 == pytest.approx(2 * (whole.interval.high - 1))
    assert (whole.clear, half.clear) == (True, False)


def test_few_cases_widen_the_interval() -> None:
    """An error that is estimated from four games is less reliable than one from four hundred."""
    assert judge([RatioDifference(1.0, 0.4, 400.0)], 400, 400)[0].clear
    assert not judge([RatioDifference(1.0, 0.4, 4.0)], 400, 400)[0].clear


def test_a_difference_without_spread_is_certain() -> None:
    nothing, certain = judge([RatioDifference(0.0, 0.0, 400.0), RatioDifference(0.5, 0.0, 400.0)], 16, 400)
    assert (nothing.interval, nothing.clear) == ((0, 0, 0), False)
    assert (certain.interval, certain.clear) == ((0.5, 0.5, 0.5), True)
    assert judge([], 16, 400) == []
