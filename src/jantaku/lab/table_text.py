"""Draws the table of a game as a few lines of text, with all hands open."""

from jantaku import terms
from jantaku.game import engine
from jantaku.game.view import river
from jantaku.seats import hand_name, seat_wind
from jantaku.tiles import format_tiles


def table_text(record: engine.Record) -> str:
    """Draw the table: a header line, then each seat with its wind, points, tiles, melds and discards.

    ``▸`` marks the seat whose turn it is, ``↷`` the discard that declares riichi.
    """
    seats, match = len(engine.seats_of(record)), record.match
    head = (
        hand_name(int(match.number), int(match.honba), seats),
        f"{terms.text('drawn_table.dora')} {format_tiles(engine.indicators(record))}",
        terms.text("drawn_table.wall_left", count=engine.wall_left(record)),
    )
    return "\n".join(
        [" · ".join(head), *(_seat_text(record, seat, seats) for seat in engine.seats_of(record))]
    )


def _seat_text(record: engine.Record, seat: int, seats: int) -> str:
    wind = terms.text(f"drawn_table.wind.{seat_wind(seat, engine.dealer_of(record), seats)}")
    drawn, turn = engine.drawn_tile(record, seat), "▸" if int(record.turn) == seat else " "
    hand = format_tiles(engine.without_drawn(record, seat)) + (
        f" {format_tiles([drawn])}" if drawn is not None else ""
    )
    melds = "".join(f" {meld}" for meld in engine.visible_melds(record, seat, seat))
    discards = " ".join(
        "↷" * discard.riichi + format_tiles([discard.tile]) for discard in river(record, seat)
    )
    return f"{turn} {seat} {wind} {int(record.match.scores[seat])}  {hand}{melds}  | {discards}"
