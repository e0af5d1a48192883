"""Checks reviews against deeper rollouts: ``python -m research.review_calibration FILE.jsonl GAME...``.

Reviews a seat of each game, then plays out 2,000 other deals of every mistake, and of some of the decisions
in which the player and the judge differed but none was shown. Appends a row for each to FILE, and prints how
often a mistake that is said to cost 500 points or more costs at least 250, and the same for the others.
A GAME is a log, or ``LEVEL:SEED`` for a game between bots of that level.
"""

import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Final

from jantaku.bots import play
from jantaku.bots.review import Review, ReviewedDecision, reviews
from jantaku.bots.review.comparison import BEST, PLAYED, Duel
from jantaku.bots.search import position_to_act
from jantaku.bots.search.kernels.rollouts import FINAL
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.records.formats import read_record

DEALS: Final = 2000
NOT_SHOWN: Final = 8  # checked in each review
SEED: Final = 1 << 40  # other deals than those of the review
CLAIMED, COSTS = 500.0, 250.0


@dataclass(frozen=True)
class Row:
    """A decision of a review: what it says, and the loss over other deals with its standard error."""

    game: str
    seat: int
    step: int
    kind: str
    verdict: str
    claimed: float
    loss: float
    error: float


def game_of(name: str) -> Game:
    """Read a log, or play a game between bots."""
    level, _, seed = name.partition(":")
    if seed.isdecimal():
        return play(Game("tenhou", seed=int(seed)), level)
    return read_record(Path(name), None).game


def rows(name: str, game: Game, review: Review) -> Iterator[Row]:
    """Yield the checked decisions of a review."""
    compared = [one for one in review.decisions if one.compared is not None]
    hidden = [one for one in compared if one.verdict != "mistake"]
    chosen = [*review.mistakes, *random.Random(1).sample(hidden, min(NOT_SHOWN, len(hidden)))]
    for one in sorted(chosen, key=lambda one: one.step):
        measured = loss_of(game, review.seat, one)
        if measured is not None:
            claimed = one.compared.loss if one.compared else 0.0
            yield Row(Path(name).name, review.seat, one.step, one.kind, one.verdict, claimed, *measured)


def loss_of(game: Game, seat: int, one: ReviewedDecision) -> tuple[float, float] | None:
    """Return the loss of a decision over other deals and its standard error."""
    now = game.restarted()
    for _, acting, action in game.moves[: one.step]:
        now.play(acting, action)
    known = position_to_act(now, seat)
    codes = dict(zip(now.legal(seat), known.codes, strict=True))
    duel = Duel(known, codes[one.best], codes[one.played], seed=SEED + one.step)
    try:
        duel.play(DEALS)
    except RequestError:
        return None
    differences = duel.rows[:, BEST, FINAL] - duel.rows[:, PLAYED, FINAL]
    return float(differences.mean()), float(differences.std()) / sqrt(DEALS)


def summary(found: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each group of decisions."""
    every = list(found)
    groups = {
        f"claimed {CLAIMED:.0f} or more": [
            one for one in every if one.verdict == "mistake" and one.claimed >= CLAIMED
        ],
        "claimed less": [one for one in every if one.verdict == "mistake" and one.claimed < CLAIMED],
        "unclear": [one for one in every if one.verdict == "unclear"],
        "sound": [one for one in every if one.verdict == "sound"],
    }
    for name, group in groups.items():
        if group:
            shares = [sum(one.loss >= least for one in group) / len(group) for least in (COSTS, CLAIMED)]
            claimed = sum(one.claimed for one in group) / len(group)
            loss = sum(one.loss for one in group) / len(group)
            yield (
                f"{name}: {len(group)}, cost {COSTS:.0f} or more {shares[0]:.0%}, {CLAIMED:.0f} or more"
                f" {shares[1]:.0%}, claimed {claimed:.0f} on average, cost {loss:.0f}"
            )


def main(file: str, *games: str) -> None:
    """Append the rows of all games to the file and print the summary."""
    path = Path(file)
    for number, name in enumerate(games):
        game = game_of(name)
        *_, review = reviews(game, number % len(game.seats))
        with path.open("a", encoding="utf-8") as out:
            for row in rows(name, game, review):
                out.write(json.dumps(asdict(row)) + "\n")
    print(*summary(Row(**json.loads(line)) for line in path.open(encoding="utf-8")), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
