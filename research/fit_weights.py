"""Fits the weights of ``standard`` to the choices of human players by maximum likelihood.

The model is a conditional logit: the probability of an option grows with the weighted sum of its features.
``fit`` finds the weights by Newton's method.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.bots import claim, discard
from jantaku.bots.agreement import is_free_discard
from jantaku.bots.chance import new_source
from jantaku.bots.discard_features import COUNT
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import BotWorkspace, new_bot_workspace
from jantaku.game.engine import context
from jantaku.kernels.engine import actions, entries
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.rules import rules_record
from jantaku.records import Decision, replay, rules_of
from jantaku.records.mjlog import Log
from jantaku.tiles import KINDS, RED

Floats = npt.NDArray[np.float64]
CALLS: Final = (actions.PASS, actions.CHI, actions.PON)
_MAX_STEPS, _TOLERANCE, _MIN_CHANCE = 30, 1e-4, 1e-4


@dataclass(frozen=True)
class Choices:
    """``n`` choices: features ``numbers`` (``[n, 34, F]``), legal options, the chosen one, and the game."""

    numbers: Floats
    options: npt.NDArray[np.bool_]
    chosen: npt.NDArray[np.int64]
    games: npt.NDArray[np.int64]

    def part(self, wanted: npt.NDArray[np.bool_]) -> "Choices":
        """Return the subset of the choices selected by a mask."""
        return Choices(self.numbers[wanted], self.options[wanted], self.chosen[wanted], self.games[wanted])


Row = tuple[Floats, npt.NDArray[np.bool_], int]


def discards_of(logs: Iterable[Log]) -> Choices:
    """Collect the free discards in the logs; the options are tile kinds."""
    return _choices(logs, _discard)


def calls_of(logs: Iterable[Log]) -> Choices:
    """Collect the offers of a chi or pon in the logs where no ron is possible; option 0 is the pass."""
    return _choices(logs, _call)


def _choices(logs: Iterable[Log], row_of: Any) -> Choices:
    rows: list[Row] = []
    games: list[int] = []
    for number, log in enumerate(logs):
        played = rules_of(log)
        work, rules = new_bot_workspace(new_source(0), played), rules_record(played)
        for decision in replay(log):
            row = row_of(decision, rules, work)
            if row is not None:
                rows.append(row)
                games.append(number)
    numbers, options, chosen = zip(*rows, strict=True)
    return Choices(np.array(numbers), np.array(options), np.array(chosen), np.array(games))


def _codes(decision: Decision, rules: Any, work: BotWorkspace) -> list[int]:
    """Return the codes of the legal actions; write the deciding seat's view to ``work``."""
    count = entries.legal(decision.games, decision.seat, rules, context(), work.actions)
    write_seat_view(decision.game, decision.seat, work.views[0])
    codes: list[int] = work.actions[:count].tolist()
    return codes


def _kind(code: int) -> int:
    return (code & 255 & ~actions.DRAWN) % RED


def _discard(decision: Decision, rules: Any, work: BotWorkspace) -> Row | None:
    if not is_free_discard(decision):
        return None
    codes, options = _codes(decision, rules, work), np.zeros(KINDS, bool)
    options[[_kind(code) for code in codes if code >> 8 == actions.DISCARD]] = True
    discard.describe_discards(work.views[0], work.weights[0], rules[0], context(), work)
    return (
        np.where(options[:, None], work.features[:, :COUNT], 0.0),
        options,
        _kind(decision.action),
    )


def _call(decision: Decision, rules: Any, work: BotWorkspace) -> Row | None:
    if decision.game.phase != CLAIMS or decision.action >> 8 not in CALLS:
        return None
    codes = _codes(decision, rules, work)
    calls = [actions.PASS << 8, *(code for code in codes if code >> 8 in CALLS[1:])]
    if len(calls) == 1 or actions.RON << 8 in codes:
        return None
    numbers, view = np.zeros((KINDS, claim.COUNT)), work.views[0]
    before = claim.before_call(view, work.weights[0], rules[0], context(), work)
    for index, code in enumerate(calls[1:], 1):
        claim.describe_call(view, code, before, rules[0], context(), work)
        numbers[index] = work.features[0, : claim.COUNT]
    return numbers, np.arange(KINDS) < len(calls), calls.index(decision.action)


def likelihoods(choices: Choices, weights: Floats) -> Floats:
    """Return the probability of each option under the weights, ``[n, 34]``."""
    sums = np.where(choices.options, choices.numbers @ weights, -np.inf)
    raised = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def fit(choices: Choices, shrinkage: float = 1.0) -> Floats:
    """Return the maximum-likelihood weights; ``shrinkage`` pulls weights with little evidence towards 0."""
    weights = np.zeros(choices.numbers.shape[2])
    chosen = choices.numbers[np.arange(len(choices.chosen)), choices.chosen].sum(axis=0)
    for _ in range(_MAX_STEPS):
        chances = likelihoods(choices, weights)
        means = np.einsum("nk,nkf->nf", chances, choices.numbers)
        gradient = chosen - means.sum(axis=0) - shrinkage * weights
        likely = chances > _MIN_CHANCE
        rows = choices.numbers[likely]
        hessian = (rows * chances[likely][:, None]).T @ rows - means.T @ means
        step = np.linalg.solve(hessian + shrinkage * np.eye(len(weights)), gradient)
        weights += step
        if np.abs(step).max() < _TOLERANCE:
            break
    return weights


def agreed(choices: Choices, weights: Floats) -> npt.NDArray[np.bool_]:
    """Mark the choices whose likeliest option was the chosen one, ``[n]``."""
    same: npt.NDArray[np.bool_] = likelihoods(choices, weights).argmax(axis=1) == choices.chosen
    return same


def cross_validated(choices: Choices, folds: int = 5) -> float:
    """Return how often people chose the likeliest option in games held out from the fit."""
    right = 0
    for fold in range(folds):
        held_out = choices.games % folds == fold
        right += int(agreed(choices.part(held_out), fit(choices.part(~held_out))).sum())
    return right / len(choices.chosen)
