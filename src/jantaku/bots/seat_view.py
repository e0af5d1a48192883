"""Everything a bot may know: one record of the table as its seat sees it.

Seats are relative: 0 is the bot's own, 1 the seat to its right (the next to play), 2 across, 3 to its left.
"""

from typing import Final

import numpy as np

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.final_points import place_of
from jantaku.kernels.engine.hands import NORTH, RED, after, away, dealer, seats_of
from jantaku.kernels.engine.sight import is_hidden, shown_count
from jantaku.kernels.engine.state import CALLED, CLAIMS, DECLARATION, NO_TILE, RIVER_ROOM, YOUR_TURN
from jantaku.kernels.engine.wall import MAX_INDICATORS, dora_indicator, live_left
from jantaku.kernels.win import ANKAN, CHI, NO_MELD
from jantaku.tiles import COPIES, KINDS

MAX_MELDS: Final = 4

SEAT_VIEW: Final = np.dtype(
    (
        np.record,
        [
            # the match
            ("seats", np.uint8),  # number of players; arrays always have four entries
            ("scores", np.int64, 4),
            ("places", np.uint8, 4),  # 0 for first place
            ("number", np.int16),  # hands since East 1: wind = number // seats
            ("dealer", np.int16),  # relative, like every seat here
            ("honba", np.int16),
            ("deposits", np.int16),
            ("has_won", np.uint8),  # whether the seat has won a hand of the game
            # the hand
            ("absent", np.int64),  # mask of the kinds missing from the set
            ("live_left", np.int16),
            ("kans", np.int16),  # by all players
            ("indicators", np.uint8, MAX_INDICATORS),  # NO_TILE for those not turned
            ("untouched", np.uint8),  # no call or kan yet
            ("after_kan", np.uint8),
            # the seat's own tiles
            ("hand", np.uint8, KINDS),
            ("red", np.uint8, KINDS),
            ("drawn", np.uint8),  # NO_TILE after a call or on another seat's turn
            ("barred", np.int64),  # kinds that kuikae forbids this turn
            ("furiten", np.uint8),  # temporary or riichi furiten
            # what everyone sees, by seat
            ("meld", np.uint8, (4, 4)),
            ("meld_first", np.uint8, (4, 4)),  # NO_TILE for a face-down ankan
            ("meld_red", np.uint8, (4, 4)),
            ("melds", np.uint8, 4),
            ("kita", np.uint8, 4),  # norths set aside
            ("river", np.uint8, (4, RIVER_ROOM)),
            ("river_marks", np.uint8, (4, RIVER_ROOM)),
            ("discards", np.uint8, 4),
            ("discarded", np.int64, 4),
            ("riichi", np.uint8, 4),
            ("open_riichi", np.uint8, 4),
            ("ippatsu", np.uint8, 4),
            ("dead", np.uint8, 4),
            ("shown", np.uint8, (4, KINDS)),  # tiles shown by open riichi, excluding a drawn one
            # the tile on offer
            ("claimed", np.uint8),  # NO_TILE if the seat has no claim on a tile
            ("claimed_from", np.uint8),
            ("claimed_how", np.uint8),
            # inferred facts
            ("passed", np.int64, 4),  # kinds discarded by others since the seat's last discard
            ("passed_riichi", np.int64, 4),  # kinds discarded since its riichi, including its riichi tile
            # tiles of each kind that cannot be drawn: visible, own, or not in the set
            ("seen", np.uint8, KINDS),
        ],
    ),
    align=True,
)


@routine
def write_seat_view(game, seat, view):
    """Write what ``seat`` sees of a ``GAME`` to ``view`` (a ``SEAT_VIEW``)."""
    _write_match(game, seat, view)
    _write_own(game, seat, view)
    for other in range(seats_of(game)):
        _write_open(game, seat, other, view)
    _write_claim(game, seat, view)
    _write_passed(game, seat, view)
    _count_seen(view)


@kernel
def _write_match(game, seat, view):
    match = game.match
    view.seats = match.seats
    for other in range(seats_of(game)):
        view.scores[other] = match.scores[after(game, seat, other)]
        view.places[other] = place_of(match, after(game, seat, other))
    view.number = match.number
    view.dealer = away(game, seat, dealer(game))
    view.honba = match.honba
    view.deposits = match.deposits
    view.has_won = int(match.winners) >> seat & 1
    view.absent = game.absent
    view.live_left = live_left(game)
    view.kans = game.kans
    for i in range(MAX_INDICATORS):
        view.indicators[i] = dora_indicator(game, i) if i < int(game.indicators) else NO_TILE
    view.untouched = game.untouched
    view.after_kan = game.after_kan


@kernel
def _write_own(game, seat, view):
    own = game.phase == YOUR_TURN and int(game.turn) == seat
    for kind in range(KINDS):
        view.hand[kind] = game.hand[seat, kind]
        view.red[kind] = game.red[seat, kind]
    view.drawn = int(game.drawn) if own else NO_TILE
    view.barred = int(game.barred) if own else 0
    view.furiten = int(game.furiten_passing[seat]) | int(game.furiten_lasting[seat])


@kernel
def _write_melds(game, own, turn, view):
    """Write the melds of the seat ``turn`` turns to the right of ``own``, as ``own`` sees them."""
    seat = after(game, own, turn)
    for i in range(4):
        view.meld[turn, i] = game.meld[seat, i]
        laid = int(game.meld[seat, i]) != NO_MELD
        view.meld_first[turn, i] = int(game.meld_first[seat, i]) if laid else 0
        view.meld_red[turn, i] = game.meld_red[seat, i]
        if is_hidden(game, own, seat, i):
            view.meld_first[turn, i], view.meld_red[turn, i] = NO_TILE, 0


@kernel
def _write_open(game, own, turn, view):
    """Write what is visible of the seat ``turn`` turns to the right of ``own``."""
    seat = after(game, own, turn)
    _write_melds(game, own, turn, view)
    for i in range(RIVER_ROOM):
        here = i < int(game.discards[seat])
        view.river[turn, i] = int(game.river[seat, i]) if here else NO_TILE
        view.river_marks[turn, i] = game.river_marks[seat, i]
    view.melds[turn] = game.melds[seat]
    view.kita[turn] = game.kita[seat]
    view.discards[turn] = game.discards[seat]
    view.discarded[turn] = game.discarded[seat]
    view.riichi[turn] = game.riichi[seat]
    view.open_riichi[turn] = game.open_riichi[seat]
    view.ippatsu[turn] = game.ippatsu[seat]
    view.dead[turn] = game.dead[seat]
    for kind in range(KINDS):
        view.shown[turn, kind] = shown_count(game, seat, kind)


@kernel
def _write_claim(game, seat, view):
    offered = game.phase == CLAIMS and game.asked[seat] != 0
    view.claimed = int(game.claimed_tile) if offered else NO_TILE
    view.claimed_from = away(game, seat, int(game.claimed_from)) if offered else 0
    view.claimed_how = int(game.claimed_how) if offered else 0


@kernel
def next_call(game, seat, laid):
    """Return the index of the seat's first called meld from ``laid`` on, ``MAX_MELDS`` if there is none."""
    for i in range(laid, int(game.melds[seat])):
        if int(game.meld[seat, i]) != ANKAN:
            return i
    return MAX_MELDS


@kernel
def caller_of(game, seat, tile, laid):
    """Return the seat that called ``tile`` from ``seat``.

    ``laid`` has four bits for each seat: how many of its melds have been replayed.
    """
    for turn in range(1, seats_of(game)):
        other = after(game, seat, turn)
        index = next_call(game, other, laid >> 4 * other & 15)
        if index == MAX_MELDS or int(game.meld_source[other, index]) != away(game, other, seat):
            continue
        if int(game.meld_called[other, index]) == tile:
            return other
    return after(game, seat, 1)


@kernel
def _write_passed(game, seat, view):
    """Write ``passed``, replaying the discards in the order that rivers and melds imply."""
    for other in range(seats_of(game)):
        view.passed[other] = view.passed_riichi[other] = 0
    turn, laid, replayed, in_riichi = dealer(game), 0, 0, 0
    for _ in range(seats_of(game) * RIVER_ROOM):
        index = replayed >> 8 * turn & 255
        if index >= int(game.discards[turn]):
            break
        replayed += 1 << 8 * turn
        tile, marks = int(game.river[turn, index]), int(game.river_marks[turn, index])
        if marks & DECLARATION:
            in_riichi |= 1 << turn
        bit = 1 << tile % RED
        for other in range(seats_of(game)):
            relative = away(game, seat, other)
            view.passed[relative] = 0 if other == turn else int(view.passed[relative]) | bit
            if in_riichi >> other & 1:
                view.passed_riichi[relative] |= bit
        if marks & CALLED:
            caller = caller_of(game, turn, tile, laid)
            next_meld = next_call(game, caller, laid >> 4 * caller & 15) + 1
            laid = laid & ~(15 << 4 * caller) | next_meld << 4 * caller
            turn = caller
        else:
            turn = after(game, turn, 1)


@kernel
def _count_seen(view):
    for kind in range(KINDS):
        view.seen[kind] = view.hand[kind]
    for i in range(MAX_INDICATORS):
        if int(view.indicators[i]) != NO_TILE:
            view.seen[int(view.indicators[i]) % RED] += 1
    for seat in range(int(view.seats)):
        for i in range(int(view.discards[seat])):
            if int(view.river_marks[seat, i]) & CALLED == 0:
                view.seen[int(view.river[seat, i]) % RED] += 1
        view.seen[NORTH] += view.kita[seat]
        _count_melds(view, seat)
    for kind in range(KINDS):
        for seat in range(1, int(view.seats)):
            view.seen[kind] += view.shown[seat, kind]
        absent = int(view.absent) >> kind & 1 != 0
        view.seen[kind] = COPIES if absent else min(int(view.seen[kind]), COPIES)


@kernel
def _count_melds(view, seat):
    for i in range(int(view.melds[seat])):
        first = int(view.meld_first[seat, i])
        if first == NO_TILE:
            continue
        if int(view.meld[seat, i]) == CHI:
            for k in range(3):
                view.seen[first + k] += 1
        else:
            view.seen[first] += 4 if int(view.meld[seat, i]) >= ANKAN else 3
