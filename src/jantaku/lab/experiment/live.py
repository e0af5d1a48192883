"""Plays an experiment in memory and tells what is known so far; nothing is stored."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.lab.chunks import play_chunk
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.summary import ExperimentSummary, summary_of
from jantaku.lab.experiment.sums import game_sums
from jantaku.lab.parquet import games_table, hands_table

STEP: Final = 16  # games under each ruleset between two summaries


def summaries(experiment: Experiment) -> Iterator[ExperimentSummary]:
    """The summary as it gets more exact, last the whole, with the numbers of a stored experiment.

    Raises ``RequestError`` if Polars is missing.
    """
    experiment.check_code()
    moments, first = None, 0
    while first < experiment.games:
        count = min(STEP, experiment.games - first)
        rows = np.hstack([_sums(experiment, ruleset, first, count) for ruleset in experiment.rulesets])
        moments = moments or Moments(rows.shape[1])
        moments.add(rows)
        first += count
        yield summary_of(experiment, moments)


def _sums(experiment: Experiment, named: NamedRules, first: int, count: int) -> npt.NDArray[np.float64]:
    plan = experiment.plan(named)
    chunk = play_chunk(plan, first, count)
    return game_sums(hands_table(chunk), games_table(chunk, plan), named.rules.seats, experiment.made)
