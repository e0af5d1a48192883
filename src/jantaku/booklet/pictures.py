"""Pictures of example hands: whole SVG documents, or references to one sprite on a page with many hands."""

from jantaku.svg.body import DEPTH
from jantaku.svg.drawing import hand_groups, row_svg
from jantaku.svg.faces import HEIGHT, WIDTH, name_of
from jantaku.svg.sprite import sprite
from jantaku.win import Win


def win_svg(win: Win, title: str, size: float) -> str:
    """Draw a winning hand as an SVG document; ``size`` is the width of an upright tile in pixels."""
    return row_svg(hand_groups(win.hand, win.tile), title=title, size=size)


def win_by_reference(win: Win, title: str, size: float) -> str:
    """Draw a winning hand with references to ``tile_symbols``; ``size`` is the width of a tile in pixels."""
    return row_svg(hand_groups(win.hand, win.tile), title=title, size=size, draw=_referenced)


def tile_symbols() -> str:
    """Return an invisible element with the symbols for ``win_by_reference``."""
    return sprite().replace("<svg ", '<svg class="symbols" aria-hidden="true" width="0" height="0" ', 1)


def _referenced(tile: int | None, *, sideways: bool) -> str:
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    name = ("back" if tile is None else "front") + ("-sideways" if sideways else "")
    drawn = f'<use href="#tile-{name}" width="{width}" height="{height + DEPTH}"/>'
    if tile is None:
        return drawn
    turn = f' transform="translate(0 {WIDTH}) rotate(-90)"' if sideways else ""
    return f'{drawn}<use href="#tile-{name_of(tile)}" width="{WIDTH}" height="{HEIGHT}"{turn}/>'
