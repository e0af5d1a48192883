"""One reading of a winning hand as a few integers, for the yaku predicates."""

from typing import NamedTuple

# The forms of a hand, and how the winning tile completed it
STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, UNCONNECTED, FOUR_KANS = range(5)
RYANMEN, SHANPON, KANCHAN, PENCHAN, TANKI, NO_WAIT = range(6)

# Columns of a row of the readings buffer, ``int64[MOST_READINGS, ROW]``
ROW_RUNS, ROW_TWICE, ROW_TRIPLETS, ROW_CONCEALED, ROW_QUADS, ROW_PAIRS, ROW_WAIT, ROW_FORM = range(8)
ROW = 8
MOST_READINGS = 64  # a test checks every one-suit hand


class PackedReading(NamedTuple):
    """What a yaku predicate can see. Masks have bit ``k`` for kind ``k``; a run is its lowest kind.

    ``runs``: kinds at which runs begin; ``twice``: how many pairs of identical concealed runs there are;
    ``triplets``: triplets and quads; ``concealed``: those of them that are concealed; ``quads``;
    ``pairs``: the pair, or all seven; ``kinds``: every kind in the hand; ``two``, ``three``, ``four``: kinds
    held at least so often, melds included; ``win``: the winning tile; ``seat``, ``round``: the two winds;
    ``wait``, ``form``: see above; ``closed``: 1 or 0; ``melds``: their number; ``flags``: the bits of
    ``kernels.win`` (``TSUMO``, ``LAST_TILE``, ``KAN_DISCARD`` …); ``streak``: the dealer's wins in a row,
    this one included; ``valued``: the kinds that are yakuhai for everybody; ``red``: the kinds of which a red
    tile is in the hand, melds and winning tile included; ``reds``: how many red tiles there are; ``honba``,
    ``dora``, ``ura``: their numbers; ``kita``: the norths set aside; ``turn``, ``score``, ``discarded`` and
    ``said``: as in a ``WIN``.
    """

    runs: int
    twice: int
    triplets: int
    concealed: int
    quads: int
    pairs: int
    kinds: int
    two: int
    three: int
    four: int
    win: int
    seat: int
    round: int
    wait: int
    form: int
    closed: int
    melds: int
    flags: int
    streak: int
    valued: int
    red: int
    reds: int
    honba: int
    dora: int
    ura: int
    kita: int
    turn: int
    score: int
    discarded: int
    said: int
