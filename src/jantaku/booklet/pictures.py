"""Example hands as pictures: whole SVG documents, or references to one sprite for a page with many hands."""

from jantaku.svg.body import DEPTH
from jantaku.svg.drawing import hand_groups, row_svg
from jantaku.svg.faces import HEIGHT, WIDTH, name_of
from jantaku.svg.sprite import sprite
from jantaku.win import Win


def win_svg(win: Win, title: str, size: float) -> str:
    """The SVG document of a winning hand; ``size`` is the width in pixels of an upright tile."""
    return row_svg(hand_groups(win.hand, win.tile), title=title, size=size)


def win_by_reference(win: Win, title: str, size: float) -> str:
    """The same picture, drawn with the symbols of ``tile_symbols``."""
    return row_svg(hand_groups(win.hand, win.tile), title=title, size=size, draw=_referred)


def tile_symbols() -> str:
    """The symbols that ``win_by_reference`` refers to, as one invisible element of a page."""
    return sprite().replace("<svg ", '<svg class="symbols" aria-hidden="true" width="0" height="0" ', 1)


def _referred(tile: int | None, *, sideways: bool) -> str:
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    name = ("back" if tile is None else "front") + ("-sideways" if sideways else "")
    drawn = f'<use href="#tile-{name}" width="{width}" height="{height + DEPTH}"/>'
    if tile is None:
        return drawn
    turn = f' transform="translate(0 {WIDTH}) rotate(-90)"' if sideways else ""
    return f'{drawn}<use href="#tile-{name_of(tile)}" width="{WIDTH}" height="{HEIGHT}"{turn}/>'
