"""Fits the probabilities of places: ``python -m research.fit_placing [GAMES]``.

Plays games between four ``standard`` bots, records the points before every hand and the final places, and
prints the maximum-likelihood ``SCALE`` of ``jantaku.bots.place_chances``, followed by a calibration table of
the predicted and observed frequencies of first place.
"""

import sys
from collections.abc import Iterator

import numpy as np

from jantaku.bots import bot, play
from jantaku.bots.place_chances import chances, hands_left
from jantaku.game import Game
from jantaku.game.events import GameEnded, HandStarted

SEED = 1
RULES = ("tenhou", "bgm-2025")


def games(count: int) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """Play games and yield for every hand the points, the hands left and the final places."""
    player = bot("standard", SEED)
    for number in range(count):
        game = play(Game(RULES[number % len(RULES)], seed=SEED + number), player)
        places = next(event.places for event in reversed(game.events) if isinstance(event, GameEnded))
        for event in game.events:
            if isinstance(event, HandStarted):
                yield event.scores, hands_left(event.number, game.rules), places


def main() -> None:
    """Fit the scale and print it with a calibration table."""
    rows = list(games(int(sys.argv[1]) if sys.argv[1:] else 1000))

    def cost(scale: float) -> float:
        return -sum(float(np.log(_of_order(*row, scale))) for row in rows) / len(rows)

    scale = float(min(np.arange(3.0, 9.1, 0.25), key=cost))
    print(f"scale {scale:.2f}: {cost(scale):.4f} per hand, {len(rows)} hands")
    predicted: list[float] = []
    observed: list[bool] = []
    for scores, left, places in rows:
        for seat, row in enumerate(chances(scores, left, scale)):
            predicted.append(row[0])
            observed.append(places[seat] == 1)
    for low in np.arange(0, 1, 0.1):
        here = (low <= np.array(predicted)) & (np.array(predicted) < low + 0.1)
        if here.any():
            chance, share = np.array(predicted)[here].mean(), np.array(observed)[here].mean()
            print(f"{low:.1f}: {chance:.3f} predicted, {share:.3f} observed, {here.sum()}")


def _of_order(scores: tuple[int, ...], left: int, places: tuple[int, ...], scale: float) -> float:
    """Return the probability that the players finish in exactly this order."""
    weights = np.exp(np.array(scores) / 1000 / (scale * np.sqrt(left)))
    order = np.argsort(places)
    chance, rest = 1.0, weights.sum()
    for seat in order:
        chance *= weights[seat] / rest
        rest -= weights[seat]
    return float(max(chance, 1e-9))


if __name__ == "__main__":
    main()
