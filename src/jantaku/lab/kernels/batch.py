"""Steps many games at once: the compiled part of ``VectorEnv``."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER, NO_SEAT
from jantaku.kernels.engine.step import carry_out
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.kernels.action_space import ACTIONS, code_of, index_of
from jantaku.lab.kernels.observation import COLUMNS, ROWS, encode
from jantaku.lab.kernels.turns import deal, offer

ALL_LEGAL: Final = -1
BEGIN, WAIT = -1, -2  # in place of action indices
SKIPPED, CONTINUES, BEGAN = range(3)  # the state of a game after a step
PENDING: Final = MAX_SEATS + 1  # columns: the change of each seat's points, and how the hand ended


class StepOutputs(NamedTuple):
    """The environment's outputs for each game; see ``VectorEnv``.

    ``start_scores`` are the points at the start of the hand, ``pending`` (``int64[n, PENDING]``) the results
    of finished hands that are not in ``delta`` and ``ended`` yet.
    """

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.bool_]
    reward: npt.NDArray[np.int64]
    done: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.uint8]
    delta: npt.NDArray[np.int64]
    start_scores: npt.NDArray[np.int64]
    pending: npt.NDArray[np.int64]


def new_outputs(count: int) -> StepOutputs:
    """Allocate the outputs of ``count`` games."""
    return StepOutputs(
        np.zeros((count, ROWS, COLUMNS), np.int16),
        np.zeros((count, ACTIONS), np.bool_),
        np.zeros((count, MAX_SEATS), np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.uint8),
        np.zeros((count, MAX_SEATS), np.int64),
        np.zeros((count, MAX_SEATS), np.int64),
        np.zeros((count, PENDING), np.int64),
    )


@kernel
def write_outputs(batch, outputs, i, context):
    """Write the seat to act in game ``i``, its observation, and its legal actions."""
    offer(batch, i, context)
    for index in range(ACTIONS):
        outputs.mask[i, index] = False
    for k in range(batch.offered[i]):
        outputs.mask[i, index_of(int(batch.codes[i, k]))] = True
    if batch.seats[i] != NO_SEAT:
        encode(batch.games[i], int(batch.seats[i]), outputs.observation[i])


@kernel
def report_hands(outputs, i):
    """Move the results of finished hands to the outputs of this step."""
    for seat in range(MAX_SEATS):
        outputs.delta[i, seat] += outputs.pending[i, seat]
        outputs.pending[i, seat] = 0
    if outputs.pending[i, MAX_SEATS] != 0:
        outputs.ended[i] = outputs.pending[i, MAX_SEATS]
        outputs.pending[i, MAX_SEATS] = 0


@kernel
def _record_hand_end(game, outputs, i):
    """Add a hand that has just ended to the pending results."""
    outputs.pending[i, MAX_SEATS] = game.outcome.ended
    for seat in range(MAX_SEATS):
        outputs.pending[i, seat] += int(game.match.scores[seat]) - outputs.start_scores[i, seat]
        outputs.start_scores[i, seat] = game.match.scores[seat]


@kernel
def _begin(batch, outputs, i, context):
    """Restart game ``i``."""
    game = batch.games[i]
    start_match(game, batch.rules[0])
    for k in range(PENDING):
        outputs.pending[i, k] = 0
    for seat in range(MAX_SEATS):
        outputs.start_scores[i, seat] = game.match.scores[seat]
    deal(batch, i, context)


@routine
def continue_game(batch, outputs, i, state, auto_reset, context):
    """After an action, record the end of a hand or game and begin the next one.

    ``state`` is the game's state in this step so far. Returns ``BEGAN`` if a new game begins, else ``state``.
    With ``auto_reset`` a new game follows a finished one.
    """
    game = batch.games[i]
    if game.phase == HAND_OVER:
        _record_hand_end(game, outputs, i)
        deal(batch, i, context)
    elif game.phase == GAME_OVER:
        _record_hand_end(game, outputs, i)
        if state == CONTINUES or not auto_reset:  # not for a new game that ends before any decision
            report_hands(outputs, i)
            outputs.done[i] = True
            for seat in range(MAX_SEATS):
                outputs.reward[i, seat] = game.match.final[seat]
        if auto_reset:
            _begin(batch, outputs, i, context)
            return BEGAN
    return state


@routine
def first_illegal(batch, indices):
    """Return the index of the first game with an illegal action; ``ALL_LEGAL`` if there is none."""
    for i in range(len(indices)):
        if batch.seats[i] != NO_SEAT and code_of(int(indices[i]), batch.codes[i], int(batch.offered[i])) < 0:
            return i
    return ALL_LEGAL


@kernel
def step_game(batch, outputs, i, index, auto_reset, context):
    """Carry out an action in game ``i``; return the state of the game (``SKIPPED`` …)."""
    seat = int(batch.seats[i])
    if index == WAIT:
        return SKIPPED
    outputs.ended[i] = 0
    for other in range(MAX_SEATS):
        outputs.reward[i, other] = outputs.delta[i, other] = 0
    if index != BEGIN and seat == NO_SEAT:
        return SKIPPED
    outputs.done[i] = False
    if index == BEGIN:
        _begin(batch, outputs, i, context)
        return BEGAN
    code = code_of(index, batch.codes[i], int(batch.offered[i]))
    carry_out(batch.games[i], seat, code, batch.rules[0], context)
    return continue_game(batch, outputs, i, CONTINUES, auto_reset, context)


@routine
def advance(batch, outputs, indices, auto_reset, context):
    """Carry out an action in every game with a seat to act (``indices``: ``int64[n]``).

    ``BEGIN`` restarts a game, ``WAIT`` leaves it unchanged. With ``auto_reset`` a new game follows a
    finished one.
    """
    for i in range(len(indices)):
        state = step_game(batch, outputs, i, int(indices[i]), auto_reset, context)
        if state != SKIPPED:
            report_hands(outputs, i)
            write_outputs(batch, outputs, i, context)
