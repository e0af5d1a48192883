"""The fields of JSON-lines requests, and their conversion to hands and wins.

Every error has the path of its field in ``details["field"]``, such as ``melds[0].tiles``.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from jantaku.errors import RequestError, either
from jantaku.hand import MAX_MELDS, Hand, ReadMeld, Source, Wind
from jantaku.reading import MAX_TEXT, Reader, in_field
from jantaku.tally import MAX_POINTS, MAX_TURNS
from jantaku.tiles import COPIES, Tile, parse_tiles
from jantaku.win import COUNTS, RARE, RiichiKind, Win
from jantaku.wire import Wire

MAX_COUNT: Final = 10_000
MAX_ID: Final = 1000  # characters of a text id, bits of a numeric id
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Number = Annotated[int, Field(ge=0, le=MAX_COUNT)]
ManTiles = Literal["all", "one_nine", "one_five_nine"]  # ``tiles.man`` of the rules


class HeldTiles(Wire):
    """A hand: its concealed tiles and its melds."""

    id: Annotated[str, Field(max_length=MAX_ID)] | int | None = None
    hand: Text
    melds: Annotated[tuple[ReadMeld, ...], Field(default_factory=tuple, max_length=MAX_MELDS)]

    def read(self) -> Hand:
        """Return the hand; raises ``NotationError`` for invalid tiles."""
        with in_field("hand"):
            return Hand(tuple(parse_tiles(self.hand)), self.melds, self.hand)


class ShantenRequest(HeldTiles):
    """A hand of 13 or 14 tiles and the rules that affect its shanten.

    ``man`` and ``wait_in_melds`` are the options ``tiles.man`` and ``draw.wait_in_melds``; ``kita`` is the
    number of norths set aside.
    """

    man: ManTiles = "all"
    kita: Annotated[int, Field(ge=0, le=COPIES)] = 0
    wait_in_melds: bool = False


class WinRequest(HeldTiles):
    """A win: the hand without its winning tile, the tile and the circumstances."""

    rules: Any = None
    win: Text
    by: Literal["tsumo", "ron"]
    from_: Annotated[Source | None, Field(alias="from")] = None
    round: Wind = "east"
    seat: Wind = "south"
    riichi: RiichiKind | None = None
    wareme: Wind | None = None
    dora: Text = ""
    ura: Text = ""
    pao: dict[str, Source] | None = None
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None
    score: Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)] | None = None
    discarded: Text | None = None
    ippatsu: bool = False
    last_tile: bool = False
    rinshan: bool = False
    chankan: bool = False
    first_turn: bool = False
    riichi_tile: bool = False
    kan_discard: bool = False
    discarder_riichi: bool = False
    furiten: bool = False
    final_hand: bool = False
    honba: Number = 0
    deposits: Number = 0
    laid: Number = 0
    dealer_streak: Number = 0
    kita: Number = 0


_PLAIN: Final = ("round", "seat", "riichi", "wareme", "turn", "score", *RARE, *COUNTS)
_WINS: Final = Reader(WinRequest)


def request_id(request: object) -> str | int | None:
    """Return the id of the request to repeat in the answer; ``None`` if it is missing or invalid."""
    id_ = request.get("id") if isinstance(request, Mapping) else None
    if isinstance(id_, str):
        return id_ if len(id_) <= MAX_ID else None
    return id_ if type(id_) is int and id_.bit_length() <= MAX_ID else None


def win_from_request(request: object) -> Win:
    """Convert a request to a ``Win``.

    Raises ``RequestError`` for an unknown field, a wrong type or value or contradictory circumstances, and
    ``NotationError`` for invalid or impossible tiles.
    """
    parsed = _WINS(request)
    if parsed.id is not None and request_id(request) is None:
        raise RequestError("wrong_type", field="id", wanted=either(str, int))
    with in_field("win"):
        tile = Tile.parse(parsed.win)
    hand = parsed.read()
    situation: dict[str, Any] = {name: getattr(parsed, name) for name in _PLAIN}
    situation |= {name: tiles_of(parsed, name) for name in ("dora", "ura")}
    if parsed.discarded is not None:
        situation["discarded"] = tiles_of(parsed, "discarded")
    with in_field("hand"):
        return Win(hand, tile, tsumo=parsed.by == "tsumo", source=parsed.from_, pao=parsed.pao, **situation)


def tiles_of(parsed: HeldTiles, name: str) -> tuple[Tile, ...]:
    """Parse the tiles in a field of a request."""
    with in_field(name):
        return tuple(parse_tiles(getattr(parsed, name)))
