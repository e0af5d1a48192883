"""The body of a tile on the table, seen from above and slightly in front, lit from the upper left."""

from typing import Final

from jantaku.svg.paint import BACK, BACK_DARK, BACK_LIGHT, EDGE, IVORY, LIGHT, LINE
from jantaku.svg.shapes import Box, rect

DEPTH: Final = 7
_SEAM: Final = 3.2  # height of the lower layer on the visible side


def body(width: int, height: int, *, back: bool = False) -> str:
    """Draw a blank tile as SVG elements; its top measures ``width`` by ``height``, its side lies below."""
    top, lit, side, under = (BACK, BACK_LIGHT, BACK_DARK, EDGE) if back else (IVORY, LIGHT, EDGE, BACK)
    drawn = (
        rect(Box(0.5, 0.5, width - 1, height + DEPTH - 1, 6), under, LINE)
        + rect(Box(1, 1, width - 2, height + DEPTH - 2 - _SEAM, 5.5), side)
        + rect(Box(1.6, 1.6, width - 3.6, height - 2.4, 5), top, lit, 1.2)
    )
    # a highlight on the back
    return drawn + (rect(Box(5.5, 5, width - 12, height - 10, 3.5), "none", lit) if back else "")
