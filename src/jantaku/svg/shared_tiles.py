"""Tiles of a document or page that refer to one drawing of each, which keeps it small."""

from jantaku.svg.body import body
from jantaku.svg.faces import HEIGHT, WIDTH, face, name_of


class SharedTiles:
    """Draws tiles as references, and collects the drawings that they refer to.

    ``prefix`` begins the ids of the drawings, because all pictures of a page share one namespace.
    """

    def __init__(self, prefix: str = "tile") -> None:
        self.prefix = prefix
        self._drawings: dict[str, str] = {}

    def draw(self, tile: int | None, *, sideways: bool = False) -> str:
        """Return a reference to a tile with its upper left corner at the origin; ``None`` is face down."""
        name = f"{self.prefix}-{'back' if tile is None else name_of(tile)}{'-sideways' * sideways}"
        if name not in self._drawings:
            width, height = (HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT)
            turn = f' transform="translate(0 {WIDTH}) rotate(-90)"' if sideways else ""
            drawn = "" if tile is None else f"<g{turn}>{face(tile)}</g>"
            self._drawings[name] = body(width, height, back=tile is None) + drawn
        return f'<use href="#{name}"/>'

    def definitions(self) -> str:
        """Return the drawings of all tiles drawn so far, as an element of an SVG document."""
        drawings = "".join(f'<g id="{name}">{drawn}</g>' for name, drawn in self._drawings.items())
        return f"<defs>{drawings}</defs>"

    def symbols(self) -> str:
        """Return the drawings as an invisible element of a page."""
        return f'<svg class="symbols" aria-hidden="true" width="0" height="0">{self.definitions()}</svg>'
