"""The han that yaku would give another one for its difficulty, fitted by least squares.

The han of the yaku that the bots made often enough are fitted to the logarithm of how rare they are and to
how much later than the average win they are won.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.rules import Ruleset

Floats = npt.NDArray[np.float64]
FEWEST: Final = 30  # wins with a yaku, to be fitted and judged
FEWEST_YAKU: Final = 6  # to fit three numbers
BY_CHANCE: Final = (
    "ippatsu",
    "haitei",
    "houtei",
    "rinshan_kaihou",
    "chankan",
    "double_riichi",
    "tsubame_gaeshi",
)
"""Yaku that nobody aims for: their han are not fitted."""


class HanFit:
    """The fit of rows: one win in how many, how many turns later, and the han.

    ``factors`` are 0 where there are fewer than ``FEWEST_YAKU`` rows.
    """

    def __init__(self, rows: Sequence[tuple[float, float, int]]) -> None:
        self.causes: Floats = np.array([_causes(one_in, later) for one_in, later, _ in rows])
        self.known: Floats = np.array([float(han) for _, _, han in rows])
        self.factors: Floats = np.zeros(3)
        if len(rows) >= FEWEST_YAKU:
            self.factors = np.linalg.lstsq(self.causes, self.known, rcond=None)[0].astype(np.float64)

    def at(self, one_in: float, later: float) -> float | None:
        """The han in line for a yaku so rare and so late; ``None`` from too few rows."""
        han = float(np.array(_causes(one_in, later)) @ self.factors)
        return han if len(self.known) >= FEWEST_YAKU else None


def _causes(one_in: float, later: float) -> tuple[float, float, float]:
    return 1.0, math.log2(one_in), later


def han_of_rules(rules: Ruleset, yaku: str) -> int | None:
    """The han of a yaku, closed or else open; ``None`` for yakuman, dora and what does not count."""
    value = rules.yaku.get(yaku)
    if value is None:
        return None
    return next((worth for worth in (value.closed, value.open) if type(worth) is int), None)
