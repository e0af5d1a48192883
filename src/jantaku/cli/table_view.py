"""Draws the table of a game in a terminal: rivers around the middle, the hands below.

The reader sits at the bottom, the seat to its right (who plays next) at the right. Eighty columns suffice.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.align import Align
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import ACCENT
from jantaku.cli.tile_cells import CELL, DECLARED, DRAWN, ROW, TAKEN, cell, meld, river, row
from jantaku.game.engine import Record, drawn_tile, seats_of, without_drawn
from jantaku.game.view import View, view_of
from jantaku.kernels.win import MOST_SEATS
from jantaku.seats import hand_name, others, seat_wind
from jantaku.tiles import NORTH

if TYPE_CHECKING:
    from jantaku.game.game import Game

RIVER_ROWS: Final = 3
COLUMNS: Final = 3  # of rivers: at the left, in the middle and at the right
_STEP: Final = 2  # how many lines lower the reader's river begins if nobody sits across
_WIDTH: Final = ROW * CELL
_GAP: Final = 2


def said(key: str, **values: object) -> str:
    """The text with that key in the table of a drawn table's texts."""
    return terms.text(f"drawn_table.{key}", None, **values)


def seat_names(names: Sequence[str] | None = None, seats: int | None = None) -> list[str]:
    """The names of the seats, or their numbers if they have none; as many as ``names`` without ``seats``."""
    given = list(names or [])
    every = range(seats or len(given) or MOST_SEATS)
    return [given[seat] if given[seat:] and given[seat] else said("seat", seat=seat) for seat in every]


def table_view(
    game: "Game", seat: int | None, names: Sequence[str] | None = None, *, own: bool = True
) -> RenderableType:
    """The current table, as ``seat`` sees it, or with all hands open for ``None``.

    Without ``own`` the hand of ``seat`` is left out, for callers that draw it apart.
    """
    return table_of(game.record, seat, names, own=own, display=game.rules.calls.ankan_display)


def table_of(
    record: Record,
    seat: int | None,
    names: Sequence[str] | None = None,
    *,
    own: bool = True,
    display: str = "outer_down",
) -> RenderableType:
    """Draw an engine record (``kernels.engine.state.GAME``); ``display`` is the ankan style."""
    near = 0 if seat is None else seat
    view = view_of(record, near, ())
    called = seat_names(names, len(seats_of(record)))
    hands = [_hand(record, view, seat, other) for other in seats_of(record)]
    panels = [_panel(view, other, called[other]) for other in seats_of(record)]
    return Group(
        head(view),
        Text(),
        _rivers(panels, near),
        Text(),
        _hands(view, hands, called, own, display),
    )


def head(view: View) -> Text:
    """The hand's name, the sticks, the indicators and the tiles left in the wall, in one line."""
    text = Text().append(
        f" {hand_name(view.number, view.honba, len(view.scores))} ", f"bold reverse {ACCENT}"
    )
    text.append("  " + said("deposits", count=view.deposits), "" if view.deposits else "dim")
    text.append("  " + said("dora") + " ")
    text.append_text(row(view.indicators))
    text.append("  " + said("wall_left", count=view.wall_left))
    if view.wareme is not None:
        text.append("  " + said("wareme", wind=_wind_letter(view, view.wareme)), "bold")
    return text


def legend() -> Text:
    """The meaning of the marks after discards."""
    return Text(said("legend", drawn=DRAWN, riichi=DECLARED, called=TAKEN), "dim")


def _wind_letter(view: View, seat: int) -> str:
    return said(f"wind_letter.{seat_wind(seat, view.dealer, len(view.scores))}")


def _panel(view: View, seat: int, name: str) -> list[Text]:
    """A seat's name and points above its river."""
    turn = seat == view.turn
    title = Text().append(_wind_letter(view, seat) + " ", f"bold {ACCENT}")
    title.append(name, "bold underline" if turn else "bold")
    title.append(f" {terms.counted(view.scores[seat])}", "")
    if view.riichi[seat]:
        title.append(" " + said(f"riichi.{view.riichi[seat]}"), "bold yellow")
    title.truncate(_WIDTH, overflow="ellipsis")
    rows = river(view.rivers[seat])
    return [title, *rows, *[Text()] * (RIVER_ROWS - len(rows))]


def _rivers(panels: Sequence[list[Text]], near: int) -> RenderableType:
    """The rivers in place: the reader's at the bottom, the next player's right, the last one's left."""
    right, *across, left = (panels[seat] for seat in others(near, len(panels)))
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for _ in range(COLUMNS):
        grid.add_column(width=_WIDTH, no_wrap=True)
    above = [line for panel in across for line in (*panel, Text())] or [Text()] * _STEP
    middle = [*above, *panels[near]]
    first = (len(above) - 1) // 2  # of the lines beside
    for i, line in enumerate(middle):
        grid.add_row(_line(left, i - first), line, _line(right, i - first))
    return Align.left(grid)


def board_height(seats: int) -> int:
    """How many lines ``table_view`` takes without the reader's own hand."""
    beside, river = COLUMNS - 1, 1 + RIVER_ROWS
    across = seats - 1 - beside
    return 3 + ((river + 1) * across or _STEP) + river + beside + across


def _line(lines: Sequence[Text], index: int) -> Text:
    return lines[index] if 0 <= index < len(lines) else Text()


def _hand(record: Record, view: View, seat: int | None, other: int) -> Text:
    """The concealed tiles of ``other``, a drawn one apart; backs if ``seat`` may not see them."""
    open_ = seat is None or other == seat
    shown = view.shown[other] or ()
    tiles: list[int | None] = [*without_drawn(record, other)]
    if not open_:  # an open riichi shows part of the hand
        tiles = [*[None] * (len(tiles) - len(shown)), *shown]
    text = row(tiles, "")
    own = drawn_tile(record, other)
    if own is not None:
        text.append(" ").append_text(cell(own if open_ else None))
    return text


def _hands(
    view: View, hands: Sequence[Text], names: Sequence[str], own: bool, display: str
) -> RenderableType:
    """One line per seat: its wind, hand and melds, the reader's own last if shown."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True, max_width=14)
    grid.add_column()
    for seat in others(view.seat, len(hands)) + [view.seat] * own:
        title = Text().append(
            said(f"wind_letter.{seat_wind(seat, view.dealer, len(view.scores))}") + " ", f"bold {ACCENT}"
        )
        title.append(names[seat], "bold underline" if seat == view.turn else "")
        body = hands[seat]
        for called in view.melds[seat]:
            body = body.append("  ").append_text(meld(called, display))
        if view.kita[seat]:
            body = body.append("  ").append_text(row([NORTH] * view.kita[seat]))
        grid.add_row(title, body)
    return grid
