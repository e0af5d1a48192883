"""Tables for shanten, waits and effective tiles: built once, stored on disk, 1.4 MB in memory.

For the tiles of one suit, ``cost[k]`` is the number of tiles that must be added to hold ``k`` sets, and
``cost[5 + k]`` the number to hold ``k`` sets and a pair (never using more than four of a kind). Only 129
different cost vectors exist, and only 179 for two suits together. Shanten is therefore found in three steps:
look up the number of each suit's vector, then of each two suits together, then the cost of the whole hand.

The number of a suit's vector takes two lookups, like an automaton that reads the tiles: the lower six ranks
give a state (1,023 exist for suits, 90 for honours); the state and the upper three ranks give the number. The
entries of both lookups also contain counts that are added up: how many kinds are held, how many at least
twice, and the same for the yaochuu kinds. Chiitoitsu and kokushi need nothing else.

A set without most of the man tiles has its own tables. In these, man tiles form no runs, and kinds missing
from the set count for nothing, so that no hand ever waits for one.

All tables lie in one flat ``uint32`` array, because each array passed to a compiled function costs time.
``SUIT``, ``HONOUR``, ``MAN``, ``HIGH``, ``PAIR`` and ``TOTAL`` are the offsets of its parts.
"""

from functools import lru_cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.kernels._cache import load_or_build
from jantaku.tiles import MAN_KINDS

FIVES: Final = tuple(5**rank for rank in range(9))
LOWER: Final = 5**6  # keys of the lower six ranks
UPPER: Final = 5**3  # keys of the upper three
STATES: Final = 1023 + 90 + 25  # of suits, of honours, and of man tiles without runs
VECTORS: Final = 129
PAIRS: Final = 179
SUIT: Final = 0
HONOUR: Final = SUIT + LOWER
MAN: Final = HONOUR + LOWER
HIGH: Final = MAN + LOWER
PAIR: Final = HIGH + STATES * UPPER
TOTAL: Final = PAIR + VECTORS * VECTORS
SIZE: Final = TOTAL + 5 * PAIRS * PAIRS
FAR: Final = 9  # no hand is further than nine tiles from complete

NUMBER: Final = (1 << 18) - 1  # bits of a first entry that give the offset of its state in HIGH
HELD, TWICE, YAOCHUU, YAOCHUU_TWICE = 18, 22, 25, 29  # offset in bits of each count in an entry

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Tables = npt.NDArray[np.uint32]


def suit_costs(ranks: int, runs: bool) -> Bytes:
    """Return cost vectors ``uint8[5**ranks, 10]`` for all counts; the key is in base five, rank 1 lowest."""
    sets = [(rank,) * 3 for rank in range(ranks)]
    if runs:
        sets += [(rank, rank + 1, rank + 2) for rank in range(ranks - 2)]
    held = np.zeros((10, *(5,) * ranks), np.bool_)  # what each key holds without added tiles
    held[0] = True
    for number in range(4):
        for part in sets:
            whole, rest = _beside(part, ranks)
            held[number + 1][whole] |= held[number][rest]
    for number in range(5):
        for rank in range(ranks):
            whole, rest = _beside((rank, rank), ranks)
            held[5 + number][whole] |= held[number][rest]
    cost = np.where(held, 0, FAR).astype(np.uint8)
    for axis in range(1, ranks + 1):  # otherwise one more than the key with a tile added
        by_count = np.moveaxis(cost, axis, 0)
        for count in (3, 2, 1, 0):
            np.minimum(by_count[count], by_count[count + 1] + 1, out=by_count[count])
    return np.ascontiguousarray(cost.reshape(10, -1).T)


def _beside(tiles: tuple[int, ...], ranks: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return the keys that hold ``tiles`` and, in the same order, the keys that remain without them."""
    counts = [tiles.count(rank) for rank in reversed(range(ranks))]  # rank 1 is the last axis
    return tuple(slice(count, None) for count in counts), tuple(slice(None, 5 - count) for count in counts)


def _joined(first: Bytes, second: Bytes) -> Bytes:
    """Return cost vectors of two suits, ``[len(first), len(second), 10]``, for the best split of the sets."""
    out = np.full((len(first), len(second), 10), FAR, np.uint8)
    for sets in range(5):
        for mine in range(sets + 1):
            theirs = sets - mine
            plain = first[:, None, mine] + second[None, :, theirs]
            pair = np.minimum(
                first[:, None, mine] + second[None, :, 5 + theirs],
                first[:, None, 5 + mine] + second[None, :, theirs],
            )
            out[:, :, sets] = np.minimum(out[:, :, sets], plain)
            out[:, :, 5 + sets] = np.minimum(out[:, :, 5 + sets], pair)
    return out


def _tile_totals(ranks: int) -> Numbers:
    keys = np.arange(5**ranks)
    totals: Numbers = np.sum([keys // five % 5 for five in FIVES[:ranks]], axis=0, dtype=np.int64)
    return totals


def _numbered(costs: Bytes) -> tuple[Bytes, Numbers]:
    """Return the distinct rows of ``costs``, and the number of each row among them."""
    packed = costs.astype(np.int64) @ (1 << 4 * np.arange(10))
    _, first, numbers = np.unique(packed, return_index=True, return_inverse=True)
    return costs[first], numbers


def _facts(
    ranks: int, first: int, yaochuu: frozenset[int], kinds: tuple[int, ...] = tuple(range(9))
) -> Numbers:
    """Return the added-up counts of ``ranks`` kinds, starting at rank ``first``, for all keys.

    Only ranks in ``kinds`` exist.
    """
    keys, facts = np.arange(5**ranks), np.zeros(5**ranks, np.int64)
    for rank in range(ranks):
        if first + rank not in kinds:
            continue
        digit = keys // FIVES[rank] % 5
        held, twice = (digit >= 1).astype(np.int64), (digit >= 2).astype(np.int64)
        facts += (held << HELD) + (twice << TWICE)
        if first + rank in yaochuu:
            facts += (held << YAOCHUU) + (twice << YAOCHUU_TWICE)
    return facts


def _man_as_honours(numbers: Numbers, kinds: tuple[int, ...]) -> Numbers:
    """Return the vector numbers of man for all keys if only ``kinds`` exist, each on its own like an honour.

    ``numbers`` are those of the honours by key.
    """
    keys, same = np.arange(5**9), np.zeros(5**9, np.int64)
    for digit, kind in enumerate(kinds):
        same += keys // FIVES[kind] % 5 * FIVES[digit]
    own: Numbers = numbers[same]
    return own


def build(man: str = "all") -> Tables:
    """Build all tables from the definition of a set; this takes two seconds.

    ``man`` names the man tiles of the set (``tiles.MAN_KINDS``).
    """
    suits, honours = suit_costs(9, True), suit_costs(7, False)
    suits[_tile_totals(9) > 14] = 0  # no hand has this many tiles, so these keys need no separate vectors
    honours[_tile_totals(7) > 14] = 0
    vectors, numbers = _numbered(np.concatenate([suits, honours]))
    pairs, pair_numbers = _numbered(_joined(vectors, vectors).reshape(-1, 10))
    pair_table = np.zeros((VECTORS, VECTORS), np.int64)
    pair_table[: len(vectors), : len(vectors)] = pair_numbers.reshape(len(vectors), -1)
    total = np.zeros((5, PAIRS, PAIRS), np.int64)
    total[:, : len(pairs), : len(pairs)] = np.moveaxis(_joined(pairs, pairs)[:, :, 5:], 2, 0)

    suit_low, suit_high = _two_steps(numbers[: 5**9].reshape(UPPER, LOWER).T)
    seven = np.zeros((LOWER, UPPER), np.intp)
    seven[:, :5] = numbers[5**9 :].reshape(5, LOWER).T
    honour_low, honour_high = _two_steps(seven)
    ends, all_ranks, kinds = frozenset({0, 8}), frozenset(range(7)), MAN_KINDS[man]
    man_low, man_high = suit_low, np.zeros((0, UPPER), np.int64)
    if man != "all":
        own = _man_as_honours(numbers[5**9 :], kinds)
        man_low, man_high = _two_steps(own.reshape(UPPER, LOWER).T)
        man_low = man_low + len(suit_high) + len(honour_high)
    spare = np.zeros((STATES - len(suit_high) - len(honour_high) - len(man_high), UPPER), np.int64)
    parts = (
        UPPER * suit_low + _facts(6, 0, ends),
        UPPER * (honour_low + len(suit_high)) + _facts(6, 0, all_ranks),
        UPPER * man_low + _facts(6, 0, ends, kinds),
        suit_high + _facts(3, 6, ends),
        honour_high + _facts(3, 6, all_ranks),
        man_high + _facts(3, 6, ends, kinds),
        spare,
        pair_table,
        total,
    )
    made = np.concatenate([part.ravel() for part in parts]).astype(np.uint32)
    if len(made) != SIZE:
        message = f"{len(vectors)} vectors, {len(pairs)} pairs, {len(suit_high)} + {len(honour_high)} states"
        raise AssertionError(message)
    return made


def _two_steps(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """Split ``numbers[lower, upper]`` into the state of each lower key and the numbers of each state."""
    rows = np.ascontiguousarray(numbers, np.uint8)
    _, first, state = np.unique(rows.view(f"V{UPPER}"), return_index=True, return_inverse=True)
    return state.ravel(), numbers[first]


@lru_cache(maxsize=len(MAN_KINDS))
def shanten_tables(man: str = "all") -> Tables:
    """Return the tables for a set with these man tiles, loaded from disk if they were built before."""
    return load_or_build("shanten" if man == "all" else f"shanten-{man}", partial(build, man))
