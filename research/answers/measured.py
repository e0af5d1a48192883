"""Plays what the table of answers needs, portion by portion, and compares what happened."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.kernels._cache import source_hash
from jantaku.lab.adapt.duel import Weights
from jantaku.lab.chunks import play_chunk
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.rows import ComparedRow, clarity, compared_rows
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, summary_of
from jantaku.lab.experiment.sums import YAKU, game_sums
from jantaku.lab.parquet import games_table, hands_table
from jantaku.rules import Ruleset
from research.answers.expected import Expected

PORTION: Final = 50  # games that are stored at once
TOLD: Final = 3  # rows that changed most
PLAIN: Final = 0.25  # of the value before: a change that no one would overlook
FEWEST: Final = 10  # wins before and after, to tell anything
Sums = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a change did: the row that should move with its 95 % interval, and the clearest ones.

    ``verdict``: ``moved`` as expected, ``wrong`` the other way, ``still`` (a change by a quarter is ruled
    out), ``rare`` (too few cases to tell), ``open`` (too few games to tell), or empty where nothing follows.
    """

    expected: Expected
    games: int
    verdict: str
    before: float | None
    after: float | None
    interval: tuple[float, float, float] | None
    clearest: tuple[ComparedRow, ...]


class PlayedSums:
    """The sums of each game under a ruleset by ``standard``, or by other weights, played once and stored."""

    def __init__(self, folder: Path, games: int, tell: Callable[[], object]) -> None:
        self.folder, self.games, self.tell = folder / source_hash("lab"), games, tell
        self.folder.mkdir(parents=True, exist_ok=True)

    def of(self, rules: Ruleset, weights: Weights = ()) -> Sums:
        """One row a game."""
        named = NamedRules("a", rules, weights)
        return np.vstack([self._portion(named, first) for first in range(0, self.games, PORTION)])

    def _portion(self, named: NamedRules, first: int) -> Sums:
        played_by = f"-{sha256(str(named.weights).encode()).hexdigest()[:12]}" if named.weights else ""
        path = self.folder / f"{named.rules.fingerprint}{played_by}-{first:06}.npz"
        if path.is_file():
            kept: Sums = np.load(path)["sums"]
            return kept
        plan = question(named.rules, named.rules, self.games).plan(named)
        chunk = play_chunk(plan, first, min(PORTION, self.games - first))
        sums = game_sums(hands_table(chunk), games_table(chunk, plan), named.rules.seats, YAKU)
        new = path.with_suffix(".new.npz")
        np.savez_compressed(new, sums=sums)
        new.replace(path)
        self.tell()
        return sums


def question(before: Ruleset, after: Ruleset, games: int) -> Experiment:
    """The question what the rules after do against those before."""
    return Experiment((NamedRules("before", before), NamedRules("after", after)), ("standard",), games)


def measured(expected: Expected, played: PlayedSums) -> Measured:
    """What the change did."""
    result = compared(expected, played.of(expected.base), played.of(expected.after))
    rows = [row for row in compared_rows(result) if row.clear and row.group != "points"]
    clear = sorted(rows, key=clarity, reverse=True)
    (was, now), interval = values_of(result, expected.row), interval_of(result, expected.row)
    verdict = _verdict(expected, result, was, interval)
    return Measured(expected, result.games, verdict, was, now, interval, tuple(clear[:TOLD]))


def compared(expected: Expected, before: Sums, after: Sums) -> ExperimentSummary:
    """The games with the change against those without it."""
    both = np.hstack([before, after])
    moments = Moments(both.shape[1])
    moments.add(both)
    return summary_of(question(expected.base, expected.after, len(both)), moments)


def values_of(summary: ExperimentSummary, row: tuple[str, str]) -> tuple[float | None, float | None]:
    """A row before and after, ``None`` where there is nothing."""
    own = next((line for line in compared_rows(summary) if line[:2] == row), None)
    was, now = (own.before, own.after) if own else (None, None)
    return was and was.value, now and now.value


def interval_of(summary: ExperimentSummary, row: tuple[str, str]) -> tuple[float, float, float] | None:
    """The difference in a row with its 95 % interval, ``None`` where there is too little."""
    difference = _difference(summary.paired[0], *row)
    return None if difference is None else tuple(difference.interval())


def _difference(change: Differences, group: str, name: str) -> Any:
    if group == "share":
        return change.yaku.get(name, {}).get(group)
    return {"rate": change.rates, "mean": change.means}.get(group, {}).get(name)


def _verdict(
    expected: Expected, summary: ExperimentSummary, own: float | None, interval: tuple[float, ...] | None
) -> str:
    group, name = expected.row
    if expected.sign == 0:
        return ""
    if (
        group == "share"
        and sum(ruleset.yaku[name].wins for ruleset in summary.rulesets if name in ruleset.yaku) < FEWEST
    ):
        return "rare"
    if interval is None or own is None:
        return "rare"
    if interval[1] <= 0 <= interval[2]:
        most = max(expected.sign * end for end in interval[1:])
        return "still" if most < PLAIN * abs(own) else "open"
    return "moved" if interval[0] * expected.sign > 0 else "wrong"
