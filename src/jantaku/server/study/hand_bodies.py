"""Request bodies about single hands: what the JSON-lines contract takes.

The models only describe the bodies, so that clients get types for them. ``jantaku.adjudication.requests``
checks the values: it has codes and messages of its own, and it refuses a body of a million unknown keys at
the first of them, where a model would list them all.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import Body
from pydantic import BeforeValidator, Field, create_model

from jantaku.adjudication.requests import FLAGS, MOST, MOST_ID, MOST_MELDS, NUMBERS
from jantaku.fields import MOST_TEXT
from jantaku.hand import Source, Wind
from jantaku.server.edge.wire import ManTiles, MeldWire, Wire
from jantaku.server.rules.table_types import OptionValue
from jantaku.tally import MOST_POINTS, MOST_TURNS
from jantaku.tiles import COPIES
from jantaku.win import RiichiKind

Text = Annotated[str, Field(max_length=MOST_TEXT)]
Number = Annotated[int, Field(ge=0, le=MOST)]


class _Held(Wire):
    """A hand: its concealed tiles and its melds."""

    id: Annotated[str, Field(max_length=MOST_ID)] | int | None = None
    hand: Text
    melds: Annotated[list[MeldWire], Field(default_factory=list, max_length=MOST_MELDS)]


class ShantenRequest(_Held):
    """A hand, and which man tiles the set has.

    ``kita``: how many norths the player has set aside. ``wait_in_melds``: the rules' option of that name.
    """

    man: ManTiles = "all"
    kita: Annotated[int, Field(ge=0, le=COPIES)] = 0
    wait_in_melds: bool = False


class HandRequest(ShantenRequest):
    """The same with the dora indicators and the other tiles that lie open."""

    dora: Text = ""
    seen: Text = ""


class _WinRequest(_Held):
    rules: str | dict[str, OptionValue] | None = None
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


_MORE: Final[dict[str, Any]] = dict.fromkeys(FLAGS, (bool, False)) | dict.fromkeys(NUMBERS, (Number, 0))

if TYPE_CHECKING:
    WinRequest = Any
else:
    WinRequest = create_model(
        "WinRequest",
        __base__=_WinRequest,
        __doc__="A win: the hand without its winning tile, and how it was won.",
        __module__=__name__,
        **_MORE,
    )


def _unchanged(body: Any) -> Any:
    return body


ShantenBody = Annotated[
    dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=ShantenRequest)
]
HandBody = Annotated[dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=HandRequest)]
WinBody = Annotated[dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=WinRequest)]
