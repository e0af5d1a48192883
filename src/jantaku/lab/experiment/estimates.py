"""Estimates with 95% intervals from sums over games played on the same walls.

The hands of a game are dependent but games are independent, so the unit is the game. The sums, squares and
products of all quantities under all rulesets are accumulated. From these the delta method gives the variance
of a ratio of two sums, and of the difference of two ratios under different rulesets on the same walls.
"""

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Z: Final = 1.959963984540054  # normal quantile of a 95% interval

ROUNDING: Final = 1e-12  # a sum smaller than this share of its terms is rounding error
Weights = dict[int, float]  # derivative of an estimate with respect to the quantity in each column


class Estimate(NamedTuple):
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float


class Ratio(NamedTuple):
    """The ratio of two sums, with its derivative with respect to each quantity."""

    value: float
    weights: Weights
    size: float  # the divisor
    cases: float  # effective number of games: many cases of a rare event in one game count once

    def times(self, factor: float) -> "Ratio":
        """Return the ratio times ``factor``, to convert units."""
        weights = {column: factor * weight for column, weight in self.weights.items()}
        return self._replace(value=factor * self.value, weights=weights)


class RatioDifference(NamedTuple):
    """The difference of two ratios, its standard error, and its effective number of games."""

    value: float
    error: float
    cases: float

    def interval(self) -> Estimate:
        """Return the 95% interval of this difference alone, for a number of games fixed in advance."""
        half = Z * self.error
        return Estimate(self.value, self.value - half, self.value + half)


class Moments:
    """Sums, squares and products of ``count`` quantities over games, in constant memory."""

    def __init__(self, count: int) -> None:
        self.games = 0
        self.totals = np.zeros(count)
        self._products = np.zeros((count, count))

    def add(self, rows: npt.NDArray[np.float64]) -> None:
        """Add games, ``float64[games, count]``."""
        self.games += len(rows)
        self.totals += rows.sum(axis=0)
        self._products += rows.T @ rows

    def ratio(self, above: int, below: int) -> Ratio | None:
        """Return the ratio of the sums of two quantities; ``None`` if the divisor is 0."""
        size = float(self.totals[below])
        if size == 0:
            return None
        value = float(self.totals[above]) / size
        weights = {above: 1 / size}
        weights[below] = weights.get(below, 0.0) - value / size
        return Ratio(value, weights, size, min(self._cases(above), self._cases(below)))

    def _cases(self, column: int) -> float:
        """Return the effective number of games of a sum: its square over the sum of squares."""
        squares = float(self._products[column, column])
        return float(self.totals[column]) ** 2 / squares if squares else 0.0

    def variance(self, weights: Weights) -> float:
        """Return the variance of the weighted sum of quantities over all games."""
        places = list(weights)
        factors = np.array([weights[column] for column in places])
        products = self._products[np.ix_(places, places)]
        total = float(factors @ products @ factors)
        total -= float(factors @ self.totals[places]) ** 2 / self.games
        if total < ROUNDING * float(np.abs(factors) @ np.abs(products) @ np.abs(factors)):
            return 0.0
        return total * self.games / (self.games - 1)

    def mean(self, ratio: Ratio) -> Estimate:
        """Return a ratio with its interval."""
        half = Z * math.sqrt(self.variance(ratio.weights))
        return Estimate(ratio.value, ratio.value - half, ratio.value + half)

    def share(self, ratio: Ratio) -> Estimate:
        """Return a ratio between 0 and 1 with Wilson's interval, which is sound even for a count of 0.

        Wilson's interval assumes independent cases; their number is chosen to match the observed variance.
        """
        value = min(1.0, max(0.0, ratio.value))
        plain, own = value * (1 - value) / ratio.size, self.variance(ratio.weights)
        cases = ratio.size * plain / own if plain > 0 and own > 0 else ratio.size
        spread = Z * Z / cases
        middle = (value + spread / 2) / (1 + spread)
        half = Z / (1 + spread) * math.sqrt(value * (1 - value) / cases + spread / cases / 4)
        return Estimate(value, min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half)))

    def difference(self, one: Ratio, other: Ratio) -> RatioDifference:
        """Return ``one`` minus ``other``, with the standard error of the difference."""
        weights = dict(one.weights)
        for column, factor in other.weights.items():
            weights[column] = weights.get(column, 0.0) - factor
        value = one.value - other.value
        if abs(value) < ROUNDING * max(abs(one.value), abs(other.value)):
            value = 0.0
        cases = min(float(self.games), one.cases + other.cases)
        return RatioDifference(value, math.sqrt(self.variance(weights)), cases)
