"""Fits the han of yaku to their difficulty by least squares.

The han of the yaku with enough wins are fitted to the logarithm of their rarity and to the average delay of
their wins.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.rules import Ruleset

Floats = npt.NDArray[np.float64]
MIN_WINS: Final = 30  # with a yaku, needed to fit and to judge it
MIN_YAKU: Final = 6  # needed to fit three parameters
BY_CHANCE: Final = (
    "ippatsu",
    "haitei",
    "houtei",
    "rinshan_kaihou",
    "chankan",
    "double_riichi",
    "tsubame_gaeshi",
)
"""Yaku made by chance rather than by aiming for them; they are excluded from the fit."""


class HanFit:
    """The fit of rows of rarity (one win in how many), delay in turns, and han.

    ``factors`` are 0 if there are fewer than ``MIN_YAKU`` rows.
    """

    def __init__(self, rows: Sequence[tuple[float, float, int]]) -> None:
        self.design: Floats = np.array([_design_row(one_in, later) for one_in, later, _ in rows])
        self.han: Floats = np.array([float(han) for _, _, han in rows])
        self.factors: Floats = np.zeros(3)
        if len(rows) >= MIN_YAKU:
            self.factors = np.linalg.lstsq(self.design, self.han, rcond=None)[0].astype(np.float64)

    def at(self, one_in: float, later: float) -> float | None:
        """Return the fitted han for a rarity and a delay; ``None`` if there were too few rows to fit."""
        han = float(np.array(_design_row(one_in, later)) @ self.factors)
        return han if len(self.han) >= MIN_YAKU else None


def _design_row(one_in: float, later: float) -> tuple[float, float, float]:
    return 1.0, math.log2(one_in), later


def han_of_rules(rules: Ruleset, yaku: str) -> int | None:
    """Return the han of a yaku, closed or else open; ``None`` for yakuman, dora and disabled yaku."""
    value = rules.yaku.get(yaku)
    if value is None:
        return None
    return next((worth for worth in (value.closed, value.open) if type(worth) is int), None)
