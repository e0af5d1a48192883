"""Hands and melds as immutable values, validated on construction."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, Self, cast, final, get_args

from jantaku.errors import NotationError, Phrases, RequestError, expect, kind_of_value, wrong_choice
from jantaku.reading import OneOf, Refined, Strict, as_in_json, in_field
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
MAX_MELDS = 4


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
    """A called set or a kan: its tiles, the called tile, and its ``source`` as seen by the caller.

    An ankan without tiles is face down, for viewers who may not know it. Raises ``NotationError`` if the
    tiles do not form the meld, ``RequestError`` if it cannot come from ``source``.
    """

    __pydantic_config__ = as_in_json(source="from")

    type: Annotated[MeldType, OneOf(tuple(MeldType))]
    tiles: SortedTiles
    called: NotatedTile | None = None
    source: Source | None = None

    _tally: int = field(init=False, compare=False, repr=False)  # of all tiles, in the format of ``ONE``

    if TYPE_CHECKING:

        def __init__(
            self,
            type: MeldType | MeldName,  # noqa: A002
            tiles: TilesLike,
            called: TileLike | None = None,
            source: Source | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Check that the tiles form the meld, then sort and count them."""
        this: Any = self
        try:
            checked = _checked(self.type, self.tiles, self.called, self.source)
        except TypeError:  # an unhashable argument
            this.tiles = as_tiles(self.tiles, "tiles")
            for name in ("type", "called", "source"):
                if not isinstance(getattr(self, name), str | int | None):
                    expect(getattr(self, name), str, name)
            checked = _checked(self.type, self.tiles, self.called, self.source)
        this.type, this.tiles, this.called, this._tally = checked

    @classmethod
    def parse(cls, kind: str, tiles: str, called: str | None = None, source: Source | None = None) -> Self:
        """Read a meld: ``Meld.parse("chi", "340m", called="4m", source="left")``; raises like ``Meld``."""
        if isinstance(called, str) and not called:
            called = None
        return cls(cast("MeldType", kind), tiles, called, source)

    @property
    def first(self) -> int:
        """The kind of the lowest tile."""
        return self.tiles[0] % RED

    @property
    def face_down(self) -> bool:
        """Whether the tiles are hidden (an ankan without tiles)."""
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
        """Draw the meld for notebooks."""
        from jantaku.svg import meld_svg  # noqa: PLC0415  (a layer above this one)

        return meld_svg(self)


@final
@dataclass(frozen=True, slots=True)
class Hand:
    """Concealed tiles and melds: 13 tiles, or 14 with a drawn tile, where each meld counts as three.

    Raises ``NotationError`` for any other number of tiles or a fifth copy of a tile. ``source`` is the parsed
    text, for error messages.
    """

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    source: str = field(default="", compare=False, repr=False)
    _counts: Any = field(
        default=None, init=False, compare=False, repr=False
    )  # cached by the adjudication layer
    _tally: int = field(init=False, compare=False, repr=False)  # concealed tiles, in the format of ``ONE``
    _held: int = field(init=False, compare=False, repr=False)  # all tiles, in the format of ``ONE``

    if TYPE_CHECKING:

        def __init__(self, tiles: TilesLike, melds: Iterable[Meld] = (), source: str = "") -> None: ...

    def __post_init__(self) -> None:
        """Check the number of tiles and of copies, and count them."""
        this: Any = self
        tiles, melds, held = self.tiles, self.melds, 0
        if type(tiles) is not tuple or type(melds) is not tuple:
            self._coerce()
            return
        for tile in tiles:
            if tile.__class__ is not Tile:
                self._coerce()
                return
            held += ONE_OF[tile]
        if len(tiles) + 3 * len(melds) not in (13, 14):
            code = "hand_size_melds" if melds else "hand_size"
            wanted = 13 - 3 * len(melds)
            raise NotationError(code, source=self.source, count=len(tiles), wanted=wanted, melds=len(melds))
        this._tally = held
        for meld in melds:
            if meld.__class__ is not Meld or not meld.tiles:
                self._refuse_melds()
            held += meld._tally
        this._held = held
        if held + TO_FIFTH & FIFTH:
            check_copies(self.all_tiles, self.source)

    def _coerce(self) -> None:
        """Convert the arguments to tuples of tiles and melds, and check again."""
        this: Any = self
        this.tiles, this.melds = as_tiles(self.tiles, "tiles"), as_melds(self.melds)
        self.__post_init__()

    def _refuse_melds(self) -> NoReturn:
        for i, meld in enumerate(self.melds):
            expect(meld, Meld, f"melds[{i}]")
        raise RequestError("face_down_meld", field="melds")

    @classmethod
    def parse(cls, text: str, melds: Iterable[Meld] = ()) -> Self:
        """Read the concealed tiles in notation; a ``NotationError`` gives the position of the mistake."""
        expect(text, str, "text")
        return cls(tuple(parse_tiles(text)), as_melds(melds), text)

    def _repr_svg_(self) -> str:
        """Draw the hand for notebooks."""
        from jantaku.svg import hand_svg  # noqa: PLC0415  (a layer above this one)

        return hand_svg(self)

    @property
    def is_closed(self) -> bool:
        """Whether the hand has no open meld (門前)."""
        return not self.melds or not any(meld.is_open for meld in self.melds)

    @property
    def has_kan(self) -> bool:
        """Whether the hand has a kan."""
        return any(len(meld.tiles) == 4 for meld in self.melds)

    @property
    def concealed_counts(self) -> bytes:
        """Number of concealed tiles of each of the 34 kinds."""
        return self._tally.to_bytes(TALLY_BYTES, "little")[:KINDS]

    @property
    def all_tiles(self) -> tuple[Tile, ...]:
        """All tiles, including those of melds."""
        return self.tiles + tuple(tile for meld in self.melds for tile in meld.tiles)

    def __str__(self) -> str:
        return " ".join([format_tiles(self.tiles), *(str(meld) for meld in self.melds)])

    def __repr__(self) -> str:
        return f"<Hand {self}>"


def check_source(kind: str, source: object, field: str) -> None:
    """Raise ``RequestError`` for a chi from anyone but the left player, or an ankan with a source."""
    if kind == MeldType.CHI and source not in (None, "left"):
        raise RequestError("chi_source", field=field)
    if kind == MeldType.ANKAN and source is not None:
        raise RequestError("ankan_source", field=field)


def as_melds(melds: object) -> tuple[Meld, ...]:
    """Return melds as a tuple; raises ``RequestError`` unless the argument is an iterable of ``Meld``."""
    if not isinstance(melds, Iterable) or isinstance(melds, str):
        raise RequestError("wrong_type", field="melds", wanted=kind_of_value(list))
    checked = tuple(islice(melds, MAX_MELDS + 1))
    for i, meld in enumerate(checked):
        expect(meld, Meld, f"melds[{i}]")
    return checked


def typed_meld(kind: str, text: str, field: str) -> Meld:
    """Read a meld in the notation of the command line, such as ``555z@left``; errors name the ``field``."""
    tiles, at, source = text.partition("@")
    if at and source not in SOURCES:
        raise wrong_choice(field, source, SOURCES)
    seat = cast("Source", source) if at else None
    check_source(kind, seat, field)
    return Meld.parse(kind, tiles, source=seat)


@lru_cache(maxsize=4096)
def _checked(
    kind: object, tiles: object, called: object, source: object
) -> tuple[MeldType, tuple[Tile, ...], Tile | None, int]:
    """Validate a meld and return its type, tiles, called tile and tally."""
    if kind not in list(MeldType):
        raise RequestError("unknown_meld_type", field="melds", value=kind, known=Phrases(MeldType))
    if source not in (None, *SOURCES):
        raise wrong_choice("source", source, SOURCES)
    made, text = MeldType(str(kind)), tiles if isinstance(tiles, str) else ""
    check_source(made, source, "source")
    held = tuple(sort_tiles(as_tiles(tiles, "tiles")))
    taken = None if called is None else as_tile(called, "called")
    if taken is not None and made is MeldType.ANKAN:
        raise RequestError("ankan_source", field="called")
    if held or made is not MeldType.ANKAN:
        with in_field("tiles"):
            _check_set(made, held, taken, text or format_tiles(held))
    return made, held, taken, sum(map(one_of, held))


def _check_set(kind: MeldType, tiles: tuple[Tile, ...], called: Tile | None, text: str) -> None:
    """Raise ``NotationError``, which shows ``text``, unless the tiles form the set with the called tile."""
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
"""A meld in a request, which must have its tiles."""
