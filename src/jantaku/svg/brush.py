"""Brush strokes: a centre line and the outline of the brush around it, as one filled path."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot
from typing import Final, NamedTuple

Point = tuple[float, float]
Outline = tuple[tuple[float, float, float], ...]
FINE: Final = 4  # grid steps of a path per unit

# The outline of each stroke, from its head along the left side of its direction and back along the right.
# A point is a position on the centre line from 0 to 1, and distances along and across it in brush widths.
# A repeated point is a corner; elsewhere the outline is round.
_HEAD: Final[Outline] = ((0, -0.35, 0.4), (0, -0.3, 0.1), (0, 0.2, -0.75), (0, 0.9, -0.5))
_NECK: Final[Outline] = ((0, 0.9, 0.46), (0, 0.25, 0.6))  # other side of the head
_FOOT: Final[Outline] = (
    (0.5, 0, -0.46), (1, -0.5, -0.5), (1, 0.2, -0.5), (1, 0.2, 0.5), (1, -0.5, 0.5), (0.5, 0, 0.46),
)  # fmt: skip
_SHOULDER: Final[Outline] = (
    (0.5, 0, -0.38), (1, -1.2, -0.42), (1, -0.55, -0.95), (1, -0.4, -0.9), (1, 0.3, -0.05), (1, 0.15, 0.5),
    (1, -0.9, 0.46), (0.5, 0, 0.38),
)  # fmt: skip
# Most names are those of calligraphy
OUTLINES: Final[dict[str, Outline]] = {
    "heng": (  # across
        (0, -0.15, -0.55), (0, 0.1, -0.62), (0, 0.7, -0.42), *_SHOULDER, (0, 0.9, 0.46), (0, 0.2, 0.65),
        (0, -0.2, 0.3),
    ),
    "jian": (  # across, continuing another stroke
        (0, 0, -0.38), (0, 0, -0.38), *_SHOULDER, (0, 0, 0.38), (0, 0, 0.38),
    ),
    "duan": (  # across, short
        (0, -0.1, -0.5), (0, 0.3, -0.46), (0.5, 0, -0.38), (1, -0.5, -0.5), (1, 0.1, -0.55), (1, 0.1, 0.45),
        (0.5, 0, 0.4), (0, 0.3, 0.5), (0, -0.15, 0.5),
    ),
    "shu": (*_HEAD, *_FOOT, *_NECK),  # down
    "zhe": (  # down, from the shoulder of another stroke
        (0, -0.2, 0.46), (0, -0.2, 0.46), (0, -0.2, -0.1), (0, 0.3, -0.62), *_FOOT, (0, 0.4, 0.46),
    ),
    "zhen": (  # down to a point
        *_HEAD, (0.6, 0, -0.46), (1, -0.9, -0.42), (1, 0.3, 0), (1, 0.3, 0), (1, -0.9, 0.42), (0.6, 0, 0.46),
        *_NECK,
    ),
    "pie": (  # falling to the left
        *_HEAD, (0.4, 0, -0.46), (0.75, 0, -0.36), (1, 0.1, 0), (1, 0.1, 0), (0.75, 0, 0.34), (0.4, 0, 0.46),
        *_NECK,
    ),
    "na": (  # falling to the right
        (0, -0.2, 0), (0, 0, -0.25), (0.4, 0, -0.4), (0.8, 0, -0.55), (1, 0.3, -0.3), (1, 0.3, -0.3),
        (1, -0.3, 0.25), (0.86, 0, 0.75), (0.78, 0, 0.72), (0.4, 0, 0.38), (0, 0, 0.25),
    ),
    "dian": (  # a dot
        (0, -0.2, 0), (0, -0.2, 0), (0.5, 0, -0.6), (1, -0.2, -0.75), (1, 0.3, -0.1), (1, 0, 0.6),
        (0.6, 0, 0.55),
    ),
    "wan": (  # a bend between two strokes
        (0, -0.1, -0.48), (0, -0.1, -0.48), (0.3, 0, -0.48), (0.7, 0, -0.48), (1, 0.1, -0.48),
        (1, 0.1, -0.48), (1, 0.1, 0.48), (1, 0.1, 0.48), (0.7, 0, 0.48), (0.3, 0, 0.48), (0, -0.1, 0.48),
        (0, -0.1, 0.48),
    ),
    "gou": (  # a hook
        (0, -0.4, -0.55), (0, 0, -0.6), (0.5, 0, -0.25), (1, 0, 0), (1, 0, 0), (0.5, 0, 0.3), (0, 0, 0.6),
        (0, -0.4, 0.55),
    ),
}  # fmt: skip


class Stroke(NamedTuple):
    """A stroke: its type, and two points of a line or three of a curve, the second a control point."""

    kind: str
    points: tuple[Point, ...]


def read_strokes(text: str) -> list[Stroke]:
    """Parse strokes such as ``heng 8,52 92,48; shu 50,4 50,98``."""
    strokes: list[Stroke] = []
    for part in text.split(";"):
        kind, *places = part.split()
        pairs = [point.split(",") for point in places]
        strokes.append(Stroke(kind, tuple((float(x), float(y)) for x, y in pairs)))
    return strokes


def _curve(points: Sequence[Point], t: float) -> tuple[Point, Point]:
    """Return a point on the centre line and its direction; ``t`` from 0 to 1."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    if len(points) == 2:
        return (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t), (x1 - x0, y1 - y0)
    cx, cy = points[1]
    u = 1 - t
    point = u * u * x0 + 2 * u * t * cx + t * t * x1, u * u * y0 + 2 * u * t * cy + t * t * y1
    return point, (u * (cx - x0) + t * (x1 - cx), u * (cy - y0) + t * (y1 - cy))


def outline(stroke: Stroke, brush: float) -> list[Point]:
    """Return the points of a stroke's outline for a brush of the given width."""
    drawn: list[Point] = []
    for t, along, across in OUTLINES[stroke.kind]:
        (x, y), (dx, dy) = _curve(stroke.points, t)
        scale = brush / (hypot(dx, dy) or 1.0)
        drawn.append((x + (along * dx - across * dy) * scale, y + (along * dy + across * dx) * scale))
    return drawn


def path(strokes: Iterable[Stroke], brush: float) -> str:
    """Return the path data that fills all strokes, in integer steps of ``1 / FINE``."""
    return "".join(_rounded(outline(stroke, brush)) for stroke in strokes)


def _rounded(points: Sequence[Point]) -> str:
    """Return curves between the midpoints of the sides, with the points as control points.

    The path derives each control point from the previous one (``t``). That is exact only if the midpoints are
    integers, so the points are rounded to even numbers.
    """
    handles = [(2 * round(x * FINE / 2), 2 * round(y * FINE / 2)) for x, y in points]
    sides = pairwise([handles[-1], *handles, handles[0]])
    middles = [((x + left) // 2, (y + top) // 2) for (x, y), (left, top) in sides]
    steps = [(x - left, y - top) for (left, top), (x, y) in pairwise(middles)]
    (x, y), (left, top) = middles[0], handles[0]
    return f"M{_numbers((x, y))}q{_numbers((left - x, top - y), steps[0])}t{_numbers(*steps[1:])}z"


def _numbers(*pairs: tuple[int, int]) -> str:
    return " ".join(f"{x} {y}" for x, y in pairs).replace(" -", "-")
