"""Compare the tiles that a log reveals at the end of a hand with those on the engine's table."""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.hand import MeldType
from jantaku.kernels.engine.wall import dora_indicator
from jantaku.kernels.win import CHI
from jantaku.records.mjlog.log import Call, LogWon
from jantaku.records.mjlog.replay import LogTable
from jantaku.tiles import KINDS, RED, format_tiles

_MELDS: Final = (MeldType.CHI, MeldType.PON, MeldType.ANKAN, MeldType.DAIMINKAN, MeldType.KAKAN)


def compare_winner(table: LogTable, move: LogWon) -> None:
    """Raise ``LogMismatchError`` unless tiles, melds and indicators match the engine's winner."""
    game, seat = table.game, move.seat
    own = move.source == seat
    tile = int(game.drawn if own else game.claimed_tile)
    table.expect("winning_tile", in_notation(table, [move.tile]), format_tiles([tile]))
    held = held_tiles(game, seat) + ([] if own else [tile])
    table.expect("tiles", in_notation(table, move.hand), format_tiles(held))
    theirs = sorted(_meld(table, meld) for meld in move.melds)
    table.expect("melds", theirs, sorted(melds_of(game, seat)))
    turned = int(game.indicators)
    ours = [int(dora_indicator(game, i)) for i in range(turned)]
    table.expect("dora", in_notation(table, move.dora, False), format_tiles(ours, sort=False))
    table.expect("ura", len(move.ura), turned if game.riichi[seat] else 0)


def in_notation(table: LogTable, numbers: Sequence[int], ordered: bool = True) -> str:
    """Return Tenhou's tile numbers in notation."""
    return format_tiles([table.log.tile(number) for number in numbers], sort=ordered)


def _meld(table: LogTable, meld: Call) -> tuple[int, int, int]:
    tiles = [table.log.tile(number) for number in meld.tiles]
    kind = _MELDS.index(meld.kind) + CHI
    return kind, min(tile % RED for tile in tiles), sum(tile >= RED for tile in tiles)


def held_tiles(game: Any, seat: int) -> list[int]:
    """Return the concealed tiles of a seat in a game record, in order."""
    tiles = []
    for kind in range(KINDS):
        count, red = int(game.hand[seat, kind]), int(game.red[seat, kind])
        tiles += [kind + RED] * red + [kind] * (count - red)
    return tiles


def melds_of(game: Any, seat: int) -> list[tuple[int, int, int]]:
    """Return (kind of meld, lowest tile, number of red tiles) for each meld of a seat."""
    return [
        (int(game.meld[seat, i]), int(game.meld_first[seat, i]), int(game.meld_red[seat, i]).bit_count())
        for i in range(int(game.melds[seat]))
    ]
