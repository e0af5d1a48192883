"""Predicts the end of a game from the scores at the start of a hand; learnt from games between bots.

The probability that one player finishes ahead of another is a logistic function of their seats and the
difference of their scores, one function for each hand of the match. The probabilities of the places follow
from those of the pairs, treated as independent. The value of a hand's start is the scores plus the expected
bonus (uma and oka) or, where only places count, the expected place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.lab.chunks import Chunk

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
AIMS: Final = ("score", "place")

MIN_STARTS: Final = 200  # a hand of the match with fewer samples uses the function of the previous hand
_SCALE: Final = 10_000.0
_MAX_STEPS, _TOLERANCE, _SHRINKAGE = 25, 1e-5, 1e-2


@dataclass(frozen=True)
class HandStarts:
    """``n`` hands in order: ``scores`` (``[n, seats]``), ``number`` since East 1, and the result of the game.

    ``places`` count from 1, ``ended`` has the scores at the end and ``final`` those with uma and oka, all
    ``[n, seats]``. ``last`` marks the last hand of each game.
    """

    scores: Floats
    number: Numbers
    places: Numbers
    ended: Floats
    final: Floats
    last: npt.NDArray[np.bool_]

    @property
    def dealer(self) -> npt.NDArray[np.bool_]:
        """Mask of the dealer, ``[n, seats]``."""
        seats = self.scores.shape[1]
        dealers: npt.NDArray[np.bool_] = np.arange(seats) == (self.number % seats)[:, None]
        return dealers


@dataclass(frozen=True)
class Outlook:
    """Pair ``weights`` for each hand of the match (``[hands, features]``), and the ``bonus`` of each place.

    ``aim`` is one of ``AIMS``: the final score, or the place alone (one place better counts 1).
    """

    weights: Floats
    bonus: Floats
    aim: str

    def places(self, scores: Floats, number: Numbers) -> Floats:
        """Return the probability of each place: ``[n, seats, places]``."""
        rows = self.weights[np.minimum(number, len(self.weights) - 1)]
        ahead = _logistic(np.einsum("nijf,nf->nij", _pairs(scores, number), rows))
        seats = scores.shape[1]
        places = np.zeros((len(scores), seats, seats))
        for seat in range(seats):
            places[:, seat, 0] = 1.0  # probability of each number of players ahead
            for other in range(seats):
                if other != seat:
                    loses = ahead[:, other, seat][:, None]
                    places[:, seat] = (
                        places[:, seat] * (1.0 - loses) + np.roll(places[:, seat], 1, axis=1) * loses
                    )
        return places

    def value(self, scores: Floats, number: Numbers) -> Floats:
        """Return the expected result of each seat, ``[n, seats]``."""
        expected: Floats = self.places(scores, number) @ self.bonus
        return expected + scores if self.aim == "score" else expected

    def gains(self, starts: HandStarts) -> Floats:
        """Return the change of each seat's value during each hand, ``[n, seats]``."""
        before = self.value(starts.scores, starts.number)
        after = np.roll(before, -1, axis=0)
        ended = starts.final if self.aim == "score" else -starts.places.astype(float)
        gains: Floats = np.where(starts.last[:, None], ended, after) - before
        return gains


def learn(starts: HandStarts, hands: int, aim: str) -> Outlook:
    """Fit the outlook of a match of ``hands`` hands to the hands of complete games."""
    weights: list[Floats] = []
    for number in range(hands + 1):  # the last one is for extra hands
        own = np.minimum(starts.number, hands) == number
        if own.sum() >= MIN_STARTS or not weights:
            weights.append(_fit(_pairs(starts.scores[own], starts.number[own]), starts.places[own]))
        else:
            weights.append(weights[-1])
    bonuses, places = (starts.final - starts.ended)[starts.last], starts.places[starts.last]
    bonus = [
        -float(place)
        if aim == "place"
        else float(bonuses[places == place].mean())
        if (places == place).any()
        else 0.0
        for place in range(1, starts.scores.shape[1] + 1)
    ]
    return Outlook(np.array(weights), np.array(bonus), aim)


def starts_of(chunks: Sequence[Chunk]) -> HandStarts:
    """Return the starts of all hands of the chunks, in order."""
    seats = list(chunks[0].seats)
    hands = [chunk.hands for chunk in chunks]
    games = [chunk.games[chunk.hands["game"]] for chunk in chunks]
    return HandStarts(
        np.concatenate([rows["scores"][:, seats] for rows in hands]).astype(np.float64),
        np.concatenate([rows["number"] for rows in hands]).astype(np.int64),
        np.concatenate([rows["place"][:, seats] for rows in games]).astype(np.int64),
        np.concatenate([rows["scores"][:, seats] for rows in games]).astype(np.float64),
        np.concatenate([rows["final"][:, seats] for rows in games]).astype(np.float64),
        np.concatenate([rows["hand"] + 1 == game["hands"] for rows, game in zip(hands, games, strict=True)]),
    )


def _logistic(sums: Floats) -> Floats:
    chances: Floats = 1.0 / (1.0 + np.exp(-sums))
    return chances


def _pairs(scores: Floats, number: Numbers) -> Floats:
    """Return the features of each pair of seats, antisymmetric: ``[n, seats, seats, features]``."""
    seats = np.arange(scores.shape[1])
    gap = (scores[:, :, None] - scores[:, None, :]) / _SCALE
    wait = ((seats - number[:, None]) % len(seats)).astype(float)  # hands until the seat deals
    dealing = _differences((wait == 0).astype(float))
    order = np.broadcast_to(np.sign(seats[None, :] - seats[:, None])[None], gap.shape)
    parts = [gap, np.tanh(3.0 * gap), gap * np.abs(gap), dealing, order, _differences(wait)]
    pairs: Floats = np.stack(parts, axis=-1)
    return pairs


def _differences(values: Floats) -> Floats:
    gaps: Floats = values[:, :, None] - values[:, None, :]
    return gaps


def _fit(pairs: Floats, places: Numbers) -> Floats:
    """Return the maximum-likelihood weights, by Newton's method."""
    first, second = np.triu_indices(pairs.shape[1], 1)
    rows = pairs[:, first, second].reshape(-1, pairs.shape[-1])
    ahead = (places[:, first] < places[:, second]).astype(float).ravel()
    weights = np.zeros(rows.shape[1])
    for _ in range(_MAX_STEPS):
        chances = _logistic(rows @ weights)
        gradient = rows.T @ (ahead - chances) - _SHRINKAGE * weights
        hessian = (rows * (chances * (1 - chances))[:, None]).T @ rows + _SHRINKAGE * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < _TOLERANCE:
            break
    return weights
