"""Conversion of hands and wins to the records that compiled code reads."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.possible_wins import check_possible, check_riichi
from jantaku.errors import RequestError, RulesError, expect
from jantaku.hand import MAX_MELDS, SOURCES, WIND_NAMES, Hand, Meld, MeldType, Source
from jantaku.kernels import win as layout
from jantaku.kernels.bits import YAKU_BITS
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import index_of
from jantaku.tally import ONE_OF, REDS_COUNTED, TALLY_BYTES, TOO_MANY
from jantaku.tiles import COPIES, KINDS, RED, TILES, Tile, kinds_of
from jantaku.win import MAX_DORA, RARE, RIICHI_KINDS, Win

Counts = npt.NDArray[np.uint8]

_PACK: Final = Struct(layout.PACKED).pack
_SEAT: Final = {name: i for i, name in enumerate(WIND_NAMES)}
_WAREME: Final = {name: i + 1 for i, name in enumerate(WIND_NAMES)}
_SOURCE: Final = {name: i + 1 for i, name in enumerate(SOURCES)} | {None: layout.ACROSS}
MELD_CODES: Final = {kind: getattr(layout, kind.name) for kind in MeldType}
"""The code of each type of meld in the records."""
_RIICHI: Final = {
    None: 0,
    RIICHI_KINDS[0]: layout.IN_RIICHI,
    RIICHI_KINDS[1]: layout.IN_RIICHI | layout.IN_DOUBLE_RIICHI,
    RIICHI_KINDS[2]: layout.IN_RIICHI | layout.IN_OPEN_RIICHI,
    RIICHI_KINDS[3]: layout.IN_RIICHI | layout.IN_DOUBLE_RIICHI | layout.IN_OPEN_RIICHI,
}
SITUATION: Final = {
    "tsumo": layout.TSUMO,
    "ippatsu": layout.ONE_SHOT,
    "last_tile": layout.LAST_TILE,
    "rinshan": layout.AFTER_KAN,
    "chankan": layout.ROBBING_KAN,
    "first_turn": layout.FIRST_TURN,
    "riichi_tile": layout.RIICHI_TILE,
    "kan_discard": layout.KAN_DISCARD,
    "furiten": layout.IN_FURITEN,
    "discarder_riichi": layout.DISCARDER_IN_RIICHI,
    "final_hand": layout.FINAL_HAND,
}
"""The bit of each boolean field of a ``Win``."""
_RARE_BITS: Final = [0]  # situation bits indexed by ``Win._rare``
for _name in reversed(RARE):
    _RARE_BITS.extend([bits | SITUATION[_name] for bits in _RARE_BITS])
MAX_LIABLE: Final = layout.WIN["liable_yaku"].shape[0]
_OTHER_REDS: Final = 1 << 8 * len(REDS_COUNTED)
_CACHE_SIZE: Final = 4096  # entries; most wins share a few sets of indicators
_NO_MELDS: Final = bytes(2 * MAX_MELDS)
_NO_TILE: Final = bytes([layout.NO_TILE])
_NO_INDICATORS: Final = _NO_TILE * MAX_DORA
_PLAIN: Final = tuple(map(str, TILES[:KINDS]))
_NOBODY: Final = bytes([layout.NOBODY] * 2 * MAX_LIABLE)


def concealed_counts(hand: Hand) -> Counts:
    """Return the counts of the concealed tiles, ``uint8[34]``."""
    return np.frombuffer(bytearray(hand.concealed_counts), np.uint8)


def cached_counts(hand: Hand) -> Counts:
    """Return ``concealed_counts`` followed by the number of melds, ``uint8[35]``.

    The array is cached on the hand and must not be modified.
    """
    cached = np.zeros(KINDS + 1, np.uint8)
    cached[:KINDS] = concealed_counts(hand)
    cached[KINDS] = len(hand.melds)
    object.__setattr__(hand, "_counts", cached)
    return cached


def held_counts(hand: Hand) -> Counts:
    """Return the counts of all tiles including melds, ``uint8[34]``."""
    counts = concealed_counts(hand)
    for meld in hand.melds:
        for tile in meld.tiles:
            counts[tile % RED] += 1
    return counts


class _IndicatorCache(dict[tuple[Tile, ...], bytes]):
    """Caches the bytes of indicators; ``lru_cache`` takes twice as long."""

    def __missing__(self, tiles: tuple[Tile, ...]) -> bytes:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        self[tiles] = columns = bytes([tile % RED for tile in tiles]).ljust(MAX_DORA, _NO_TILE)
        return columns


_INDICATORS: Final = _IndicatorCache()


def _liabilities(pao: Mapping[str, Source]) -> bytearray:
    """Return the bytes of the liable seats: the bit of each yaku, then the source of each seat."""
    packed_bytes = bytearray(_NOBODY)
    for index, (name, source) in enumerate(pao.items()):
        try:
            bit = index_of(name)
        except ValueError:
            bit = YAKU_BITS
        if bit >= YAKU_BITS or index >= MAX_LIABLE or source not in SOURCES:
            raise RequestError("bad_pao", field="pao", yaku=name)
        packed_bytes[index], packed_bytes[MAX_LIABLE + index] = bit, _SOURCE[source]
    return packed_bytes


def win_records(wins: Iterable[Win]) -> npt.NDArray[Any]:
    """Pack wins into a new array ``WIN[n]`` (``jantaku.kernels.win``).

    Raises ``RequestError`` (``bad_pao``) for a liability that does not fit into a record.
    """
    return np.frombuffer(bytearray().join(map(packed, wins)), layout.WIN)


def packed(win: Win) -> bytes:
    """Pack one win into the bytes of a ``WIN`` record; raises the same errors as ``win_records``."""
    hand, melds, situation = win.hand, win.hand.melds, _RIICHI[win.riichi]
    if win.tsumo:
        situation |= layout.TSUMO
    if win._rare:
        situation |= _RARE_BITS[win._rare]
    stated = score = discarded = turn = 0
    if win.turn is not None or win.score is not None:
        stated, turn, score, discarded = _stated_columns(win.turn, win.score, win.discarded)
    return _PACK(
        _red_kinds(win) if win._reds else 0,
        score,
        discarded,
        situation,
        win.honba,
        win.deposits,
        win.laid,
        win.dealer_streak,
        (hand._tally + ONE_OF[win.tile]).to_bytes(TALLY_BYTES, "little"),  # the record uses only the first 34
        _packed_melds(melds) if melds else _NO_MELDS,
        win.tile % RED,
        _SEAT[win.seat],
        _SEAT[win.round],
        _SOURCE[win.source],
        win._reds % 255,  # the sum of its bytes
        _INDICATORS[win.dora],
        _INDICATORS[win.ura] if win.ura else _NO_INDICATORS,
        _liabilities(win.pao) if win.pao else _NOBODY,
        win.kita,
        0 if win.wareme is None else _WAREME[win.wareme],
        turn,
        stated,
    )


def _stated_columns(
    turn: int | None, score: int | None, discarded: tuple[int, ...] | None
) -> tuple[int, int, int, int]:
    """Return the bits of the facts the win states, then the columns: turn, score, mask of discarded kinds."""
    stated = layout.SAID_TURN * (turn is not None) | layout.SAID_SCORE * (score is not None)
    kinds = 0
    if discarded is not None:
        stated |= layout.SAID_DISCARDED
        for tile in discarded:
            kinds |= 1 << tile % RED
    return stated, turn or 0, score or 0, kinds


def _red_kinds(win: Win) -> int:
    """Return a mask of the kinds that occur in the hand as a red tile."""
    if win._reds < _OTHER_REDS:
        return _red_fives(win._reds)
    return sum({1 << tile - RED for tile in (*win.hand.all_tiles, win.tile) if tile >= RED})


@lru_cache(maxsize=_CACHE_SIZE)
def _red_fives(reds: int) -> int:
    counts = reds.to_bytes(len(REDS_COUNTED), "little")
    return sum(1 << tile - RED for tile, count in zip(REDS_COUNTED, counts, strict=True) if count)


def _packed_melds(melds: tuple[Meld, ...]) -> bytearray:
    """Return the bytes of the melds: the code of each type, then the lowest kind of each."""
    packed_bytes = bytearray(_NO_MELDS)
    for index, meld in enumerate(melds):
        packed_bytes[index] = MELD_CODES[meld.type]
        packed_bytes[MAX_MELDS + index] = meld.tiles[0] % RED
    return packed_bytes


def check_against_rules(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` if the win has a tile, a seat or a declaration that the ruleset lacks."""
    if type(win) is not Win:
        expect(win, Win, "win")  # type: ignore[unreachable]
    if win._shown + rules.tiles_to_spare & TOO_MANY or win.discarded:
        _check_reds(win, rules)
    if win.kita or win.wareme is not None or not rules.is_usual_table:
        _check_table(win, rules)
    if win._rare:
        check_possible(win, rules)
    if win.riichi is not None and win.riichi != "riichi":
        check_riichi(win, rules)


def _check_table(win: Win, rules: Ruleset) -> None:
    """Check wins under rules for three players or without chi, with norths set aside or with wareme."""
    if win.wareme is not None and rules.score.wareme == "off":
        raise RulesError("wareme_off", path="score.wareme", rules=rules.id)
    if win.wareme is not None and _SEAT[win.wareme] >= rules.match.players:
        raise RulesError("seat_not_in_rules", path="match.players", players=rules.match.players)
    if win.kita and not rules.kita.nukidora:
        raise RulesError("kita_off", path="kita.nukidora", rules=rules.id)
    if win.kita and win.rinshan and not (rules.kita.rinshan or win.hand.has_kan):
        raise RulesError("kita_no_rinshan", path="kita.rinshan", rules=rules.id)
    if _SEAT[win.seat] >= rules.match.players:
        raise RulesError("seat_not_in_rules", path="match.players", players=rules.match.players)
    if rules.tiles.man != "all":
        _check_kinds(win, rules)
    if not rules.calls.chi and any(meld.type is MeldType.CHI for meld in win.hand.melds):
        raise RulesError("chi_off", path="calls.chi", rules=rules.id)


def _check_kinds(win: Win, rules: Ruleset) -> None:
    kinds = kinds_of(rules.tiles.man)
    for tile in (*win.hand.all_tiles, win.tile, *win.dora, *win.ura):
        if tile % RED not in kinds:
            raise RulesError("tile_not_in_rules", path="tiles.man", tile=_PLAIN[tile % RED], rules=rules.id)


def _check_reds(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` for more red or plain tiles of a kind than the ruleset has."""
    tiles = (*win.hand.all_tiles, win.tile, *win.dora, *win.ura)
    for tile in dict.fromkeys(tile for tile in tiles if tile >= RED):
        plain = _PLAIN[tile % RED]
        allowed = rules.tiles.red.get(plain, 0)
        if tiles.count(tile) > allowed:
            path = "tiles.red"
            raise RulesError("red_not_in_rules", path=path, tile=plain, allowed=allowed, rules=rules.id)
    known = (*tiles, *(win.discarded or ()))
    for plain, reds in rules.tiles.red.items():
        allowed = COPIES - reds
        if known.count(Tile.parse(plain)) > allowed:
            path = "tiles.red"
            raise RulesError("plain_not_in_rules", path=path, tile=plain, allowed=allowed, rules=rules.id)
