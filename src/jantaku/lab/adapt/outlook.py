"""What the scores at the start of a hand say about the end of the game, learnt from games of bots.

The chance that one player finishes ahead of another is a logistic function of the difference of their scores
and of their seats, one function for each hand of the match. The chances of the places follow from those of
the pairs, as if these were independent. The value of a hand's start is its scores and the average bonus (uma
and oka) that they lead to; or, where only places count, the average place.
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

STARTS: Final = 200  # a hand of the match with fewer starts uses the function of the hand before
_SCALE: Final = 10_000.0
_STEPS, _CLOSE, _SHRINKAGE = 25, 1e-5, 1e-2


@dataclass(frozen=True)
class HandStarts:
    """``n`` hands in order: ``scores`` (``[n, seats]``), ``number`` since East 1, and how each game ended.

    ``places`` are from 1, ``ended`` has the scores at the end and ``final`` the final ones with uma and oka,
    all ``[n, seats]``. ``last`` tells the last hand of each game.
    """

    scores: Floats
    number: Numbers
    places: Numbers
    ended: Floats
    final: Floats
    last: npt.NDArray[np.bool_]

    @property
    def dealer(self) -> npt.NDArray[np.bool_]:
        """Whether each seat deals, ``[n, seats]``."""
        seats = self.scores.shape[1]
        dealers: npt.NDArray[np.bool_] = np.arange(seats) == (self.number % seats)[:, None]
        return dealers


@dataclass(frozen=True)
class Outlook:
    """``weights`` of the pairs for each hand of the match (``[hands, features]``), a ``bonus`` a place.

    ``aim`` (one of ``AIMS``) is what counts: the final score, or the place alone (a better one is worth 1).
    """

    weights: Floats
    bonus: Floats
    aim: str

    def places(self, scores: Floats, number: Numbers) -> Floats:
        """The chance of each place: ``[n, seats, places]``."""
        rows = self.weights[np.minimum(number, len(self.weights) - 1)]
        ahead = _logistic(np.einsum("nijf,nf->nij", _pairs(scores, number), rows))
        seats = scores.shape[1]
        places = np.zeros((len(scores), seats, seats))
        for seat in range(seats):
            places[:, seat, 0] = 1.0  # the chance of as many players above
            for other in range(seats):
                if other != seat:
                    loses = ahead[:, other, seat][:, None]
                    places[:, seat] = (
                        places[:, seat] * (1.0 - loses) + np.roll(places[:, seat], 1, axis=1) * loses
                    )
        return places

    def value(self, scores: Floats, number: Numbers) -> Floats:
        """What each seat may expect at the end, ``[n, seats]``."""
        expected: Floats = self.places(scores, number) @ self.bonus
        return expected + scores if self.aim == "score" else expected

    def gains(self, starts: HandStarts) -> Floats:
        """What each seat gained in each hand, in the value that the hand left: ``[n, seats]``."""
        before = self.value(starts.scores, starts.number)
        after = np.roll(before, -1, axis=0)
        ended = starts.final if self.aim == "score" else -starts.places.astype(float)
        gains: Floats = np.where(starts.last[:, None], ended, after) - before
        return gains


def learn(starts: HandStarts, hands: int, aim: str) -> Outlook:
    """The outlook for a match of ``hands`` hands, from the starts of all hands of some games."""
    weights: list[Floats] = []
    for number in range(hands + 1):  # the last for the extension
        own = np.minimum(starts.number, hands) == number
        if own.sum() >= STARTS or not weights:
            weights.append(_fit(_pairs(starts.scores[own], starts.number[own]), starts.places[own]))
        else:
            weights.append(weights[-1])
    paid, places = (starts.final - starts.ended)[starts.last], starts.places[starts.last]
    bonus = [
        -float(place)
        if aim == "place"
        else float(paid[places == place].mean())
        if (places == place).any()
        else 0.0
        for place in range(1, starts.scores.shape[1] + 1)
    ]
    return Outlook(np.array(weights), np.array(bonus), aim)


def starts_of(chunks: Sequence[Chunk]) -> HandStarts:
    """The starts of all hands of some chunks, in order."""
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
    """What tells who of each pair of seats will be ahead: ``[n, seats, seats, features]``, antisymmetric."""
    seats = np.arange(scores.shape[1])
    apart = (scores[:, :, None] - scores[:, None, :]) / _SCALE
    until = ((seats - number[:, None]) % len(seats)).astype(float)  # hands until the seat deals
    dealing = _differences((until == 0).astype(float))
    order = np.broadcast_to(np.sign(seats[None, :] - seats[:, None])[None], apart.shape)
    parts = [apart, np.tanh(3.0 * apart), apart * np.abs(apart), dealing, order, _differences(until)]
    pairs: Floats = np.stack(parts, axis=-1)
    return pairs


def _differences(values: Floats) -> Floats:
    gaps: Floats = values[:, :, None] - values[:, None, :]
    return gaps


def _fit(pairs: Floats, places: Numbers) -> Floats:
    """The weights of maximum likelihood, by Newton's method."""
    first, second = np.triu_indices(pairs.shape[1], 1)
    rows = pairs[:, first, second].reshape(-1, pairs.shape[-1])
    ahead = (places[:, first] < places[:, second]).astype(float).ravel()
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chances = _logistic(rows @ weights)
        slope = rows.T @ (ahead - chances) - _SHRINKAGE * weights
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + _SHRINKAGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < _CLOSE:
            break
    return weights
