"""Plays an experiment and yields interim summaries, without storing anything."""

from collections.abc import Iterator
from io import BytesIO
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.plan import Experiment, NamedRules, Portion
from jantaku.lab.experiment.play import PortionPlayer, Tables, on_threads
from jantaku.lab.experiment.summary import ExperimentSummary, summary_of
from jantaku.lab.experiment.sums import game_sums
from jantaku.lab.parquet import polars_library

STEP: Final = 16  # games under each ruleset between two summaries
Sums = npt.NDArray[np.float64]


def summaries(
    experiment: Experiment, player: PortionPlayer | None = None, step: int = STEP
) -> Iterator[ExperimentSummary]:
    """Yield increasingly exact summaries; the last one equals that of a stored experiment.

    ``player`` (by default a single thread) plays portions of ``step`` games of a ruleset. Games are counted
    in order, so the numbers do not depend on the player. Raises ``RequestError`` if Polars is missing.
    """
    player = player or on_threads(1)
    sides = range(len(experiment.rulesets))
    portions = [
        Portion(side, number, first, min(step, experiment.games - first))
        for number, first in enumerate(range(0, experiment.games, step))
        for side in sides
    ]
    played: dict[tuple[int, int], Sums] = {}
    moments, number = None, 0
    for portion, tables in player(experiment, portions, lambda _games, _hands: None):
        named = experiment.rulesets[portion.ruleset]
        played[portion.number, portion.ruleset] = _sums(experiment, named, tables)
        while all((number, side) in played for side in sides):
            rows = np.hstack([played.pop((number, side)) for side in sides])
            moments = moments or Moments(rows.shape[1])
            moments.add(rows)
            number += 1
            yield summary_of(experiment, moments)


def _sums(experiment: Experiment, named: NamedRules, tables: Tables) -> Sums:
    hands, games = (polars_library().read_parquet(BytesIO(table)) for table in tables)
    return game_sums(hands, games, named.rules.seats, experiment.yaku)
