"""The colours of the tiles."""

from typing import Final, NamedTuple

BLACK: Final = "#1d2536"
RED_PAINT: Final = "#c3202b"
GREEN: Final = "#14704a"
BLUE: Final = "#1f4e96"
IVORY: Final = "#f9f4e7"
LIGHT: Final = "#fffdf6"  # the edge towards the light, above and left
EDGE: Final = "#d3c8ac"  # the side of the ivory, in the shade
LINE: Final = "#7d7359"  # around a tile
BACK: Final = "#e0952c"
BACK_LIGHT: Final = "#f0b456"
BACK_DARK: Final = "#a9670f"


class Palette(NamedTuple):
    """The colours of a suit."""

    ink: str
    green: str
    blue: str
    red: str


PLAIN: Final = Palette(BLACK, GREEN, BLUE, RED_PAINT)
ALL_RED: Final = Palette(RED_PAINT, RED_PAINT, RED_PAINT, RED_PAINT)
