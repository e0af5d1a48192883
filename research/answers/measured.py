"""Plays the games of the table of answers, portion by portion, and evaluates them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.bots.net_file import TrainedBot
from jantaku.kernels._cache import source_hash
from jantaku.lab.chunks import play_chunk
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.rows import ComparedRow, clarity, compared_rows
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, summary_of
from jantaku.lab.experiment.sums import YAKU, game_sums
from jantaku.lab.parquet import games_table, hands_table
from jantaku.rules import Ruleset
from research.answers.expected import Expected

PORTION: Final = 50  # games stored per file
MAX_CLEAREST: Final = 3  # number of clearest changes to list
LARGE: Final = 0.25  # relative change that must be ruled out before a row counts as unchanged
MIN_WINS: Final = 10  # cases before and after together that a verdict requires
Sums = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """The effect of a change: the row that should move with its 95% interval, and the clearest changes.

    ``verdict`` is ``moved`` (as expected), ``wrong`` (the other way), ``still`` (a change by a quarter is
    ruled out), ``rare`` (too few cases), ``open`` (too few games), or empty if no direction is expected.
    """

    expected: Expected
    games: int
    verdict: str
    before: float | None
    after: float | None
    interval: tuple[float, float, float] | None
    clearest: tuple[ComparedRow, ...]


class PlayedSums:
    """The sums of each game under a ruleset, played once (by ``standard`` or an adapted bot) and stored.

    ``on_portion`` is called after each portion played.
    """

    def __init__(self, folder: Path, games: int, on_portion: Callable[[], object]) -> None:
        self.folder, self.games, self.on_portion = folder / source_hash("lab"), games, on_portion
        self.folder.mkdir(parents=True, exist_ok=True)

    def of(self, rules: Ruleset, adapted: TrainedBot | None = None) -> Sums:
        """Return the sums, one row per game."""
        named = NamedRules("a", rules, adapted)
        return np.vstack([self._portion(named, first) for first in range(0, self.games, PORTION)])

    def _portion(self, named: NamedRules, first: int) -> Sums:
        played_by = f"-{named.adapted.digest[:12]}" if named.adapted else ""
        path = self.folder / f"{named.rules.fingerprint}{played_by}-{first:06}.npz"
        if path.is_file():
            stored: Sums = np.load(path)["sums"]
            return stored
        plan = question(named.rules, named.rules, self.games).plan(named)
        chunk = play_chunk(plan, first, min(PORTION, self.games - first))
        sums = game_sums(hands_table(chunk), games_table(chunk, plan), named.rules.seats, YAKU)
        new = path.with_suffix(".new.npz")
        np.savez_compressed(new, sums=sums)
        new.replace(path)
        self.on_portion()
        return sums


def question(before: Ruleset, after: Ruleset, games: int) -> Experiment:
    """Return the experiment that compares the rules before and after a change."""
    return Experiment((NamedRules("before", before), NamedRules("after", after)), ("standard",), games)


def measured(expected: Expected, played: PlayedSums) -> Measured:
    """Measure the effect of a change."""
    result = compared(expected, played.of(expected.base), played.of(expected.after))
    rows = [row for row in compared_rows(result) if row.clear and row.group != "points"]
    clear = sorted(rows, key=clarity, reverse=True)
    (was, now), interval = values_of(result, expected.row), interval_of(result, expected.row)
    verdict = _verdict(expected, result, was, interval)
    return Measured(expected, result.games, verdict, was, now, interval, tuple(clear[:MAX_CLEAREST]))


def compared(expected: Expected, before: Sums, after: Sums) -> ExperimentSummary:
    """Compare the games with the change to those without it."""
    both = np.hstack([before, after])
    moments = Moments(both.shape[1])
    moments.add(both)
    return summary_of(question(expected.base, expected.after, len(both)), moments)


def values_of(summary: ExperimentSummary, row: tuple[str, str]) -> tuple[float | None, float | None]:
    """Return a row's values before and after; ``None`` if it does not exist."""
    own = next((line for line in compared_rows(summary) if line[:2] == row), None)
    was, now = (own.before, own.after) if own else (None, None)
    return was and was.value, now and now.value


def interval_of(summary: ExperimentSummary, row: tuple[str, str]) -> tuple[float, float, float] | None:
    """Return the difference in a row with its 95% interval; ``None`` if it cannot be estimated."""
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
        and sum(ruleset.yaku[name].wins for ruleset in summary.rulesets if name in ruleset.yaku) < MIN_WINS
    ):
        return "rare"
    if interval is None or own is None:
        return "rare"
    if interval[1] <= 0 <= interval[2]:
        bound = max(expected.sign * end for end in interval[1:])
        return "still" if bound < LARGE * abs(own) else "open"
    return "moved" if interval[0] * expected.sign > 0 else "wrong"
