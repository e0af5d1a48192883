"""The record of a win: everything that determines its value, of fixed size.

``situation`` has the bits below; seats and winds are 0–3 for East to North. ``hand`` counts the concealed
tiles, including the winning tile; ``meld`` is the type of each meld (``NO_MELD`` if there is none) and
``meld_first`` its lowest tile. ``dora`` and ``ura`` are indicators as kinds, ``NO_TILE`` if not turned.
``source`` is the discarder of a ron relative to the winner: 1 right, 2 across, 3 left; with three players, 2
and 3 are the same. ``liable_yaku`` is the bit of a yaku (``NOBODY`` if unused) and ``liable_seat`` the player
liable for it, relative to the winner in the same way. ``laid`` of the ``deposits`` were laid in this hand;
``kita`` is the number of norths set aside, ``red`` the number of red tiles, and ``red_kinds`` the mask of
their kinds. ``wareme`` is 1 + the seat at whose wall the deal began, 0 if unknown. ``said`` has a bit for
each known field among ``turn`` (1 + the number of the winner's discards), ``score`` (the winner's points
before the win) and ``discarded`` (the mask of kinds discarded by the winner).
"""

from typing import Final

import numpy as np

NO_MELD, CHI, PON, ANKAN, DAIMINKAN, KAKAN = range(6)
NO_TILE: Final = 255
NOBODY: Final = 255
RIGHT, ACROSS = 1, 2  # values of ``source``; 3 is left
MAX_SEATS: Final = 4
ROUND_WINDS: Final = 4  # rounds are named East, South, West, North, then East again

TSUMO: Final = 1 << 0
IN_RIICHI: Final = 1 << 1
IN_DOUBLE_RIICHI: Final = 1 << 2
IN_OPEN_RIICHI: Final = 1 << 3
ONE_SHOT: Final = 1 << 4
LAST_TILE: Final = 1 << 5
AFTER_KAN: Final = 1 << 6
ROBBING_KAN: Final = 1 << 7
FIRST_TURN: Final = 1 << 8
RIICHI_TILE: Final = 1 << 9
IN_FURITEN: Final = 1 << 10
DISCARDER_IN_RIICHI: Final = 1 << 11
FINAL_HAND: Final = 1 << 12
KAN_DISCARD: Final = 1 << 13  # a ron on the discard after the replacement tile of a kan

SAID_TURN, SAID_SCORE, SAID_DISCARDED = 1, 2, 4  # bits of ``said``
SAID_ALL: Final = SAID_TURN | SAID_SCORE | SAID_DISCARDED

WIN: Final = np.dtype(
    (
        np.record,
        [
            ("red_kinds", np.int64),
            ("score", np.int64),
            ("discarded", np.int64),
            ("situation", np.int32),
            ("honba", np.int32),
            ("deposits", np.int32),
            ("laid", np.int32),
            ("streak", np.int32),
            ("hand", np.uint8, 34),
            ("meld", np.uint8, 4),
            ("meld_first", np.uint8, 4),
            ("win_kind", np.uint8),
            ("seat", np.uint8),
            ("round_wind", np.uint8),
            ("source", np.uint8),
            ("red", np.uint8),
            ("dora", np.uint8, 5),
            ("ura", np.uint8, 5),
            ("liable_yaku", np.uint8, 3),
            ("liable_seat", np.uint8, 3),
            ("kita", np.uint8),
            ("wareme", np.uint8),
            ("turn", np.uint8),
            ("said", np.uint8),
        ],
    )
)
PACKED: Final = (
    # the same for ``struct``, with each ``meld`` and ``liable`` field as one byte string
    "<3q5i34s8s5B5s5s6s4B"
)

# Reasons why a hand does not win, or NO_ERROR
NO_ERROR, NOT_COMPLETE, NO_YAKU, TWO_HAN_MINIMUM, FURITEN = range(5)

# Columns of a result, ``int64[RESULT]``: ``STANDS_FOR`` is 1 + the kind that the drawn tile stands for, 0 for
# itself; payments are by wind; the reading and the fu items come last
(
    ERROR,
    BASE,
    HAN,
    FU,
    YAKUMAN,
    LIMIT,
    YAKU,
    OWN_YAKU,
    DORA,
    RED,
    URA,
    KITA,
    KANS,
    STANDS_FOR,
    POINTS,
    PAYMENT,
    _PAY_2,
    _PAY_3,
    _PAY_4,
    READING,
) = range(20)

# Limits, lowest first
NO_LIMIT, MANGAN, HANEMAN, BAIMAN, SANBAIMAN, KAZOE_YAKUMAN, YAKUMAN_LIMIT = range(7)
LIMITS: Final = (None, "mangan", "haneman", "baiman", "sanbaiman", "kazoe_yakuman", "yakuman")
