"""Hands and melds as immutable values, checked when they are made."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, Self, cast, final, get_args

from jantaku.errors import NotationError, Phrases, RequestError, expect, no_choice
from jantaku.frozen import quick
from jantaku.reading import OneOf, Refined, Strict, about, as_in_json
from jantaku.tally import (
    FIFTH,
    TALLY_BYTES,
    TO_FIFTH,
    check_copies,
    one_of,
)
from jantaku.tiles import (
    HONOURS,
    KINDS,
    RED,
    NotatedTile,
    SortedTiles,
    Tile,
    format_tiles,
    parse_tile,
    parse_tiles,
    sort_tiles,
)

Wind = Literal["east", "south", "west", "north"]
WIND_NAMES: tuple[Wind, ...] = get_args(Wind)
Source = Literal["right", "across", "left"]
SOURCES: tuple[Source, ...] = get_args(Source)
MOST_MELDS = 4


class MeldType(StrEnum):
    """The kinds of meld; an ankan keeps the hand closed."""

    CHI = "chi"
    PON = "pon"
    ANKAN = "ankan"
    DAIMINKAN = "daiminkan"
    KAKAN = "kakan"


@final
@quick
@dataclass(frozen=True, slots=True)
class Meld(Strict):
    """A called set or a kan: its tiles, which of them was called, and from whom (seen from the caller).

    An ankan without tiles lies face down before somebody who may not know it.
    """

    __pydantic_config__ = as_in_json(source="from")

    type: Annotated[MeldType, OneOf(tuple(MeldType))]
    tiles: SortedTiles
    called: NotatedTile | None = None
    source: Source | None = None

    _tally: int = field(init=False, compare=False, repr=False)  # all tiles, counted as in ``ONE``

    def __post_init__(self) -> None:
        """Count the tiles; they are checked by ``parse`` and the engine."""
        kept: Any = self
        kept._tally = sum(map(one_of, self.tiles))

    @classmethod
    def parse(cls, kind: str, tiles: str, called: str | None = None, source: Source | None = None) -> Self:
        """Read a meld: ``Meld.parse("chi", "340m", called="4m", source="left")``.

        ``NotationError`` where the tiles do not make that meld, ``RequestError`` where it cannot come from
        ``source``.
        """
        if kind not in list(MeldType):
            raise RequestError("unknown_meld_type", field="melds", value=kind, known=Phrases(MeldType))
        if source not in (None, *SOURCES):
            raise no_choice("source", source, SOURCES)
        check_source(kind, source, "source")
        read = tuple(sort_tiles(parse_tiles(tiles)))
        return checked_meld(cls(MeldType(kind), read, parse_tile(called) if called else None, source), tiles)

    @property
    def first(self) -> int:
        """The kind of the lowest tile."""
        return self.tiles[0] % RED

    @property
    def face_down(self) -> bool:
        """Whether the tiles are hidden from whoever looks at this meld."""
        return not self.tiles

    @property
    def is_open(self) -> bool:
        """Whether the meld opens the hand."""
        return self.type is not MeldType.ANKAN

    def __str__(self) -> str:
        return f"{self.type} {format_tiles(self.tiles)}"

    def __repr__(self) -> str:
        return f"<Meld {self}>"


@final
@quick
@dataclass(frozen=True, slots=True)
class Hand:
    """Concealed tiles and melds: 13 tiles, or 14 with the drawn one, each meld standing for three."""

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    source: str = field(default="", compare=False, repr=False)
    _counts: Any = field(
        default=None, init=False, compare=False, repr=False
    )  # kept by the adjudication layer
    _tally: int = field(init=False, compare=False, repr=False)  # the concealed tiles, counted as in ``ONE``
    _held: int = field(init=False, compare=False, repr=False)  # with those of the melds

    def __post_init__(self) -> None:
        """Raise ``NotationError`` for a wrong number of tiles or a fifth copy of one."""
        tiles, melds = self.tiles, self.melds
        if len(tiles) + 3 * len(melds) not in (13, 14):
            code = "hand_size_melds" if melds else "hand_size"
            wanted = 13 - 3 * len(melds)
            raise NotationError(code, source=self.source, count=len(tiles), wanted=wanted, melds=len(melds))
        kept: Any = self
        kept._tally = held = sum(map(one_of, tiles))
        for meld in melds:
            held += meld._tally
        kept._held = held
        if held + TO_FIFTH & FIFTH:
            check_copies(self.all_tiles, self.source)

    @classmethod
    def parse(cls, text: str, melds: Iterable[Meld] = ()) -> Self:
        """Read the concealed tiles in notation; ``NotationError`` points at what is wrong."""
        expect(text, str, "text")
        return cls(tuple(parse_tiles(text)), tuple(melds), text)

    def _repr_svg_(self) -> str:
        """The hand as a picture, for notebooks."""
        from jantaku.svg import hand_svg  # noqa: PLC0415  (drawing stands above hands)

        return hand_svg(self)

    @property
    def is_closed(self) -> bool:
        """Whether there is no open meld (門前)."""
        return not self.melds or not any(meld.is_open for meld in self.melds)

    @property
    def has_kan(self) -> bool:
        """Whether there is a kan."""
        return any(len(meld.tiles) == 4 for meld in self.melds)

    @property
    def concealed_counts(self) -> bytes:
        """How many tiles of each of the 34 kinds are concealed."""
        return self._tally.to_bytes(TALLY_BYTES, "little")[:KINDS]

    @property
    def all_tiles(self) -> tuple[Tile, ...]:
        """Every tile, melds included."""
        return self.tiles + tuple(tile for meld in self.melds for tile in meld.tiles)

    def __str__(self) -> str:
        return " ".join([format_tiles(self.tiles), *(str(meld) for meld in self.melds)])

    def __repr__(self) -> str:
        return f"<Hand {self}>"


def check_source(kind: str, source: str | None, field: str) -> None:
    """Raise ``RequestError`` for a chi of anybody's tile but the left player's, or a source of an ankan."""
    if kind == MeldType.CHI and source not in (None, "left"):
        raise RequestError("chi_source", field=field)
    if kind == MeldType.ANKAN and source is not None:
        raise RequestError("ankan_source", field=field)


def typed_meld(kind: str, text: str, field: str) -> Meld:
    """A meld as people type it, such as ``555z@left``; errors name the ``field``."""
    tiles, at, source = text.partition("@")
    if at and source not in SOURCES:
        raise no_choice(field, source, SOURCES)
    said = cast("Source", source) if at else None
    check_source(kind, said, field)
    return Meld.parse(kind, tiles, source=said)


def checked_meld(meld: Meld, source: str = "") -> Meld:
    """The meld; raises ``NotationError`` or ``RequestError`` if there is none of these tiles."""
    kind, tiles = meld.type, meld.tiles
    text = source or format_tiles(tiles)
    kinds = [tile % RED for tile in tiles]
    size = 3 if kind in (MeldType.CHI, MeldType.PON) else 4
    if len(tiles) != size:
        raise NotationError("meld_size", source=text, meld=kind, size=size, count=len(tiles))
    if kind == MeldType.CHI:
        first = kinds[0]
        if kinds != [first, first + 1, first + 2] or first >= HONOURS or first % 9 > 6:
            raise NotationError("no_run", source=text)
    elif len(set(kinds)) != 1:
        raise NotationError("not_alike", source=text, meld=kind)
    if meld.called is not None and kind == MeldType.ANKAN:
        raise RequestError("ankan_source", field="called")
    if meld.called is not None and meld.called not in tiles:
        raise NotationError("called_not_in_meld", source=text, called=format_tiles([meld.called]))
    return meld


def _read_meld(meld: Meld) -> Meld:
    check_source(meld.type, meld.source, "from")
    with about("tiles"):
        return checked_meld(meld)


ReadMeld = Annotated[Meld, Refined(_read_meld)]
"""A meld as a request has it, checked."""
SeenMeld = Annotated[
    Meld, Refined(lambda meld: meld if meld.type == MeldType.ANKAN and meld.face_down else _read_meld(meld))
]
"""A meld as somebody sees it; an ankan may lie face down."""
