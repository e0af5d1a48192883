"""Tests which of many differences are significant; the results are valid at any time during a run.

Many rows: the Benjamini-Hochberg procedure limits the expected share of false positives among the clear rows
to 5%; if nothing differs at all, only 5% of comparisons have any clear row. The intervals of all rows have
the level of the last clear row (Benjamini and Yekutieli 2005), so a row is clear exactly if its interval
excludes zero.

Repeated looks: after ``n`` of ``N`` games the sum of a difference behaves like a Brownian motion at time
``n / N``. The probability of leaving ``±c`` before the end is at most ``4 (1 - Phi(c))``. Bounds
``sqrt(N / n)`` times as wide as the final ones (O'Brien and Fleming 1979) therefore hold at all times
simultaneously.

Few games: the error is estimated from the games with an event, so Student's t replaces Phi.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from jantaku.errors import RequestError
from jantaku.lab.experiment.estimates import Estimate, RatioDifference

LEVEL: Final = 0.05


class Judgement(NamedTuple):
    """The simultaneous interval of a difference, and whether it is clear."""

    interval: Estimate
    clear: bool


def special_functions() -> Any:
    """Import SciPy's special functions, for Student's t; raise ``RequestError`` without SciPy."""
    try:
        from scipy import special  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise RequestError("missing_extra", field="scipy", extra="lab") from error
    return special


def judge(differences: Sequence[RatioDifference], played: int, wanted: int) -> list[Judgement]:
    """Test all differences jointly, after ``played`` of ``wanted`` games."""
    if not differences:
        return []
    special = special_functions()
    value, error, cases = np.array(differences).T
    freedom = np.maximum(1.0, cases - 1)
    width = error * math.sqrt(wanted / played)
    with np.errstate(divide="ignore", invalid="ignore"):
        outside = 4 * special.stdtr(freedom, -np.abs(value) / width)
        chance = np.where(value == 0, 1.0, np.minimum(1.0, outside))
    steps = LEVEL * np.arange(1, len(value) + 1) / len(value)
    passed = np.flatnonzero(np.sort(chance) <= steps)
    clear = chance <= (steps[passed[-1]] if len(passed) else -1.0)
    half = width * special.stdtrit(freedom, 1 - steps[passed[-1] if len(passed) else 0] / 4)
    return [
        Judgement(Estimate(float(middle), float(middle - spread), float(middle + spread)), bool(sure))
        for middle, spread, sure in zip(value, half, clear, strict=True)
    ]
