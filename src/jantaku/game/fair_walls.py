"""Fair walls that anyone can verify after the game.

A game has one secret seed of 32 bytes. Its SHA-256 (the *commitment*) is published before the first tile, the
seed itself (the *opening*) after the last. The wall of hand ``n`` (counting every dealt hand from 0) is a
Fisher–Yates shuffle of the sorted tiles, from the last index down. The random bytes are the SHA-256 digests
of ``"jantaku wall 1"``, the seed, ``n`` and a counter from 0, the last two as four bytes, big-endian. A
random index below ``k`` is the next byte that is below the largest multiple of ``k`` up to 256, modulo ``k``.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final, TypeVar

from jantaku.errors import RequestError, phrase
from jantaku.kernels.engine.wall import DEALT
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.tiles import COPIES, RED, Tile, as_tiles, kinds_of, sort_tiles

Item = TypeVar("Item")
SEED_BYTES: Final = 32
_LABEL: Final = b"jantaku wall 1"


def new_seed(seed: int | bytes | None = None) -> bytes:
    """Return a seed of 32 bytes: random, from a number (big-endian) or as given.

    Raises ``RequestError`` for a number or bytes of another size.
    """
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, int):
        if not 0 <= seed < 1 << 8 * SEED_BYTES:
            high = f"2^{8 * SEED_BYTES} - 1"
            raise RequestError("number_range", field="seed", value=seed, low=0, high=high)
        return seed.to_bytes(SEED_BYTES, "big")
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise RequestError("wrong_type", field="seed", wanted=phrase("errors.kinds.bytes", count=SEED_BYTES))
    return seed


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, published before the game."""
    return hashlib.sha256(seed).hexdigest()


def tile_set(rules: Ruleset) -> list[Tile]:
    """Return the sorted tiles of a ruleset, including red tiles."""
    reds = {Tile.parse(name): number for name, number in rules.tiles.red.items()}
    kinds = kinds_of(rules.tiles.man)
    tiles = [kind + RED * (copy < reds.get(kind, 0)) for kind in kinds for copy in range(COPIES)]
    return sort_tiles(tiles)


def live_wall(rules: Ruleset) -> int:
    """Return the number of tiles in the live wall after the deal."""
    record = rules_record(rules)[0]
    return int(record.tiles_in_wall) - int(record.tiles.dead_wall) - DEALT * len(rules.seats)


def replacement_tiles(rules: Ruleset) -> int:
    """Return the number of replacement tiles for kans and norths set aside."""
    return int(rules_record(rules)[0].rinshan)


def _bytes(seed: bytes, hand: int) -> Iterator[int]:
    for number in count():
        yield from hashlib.sha256(
            _LABEL + seed + hand.to_bytes(4, "big") + number.to_bytes(4, "big")
        ).digest()


def shuffled(tiles: Iterable[int], seed: bytes, hand: int) -> list[Tile]:
    """Return the wall of hand number ``hand`` (from 0), shuffled from at most 256 ``tiles`` in any order."""
    return permuted(sort_tiles(tiles), seed, hand)


def permuted(items: Sequence[Item], seed: bytes, hand: int) -> list[Item]:
    """Shuffle at most 256 items, in the order given, with the random bytes of hand number ``hand``."""
    order, byte = list(items), _bytes(seed, hand).__next__
    for last in range(len(order) - 1, 0, -1):
        drawn, fair = byte(), 256 - 256 % (last + 1)
        while drawn >= fair:  # rejection makes all indices equally likely
            drawn = byte()
        other = drawn % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def check(published: str, seed: bytes, walls: Iterable[Sequence[int]]) -> bool:
    """Return whether the seed matches the commitment and produces these walls, starting with the first hand.

    >>> seed = new_seed(1)
    >>> wall = shuffled(range(34), seed, 0)
    >>> check(commitment(seed), seed, [wall]), check(commitment(seed), seed, [wall[::-1]])
    (True, False)
    """
    if commitment(seed) != published:
        return False
    return all(list(wall) == shuffled(wall, seed, hand) for hand, wall in enumerate(walls))


def checked(wall: Iterable[int], rules: Ruleset) -> list[Tile]:
    """Return a given wall; raises ``RequestError`` unless it has exactly the tiles of the ruleset."""
    tiles = list(as_tiles(wall, "walls"))
    if sort_tiles(tiles) != tile_set(rules):
        raise RequestError("wrong_wall", field="walls", rules=rules.id)
    return tiles
