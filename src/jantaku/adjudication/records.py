"""Converts hands and wins to the records that compiled code reads."""

from functools import lru_cache
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.errors import RequestError, RulesError, expect
from jantaku.hand import (
    MOST_DORA,
    REDS_COUNTED,
    RIICHI_KINDS,
    SOURCES,
    WIND_NAMES,
    Hand,
    MeldType,
    Win,
)
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
_PLAIN: Final = tuple(format_tiles([kind]) for kind in range(KINDS))
_TOO_MANY: Final = 0x80808080
_keep: Final = Win.__dict__["_record"].__set__  # the class is frozen
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
    return bytes([tile % RED for tile in tiles]).ljust(MOST_DORA, bytes([layout.NO_TILE]))


# The usual numbers of indicators, none and one
_TURNED: Final = {tiles: _indicators(tiles) for tiles in ((), *((tile,) for tile in range(2 * KINDS)))}


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
    kept: npt.NDArray[Any] | None = win._record
    if kept is None:
        kept = np.ndarray(1, layout.WIN, bytearray(_packed(win)))
        _keep(win, kept)
    return kept


def _packed(win: Win) -> bytes:
    hand, melds = win.hand, win.hand.melds
    liable_yaku, liable_seat = _liabilities(win) if win.pao else (_NOBODY, _NOBODY)
    return _PACK(
        _situation(win),
        win.honba,
        win.deposits,
        win.laid,
        win.dealer_streak,
        hand.counts_with(win.tile),  # only as many as fit are written
        bytes([_MELD[meld.type] for meld in melds]) if melds else b"",
        bytes([meld.tiles[0] % RED for meld in melds]) if melds else b"",
        win.tile % RED,
        _SEAT[win.seat],
        _SEAT[win.round],
        _SOURCE[win.source],
        win._reds % 255,  # the sum of its bytes
        _TURNED.get(win.dora) or _indicators(win.dora),
        _TURNED.get(win.ura) or _indicators(win.ura),
        liable_yaku,
        liable_seat,
    )


def _situation(win: Win) -> int:
    """The situation bits of the win."""
    flags = _RIICHI[win.riichi]
    if win.tsumo:
        flags |= layout.TSUMO
    if win.ippatsu:
        flags |= layout.ONE_SHOT
    if win.last_tile:
        flags |= layout.LAST_TILE
    if win.rinshan:
        flags |= layout.AFTER_KAN
    if win.chankan:
        flags |= layout.ROBBING_KAN
    if win.first_turn:
        flags |= layout.FIRST_TURN
    if win.riichi_tile:
        flags |= layout.RIICHI_TILE
    if win.furiten:
        flags |= layout.IN_FURITEN
    if win.discarder_riichi:
        flags |= layout.DISCARDER_IN_RIICHI
    if win.final_hand:
        flags |= layout.FINAL_HAND
    return flags


def check_against_rules(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` if the win has a red tile or an open riichi that the ruleset does not have."""
    if type(win) is not Win:
        expect(win, Win, "win")  # type: ignore[unreachable]
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
