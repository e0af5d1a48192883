"""The body of a tile on the table, seen from above and slightly from the front."""

from typing import Final

from jantaku.svg.paint import BACK, BACK_DARK, BACK_LIGHT, EDGE, IVORY, LIGHT, LINE
from jantaku.svg.shapes import Box, rect

DEPTH: Final = 7


def body(width: int, height: int, *, back: bool = False) -> str:
    """The SVG elements of a blank tile whose top measures ``width`` by ``height``; its side is below."""
    top, side, under = (BACK, BACK_DARK, EDGE) if back else (IVORY, EDGE, BACK)
    edge = BACK_DARK if back else LIGHT
    parts = [
        rect(Box(0.5, 0.5, width - 1, height + DEPTH - 1, 6), under, LINE),
        rect(Box(0.5, 0.5, width - 1, height + DEPTH - 4, 6), side),
        rect(Box(0.5, 0.5, width - 1, height - 1, 5.5), top, edge),
    ]
    if back:
        parts.append(rect(Box(5, 5, width - 10, height - 10, 3), "none", BACK_LIGHT, 2))
    return "".join(parts)
