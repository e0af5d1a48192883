"""Counts of tiles as one integer, and the checks that no kind occurs five times."""

from collections.abc import Iterable, Mapping
from typing import Final

from jantaku.errors import NotationError, RequestError
from jantaku.tiles import COPIES, KINDS, MAN, PIN, RED, SOU, TILES, Tile, format_tiles

MOST_TURNS: Final = 99
MOST_POINTS: Final = 10**15

# Counts of all kinds in one integer, a byte for each: a hand is checked without a look at each tile.
# The bytes above them count the red tiles: those of REDS_COUNTED, then all others together.
REDS_COUNTED: Final = tuple(RED + suit + 4 for suit in (MAN, PIN, SOU))
REDS_AT: Final = 8 * KINDS
ONE: Final = [1 << 8 * kind for kind in range(KINDS)] + [
    1 << 8 * kind | 1 << REDS_AT + 8 * (REDS_COUNTED.index(RED + kind) if RED + kind in REDS_COUNTED else 3)
    for kind in range(KINDS)
]
TALLY_BYTES: Final = KINDS + len(REDS_COUNTED) + 1
ONE_OF: Final = dict(zip(TILES, ONE, strict=False))  # for a ``Tile``, of which a list takes longer
one_of: Final = ONE.__getitem__  # of a list: that of a tuple takes twice as long
_EACH: Final = sum(ONE[:RED])
FIFTH: Final = 128 * _EACH  # the highest bit of each byte, which five and more reach with TO_FIFTH
TOO_MANY: Final = FIFTH | 0x80808080 << REDS_AT  # of a kind, and of each kind of red tile
TO_FIFTH: Final = (128 - COPIES - 1) * _EACH


def to_too_many(red: Mapping[str, int]) -> int:
    """A number that, added to a count of all tiles, sets a bit of ``TOO_MANY`` if the set may not have them.

    ``red`` says how many tiles of a kind are red. The bit is set for each kind of red five that occurs too
    often, for any other red tile, and for a kind of which more tiles occur than are plain.
    """
    reds = [red.get(format_tiles([tile % RED]), 0) for tile in REDS_COUNTED]
    room = int.from_bytes([127 - count for count in (*reds, 0)], "little") << REDS_AT
    return room + sum((127 - COPIES + count) * ONE[Tile.parse(tile)] for tile, count in red.items() if count)


def check_copies(tiles: Iterable[int], source: str = "") -> None:
    """Raise ``NotationError`` if a kind occurs five times, pointing at the fifth tile."""
    kinds = [tile % RED for tile in tiles]
    for kind in set(kinds):
        if (count := kinds.count(kind)) > COPIES:
            name = format_tiles([kind])
            position = _position_of_copy(source, kind)
            raise NotationError("fifth_copy", source=source, position=position, tile=name, count=count)


def _position_of_copy(source: str, kind: int) -> int:
    """The position in ``source`` of the last tile of that kind."""
    for end in range(len(source), 0, -1):
        suit = next((c for c in source[end:] if c in "mpsz"), "")
        if source[end - 1].isdigit() and suit and Tile.parse(source[end - 1] + suit) % RED == kind:
            return end - 1
    return 0


def turn_of(
    turn: int | None, score: int | None, discarded: tuple[Tile, ...] | None, held: int, first_turn: bool
) -> int | None:
    """The turn of a win, which its discards give; what a game tells of the win is checked.

    ``held`` are the tiles of the hand, counted as in ``ONE``.
    """
    turn = len(discarded) + 1 if turn is None and discarded is not None else turn
    if turn is not None and not 1 <= turn <= (1 if first_turn else MOST_TURNS):
        raise RequestError("clash_turn", field="turn")
    if score is not None and abs(score) > MOST_POINTS:
        raise RequestError("clash_score", field="score")
    for tile in discarded or ():
        held += ONE[tile % RED]
    if discarded is not None and (len(discarded) + 1 != turn or held + TO_FIFTH & FIFTH):
        raise RequestError("clash_discarded", field="discarded")
    return turn
