"""One game of many: dealing its hands, who acts next, and carrying out what it may do."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source, shuffle
from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.actions import MOST_ACTIONS
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.state import GAME, NO_SEAT
from jantaku.kernels.engine.step import legal, start_hand
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

WALLS, CHOICES = range(2)  # what a source of chance is for


def sources(seed: int, purpose: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """A source of chance (``bots.chance``) for each of the games from number ``first`` on.

    It depends on the seed and the game's number alone: neither on what other games do nor on how the work is
    shared out. A wall always takes 135 numbers, so that a game's walls are the same however it is played.
    """
    found = [new_source((seed, purpose, first + place)) for place in range(count)]
    return np.array(found, np.int64).reshape(count, -1)


class Batch(NamedTuple):
    """Many games under one ruleset; every field has one row a game.

    ``tiles`` are the ruleset's own, ``seats`` who is to act (``NO_SEAT`` where nobody is), ``codes`` the
    engine's integers of what it may do and ``found`` how many these are.
    """

    games: npt.NDArray[Any]
    rules: npt.NDArray[Any]
    tiles: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.int64]
    seats: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    found: npt.NDArray[np.int64]


def new_batch(rules: Ruleset, tiles: npt.NDArray[np.uint8], seed: int, first: int, count: int) -> Batch:
    """Room for the games from number ``first`` on; none of them has begun."""
    return Batch(
        np.zeros(count, GAME),
        rules_record(rules),
        tiles,
        sources(seed, WALLS, first, count),
        np.full(count, NO_SEAT, np.uint8),
        np.zeros((count, MOST_ACTIONS), np.int16),
        np.zeros(count, np.int64),
    )


@kernel
def deal(batch, i, context):  # type: ignore[no-untyped-def]
    """Deal the next hand of game ``i`` from its own source of walls."""
    game = batch.games[i]
    shuffle(batch.tiles, batch.walls[i], game.wall)
    start_hand(game, context)


@kernel
def offer(batch, i, context):  # type: ignore[no-untyped-def]
    """Note who is to act in game ``i`` and what it may do."""
    game = batch.games[i]
    seat = next_seat(game)
    batch.seats[i] = seat
    batch.found[i] = 0
    if seat != NO_SEAT:
        batch.found[i] = legal(game, seat, batch.rules[0], context, batch.codes[i])
