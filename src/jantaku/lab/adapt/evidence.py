"""The direction in which the weights gain most, estimated from the bots' exploration and its outcome.

Each seat's gain in a hand is regressed on its trace: the features of the options it chose at random
(``bots.explore``) minus the average of all options, summed over its decisions. This is the gradient of the
log probability of its choices (Williams 1992). The coefficients are the natural gradient of the average gain:
the steepest ascent measured by the change of the choices, not of the weights (Peters and Schaal 2008,
episodic natural actor-critic).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.weights import CLAIM_AT, RIICHI_AT, STANDARD_WEIGHTS
from jantaku.lab.chunks import Chunk, places_of
from jantaku.lab.kernels.recording import (
    D_CHOSEN,
    D_COUNT,
    D_FIRST,
    D_HEAD,
    D_STEP,
    STEP_HAND,
    STEP_SEAT,
)

Floats = npt.NDArray[np.float64]

WEIGHTS: Final = len(STANDARD_WEIGHTS)
BASELINES: Final = 2  # further regressors: the average gain of a hand, and of the dealer
DECAY: Final = 0.85  # share of earlier evidence that each round retains
SHRINKAGE: Final = 0.01  # pulls directions with little evidence towards 0
NOISE: Final = 1.0  # multiple of the expected noise that is subtracted from the gradient
_RIDGE: Final = 1e-4


@dataclass(frozen=True)
class Evidence:
    """Sums over the hands of all seats: products of the traces (``[n, n]``) and of traces and gain (``[n]``).

    ``squares`` is the sum of the squared gains, ``hands`` the number of hands.
    """

    products: Floats
    gains: Floats
    squares: float
    hands: float

    @classmethod
    def none(cls) -> "Evidence":
        """Return empty sums, to which hands can be added."""
        return cls(np.zeros((WEIGHTS + BASELINES,) * 2), np.zeros(WEIGHTS + BASELINES), 0.0, 0.0)

    def joined(self, other: "Evidence", decay: float = 1.0) -> "Evidence":
        """Return these sums times ``decay``, plus the sums of ``other``."""
        return Evidence(
            decay * self.products + other.products,
            decay * self.gains + other.gains,
            decay * self.squares + other.squares,
            decay * self.hands + other.hands,
        )

    def step(self, size: float) -> Floats:
        """Return a step of the weights along the natural gradient.

        ``size`` limits the change of the choices: twice the relative entropy of a hand's choices, in nats and
        units of the sharpness squared. The closer the gradient is to pure noise, the shorter the step.
        """
        shrink = np.full(WEIGHTS + BASELINES, _RIDGE * self.hands)
        shrink[:WEIGHTS] += SHRINKAGE * np.diag(self.products)[:WEIGHTS]
        direction = np.linalg.solve(self.products + np.diag(shrink), self.gains)[:WEIGHTS]
        length = float(direction @ self.products[:WEIGHTS, :WEIGHTS] @ direction) / self.hands
        noise = NOISE * WEIGHTS * self.squares / self.hands**2
        signal = max(1.0 - noise / length, 0.0) if length > 0 else 0.0
        step: Floats = direction * (size * signal / length) ** 0.5 if signal else np.zeros(WEIGHTS)
        return step


def traces_of(chunk: Chunk) -> Floats:
    """Return the trace of each hand and seat, ``[n, seats, weights]``, of games with recorded decisions."""
    traces = np.zeros((len(chunk.hands), len(chunk.seats), WEIGHTS))
    recorded = chunk.recorded
    if recorded is None:
        return traces
    decisions = recorded.decisions.astype(np.int64)
    for head, (first, end) in enumerate(((0, CLAIM_AT), (CLAIM_AT, RIICHI_AT), (RIICHI_AT, WEIGHTS))):
        own = decisions[decisions[:, D_HEAD] == head]
        count, steps = own[:, D_COUNT], recorded.steps[own[:, D_STEP]]
        owner = np.repeat(np.arange(len(own)), count)
        option = places_of(count)
        rows = own[owner, D_FIRST] + option
        surprise = (option == own[owner, D_CHOSEN]) - recorded.chances[rows].astype(np.float64)
        features = recorded.options[rows, : end - first] * surprise[:, None]
        np.add.at(traces[:, :, first:end], (steps[owner, STEP_HAND], steps[owner, STEP_SEAT]), features)
    return traces


def evidence_of(traces: Floats, gains: Floats, dealer: npt.NDArray[np.bool_]) -> Evidence:
    """Sum up hands: ``traces`` is ``[n, seats, weights]``, ``gains`` and ``dealer`` are ``[n, seats]``."""
    explored, gained = traces.reshape(-1, WEIGHTS), gains.ravel()
    rows: Floats = np.column_stack([explored, np.ones(len(explored)), dealer.ravel()])
    return Evidence(rows.T @ rows, rows.T @ gained, float(gained @ gained), float(len(rows)))
