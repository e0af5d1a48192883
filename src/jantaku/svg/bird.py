"""The bird of one sou."""

from typing import Final

from jantaku.svg.paint import IVORY, Palette
from jantaku.svg.shapes import circle

# Control point and end of each feather of the train
_TRAIN: Final = (((20, 44), (9, 52)), ((20, 50), (12, 62)), ((24, 54), (19.5, 69.5)), ((29, 56), (29.5, 72)))
_BODY: Final = (
    "M36 12C38 8 45 8 46.5 13C48 19 45 23 46 29C48 39 47 49 38 52C30 54 22 49 22 43C30 41 36 34 36.5 25"
    "C36.6 20 34 16 36 12Z"
)
_WING: Final = "M39 30C31 32 24 38 21 48C31 49 40 44 41 36C41.3 33 40.6 31 39 30Z"
_CREST: Final = "M40 9Q37 7 36 4M41 9V3M42 9Q44 7 46 4"
_LEGS: Final = "M38 50V64M43 49V63M35 65H42M40.5 64H47"
_BEAK: Final = "M46 13L53 16.5L46 18Z"


def bird(palette: Palette) -> str:
    """Draw the face of one sou: a peacock with a hanging train and an eye at the end of each feather."""
    quills = "".join(f"M30 40Q{bend} {top} {x} {y}" for (bend, top), (x, y) in _TRAIN)
    eyes, rings, spots = ("".join(circle(x, y, size) for _, (x, y) in _TRAIN) for size in (5, 2.9, 1.9))
    line = f'fill="none" stroke="{palette.red}" stroke-width="1.8" stroke-linecap="round"'
    return (
        f'<path d="{quills}" fill="none" stroke="{palette.green}" stroke-width="3"/>'
        f'<path d="{eyes}" fill="{palette.green}" stroke="{IVORY}"/>'
        f'<path d="{_CREST}{_LEGS}" {line}/><path d="{_BODY}" fill="{palette.blue}"/>'
        f'<path d="{_WING}" fill="{palette.green}" stroke="{IVORY}" stroke-width="1.4"/>'
        f'<path d="{rings}{circle(42, 14, 1.7)}" fill="{IVORY}"/>'
        f'<path d="{spots}{_BEAK}" fill="{palette.red}"/>'
    )
