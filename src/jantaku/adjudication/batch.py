"""Analysis and scoring of many hands at once, on NumPy arrays.

``hands`` (``uint8[n, 34]``) counts the concealed tiles of each hand, ``melds`` (``uint8[n]``, default 0) its
melds, and ``held`` (``uint8[n, 34]``, default ``hands``) all its tiles, including melds and norths set aside:
a kind held four times cannot be drawn. Every function raises ``RequestError`` with code ``bad_array`` and the
name of the argument in ``field``.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from jantaku.adjudication import win_records as packing
from jantaku.adjudication.masks import yaku_in
from jantaku.errors import RequestError, kind_of_value
from jantaku.kernels import boundary
from jantaku.kernels import score as score_kernels
from jantaku.kernels import shanten as shanten_kernels
from jantaku.kernels import waits as waits_kernels
from jantaku.kernels import win as layout
from jantaku.kernels._jit import expect_calls
from jantaku.kernels.bits import YAKU_BITS
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset, load
from jantaku.tiles import COPIES, KINDS
from jantaku.win import Win

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

MAX_MELDS: Final = 4
# Fields that compiled code uses as an index or a shift: name, highest value, value for "none"
_RANGES: Final = (
    ("hand", COPIES, None),
    ("meld", layout.KAKAN, None),
    ("meld_first", KINDS - 1, None),
    ("win_kind", KINDS - 1, None),
    ("seat", 3, None),
    ("round_wind", 3, None),
    ("source", 3, None),
    ("dora", KINDS - 1, layout.NO_TILE),
    ("ura", KINDS - 1, layout.NO_TILE),
    ("liable_yaku", YAKU_BITS - 1, layout.NOBODY),
    ("liable_seat", 3, layout.NOBODY),
    ("kita", COPIES, None),
    ("wareme", layout.MAX_SEATS, None),
)


class ScoreBatch(NamedTuple):
    """The scores of ``n`` wins as columns of length ``n``.

    ``error`` (``uint8[n]``) is ``NO_ERROR``, ``NOT_COMPLETE``, ``NO_YAKU``, ``TWO_HAN_MINIMUM`` or
    ``FURITEN`` of ``jantaku.kernels.win``; with an error, points and payments are 0. ``han`` and ``fu``
    (``int64[n]``) are 0 for a yakuman; ``yakuman`` (``int64[n]``) is the number of yakuman. ``limit``
    (``uint8[n]``) is an index into ``jantaku.kernels.win.LIMITS``. ``points`` (``int64[n]``) excludes honba
    and deposits, ``payments`` (``int64[n, 4]``, East to North) includes them. ``yaku`` (``int64[n]``) has one
    bit per yaku; ``yaku_ids`` converts it to ids.
    """

    error: Bytes
    han: Numbers
    fu: Numbers
    yakuman: Numbers
    limit: Bytes
    points: Numbers
    payments: Numbers
    yaku: Numbers


def _refuse(field: str, wanted: str, given: object) -> NoReturn:
    code = "bad_array"
    raise RequestError(code, field=field, wanted=wanted, found=given)


def _bytes(array: object, field: str, shape: tuple[int, ...], maximum: int = 255) -> Bytes:
    """Return ``array`` in C order; it must be ``uint8`` of ``shape`` (−1: any length) up to ``maximum``."""
    wanted = f"uint8[{', '.join('n' if size < 0 else str(size) for size in shape)}]"
    if not isinstance(array, np.ndarray):
        _refuse(field, wanted, type(array).__name__)
    fits = len(array.shape) == len(shape) and all(
        size in (-1, length) for size, length in zip(shape, array.shape, strict=True)
    )
    if array.dtype != np.uint8 or not fits:
        _refuse(field, wanted, f"{array.dtype}{list(array.shape)}")
    if maximum < 255 and array.size and int(array.max()) > maximum:
        _refuse(field, f"0-{maximum}", int(array.max()))
    return np.ascontiguousarray(array)


def _hands(hands: object, melds: object, minimum: int, maximum: int) -> tuple[Bytes, Bytes]:
    """Check that each hand has ``minimum`` to ``maximum`` tiles, counting a meld as three."""
    counts = _bytes(hands, "hands", (-1, KINDS))
    if melds is None:
        numbers = np.zeros(len(counts), np.uint8)
    else:
        numbers = _bytes(melds, "melds", (len(counts),), MAX_MELDS)
    expect_calls(boundary.first_invalid, len(counts))
    row = boundary.first_invalid(counts, numbers, minimum, maximum)
    if row >= 0:
        tiles = f"{minimum}" if minimum == maximum else f"{minimum}-{maximum}"
        wanted = f"{tiles} tiles a hand, a meld counted as 3, and no kind five times"
        _refuse("hands", wanted, f"{counts[row].tolist()} in row {row}")
    return counts, numbers


def _held(held: object, hands: Bytes) -> Bytes:
    return hands if held is None else _bytes(held, "held", hands.shape, COPIES)


def _unpacked(masks: Numbers) -> Bools:
    """Unpack masks ``[...]`` into ``bool[..., 34]``."""
    flags: Bools = (masks[..., None] >> np.arange(KINDS)) & 1 != 0
    return flags


def shanten(hands: Bytes, melds: Bytes | None = None) -> npt.NDArray[np.int8]:
    """Return the shanten (``int8[n]``) of hands of 13 or 14 tiles, −1 for a complete hand.

    Only the number of melds is known: a hand whose melds hold every tile it waits for has shanten 0, although
    ``waits`` with ``held`` finds no wait.
    """
    counts, numbers = _hands(hands, melds, 13, 14)
    expect_calls(shanten_kernels.shanten_batch, len(counts))
    distances: npt.NDArray[np.int8] = shanten_kernels.shanten_batch(counts, numbers, shanten_tables())
    return distances


def waits(hands: Bytes, melds: Bytes | None = None, held: Bytes | None = None) -> Bools:
    """Return the kinds that complete each hand of 13 tiles: ``bool[n, 34]``, all False if not tenpai."""
    counts, numbers = _hands(hands, melds, 13, 13)
    known = _held(held, counts)
    expect_calls(waits_kernels.waits_batch, len(counts))
    return _unpacked(waits_kernels.waits_batch(counts, known, numbers, shanten_tables()))


def effective(hands: Bytes, melds: Bytes | None = None, held: Bytes | None = None) -> Bools:
    """Return the kinds that lower the shanten of each hand of 13 tiles: ``bool[n, 34]``."""
    counts, numbers = _hands(hands, melds, 13, 13)
    known = _held(held, counts)
    expect_calls(boundary.effective_batch, len(counts))
    return _unpacked(boundary.effective_batch(counts, known, numbers, shanten_tables()))


def discards(
    hands: Bytes, melds: Bytes | None = None, held: Bytes | None = None
) -> tuple[npt.NDArray[np.int8], Bools]:
    """Return the shanten and the effective tiles after each discard from each hand of 14 tiles.

    The first array (``int8[n, 34]``) is the shanten after discarding each kind, 99 if the hand does not hold
    it. The second (``bool[n, 34, 34]``: hand, discard, draw) marks the kinds that then lower the shanten.
    """
    counts, numbers = _hands(hands, melds, 14, 14)
    known = _held(held, counts)
    expect_calls(waits_kernels.discards_batch, len(counts))
    pairs = waits_kernels.discards_batch(counts, known, numbers, shanten_tables())
    return pairs[..., 0].astype(np.int8), _unpacked(pairs[..., 1])


def win_records(wins: Iterable[Win]) -> npt.NDArray[Any]:
    """Pack ``wins`` into an array of records, ``WIN[n]`` of ``jantaku.kernels.win``, for ``score``.

    A ron without a source is recorded as a ron on the player across.
    """
    try:
        return packing.win_records(wins)
    except (AttributeError, TypeError) as error:
        raise RequestError("wrong_type", field="wins", wanted=kind_of_value(list[Win])) from error


def _records(records: object) -> npt.NDArray[Any]:
    """Return the records after checking that compiled code can use them safely."""
    if not isinstance(records, np.ndarray):
        _refuse("records", "WIN[n] of win_records", type(records).__name__)
    if records.dtype != layout.WIN or records.ndim != 1:
        _refuse("records", "WIN[n]", f"{records.dtype}{list(records.shape)}")
    for name, maximum, none in _RANGES:
        values = records[name]
        wrong = values > maximum
        if none is not None:
            wrong &= values != none
        if wrong.any():
            _refuse(f"records.{name}", f"0-{maximum}", int(values[wrong][0]))
    melds = records["meld"] != layout.NO_MELD
    if (melds[:, 1:] > melds[:, :-1]).any():
        _refuse("records.meld", "melds without a gap", "a gap")
    _hands(np.ascontiguousarray(records["hand"]), melds.sum(axis=1, dtype=np.uint8), 14, 14)
    own = records["hand"][np.arange(len(records)), records["win_kind"]]
    if len(own) and not own.all():
        row = int((own == 0).argmax())
        _refuse("records.win_kind", "a kind the hand holds", f"another in row {row}")
    return np.ascontiguousarray(records).view(layout.WIN)


def score(records: npt.NDArray[Any], rules: Ruleset | str = "standard") -> ScoreBatch:
    """Score ``WIN[n]`` records (from ``win_records``) under one ruleset.

    A hand that may not win gets a code in ``ScoreBatch.error``; no error is raised. The function does not
    check that the ruleset has the red tiles and the kind of riichi in a record.

    >>> wins = [Win.parse("234m567p345678s9p 9p", tsumo=True), Win.parse("234m567p345678s9p 9p")]
    >>> score(win_records(wins)).points.tolist()
    [1100, 0]
    """
    checked = _records(records)
    expect_calls(score_kernels.score_batch, len(checked))
    results: Numbers = score_kernels.score_batch(checked, rules_record(load(rules)), cut_tables())
    error = results[:, layout.ERROR]
    results[error != layout.NO_ERROR, layout.POINTS : layout.PAYMENT + layout.MAX_SEATS] = 0
    return ScoreBatch(
        error.astype(np.uint8),
        results[:, layout.HAN],
        results[:, layout.FU],
        results[:, layout.YAKUMAN],
        results[:, layout.LIMIT].astype(np.uint8),
        results[:, layout.POINTS],
        results[:, layout.PAYMENT : layout.PAYMENT + layout.MAX_SEATS],
        results[:, layout.YAKU],
    )


def yaku_ids(bits: int) -> list[str]:
    """Return the ids of the yaku in a value of ``ScoreBatch.yaku`` or of a simulation's ``yaku`` column.

    >>> yaku_ids(1 << 0 | 1 << 5)
    ['riichi', 'ippatsu']
    """
    if not isinstance(bits, int | np.integer) or not 0 <= bits < 1 << YAKU_BITS:
        _refuse("bits", "one number of ScoreBatch.yaku", bits)
    return yaku_in(int(bits))
