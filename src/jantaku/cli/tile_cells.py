"""Tiles as text, three columns wide each: for rivers, hands and melds on a small table."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from jantaku.cli.hand_drawing import faces, is_ascii
from jantaku.game.view import RiverTile
from jantaku.hand import SOURCES, Meld, MeldType
from jantaku.tiles import RED, format_tiles

ROW: Final = 6  # discards in one row of a river
CELL: Final = 4  # columns of a tile with the mark or gap after it
DRAWN, DECLARED, TAKEN = "·", "!", "^"  # marks after a discard

_SUITS: Final = "萬筒索"
_HONOURS: Final = "東南西北囗發中"
_FACE, _DECLARED_FACE, _TAKEN_FACE = "on grey93", "on gold1", "on grey46"
_BACK: Final = "dark_orange3 on grey93"
_SUIT_COLOURS: Final = ("dark_red", "blue3", "dark_green")
_HONOUR_COLOURS: Final = ("black",) * 5 + ("dark_green", "dark_red")
_RED_COLOUR: Final = "red1"


def cell(tile: int | None, face: str = _FACE) -> Text:
    """One tile in three columns; ``None`` is a tile back.

    >>> cell(4).plain, cell(27).plain
    ('5萬', '東 ')
    """
    if tile is None:
        return Text().append("##" if is_ascii() else "▒▒", _BACK).append(" ")
    suit, rank = divmod(tile % RED, 9)
    if is_ascii():
        colour = _HONOUR_COLOURS[rank] if suit == 3 else _SUIT_COLOURS[suit]
        return Text().append(
            format_tiles([tile]).ljust(3), f"bold {_RED_COLOUR if tile >= RED else colour} {face}"
        )
    if suit == 3:
        return Text().append(_HONOURS[rank] + " ", f"bold {_HONOUR_COLOURS[rank]} {face}")
    red = tile >= RED
    text = Text().append(str(rank + 1), f"bold {_RED_COLOUR if red else 'black'} {face}")
    return text.append(_SUITS[suit], f"{'bold ' + _RED_COLOUR if red else _SUIT_COLOURS[suit]} {face}")


def large(tile: int) -> tuple[Text, Text]:
    """One tile in two lines, for the player's own hand."""
    return (cell(tile), Text("   ", _FACE)) if is_ascii() else faces(tile)


def row(tiles: Iterable[int | None], gap: str = " ") -> Text:
    """Tiles side by side."""
    return Text(gap).join(cell(tile) for tile in tiles)


def ankan(meld: Meld, display: str) -> list[int | None]:
    """The tiles of an ankan as the rules show it (``calls.ankan_display``), ``None`` for face-down ones."""
    shown = sorted(meld.tiles, reverse=True)[:2]  # prefer a red tile among the visible ones
    if display == "all_down" or not shown:
        return [None] * 4
    return [shown[0], None, None, shown[1]] if display == "inner_down" else [None, *shown, None]


def meld(meld: Meld, display: str = "outer_down") -> Text:
    """A meld; the called tile is in brackets on the side it came from; ``display`` is the ankan style."""
    if meld.type is MeldType.ANKAN:
        return row(ankan(meld, display), "")
    called, source = meld.called, meld.source
    if called is None or source is None:
        return row(meld.tiles, "")
    tiles: list[int] = list(meld.tiles)
    tiles.remove(called)
    cells = [cell(tile) for tile in tiles]
    left, right = Text("‹", "dim"), Text("›", "dim")
    index = {SOURCES[0]: len(cells), SOURCES[1]: 1, SOURCES[2]: 0}[source]
    cells.insert(index, Text("").join([left, cell(called), right]))
    return Text("").join(cells)


def river(discards: Sequence[RiverTile]) -> list[Text]:
    """The rows of a river, six tiles each."""
    lies = sideways(discards)
    cells = [_discard(tile, i == lies) for i, tile in enumerate(discards)]
    return [Text("").join(cells[i : i + ROW]) for i in range(0, len(cells), ROW)]


def sideways(discards: Sequence[RiverTile]) -> int | None:
    """The tile that is turned sideways for riichi, or the next if that was called (inventory 125, 439)."""
    declared = next((i for i, tile in enumerate(discards) if tile.riichi), len(discards))
    return next((i for i in range(declared, len(discards)) if not discards[i].called), None)


def _discard(tile: RiverTile, sideways: bool) -> Text:
    face, mark, style = _FACE, " ", ""
    if tile.drawn:
        mark, style = DRAWN, "dim"
    if tile.called:
        face, mark, style = _TAKEN_FACE, TAKEN, "dim"
    if sideways:
        face, mark, style = _DECLARED_FACE, DECLARED, "bold yellow"
    return cell(tile.tile, face).append(mark, style)
