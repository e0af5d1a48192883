"""Draws fixed for each seat: a call changes the order of the draws, but not the tiles that each seat draws.

Without calls a seat draws every fourth tile of the live wall (every third with three players). ``OwnDraws``
makes it draw those tiles even after calls. Under two rulesets a seat therefore draws the same tiles even
after a call that only one of them allows, which reduces the variance of comparisons. Probabilities do not
change: the choice of the next tile does not depend on hidden information.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.match import play_decision
from jantaku.bots.workspace import BotWorkspace
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import after, seats_of
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.win import MAX_SEATS


class OwnDraws(NamedTuple):
    """The permutation of the dealt wall; with empty arrays the wall is left unchanged.

    ``item`` (``int16[tiles]``) maps an index of the wall to the original one, ``index_of`` is its inverse,
    and ``following`` (``int16[4]``) is the original index of the tile that each seat draws next.
    """

    item: npt.NDArray[np.int16]
    index_of: npt.NDArray[np.int16]
    following: npt.NDArray[np.int16]


def new_draws(tiles: int) -> OwnDraws:
    """Allocate the draws of a wall of ``tiles`` tiles; 0 leaves walls unchanged."""
    return OwnDraws(np.zeros(tiles, np.int16), np.zeros(tiles, np.int16), np.zeros(MAX_SEATS, np.int16))


class Players(NamedTuple):
    """The policy of each seat (``int64[n, 4]``) and the random source of each game (``int64[n, 2]``).

    ``work`` is the bots' workspace; ``draws`` fixes each seat's draws unless its arrays are empty.
    """

    policies: npt.NDArray[np.int64]
    chances: npt.NDArray[np.int64]
    work: BotWorkspace
    draws: OwnDraws


@kernel
def begin_draws(game, draws):
    """Start with a newly dealt hand whose dealer has drawn."""
    for i in range(len(draws.item)):
        draws.item[i] = draws.index_of[i] = i
    for turn in range(seats_of(game)):
        draws.following[after(game, int(game.turn), 1 + turn)] = int(game.drawn_live) + turn


@kernel
def arrange_draw(game, draws):
    """Move the tile of the seat that draws next, unless there is a call, to the front of the wall."""
    seat = after(game, int(game.turn), 1)
    front, end = int(game.drawn_live), int(game.tiles) - int(game.dead_wall)
    item = int(draws.following[seat])
    while item < end and int(draws.index_of[item]) < front:
        item += seats_of(game)
    draws.following[seat] = item
    if item >= end or front >= end:  # none of the seat's own tiles remain, so it draws another seat's
        return
    index, other = int(draws.index_of[item]), int(draws.item[front])
    tile = int(game.wall[index])
    game.wall[index] = game.wall[front]
    game.wall[front] = tile
    draws.item[index], draws.index_of[other] = other, index
    draws.item[front], draws.index_of[item] = item, front


@routine
def play_on(game, policies, players, rules, context):
    """Play to the end of the hand by the policy of each seat; return the number of decisions."""
    own = len(players.draws.item) > 0
    decisions = 0
    while game.phase <= CLAIMS:
        if own:
            arrange_draw(game, players.draws)
        play_decision(game, policies, players.work, rules, context)
        decisions += 1
    return decisions
