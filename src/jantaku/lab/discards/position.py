"""A position as one seat sees it, in notation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypedDict, Unpack

from jantaku.errors import NotationError, RequestError
from jantaku.fields import MAX_TEXT, choice
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType, Wind, typed_meld
from jantaku.kernels.engine.state import RIVER_ROOM
from jantaku.reading import in_field
from jantaku.tiles import COPIES, Tile, parse_tiles

RIICHI: Final = "riichi"
KITA: Final = "kita"
DEFAULT_TURN: Final = 6  # if the position does not state it
MAX_TURN: Final = 24
MAX_DISCARDS: Final = RIVER_ROOM - 2
MAX_INDICATORS: Final = 5
MAX_MELDS: Final = 4
HANDS_PER_ROUND: Final = 4


@dataclass(frozen=True)
class River:
    """The open tiles of another player: discards in order, melds, riichi, and norths set aside.

    ``tiles`` omits called discards and is ``None`` if the discards are unknown. ``declared`` is the index of
    the riichi discard, ``None`` without riichi. ``kita`` is the number of norths.
    """

    tiles: tuple[Tile, ...] | None = None
    melds: tuple[Meld, ...] = ()
    declared: int | None = None
    riichi: bool = False
    kita: int = 0

    @classmethod
    def parse(cls, text: str, field: str) -> Self:
        """Read ``9m 1z pon 555z@left riichi 4p 3s kita 2``; without any tile the discards are unknown.

        ``riichi`` precedes the declaring tile, ``kita`` the number of norths. Raises ``NotationError`` or
        ``RequestError`` with ``field``.
        """
        if len(text) > MAX_TEXT:
            raise RequestError("text_too_long", field=field, most=MAX_TEXT)
        tiles: list[Tile] = []
        melds: list[Meld] = []
        declared, riichi, kita, words = None, False, 0, iter(text.split())
        with in_field(field):
            for word in words:
                if word == RIICHI:
                    declared, riichi = len(tiles), True
                elif word == KITA:
                    kita += _norths(next(words, ""), field)
                elif word in list(MeldType):
                    melds.append(typed_meld(word, next(words, ""), field))
                else:
                    tiles += parse_tiles(word)
        if declared is not None and declared >= len(tiles):
            declared = len(tiles) - 1 if tiles else None
        if len(melds) > MAX_MELDS or (riichi and any(meld.is_open for meld in melds)):
            raise RequestError(
                "clash_riichi" if riichi else "too_many_melds", field=field, count=len(melds), most=4
            )
        return cls(tuple(tiles) if tiles else None, tuple(melds), declared, riichi, kita)


def _norths(text: str, field: str) -> int:
    """Parse the number of norths set aside."""
    if text not in map(str, range(COPIES + 1)):
        raise RequestError("number_range", field=field, value=text, low=0, high=COPIES)
    return int(text)


class TableSituation(TypedDict, total=False):
    """The arguments of ``SeatPosition.parse`` that need no parsing."""

    round: Wind
    number: int
    seat: Wind
    honba: int
    deposits: int | None
    turn: int | None
    kita: int
    wareme: Wind | None


@dataclass(frozen=True)
class SeatPosition:
    """The view of a seat that is to discard; ``None`` means unknown unless stated otherwise.

    ``hand`` includes the drawn tile, ``drawn``. ``number`` is the hand's number within the round. ``scores``
    begins with the seat's own and continues to the right. ``deposits`` counts all riichi sticks on the table;
    ``None`` means only those of this hand. ``turn`` is the number of the next discard. ``discards`` are the
    seat's own, ``others`` the rivers to the right, across and to the left; with three players the last one
    sits on the left. ``kita`` is the number of norths the seat has set aside. ``wareme`` is the seat at whose
    wall the deal began; ``None`` means that nobody pays or receives double.
    """

    hand: Hand
    drawn: Tile
    round: Wind = "east"
    number: int = 1
    seat: Wind = "south"
    dora: tuple[Tile, ...] = ()
    honba: int = 0
    deposits: int | None = None
    scores: tuple[int, ...] | None = None
    turn: int | None = None
    discards: tuple[Tile, ...] | None = None
    others: tuple[River, ...] = (River(), River(), River())
    kita: int = 0
    wareme: Wind | None = None

    def __post_init__(self) -> None:
        """Raise ``RequestError`` or ``NotationError`` for impossible numbers."""
        wanted = 14 - 3 * len(self.hand.melds)
        if len(self.hand.tiles) != wanted:
            count = len(self.hand.tiles)
            raise NotationError("hand_to_discard", source=self.hand.source, count=count, wanted=wanted)
        for field, value, low, high in (
            ("number", self.number, 1, HANDS_PER_ROUND),
            ("honba", self.honba, 0, 100),
            ("deposits", self.deposits or 0, 0, 100),
            ("turn", self.turn or 1, 1, MAX_TURN),
            ("kita", self.kita, 0, COPIES),
            *(("scores", score, -1_000_000, 1_000_000) for score in self.scores or ()),
        ):
            if not low <= value <= high:
                raise RequestError("number_range", field=field, value=value, low=low, high=high)
        if len(self.dora) > MAX_INDICATORS:
            raise RequestError("too_many_indicators", field="dora", most=MAX_INDICATORS)
        for field, tiles in (("discards", self.discards), *zip(SOURCES, self.rivers, strict=False)):
            if len(tiles or ()) > MAX_DISCARDS:
                raise RequestError("too_many_discards", field=field, most=MAX_DISCARDS)

    @property
    def rivers(self) -> tuple[tuple[Tile, ...] | None, ...]:
        """Discards of the others, in the order of ``others``."""
        return tuple(other.tiles for other in self.others)

    @classmethod
    def parse(  # noqa: PLR0913  (keyword arguments)
        cls,
        text: str,
        melds: Iterable[Meld] = (),
        *,
        dora: str = "",
        discards: str = "",
        right: str = "",
        across: str = "",
        left: str = "",
        scores: Sequence[int] | None = None,
        **situation: Unpack[TableSituation],
    ) -> Self:
        """Read ``"234m567p34567s99p 8s"``: the concealed tiles, the drawn one last.

        ``discards``, ``right``, ``across`` and ``left`` are read by ``River.parse``; ``situation`` sets the
        other fields by name. Raises ``NotationError`` or ``RequestError``.
        """
        with in_field("hand"):
            tiles = parse_tiles(text)
            hand = Hand(tuple(tiles), tuple(melds), text)
        with in_field("dora"):
            indicators = tuple(parse_tiles(dora))
        rivers = zip(SOURCES, (right, across, left), strict=True)
        others = tuple(River.parse(notation, name) for name, notation in rivers)
        own = River.parse(discards, "discards")
        situation["kita"] = situation.get("kita", 0) + own.kita
        for field in ("round", "seat", "wareme"):
            choice(situation.get(field) or WIND_NAMES[0], field, WIND_NAMES)
        if not tiles:
            raise NotationError("no_tiles", source=text)
        return cls(
            hand,
            tiles[-1],
            dora=indicators,
            discards=own.tiles,
            others=others,
            scores=None if scores is None else tuple(scores),
            **situation,
        )
