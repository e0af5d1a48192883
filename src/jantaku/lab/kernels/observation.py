"""Encodes the observation of a seat as ``int16[ROWS, 34]``, the same for every environment.

Seats are relative to the observing one: 0 itself, 1 right, 2 across, 3 left; with three players 1 and 2 are
the others in turn order. A row *by kind* has one number for each of the 34 kinds. A row *in order* has one
number for each discard, starting at the left. The rest of a row is zero. Information hidden from the seat is
not included.

===============  ========  =========================================================================
row              columns   content
===============  ========  =========================================================================
``HAND``         by kind   concealed tiles of the seat, including the drawn one
``HAND_RED``     by kind   number of red ones among these
``DRAWN``        by kind   the tile just drawn: 1, red 2
``WAITS``        by kind   1 where the kind completes the hand without its drawn tile
``OFFERED``      by kind   the tile offered to the seat: 1, red 2
``INDICATORS``   by kind   turned dora indicators
``NUMBERS``      named     single numbers, see below
===============  ========  =========================================================================

Then ten rows for each seat; those of relative seat ``r`` begin at ``SEATS + 10 * r``:

================  ========  ========================================================================
``DISCARDED``     by kind   discards
``RIVER``         in order  1 + kind of each discard
``RIVER_RED``     in order  1 where it is red
``RIVER_DRAWN``   in order  1 where it was discarded as drawn
``RIVER_RIICHI``  in order  1 where it declared riichi
``RIVER_CALLED``  in order  1 where it was called
``MELDED``        by kind   tiles in melds
``MELDS``         fives     for each meld: type (1 chi, 2 pon, 3 ankan, 4 daiminkan, 5 kakan), 1 + lowest
                            kind, 1 + called tile (kind, + 34 if red; 0 for an ankan), the seat it was
                            called from relative to ``r`` (0–3), the number of red tiles; for another
                            seat's face-down ankan only the type
``SHOWN``         by kind   tiles revealed by an open riichi
``SHOWN_RED``     by kind   number of red ones among these
================  ========  ========================================================================

The columns of ``NUMBERS`` are the constants from ``OWN_SEAT`` on; points are in hundreds.
"""

from typing import Final

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.furiten import NOT_FURITEN, furiten_of
from jantaku.kernels.engine.hands import RED, after, away, seats_of, wind_of
from jantaku.kernels.engine.sight import is_hidden, shown_count
from jantaku.kernels.engine.state import (
    CALLED,
    CLAIMS,
    DECLARATION,
    NO_ANSWER,
    NO_TILE,
    TSUMOGIRI,
    YOUR_TURN,
)
from jantaku.kernels.engine.wall import dora_indicator, live_left
from jantaku.kernels.win import ANKAN, CHI, NO_MELD, ROUND_WINDS

HAND, HAND_RED, DRAWN, WAITS, OFFERED, INDICATORS, NUMBERS, SEATS = range(8)
(
    DISCARDED,
    RIVER,
    RIVER_RED,
    RIVER_DRAWN,
    RIVER_RIICHI,
    RIVER_CALLED,
    MELDED,
    MELDS,
    SHOWN,
    SHOWN_RED,
) = range(10)
SEAT_ROWS: Final = 10
ROWS: Final = SEATS + 4 * SEAT_ROWS
COLUMNS: Final = 34
HUNDRED: Final = 100
INT16_MIN, INT16_MAX = -32_768, 32_767

(
    OWN_SEAT,  # 0–3, 0 the first dealer
    ROUND_WIND,  # 0–3, East–North
    SEAT_WIND,
    HAND_NUMBER,  # since East 1
    HONBA,
    DEPOSITS,  # sticks on the table
    WALL_LEFT,  # tiles of the live wall
    ASKED,  # 1 if the seat is to act
    OFFERED_BY,  # the seat whose tile is offered, 0 for none
    OFFERED_HOW,  # 0 a discard, 1 a tile added to a pon, 2 a concealed kan, 3 a north set aside
    FURITEN,  # 0 none, 1 by a discard, 2 temporary, 3 in riichi
    UNTOUCHED,  # 1 before the first call of the hand
    INDICATORS_TURNED,
    DECIDING,  # 1 if the dealer, leading after the last hand, may end the game
    TURN,  # whose turn it is
    SCORES,  # four, in hundreds
) = range(16)
IN_RIICHI: Final = SCORES + 4  # four: 0 not, 1 riichi, 2 double riichi
IN_OPEN_RIICHI: Final = SCORES + 8  # four
IPPATSU: Final = SCORES + 12  # four: 1 within a go-around of riichi
DEAD: Final = SCORES + 16  # mask of the seats with a dead hand
NORTHS: Final = SCORES + 17  # norths set aside: the sum of those of relative seat r times 8**r
PLAYERS: Final = SCORES + 18


@kernel
def is_asked(game, seat):
    """Return whether the seat must act."""
    if game.phase == YOUR_TURN:
        return seat == int(game.turn)
    return game.phase == CLAIMS and game.asked[seat] != 0 and game.answer[seat] == NO_ANSWER


@kernel
def _has_drawn(game, seat):
    return game.phase == YOUR_TURN and seat == int(game.turn) and game.drawn != NO_TILE


@kernel
def _own_tiles(game, seat, out):
    """Write the seat's own tiles, its waits, and the tile offered to it."""
    for kind in range(34):
        out[HAND, kind] = game.hand[seat, kind]
        out[HAND_RED, kind] = game.red[seat, kind]
    if _has_drawn(game, seat):
        tile = int(game.drawn)
        out[DRAWN, tile % RED] = 1 + tile // RED
    waits = _waits(game, seat)
    for kind in range(34):
        out[WAITS, kind] = waits >> kind & 1
    if game.phase == CLAIMS and is_asked(game, seat):
        tile = int(game.claimed_tile)
        out[OFFERED, tile % RED] = 1 + tile // RED
        out[NUMBERS, OFFERED_BY] = away(game, seat, int(game.claimed_from))
        out[NUMBERS, OFFERED_HOW] = game.claimed_how


@kernel
def _waits(game, seat):
    """Return the waits of the hand; none between a call and the discard."""
    if game.phase == YOUR_TURN and seat == int(game.turn) and game.drawn == NO_TILE:
        return 0
    return int(game.waits[seat])


@kernel
def _furiten(game, seat):
    return furiten_of(game, seat) if _waits(game, seat) else NOT_FURITEN


@kernel
def _numbers(game, seat, out):
    """Write the row ``NUMBERS``, without the columns by seat, and the row ``INDICATORS``."""
    match = game.match
    number = int(match.number)
    row = out[NUMBERS]
    row[OWN_SEAT] = seat
    row[PLAYERS] = seats_of(game)
    row[ROUND_WIND] = number // seats_of(game) % ROUND_WINDS
    row[SEAT_WIND] = wind_of(game, seat)
    row[HAND_NUMBER] = number
    row[HONBA] = match.honba
    row[DEPOSITS] = match.deposits
    row[WALL_LEFT] = live_left(game)
    row[ASKED] = int(is_asked(game, seat))
    row[FURITEN] = _furiten(game, seat)
    row[UNTOUCHED] = int(game.untouched)
    row[INDICATORS_TURNED] = game.indicators
    row[DECIDING] = game.deciding
    row[TURN] = away(game, seat, int(game.turn))
    for i in range(int(game.indicators)):
        out[INDICATORS, dora_indicator(game, i) % RED] += 1


@kernel
def _river(game, other, rows):
    """Write a seat's discards, by kind and in order."""
    for i in range(int(game.discards[other])):
        tile, marks = int(game.river[other, i]), int(game.river_marks[other, i])
        rows[DISCARDED, tile % RED] += 1
        rows[RIVER, i] = 1 + tile % RED
        rows[RIVER_RED, i] = tile // RED
        rows[RIVER_DRAWN, i] = int(marks & TSUMOGIRI != 0)
        rows[RIVER_RIICHI, i] = int(marks & DECLARATION != 0)
        rows[RIVER_CALLED, i] = int(marks & CALLED != 0)


@kernel
def _melds(game, seat, other, rows):
    """Write the melds of ``other`` as ``seat`` sees them, by kind and one by one."""
    for i in range(int(game.melds[other])):
        meld, first = int(game.meld[other, i]), int(game.meld_first[other, i])
        if is_hidden(game, seat, other, i):
            rows[MELDS, 5 * i] = meld
            continue
        red, bits = 0, int(game.meld_red[other, i])
        for k in range(4):
            red += bits >> k & 1
        if meld == CHI:
            for k in range(3):
                rows[MELDED, first + k] += 1
        elif meld != NO_MELD:
            rows[MELDED, first] += 4 if meld >= ANKAN else 3
        row = rows[MELDS]
        row[5 * i], row[5 * i + 1], row[5 * i + 4] = meld, first + 1, red
        if meld != ANKAN:
            row[5 * i + 2] = 1 + int(game.meld_called[other, i])
            row[5 * i + 3] = game.meld_source[other, i]


@kernel
def _shown(game, other, rows):
    """Write the tiles revealed by an open riichi, without the tile just drawn."""
    drawn = int(game.drawn) if _has_drawn(game, other) else NO_TILE
    for kind in range(34):
        rows[SHOWN, kind] = shown_count(game, other, kind)
        if rows[SHOWN, kind] > 0:
            rows[SHOWN_RED, kind] = int(game.red[other, kind]) - int(drawn == kind + RED)


@routine
def encode(game, seat, out):
    """Write the observation of ``seat`` to ``out`` (``int16[ROWS, 34]``)."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            out[row, column] = 0
    _own_tiles(game, seat, out)
    _numbers(game, seat, out)
    for relative in range(seats_of(game)):
        other = after(game, seat, relative)
        rows = out[SEATS + SEAT_ROWS * relative :]
        _river(game, other, rows)
        _melds(game, seat, other, rows)
        if game.open_riichi[other]:
            _shown(game, other, rows)
        numbers = out[NUMBERS]
        numbers[SCORES + relative] = max(INT16_MIN, min(int(game.match.scores[other]) // HUNDRED, INT16_MAX))
        numbers[IN_RIICHI + relative] = game.riichi[other]
        numbers[IN_OPEN_RIICHI + relative] = game.open_riichi[other]
        numbers[IPPATSU + relative] = int(game.ippatsu[other] != 0)
        numbers[DEAD] |= int(game.dead[other] != 0) << relative
        numbers[NORTHS] |= int(game.kita[other]) << 3 * relative
