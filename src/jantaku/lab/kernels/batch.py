"""Steps many games at once: the compiled part of the vectorised environment."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER, NO_SEAT
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.win import MOST_SEATS
from jantaku.lab.kernels.action_space import ACTIONS, code_of, index_of
from jantaku.lab.kernels.observation import COLUMNS, ROWS, encode
from jantaku.lab.kernels.turns import deal, offer

ALL_LEGAL: Final = -1
BEGIN, WAIT = -1, -2  # in place of action indices


class Shown(NamedTuple):
    """The environment's output for each game; see ``VectorEnv``."""

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.bool_]
    reward: npt.NDArray[np.int64]
    done: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.uint8]
    delta: npt.NDArray[np.int64]


def new_shown(count: int) -> Shown:
    """Arrays for ``count`` games."""
    return Shown(
        np.zeros((count, ROWS, COLUMNS), np.int16),
        np.zeros((count, ACTIONS), np.bool_),
        np.zeros((count, MOST_SEATS), np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.uint8),
        np.zeros((count, MOST_SEATS), np.int64),
    )


@kernel
def _show(batch, shown, i):
    """Write the observation of the seat to act in game ``i``, and its legal actions."""
    for index in range(ACTIONS):
        shown.mask[i, index] = False
    for k in range(batch.offered[i]):
        shown.mask[i, index_of(int(batch.codes[i, k]))] = True
    if batch.seats[i] != NO_SEAT:
        encode(batch.games[i], int(batch.seats[i]), shown.observation[i])


@kernel
def _note(game, shown, i):
    """Record the result of a hand or game that has just ended."""
    if game.phase != GAME_OVER and game.phase != HAND_OVER:
        return
    shown.ended[i] = game.outcome.ended
    for seat in range(MOST_SEATS):
        shown.delta[i, seat] = game.outcome.delta[seat]
        if game.phase == GAME_OVER:
            shown.reward[i, seat] = game.match.final[seat]


@routine
def first_illegal(batch, indices):
    """The index of the first game with an illegal action; ``ALL_LEGAL`` if there is none."""
    for i in range(len(indices)):
        if batch.seats[i] != NO_SEAT and code_of(int(indices[i]), batch.codes[i], int(batch.offered[i])) < 0:
            return i
    return ALL_LEGAL


@routine
def advance(batch, shown, indices, again, context):
    """Carry out an action in every game with a seat to act (``indices``: ``int64[n]``).

    ``BEGIN`` restarts a game, ``WAIT`` leaves it as it is. With ``again`` a new game follows a finished one.
    """
    for i in range(len(indices)):
        game, index, seat = batch.games[i], int(indices[i]), int(batch.seats[i])
        if index == WAIT:
            continue
        _clear(shown, i)
        if index != BEGIN and seat == NO_SEAT:
            continue
        restarts = index == BEGIN
        if not restarts:
            code = code_of(index, batch.codes[i], int(batch.offered[i]))
            carry_out(game, seat, code, batch.rules[0], context)
            restarts = again and game.phase == GAME_OVER
            _note(game, shown, i)
        shown.done[i] = game.phase == GAME_OVER and index != BEGIN
        if restarts:
            start_match(game, batch.rules[0])
        if restarts or game.phase == HAND_OVER:
            deal(batch, i, context)
        offer(batch, i, context)
        _show(batch, shown, i)


@kernel
def _clear(shown, i):
    shown.ended[i] = 0
    for seat in range(MOST_SEATS):
        shown.reward[i, seat] = shown.delta[i, seat] = 0
