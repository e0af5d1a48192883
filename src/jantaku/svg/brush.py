"""Brush strokes: a centre line and the brush's width along it, as one filled path."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot
from typing import Final, NamedTuple

Point = tuple[float, float]

# The width along each stroke, relative to the brush's width; the names are those of calligraphy
WIDTHS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "heng": ((0, 0.7), (0.06, 0.95), (0.5, 0.66), (0.86, 0.8), (0.94, 1.3), (1, 0.5)),  # across
    "shu": ((0, 0.7), (0.08, 1.2), (0.5, 0.95), (1, 0.95)),  # down
    "zhen": ((0, 0.7), (0.08, 1.2), (0.6, 0.95), (1, 0.3)),  # down to a point
    "pie": ((0, 0.9), (0.12, 1.15), (0.5, 0.9), (1, 0.12)),  # falling to the left
    "na": ((0, 0.3), (0.35, 0.75), (0.8, 1.45), (0.92, 1.1), (1, 0.15)),  # falling to the right
    "dian": ((0, 0.2), (0.65, 1.25), (0.9, 1.1), (1, 0.5)),  # a dot
    "wan": ((0, 0.95), (1, 0.95)),  # a bend between two strokes
    "gou": ((0, 1.15), (0.4, 0.7), (1, 0.1)),  # a hook
}
_STEPS: Final = 10


class Stroke(NamedTuple):
    """One stroke: its type, and two points of a line or three of a curve, the second its handle."""

    kind: str
    points: tuple[Point, ...]


def read_strokes(text: str) -> list[Stroke]:
    """Read ``heng 8,52 92,48; shu 50,4 50,98``."""
    strokes: list[Stroke] = []
    for part in text.split(";"):
        kind, *places = part.split()
        pairs = [point.split(",") for point in places]
        strokes.append(Stroke(kind, tuple((float(x), float(y)) for x, y in pairs)))
    return strokes


def _curve(points: Sequence[Point], t: float) -> tuple[Point, Point]:
    """A point on the centre line and the direction there."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    if len(points) == 2:
        return (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t), (x1 - x0, y1 - y0)
    cx, cy = points[1]
    u = 1 - t
    point = u * u * x0 + 2 * u * t * cx + t * t * x1, u * u * y0 + 2 * u * t * cy + t * t * y1
    return point, (u * (cx - x0) + t * (x1 - cx), u * (cy - y0) + t * (y1 - cy))


def _width(profile: tuple[tuple[float, float], ...], t: float) -> float:
    for (t0, w0), (t1, w1) in pairwise(profile):
        if t <= t1:
            return w0 + (w1 - w0) * (t - t0) / (t1 - t0)
    return profile[-1][1]


def outline(stroke: Stroke, brush: float) -> list[Point]:
    """The corners of a stroke's outline, for a brush of the given width."""
    profile = WIDTHS[stroke.kind]
    steps = {t for t, _ in profile}
    if len(stroke.points) == 3:
        steps |= {step / _STEPS for step in range(_STEPS + 1)}
    left: list[Point] = []
    right: list[Point] = []
    for t in sorted(steps):
        (x, y), (dx, dy) = _curve(stroke.points, t)
        length = hypot(dx, dy) or 1.0
        half = brush * _width(profile, t) / 2
        nx, ny = -dy / length * half, dx / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left + right[::-1]


def path(strokes: Iterable[Stroke], brush: float) -> str:
    """The ``d`` of a path that fills all strokes."""
    return "".join(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outline(stroke, brush)) + "Z" for stroke in strokes
    )
