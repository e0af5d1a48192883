"""The record of a whole game, of fixed size; only ``step`` changes it.

Seats are 0–3 in turn order, seat 0 being the first dealer. A *tile* is a kind, plus 34 if it is red
(``jantaku.tiles``). The ruleset determines the number of seats and tiles. ``wall`` starts with the deal and
the live wall and ends with the dead wall (``kernels.engine.wall``). ``answer`` collects the answers to a
discard until every seat with a claim has answered.
"""

from typing import Final

import numpy as np

from jantaku.kernels.value import RESULT
from jantaku.kernels.win import WIN

# Phases of a hand
YOUR_TURN, CLAIMS, HAND_OVER, GAME_OVER = range(4)

# Endings of a hand
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

# Deposits collected by winners: none, all, or only those laid in the hand itself
NONE_TAKEN, ALL_TAKEN, LAID_TAKEN = range(3)

RIICHI, DOUBLE_RIICHI = 1, 2  # 0: neither

RIVER_ROOM: Final = 32
TSUMOGIRI, DECLARATION, CALLED, FOLLOWED_KAN = 1, 2, 4, 8  # marks of a tile in a river

NO_SEAT: Final = 255
NO_TILE: Final = 255
NO_ANSWER: Final = -1

MAX_WINS: Final = 3  # of one hand
MAX_TILES: Final = 136

MATCH: Final = np.dtype(
    (
        np.record,
        [
            ("seats", np.uint8),  # number of players; arrays always have four entries
            ("scores", np.int64, 4),
            ("deposits", np.int16),  # sticks on the table
            ("deposits_of", np.int16, 4),  # sticks by the seat that laid them
            ("honba", np.int16),
            ("number", np.int16),  # hands since East 1: wind = number // seats, dealer = number % seats
            ("streak", np.int16),  # consecutive wins of the dealer
            ("over", np.uint8),
            ("penalties", np.int64, 4),  # deducted from the final points
            ("chips", np.int32, 4),  # chips each seat has won (negative: paid)
            ("winners", np.uint8),  # mask of seats that have won a hand of the game
            ("yakitori", np.int64, 4),  # yakitori points of each seat, set when the game is over
            ("final", np.int64, 4),  # final points with oka and uma, set when the game is over
            ("place", np.uint8, 4),  # 1–4, set when the game is over; tied players may share a place
        ],
    ),
    align=True,
)

OUTCOME: Final = np.dtype(
    (
        np.record,
        [
            ("ended", np.uint8),
            ("winners", np.uint8),  # mask of seats, as are ``tenpai`` and ``nagashi``
            ("tenpai", np.uint8),
            ("nagashi", np.uint8),
            ("discarder", np.uint8),
            ("took_deposits", np.uint8),  # ``NONE_TAKEN`` …
            ("laid", np.int16, 4),  # deposits that each seat laid in this hand
            ("offenders", np.uint8),  # mask of the seats whose chombo voided the hand
            ("delta", np.int64, 4),  # points each seat gains or loses in the hand, including deposits
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
            # the settled wins of the hand, nearest to the discarder first
            ("won_by", np.uint8, MAX_WINS),  # the seat, NO_SEAT in unused entries
            ("wins", WIN, MAX_WINS),
            ("results", np.int64, (MAX_WINS, RESULT)),  # columns as in ``kernels.win``
            # the wall
            ("wall", np.uint8, MAX_TILES),
            ("tiles", np.int16),  # number of tiles in the wall
            ("absent", np.int64),  # mask of the kinds missing from the set
            # whether melds count towards the four tiles that rule out a wait
            ("melds_count", np.uint8),
            ("dead_wall", np.int16),  # how many tiles form the dead wall
            ("rinshan", np.int16),  # how many tiles of the dead wall may be drawn
            ("drawn_live", np.int16),  # index of the next tile to deal or draw
            ("drawn_rinshan", np.int16),  # number of rinshan tiles drawn
            ("kans", np.int16),  # number of kans that have drawn a rinshan tile
            ("indicators", np.int16),  # number of dora indicators turned
            ("after_discard", np.int16),  # indicators scheduled for after the discard
            # the hands
            ("hand", np.uint8, (4, 34)),
            ("red", np.uint8, (4, 34)),
            ("meld", np.uint8, (4, 4)),
            ("meld_first", np.uint8, (4, 4)),
            ("meld_called", np.uint8, (4, 4)),
            ("meld_source", np.uint8, (4, 4)),
            ("meld_red", np.uint8, (4, 4)),
            ("melds", np.uint8, 4),
            ("kita", np.uint8, 4),  # number of norths set aside
            ("river", np.uint8, (4, RIVER_ROOM)),
            ("river_marks", np.uint8, (4, RIVER_ROOM)),
            ("discards", np.uint8, 4),
            ("discarded", np.int64, 4),  # mask of kinds ever discarded
            ("waits", np.int64, 4),  # mask of kinds that complete the hand of 13, 0 if noten
            ("riichi", np.uint8, 4),
            ("open_riichi", np.uint8, 4),
            ("shown", np.int64, 4),  # mask of kinds of the hand shown by open riichi
            ("ippatsu", np.uint8, 4),
            ("furiten_passing", np.uint8, 4),
            ("furiten_lasting", np.uint8, 4),
            ("dead", np.uint8, 4),  # may neither win nor call
            ("noten", np.uint8, 4),  # counts as noten at a draw
            ("illegal_kan", np.uint8, 4),  # has declared a kan that riichi forbids
            ("fouls", np.uint8, 4),  # number of fouls in this hand
            ("foul", np.uint8, 4),  # the latest one (``kernels.rules.FOULS``)
            ("foul_cost", np.uint8, 4),
            # the one before: a single step may charge both a claim and a foul revealed by a draw
            ("earlier_foul", np.uint8, 4),
            ("earlier_cost", np.uint8, 4),
            ("fouled", np.uint8, 4),  # has committed a foul since the last discard
            ("liable_yaku", np.uint8, (4, 3)),
            ("liable_seat", np.uint8, (4, 3)),
            ("has_wareme", np.uint8),  # whether the rules use wareme
            ("wareme", np.uint8),  # 1 + the seat at whose wall the deal began, 0 if the rules do not use it
            ("face_down", np.uint8),  # all four tiles of an ankan lie face down, known only to their owner
            # the current turn
            ("phase", np.uint8),
            ("turn", np.uint8),
            ("drawn", np.uint8),  # the tile drawn this turn, NO_TILE after a call
            ("untouched", np.uint8),  # no call or kan yet
            ("opened", np.uint8),  # a discard has been called
            ("after_kan", np.uint8),
            ("feeder", np.uint8),  # seat that fed the open kan before the rinshan tile
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
