"""What the simulation found out about each choice, with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.game.actions import Action
from jantaku.lab.experiment.estimates import Estimate, Moments, Ratio
from jantaku.lab.kernels.choices import COLUMNS

RATES: Final = ("win", "tsumo", "deal_in", "draw")  # of all deals
MEANS: Final = ("points", "place", "final")
ORDERS: Final = {"place": 1, "points": -1, "final": -1, "win": -1, "deal_in": 1}
"""By what choices can be ordered, and whether the lowest or the highest number is the best."""
FEWEST_CASES: Final = 10  # wins or deal-ins, for an interval of their mean points
FEWEST_DEALS: Final = 2


@dataclass(frozen=True)
class ChoiceEstimates:
    """One choice: of all deals, how often its player wins the hand, by tsumo, deals in, and nobody wins.

    ``points``: how the player's score changes in the hand. ``place`` and ``final``: place and final points
    at the end of the game, uma and oka included. ``mean_win`` and ``mean_deal_in``: points of those hands,
    ``None`` below ``FEWEST_CASES``. ``against_best``: the differences to the best choice on the same deals,
    ``None`` for the best itself.
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
        """The estimates as plain data, each ``[estimate, low, high]``."""
        data = dict(self.__dict__)
        data["action"] = str(self.action)
        return data


@dataclass(frozen=True)
class HandAnswer:
    """The choices, the best first; ``games`` deals of the unseen tiles have been played, of ``wanted``."""

    games: int
    wanted: int
    seed: int
    rules: str
    by: str
    choices: tuple[ChoiceEstimates, ...]

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {**self.__dict__, "choices": [choice.to_dict() for choice in self.choices]}


class ChoiceCount:
    """Adds up what has been played of each choice."""

    def __init__(self, choices: Sequence[Action]) -> None:
        self.choices = tuple(choices)
        self._moments = Moments(1 + len(choices) * len(COLUMNS))

    @property
    def games(self) -> int:
        """How many deals have been counted."""
        return self._moments.games

    def add(self, played: npt.NDArray[np.int64]) -> None:
        """Count deals, ``int64[n, choices, len(COLUMNS)]``."""
        rows = played.reshape(len(played), -1).astype(np.float64)
        self._moments.add(np.hstack([np.ones((len(rows), 1)), rows]))

    def _ratio(self, choice: int, name: str, of: str | None = None) -> Ratio | None:
        column = 1 + choice * len(COLUMNS)
        below = 0 if of is None else column + COLUMNS.index(of)
        return self._moments.ratio(column + COLUMNS.index(name), below)

    def _sure(self, choice: int, name: str) -> Ratio:
        share = self._ratio(choice, name)
        assert share is not None  # deals have been counted
        return share

    def _mean_of(self, choice: int, name: str, of: str) -> Estimate | None:
        cases = self._moments.totals[1 + choice * len(COLUMNS) + COLUMNS.index(of)]
        ratio = self._ratio(choice, name, of) if cases >= FEWEST_CASES else None
        return None if ratio is None else self._moments.mean(ratio)

    def ordered(self, by: str) -> tuple[ChoiceEstimates, ...]:
        """The estimates of all choices, the best first; needs ``FEWEST_DEALS``."""
        sign = ORDERS[by]
        ranks = [
            (sign * self._sure(choice, by).value, -self._sure(choice, "final").value, choice)
            for choice in range(len(self.choices))
        ]
        order = [choice for *_, choice in sorted(ranks)]
        return tuple(self._estimates(choice, order[0]) for choice in order)

    def _estimates(self, choice: int, best: int) -> ChoiceEstimates:
        rates = {name: self._moments.share(self._sure(choice, name)) for name in RATES}
        means = {name: self._moments.mean(self._sure(choice, name)) for name in MEANS}
        compared = {
            name: self._moments.difference(self._sure(choice, name), self._sure(best, name)).interval()
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
