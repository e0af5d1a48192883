"""The SVG elements that make up the tiles."""

from typing import NamedTuple


class Box(NamedTuple):
    """The place of a rectangle and the radius of its corners."""

    x: float
    y: float
    width: float
    height: float
    round: float


def rect(box: Box, fill: str, stroke: str = "", thick: float = 1) -> str:
    """A rectangle with round corners."""
    line = f' stroke="{stroke}" stroke-width="{thick:g}"' if stroke else ""
    x, y, width, height, corner = (f"{round(number, 2):g}" for number in box)
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}" fill="{fill}"{line}/>'


def circle(x: float, y: float, radius: float, fill: str) -> str:
    """A filled circle."""
    cx, cy, r = (f"{round(number, 2):g}" for number in (x, y, radius))
    return f'<circle cx="{cx}" cy="{cy}" r="{r}" fill="{fill}"/>'


def petal(y: float, size: tuple[float, float], turn: float, fill: str) -> str:
    """An ellipse above the middle of the tile, turned around it."""
    rx, ry = size
    ellipse = f'cx="30" cy="{y:g}" rx="{rx:g}" ry="{ry:g}"'
    return f'<ellipse {ellipse} fill="{fill}" transform="rotate({turn:g} 30 40)"/>'
