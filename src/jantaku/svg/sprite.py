"""All tiles in one document of symbols, for pages with many tiles."""

from typing import Final

from jantaku.svg.body import DEPTH, body
from jantaku.svg.faces import HEIGHT, WIDTH, face, name_of
from jantaku.svg.paint import BACK, BACK_DARK, BACK_LIGHT, IVORY
from jantaku.tiles import KINDS, RED

_BODIES: Final = (
    ("front", WIDTH, HEIGHT, False),
    ("front-sideways", HEIGHT, WIDTH, False),
    ("back", WIDTH, HEIGHT, True),
    ("back-sideways", HEIGHT, WIDTH, True),
)

# CSS variables with which a page may override colours
_VARIABLES: Final = {
    IVORY: "--ivory", BACK: "--tile-back", BACK_LIGHT: "--tile-back-light", BACK_DARK: "--tile-back-dark",
}  # fmt: skip


def _colourable(inner: str) -> str:
    for colour, name in _VARIABLES.items():
        inner = inner.replace(colour, f"var({name}, {colour})")
    return inner


def _symbol(name: str, width: int, height: int, inner: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="0 0 {width} {height}">{inner}</symbol>'


def sprite() -> str:
    """Return the symbols ``tile-front`` and ``tile-back``, both also ``-sideways``, and the faces.

    Faces are named ``tile-5m``, ``tile-0p`` for a red five, and ``tile-3rp`` for another red tile. A body
    measures 60 by 87 (sideways 80 by 67), a face 60 by 80. The page's variables ``--tile-back``,
    ``--tile-back-light`` and ``--tile-back-dark`` colour the backs, ``--ivory`` the faces.
    """
    bodies = [
        _symbol(name, width, height + DEPTH, body(width, height, back=is_back))
        for name, width, height, is_back in _BODIES
    ]
    tiles = [*range(KINDS), *range(RED, RED + KINDS - 7)]
    faces = [_symbol(name_of(tile), WIDTH, HEIGHT, face(tile)) for tile in tiles]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{_colourable("".join(bodies + faces))}</svg>'
