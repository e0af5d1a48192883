"""The colours of the tiles."""

from typing import Final, NamedTuple

BLACK: Final = "#1d2536"
RED_PAINT: Final = "#c3202b"
GREEN: Final = "#14704a"
BLUE: Final = "#1f4e96"
IVORY: Final = "#fbf8ee"
EDGE: Final = "#d8cfb8"  # the ivory seen from the side
LIGHT: Final = "#fffdf8"  # the edge that catches the light
LINE: Final = "#b3a98f"
BACK: Final = "#e0952c"
BACK_LIGHT: Final = "#eeab4a"
BACK_DARK: Final = "#b06c12"


class Palette(NamedTuple):
    """What a tile of a suit is painted with."""

    ink: str
    green: str
    blue: str
    red: str


PLAIN: Final = Palette(BLACK, GREEN, BLUE, RED_PAINT)
ALL_RED: Final = Palette(RED_PAINT, RED_PAINT, RED_PAINT, RED_PAINT)
