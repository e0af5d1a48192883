"""The two dice that say at whose wall the deal begins (割れ目, inventory d37).

They follow from the tiles dealt, so that the same deal has the same dice wherever it is dealt again: from a
seed, from a wall, or from a record of another program, which shows each hand without the order of its tiles.
Nobody can tell them from one hand alone.
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
    """The sum of two dice, each of their faces as likely as another, from the hands just dealt."""
    mixed = 1 + dora_indicator(game, 0)
    for turn in range(seats_of(game)):
        seat = after(game, dealer(game), turn)
        for kind in range(34):
            held = int(game.hand[seat, kind]) + 5 * int(game.red[seat, kind])
            mixed = (mixed * _FACTOR + held) % _PRIME
    return mixed % FACES + mixed // FACES % FACES + 2


@kernel
def wall_broken(game):
    """The seat at whose wall the deal begins: counted from the dealer, who is 1, as far as the dice say."""
    return after(game, dealer(game), (dice_total(game) - 1) % seats_of(game))
