"""Hands and melds as immutable values, checked when they are made."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, Self, cast, final, get_args

from jantaku.errors import NotationError, Phrases, RequestError, expect, kind_of_value, no_choice
from jantaku.reading import OneOf, Refined, Strict, about, as_in_json
from jantaku.tally import FIFTH, ONE_OF, TALLY_BYTES, TO_FIFTH, check_copies, one_of
from jantaku.tiles import (
    HONOURS,
    KINDS,
    RED,
    NotatedTile,
    SortedTiles,
    Tile,
    TileLike,
    TilesLike,
    as_tile,
    as_tiles,
    format_tiles,
    parse_tiles,
    sort_tiles,
)

if TYPE_CHECKING:
    from dataclasses import dataclass, field
else:
    from jantaku.frozen import dataclass, field

Wind = Literal["east", "south", "west", "north"]
WIND_NAMES: tuple[Wind, ...] = get_args(Wind)
Source = Literal["right", "across", "left"]
SOURCES: tuple[Source, ...] = get_args(Source)
MeldName = Literal["chi", "pon", "ankan", "daiminkan", "kakan"]
MOST_MELDS = 4


class MeldType(StrEnum):
    """The kinds of meld; an ankan keeps the hand closed."""

    CHI = "chi"
    PON = "pon"
    ANKAN = "ankan"
    DAIMINKAN = "daiminkan"
    KAKAN = "kakan"


@final
@dataclass(frozen=True, slots=True)
class Meld(Strict):
    """A called set or a kan: its tiles, which of them was called, and from whom (seen from the caller).

    An ankan without tiles lies face down before somebody who may not know it. ``NotationError`` where the
    tiles do not make that meld, ``RequestError`` where it cannot come from ``source``.
    """

    __pydantic_config__ = as_in_json(source="from")

    type: Annotated[MeldType, OneOf(tuple(MeldType))]
    tiles: SortedTiles
    called: NotatedTile | None = None
    source: Source | None = None

    _tally: int = field(init=False, compare=False, repr=False)  # all tiles, counted as in ``ONE``

    if TYPE_CHECKING:

        def __init__(
            self,
            type: MeldType | MeldName,  # noqa: A002
            tiles: TilesLike,
            called: TileLike | None = None,
            source: Source | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Raise an error unless the tiles make that meld; sort and count them."""
        kept: Any = self
        try:
            checked = _checked(self.type, self.tiles, self.called, self.source)
        except TypeError:  # of what is no key of a mapping
            kept.tiles = as_tiles(self.tiles, "tiles")
            for name in ("type", "called", "source"):
                if not isinstance(getattr(self, name), str | int | None):
                    expect(getattr(self, name), str, name)
            checked = _checked(self.type, self.tiles, self.called, self.source)
        kept.type, kept.tiles, kept.called, kept._tally = checked

    @classmethod
    def parse(cls, kind: str, tiles: str, called: str | None = None, source: Source | None = None) -> Self:
        """Read a meld: ``Meld.parse("chi", "340m", called="4m", source="left")``; raises as ``Meld``."""
        if isinstance(called, str) and not called:
            called = None
        return cls(cast("MeldType", kind), tiles, called, source)

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

    def _repr_svg_(self) -> str:
        """The meld as a picture, for notebooks."""
        from jantaku.svg import meld_svg  # noqa: PLC0415  (drawing stands above melds)

        return meld_svg(self)


@final
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

    if TYPE_CHECKING:

        def __init__(self, tiles: TilesLike, melds: Iterable[Meld] = (), source: str = "") -> None: ...

    def __post_init__(self) -> None:
        """Raise ``NotationError`` for a wrong number of tiles or a fifth copy of one."""
        kept: Any = self
        tiles, melds, held = self.tiles, self.melds, 0
        if type(tiles) is not tuple or type(melds) is not tuple:
            self._take_as_given()
            return
        for tile in tiles:
            if tile.__class__ is not Tile:
                self._take_as_given()
                return
            held += ONE_OF[tile]
        if len(tiles) + 3 * len(melds) not in (13, 14):
            code = "hand_size_melds" if melds else "hand_size"
            wanted = 13 - 3 * len(melds)
            raise NotationError(code, source=self.source, count=len(tiles), wanted=wanted, melds=len(melds))
        kept._tally = held
        for meld in melds:
            if meld.__class__ is not Meld or not meld.tiles:
                self._refuse_melds()
            held += meld._tally
        kept._held = held
        if held + TO_FIFTH & FIFTH:
            check_copies(self.all_tiles, self.source)

    def _take_as_given(self) -> None:
        """Make tuples of tiles and melds of what was given, and check them."""
        kept: Any = self
        kept.tiles, kept.melds = as_tiles(self.tiles, "tiles"), as_melds(self.melds)
        self.__post_init__()

    def _refuse_melds(self) -> NoReturn:
        for i, meld in enumerate(self.melds):
            expect(meld, Meld, f"melds[{i}]")
        raise RequestError("face_down_meld", field="melds")

    @classmethod
    def parse(cls, text: str, melds: Iterable[Meld] = ()) -> Self:
        """Read the concealed tiles in notation; ``NotationError`` points at what is wrong."""
        expect(text, str, "text")
        return cls(tuple(parse_tiles(text)), as_melds(melds), text)

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


def check_source(kind: str, source: object, field: str) -> None:
    """Raise ``RequestError`` for a chi of anybody's tile but the left player's, or a source of an ankan."""
    if kind == MeldType.CHI and source not in (None, "left"):
        raise RequestError("chi_source", field=field)
    if kind == MeldType.ANKAN and source is not None:
        raise RequestError("ankan_source", field=field)


def as_melds(melds: object) -> tuple[Meld, ...]:
    """The melds that an argument holds; raises ``RequestError`` unless it is some melds."""
    if not isinstance(melds, Iterable) or isinstance(melds, str):
        raise RequestError("wrong_type", field="melds", wanted=kind_of_value(list))
    given = tuple(islice(melds, MOST_MELDS + 1))
    for i, meld in enumerate(given):
        expect(meld, Meld, f"melds[{i}]")
    return given


def typed_meld(kind: str, text: str, field: str) -> Meld:
    """A meld as people type it, such as ``555z@left``; errors name the ``field``."""
    tiles, at, source = text.partition("@")
    if at and source not in SOURCES:
        raise no_choice(field, source, SOURCES)
    said = cast("Source", source) if at else None
    check_source(kind, said, field)
    return Meld.parse(kind, tiles, source=said)


@lru_cache(maxsize=4096)
def _checked(
    kind: object, tiles: object, called: object, source: object
) -> tuple[MeldType, tuple[Tile, ...], Tile | None, int]:
    """The fields of a meld as it keeps them, and its tally; raises an error if there is no such meld."""
    if kind not in list(MeldType):
        raise RequestError("unknown_meld_type", field="melds", value=kind, known=Phrases(MeldType))
    if source not in (None, *SOURCES):
        raise no_choice("source", source, SOURCES)
    made, text = MeldType(str(kind)), tiles if isinstance(tiles, str) else ""
    check_source(made, source, "source")
    held = tuple(sort_tiles(as_tiles(tiles, "tiles")))
    taken = None if called is None else as_tile(called, "called")
    if taken is not None and made is MeldType.ANKAN:
        raise RequestError("ankan_source", field="called")
    if held or made is not MeldType.ANKAN:
        with about("tiles"):
            _check_set(made, held, taken, text or format_tiles(held))
    return made, held, taken, sum(map(one_of, held))


def _check_set(kind: MeldType, tiles: tuple[Tile, ...], called: Tile | None, text: str) -> None:
    """Raise ``NotationError`` unless the tiles, the ``text``, make a set with the called one."""
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
    if called is not None and called not in tiles:
        raise NotationError("called_not_in_meld", source=text, called=str(called))


def _read_meld(meld: Meld) -> Meld:
    if meld.face_down:
        raise NotationError("meld_size", meld=meld.type, size=4, count=0, field="tiles")
    return meld


ReadMeld = Annotated[Meld, Refined(_read_meld)]
"""A meld as a request has it, with its tiles."""
