"""Tiles drawn by code: one original set, all paths and no text, the same everywhere it is shown.

``tile``, ``back`` and ``hand_svg`` give whole SVG documents as text; ``sprite`` gives one document of
symbols that a page refers to by name.
"""

from jantaku.svg.drawing import back, hand_svg, tile
from jantaku.svg.sprite import sprite

__all__ = ["back", "hand_svg", "sprite", "tile"]
