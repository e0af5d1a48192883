"""A position as one seat sees it, in notation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypedDict, Unpack

from jantaku.errors import NotationError, RequestError
from jantaku.fields import MOST_TEXT, choice
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType, Wind, typed_meld
from jantaku.kernels.engine.state import RIVER_ROOM
from jantaku.reading import about
from jantaku.tiles import COPIES, Tile, parse_tiles

RIICHI: Final = "riichi"
KITA: Final = "kita"
USUAL_TURN: Final = 6  # if nothing says how far the hand has gone
MOST_TURN: Final = 24
MOST_DISCARDS: Final = RIVER_ROOM - 2
MOST_INDICATORS: Final = 5
HANDS_OF_ROUND: Final = 4


@dataclass(frozen=True)
class River:
    """What lies before another player: discards in order, melds, riichi, and norths set aside.

    ``tiles`` is ``None`` if the discards are not known, and leaves out those that were called. ``declared``
    is the place of the discard that declared riichi, ``None`` without riichi. ``kita`` counts the norths.
    """

    tiles: tuple[Tile, ...] | None = None
    melds: tuple[Meld, ...] = ()
    declared: int | None = None
    riichi: bool = False
    kita: int = 0

    @classmethod
    def parse(cls, text: str, field: str) -> Self:
        """Read ``9m 1z pon 555z@left riichi 4p 3s kita 2``; without any tile the discards are not known.

        ``riichi`` stands before the tile that declares it, ``kita`` before the number of norths. Raises
        ``NotationError`` or ``RequestError`` with ``field``.
        """
        if len(text) > MOST_TEXT:
            raise RequestError("text_too_long", field=field, most=MOST_TEXT)
        tiles: list[Tile] = []
        melds: list[Meld] = []
        declared, riichi, kita, words = None, False, 0, iter(text.split())
        with about(field):
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
        if len(melds) > HANDS_OF_ROUND or (riichi and any(meld.is_open for meld in melds)):
            raise RequestError(
                "clash_riichi" if riichi else "too_many_melds", field=field, count=len(melds), most=4
            )
        return cls(tuple(tiles) if tiles else None, tuple(melds), declared, riichi, kita)


def _norths(text: str, field: str) -> int:
    """A number of norths set aside, such as ``2``."""
    if text not in map(str, range(COPIES + 1)):
        raise RequestError("number_range", field=field, value=text, low=0, high=COPIES)
    return int(text)


class TableSituation(TypedDict, total=False):
    """What ``SeatPosition.parse`` takes as it is."""

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
    """What a seat sees when it has to discard; what is ``None`` is not known.

    ``hand`` has the drawn tile, ``drawn``, among its tiles. ``number`` is the hand's number within the round.
    ``scores`` begins with the seat's own and goes on to the right. ``deposits`` counts all riichi sticks on
    the table, those of this hand if it is ``None``. ``turn`` is the number of the discard to come.
    ``discards`` are the seat's own, ``others`` the rivers to the right, across and to the left; of three
    players the last one sits on the left. ``kita``: how many norths the seat has set aside. ``wareme``: the
    seat at whose wall the deal began; nobody pays double if it is ``None``.
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
        """Raise ``RequestError`` or ``NotationError`` for numbers that cannot be."""
        wanted = 14 - 3 * len(self.hand.melds)
        if len(self.hand.tiles) != wanted:
            count = len(self.hand.tiles)
            raise NotationError("hand_to_discard", source=self.hand.source, count=count, wanted=wanted)
        for field, value, low, high in (
            ("number", self.number, 1, HANDS_OF_ROUND),
            ("honba", self.honba, 0, 100),
            ("deposits", self.deposits or 0, 0, 100),
            ("turn", self.turn or 1, 1, MOST_TURN),
            ("kita", self.kita, 0, COPIES),
            *(("scores", score, -1_000_000, 1_000_000) for score in self.scores or ()),
        ):
            if not low <= value <= high:
                raise RequestError("number_range", field=field, value=value, low=low, high=high)
        if len(self.dora) > MOST_INDICATORS:
            raise RequestError("too_many_indicators", field="dora", most=MOST_INDICATORS)
        for field, tiles in (("discards", self.discards), *zip(SOURCES, self.rivers, strict=False)):
            if len(tiles or ()) > MOST_DISCARDS:
                raise RequestError("too_many_discards", field=field, most=MOST_DISCARDS)

    @property
    def rivers(self) -> tuple[tuple[Tile, ...] | None, ...]:
        """The discards of the others."""
        return tuple(other.tiles for other in self.others)

    @classmethod
    def parse(  # noqa: PLR0913  (a keyword for each thing that lies on the table)
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
        """Read ``"234m567p34567s99p 8s"``: the concealed tiles and, last, the drawn one.

        ``right``, ``across`` and ``left`` are read by ``River.parse``; ``situation`` takes the other fields
        by name. Raises ``NotationError`` or ``RequestError``.
        """
        with about("hand"):
            tiles = parse_tiles(text)
            hand = Hand(tuple(tiles), tuple(melds), text)
        with about("dora"):
            indicators = tuple(parse_tiles(dora))
        rivers = zip(SOURCES, (right, across, left), strict=True)
        others = tuple(River.parse(said, name) for name, said in rivers)
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
