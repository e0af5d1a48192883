"""Conversion of bit masks from compiled code into tiles and yaku ids."""

from typing import Final

from jantaku.kernels.bits import YAKU_BITS
from jantaku.rules.catalogue import catalogue
from jantaku.tiles import TILES, Tile

_YAKU: Final = tuple(catalogue())[:YAKU_BITS]


def bits_in(mask: int) -> list[int]:
    """Return the positions of the bits set in a mask, lowest first.

    >>> bits_in(0b1001)
    [0, 3]
    """
    bits = []
    while mask:
        bits.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return bits


def kinds_in(mask: int) -> tuple[Tile, ...]:
    """Return the kinds of tile in a mask, lowest first."""
    return tuple(TILES[kind] for kind in bits_in(mask))


def yaku_in(mask: int) -> list[str]:
    """Return the ids of the yaku in a mask, in catalogue order (``jantaku.kernels.bits``).

    >>> yaku_in(1 << 0 | 1 << 5)
    ['riichi', 'ippatsu']
    """
    return [_YAKU[bit] for bit in bits_in(mask)]
