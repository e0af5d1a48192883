"""Liability (pao) of a seat that feeds the set that makes a yakuman certain (inventory 394–399).

``payments.py`` computes what liable seats pay.
"""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import away
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.kernels.masks import DRAGONS, WINDS, popcount
from jantaku.kernels.win import ANKAN, CHI


@routine
def note_liability(game, seat, source, called, kan, rules):
    """Record the seat that this call makes liable for a yakuman."""
    triplets = quads = 0
    for i in range(int(game.melds[seat])):
        bit = 1 << int(game.meld_first[seat, i])
        triplets |= bit if game.meld[seat, i] != CHI else 0
        quads += int(game.meld[seat, i] >= ANKAN)
    liable = int(rules.yaku.liable)
    completed = 0
    if popcount(triplets & DRAGONS) == 3 and DRAGONS >> called & 1:
        completed |= 1 << bits.DAISANGEN
    if popcount(triplets & WINDS) == 4:
        completed |= 1 << bits.DAISUUSHII
    if kan and quads == 4:
        completed |= 1 << bits.SUUKANTSU
    if popcount(triplets) == 4 and four_in_a_row(triplets):
        completed |= 1 << bits.SUURENKOU
    completed &= liable
    for yaku in (bits.DAISANGEN, bits.DAISUUSHII, bits.SUUKANTSU, bits.SUURENKOU):
        if completed >> yaku & 1:
            for i in range(2):
                if game.liable_yaku[seat, i] == NO_SEAT:
                    game.liable_yaku[seat, i] = yaku
                    game.liable_seat[seat, i] = away(game, seat, source)
                    break


@kernel
def four_in_a_row(triplets):
    """Return whether there are four consecutive triplets of one suit."""
    row = triplets & triplets >> 1 & triplets >> 2 & triplets >> 3
    return row & (0b111111 | 0b111111 << 9 | 0b111111 << 18) != 0
