"""The colours of the tiles."""

from typing import Final, NamedTuple

BLACK: Final = "#1d2536"
RED_PAINT: Final = "#c3202b"
GREEN: Final = "#14704a"
BLUE: Final = "#1f4e96"
IVORY: Final = "#fbf8ee"
EDGE: Final = "#d8cfb8"  # the side of the ivory
LIGHT: Final = "#fffdf8"  # the lit edge
LINE: Final = "#b3a98f"
BACK: Final = "#e0952c"
BACK_LIGHT: Final = "#eeab4a"
BACK_DARK: Final = "#b06c12"


class Palette(NamedTuple):
    """The colours of a suit."""

    ink: str
    green: str
    blue: str
    red: str


PLAIN: Final = Palette(BLACK, GREEN, BLUE, RED_PAINT)
ALL_RED: Final = Palette(RED_PAINT, RED_PAINT, RED_PAINT, RED_PAINT)
