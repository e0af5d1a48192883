"""Measures what the mistakes of each level cost: ``python -m research.review_levels FILE.jsonl [GAMES]``.

Plays games between four bots of a level, reviews one seat of each, and appends the cost by kind to FILE.
Prints the rows of ``bots/review/levels.tsv``: points lost per hand, with the standard error over games.
"""

import json
import sys
from math import sqrt
from pathlib import Path
from typing import Final, get_args

import numpy as np

from jantaku.bots import LEVELS, play
from jantaku.bots.levels import SEARCH
from jantaku.bots.review import reviews
from jantaku.bots.review.levels import ALL
from jantaku.bots.review.model import MistakeKind
from jantaku.game import Game

RULES: Final = "tenhou"
REVIEWED: Final = tuple(level for level in LEVELS if level not in (SEARCH, "strong"))  # the judge itself
KINDS: Final = get_args(MistakeKind)


def measured(level: str, number: int) -> list[float]:
    """Return the number of hands of a game, and the cost of each kind of mistake and of all in it."""
    game = play(Game(RULES, seed=1000 + number), level)
    *_, review = reviews(game, number % len(game.seats))
    costs = [sum(one.loss for one in review.mistakes if one.mistake == kind) for kind in KINDS]
    return [float(len(game.walls)), *costs, review.cost]


def main(file: str, games: str = "8") -> None:
    """Measure the games that are missing in the file, and print the rows."""
    path = Path(file)
    path.touch()
    known = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for number in range(int(games)):
        for level in REVIEWED:
            if [level, number] not in [row[:2] for row in known]:
                known.append([level, number, measured(level, number)])
                with path.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(known[-1]) + "\n")
    for level in REVIEWED:
        table = np.array([row[2] for row in known if row[0] == level])
        hands = table[:, 0]
        for kind, costs in zip((*KINDS, ALL), table[:, 1:].T, strict=True):
            rate = float(costs.sum() / hands.sum())
            error = float(np.std(costs - rate * hands, ddof=1)) * sqrt(len(table)) / float(hands.sum())
            print(level, len(Game(RULES, seed=0).seats), kind, f"{rate:.1f}", f"{error:.1f}", sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
