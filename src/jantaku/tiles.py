"""Tiles: 34 kinds, red tiles, and every notation for them.

A *kind* is 0–33: 0–8 man 1–9, 9–17 pin, 18–26 sou, 27–30 East South West North, 31–33 White Green Red.
A *tile* is a kind, plus 34 if it is red. In notation the digits come before their suit letter
(``123m406p11z``): ``0`` is a red five, ``r`` after a digit any other red tile (``3r``), ``z1–7`` are the
honours in the order above.
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any, Final, SupportsIndex

from jantaku import terms
from jantaku.errors import NotationError, RequestError, chosen_language, expect
from jantaku.fields import whole
from jantaku.reading import MAX_TEXT, Parsed, Refined, Within, in_field

KINDS: Final = 34
RED: Final = 34
COPIES: Final = 4
SUITS: Final = "mpsz"
MAN, PIN, SOU, HONOURS = 0, 9, 18, 27
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED_DRAGON = range(27, 34)
WINDS: Final = (EAST, SOUTH, WEST, NORTH)
DRAGONS: Final = (WHITE, GREEN, RED_DRAGON)
MAN_KINDS: Final = {"all": tuple(range(9)), "one_nine": (0, 8), "one_five_nine": (0, 4, 8)}
"""The man kinds that a set has, by the value of the option ``tiles.man``."""
YAOCHUU: Final = (0, 8, 9, 17, 18, 26, *WINDS, *DRAGONS)


class Tile(int):
    """One of 61 tiles: the number of its kind, plus 34 if it is red; ``str()`` gives its notation.

    ``Tile(number)`` raises ``RequestError`` (``no_tile``) for any other number.

    >>> Tile(6), str(Tile.parse("0p")), Tile.parse("0p").kind
    (7m, '0p', 5p)
    """

    __slots__ = ()

    def __new__(cls, number: SupportsIndex) -> "Tile":
        """Return the tile with that number."""
        return as_tile(number, "tile")

    @staticmethod
    def parse(text: str) -> "Tile":
        """Read one tile; raises ``NotationError`` if the text is not exactly one tile.

        >>> Tile.parse("3rs")
        3rs
        """
        return _parse_tile(text)

    @property
    def kind(self) -> "Tile":
        """The plain tile of the same kind."""
        return TILES[self % RED]

    @property
    def is_red(self) -> bool:
        """Whether the tile is red."""
        return self >= RED

    def __str__(self) -> str:
        return _NAMES[self]

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(_NAMES[self], spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tile, (int(self),)


TILES: Final = tuple(int.__new__(Tile, number) for number in range(RED + HONOURS))
"""All tiles by number; for numbers known to be valid, faster than ``Tile(number)``."""

TileLike = int | str
"""A tile as an argument: a ``Tile``, its number or its notation."""
TilesLike = str | Iterable[TileLike]
"""Tiles as an argument: one string in notation, or an iterable of ``TileLike``."""

_MJAI_HONOURS: Final = "ESWNPFC"
_CHARACTERS: Final[dict[str, Tile]] = {
    **{chr(0x1F007 + i): TILES[i] for i in range(9)},
    **{chr(0x1F019 + i): TILES[9 + i] for i in range(9)},
    **{chr(0x1F010 + i): TILES[18 + i] for i in range(9)},
    **{chr(0x1F000 + i): TILES[27 + i] for i in range(4)},
    **dict(zip("🀆🀅🀄", TILES[WHITE:KINDS], strict=True)),
    **dict(zip("東南西北白發中", TILES[EAST:KINDS], strict=True)),
    **dict(zip("동남서북백발중", TILES[EAST:KINDS], strict=True)),
    "発": TILES[GREEN],
}


def as_tile(value: object, field: str) -> Tile:
    """Convert a ``TileLike`` to a tile; errors name the ``field``."""
    if type(value) is Tile:
        return value
    with in_field(field):
        if isinstance(value, str):
            return Tile.parse(value)
    with suppress(RequestError):
        return TILES[whole(value, field, 0, len(TILES) - 1)]
    raise RequestError("no_tile", field=field, value=value, most=len(TILES) - 1)


def as_tiles(value: object, field: str) -> tuple[Tile, ...]:
    """Convert ``TilesLike`` to a tuple of tiles; errors name the ``field``."""
    with in_field(field):
        if isinstance(value, str):
            return tuple(parse_tiles(value))
    if not isinstance(value, Iterable):
        raise RequestError("no_tiles_given", field=field, value=value)
    tiles = tuple(islice(value, MAX_TEXT + 1))
    if len(tiles) > MAX_TEXT:
        raise RequestError("too_many", field=field, count=f"{MAX_TEXT}+", most=MAX_TEXT)
    return tuple(as_tile(tile, f"{field}[{i}]") for i, tile in enumerate(tiles))


def kinds_of(man: str = "all") -> tuple[Tile, ...]:
    """Return the kinds in a set, for a value of the option ``tiles.man``."""
    return tuple(TILES[kind] for kind in (*MAN_KINDS[man], *range(PIN, KINDS)))


def next_kind(indicator: int, man: str = "all") -> Tile:
    """Return the dora for an indicator: 1 after 9, East after North, White after Red (inventory 113).

    Man tiles that are not in the set are skipped.

    >>> format_tiles([next_kind(t) for t in parse_tiles("1p3s9m4z7z")])
    '1m2p4s15z'
    >>> format_tiles([next_kind(t, "one_nine") for t in parse_tiles("19m")])
    '19m'
    """
    kind, ring = indicator % RED, MAN_KINDS[man]
    if kind in ring:
        return TILES[ring[(ring.index(kind) + 1) % len(ring)]]
    if kind < HONOURS:
        return TILES[kind - kind % 9 + (kind + 1) % 9]
    if kind <= NORTH:
        return TILES[EAST + (kind - EAST + 1) % 4]
    return TILES[WHITE + (kind - WHITE + 1) % 3]


def parse_tiles(text: str) -> list[Tile]:
    """Read tiles in notation, Unicode tiles, or 東南西北白發中 / 동남서북백발중; spaces are ignored.

    Raises ``NotationError`` with the position for an unknown character, a digit without a suit letter after
    it, an honour above 7 or a red honour.

    >>> parse_tiles("340m7z")
    [3m, 4m, 0m, 7z]
    """
    expect(text, str, "text")
    tiles: list[Tile] = []
    pending: list[tuple[int, bool, int]] = []  # digit, red, position
    for position, character in enumerate(text):
        if character in "0123456789":
            pending.append((int(character) or 5, character == "0", position))
        elif character == "r" and pending:
            digit, _, at = pending[-1]
            pending[-1] = (digit, True, at)
        elif character in SUITS:
            if not pending:
                raise NotationError("suit_without_digit", source=text, position=position, suit=character)
            tiles += [_suited(text, SUITS.index(character), *digit) for digit in pending]
            pending.clear()
        elif not character.isspace():
            if pending or character not in _CHARACTERS:
                code = "unknown_suit" if pending else "unknown_tile"
                raise NotationError(code, source=text, position=position, character=character)
            tiles.append(_CHARACTERS[character])
    if pending:
        raise NotationError("digit_without_suit", source=text, position=pending[0][2])
    return tiles


def _suited(text: str, suit: int, digit: int, red: bool, position: int) -> Tile:
    if suit == 3 and red:
        raise NotationError("red_honour", source=text, position=position)
    if suit == 3 and digit > 7:
        raise NotationError("unknown_honour", source=text, position=position, digit=digit)
    return TILES[9 * suit + digit - 1 + RED * red]


def _parse_tile(text: str) -> Tile:
    expect(text, str, "text")
    if text in _BY_NAME:
        return _BY_NAME[text]
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise NotationError("one_tile", source=text, count=len(tiles))
    return tiles[0]


def sort_tiles(tiles: Iterable[int]) -> list[Tile]:
    """Sort tiles by kind; a red tile comes before its plain copies."""
    return [TILES[tile] for tile in sorted(tiles, key=_sort_key)]


def _sort_key(tile: Any) -> tuple[int, bool]:
    return tile % RED, tile < RED


def format_tiles(tiles: TilesLike, *, sort: bool = True) -> str:
    """Write tiles in notation, sorted by default.

    >>> format_tiles([2, "4m", Tile.parse("0m"), 33])
    '340m7z'
    """
    sequence = tiles if isinstance(tiles, list | tuple) else as_tiles(tiles, "tiles")
    try:
        ordered = sorted(sequence, key=_sort_key) if sort else sequence
        names = [_NAMES[tile] for tile in ordered]
    except (KeyError, TypeError):
        return format_tiles(as_tiles(sequence, "tiles"), sort=sort)
    following = [*(name[-1] for name in names[1:]), ""]
    return "".join(
        name[:-1] if name[-1] == suit else name for name, suit in zip(names, following, strict=False)
    )


def _name(tile: int) -> str:
    suit, rank = divmod(tile % RED, 9)
    red = tile >= RED
    return ("0" if red and rank == 4 else f"{rank + 1}{'r' * red}") + SUITS[suit]


_NAMES: Final[dict[Any, str]] = {tile: _name(tile) for tile in TILES}
_BY_NAME: Final[dict[str, Tile]] = {name: tile for tile, name in _NAMES.items()}
AS_TEXT: Final = (
    Parsed(
        lambda text: tuple(parse_tiles(text)),
        write=lambda tiles: format_tiles(tiles, sort=False),
        description="Tiles in notation: 123m406p11z.",
    ),
    Within(0, 64),
)
"""Annotations for tiles written as a string in JSON."""
NotatedTiles = Annotated[tuple[Tile, ...], *AS_TEXT]
SortedTiles = Annotated[tuple[Tile, ...], *AS_TEXT, Refined(lambda tiles: tuple(sort_tiles(tiles)))]
NotatedTile = Annotated[
    Tile,
    Parsed(
        Tile.parse,
        write=lambda tile: format_tiles([tile]),
        description="One tile in notation: 5m, 0p, 3rs, 7z.",
    ),
    Within(0, 3),
]


def counts(tiles: Iterable[int]) -> list[int]:
    """Count the tiles of each of the 34 kinds; a red tile counts for its kind."""
    numbers = [0] * KINDS
    for tile in tiles:
        numbers[tile % RED] += 1
    return numbers


def to_mjai(tile: int) -> str:
    """Return the mjai name of a tile: ``5m``, ``5mr``; the honours are ``E S W N P F C``."""
    suit, rank = divmod(tile % RED, 9)
    return _MJAI_HONOURS[rank] if suit == 3 else f"{rank + 1}{SUITS[suit]}{'r' * (tile >= RED)}"


def from_mjai(name: str) -> Tile:
    """Read an mjai name; raises ``NotationError`` for any other text."""
    if name in _MJAI_HONOURS and len(name) == 1:
        return TILES[HONOURS + _MJAI_HONOURS.index(name)]
    red = name.endswith("r")
    body = name[: len(name) - red]
    if len(body) != 2 or body[0] not in "123456789" or body[1] not in "mps":
        raise NotationError("unknown_mjai", source=name)
    return Tile.parse(f"{body[0]}{'r' * red}{body[1]}")


def from_tenhou(index: int, red_fives: bool = True) -> Tile:
    """Return the tile with Tenhou's number 0–135, which has four numbers for each kind.

    With ``red_fives`` the first five of each suit is red. Raises ``NotationError`` for any other number.
    """
    if not 0 <= index < 136:
        raise NotationError("unknown_tenhou", source=str(index))
    return TILES[index // 4 + (RED if red_fives and index in (16, 52, 88) else 0)]


def to_tenhou(tile: int, copy: int = 0) -> int:
    """Return Tenhou's number for a copy (0–3) of a tile; copy 0 of a five is the red one."""
    return 4 * (tile % RED) + copy


def tile_name(tile: TileLike, language: terms.Language | None = None) -> str:
    """Return the spoken name of a tile: ``red 5 pin`` · ``赤5筒`` · ``적5통``, ``East`` · ``東`` · ``동``.

    ``language`` is ``en``, ``ja`` or ``ko``, by default the current one; ``RequestError`` for any other.
    """
    tile, words = as_tile(tile, "tile"), terms.table("tiles", chosen_language(language))
    suit, rank = divmod(tile % RED, 9)
    if suit == 3:
        return str(words["honours"][rank])
    name = str(words["suits"][suit]).format(rank=words["ranks"][rank])
    return str(words["red"]).format(tile=name) if tile >= RED else name
