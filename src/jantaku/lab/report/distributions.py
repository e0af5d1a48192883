"""The distributions of scores, win values, turns and places under each ruleset of an experiment."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.lab.experiment.folder import ExperimentFolder

Counts = npt.NDArray[np.int64]

WIN_STEPS: Final = (0, 1500, 2500, 4000, 6000, 8000, 12000, 16000, 24000, 32000)
"""Lower bounds of the groups of wins by points; the last group is unbounded."""
SCORE_STEP: Final = 5000
LOWEST, HIGHEST = -20_000, 80_000
MAX_TURNS: Final = 24


@dataclass
class Distributions:
    """Counts under one ruleset.

    ``wins`` is indexed by group of ``WIN_STEPS``, ``scores`` by steps of ``SCORE_STEP`` points from
    ``LOWEST`` to ``HIGHEST`` (scores outside count at the ends), ``turns`` by the turns of a hand, and
    ``places`` by seat and place.
    """

    wins: Counts
    scores: Counts
    turns: Counts
    places: Counts


def distributions(folder: ExperimentFolder) -> list[Distributions]:
    """Return the distributions under each ruleset, over the games played under all of them."""
    rows = []
    portions = folder.comparable()
    for index in folder.experiment.compared():
        seats = folder.experiment.rulesets[index].rules.seats
        counted = _empty(len(seats))
        for portion in portions[index]:
            _count_hands(counted, folder.table(portion, "hands"), seats)
            _count_games(counted, folder.table(portion, "games"), seats)
        rows.append(counted)
    return rows


def _empty(seats: int) -> Distributions:
    def zeros(*shape: int) -> Counts:
        return np.zeros(shape, np.int64)

    scores = (HIGHEST - LOWEST) // SCORE_STEP + 1
    return Distributions(zeros(len(WIN_STEPS)), zeros(scores), zeros(MAX_TURNS + 1), zeros(seats, seats))


def _count_hands(counted: Distributions, hands: Any, seats: range) -> None:
    for seat in seats:
        points = hands[f"points_{seat}"].to_numpy()[hands[f"won_{seat}"].to_numpy()]
        groups = np.searchsorted(WIN_STEPS, points, side="right") - 1
        counted.wins += np.bincount(groups, minlength=len(WIN_STEPS))
    turns = np.minimum(hands["turns"].to_numpy(), MAX_TURNS)
    counted.turns += np.bincount(turns, minlength=MAX_TURNS + 1)


def _count_games(counted: Distributions, games: Any, seats: range) -> None:
    for seat in seats:
        scores = np.clip(games[f"score_{seat}"].to_numpy(), LOWEST, HIGHEST)
        counted.scores += np.bincount((scores - LOWEST) // SCORE_STEP, minlength=len(counted.scores))
        counted.places[seat] += np.bincount(games[f"place_{seat}"].to_numpy() - 1, minlength=len(seats))
