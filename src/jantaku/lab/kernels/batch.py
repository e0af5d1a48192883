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
SKIPPED, GOES_ON, BEGAN = range(3)  # what a step makes of a game
PENDING: Final = MOST_SEATS + 1  # the change of each seat's points, and how the hand ended


class Shown(NamedTuple):
    """The environment's output for each game; see ``VectorEnv``.

    ``begun`` has the points with which the hand began, ``pending`` (``int64[n, PENDING]``) the hands that
    ended and are not in ``delta`` and ``ended`` yet.
    """

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.bool_]
    reward: npt.NDArray[np.int64]
    done: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.uint8]
    delta: npt.NDArray[np.int64]
    begun: npt.NDArray[np.int64]
    pending: npt.NDArray[np.int64]


def new_shown(count: int) -> Shown:
    """Arrays for ``count`` games."""
    return Shown(
        np.zeros((count, ROWS, COLUMNS), np.int16),
        np.zeros((count, ACTIONS), np.bool_),
        np.zeros((count, MOST_SEATS), np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.uint8),
        np.zeros((count, MOST_SEATS), np.int64),
        np.zeros((count, MOST_SEATS), np.int64),
        np.zeros((count, PENDING), np.int64),
    )


@kernel
def show(batch, shown, i, context):
    """Write the seat to act in game ``i``, what it sees, and its legal actions."""
    offer(batch, i, context)
    for index in range(ACTIONS):
        shown.mask[i, index] = False
    for k in range(batch.offered[i]):
        shown.mask[i, index_of(int(batch.codes[i, k]))] = True
    if batch.seats[i] != NO_SEAT:
        encode(batch.games[i], int(batch.seats[i]), shown.observation[i])


@kernel
def report(shown, i):
    """Add the hands that ended to the result of the step."""
    for seat in range(MOST_SEATS):
        shown.delta[i, seat] += shown.pending[i, seat]
        shown.pending[i, seat] = 0
    if shown.pending[i, MOST_SEATS] != 0:
        shown.ended[i] = shown.pending[i, MOST_SEATS]
        shown.pending[i, MOST_SEATS] = 0


@kernel
def _note(game, shown, i):
    """Note a hand that has just ended."""
    shown.pending[i, MOST_SEATS] = game.outcome.ended
    for seat in range(MOST_SEATS):
        shown.pending[i, seat] += int(game.match.scores[seat]) - shown.begun[i, seat]
        shown.begun[i, seat] = game.match.scores[seat]


@kernel
def _begin(batch, shown, i, context):
    """Begin game ``i`` anew."""
    game = batch.games[i]
    start_match(game, batch.rules[0])
    for k in range(PENDING):
        shown.pending[i, k] = 0
    for seat in range(MOST_SEATS):
        shown.begun[i, seat] = game.match.scores[seat]
    deal(batch, i, context)


@routine
def go_on(batch, shown, i, state, again, context):
    """After an action: note the end of a hand or game and begin the next; return ``GOES_ON`` or ``BEGAN``.

    ``state`` is what the step has made of the game so far. A new game follows a finished one if ``again``.
    """
    game = batch.games[i]
    if game.phase == HAND_OVER:
        _note(game, shown, i)
        deal(batch, i, context)
    elif game.phase == GAME_OVER:
        _note(game, shown, i)
        if state == GOES_ON or not again:  # not a game that ends before anybody is asked
            report(shown, i)
            shown.done[i] = True
            for seat in range(MOST_SEATS):
                shown.reward[i, seat] = game.match.final[seat]
        if again:
            _begin(batch, shown, i, context)
            return BEGAN
    return state


@routine
def first_illegal(batch, indices):
    """The index of the first game with an illegal action; ``ALL_LEGAL`` if there is none."""
    for i in range(len(indices)):
        if batch.seats[i] != NO_SEAT and code_of(int(indices[i]), batch.codes[i], int(batch.offered[i])) < 0:
            return i
    return ALL_LEGAL


@kernel
def enter(batch, shown, i, index, again, context):
    """Carry out an action in game ``i``; return what it makes of the game (``SKIPPED`` …)."""
    seat = int(batch.seats[i])
    if index == WAIT:
        return SKIPPED
    shown.ended[i] = 0
    for other in range(MOST_SEATS):
        shown.reward[i, other] = shown.delta[i, other] = 0
    if index != BEGIN and seat == NO_SEAT:
        return SKIPPED
    shown.done[i] = False
    if index == BEGIN:
        _begin(batch, shown, i, context)
        return BEGAN
    code = code_of(index, batch.codes[i], int(batch.offered[i]))
    carry_out(batch.games[i], seat, code, batch.rules[0], context)
    return go_on(batch, shown, i, GOES_ON, again, context)


@routine
def advance(batch, shown, indices, again, context):
    """Carry out an action in every game with a seat to act (``indices``: ``int64[n]``).

    ``BEGIN`` restarts a game, ``WAIT`` leaves it as it is. With ``again`` a new game follows a finished one.
    """
    for i in range(len(indices)):
        state = enter(batch, shown, i, int(indices[i]), again, context)
        if state != SKIPPED:
            report(shown, i)
            show(batch, shown, i, context)
