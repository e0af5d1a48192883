"""The circles of pin and the bamboo of sou."""

from math import cos, radians, sin
from typing import Final

from jantaku.svg.paint import Palette
from jantaku.svg.shapes import Box, bar, circle, ellipse, paths

Place = tuple[float, float, str]  # x, y and which of the palette's colours

# For each rank from two: the radius of a circle, and the places of the circles
_CIRCLES: Final[tuple[tuple[float, tuple[Place, ...]], ...]] = (
    (14.5, ((30, 21, "green"), (30, 59, "blue"))),
    (11.5, ((15, 15.5, "blue"), (30, 40, "red"), (45, 64.5, "green"))),
    (12.3, ((16, 21, "blue"), (44, 21, "green"), (16, 59, "green"), (44, 59, "blue"))),
    (10.6, ((15, 17, "blue"), (45, 17, "green"), (30, 40, "red"), (15, 63, "green"), (45, 63, "blue"))),
    (10.4, tuple((x, y, c) for y, c in ((16, "green"), (43, "red"), (64.5, "red")) for x in (17.5, 42.5))),
    (
        8.4,
        (
            (13, 12.5, "green"), (30, 20.5, "green"), (47, 28.5, "green"),
            *((x, y, "red") for y in (48, 66.5) for x in (18.5, 41.5)),
        ),
    ),
    (8.6, tuple((x, y, "blue") for y in (13, 31, 49, 67) for x in (18.5, 41.5))),
    (8.8, tuple((x, y, c) for y, c in ((15, "green"), (40, "red"), (65, "blue")) for x in (11.5, 30, 48.5))),
)  # fmt: skip


def _circle(x: float, y: float, radius: float) -> str:
    """A ring with four petals, through which the ivory is seen."""
    off = radius * 0.31
    petals = ((x + off, y), (x, y + off), (x - off, y), (x, y - off))
    ring = circle(x, y, radius) + circle(x, y, radius * 0.64, hole=True)
    return ring + "".join(circle(px, py, radius * 0.2) for px, py in petals)


def _petal(far: float, rx: float, ry: float, turn: float, *, hole: bool = False) -> str:
    """An ellipse that far above the middle of the tile, turned around it."""
    lean = radians(turn)
    return ellipse(30 + far * sin(lean), 40 - far * cos(lean), rx, ry, turn, hole=hole)


def _flower(palette: Palette) -> str:
    """One pin: a wheel of petals around a rosette."""
    wheel = circle(30, 40, 24) + circle(30, 40, 21, hole=True)
    wheel += "".join(_petal(16.8, 2.4, 3.3, 22.5 * i) for i in range(16))
    heart = circle(30, 40, 12) + circle(30, 40, 2.6, hole=True)
    heart += "".join(_petal(6.4, 1.9, 3.6, 45 * i, hole=True) for i in range(8))
    return paths([("green", wheel), ("red", heart)], palette)


def circles(rank: int, palette: Palette) -> str:
    """The face of a pin; ``rank`` counts from 0."""
    if rank == 0:
        return _flower(palette)
    radius, places = _CIRCLES[rank - 1]
    return paths(((paint, _circle(x, y, radius)) for x, y, paint in places), palette)


Stick = tuple[float, float, str, float]  # x and y of the middle, colour, tilt in degrees


def _rows(*rows: tuple[float, str], columns: tuple[float, ...]) -> tuple[Stick, ...]:
    return tuple((x, y, paint, 0.0) for y, paint in rows for x in columns)


# For each rank from two: the length of a stick, and the places of the sticks
_STICKS: Final[tuple[tuple[float, tuple[Stick, ...]], ...]] = (
    (33, ((30, 21.5, "blue", 0), (30, 58.5, "green", 0))),
    (33, ((30, 21.5, "blue", 0), (17, 58.5, "green", 0), (43, 58.5, "green", 0))),
    (33, ((17, 21.5, "blue", 0), (43, 21.5, "green", 0), (17, 58.5, "green", 0), (43, 58.5, "blue", 0))),
    (
        31,
        (
            (13, 21.5, "blue", 0), (47, 21.5, "green", 0), (30, 40, "red", 0),
            (13, 58.5, "green", 0), (47, 58.5, "blue", 0),
        ),
    ),
    (33, _rows((21.5, "green"), (58.5, "blue"), columns=(13, 30, 47))),
    (21.5, ((30, 15.5, "red", 0), *_rows((40, "green"), (64.5, "blue"), columns=(13, 30, 47)))),
    (
        27,
        (
            (9.5, 22, "green", 0), (50.5, 22, "green", 0),
            (23.3, 21.5, "green", 33), (36.7, 21.5, "green", -33),
            (9.5, 58, "blue", 0), (50.5, 58, "blue", 0),
            (23.3, 58.5, "blue", -33), (36.7, 58.5, "blue", 33),
        ),
    ),
    (
        21.5,
        tuple(
            (x, y, paint, 0.0)
            for x, paint in ((13, "green"), (30, "red"), (47, "blue"))
            for y in (15.5, 40, 64.5)
        ),
    ),
)  # fmt: skip


def _stick(stick: Stick, length: float) -> str:
    """Bamboo: two joints and the knots at their ends; through a line in each joint the ivory is seen."""
    x, y, _, lean = stick
    half = length / 2
    joint = half - 2.6
    tops = (-half + 1.2, 1.4)
    boxes = [Box(-4, top, 8, joint, 2.6) for top in tops]
    boxes += [Box(-5.2, knot, 10.4, 3.2, 1.6) for knot in (-half, -1.6, half - 3.2)]
    lines = [Box(-0.9, top + joint * 0.22, 1.8, joint * 0.56, 0.9) for top in tops]
    drawn = "".join(bar(box, (x, y), lean) for box in boxes)
    return drawn + "".join(bar(line, (x, y), lean, hole=True) for line in lines)


def sticks(rank: int, palette: Palette) -> str:
    """The face of a sou from two on; ``rank`` counts from 0."""
    length, places = _STICKS[rank - 1]
    return paths(((spot[2], _stick(spot, length)) for spot in places), palette)
