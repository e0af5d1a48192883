"""One reading of a winning hand, packed into integers for the yaku predicates."""

from typing import NamedTuple

# Forms of a hand, and how the winning tile completed it
STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, UNCONNECTED, FOUR_KANS = range(5)
RYANMEN, SHANPON, KANCHAN, PENCHAN, TANKI, NO_WAIT = range(6)

# Columns of a row of the readings buffer, ``int64[MAX_READINGS, ROW]``
ROW_RUNS, ROW_TWICE, ROW_TRIPLETS, ROW_CONCEALED, ROW_QUADS, ROW_PAIRS, ROW_WAIT, ROW_FORM = range(8)
ROW = 8
MAX_READINGS = 64  # a test checks every one-suit hand


class PackedReading(NamedTuple):
    """The input of a yaku predicate. Masks have bit ``k`` for kind ``k``; a run is its lowest kind.

    ``runs``: kinds at which runs begin; ``twice``: number of pairs of identical concealed runs; ``triplets``:
    triplets and quads; ``concealed``: the concealed ones among them; ``quads``; ``pairs``: the pair, or all
    seven; ``kinds``: every kind in the hand; ``two``, ``three``, ``four``: kinds held at least that often,
    including melds; ``win``: the winning tile; ``seat``, ``round``: the two winds; ``wait``, ``form``: see
    above; ``closed``: 1 or 0; ``melds``: their number; ``flags``: the bits of ``kernels.win`` (``TSUMO``,
    ``LAST_TILE``, ``KAN_DISCARD`` …); ``streak``: consecutive wins of the dealer, including this one;
    ``valued``: kinds that are yakuhai for everyone; ``red``: kinds of which the hand has a red tile,
    including melds and the winning tile; ``reds``: number of red tiles; ``honba``, ``dora``, ``ura``: their
    numbers; ``kita``: number of norths set aside; ``turn``, ``score``, ``discarded`` and ``said``: as in a
    ``WIN``.
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
