"""Tiles, hands and melds as SVG documents."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from jantaku import terms
from jantaku.svg.body import DEPTH, body
from jantaku.svg.faces import HEIGHT, WIDTH, face
from jantaku.svg.paint import GREEN, RED_PAINT
from jantaku.svg.shapes import Box, rect
from jantaku.svg.shared_tiles import SharedTiles
from jantaku.tiles import RED, sort_tiles, tile_name

_XMLNS: Final = "http://www.w3.org/2000/svg"
Draw = Callable[..., str]  # takes a tile (``None``: face down) and the keyword ``sideways``
_GAP: Final = 18  # between the concealed tiles and a meld
DIM: Final = '<rect x="0.5" y="0.5" width="{width}" height="{height}" rx="6" fill="#0b1a14" opacity="0.45"/>'


# Hands import this module to draw themselves, so it declares protocols instead of importing them.
ANKAN: Final = "ankan"
KAKAN: Final = "kakan"


class DrawnMeld(Protocol):
    """The parts of a ``Meld`` needed for drawing."""

    @property
    def type(self) -> str:
        """One of ``MeldType``."""

    @property
    def tiles(self) -> Sequence[int]:
        """The tiles in order."""

    @property
    def called(self) -> int | None:
        """The called tile."""

    @property
    def source(self) -> str | None:
        """The side it was called from."""


class DrawnHand(Protocol):
    """The parts of a ``Hand`` needed for drawing."""

    @property
    def tiles(self) -> Sequence[int]:
        """The concealed tiles."""

    @property
    def melds(self) -> Sequence[DrawnMeld]:
        """The melds in order."""


class Piece(NamedTuple):
    """A tile in a row (``None``: face down); it may lie sideways, or on top of a sideways tile (kakan).

    ``marks``: names of ``MARKS`` to draw on the tile.
    """

    tile: int | None
    sideways: bool = False
    stacked: bool = False
    marks: tuple[str, ...] = ()


MARKS: Final = {
    "best": (GREEN, "m-5.5 0.5 4 4 7.5 -8.5"),
    "played": (RED_PAINT, "m-4.5 -4.5 9 9m0 -9 -9 9"),
}
"""The colour and the sign of each mark: a tick and a cross."""
_MARK_RADIUS: Final = 11
_ABOVE: Final = 26  # space for the signs above marked tiles


def _tile(tile: int | None, *, sideways: bool, dimmed: bool = False) -> str:
    """Draw a tile as SVG elements: its body, its face, and a shade if ``dimmed``."""
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    drawn = body(width, height, back=tile is None)
    if tile is not None:
        turn = f' transform="translate(0 {WIDTH}) rotate(-90)"' if sideways else ""
        drawn += f"<g{turn}>{face(tile)}</g>"
    if dimmed:
        drawn += DIM.format(width=width - 1, height=height + DEPTH - 1)
    return drawn


def _document(inner: str, width: float, height: float, size: float, title: str) -> str:
    """Return a document of ``width`` by ``height`` units, scaled so that a tile is ``size`` pixels wide."""
    scale = size / WIDTH
    return (
        f'<svg xmlns="{_XMLNS}" viewBox="0 0 {width:g} {height:g}" width="{width * scale:g}" '
        f'height="{height * scale:g}" role="img"><title>{title}</title>{inner}</svg>'
    )


def tile(
    tile: int,
    *,
    red: bool = False,
    sideways: bool = False,
    dimmed: bool = False,
    size: float = 48,
) -> str:
    """Return the SVG of a tile; ``size`` is the width of an upright tile in pixels.

    ``red`` turns a plain tile into a red one; there are no red honours.

    >>> from jantaku.tiles import Tile
    >>> tile(Tile.parse("0p")) == tile(Tile.parse("5p"), red=True)
    True
    """
    shown = tile + RED if red and tile < RED - 7 else tile
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    inner = _tile(shown, sideways=sideways, dimmed=dimmed)
    return _document(inner, width, height + DEPTH, size, tile_name(shown))


def back(*, sideways: bool = False, size: float = 48) -> str:
    """Return the SVG of a face-down tile."""
    width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
    return _document(_tile(None, sideways=sideways), width, height + DEPTH, size, terms.text("tiles.back"))


def meld_pieces(meld: DrawnMeld) -> list[Piece]:
    """Return the tiles of a meld on the table from left to right.

    The called tile lies sideways on the side of its source, with a kakan's added tile on top. An ankan has
    its two middle tiles face up, or none if its tiles are hidden from the viewer.
    """
    own = list(meld.tiles)
    if not own:  # an ankan that is hidden from the viewer
        return [Piece(None)] * 4
    if meld.type == ANKAN:
        return [Piece(None), Piece(own[0]), Piece(own[1]), Piece(None)]
    added = own.pop(0) if meld.type == KAKAN and meld.called != own[0] else None
    if meld.type == KAKAN and added is None:
        added = own.pop()
    called = meld.called if meld.called is not None else own[0]
    own.remove(called)
    index = {"left": 0, "across": 1, "right": len(own), None: 0}[meld.source]
    row = [Piece(tile) for tile in own]
    row.insert(index, Piece(called, sideways=True))
    if added is not None:
        row.insert(index + 1, Piece(added, sideways=True, stacked=True))
    return row


def _row(pieces: Iterable[Piece], x: float, base: float, draw: Draw) -> tuple[str, float]:
    """Draw tiles side by side with front edges at ``base``; return the elements and the row's right end."""
    parts: list[str] = []
    before = x
    for piece in pieces:
        height = WIDTH if piece.sideways else HEIGHT
        left, top = x, base - height
        if piece.stacked:
            left, top = before, base - 2 * WIDTH
        drawn = draw(piece.tile, sideways=piece.sideways) + _marks(piece.marks)
        element = f'<g transform="translate({left:g} {top:g})">{drawn}</g>'
        if piece.stacked:
            parts.insert(len(parts) - 1, element)
            continue
        parts.append(element)
        before, x = x, x + (HEIGHT if piece.sideways else WIDTH)
    return "".join(parts), x


def _marks(marks: Sequence[str]) -> str:
    """Draw a ring around an upright tile for each mark, and its sign above the tile."""
    drawn = ""
    for i, name in enumerate(marks):
        colour, sign = MARKS[name]
        x, y = WIDTH / 2 + (2 * i + 1 - len(marks)) * (_MARK_RADIUS + 1), -_MARK_RADIUS - 3
        inset = 2.5 + 5 * i
        ring = Box(inset, inset, WIDTH - 2 * inset, HEIGHT + DEPTH - 2 * inset, 5)
        drawn += (
            f'<g class="{name}">{rect(ring, "none", colour, 5)}'
            f'<circle cx="{x:g}" cy="{y:g}" r="{_MARK_RADIUS}" fill="{colour}"/>'
            f'<path d="M{x:g} {y:g}{sign}" fill="none" stroke="#fff" stroke-width="3.5"/></g>'
        )
    return drawn


def hand_groups(hand: DrawnHand, tile: int | None = None) -> list[Sequence[Piece]]:
    """Return the sorted concealed tiles, the winning ``tile``, and the melds, as groups on the table."""
    won = [] if tile is None else [[Piece(tile)]]
    return [[Piece(held) for held in sort_tiles(hand.tiles)], *won, *map(meld_pieces, hand.melds)]


def hand_svg(
    hand: DrawnHand,
    tile: int | None = None,
    *,
    size: float = 48,
    title: str = "",
    shared: SharedTiles | None = None,
) -> str:
    """Return the SVG of a hand: its sorted concealed tiles, the winning ``tile`` if given, and its melds.

    ``title`` is XML; by default it is the hand in notation. ``shared`` is as for ``row_svg``.
    """
    title = title or (str(hand) if tile is None else f"{hand} {tile_name(tile)}")
    return row_svg(hand_groups(hand, tile), title=title, size=size, shared=shared)


def meld_svg(meld: DrawnMeld, *, size: float = 48) -> str:
    """Return the SVG of a meld."""
    return row_svg([meld_pieces(meld)], title=str(meld), size=size)


def row_svg(
    groups: Sequence[Sequence[Piece]],
    *,
    title: str,
    size: float = 48,
    shared: SharedTiles | None = None,
) -> str:
    """Return the SVG of groups of tiles, side by side with gaps; ``title`` is XML.

    The picture contains the drawings of its tiles, unless the page does, which has them in ``shared``.
    """
    draw = shared.draw if shared else _tile
    stacked = any(piece.stacked for group in groups for piece in group)
    marked = any(piece.marks for group in groups for piece in group)
    base = max(2 * WIDTH if stacked else HEIGHT, HEIGHT + _ABOVE * marked)
    drawn, end = "", -float(_GAP)
    for group in groups:
        added, end = _row(group, end + _GAP, base, draw)
        drawn += added
    return _document(drawn, max(end, 0), base + DEPTH, size, title)
