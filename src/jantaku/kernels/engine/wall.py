"""The wall: the position of every tile.

Thirteen tiles are dealt to each seat from the front; then comes the live wall, then the dead wall. The last
tiles of the dead wall are the rinshan tiles, drawn from the end: four, or eight if norths are set aside.
Before them lie the indicators, each dora indicator above its ura indicator. Every rinshan draw moves one tile
from the end of the live wall into the dead wall, so that a dead wall of 14 tiles has room for all the
indicators ever turned, even with eight rinshan tiles.
"""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.state import NO_TILE

DEALT: Final = 13  # tiles dealt to each seat
BLOCKS: Final = 12  # tiles dealt in blocks of four; the last one is dealt separately
MAX_KANS: Final = 4
MAX_INDICATORS: Final = 5


@kernel
def live_left(game):
    """Return how many tiles can still be drawn from the live wall."""
    return int(game.tiles) - int(game.dead_wall) - int(game.drawn_rinshan) - int(game.drawn_live)


@kernel
def draw_live(game):
    """Draw the next tile of the live wall."""
    tile = int(game.wall[game.drawn_live])
    game.drawn_live += 1
    return tile


@kernel
def draw_rinshan(game):
    """Draw the next rinshan tile."""
    tile = int(game.wall[int(game.tiles) - 1 - int(game.drawn_rinshan)])
    game.drawn_rinshan += 1
    return tile


@kernel
def dora_indicator(game, number):
    """Return dora indicator ``number`` (0–4), whether turned or not."""
    return int(game.wall[int(game.tiles) - int(game.rinshan) - 1 - 2 * number])


@kernel
def ura_indicator(game, number):
    """Return the ura indicator below dora indicator ``number``."""
    return int(game.wall[int(game.tiles) - int(game.rinshan) - 2 - 2 * number])


@kernel
def write_indicators(game, win, turned):
    """Write the first ``turned`` dora indicators and the ura indicators below them to a ``WIN`` record."""
    for i in range(MAX_INDICATORS):
        win.dora[i] = dora_indicator(game, i) % 34 if i < turned else NO_TILE
        win.ura[i] = ura_indicator(game, i) % 34 if i < turned else NO_TILE


@kernel
def dealt_to(index, seats):
    """Return the recipient of the tile at ``index`` of the deal, as a number of turns after the dealer."""
    return (index // 4 if index < BLOCKS * seats else index) % seats
