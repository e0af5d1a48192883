"""JSON-lines requests: what they may hold, and the hand or win that they describe.

Every error names its field in ``details["field"]``: ``melds[0].tiles`` for a field inside a list.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from jantaku.errors import RequestError, either
from jantaku.hand import MOST_MELDS, Hand, ReadMeld, Source, Wind
from jantaku.reading import MOST_TEXT, Reader, about
from jantaku.tally import MOST_POINTS, MOST_TURNS
from jantaku.tiles import COPIES, Tile, parse_tiles
from jantaku.win import COUNTS, RARE, RiichiKind, Win
from jantaku.wire import Wire

MOST: Final = 10_000
MOST_ID: Final = 1000  # characters of an id, or bits of a number
Text = Annotated[str, Field(max_length=MOST_TEXT)]
Number = Annotated[int, Field(ge=0, le=MOST)]
ManTiles = Literal["all", "one_nine", "one_five_nine"]  # ``tiles.man`` of the rules


class HeldTiles(Wire):
    """A hand: its concealed tiles and its melds."""

    id: Annotated[str, Field(max_length=MOST_ID)] | int | None = None
    hand: Text
    melds: Annotated[tuple[ReadMeld, ...], Field(default_factory=tuple, max_length=MOST_MELDS)]

    def read(self) -> Hand:
        """The checked hand."""
        with about("hand"):
            return Hand(tuple(parse_tiles(self.hand)), self.melds, self.hand)


class ShantenRequest(HeldTiles):
    """A hand, and which man tiles the set has.

    ``kita``: how many norths the player has set aside. ``wait_in_melds``: the rules' option of that name.
    """

    man: ManTiles = "all"
    kita: Annotated[int, Field(ge=0, le=COPIES)] = 0
    wait_in_melds: bool = False


class WinRequest(HeldTiles):
    """A win: the hand without its winning tile, and how it was won."""

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
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] | None = None
    score: Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None
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
    """The id to answer with, if the request has a usable one."""
    id_ = request.get("id") if isinstance(request, Mapping) else None
    if isinstance(id_, str):
        return id_ if len(id_) <= MOST_ID else None
    return id_ if type(id_) is int and id_.bit_length() <= MOST_ID else None


def win_from_request(request: object) -> Win:
    """The win that a request describes.

    Raises ``RequestError`` for an unknown field, a wrong type or value, contradictory circumstances, and
    ``NotationError`` for impossible tiles.
    """
    asked = _WINS(request)
    if asked.id is not None and request_id(request) is None:
        raise RequestError("wrong_type", field="id", wanted=either(str, int))
    with about("win"):
        tile = Tile.parse(asked.win)
    hand = asked.read()
    situation: dict[str, Any] = {name: getattr(asked, name) for name in _PLAIN}
    situation |= {name: tiles_of(asked, name) for name in ("dora", "ura")}
    if asked.discarded is not None:
        situation["discarded"] = tiles_of(asked, "discarded")
    with about("hand"):
        return Win(hand, tile, tsumo=asked.by == "tsumo", source=asked.from_, pao=asked.pao, **situation)


def tiles_of(asked: HeldTiles, name: str) -> tuple[Tile, ...]:
    """The tiles that a field names."""
    with about(name):
        return tuple(parse_tiles(getattr(asked, name)))
