"""The faces of the tiles, drawn on an area of 60 by 80."""

from functools import cache
from typing import Final

from jantaku.svg.bird import bird
from jantaku.svg.glyphs import NUMERALS, glyph
from jantaku.svg.paint import ALL_RED, BLACK, BLUE, GREEN, PLAIN, RED_PAINT, Palette
from jantaku.svg.shapes import Box, rect
from jantaku.svg.suits import circles, sticks
from jantaku.tiles import MAN, RED, SOU, format_tiles

WIDTH: Final = 60
HEIGHT: Final = 80
_HONOURS: Final = (
    ("東", BLACK), ("南", BLACK), ("西", BLACK), ("北", BLACK), ("", BLUE), ("發", GREEN), ("中", RED_PAINT),
)  # fmt: skip


def _written(character: str, box: tuple[float, float, float, float], paint: str) -> str:
    """A character in a box of x, y, width and height."""
    x, y, width, height = box
    return (
        f'<path transform="translate({x:g} {y:g}) scale({width / 100:g} {height / 100:g})" fill="{paint}" '
        f'stroke="{paint}" stroke-width="1.5" stroke-linejoin="round" d="{glyph(character)}"/>'
    )


def _man(rank: int, palette: Palette) -> str:
    numeral = _written(NUMERALS[rank], (11, 5, 38, 29), palette.ink)
    return numeral + _written("萬", (10, 37, 40, 38), RED_PAINT)


def _frame() -> str:
    """White: a frame, because an empty tile looks like a spare one."""
    outer = rect(Box(9, 10, 42, 60, 4), "none", BLUE, 4)
    return outer + rect(Box(16, 17, 28, 46, 2), "none", BLUE, 1.5)


def _honour(index: int) -> str:
    character, paint = _HONOURS[index]
    return _written(character, (6, 14, 48, 52), paint) if character else _frame()


def _mark(suit: int, rank: int) -> str:
    """The mark of a red tile, which identifies it without colour."""
    x, y = (30, 9) if suit and rank == 4 else (51, 10)
    d = f"M{x} {y - 5.5}L{x + 5} {y}L{x} {y + 5.5}L{x - 5} {y}Z"
    return f'<path d="{d}" fill="{RED_PAINT}" stroke="#fffaf0" stroke-width="1"/>'


@cache
def face(tile: int) -> str:
    """The SVG elements of a tile's face.

    A red tile has the same drawing in red, and a small lozenge at its upper edge.
    """
    suit, rank = divmod(tile % RED, 9)
    palette = ALL_RED if tile >= RED else PLAIN
    if suit == 3:
        return _honour(rank)
    if suit == MAN // 9:
        drawn = _man(rank, palette)
    elif suit == SOU // 9:
        drawn = sticks(rank, palette) if rank else bird(palette)
    else:
        drawn = circles(rank, palette)
    return drawn + (_mark(suit, rank) if tile >= RED else "")


def name_of(tile: int) -> str:
    """The name of a tile in the sprite: its notation, a red five with 0."""
    return format_tiles([tile])
