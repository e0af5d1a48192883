"""Converts the weights of ``standard`` to points: ``python -m research.points_per_weight``.

At positions from games between bots, the lab plays out every discard. The program compares each with the one
that ``standard`` rates highest and prints the points lost per unit of weight: ``POINTS`` in
``jantaku.bots.standard_judge``.
"""

import sys
from collections.abc import Iterator
from random import Random

import numpy as np
import numpy.typing as npt

from jantaku.bots import bot
from jantaku.bots.chance import new_source
from jantaku.bots.player import DECISION
from jantaku.bots.policies import STANDARD
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game import Discard, Game
from jantaku.game.engine import context
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.kernels.rules import rules_record
from jantaku.lab.discards import HandQuestion, answers, position_in_game
from jantaku.rules import load
from jantaku.tiles import RED

POSITIONS, DEALS, SEED = 60, 100, 1
SAMPLED = 0.02  # share of the discards that are played out


def main() -> None:
    """Print the losses by difference in weight, and the rate."""
    rows = np.array(list(_rows(int(sys.argv[1]) if sys.argv[1:] else POSITIONS)))
    weight, points = rows[:, 0], rows[:, 1]
    for low, high in ((0, 0.5), (0.5, 1), (1, 2), (2, 4), (4, 8), (8, 99)):
        here = (low < weight) & (weight <= high)
        if here.any():
            print(f"{low}-{high}: {here.sum()} discards, {points[here].mean():.0f} points lost")
    rate, r = (weight * points).sum() / (weight * weight).sum(), np.corrcoef(weight, points)[0, 1]
    print(f"rate {rate:.0f} points, r {r:.2f}")


def _rows(count: int) -> Iterator[tuple[float, float]]:
    chance, player, number = Random(SEED), bot("standard", SEED), 0
    work, positions = new_bot_workspace(new_source(SEED), load("tenhou")), 0
    while positions < count:
        game = Game("tenhou", seed=SEED + number)
        number += 1
        rules = rules_record(game.rules)
        while not game.is_over:
            seat = game.to_act[0]
            action = player.choose(game, seat)
            free = game.record.phase == YOUR_TURN and not game.record.riichi[seat]
            if free and isinstance(action, Discard) and not action.riichi and chance.random() < SAMPLED:
                DECISION.call(game.array, int(seat), STANDARD, rules, context(), work)
                yield from _losses(game, seat, work.utility.copy())
                positions += 1
            game.play(seat, action)


def _losses(game: Game, seat: int, weights: npt.NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    *_, answer = answers(HandQuestion(position_in_game(game, seat), DEALS))
    points: dict[int, float] = {}
    for choice in answer.choices:
        if isinstance(choice.action, Discard) and not choice.action.riichi:
            points.setdefault(choice.action.tile % RED, choice.points.value)
    best = max(points, key=lambda kind: weights[kind])
    for kind, value in points.items():
        if kind != best:
            yield weights[best] - weights[kind], points[best] - value


if __name__ == "__main__":
    main()
