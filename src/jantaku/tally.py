"""Tile counts packed into one integer (a tally), to check quickly that no kind occurs five times."""

from collections.abc import Iterable, Mapping
from typing import Final

from jantaku.errors import NotationError, RequestError
from jantaku.tiles import COPIES, KINDS, MAN, PIN, RED, SOU, TILES, Tile, format_tiles

MAX_TURNS: Final = 99
MAX_POINTS: Final = 10**15

# A tally has one byte for the count of each kind, so a whole hand is checked at once. The bytes above count
# the red tiles: one for each red five of REDS_COUNTED, then one for all other red tiles.
REDS_COUNTED: Final = tuple(RED + suit + 4 for suit in (MAN, PIN, SOU))
REDS_AT: Final = 8 * KINDS
ONE: Final = [1 << 8 * kind for kind in range(KINDS)] + [
    1 << 8 * kind | 1 << REDS_AT + 8 * (REDS_COUNTED.index(RED + kind) if RED + kind in REDS_COUNTED else 3)
    for kind in range(KINDS)
]
TALLY_BYTES: Final = KINDS + len(REDS_COUNTED) + 1
ONE_OF: Final = dict(zip(TILES, ONE, strict=False))  # faster than the list for a ``Tile``
one_of: Final = ONE.__getitem__  # takes half as long as the same method of a tuple
_EACH: Final = sum(ONE[:RED])
FIFTH: Final = 128 * _EACH  # the highest bit of each byte, set by TO_FIFTH + a count of five or more
TOO_MANY: Final = FIFTH | 0x80808080 << REDS_AT  # the same, for red tiles too
TO_FIFTH: Final = (128 - COPIES - 1) * _EACH


def to_too_many(red: Mapping[str, int]) -> int:
    """Return a number that, added to a tally, sets a bit of ``TOO_MANY`` if a set of tiles lacks one of them.

    ``red`` has the number of red tiles by kind (``{"5m": 1}``). A bit is set for each red five that occurs
    too often, for any other red tile, and for a kind that occurs more often than its plain tiles in the set.
    """
    reds = [red.get(format_tiles([tile % RED]), 0) for tile in REDS_COUNTED]
    room = int.from_bytes([127 - count for count in (*reds, 0)], "little") << REDS_AT
    return room + sum((127 - COPIES + count) * ONE[Tile.parse(tile)] for tile, count in red.items() if count)


def check_copies(tiles: Iterable[int], source: str = "") -> None:
    """Raise ``NotationError`` if a kind occurs five times, at the position of the last copy in ``source``."""
    kinds = [tile % RED for tile in tiles]
    for kind in set(kinds):
        if (count := kinds.count(kind)) > COPIES:
            name = format_tiles([kind])
            position = _position_of_copy(source, kind)
            raise NotationError("fifth_copy", source=source, position=position, tile=name, count=count)


def _position_of_copy(source: str, kind: int) -> int:
    """Return the position in ``source`` of the last tile of the kind."""
    for end in range(len(source), 0, -1):
        suit = next((c for c in source[end:] if c in "mpsz"), "")
        if source[end - 1].isdigit() and suit and Tile.parse(source[end - 1] + suit) % RED == kind:
            return end - 1
    return 0


def turn_of(
    turn: int | None, score: int | None, discarded: tuple[Tile, ...] | None, held: int, first_turn: bool
) -> int | None:
    """Check the turn, score and discards of a win, and return its turn, derived from the discards if omitted.

    ``held`` is the tally of the hand. Raises ``RequestError``.
    """
    turn = len(discarded) + 1 if turn is None and discarded is not None else turn
    if turn is not None and not 1 <= turn <= (1 if first_turn else MAX_TURNS):
        raise RequestError("clash_turn", field="turn")
    if score is not None and abs(score) > MAX_POINTS:
        raise RequestError("clash_score", field="score")
    for tile in discarded or ():
        held += ONE[tile % RED]
    if discarded is not None and (len(discarded) + 1 != turn or held + TO_FIFTH & FIFTH):
        raise RequestError("clash_discarded", field="discarded")
    return turn
