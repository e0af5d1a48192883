"""How difficult each yaku is, and the han that would be in line with the others.

A yaku is difficult if it is rare and if the wins with it come late. Over the yaku that the bots made often
enough, the han of the ruleset are fitted by least squares to the logarithm of how rare they are and to how
much later than the average win they are won. The fitted han of a yaku is what the others would give it for
its difficulty; in the 95 % interval of the prediction lie the han of yaku that are as difficult.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jantaku.lab.experiment.significance import LEVEL, special_functions
from jantaku.lab.experiment.summary import RulesetEstimates
from jantaku.lab.experiment.sums import DORA
from jantaku.lab.report.fitted_han import BY_CHANCE, FEWEST, FEWEST_YAKU, HanFit, han_of_rules
from jantaku.rules import Ruleset

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Difficulty:
    """One yaku: one win in ``one_in``, won ``later`` turns than the average, ``han`` now and ``in_line``.

    ``low`` and ``high`` are the interval of what is in line.
    """

    yaku: str
    one_in: float
    later: float
    han: int
    in_line: float
    low: float
    high: float


def difficulties(estimates: RulesetEstimates) -> list[Difficulty]:
    """The yaku by how far their han are from being in line; empty if too few were made."""
    average = estimates.means["win_turn"]
    if average is None:
        return []
    rows = []
    for name, yaku in estimates.yaku.items():
        if name in BY_CHANCE or yaku.wins < FEWEST or yaku.turn is None:
            continue
        if (han := _han(estimates.named.rules, name)) is not None:
            rows.append((name, 1 / yaku.share.value, yaku.turn.value - average.value, han, yaku.wins))
    if len(rows) < FEWEST_YAKU:
        return []
    fit = HanFit([(one_in, later, han) for _, one_in, later, han, _ in rows])
    fitted = fit.causes @ fit.factors
    halves = _half_widths(fit.causes, fit.known - fitted)
    judged = [
        Difficulty(name, one_in, later, value, float(line), float(line - half), float(line + half))
        for (name, one_in, later, value, _), line, half in zip(rows, fitted, halves, strict=True)
    ]
    return sorted(judged, key=lambda row: row.han - row.in_line)


def _half_widths(causes: Floats, residuals: Floats) -> Floats:
    """Half of the interval in which another value with the same causes lies."""
    freedom = len(causes) - causes.shape[1]
    spread = float(residuals @ residuals) / freedom
    leverage = np.einsum("ij,jk,ik->i", causes, np.linalg.pinv(causes.T @ causes), causes)
    widths: Floats = special_functions().stdtrit(freedom, 1 - LEVEL / 2) * np.sqrt(spread * (1 + leverage))
    return widths


def _han(rules: Ruleset, yaku: str) -> int | None:
    return None if yaku in DORA else han_of_rules(rules, yaku)
