"""Draws that stay a seat's own: a call changes who draws next, but not what anybody draws.

Without calls a seat draws every fourth tile of the live wall. Here it draws those tiles in any case. So under
two rulesets a seat draws the same tiles even after a call that only one of them allows, and the difference
between the rulesets is less a matter of luck. Nobody's chances change: which unseen tile comes next depends
on nothing that is hidden.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.hands import after, seats_of
from jantaku.kernels.win import MOST_SEATS


class OwnDraws(NamedTuple):
    """Where the tiles of the dealt wall lie now; empty arrays leave the wall as it is.

    ``item`` (``int16[tiles]``) tells which tile of the dealt wall lies at an index, ``index_of`` where a
    tile lies, and ``following`` (``int16[4]``) the tile that each seat draws next.
    """

    item: npt.NDArray[np.int16]
    index_of: npt.NDArray[np.int16]
    following: npt.NDArray[np.int16]


def new_draws(tiles: int) -> OwnDraws:
    """Draws of a wall of ``tiles`` tiles, 0 for walls that stay as they are."""
    return OwnDraws(np.zeros(tiles, np.int16), np.zeros(tiles, np.int16), np.zeros(MOST_SEATS, np.int16))


@kernel
def begin_draws(game, draws):
    """Begin with a hand that has been dealt, its dealer having drawn."""
    for i in range(len(draws.item)):
        draws.item[i] = draws.index_of[i] = i
    for turn in range(seats_of(game)):
        draws.following[after(game, int(game.turn), 1 + turn)] = int(game.drawn_live) + turn


@kernel
def arrange_draw(game, draws):
    """Put the tile of the seat that draws next, unless somebody calls, where it will be drawn."""
    seat = after(game, int(game.turn), 1)
    front, end = int(game.drawn_live), int(game.tiles) - int(game.dead_wall)
    item = int(draws.following[seat])
    while item < end and int(draws.index_of[item]) < front:
        item += seats_of(game)
    draws.following[seat] = item
    if item >= end or front >= end:  # it has drawn all its tiles: it takes somebody else's
        return
    index, other = int(draws.index_of[item]), int(draws.item[front])
    tile = int(game.wall[index])
    game.wall[index] = game.wall[front]
    game.wall[front] = tile
    draws.item[index], draws.index_of[other] = other, index
    draws.item[front], draws.index_of[item] = item, front
