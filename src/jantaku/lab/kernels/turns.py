"""A batch of games: deals their hands, and finds the seat to act and its legal actions."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source, shuffle
from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.actions import MAX_ACTIONS
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.dealing import start_hand
from jantaku.kernels.engine.state import GAME, NO_SEAT
from jantaku.kernels.engine.step import legal
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

WALLS, CHOICES = range(2)  # the purposes of a random source


def sources(seed: int, purpose: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Return random sources (``bots.chance``) for ``count`` games from number ``first`` on.

    A source depends only on the seed, the purpose and the game's number, not on other games or the division
    of work. Shuffling a wall always takes the same number of random numbers, so a game's walls do not depend
    on how it is played.
    """
    states = [new_source((seed, purpose, first + number)) for number in range(count)]
    return np.array(states, np.int64).reshape(count, -1)


class Batch(NamedTuple):
    """Many games under one ruleset; every field except ``rules`` and ``tiles`` has one row per game.

    ``tiles`` are those of the ruleset. ``seats`` is the seat to act (``NO_SEAT`` if none), ``codes`` are its
    legal actions as the engine's integers and ``offered`` is their number.
    """

    games: npt.NDArray[Any]
    rules: npt.NDArray[Any]
    tiles: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.int64]
    seats: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    offered: npt.NDArray[np.int64]


def new_batch(rules: Ruleset, tiles: npt.NDArray[np.uint8], seed: int, first: int, count: int) -> Batch:
    """Allocate ``count`` games from number ``first`` on; none of them has begun."""
    return Batch(
        np.zeros(count, GAME),
        rules_record(rules),
        tiles,
        sources(seed, WALLS, first, count),
        np.full(count, NO_SEAT, np.uint8),
        np.zeros((count, MAX_ACTIONS), np.int16),
        np.zeros(count, np.int64),
    )


@kernel
def deal(batch, i, context):
    """Deal the next hand of game ``i`` from its own source of walls."""
    game = batch.games[i]
    shuffle(batch.tiles, batch.walls[i], game.wall)
    start_hand(game, context)


@kernel
def offer(batch, i, context):
    """Store the seat to act in game ``i`` and its legal actions."""
    game = batch.games[i]
    seat = next_seat(game)
    batch.seats[i] = seat
    batch.offered[i] = 0
    if seat != NO_SEAT:
        batch.offered[i] = legal(game, seat, batch.rules[0], context, batch.codes[i])
