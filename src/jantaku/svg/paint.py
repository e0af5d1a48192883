"""The colours of the tiles."""

from typing import Final, NamedTuple

BLACK: Final = "#1d2536"
RED_PAINT: Final = "#c3202b"
GREEN: Final = "#14704a"
BLUE: Final = "#1f4e96"
IVORY: Final = "#faf5e7"
LIGHT: Final = "#fffdf6"  # upper and left edges, towards the light
EDGE: Final = "#d3c8ac"  # the ivory's side in the shade
LINE: Final = "#7d7359"  # outline of a tile
BACK: Final = "#c28b3c"
BACK_LIGHT: Final = "#dcae66"
BACK_DARK: Final = "#8a5f22"


class Palette(NamedTuple):
    """The colours of a suit."""

    ink: str
    green: str
    blue: str
    red: str


PLAIN: Final = Palette(BLACK, GREEN, BLUE, RED_PAINT)
ALL_RED: Final = Palette(RED_PAINT, RED_PAINT, RED_PAINT, RED_PAINT)
