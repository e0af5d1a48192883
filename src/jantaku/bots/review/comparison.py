"""Compares two actions of a decision by rollouts, and divides the difference of their results into parts."""

from dataclasses import dataclass
from functools import cached_property
from math import erf, exp, pi, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.policies import STRONG
from jantaku.bots.review.model import Comparison, Outcome, ReasonCode
from jantaku.bots.search.kernels import rollouts as columns
from jantaku.bots.search.position import KnownPosition
from jantaku.bots.search.search import HANDS, deal_sources
from jantaku.bots.search.trials import Rollouts
from jantaku.kernels.engine.actions import DISCARD

# What losses usually are where a player and the bot ``strong`` differ, in points: weight, mean and standard
# deviation of normal distributions, between two discards and between other actions. Fitted to 577 decisions
# of 13 games of strong people, each with 512 deals
USUAL_OF_DISCARDS: Final = ((0.86, 0.0, 30.0), (0.1, 0.0, 450.0), (0.04, 300.0, 2000.0))
USUAL_OF_OTHERS: Final = ((0.4, 0.0, 400.0), (0.6, 0.0, 2000.0))
SPREAD: Final = 8000.0  # usual standard deviation of the difference from deal to deal
SPREAD_DEALS: Final = 32  # deals that the usual deviation counts for, since few deals say little about it
CERTAINTY: Final = 0.9  # of the interval of a loss
BLOCKS: Final = 16  # of deals, to estimate the errors of parts
BEST, PLAYED = range(2)
Rows = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Posterior:
    """The distribution of a loss after some deals: a mixture of normal ones (weight, mean, deviation)."""

    parts: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(cls, mean: float, error: float, discards: bool = True) -> "Posterior":
        """Combine a measured loss, between two discards or other actions, with what losses usually are."""
        parts = []
        for weight, usual, spread in USUAL_OF_DISCARDS if discards else USUAL_OF_OTHERS:
            total = spread**2 + error**2
            likelihood = weight * exp(-((mean - usual) ** 2) / (2 * total)) / sqrt(2 * pi * total)
            trust = spread**2 / total
            parts.append(
                (likelihood + 1e-300, trust * mean + (1 - trust) * usual, spread * error / sqrt(total))
            )
        whole = sum(weight for weight, _, _ in parts)
        return cls(tuple((weight / whole, center, spread) for weight, center, spread in parts))

    @property
    def mean(self) -> float:
        """The expected loss."""
        return sum(weight * mean for weight, mean, _ in self.parts)

    @property
    def deviation(self) -> float:
        """The standard deviation of the loss."""
        center = self.mean
        return sqrt(sum(w * (spread**2 + (mean - center) ** 2) for w, mean, spread in self.parts))

    def above(self, bound: float) -> float:
        """Return the probability that the loss is above ``bound``."""
        return sum(
            weight * (1 - erf((bound - mean) / (spread * sqrt(2) + 1e-9))) / 2
            for weight, mean, spread in self.parts
        )

    def quantile(self, share: float) -> float:
        """Return the loss that is exceeded with probability 1 − ``share``."""
        low = min(mean - 6 * spread for _, mean, spread in self.parts)
        high = max(mean + 6 * spread for _, mean, spread in self.parts)
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.above(middle) > 1 - share else (low, middle)
        return (low + high) / 2


@dataclass(frozen=True)
class Part:
    """A part of the difference between two actions in points, and its standard error."""

    points: float
    error: float


class Duel:
    """The played and the better action of a position, played out from the same deals."""

    def __init__(self, known: KnownPosition, best: int, played: int, seed: int = 0) -> None:
        self._known, self._codes, self._seed = known, (best, played), seed
        self._rows: list[Rows] = []
        self._yaku: list[npt.NDArray[np.int64]] = []

    @property
    def deals(self) -> int:
        """Number of deals played out."""
        return sum(map(len, self._rows))

    def play(self, count: int) -> None:
        """Play out ``count`` more deals; raises ``RequestError`` if no deal fits the position."""
        rollouts = Rollouts(self._known, STRONG, whole=False, hands=HANDS)
        played = rollouts.play(self._codes, deal_sources(self._seed, self.deals, count))
        self._rows.append(played.results)
        self._yaku.append(played.yaku)
        self.__dict__.pop("rows", None)
        self.__dict__.pop("posterior", None)

    @cached_property
    def rows(self) -> Rows:
        """The results of both actions, ``float64[deals, 2, len(COLUMNS)]``."""
        return np.concatenate(self._rows)

    @cached_property
    def posterior(self) -> Posterior:
        """What the deals say about the loss."""
        differences = self.rows[:, BEST, columns.FINAL] - self.rows[:, PLAYED, columns.FINAL]
        deals = len(differences)
        variance = float(((differences - differences.mean()) ** 2).sum()) + SPREAD_DEALS * SPREAD**2
        error = sqrt(variance / (deals + SPREAD_DEALS) / deals)
        discards = all(code >> 8 == DISCARD for code in self._codes)
        return Posterior.of(float(differences.mean()), error, discards)

    def comparison(self) -> Comparison:
        """Return the comparison of both actions after at least one deal."""
        outcomes = [self._outcome(action) for action in (BEST, PLAYED)]
        margin = (1 - CERTAINTY) / 2
        return Comparison(
            deals=self.deals,
            loss=self.posterior.mean,
            low=self.posterior.quantile(margin),
            high=self.posterior.quantile(1 - margin),
            best=outcomes[BEST],
            played=outcomes[PLAYED],
        )

    def _outcome(self, action: int) -> Outcome:
        mean = self.rows[:, action].mean(axis=0)
        win, deal_in = float(mean[columns.WIN]), float(mean[columns.DEAL_IN])
        seats = len(self._known.rules.seats)
        return Outcome(
            win=win,
            mean_win=float(mean[columns.WON_POINTS]) / win if win else 0.0,
            deal_in=deal_in,
            mean_deal_in=float(mean[columns.LOST_POINTS]) / deal_in if deal_in else 0.0,
            draw=float(mean[columns.DRAW]),
            points=float(mean[columns.POINTS]),
            final=float(mean[columns.FINAL]),
            places=tuple(map(float, mean[columns.FIRST : columns.FIRST + seats])),
        )

    def parts(self, least: float) -> dict[ReasonCode, Part]:
        """Divide the loss into parts whose sum is the mean difference of the final results.

        Wins and deal-ins are divided into how often they happen and what they are worth; ``others`` are all
        other hands. If the points of the hand alone do not make a difference of ``least``, they are divided,
        and ``placement`` is what the final result adds to them.
        """
        points = self.rows[:, :, columns.POINTS].mean(axis=0)
        placement = float(points[BEST] - points[PLAYED]) < least
        whole = _parts(self.rows, placement)
        blocks = np.array_split(np.arange(len(self.rows)), min(BLOCKS, len(self.rows)))
        each = [_parts(np.delete(self.rows, block, axis=0), placement) for block in blocks]
        factor = (len(blocks) - 1) / len(blocks)  # of the jackknife
        return {
            code: Part(share, sqrt(factor * sum((one[code] - share) ** 2 for one in each)))
            for code, share in whole.items()
        }

    def tenpai_shares(self) -> tuple[float, float, float]:
        """Return how often each action ends in tenpai at a draw, and the standard error of the difference."""
        tenpai = self.rows[:, :, columns.TENPAI]
        best, played = tenpai.mean(axis=0)
        gain = tenpai[:, BEST] - tenpai[:, PLAYED]
        return float(played), float(best), float(gain.std()) / sqrt(len(gain))

    def yaku_shares(self) -> dict[tuple[int, int], tuple[float, float, float]]:
        """Return the share of the wins of both actions with each yaku, and its standard error.

        The key is the index of the mask (0 for yaku of the rules, 1 for own yaku) and the bit of the yaku.
        """
        yaku = np.concatenate(self._yaku)
        wins = np.maximum(self.rows[:, :, columns.WIN].sum(axis=0), 1.0)
        shares = {}
        for mask in range(columns.YAKU_MASKS):
            seen = int(np.bitwise_or.reduce(yaku[:, :, mask], axis=None))
            for bit in range(seen.bit_length()):
                if seen >> bit & 1:
                    best, played = (yaku[:, :, mask] >> bit & 1).sum(axis=0) / wins
                    error = sqrt(sum(p * (1 - p) / n for p, n in zip((best, played), wins, strict=True)))
                    shares[mask, bit] = float(played), float(best), error
        return shares


def _parts(rows: Rows, placement: bool) -> dict[ReasonCode, float]:
    worth = rows[:, :, columns.POINTS if placement else columns.FINAL]
    wins, deal_ins = rows[:, :, columns.WIN] > 0, rows[:, :, columns.DEAL_IN] > 0
    rest = ~(wins | deal_ins)
    shares, means = [], []
    for cases in (wins, deal_ins, rest):
        counts, sums = cases.sum(axis=0), (worth * cases).sum(axis=0)
        either = sums.sum() / max(counts.sum(), 1)  # if one of the actions has no such case
        shares.append(counts / len(rows))
        means.append(np.where(counts > 0, sums / np.maximum(counts, 1), either))
    (win, deal_in, other), (won, dealt_in, others) = shares, means
    base = others.mean()
    parts: dict[ReasonCode, float] = {
        "win_rate": _gap(win) * (won.mean() - base),
        "win_value": win.mean() * _gap(won),
        "deal_in_rate": _gap(deal_in) * (dealt_in.mean() - base),
        "deal_in_cost": deal_in.mean() * _gap(dealt_in),
        "others": other.mean() * _gap(others),
    }
    if placement:
        parts["placement"] = _gap((rows[:, :, columns.FINAL] - worth).mean(axis=0))
    return {code: float(part) for code, part in parts.items()}


def _gap(both: Rows) -> float:
    return float(both[BEST] - both[PLAYED])
