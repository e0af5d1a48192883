"""The difficulty of each yaku, and the han that would be in line with the other yaku.

A yaku is difficult if it is rare and if wins with it come late. The han of the yaku with enough wins are
fitted by least squares to the logarithm of their rarity and to the average delay of their wins. The fitted
value is the han in line with the other yaku; its 95% prediction interval covers the han of equally difficult
yaku.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jantaku.lab.experiment.significance import LEVEL, special_functions
from jantaku.lab.experiment.summary import RulesetEstimates
from jantaku.lab.experiment.sums import DORA
from jantaku.lab.report.fitted_han import BY_CHANCE, MIN_WINS, MIN_YAKU, HanFit, han_of_rules
from jantaku.rules import Ruleset

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Difficulty:
    """One yaku: one win in ``one_in`` has it, ``later`` turns after the average win.

    ``han`` is its value under the rules, ``in_line`` the fitted value with its interval ``low`` to ``high``.
    """

    yaku: str
    one_in: float
    later: float
    han: int
    in_line: float
    low: float
    high: float


def difficulties(estimates: RulesetEstimates) -> list[Difficulty]:
    """Return the yaku, the most underpaid ones first; empty if too few have enough wins."""
    average = estimates.means["win_turn"]
    if average is None:
        return []
    rows = []
    for name, yaku in estimates.yaku.items():
        if name in BY_CHANCE or yaku.wins < MIN_WINS or yaku.turn is None:
            continue
        if (han := _han(estimates.named.rules, name)) is not None:
            rows.append((name, 1 / yaku.share.value, yaku.turn.value - average.value, han, yaku.wins))
    if len(rows) < MIN_YAKU:
        return []
    fit = HanFit([(one_in, later, han) for _, one_in, later, han, _ in rows])
    fitted = fit.design @ fit.factors
    halves = _half_widths(fit.design, fit.han - fitted)
    judged = [
        Difficulty(name, one_in, later, value, float(line), float(line - half), float(line + half))
        for (name, one_in, later, value, _), line, half in zip(rows, fitted, halves, strict=True)
    ]
    return sorted(judged, key=lambda row: row.han - row.in_line)


def _half_widths(design: Floats, residuals: Floats) -> Floats:
    """Return the half widths of the prediction intervals at the rows of the design matrix."""
    freedom = len(design) - design.shape[1]
    spread = float(residuals @ residuals) / freedom
    leverage = np.einsum("ij,jk,ik->i", design, np.linalg.pinv(design.T @ design), design)
    widths: Floats = special_functions().stdtrit(freedom, 1 - LEVEL / 2) * np.sqrt(spread * (1 + leverage))
    return widths


def _han(rules: Ruleset, yaku: str) -> int | None:
    return None if yaku in DORA else han_of_rules(rules, yaku)
