"""All tiles in one document of symbols, for pages that show many of them."""

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

# What a page may give other colours
_CHOSEN: Final = {
    IVORY: "--ivory", BACK: "--tile-back", BACK_LIGHT: "--tile-back-light", BACK_DARK: "--tile-back-dark",
}  # fmt: skip


def _colourable(inner: str) -> str:
    for colour, name in _CHOSEN.items():
        inner = inner.replace(colour, f"var({name}, {colour})")
    return inner


def _symbol(name: str, width: int, height: int, inner: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="0 0 {width} {height}">{inner}</symbol>'


def sprite() -> str:
    """Symbols ``tile-front``, ``tile-back``, each ``-sideways`` too, and the faces: ``tile-5m``, ``tile-0p``.

    A body measures 60 by 87 (sideways 80 by 67), a face 60 by 80; a red tile that is no five is
    ``tile-3rp``. The page's ``--tile-back``, ``--tile-back-light`` and ``--tile-back-dark`` colour the backs,
    its ``--ivory`` the faces.
    """
    bodies = [
        _symbol(name, width, height + DEPTH, body(width, height, back=is_back))
        for name, width, height, is_back in _BODIES
    ]
    tiles = [*range(KINDS), *range(RED, RED + KINDS - 7)]
    faces = [_symbol(name_of(tile), WIDTH, HEIGHT, face(tile)) for tile in tiles]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{_colourable("".join(bodies + faces))}</svg>'
