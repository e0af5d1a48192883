"""Tenhou's 16-bit number of a meld (``m`` of ``<N>`` and ``<AGARI>``).

The lowest two bits are the source relative to the caller: 1 right, 2 across, 3 left, 0 for an ankan. Bit 2 is
set for a chi, bit 3 for a pon, bit 4 for a kakan, none of them for a daiminkan or ankan. The upper bits hold
the tiles. For a chi: the run's number × 3 + the position of the called tile, then two bits for the copy of
each tile. For pon and kakan: the kind × 3 + the position of the called tile, then two bits for the copy left
out or added. Otherwise: the number of a tile. Bit 5 marks a north set aside instead of a meld; its tile is in
the upper eight bits.
"""

from typing import Final

from jantaku.hand import MeldType
from jantaku.records.mjlog.log import Call
from jantaku.records.places import PLACES
from jantaku.seats import after, away
from jantaku.tiles import COPIES, KINDS, NORTH

_CHI, _PON, _KAKAN, _NUKI = 1 << 2, 1 << 3, 1 << 4, 1 << 5
_RUNS: Final = 21


def decode_meld(code: int, seat: int) -> Call:
    """Decode the meld of ``seat``; raise ``ValueError`` if the number is not a meld.

    >>> decode_meld(49674, 2).tiles
    (129, 130, 131)
    """
    if not 0 <= code < 1 << 16:
        raise ValueError(code)
    source = after(seat, PLACES, code & 3)
    if code & _CHI:
        return _chi(code, seat, source)
    if code & (_PON | _KAKAN):
        return _pon_or_kakan(code, seat, source)
    first = code >> 8
    if code & _NUKI or first >= 4 * KINDS:
        raise ValueError(code)
    tiles = tuple(range(first // 4 * 4, first // 4 * 4 + 4))
    if source == seat:
        return Call(seat, MeldType.ANKAN, tiles, None, seat)
    return Call(seat, MeldType.DAIMINKAN, tiles, first, source)


def kita_of(code: int) -> int | None:
    """Return the north set aside, or ``None`` for a meld; raise ``ValueError`` for another tile.

    >>> kita_of(30752), kita_of(49674)
    (120, None)
    """
    if code & (_CHI | _PON | _KAKAN) or not code & _NUKI:
        return None
    if (code >> 8) // COPIES != NORTH:
        raise ValueError(code)
    return code >> 8


def encode_kita(tile: int) -> int:
    """Return the number for a north set aside."""
    return tile << 8 | _NUKI


def encode_meld(call: Call, claimed: int | None = None) -> int:
    """Return the number for a meld; ``claimed`` is the tile that the pon of a kakan took from another seat.

    >>> encode_meld(decode_meld(49674, 2))
    49674
    """
    source, kind = away(call.seat, call.source, PLACES), call.tiles[0] // 4
    if call.kind is MeldType.ANKAN or (call.kind is MeldType.DAIMINKAN and call.called is not None):
        return (call.tiles[0] if call.called is None else call.called) << 8 | source
    if call.kind is MeldType.CHI:
        tiles = sorted(call.tiles)
        position = tiles.index(call.called if call.called is not None else -1)
        copies = sum(tile % 4 << 3 + 2 * i for i, tile in enumerate(tiles))
        return (tiles[0] // 36 * 7 + tiles[0] // 4 % 9) * 3 + position << 10 | copies | _CHI | source
    pon = call.tiles[:3]
    other = next(tile for tile in range(4 * kind, 4 * kind + 4) if tile not in pon)
    called = call.called if call.kind is MeldType.PON else claimed
    position = sorted(pon).index(called if called is not None else -1)
    bit = _PON if call.kind is MeldType.PON else _KAKAN
    return kind * 3 + position << 9 | other % 4 << 5 | bit | source


def _chi(code: int, seat: int, source: int) -> Call:
    run, position = divmod(code >> 10, 3)
    if run >= _RUNS:
        raise ValueError(code)
    kind = run // 7 * 9 + run % 7
    tiles = tuple(4 * (kind + i) + (code >> 3 + 2 * i & 3) for i in range(3))
    return Call(seat, MeldType.CHI, tiles, tiles[position], source)


def _pon_or_kakan(code: int, seat: int, source: int) -> Call:
    kind, position = divmod(code >> 9, 3)
    if kind >= KINDS:
        raise ValueError(code)
    other = 4 * kind + (code >> 5 & 3)
    tiles = tuple(tile for tile in range(4 * kind, 4 * kind + 4) if tile != other)
    if code & _PON:
        return Call(seat, MeldType.PON, tiles, tiles[position], source)
    return Call(seat, MeldType.KAKAN, (*tiles, other), other, source)
