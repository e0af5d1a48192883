"""The SVG elements that make up the tiles.

Shapes of the same colour are joined into one path, because a page lays out every element of every tile.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import cos, pi, radians, sin
from typing import NamedTuple

from jantaku.svg.paint import Palette


class Box(NamedTuple):
    """The position and size of a rectangle, and the radius of its corners."""

    x: float
    y: float
    width: float
    height: float
    round: float


def rect(box: Box, fill: str, stroke: str = "", thick: float = 1) -> str:
    """Return a rectangle with round corners."""
    line = f' stroke="{stroke}" stroke-width="{thick:g}"' if stroke else ""
    x, y, width, height, corner = (f"{round(number, 2):g}" for number in box)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}" fill="{fill}"{line}/>'


def ellipse(x: float, y: float, rx: float, ry: float, turn: float = 0, *, hole: bool = False) -> str:
    """Return the outline of an ellipse as path data; a ``hole`` lies inside another outline."""
    across, down = rx * cos(radians(turn)), rx * sin(radians(turn))
    arc = f"a{_pair(rx, ry)} {turn:g} 0 {int(not hole)} "
    there, back = _pair(2 * across, 2 * down), _pair(-2 * across, -2 * down)
    return f"M{_pair(x - across, y - down)}{arc}{there}{arc}{back}z"


def circle(x: float, y: float, radius: float, *, hole: bool = False) -> str:
    """Return the outline of a circle as path data."""
    return ellipse(x, y, radius, radius, hole=hole)


def flower(x: float, y: float, radius: float, petals: int) -> str:
    """Return the outline of a round flower as path data; ``radius`` is where its petals meet."""
    turns = [2 * pi * petal / petals for petal in range(petals + 1)]
    meets = [(radius * cos(turn), radius * sin(turn)) for turn in turns]
    bend = radius * sin(pi / petals) * 1.05
    arcs = (f"a{_pair(bend, bend)} 0 0 1 {_pair(x1 - x0, y1 - y0)}" for (x0, y0), (x1, y1) in pairwise(meets))
    return f"M{_pair(x + radius, y)}{''.join(arcs)}z"


def bar(box: Box, at: tuple[float, float], turn: float, *, hole: bool = False) -> str:
    """Return the outline of a rounded rectangle as path data, relative to ``at`` and turned around it."""
    x, y, width, height, corner = box
    r = min(corner, width / 2, height / 2)
    across, up, way = width - 2 * r, height - 2 * r, -1 if hole else 1

    def turned(px: float, py: float) -> tuple[float, float]:
        lean = radians(turn)
        return px * cos(lean) - py * sin(lean), px * sin(lean) + py * cos(lean)

    # Edges and corners alternate from the upper edge on, clockwise, or anticlockwise for a hole
    edges = [(way * across, 0), (0, up), (-way * across, 0), (0, -up)]
    corners = [(way * r, r), (-way * r, r), (-way * r, -r), (way * r, -r)]
    start = turned(x + (width - r if hole else r), y)
    d = f"M{_pair(at[0] + start[0], at[1] + start[1])}"
    for edge, bend in zip(edges, corners, strict=True):
        straight = _line(*turned(*edge))
        d += f"{straight}a{_pair(r, r)} 0 0 {int(not hole)} {_pair(*turned(*bend))}"
    return f"{d}z"


def paths(parts: Iterable[tuple[str, str]], palette: Palette) -> str:
    """Join outlines into one path for each colour of the palette."""
    drawn: dict[str, str] = defaultdict(str)
    for name, outline in parts:
        drawn[name] += outline
    return "".join(f'<path fill="{getattr(palette, name)}" d="{d}"/>' for name, d in drawn.items())


def _pair(x: float, y: float) -> str:
    return f"{round(x, 2) + 0:g} {round(y, 2) + 0:g}"


def _line(x: float, y: float) -> str:
    across, down = round(x, 2) + 0, round(y, 2) + 0
    if not across:
        return f"v{down:g}" if down else ""
    return f"l{across:g} {down:g}" if down else f"h{across:g}"
