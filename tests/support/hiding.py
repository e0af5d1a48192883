"""Deals the hidden tiles of a seat again, for tests that nothing depends on them."""

from typing import Any

from jantaku.game.engine import concealed, shown_tiles
from jantaku.kernels.engine.state import NO_TILE, YOUR_TURN
from jantaku.tiles import RED


def hidden_tiles(record: Any, seat: int) -> list[int]:
    """The concealed tiles of a seat that nobody else sees: all but those of an open riichi."""
    tiles: list[int] = list(concealed(record, seat))
    for tile in shown_tiles(record, seat) or ():
        tiles.remove(tile)
    return tiles


def has_drawn(record: Any, seat: int) -> bool:
    return bool(record.turn == seat and record.phase == YOUR_TURN and record.drawn != NO_TILE)


def deal_hidden(pool: list[int], record: Any, seat: int, number: int) -> list[int]:
    """New hidden tiles out of the pool: first the one drawn, then none of a kind that the seat shows."""
    tiles = [pool.pop() for _ in range(int(has_drawn(record, seat)))]
    kinds = int(record.shown[seat])
    while len(tiles) < number:
        tiles.append(pool.pop(next(i for i, tile in enumerate(pool) if not kinds >> tile % RED & 1)))
    return tiles
