"""A seat's hand (tiles, melds and waits) and the seats around it."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.waits import wait_mask
from jantaku.kernels.win import ANKAN, CHI, NO_MELD

RED = 34
NORTH = 30


@kernel
def dealer(game):
    """Return the seat that is East in this hand."""
    return int(game.match.number) % int(game.match.seats)


@kernel
def seats_of(game):
    """Return the number of players."""
    return int(game.match.seats)


@kernel
def after(game, seat, turns):
    """Return the seat that comes ``turns`` turns after ``seat``."""
    return (seat + turns) % int(game.match.seats)


@kernel
def away(game, seat, other):
    """Return how many turns ``other`` comes after ``seat``."""
    return (other - seat) % int(game.match.seats)


@kernel
def wind_of(game, seat):
    """Return the seat's wind, 0–3 for East to North."""
    return away(game, dealer(game), seat)


@kernel
def add_to_hand(game, seat, tile):
    """Add a tile to the hand."""
    game.hand[seat, tile % RED] += 1
    if tile >= RED:
        game.red[seat, tile % RED] += 1


@kernel
def remove_from_hand(game, seat, tile):
    """Remove a tile from the hand."""
    game.hand[seat, tile % RED] -= 1
    if tile >= RED:
        game.red[seat, tile % RED] -= 1


@kernel
def holds(game, seat, tile):
    """Return how many copies of the exact tile, red or plain, the hand holds."""
    kind = tile % RED
    red = int(game.red[seat, kind])
    return red if tile >= RED else int(game.hand[seat, kind]) - red


@kernel
def is_closed(game, seat):
    """Return whether the seat has no open meld."""
    for i in range(4):
        meld = int(game.meld[seat, i])
        if meld != NO_MELD and meld != ANKAN:
            return False
    return True


@kernel
def count_held(game, seat, held):
    """Count the seat's tiles in ``held`` (``uint8[34]``), including norths set aside.

    A kind with four tiles cannot be a wait. Tiles in melds count too, unless the rules consider a hand tenpai
    that waits for them (``draw.wait_in_melds``).
    """
    for kind in range(34):
        held[kind] = game.hand[seat, kind]
    held[NORTH] += game.kita[seat]
    for i in range(int(game.melds[seat]) * int(game.melds_count)):
        meld, first = int(game.meld[seat, i]), int(game.meld_first[seat, i])
        if meld == CHI:
            for k in range(3):
                held[first + k] += 1
        else:
            held[first] += 4 if meld >= ANKAN else 3


@routine
def update_waits(game, seat, context):
    """Recompute the waits of the seat's hand of 13 tiles."""
    count_held(game, seat, context.held)
    game.waits[seat] = wait_mask(
        game.hand[seat], context.held, int(game.melds[seat]), context.tables, context.scratch
    )


@kernel
def kans_of(game, seat):
    """Return how many kans the seat has."""
    count = 0
    for i in range(4):
        count += int(game.meld[seat, i] >= ANKAN)
    return count


@kernel
def first_turn(game, seat):
    """Return whether the first go-around is untouched and the seat has not discarded."""
    return game.untouched != 0 and game.discards[seat] == 0
