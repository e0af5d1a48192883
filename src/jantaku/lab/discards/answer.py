"""The simulated results of each choice, with 95% intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.search.kernels.rollouts import COLUMNS
from jantaku.game.actions import Action
from jantaku.lab.experiment.estimates import Estimate, Moments, Ratio

RATES: Final = ("win", "tsumo", "deal_in", "draw")  # given as shares of all deals
MEANS: Final = ("points", "place", "final")
ORDERS: Final = {"place": 1, "points": -1, "final": -1, "win": -1, "deal_in": 1}
"""The quantities that can order choices; 1 if the lowest is best, -1 if the highest is."""
MIN_CASES: Final = 10  # wins or deal-ins needed for an interval of their mean points
MIN_DEALS: Final = 2


@dataclass(frozen=True)
class ChoiceEstimates:
    """Results of one choice: the shares of deals with a win, a tsumo, a deal-in or a draw, and averages.

    ``points`` is the change of the player's score in the hand; ``place`` and ``final`` are the place and the
    points at the end of the game, with uma and oka. ``mean_win`` and ``mean_deal_in`` are the points of those
    hands, ``None`` below ``MIN_CASES``. ``against_best`` has the differences from the best choice on the
    same deals, ``None`` for the best itself.
    """

    action: Action
    win: Estimate
    tsumo: Estimate
    deal_in: Estimate
    draw: Estimate
    points: Estimate
    place: Estimate
    final: Estimate
    mean_win: Estimate | None
    mean_deal_in: Estimate | None
    against_best: dict[str, Estimate] | None

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain data, each ``[estimate, low, high]``."""
        data = dict(self.__dict__)
        data["action"] = str(self.action)
        return data


@dataclass(frozen=True)
class HandAnswer:
    """The choices, best first, after ``games`` of ``wanted`` deals of the unseen tiles."""

    games: int
    wanted: int
    seed: int
    rules: str
    by: str
    choices: tuple[ChoiceEstimates, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {**self.__dict__, "choices": [choice.to_dict() for choice in self.choices]}


class ChoiceCount:
    """Adds up the results of each choice."""

    def __init__(self, choices: Sequence[Action]) -> None:
        self.choices = tuple(choices)
        self._moments = Moments(1 + len(choices) * len(COLUMNS))

    @property
    def games(self) -> int:
        """Number of deals counted."""
        return self._moments.games

    def add(self, played: npt.NDArray[np.float64]) -> None:
        """Count deals, ``float64[n, choices, len(COLUMNS)]``."""
        rows = played.reshape(len(played), -1)
        self._moments.add(np.hstack([np.ones((len(rows), 1)), rows]))

    def _ratio(self, choice: int, name: str, of: str | None = None) -> Ratio | None:
        column = 1 + choice * len(COLUMNS)
        divisor = 0 if of is None else column + COLUMNS.index(of)
        return self._moments.ratio(column + COLUMNS.index(name), divisor)

    def _ratio_of_deals(self, choice: int, name: str) -> Ratio:
        share = self._ratio(choice, name)
        assert share is not None  # at least one deal has been counted
        return share

    def _mean_of(self, choice: int, name: str, of: str) -> Estimate | None:
        cases = self._moments.totals[1 + choice * len(COLUMNS) + COLUMNS.index(of)]
        ratio = self._ratio(choice, name, of) if cases >= MIN_CASES else None
        return None if ratio is None else self._moments.mean(ratio)

    def ordered(self, by: str) -> tuple[ChoiceEstimates, ...]:
        """Return the estimates of all choices, best first; needs at least ``MIN_DEALS`` deals."""
        sign = ORDERS[by]
        ranks = [
            (
                sign * self._ratio_of_deals(choice, by).value,
                -self._ratio_of_deals(choice, "final").value,
                choice,
            )
            for choice in range(len(self.choices))
        ]
        order = [choice for *_, choice in sorted(ranks)]
        return tuple(self._estimates(choice, order[0]) for choice in order)

    def _estimates(self, choice: int, best: int) -> ChoiceEstimates:
        rates = {name: self._moments.share(self._ratio_of_deals(choice, name)) for name in RATES}
        means = {name: self._moments.mean(self._ratio_of_deals(choice, name)) for name in MEANS}
        compared = {
            name: self._moments.difference(
                self._ratio_of_deals(choice, name), self._ratio_of_deals(best, name)
            ).interval()
            for name in (*RATES, *MEANS)
        }
        return ChoiceEstimates(
            self.choices[choice],
            **rates,
            **means,
            mean_win=self._mean_of(choice, "won", "win"),
            mean_deal_in=self._mean_of(choice, "lost", "deal_in"),
            against_best=None if choice == best else compared,
        )
