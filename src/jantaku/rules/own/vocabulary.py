"""The words of the language: tiles, quantities and circumstances of a win."""

from typing import Final

from jantaku.rules.own import codes

SUITS: Final = {"man": 0, "pin": 1, "sou": 2}
_MAN: Final = 0b111111111
_ENDS: Final = 0b100000001
_EVERY_SUIT: Final = 1 | 1 << 9 | 1 << 18

TILES: Final[dict[str, int]] = {
    "man": _MAN,
    "pin": _MAN << 9,
    "sou": _MAN << 18,
    "winds": 0b1111 << 27,
    "dragons": 0b111 << 31,
    "honours": 0b1111111 << 27,
    "terminals": _ENDS * _EVERY_SUIT,
    "orphans": _ENDS * _EVERY_SUIT | 0b1111111 << 27,
    "simples": 0b011111110 * _EVERY_SUIT,
    "greens": 0b010101110 << 18 | 1 << 32,
    "seat_wind": codes.SEAT_WIND,
    "round_wind": codes.ROUND_WIND,
    "winning_tile": codes.WINNING_TILE,
    "value_tiles": codes.SEAT_WIND | codes.ROUND_WIND | codes.VALUED,
}
"""Words for tiles, as masks of kinds."""

GROUPS: Final[dict[str, int]] = {
    "count": codes.COUNT,
    "run": codes.RUN,
    "triplet": codes.TRIPLET,
    "concealed_triplet": codes.CONCEALED_TRIPLET,
    "quad": codes.QUAD,
    "concealed_quad": codes.CONCEALED_QUAD,
    "pair": codes.PAIR,
    "won_on": codes.WON_ON,
}
"""Groups that accept a rank and a suit, as in ``run(n, x)``. With tiles, or alone, they are numbers."""

PLURALS: Final = {
    "tile": "count",
    "tiles": "count",
    "kan": "quad",
    "kans": "quad",
    "concealed_kan": "concealed_quad",
    "concealed_kans": "concealed_quad",
    **{
        f"{name}s": name for name in ("run", "triplet", "concealed_triplet", "quad", "concealed_quad", "pair")
    },
}

NUMBERS: Final[dict[str, int]] = {
    "suits": codes.SUITS,
    "melds": codes.MELDS,
    "honba": codes.HONBA,
    "streak": codes.STREAK,
    "dora": codes.DORA,
    "ura": codes.URA,
    "kita": codes.KITA,
    "twin_runs": codes.TWIN_RUNS,
    "turn": codes.TURN,
    "score": codes.SCORE,
}
"""Numbers without arguments."""

MAYBE_UNKNOWN: Final = ("turn", "score", "discarded")
"""Values that a win may lack; a comparison with a missing value never holds, nor does its negation."""

AMONG: Final[dict[str, int]] = {
    "kinds": codes.KINDS,
    "red": codes.RED_KINDS,
    "discarded": codes.DISCARDED,
}
"""Numbers with optional tiles as arguments."""

OF_TILES: Final[dict[str, int]] = {
    "only": codes.OUTSIDE,
    "every_set": codes.STRAY,
    "seat": codes.SEAT,
    "round": codes.ROUND,
}
"""Tests with required tiles as arguments; the first two hold if their count is 0."""

FLAGS: Final[dict[str, int]] = {
    "tsumo": 1 << 0,
    "riichi": 1 << 1,
    "double_riichi": 1 << 2,
    "open_riichi": 1 << 3,
    "ippatsu": 1 << 4,
    "last_tile": 1 << 5,
    "rinshan": 1 << 6,
    "chankan": 1 << 7,
    "first_turn": 1 << 8,
    "riichi_tile": 1 << 9,
    "furiten": 1 << 10,
    "discarder_riichi": 1 << 11,
    "final_hand": 1 << 12,
    "kan_discard": 1 << 13,
}
"""Circumstances of a win, with the bits of ``kernels.win``."""

FORMS: Final = ("standard", "seven_pairs", "thirteen_orphans", "unconnected", "four_kans")
WAITS: Final = ("ryanmen", "shanpon", "kanchan", "penchan", "tanki")
OPPOSITES: Final = {"ron": "tsumo", "open": "closed"}
WORDS: Final = ("closed", "dealer", *OPPOSITES, *FLAGS, *FORMS, *WAITS)
"""Words that are true or false on their own."""

NUMBER_LETTERS: Final = ("n", "k")
SUIT_LETTERS: Final = ("x", "y", "z")

CONDITIONS: Final = (
    *WORDS, *GROUPS, *PLURALS, *NUMBERS, *AMONG, *OF_TILES, "has", "yaku", "not", "n", "k",
)  # fmt: skip
"""All words with which a condition or a number can begin."""
