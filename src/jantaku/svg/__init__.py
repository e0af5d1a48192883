"""Tiles drawn by code: one original set, all paths and no text, so that it looks the same everywhere.

``tile``, ``back``, ``meld_svg`` and ``hand_svg`` return whole SVG documents as text; ``sprite`` returns one
document of symbols that a page refers to by name. ``table`` draws whole tables for notebooks, with text.
"""

from jantaku.svg.drawing import back, hand_svg, meld_svg, tile
from jantaku.svg.sprite import sprite

__all__ = ["back", "hand_svg", "meld_svg", "sprite", "tile"]
