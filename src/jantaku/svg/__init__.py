"""Tiles drawn by code: an original set of paths without text, so that it looks the same everywhere.

``tile``, ``back``, ``meld_svg`` and ``hand_svg`` return complete SVG documents; ``sprite`` returns a document
of symbols that a page refers to by name. ``table`` draws whole tables, with text, for notebooks.
"""

from jantaku.svg.drawing import back, hand_svg, meld_svg, tile
from jantaku.svg.sprite import sprite

__all__ = ["back", "hand_svg", "meld_svg", "sprite", "tile"]
