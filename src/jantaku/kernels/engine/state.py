"""The record of a whole game, fixed in size; only ``step`` changes it.

Seats are 0–3 in turn order, seat 0 the first dealer. A *tile* is a kind, plus 34 if it is red
(``jantaku.tiles``). The ruleset gives the number of seats and tiles. ``wall`` holds the deal and the live
wall from index 0 on and the dead wall at its end (``kernels.engine.wall``). ``answer`` keeps the answers to a
discard until every seat that was asked has answered.
"""

from typing import Final

import numpy as np

from jantaku.kernels.value import RESULT
from jantaku.kernels.win import WIN

# What the game waits for
YOUR_TURN, CLAIMS, HAND_OVER, GAME_OVER = range(4)

# How a hand ended
(
    RUNNING,
    WON,
    EXHAUSTED,
    KYUUSHU_KYUUHAI,
    SUUFUU_RENDA,
    SUUCHA_RIICHI,
    SUUKANSANRA,
    SANCHAHOU,
    VOIDED,
) = range(9)

# How the offered tile was played: discarded, added to a pon, part of a concealed kan, or set aside as a dora
DISCARDED, ADDED, CONCEALED, SET_ASIDE = range(4)

# Which deposits went to winners: none, all, or only those laid in the hand itself
NONE_TAKEN, ALL_TAKEN, LAID_TAKEN = range(3)

RIICHI, DOUBLE_RIICHI = 1, 2  # 0 is neither

RIVER_ROOM: Final = 32
TSUMOGIRI, DECLARATION, CALLED, FOLLOWED_KAN = 1, 2, 4, 8  # marks of a tile in a river

NO_SEAT: Final = 255
NO_TILE: Final = 255
NO_ANSWER: Final = -1

MOST_WINS: Final = 3  # of one hand
MOST_TILES: Final = 136

MATCH: Final = np.dtype(
    (
        np.record,
        [
            ("seats", np.uint8),  # the number of players; arrays always have four entries
            ("scores", np.int64, 4),
            ("deposits", np.int16),  # sticks on the table
            ("deposits_of", np.int16, 4),  # who put them there
            ("honba", np.int16),
            ("number", np.int16),  # since East 1: wind = number // seats, dealer = number % seats
            ("streak", np.int16),  # the dealer's wins in a row
            ("over", np.uint8),
            ("penalties", np.int64, 4),  # deducted from the final points
            ("chips", np.int32, 4),  # what each seat has won or paid in chips
            ("winners", np.uint8),  # who has won a hand of the game, a mask
            ("yakitori", np.int64, 4),  # what each seat gets or pays for yakitori, once over
            ("final", np.int64, 4),  # with oka and uma, once over
            ("place", np.uint8, 4),  # 1–4, once over; players who tie may share one
        ],
    ),
    align=True,
)

OUTCOME: Final = np.dtype(
    (
        np.record,
        [
            ("ended", np.uint8),
            ("winners", np.uint8),  # masks of seats
            ("tenpai", np.uint8),
            ("nagashi", np.uint8),
            ("discarder", np.uint8),
            ("took_deposits", np.uint8),  # ``NONE_TAKEN`` …
            ("laid", np.int16, 4),  # the deposits that each seat has laid in this hand
            ("offenders", np.uint8),  # whose chombo voided the hand, a mask
            ("delta", np.int64, 4),  # what each seat wins or pays in the hand, deposits included
            ("chips", np.int32, 4),  # the same in chips
        ],
    ),
    align=True,
)

GAME: Final = np.dtype(
    (
        np.record,
        [
            ("match", MATCH),
            ("outcome", OUTCOME),
            # the wins of the hand, the nearest to the discarder first, as they were settled
            ("won_by", np.uint8, MOST_WINS),  # the seat, NO_SEAT where there are fewer wins
            ("wins", WIN, MOST_WINS),
            ("results", np.int64, (MOST_WINS, RESULT)),  # columns as in ``kernels.win``
            # the wall
            ("wall", np.uint8, MOST_TILES),
            ("tiles", np.int16),  # the number of tiles in the wall
            ("absent", np.int64),  # the kinds that the set does not have, a mask
            ("melds_count", np.uint8),  # whether a wait is none if all its tiles lie in the seat's own melds
            ("dead_wall", np.int16),  # how many of them form the dead wall
            ("rinshan", np.int16),  # how many tiles of the dead wall may be drawn
            ("drawn_live", np.int16),  # index of the next tile to deal or draw
            ("drawn_rinshan", np.int16),  # how many rinshan tiles have been drawn
            ("kans", np.int16),  # how many kans have drawn one of them
            ("indicators", np.int16),  # how many dora indicators are turned
            ("after_discard", np.int16),  # indicators to be turned after the discard
            # the hands
            ("hand", np.uint8, (4, 34)),
            ("red", np.uint8, (4, 34)),
            ("meld", np.uint8, (4, 4)),
            ("meld_first", np.uint8, (4, 4)),
            ("meld_called", np.uint8, (4, 4)),
            ("meld_source", np.uint8, (4, 4)),
            ("meld_red", np.uint8, (4, 4)),
            ("melds", np.uint8, 4),
            ("kita", np.uint8, 4),  # how many norths the seat has set aside
            ("river", np.uint8, (4, RIVER_ROOM)),
            ("river_marks", np.uint8, (4, RIVER_ROOM)),
            ("discards", np.uint8, 4),
            ("discarded", np.int64, 4),  # kinds ever discarded
            ("waits", np.int64, 4),  # kinds that complete the hand of 13, 0 when not tenpai
            ("riichi", np.uint8, 4),
            ("open_riichi", np.uint8, 4),
            ("shown", np.int64, 4),  # kinds of the hand that its open riichi shows
            ("ippatsu", np.uint8, 4),
            ("furiten_passing", np.uint8, 4),
            ("furiten_lasting", np.uint8, 4),
            ("dead", np.uint8, 4),  # may not win or call any more
            ("noten", np.uint8, 4),  # counts as noten at a draw
            ("illegal_kan", np.uint8, 4),  # has declared a kan that riichi forbids
            ("fouls", np.uint8, 4),  # how many in this hand
            ("foul", np.uint8, 4),  # the last one (``kernels.rules.FOULS``)
            ("foul_cost", np.uint8, 4),
            ("earlier_foul", np.uint8, 4),  # the one before: a step may charge a claim and what a draw shows
            ("earlier_cost", np.uint8, 4),
            ("fouled", np.uint8, 4),  # has committed a foul since the last discard
            ("liable_yaku", np.uint8, (4, 3)),
            ("liable_seat", np.uint8, (4, 3)),
            ("has_wareme", np.uint8),  # whether the rules ask at whose wall the deal begins
            ("wareme", np.uint8),  # 1 + that seat, 0 if they do not
            ("face_down", np.uint8),  # all four tiles of an ankan lie face down: only its owner knows them
            # the current turn
            ("phase", np.uint8),
            ("turn", np.uint8),
            ("drawn", np.uint8),  # the tile drawn this turn, NO_TILE after a call
            ("untouched", np.uint8),  # no call and no kan yet
            ("opened", np.uint8),  # somebody has called a discard
            ("after_kan", np.uint8),
            ("feeder", np.uint8),  # who fed the open kan that the rinshan tile follows
            ("deciding", np.uint8),  # the dealer is deciding whether to end the game
            ("declaring", np.uint8),  # the offered tile declares riichi
            ("barred", np.int64),  # kinds that kuikae forbids this turn
            ("claimed_tile", np.uint8),
            ("claimed_from", np.uint8),
            ("claimed_how", np.uint8),
            ("asked", np.uint8, 4),
            ("answer", np.int16, 4),
        ],
    ),
    align=True,
)
