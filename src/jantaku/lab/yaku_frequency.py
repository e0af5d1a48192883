"""Measures how often bots win with a yaku, and estimates the han in line with the other yaku.

A few games suffice to measure how rare a yaku is; the estimate is fitted to the yaku made more often.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.masks import yaku_in
from jantaku.kernels.engine.state import WON
from jantaku.lab.chunks import CHUNK, ChunkPlan, play_chunk
from jantaku.lab.report.fitted_han import BY_CHANCE, MIN_WINS, HanFit, han_of_rules
from jantaku.reading import Strict
from jantaku.rules import Ruleset

GAMES: Final = 2 * CHUNK
SEED: Final = 28
BOT: Final = "standard"


@dataclass(frozen=True)
class PlayedYaku(Strict):
    """Results of bots with one yaku: ``having`` of their ``wins`` had it.

    ``later`` is the average delay of these wins in turns, compared with all wins; ``in_line`` is the han in
    line with the other yaku. Both are ``None`` if there are too few wins.
    """

    games: int
    wins: int
    having: int
    later: float | None
    in_line: float | None


def play_with(rules: Ruleset, yaku: str) -> PlayedYaku:
    """Play bot games and count the wins with ``yaku``, the id of one of the rules' custom yaku."""
    plan = ChunkPlan(rules, (BOT,) * len(rules.seats), GAMES, SEED)
    bit = [own.id for own in rules.own_yaku].index(yaku)
    built_in, own, turns = _wins(plan)
    has = own >> bit & 1 == 1
    having, average = int(has.sum()), float(turns.mean()) if len(turns) else 0.0
    if not having:
        return PlayedYaku(GAMES, len(turns), 0, None, None)
    later = float(turns[has].mean()) - average
    fit = HanFit(list(_rows(rules, built_in, turns)))
    return PlayedYaku(GAMES, len(turns), having, later, fit.at(len(turns) / having, later))


def _wins(plan: ChunkPlan) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the mask of built-in yaku, the mask of custom yaku and the turn of each win."""
    wins = []
    for first in range(0, plan.games, CHUNK):
        hands = play_chunk(plan, first, min(CHUNK, plan.games - first)).hands
        hands = hands[hands["ended"] == WON]
        for seat in plan.rules.seats:
            won = hands[hands["winners"] >> seat & 1 == 1]
            wins.append((won["yaku"][:, seat], won["own_yaku"][:, seat], won["turns"]))
    built_in, own, turns = (np.concatenate(column) for column in zip(*wins, strict=True))
    return built_in, own, turns.astype(np.float64)


def _rows(
    rules: Ruleset, built_in: npt.NDArray[Any], turns: npt.NDArray[Any]
) -> Iterator[tuple[float, float, int]]:
    """Yield for each built-in yaku with enough wins: all wins per win with it, its delay, and its han."""
    for name in yaku_in(int(np.bitwise_or.reduce(built_in)) if len(built_in) else 0):
        has = np.array([name in yaku_in(int(mask)) for mask in built_in])
        han = han_of_rules(rules, name)
        if name not in BY_CHANCE and has.sum() >= MIN_WINS and han is not None:
            yield len(turns) / has.sum(), float(turns[has].mean() - turns.mean()), han
