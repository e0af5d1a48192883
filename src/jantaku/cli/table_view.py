"""Draw the table of a game in a terminal: rivers around the centre, hands below.

The viewer sits at the bottom, the next player to the right. The drawing fits eighty columns.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.align import Align
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import ACCENT
from jantaku.cli.hand_drawing import HONOURS, SUITS, colour_of, is_ascii
from jantaku.game.engine import Record, drawn_tile, seats_of, without_drawn
from jantaku.game.view import RiverTile, View, sideways, view_of
from jantaku.hand import SOURCES, Meld, MeldType
from jantaku.kernels.win import MAX_SEATS
from jantaku.seats import hand_name, others, seat_wind
from jantaku.tiles import NORTH, RED, format_tiles

ROW: Final = 6  # discards in one row of a river
CELL: Final = 4  # columns of a tile with the mark or gap after it
DRAWN, DECLARED, TAKEN = "·", "!", "^"  # marks after a discard

_FACE, _DECLARED_FACE, _TAKEN_FACE = "on grey93", "on gold1", "on grey46"
_BACK: Final = "dark_orange3 on grey93"


def cell(tile: int | None, face: str = _FACE) -> Text:
    """Draw a tile in three columns; ``None`` is a face-down tile.

    >>> cell(4).plain, cell(27).plain
    ('5萬', '東 ')
    """
    if tile is None:
        return Text().append("##" if is_ascii() else "▒▒", _BACK).append(" ")
    suit, rank = divmod(tile % RED, 9)
    colour = colour_of(tile)
    if is_ascii():
        return Text().append(format_tiles([tile]).ljust(3), f"bold {colour} {face}")
    if suit == 3:
        return Text().append(HONOURS[rank] + " ", f"bold {colour} {face}")
    red = tile >= RED
    text = Text().append(str(rank + 1), f"bold {colour if red else 'black'} {face}")
    return text.append(SUITS[suit], f"{'bold ' * red}{colour} {face}")


def row(tiles: Iterable[int | None], gap: str = " ") -> Text:
    """Draw tiles side by side."""
    return Text(gap).join(cell(tile) for tile in tiles)


def ankan(meld: Meld, display: str) -> list[int | None]:
    """Return the tiles of an ankan as displayed (``calls.ankan_display``), ``None`` for face-down ones."""
    shown = sorted(meld.tiles, reverse=True)[:2]  # red tiles first, so that they are face up
    if display == "all_down" or not shown:
        return [None] * 4
    return [shown[0], None, None, shown[1]] if display == "inner_down" else [None, *shown, None]


def meld(meld: Meld, display: str = "outer_down") -> Text:
    """Draw a meld with the called tile in brackets on its source's side; ``display``: ankan style."""
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
    """Draw a river in rows of six tiles."""
    lies = sideways(discards)
    cells = [_discard(tile, i == lies) for i, tile in enumerate(discards)]
    return [Text("").join(cells[i : i + ROW]) for i in range(0, len(cells), ROW)]


def _discard(tile: RiverTile, sideways: bool) -> Text:
    face, mark, style = _FACE, " ", ""
    if tile.drawn:
        mark, style = DRAWN, "dim"
    if tile.called:
        face, mark, style = _TAKEN_FACE, TAKEN, "dim"
    if sideways:
        face, mark, style = _DECLARED_FACE, DECLARED, "bold yellow"
    return cell(tile.tile, face).append(mark, style)


RIVER_ROWS: Final = 3
COLUMNS: Final = 3  # of rivers: left, centre and right
_STEP: Final = 2  # lines above the viewer's river if nobody sits across
_WIDTH: Final = ROW * CELL
_GAP: Final = 2


def table_text(key: str, **values: object) -> str:
    """Return a text from the ``drawn_table`` table."""
    return terms.text(f"drawn_table.{key}", None, **values)


def seat_names(names: Sequence[str] | None = None, seats: int | None = None) -> list[str]:
    """Return ``seats`` names, by default as many as ``names``; missing names become seat numbers."""
    given = list(names or [])
    every = range(seats or len(given) or MAX_SEATS)
    return [given[seat] if given[seat:] and given[seat] else table_text("seat", seat=seat) for seat in every]


def table_view(
    record: Record, seat: int | None, names: Sequence[str] | None = None, display: str = "outer_down"
) -> RenderableType:
    """Draw the table of an engine record as ``seat`` sees it; ``None``: with all hands open."""
    view = view_of(record, seat or 0, ())
    seats = seats_of(record)
    called = seat_names(names, len(seats))
    panels = [_panel(view, other, called[other]) for other in seats]
    hands = [_hand(record, view, seat, other) for other in seats]
    return Group(head(view), Text(), _rivers(panels, seat or 0), Text(), _hands(view, hands, called, display))


def head(view: View) -> Text:
    """Draw the name of the hand, deposits, indicators and remaining tiles in one line."""
    text = Text().append(
        f" {hand_name(view.number, view.honba, len(view.scores))} ", f"bold reverse {ACCENT}"
    )
    text.append("  " + table_text("deposits", count=view.deposits), "" if view.deposits else "dim")
    text.append("  " + table_text("dora") + " ")
    text.append_text(row(view.indicators))
    text.append("  " + table_text("wall_left", count=view.wall_left))
    if view.wareme is not None:
        text.append("  " + table_text("wareme", wind=_wind_letter(view, view.wareme)), "bold")
    return text


def _wind_letter(view: View, seat: int) -> str:
    return table_text(f"wind_letter.{seat_wind(seat, view.dealer, len(view.scores))}")


def _panel(view: View, seat: int, name: str) -> list[Text]:
    """Draw a seat's name and points above its river."""
    turn = seat == view.turn
    title = Text().append(_wind_letter(view, seat) + " ", f"bold {ACCENT}")
    title.append(name, "bold underline" if turn else "bold")
    title.append(f" {terms.counted(view.scores[seat])}", "")
    if view.riichi[seat]:
        title.append(" " + table_text(f"riichi.{view.riichi[seat]}"), "bold yellow")
    title.truncate(_WIDTH, overflow="ellipsis")
    rows = river(view.rivers[seat])
    return [title, *rows, *[Text()] * (RIVER_ROWS - len(rows))]


def _rivers(panels: Sequence[list[Text]], near: int) -> RenderableType:
    """Arrange the rivers: the viewer's at the bottom, the next player's right, the last one's left."""
    right, *across, left = (panels[seat] for seat in others(near, len(panels)))
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for _ in range(COLUMNS):
        grid.add_column(width=_WIDTH, no_wrap=True)
    above = [line for panel in across for line in (*panel, Text())] or [Text()] * _STEP
    middle = [*above, *panels[near]]
    first = (len(above) - 1) // 2  # line at which the rivers on the sides begin
    for i, line in enumerate(middle):
        grid.add_row(_line(left, i - first), line, _line(right, i - first))
    return Align.left(grid)


def board_height(seats: int) -> int:
    """Return the number of lines of ``table_view``."""
    river = 1 + RIVER_ROWS
    return 3 + ((river + 1) * (seats - COLUMNS) or _STEP) + river + seats


def _line(lines: Sequence[Text], index: int) -> Text:
    return lines[index] if 0 <= index < len(lines) else Text()


def _hand(record: Record, view: View, seat: int | None, other: int) -> Text:
    """Draw the concealed tiles of ``other``, a drawn tile apart; face down if hidden from ``seat``."""
    open_ = seat is None or other == seat
    shown = view.shown[other] or ()
    tiles: list[int | None] = [*without_drawn(record, other)]
    if not open_:  # an open riichi reveals part of the hand
        tiles = [*[None] * (len(tiles) - len(shown)), *shown]
    text = row(tiles, "")
    own = drawn_tile(record, other)
    if own is not None:
        text.append(" ").append_text(cell(own if open_ else None))
    return text


def _hands(view: View, hands: Sequence[Text], names: Sequence[str], display: str) -> RenderableType:
    """Draw one line per seat with its wind, hand and melds, the viewer's last."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True, max_width=14)
    grid.add_column()
    for seat in (*others(view.seat, len(hands)), view.seat):
        title = Text().append(_wind_letter(view, seat) + " ", f"bold {ACCENT}")
        title.append(names[seat], "bold underline" if seat == view.turn else "")
        body = hands[seat]
        for called in view.melds[seat]:
            body = body.append("  ").append_text(meld(called, display))
        if view.kita[seat]:
            body = body.append("  ").append_text(row([NORTH] * view.kita[seat]))
        grid.add_row(title, body)
    return grid
