"""The two dice that decide at whose wall the deal begins (割れ目, inventory d37).

They are derived from the tiles dealt, so that the same deal always has the same dice, whether it is repeated
from a seed, from a wall or from another program's record, which lists each hand without the order of its
tiles. A single hand does not reveal them.
"""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.hands import after, dealer, seats_of
from jantaku.kernels.engine.wall import dora_indicator

_PRIME: Final = 2**31 - 1
_FACTOR: Final = 48271
FACES: Final = 6


@kernel
def dice_total(game):
    """Return the sum of two dice with equally likely faces, derived from the hands just dealt."""
    mixed = 1 + dora_indicator(game, 0)
    for turn in range(seats_of(game)):
        seat = after(game, dealer(game), turn)
        for kind in range(34):
            held = int(game.hand[seat, kind]) + 5 * int(game.red[seat, kind])
            mixed = (mixed * _FACTOR + held) % _PRIME
    return mixed % FACES + mixed // FACES % FACES + 2


@kernel
def wall_broken(game):
    """Return the seat at whose wall the deal begins: the dice are counted out from the dealer, who is 1."""
    return after(game, dealer(game), (dice_total(game) - 1) % seats_of(game))
