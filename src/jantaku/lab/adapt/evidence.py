"""The direction in which weights gain most, from what the bots of many hands tried and what it brought.

What each hand gained is regressed on what the seat tried in it (``bots.explore``). The coefficients are the
natural gradient of the average gain: the steepest way up, measured by how much the choices change, not by how
much the weights do (Peters and Schaal 2008, episodic natural actor-critic).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.weights import STANDARD_WEIGHTS

Floats = npt.NDArray[np.float64]

WEIGHTS: Final = len(STANDARD_WEIGHTS)
OTHERS: Final = 2  # what a hand brings on average, and to the dealer
KEPT: Final = 0.85  # share of the evidence that the next round keeps
CAREFUL: Final = 0.01  # pulls directions with little evidence towards 0
CHANCE: Final = 1.0  # how much of what chance alone would show is taken off the gradient
_LEAST: Final = 1e-4


@dataclass(frozen=True)
class Evidence:
    """Sums over hands of each seat: products of what was tried (``[n, n]``) and with the gain (``[n]``).

    ``squares`` is the sum of the squared gains, ``hands`` how many there are.
    """

    products: Floats
    gains: Floats
    squares: float
    hands: float

    @classmethod
    def none(cls) -> "Evidence":
        """The sums over no hands."""
        return cls(np.zeros((WEIGHTS + OTHERS,) * 2), np.zeros(WEIGHTS + OTHERS), 0.0, 0.0)

    def joined(self, other: "Evidence", kept: float = 1.0) -> "Evidence":
        """The sums of both, a share of these and all of the other."""
        return Evidence(
            kept * self.products + other.products,
            kept * self.gains + other.gains,
            kept * self.squares + other.squares,
            kept * self.hands + other.hands,
        )

    def step(self, size: float) -> Floats:
        """The change of the weights up the natural gradient; ``size`` is how much choices may change at most.

        It is twice the relative entropy of a hand's choices, in nats and units of the sharpness squared. The
        less the gradient stands out of what chance alone would show, the shorter the step.
        """
        shrink = np.full(WEIGHTS + OTHERS, _LEAST * self.hands)
        shrink[:WEIGHTS] += CAREFUL * np.diag(self.products)[:WEIGHTS]
        way = np.linalg.solve(self.products + np.diag(shrink), self.gains)[:WEIGHTS]
        length = float(way @ self.products[:WEIGHTS, :WEIGHTS] @ way) / self.hands
        chance = CHANCE * WEIGHTS * self.squares / self.hands**2
        sure = max(1.0 - chance / length, 0.0) if length > 0 else 0.0
        step: Floats = way * (size * sure / length) ** 0.5 if sure else np.zeros(WEIGHTS)
        return step


def evidence_of(traces: Floats, gains: Floats, dealer: npt.NDArray[np.bool_]) -> Evidence:
    """The sums of some hands: ``traces`` ``[n, seats, weights]``, ``gains`` and ``dealer`` ``[n, seats]``."""
    tried, gained = traces.reshape(-1, WEIGHTS), gains.ravel()
    rows: Floats = np.column_stack([tried, np.ones(len(tried)), dealer.ravel()])
    return Evidence(rows.T @ rows, rows.T @ gained, float(gained @ gained), float(len(rows)))
