"""Converts hands and wins to the records that compiled code reads."""

from functools import lru_cache
from itertools import compress
from operator import itemgetter
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.errors import RequestError, RulesError, expect
from jantaku.hand import REDS_COUNTED, RIICHI_KINDS, SOURCES, WIND_NAMES, Hand, MeldType, Win
from jantaku.kernels import win as layout
from jantaku.kernels.bits import YAKU_BITS
from jantaku.kernels.rules import MOST_KEPT
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import index_of
from jantaku.tiles import KINDS, RED, format_tiles

Counts = npt.NDArray[np.uint8]

_PACK: Final = Struct(layout.PACKED).pack
_SEAT: Final = {name: i for i, name in enumerate(WIND_NAMES)}
_SOURCE: Final = {name: i + 1 for i, name in enumerate(SOURCES)} | {None: layout.ACROSS}
_MELD: Final = {
    MeldType.CHI: layout.CHI,
    MeldType.PON: layout.PON,
    MeldType.ANKAN: layout.ANKAN,
    MeldType.DAIMINKAN: layout.DAIMINKAN,
    MeldType.KAKAN: layout.KAKAN,
}
_RIICHI: Final = {
    None: 0,
    RIICHI_KINDS[0]: layout.IN_RIICHI,
    RIICHI_KINDS[1]: layout.IN_RIICHI | layout.IN_DOUBLE_RIICHI,
    RIICHI_KINDS[2]: layout.IN_RIICHI | layout.IN_OPEN_RIICHI,
    RIICHI_KINDS[3]: layout.IN_RIICHI | layout.IN_DOUBLE_RIICHI | layout.IN_OPEN_RIICHI,
}
_FLAGS: Final = (
    ("tsumo", layout.TSUMO),
    ("ippatsu", layout.ONE_SHOT),
    ("last_tile", layout.LAST_TILE),
    ("rinshan", layout.AFTER_KAN),
    ("chankan", layout.ROBBING_KAN),
    ("first_turn", layout.FIRST_TURN),
    ("riichi_tile", layout.RIICHI_TILE),
    ("furiten", layout.IN_FURITEN),
    ("discarder_riichi", layout.DISCARDER_IN_RIICHI),
    ("final_hand", layout.FINAL_HAND),
)
_said: Final = itemgetter(*(name for name, _ in _FLAGS))
_VALUES: Final = tuple(flag for _, flag in _FLAGS)
_NO_TILES: Final = bytes([layout.NO_TILE] * 5)
_PLAIN: Final = tuple(format_tiles([kind]) for kind in range(KINDS))
_TOO_MANY: Final = 0x80808080
_NOBODY: Final = bytes([layout.NOBODY] * 3)


def concealed_counts(hand: Hand) -> Counts:
    """``uint8[34]`` counts of the concealed tiles."""
    return np.frombuffer(bytearray(hand.concealed_counts), np.uint8)


def kept_counts(hand: Hand) -> Counts:
    """``uint8[35]``: ``concealed_counts`` and the number of melds; kept with the hand, do not write to it."""
    kept = np.zeros(KINDS + 1, np.uint8)
    kept[:KINDS] = concealed_counts(hand)
    kept[KINDS] = len(hand.melds)
    object.__setattr__(hand, "_counts", kept)
    return kept


def held_counts(hand: Hand) -> Counts:
    """``uint8[34]`` counts of all tiles, melds included."""
    found = concealed_counts(hand)
    for meld in hand.melds:
        for tile in meld.tiles:
            found[tile % RED] += 1
    return found


def _indicators(tiles: tuple[int, ...]) -> bytes:
    return (bytes([tile % RED for tile in tiles]) + _NO_TILES)[:5]


def _liabilities(win: Win) -> tuple[bytes, bytes]:
    yaku, seats = bytearray(_NOBODY), bytearray(_NOBODY)
    for i, (name, source) in enumerate(win.pao.items()):
        try:
            bit = index_of(name)
        except ValueError:
            bit = YAKU_BITS
        if bit >= YAKU_BITS or i >= len(yaku) or source not in SOURCES:
            raise RequestError("bad_pao", field="pao", yaku=name)
        yaku[i], seats[i] = bit, _SOURCE[source]
    return bytes(yaku), bytes(seats)


def win_record(win: Win) -> npt.NDArray[Any]:
    """The win as an array of one ``WIN``, kept with the immutable win.

    Raises ``RequestError`` (``bad_pao``) for a liability that no record can hold.
    """
    kept: npt.NDArray[Any] | None = win.__dict__.get("_record")
    if kept is None:
        kept = np.frombuffer(bytearray(_packed(win)), layout.WIN)
        object.__setattr__(win, "_record", kept)
    return kept


def _packed(win: Win) -> bytes:
    hand, tile = win.hand, win.tile % RED
    kinds = bytearray(hand.concealed_counts)
    kinds[tile] += 1
    melds = hand.melds
    liable_yaku, liable_seat = _liabilities(win) if win.pao else (_NOBODY, _NOBODY)
    return _PACK(
        _situation(win),
        win.honba,
        win.deposits,
        win.laid,
        win.dealer_streak,
        kinds,
        bytes([_MELD[meld.type] for meld in melds]) if melds else b"",
        bytes([meld.first for meld in melds]) if melds else b"",
        tile,
        _SEAT[win.seat],
        _SEAT[win.round],
        _SOURCE[win.source],
        win._reds % 255,  # the sum of its bytes
        _indicators(win.dora) if win.dora else _NO_TILES,
        _indicators(win.ura) if win.ura else _NO_TILES,
        liable_yaku,
        liable_seat,
    )


def _situation(win: Win) -> int:
    """The situation bits of the win."""
    flags = _RIICHI[win.riichi]
    said = _said(win.__dict__)
    if any(said):
        flags |= sum(compress(_VALUES, said))
    return flags


def check_against_rules(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` if the win has a red tile or an open riichi that the ruleset does not have."""
    expect(win, Win, "win")
    if win._reds and win._reds + _room_for_reds(rules) & _TOO_MANY:
        _check_reds(win, rules)
    if win.riichi in ("open", "double_open") and not rules.riichi.open:
        raise RulesError("open_riichi_off", path="riichi.open", rules=rules.id)


@lru_cache(maxsize=MOST_KEPT)
def _room_for_reds(rules: Ruleset) -> int:
    """A number that sets the highest bit of a byte when added to counts with too many red tiles.

    Each byte counts one kind of red five. Any other red tile sets the bit, too; ``_check_reds`` then decides.
    """
    allowed = [rules.tiles.red.get(_PLAIN[tile % RED], 0) for tile in REDS_COUNTED]
    return int.from_bytes([127 - count for count in (*allowed, 0)], "little")


def _check_reds(win: Win, rules: Ruleset) -> None:
    reds = [tile for tile in (*win.hand.all_tiles, win.tile) if tile >= RED]
    for tile in dict.fromkeys(reds):
        plain, count = _PLAIN[tile % RED], reds.count(tile)
        allowed = rules.tiles.red.get(plain, 0)
        if count > allowed:
            path = "tiles.red"
            raise RulesError("red_not_in_rules", path=path, tile=plain, allowed=allowed, rules=rules.id)
