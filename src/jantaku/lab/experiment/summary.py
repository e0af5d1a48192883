"""The summary of an experiment: rates, values and yaku under each ruleset, and the differences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from jantaku.errors import RequestError
from jantaku.lab.experiment.estimates import Estimate, Moments, Ratio, RatioDifference
from jantaku.lab.experiment.folder import TABLES, ExperimentFolder
from jantaku.lab.experiment.plan import MIN_GAMES, Experiment, NamedRules
from jantaku.lab.experiment.sums import columns, game_sums, places_of

# Each rate is the ratio of two quantities
RATES: Final = {
    "win": ("wins", "seat_hands"),
    "deal_in": ("deal_ins", "seat_hands"),
    "draw": ("draws", "hands"),
    "riichi": ("riichi", "seat_hands"),
    "call": ("calls", "seat_hands"),
    "tsumo": ("tsumo", "wins"),
    "dealer_win": ("dealer_wins", "hands"),
    "repeat": ("repeats", "hands"),
    "bust": ("busts", "games"),
    "comeback": ("comebacks", "games"),
    "turned": ("turned", "games"),
}
BETTER: Final = "better"  # a rate of the companions: the share of games won by the stronger bot
MIN_WINS: Final = 10  # with a yaku, needed for an interval of their mean points
MEANS: Final = {
    "mean_win": ("points", "wins"),
    "hand_turns": ("turns", "hands"),
    "win_turn": ("win_turns", "wins"),
    "dealer_points": ("dealer_points", "hands"),
    "game_hands": ("hands", "games"),
    "minutes": ("decisions", "games"),
    "average_final": ("final_total", "games"),
    "final_spread": ("final_spread", "games"),
}

GROUPS: Final = ("rates", "means", "seat_points", "place_points")


@dataclass(frozen=True)
class YakuEstimates:
    """Wins with one yaku: their number, their share of all wins and of all points, mean points and turn.

    ``points`` and ``turn`` are ``None`` below ``MIN_WINS``.
    """

    wins: int
    share: Estimate
    points: Estimate | None
    value_share: Estimate
    turn: Estimate | None


@dataclass(frozen=True)
class RulesetEstimates:
    """Estimates under one ruleset; a quantity that cannot be estimated is ``None``."""

    named: NamedRules
    hands: int
    wins: int
    rates: dict[str, Estimate | None]
    means: dict[str, Estimate | None]
    seat_points: tuple[Estimate | None, ...]
    place_points: tuple[Estimate | None, ...]
    yaku: dict[str, YakuEstimates]


@dataclass(frozen=True)
class Differences:
    """Differences between the ruleset ``name`` and the ruleset ``against`` on the same walls."""

    against: str
    name: str
    rates: dict[str, RatioDifference | None]
    means: dict[str, RatioDifference | None]
    seat_points: tuple[RatioDifference | None, ...]
    place_points: tuple[RatioDifference | None, ...]
    yaku: dict[str, dict[str, RatioDifference]]  # by yaku, then by the name of the estimate


@dataclass(frozen=True)
class ExperimentSummary:
    """The summary of an experiment after ``games`` of ``wanted`` games.

    ``paired`` compares every ruleset with the first. ``adapted`` compares the rulesets played by adapted bots
    with the first of these: the effect of a rule once players have adapted to either ruleset.
    """

    games: int
    wanted: int
    seed: int
    bots: tuple[str, ...]
    decision_s: float
    rulesets: tuple[RulesetEstimates, ...]
    paired: tuple[Differences, ...]
    adapted: tuple[Differences, ...]

    @property
    def reported(self) -> tuple[Differences, ...]:
        """Comparisons to report: plain bots with plain ones, adapted with adapted.

        An adapted bot plays better under any rules, so it is compared with plain bots only if there is no
        other adapted one.
        """
        plain = tuple(change for change in self.paired if not self.ruleset(change.name).named.adapted)
        return plain + self.adapted if self.adapted else self.paired

    def ruleset(self, name: str) -> RulesetEstimates:
        """Return the estimates under the ruleset with this name."""
        return next(ruleset for ruleset in self.rulesets if ruleset.named.name == name)


def summarise(folder: ExperimentFolder) -> ExperimentSummary:
    """Summarise the games played under every ruleset.

    Raises ``RequestError`` if fewer than ``MIN_GAMES`` have been played.
    """
    experiment = folder.experiment
    moments = _moments(folder)
    if moments is None or moments.games < MIN_GAMES:
        raise RequestError("lab_nothing_played", field="DIR", path=str(folder.path))
    return summary_of(experiment, moments)


def summary_of(experiment: Experiment, moments: Moments) -> ExperimentSummary:
    """Summarise the counted games of an experiment, at least ``MIN_GAMES``."""
    views = [_View(moments, experiment, index) for index in experiment.compared()]
    adapted = [view for view in views if view.named.adapted]
    names = [name for name in experiment.yaku if any(view.total(f"wins.{name}") for view in views)]
    return ExperimentSummary(
        moments.games,
        experiment.games,
        experiment.seed,
        experiment.bots,
        experiment.decision_s,
        tuple(view.estimates(names) for view in views),
        tuple(view.differences(views[0], names) for view in views[1:]),
        tuple(view.differences(adapted[0], names) for view in adapted[1:]),
    )


def _moments(folder: ExperimentFolder) -> Moments | None:
    """Read the portions one by one and return the moments of all quantities under all rulesets."""
    moments = None
    seats = folder.experiment.rulesets[0].rules.seats
    for portions in zip(*folder.comparable(), strict=True):
        tables = [[folder.table(portion, name) for name in TABLES] for portion in portions]
        rows = np.hstack([game_sums(hands, games, seats, folder.experiment.yaku) for hands, games in tables])
        moments = moments or Moments(rows.shape[1])
        moments.add(rows)
    return moments


def _clamped(share: Estimate) -> Estimate:
    """Clamp the interval of a share to 0 to 1."""
    return Estimate(share.value, max(0.0, share.low), min(1.0, share.high))


class _View:
    """The part of the moments that belongs to one ruleset."""

    def __init__(self, moments: Moments, experiment: Experiment, index: int) -> None:
        self._moments, self.named = moments, experiment.rulesets[index]
        self._seats = self.named.rules.seats
        names = columns(self._seats, experiment.yaku)
        self._column = {name: index * len(names) + i for i, name in enumerate(names)}
        companion = experiment.companion(index)
        self._companion_offset = None if companion is None else (companion - index) * len(names)
        self._units = {"minutes": experiment.decision_s / 60, "average_final": 1 / len(self._seats)}

    def total(self, name: str) -> int:
        return round(float(self._moments.totals[self._column[name]]))

    def _ratio(self, above: str, below: str) -> Ratio | None:
        return self._moments.ratio(self._column[above], self._column[below])

    def _ratios(self) -> Iterator[tuple[str, str, Ratio | None]]:
        """Yield every ratio that is not about a yaku: group, name and ratio."""
        for name, pair in RATES.items():
            yield "rates", name, self._ratio(*pair)
        if self._companion_offset is not None:
            better, games = (self._column[name] + self._companion_offset for name in (BETTER, "games"))
            yield "rates", BETTER, self._moments.ratio(better, games)
        for name, pair in MEANS.items():
            ratio = self._ratio(*pair)
            yield "means", name, ratio and ratio.times(self._units.get(name, 1))
        for seat in self._seats:
            yield "seat_points", str(seat), self._ratio(f"score_{seat}", "games")
        for place in places_of(self._seats):
            yield "place_points", str(place), self._ratio(f"final_{place}", "games")

    def _mean_of(self, what: str, name: str) -> Ratio | None:
        """Return the mean points or turn of the wins with a yaku; ``None`` if too few for an interval."""
        wins = f"wins.{name}"
        return self._ratio(f"{what}.{name}", wins) if self.total(wins) >= MIN_WINS else None

    def _of_yaku(self, name: str) -> dict[str, Ratio | None]:
        return {
            "share": self._ratio(f"wins.{name}", "wins"),
            "points": self._mean_of("points", name),
            "value_share": self._ratio(f"points.{name}", "points"),
            "turn": self._mean_of("win_turns", name),
        }

    def estimates(self, names: list[str]) -> RulesetEstimates:
        """Return the estimates under this ruleset, with the yaku in ``names``."""
        groups: dict[str, dict[str, Estimate | None]] = {name: {} for name in GROUPS}
        for group, name, ratio in self._ratios():
            estimate = self._moments.share if group == "rates" else self._moments.mean
            groups[group][name] = None if ratio is None else estimate(ratio)
        yaku = {}
        for name in names:
            ratios = self._of_yaku(name)
            share, points, value_share, turn = ratios.values()
            if share is not None and value_share is not None:
                yaku[name] = YakuEstimates(
                    self.total(f"wins.{name}"),
                    self._moments.share(share),
                    None if points is None else self._moments.mean(points),
                    _clamped(self._moments.mean(value_share)),
                    None if turn is None else self._moments.mean(turn),
                )
        rates, means, seats, places = groups.values()
        counts = self.total("hands"), self.total("wins")
        of_seats, of_places = tuple(seats.values()), tuple(places.values())
        return RulesetEstimates(self.named, *counts, rates, means, of_seats, of_places, yaku)

    def differences(self, first: "_View", names: list[str]) -> Differences:
        """Return the differences from ``first``, with the yaku in ``names``."""
        groups: dict[str, dict[str, RatioDifference | None]] = {name: {} for name in GROUPS}
        for (group, name, ratio), (_, _, other) in zip(self._ratios(), first._ratios(), strict=True):
            both = ratio is not None and other is not None
            groups[group][name] = self._moments.difference(ratio, other) if both else None  # type: ignore[arg-type]
        yaku = {}
        for name in names:
            pairs = zip(self._of_yaku(name).items(), first._of_yaku(name).values(), strict=True)
            yaku[name] = {
                what: self._moments.difference(ratio, other)
                for (what, ratio), other in pairs
                if ratio is not None and other is not None
            }
        rates, means, seats, places = groups.values()
        of_seats, of_places = tuple(seats.values()), tuple(places.values())
        return Differences(first.named.name, self.named.name, rates, means, of_seats, of_places, yaku)


def as_data(summary: ExperimentSummary) -> dict[str, Any]:
    """Return the summary as JSON data; every estimate is ``[estimate, low, high]`` with a 95% interval.

    The intervals of ``paired`` hold individually; ``rows.compared_rows`` judges them jointly.
    """
    return {
        "decision_s": summary.decision_s,
        "games": summary.games,
        "wanted": summary.wanted,
        "seed": summary.seed,
        "bots": list(summary.bots),
        "rulesets": [
            {
                "name": ruleset.named.name,
                "fingerprint": ruleset.named.rules.fingerprint,
                "hands": ruleset.hands,
                "wins": ruleset.wins,
                "rates": ruleset.rates,
                **ruleset.means,
                "seat_points": ruleset.seat_points,
                "place_points": ruleset.place_points,
                "yaku": {
                    name: {
                        "wins": yaku.wins,
                        "share": yaku.share,
                        "points": yaku.points,
                        "value_share": yaku.value_share,
                        "turn": yaku.turn,
                    }
                    for name, yaku in ruleset.yaku.items()
                },
            }
            for ruleset in summary.rulesets
        ],
        "paired": [
            {
                "against": change.against,
                "name": change.name,
                "rates": _intervals(change.rates),
                **_intervals(change.means),
                "seat_points": _row_of_intervals(change.seat_points),
                "place_points": _row_of_intervals(change.place_points),
                "yaku": {name: _intervals(yaku) for name, yaku in change.yaku.items()},
            }
            for change in (*summary.paired, *summary.adapted)
        ],
    }


def _row_of_intervals(differences: Sequence[RatioDifference | None]) -> list[Estimate | None]:
    return [None if difference is None else difference.interval() for difference in differences]


def _intervals(differences: Mapping[str, RatioDifference | None]) -> dict[str, Estimate | None]:
    return {
        name: None if difference is None else difference.interval()
        for name, difference in differences.items()
    }
