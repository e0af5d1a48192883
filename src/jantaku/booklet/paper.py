"""Paper sizes."""

from dataclasses import dataclass
from typing import Final

NARROW_MM: Final = 120


@dataclass(frozen=True, slots=True)
class Paper:
    """A page: its size, margin, text size, and the width of a tile at 96 pixels per inch."""

    width_mm: int
    height_mm: int
    margin_mm: int
    text_pt: float
    tile_px: float

    @property
    def is_narrow(self) -> bool:
        """Whether a table of options has no room for two columns."""
        return self.width_mm < NARROW_MM


PAPERS: Final[dict[str, Paper]] = {"a4": Paper(210, 297, 16, 9.5, 22), "phone": Paper(90, 180, 5, 8.5, 19)}
"""``a4`` for printing; ``phone`` fits a phone's screen without zooming."""
