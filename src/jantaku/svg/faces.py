"""The faces of the tiles, drawn on an area of 60 by 80."""

from functools import cache
from typing import Final

from jantaku.svg.bird import bird
from jantaku.svg.glyphs import NUMERALS, SQUARE, glyph
from jantaku.svg.paint import ALL_RED, BLACK, BLUE, GREEN, IVORY, PLAIN, RED_PAINT, Palette
from jantaku.svg.shapes import Box, rect
from jantaku.svg.suits import circles, sticks
from jantaku.tiles import MAN, RED, SOU, format_tiles

WIDTH: Final = 60
HEIGHT: Final = 80
_HONOURS: Final = (
    ("東", BLACK), ("南", BLACK), ("西", BLACK), ("北", BLACK), ("", BLUE), ("發", GREEN), ("中", RED_PAINT),
)  # fmt: skip


def _written(character: str, box: tuple[float, float, float, float], paint: str) -> str:
    """Draw a character in a box of x, y, width and height."""
    x, y, width, height = box
    place = f"translate({x:g} {y:g}) scale({width / SQUARE:g} {height / SQUARE:g})"
    return f'<path transform="{place}" fill="{paint}" d="{glyph(character)}"/>'


def _man(rank: int, palette: Palette) -> str:
    numeral = _written(NUMERALS[rank], (8.5, 6, 43, 29), palette.ink)
    return numeral + _written("萬", (8, 38, 44, 37), RED_PAINT)


def _frame() -> str:
    """Draw the frame of White, because a blank tile would look like a spare."""
    outer = rect(Box(9, 10, 42, 60, 4.5), "none", BLUE, 3.6)
    window = "M21 17h18a4 4 0 0 0 5 5v36a4 4 0 0 0 -5 5h-18a4 4 0 0 0 -5 -5v-36a4 4 0 0 0 5 -5z"
    return outer + f'<path d="{window}" fill="none" stroke="{BLUE}" stroke-width="1.6"/>'


def _honour(index: int) -> str:
    character, paint = _HONOURS[index]
    return _written(character, (5, 11, 50, 58), paint) if character else _frame()


def _mark() -> str:
    """Draw the corner mark of a red tile, which identifies it without relying on colour."""
    return f'<path fill="{RED_PAINT}" stroke="{IVORY}" d="M43 1.6h10a4.5 4.5 0 0 1 4.5 4.5v10z"/>'


@cache
def face(tile: int) -> str:
    """Draw a tile's face as SVG elements.

    A red tile has the same drawing in red, and a mark in its upper right corner.
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
    return drawn + (_mark() if tile >= RED else "")


def name_of(tile: int) -> str:
    """Return the name of a tile in the sprite: its notation, with 0 for a red five."""
    return format_tiles([tile])
