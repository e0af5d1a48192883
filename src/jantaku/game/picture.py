"""Views and games as SVG pictures, for notebooks."""

from collections.abc import Mapping, Sequence

from jantaku.game import engine
from jantaku.game.game import Game
from jantaku.game.view import RiverTile, View, sideways
from jantaku.hand import Meld
from jantaku.seats import hand_name, others, seat_wind
from jantaku.svg.shared_tiles import SharedTiles
from jantaku.svg.table import DrawnDiscard, DrawnSeat, DrawnTable, table_svg
from jantaku.tiles import Tile

Hands = Mapping[int, tuple[Sequence[Tile | None], Tile | None]]  # concealed tiles and the drawn tile, by seat


def view_svg(view: View, names: Sequence[str] = (), shared: SharedTiles | None = None) -> str:
    """Draw the table as a seat sees it, with that seat at the bottom and the other hands face down.

    ``shared`` has the drawings of the tiles of a page with many pictures.
    """
    hands = {seat: (_hidden_hand(view, seat), None) for seat in range(len(view.scores))}
    own: Hands = {view.seat: (view.hand, view.drawn)}
    acting = [view.seat] if view.legal else []
    return _drawn(view, {**hands, **own}, view.melds, names, acting, shared)


def game_svg(game: Game) -> str:
    """Draw the table with all hands open and the first dealer at the bottom."""
    record = game.record
    hands = {
        seat: (engine.without_drawn(record, seat), engine.drawn_tile(record, seat)) for seat in game.seats
    }
    melds = [engine.melds(record, seat) for seat in game.seats]
    return _drawn(game.view(0), hands, melds, game.names, game.to_act)


def _hidden_hand(view: View, seat: int) -> Sequence[Tile | None]:
    """Return the hand of another seat: tiles revealed by open riichi, and ``None`` for the rest."""
    shown = view.shown[seat] or ()
    return [*shown, *[None] * (13 - 3 * len(view.melds[seat]) - len(shown))]


def _drawn(
    view: View,
    hands: Hands,
    melds: Sequence[Sequence[Meld]],
    names: Sequence[str],
    acting: Sequence[int],
    shared: SharedTiles | None = None,
) -> str:
    seats = len(view.scores)
    owner = None if view.offered is None else view.offered.owner
    drawn = [
        DrawnSeat(
            seat_wind(seat, view.dealer, seats),
            view.scores[seat],
            hands[seat][0],
            hands[seat][1],
            melds[seat],
            _river(view.rivers[seat], offered=seat == owner),
            view.riichi[seat] is not None,
            view.kita[seat],
            names[seat] if seat < len(names) else "",
            seat in acting,
        )
        for seat in [view.seat, *others(view.seat, seats)]
    ]
    hand = hand_name(view.number, view.honba, seats)
    table = DrawnTable(drawn, hand, view.indicators, view.wall_left, view.deposits)
    return table_svg(table, shared=shared)


def _river(river: Sequence[RiverTile], *, offered: bool) -> list[DrawnDiscard]:
    """Return the discards that were not called."""
    turned, last = sideways(river), len(river) - 1
    return [
        DrawnDiscard(discard.tile, discard.drawn, index == turned, offered and index == last)
        for index, discard in enumerate(river)
        if not discard.called
    ]
