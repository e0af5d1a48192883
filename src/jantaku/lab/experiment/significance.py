"""Which of many differences are there, even for somebody who watches while the games are played.

Many rows: with the procedure of Benjamini and Hochberg at most 5 % of the rows called clear are so by chance,
and if nothing differs, 5 % of the questions show anything at all. The intervals of all rows have the level of
the last clear row (Benjamini and Yekutieli 2005), so a row is clear exactly if its interval leaves out zero.

Watching: after ``n`` of ``N`` games the sum of a difference moves like a Brownian motion at time
``n / N``. It
leaves ``±c`` at some time before the end with a chance of at most ``4 (1 - Phi(c))``. So bounds that are
``sqrt(N / n)`` times as wide as the last ones (O'Brien and Fleming 1979) hold at all times together.

Few games: the error is estimated from the games in which something happened, so Student's t replaces Phi.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from jantaku.errors import RequestError
from jantaku.lab.experiment.estimates import Estimate, RatioDifference

LEVEL: Final = 0.05


class Judged(NamedTuple):
    """A difference with its interval among all others, and whether it is clear."""

    interval: Estimate
    clear: bool


def special_functions() -> Any:
    """SciPy's special functions, Student's t among them; raises ``RequestError`` without SciPy."""
    try:
        from scipy import special  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise RequestError("missing_extra", field="scipy", extra="lab") from error
    return special


def judged(differences: Sequence[RatioDifference], played: int, wanted: int) -> list[Judged]:
    """Judge the differences after ``played`` of ``wanted`` games, all of them together."""
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
        Judged(Estimate(float(middle), float(middle - spread), float(middle + spread)), bool(sure))
        for middle, spread, sure in zip(value, half, clear, strict=True)
    ]
