"""The engine's value of a win in Tenhou's numbers, in which norths set aside count as dora."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from jantaku.adjudication.masks import yaku_in
from jantaku.game.engine import dealer_of, seats_of
from jantaku.kernels import win as layout
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.entries import step
from jantaku.kernels.engine.state import NO_SEAT, WON, YOUR_TURN
from jantaku.records.mjlog.log import TENHOU_YAKU, BySeat
from jantaku.records.mjlog.replay import LogTable
from jantaku.rules.catalogue import han_of
from jantaku.rules.worths import worth_in
from jantaku.seats import after, away

SEAT_WIND, ROUND_WIND = 10, 14
DORA, URA_DORA, RED_DORA = 52, 53, 54
YAKUMAN_OF_LOG: Final = 5  # the limit of a yakuman, including kazoe yakuman


@dataclass(frozen=True, slots=True)
class WinValues:
    """A win's value: ``yaku`` maps Tenhou's numbers to han, or ``yakuman`` lists numbers and ``fu`` is 0.

    ``change`` is what each seat gains or pays.
    """

    yaku: dict[int, int]
    yakuman: tuple[int, ...]
    han: int
    fu: int
    limit: int
    points: int
    liable: int | None
    change: BySeat


def number_of(yaku: str, win: Any) -> int:
    """Return Tenhou's number for a yaku in a win (a ``WIN`` record); −1 if Tenhou has none."""
    if yaku == "seat_wind":
        return SEAT_WIND + int(win.seat)
    if yaku == "round_wind":
        return ROUND_WIND + int(win.round_wind)
    return TENHOU_YAKU.index(yaku) if yaku in TENHOU_YAKU else -1


def win_values(table: LogTable, winners: Collection[int]) -> dict[int, WinValues]:
    """Return the value of each win on the current tile; void wins are left out.

    The engine settles the wins on a copy of the game: a tsumo, or the rons of all winners yet to respond.
    """
    games, own_turn = table.games.copy(), table.game.phase == YOUR_TURN
    game = games[0]
    dealer = dealer_of(game)  # the wins may end the hand and change the dealer
    for seat in [int(game.turn)] if own_turn else [seat for seat in seats_of(game) if table.is_asked(seat)]:
        action = (actions.TSUMO if own_turn else actions.RON) if seat in winners else actions.PASS
        step(games, seat, action << 8, table.records, table.context)
    if game.outcome.ended != WON:
        return {}
    winning = enumerate(game.won_by.tolist())
    return {seat: _values(table, game, index, dealer) for index, seat in winning if seat != NO_SEAT}


def _values(table: LogTable, game: Any, index: int, dealer: int) -> WinValues:
    seat, win, row = int(game.won_by[index]), game.wins[index], game.results[index].tolist()
    names = yaku_in(row[layout.YAKU])
    numbers = tuple(sorted(number_of(name, win) for name in names))
    closed = all(meld in (layout.NO_MELD, layout.ANKAN) for meld in win.meld.tolist())
    yaku = {number_of(name, win): han_of(worth_in(table.ruleset, name, closed)) for name in names}
    dora = row[layout.DORA] + row[layout.KITA] + row[layout.KANS]  # Tenhou does not distinguish them
    bonus = {DORA: dora, URA_DORA: row[layout.URA], RED_DORA: row[layout.RED]}
    yaku |= {number: han for number, han in bonus.items() if han}
    is_yakuman = row[layout.YAKUMAN] > 0
    seats = table.log.seats
    winds = [away(dealer, other, seats) for other in range(seats)]
    return WinValues(
        yaku={} if is_yakuman else yaku,
        yakuman=numbers if is_yakuman else (),
        han=row[layout.HAN],
        fu=row[layout.FU],
        limit=min(row[layout.LIMIT], YAKUMAN_OF_LOG),
        points=row[layout.POINTS],
        liable=_liable(game, seat, seats, row[layout.YAKU]),
        change=tuple(row[layout.PAYMENT + wind] for wind in winds),
    )


def _liable(game: Any, seat: int, seats: int, yaku: int) -> int | None:
    """Return the seat liable (pao) for a yakuman of the hand."""
    for i in range(2):
        bit, liable = int(game.liable_yaku[seat, i]), int(game.liable_seat[seat, i])
        if bit != layout.NOBODY and yaku >> bit & 1:
            return after(seat, seats, liable)
    return None
