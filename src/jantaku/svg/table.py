"""A table seen from above as one SVG document: sides around the centre, the viewer's at the bottom."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape
from zlib import crc32

from jantaku.bounded import shown
from jantaku.svg.body import DEPTH
from jantaku.svg.drawing import DrawnMeld, Piece, meld_pieces
from jantaku.svg.faces import HEIGHT, WIDTH
from jantaku.svg.glyphs import SQUARE, glyph
from jantaku.svg.paint import IVORY, LINE, RED_PAINT
from jantaku.svg.shapes import Box, rect
from jantaku.svg.shared_tiles import SharedTiles
from jantaku.tiles import NORTH

SIDE: Final = 1250  # side of the table, in units in which a tile is 60 wide
ROW: Final = 6  # discards in a row of a river
ROWS: Final = 3
INDICATORS: Final = 5
_FELT, _DEEP, _EDGE = "#1e7353", "#14543c", "#0e3d2c"
_TEXT, _MUTED, _ACTING = "#f3f7f2", "#cfe2d6", "#f2c14e"
_FONT: Final = "system-ui, 'Noto Sans', 'Noto Sans CJK JP', sans-serif"
_MIDDLE: Final = 186  # half the side of the centre
_RIVER_TOP: Final = _MIDDLE + 22
_HAND_TOP: Final = 512
_LONGEST: Final = 1010  # maximum width of a row of tiles; wider rows are scaled down
_INSIDE: Final = 226  # width of the text in the centre
_NAME: Final = 16  # displayed characters of a name
_GAP: Final = 20
_SMALL: Final = 0.52  # scale of an indicator
_WIDE: Final = 0x1100  # code points from here on are full width
_TURNS: Final = {3: (0, 1, 3), 4: (0, 1, 2, 3)}  # quarter turns of each seat's side
_WINDS: Final = {"east": "東", "south": "南", "west": "西", "north": "北"}


class DrawnDiscard(NamedTuple):
    """A tile of a river, and whether it was just drawn, lies sideways, or is the table's latest discard."""

    tile: int
    drawn: bool = False
    sideways: bool = False
    last: bool = False


class DrawnSeat(NamedTuple):
    """A seat's tiles and the texts of its plate; ``None`` among the tiles is face down."""

    wind: str
    score: int
    tiles: Sequence[int | None]
    drawn: int | None = None
    melds: Sequence[DrawnMeld] = ()
    river: Sequence[DrawnDiscard] = ()
    riichi: bool = False
    kita: int = 0
    name: str = ""
    acts: bool = False


class DrawnTable(NamedTuple):
    """A table: ``seats`` from the viewer's to the right; ``hand`` is the name of the current hand."""

    seats: Sequence[DrawnSeat]
    hand: str
    indicators: Sequence[int]
    wall_left: int
    deposits: int = 0


def table_svg(table: DrawnTable, *, size: int = 640, shared: SharedTiles | None = None) -> str:
    """Return the SVG of a table with three or four seats; ``size`` is its width and height in pixels.

    The picture contains the drawings of its tiles, unless the page does, which has them in ``shared``.
    """
    tiles = shared or SharedTiles(f"t{crc32(repr(table).encode()):08x}")
    sides = "".join(
        f'<g transform="rotate({-90 * turn})">{_side(seat, tiles)}</g>'
        for seat, turn in zip(table.seats, _TURNS[len(table.seats)], strict=True)
    )
    drawn = _felt() + _middle(table, tiles) + sides
    half = SIDE // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-half} {-half} {SIDE} {SIDE}" width="{size}" '
        f'height="{size}" role="img" font-family="{_FONT}"><title>{escape(table.hand)}</title>'
        f"{'' if shared else tiles.definitions()}{drawn}</svg>"
    )


def _felt() -> str:
    half = SIDE / 2
    whole = rect(Box(-half + 3, -half + 3, SIDE - 6, SIDE - 6, 36), _FELT, _EDGE, 6)
    return whole + rect(Box(-_MIDDLE, -_MIDDLE, 2 * _MIDDLE, 2 * _MIDDLE, 20), _DEEP, _EDGE, 3)


def _middle(table: DrawnTable, tiles: SharedTiles) -> str:
    """Draw the name of the hand, the indicators, the remaining tiles and the deposits."""
    width = INDICATORS * WIDTH * _SMALL
    turned = [*table.indicators, *[None] * INDICATORS][:INDICATORS]
    row = _row(map(Piece, turned), 0, tiles)[0]
    counts = f'<g transform="translate(-106 62)">{_back(tiles)}{_text(f"×{table.wall_left}", 30, 26, 28)}</g>'
    if table.deposits:
        counts += f'<g transform="translate(2 74)">{_stick(46)}{_text(f"×{table.deposits}", 54, 17, 28)}</g>'
    return (
        _text(table.hand, 0, -38, min(32, int(_INSIDE / _ems(table.hand))), anchor="middle", bold=True)
        + f'<g transform="translate({-width / 2:g} -14) scale({_SMALL})">{row}</g>'
        + counts
    )


def _back(tiles: SharedTiles) -> str:
    return f'<g transform="scale(0.36)">{tiles.draw(None)}</g>'


def _side(seat: DrawnSeat, tiles: SharedTiles) -> str:
    """Draw everything that belongs to a seat as if it sat at the bottom."""
    return _plate(seat) + _river(seat.river, tiles) + _hand(seat, tiles)


def _plate(seat: DrawnSeat) -> str:
    """Draw wind and points at the edge of the centre, the riichi stick, and the name beside the river."""
    paint = _ACTING if seat.acts else _TEXT
    place = f"translate(-86 {_MIDDLE - 58}) scale({40 / SQUARE:g})"
    drawn = f'<path transform="{place}" fill="{paint}" d="{glyph(_WINDS[seat.wind])}"/>'
    drawn += _text(f"{seat.score:,}", -36, _MIDDLE - 24, 36, bold=True, fill=paint)
    if seat.acts:
        drawn += rect(Box(-_MIDDLE + 26, _MIDDLE - 8, 2 * _MIDDLE - 52, 5, 2), _ACTING)
    if seat.riichi:
        drawn += f'<g transform="translate(-110 {_MIDDLE + 3})">{_stick(220)}</g>'
    if seat.name:
        drawn += _text(str(shown(seat.name, _NAME)), -230, _RIVER_TOP + 40, 30, anchor="end", fill=_MUTED)
    return drawn


def _stick(length: int) -> str:
    """Draw a riichi stick."""
    spot = f'<circle cx="{length / 2:g}" cy="7" r="4.5" fill="{RED_PAINT}"/>'
    return rect(Box(0, 0, length, 14, 4), IVORY, LINE) + spot


def _river(river: Sequence[DrawnDiscard], tiles: SharedTiles) -> str:
    """Draw a river in three rows of six tiles; the last row takes all further ones."""
    drawn = ""
    for row in range(ROWS):
        end = (row + 1) * ROW if row < ROWS - 1 else None
        x, top = -ROW * WIDTH / 2, _RIVER_TOP + row * (HEIGHT + DEPTH + 3)
        for discard in river[row * ROW : end]:
            width, height = (HEIGHT, WIDTH) if discard.sideways else (WIDTH, HEIGHT)
            y = top + HEIGHT - height
            shade = f'<rect width="{width}" height="{height + DEPTH}" rx="6" fill="#0b1a14" opacity="0.2"/>'
            ring = rect(Box(-2, -2, width + 4, height + DEPTH + 4, 8), "none", _ACTING, 6)
            drawn += (
                f'<g transform="translate({x:g} {y:g})">{tiles.draw(discard.tile, sideways=discard.sideways)}'
                f"{shade if discard.drawn else ''}{ring if discard.last else ''}</g>"
            )
            x += width
    return drawn


def _hand(seat: DrawnSeat, tiles: SharedTiles) -> str:
    """Draw the concealed tiles, the drawn tile apart, then melds and norths, centred on the side."""
    groups = [
        [*map(Piece, seat.tiles)],
        [] if seat.drawn is None else [Piece(seat.drawn)],
        *map(meld_pieces, seat.melds),
    ]
    groups.append([Piece(NORTH)] * seat.kita)
    drawn, end = "", -float(_GAP)
    for group in filter(None, groups):
        added, end = _row(group, end + _GAP, tiles)
        drawn += added
    scale = min(1.0, _LONGEST / max(end, 1))
    return f'<g transform="translate({-end * scale / 2:g} {_HAND_TOP}) scale({scale:g})">{drawn}</g>'


def _row(pieces: Iterable[Piece], x: float, tiles: SharedTiles) -> tuple[str, float]:
    """Draw tiles side by side from ``x``, upright tops at 0; return the elements and the row's right end."""
    drawn, before = "", x
    for piece in pieces:
        left, top = (x, HEIGHT - WIDTH) if piece.sideways else (x, 0)
        if piece.stacked:
            left, top = before, HEIGHT - 2 * WIDTH
        tile = tiles.draw(piece.tile, sideways=piece.sideways)
        element = f'<g transform="translate({left:g} {top:g})">{tile}</g>'
        if piece.stacked:
            drawn = element + drawn  # drawn first, because the lower tile is in front
            continue
        drawn += element
        before, x = x, x + (HEIGHT if piece.sideways else WIDTH)
    return drawn, x


def _ems(text: str) -> float:
    """Estimate the width of a text in multiples of its font size."""
    return sum(0.6 if ord(letter) < _WIDE else 1 for letter in text) or 1


def _text(  # noqa: PLR0913
    text: str, x: float, y: float, size: int, *, anchor: str = "start", bold: bool = False, fill: str = _TEXT
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{escape(text)}</text>"
    )
