"""Example hands as pictures: whole SVG documents, or references to one sprite for a page with many hands."""

from collections.abc import Sequence

from jantaku.hand import MeldType
from jantaku.svg.body import DEPTH
from jantaku.svg.drawing import Piece, meld_pieces, row_svg
from jantaku.svg.faces import HEIGHT, WIDTH, name_of
from jantaku.svg.sprite import sprite
from jantaku.tiles import sort_tiles
from jantaku.win import Win


def groups_of(win: Win) -> list[Sequence[Piece]]:
    """The concealed tiles, the winning tile apart, and the melds, as they lie on the table."""
    concealed = [Piece(tile) for tile in sort_tiles(win.hand.tiles)]
    return [concealed, [Piece(win.tile)], *(meld_pieces(meld) for meld in win.hand.melds)]


def win_svg(win: Win, title: str, size: float) -> str:
    """The SVG document of a winning hand; ``size`` is the width in pixels of an upright tile."""
    return row_svg(groups_of(win), title=title, size=size, stacked=_stacked(win))


def win_by_reference(win: Win, title: str, size: float) -> str:
    """The same picture, drawn with the symbols of ``tile_symbols``."""
    return row_svg(groups_of(win), title=title, size=size, stacked=_stacked(win), draw=_referred)


def tile_symbols() -> str:
    """The symbols that ``win_by_reference`` refers to, as one invisible element of a page."""
    return sprite().replace("<svg ", '<svg class="symbols" aria-hidden="true" width="0" height="0" ', 1)


def _stacked(win: Win) -> bool:
    return any(meld.type is MeldType.KAKAN for meld in win.hand.melds)


def _referred(tile: int | None, *, sideways: bool) -> str:
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    name = ("back" if tile is None else "front") + ("-sideways" if sideways else "")
    drawn = f'<use href="#tile-{name}" width="{width}" height="{height + DEPTH}"/>'
    if tile is None:
        return drawn
    turn = f' transform="translate(0 {WIDTH}) rotate(-90)"' if sideways else ""
    return f'{drawn}<use href="#tile-{name_of(tile)}" width="{WIDTH}" height="{HEIGHT}"{turn}/>'
