"""Fits the chances of places: ``python -m research.fit_placing [GAMES]``.

Plays games between four ``standard`` bots, notes the points before every hand and the places at the end, and
prints the ``SCALE`` of ``jantaku.bots.place_chances`` under which those places are most likely, and how far
the chances of the first place are from how often it was taken.
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
    """The points, the hands left and the places of every hand of some games."""
    player = bot("standard", SEED)
    for number in range(count):
        game = play(Game(RULES[number % len(RULES)], seed=SEED + number), player)
        places = next(event.places for event in reversed(game.events) if isinstance(event, GameEnded))
        for event in game.events:
            if isinstance(event, HandStarted):
                yield event.scores, hands_left(event.number, game.rules), places


def main() -> None:
    """Print the numbers and a table."""
    rows = list(games(int(sys.argv[1]) if sys.argv[1:] else 1000))

    def cost(scale: float) -> float:
        return -sum(float(np.log(_of_order(*row, scale))) for row in rows) / len(rows)

    scale = float(min(np.arange(3.0, 9.1, 0.25), key=cost))
    print(f"scale {scale:.2f}: {cost(scale):.4f} a hand, {len(rows)} hands")
    said: list[float] = []
    was: list[bool] = []
    for scores, left, places in rows:
        for seat, row in enumerate(chances(scores, left, scale)):
            said.append(row[0])
            was.append(places[seat] == 1)
    for low in np.arange(0, 1, 0.1):
        here = (low <= np.array(said)) & (np.array(said) < low + 0.1)
        if here.any():
            mean, came = np.array(said)[here].mean(), np.array(was)[here].mean()
            print(f"{low:.1f}: {mean:.3f} said, {came:.3f} came, {here.sum()}")


def _of_order(scores: tuple[int, ...], left: int, places: tuple[int, ...], scale: float) -> float:
    """The chance of the whole order."""
    weights = np.exp(np.array(scores) / 1000 / (scale * np.sqrt(left)))
    order = np.argsort(places)
    chance, rest = 1.0, weights.sum()
    for seat in order:
        chance *= weights[seat] / rest
        rest -= weights[seat]
    return float(max(chance, 1e-9))


if __name__ == "__main__":
    main()
