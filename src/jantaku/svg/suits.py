"""The circles of pin and the bamboo of sou."""

from math import cos, pi, sin
from typing import Final

from jantaku.svg.paint import Palette
from jantaku.svg.shapes import Box, bar, circle, flower, paths

Place = tuple[float, float, str]  # x, y and the name of a palette colour

# For each rank from two: the radius of a circle, and the positions of the circles
_CIRCLES: Final[tuple[tuple[float, tuple[Place, ...]], ...]] = (
    (15, ((30, 21.5, "green"), (30, 58.5, "blue"))),
    (11.6, ((17, 17, "blue"), (30, 40, "red"), (43, 63, "green"))),
    (12, ((16.8, 20, "blue"), (43.2, 20, "green"), (16.8, 60, "green"), (43.2, 60, "blue"))),
    (
        10.4,
        ((16.5, 18, "blue"), (43.5, 18, "green"), (30, 40, "red"), (16.5, 62, "green"), (43.5, 62, "blue")),
    ),
    (10, tuple((x, y, c) for y, c in ((16, "green"), (42, "red"), (64, "red")) for x in (18, 42))),
    (
        8.4,
        (
            (13.5, 13.5, "green"), (30, 20.5, "green"), (46.5, 27.5, "green"),
            *((x, y, "red") for y in (47, 66) for x in (19, 41)),
        ),
    ),
    (7.9, tuple((x, y, "blue") for y in (14, 31.33, 48.67, 66) for x in (19, 41))),
    (8, tuple((x, y, c) for y, c in ((16, "green"), (40, "red"), (64, "blue")) for x in (12.5, 30, 47.5))),
)  # fmt: skip


def _circle(x: float, y: float, radius: float) -> str:
    """Draw a ring around a rosette."""
    ring = circle(x, y, radius) + circle(x, y, radius * 0.7, hole=True)
    return ring + flower(x, y, radius * 0.36, 6)


def _wheel(palette: Palette) -> str:
    """Draw one pin: a rosette in a wheel."""
    around = [(30 + 16.8 * cos(pi * i / 6), 40 + 16.8 * sin(pi * i / 6)) for i in range(12)]
    wheel = circle(30, 40, 25) + circle(30, 40, 22, hole=True)
    wheel += "".join(circle(x, y, 3.2) for x, y in around)
    heart = flower(30, 40, 9.4, 8) + circle(30, 40, 5, hole=True)
    return paths([("green", wheel), ("red", heart), ("blue", circle(30, 40, 3))], palette)


def circles(rank: int, palette: Palette) -> str:
    """Draw the face of a pin; ``rank`` counts from 0."""
    if rank == 0:
        return _wheel(palette)
    radius, places = _CIRCLES[rank - 1]
    return paths(((paint, _circle(x, y, radius)) for x, y, paint in places), palette)


Stick = tuple[float, float, str, float]  # x and y of the centre, colour, tilt in degrees


def _rows(*rows: tuple[float, str], columns: tuple[float, ...]) -> tuple[Stick, ...]:
    return tuple((x, y, paint, 0.0) for y, paint in rows for x in columns)


# For each rank from two: the length of a stick, and the positions of the sticks. Tiles of ryuuiisou are green
_STICKS: Final[tuple[tuple[float, tuple[Stick, ...]], ...]] = (
    (32, ((30, 22, "green", 0), (30, 58, "green", 0))),
    (32, ((30, 22, "green", 0), (17, 58, "green", 0), (43, 58, "green", 0))),
    (32, _rows((22, "green"), (58, "green"), columns=(17, 43))),
    (29, (*_rows((23.5, "green"), (56.5, "green"), columns=(14.5, 45.5)), (30, 40, "red", 0))),
    (32, _rows((22, "green"), (58, "green"), columns=(13.5, 30, 46.5))),
    (21, ((30, 16.5, "red", 0), *_rows((40, "green"), (63.5, "green"), columns=(13.5, 30, 46.5)))),
    (
        29,
        (
            *_rows((21.5, "green"), (58.5, "green"), columns=(9.5, 50.5)),
            (22, 21.5, "green", 24), (38, 21.5, "green", -24),
            (22, 58.5, "green", -24), (38, 58.5, "green", 24),
        ),
    ),
    (
        21,
        tuple(
            (x, y, paint, 0.0)
            for x, paint in ((13.5, "green"), (30, "red"), (46.5, "green"))
            for y in (16.5, 40, 63.5)
        ),
    ),
)  # fmt: skip


def _stick(stick: Stick, length: float) -> str:
    """Draw a bamboo stick: two joints between three knots, with a highlight on the left of each joint."""
    x, y, _, lean = stick
    half = length / 2
    knots = [Box(-5, at - 1.6, 10, 3.2, 1.6) for at in (1.6 - half, 0, half - 1.6)]
    joints = [Box(-3.6, at, 7.2, half - 2, 1) for at in (1 - half, 1)]
    lights = [Box(-1.9, at, 1.5, half - 6.4, 0.75) for at in (3.9 - half, 2.5)]
    drawn = "".join(bar(box, (x, y), lean) for box in knots + joints)
    return drawn + "".join(bar(line, (x, y), lean, hole=True) for line in lights)


def sticks(rank: int, palette: Palette) -> str:
    """Draw the face of a sou tile except the one; ``rank`` counts from 0."""
    length, places = _STICKS[rank - 1]
    return paths(((spot[2], _stick(spot, length)) for spot in places), palette)
