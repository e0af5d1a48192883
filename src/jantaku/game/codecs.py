"""Converts the fields of events to plain data and back."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.errors import RequestError, kind_of_value
from jantaku.hand import Meld, MeldType
from jantaku.reading import about
from jantaku.tiles import Tile, format_tiles, parse_tile, parse_tiles

if TYPE_CHECKING:
    from dataclasses import Field


Seat = Annotated[int, "seat"]


class Codec(NamedTuple):
    """Writes and reads one kind of value; ``None`` stays ``None``."""

    kind: str
    to_plain: Callable[[Any], Any]
    from_plain: Callable[[Any], Any]

    def write(self, value: Any) -> Any:
        """The value as plain data."""
        return None if value is None else self.to_plain(value)

    def read(self, value: Any) -> Any:
        """The value that plain data stand for."""
        return None if value is None else self.from_plain(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise RequestError("wrong_type", field="tile", wanted=kind_of_value(str))
    return value


def _tile(value: object) -> Tile:
    return parse_tile(_text(value))


def _tiles(value: object) -> tuple[Tile, ...]:
    return tuple(parse_tiles(_text(value)))


def _hands_out(hands: tuple[tuple[Tile, ...] | None, ...]) -> list[str | None]:
    return [None if hand is None else format_tiles(hand) for hand in hands]


def _hands_in(value: Any) -> tuple[tuple[Tile, ...] | None, ...]:
    if not isinstance(value, list):
        raise RequestError("wrong_type", field="hands", wanted=kind_of_value(list))
    return tuple(None if text is None else _tiles(text) for text in value)


def meld_to_dict(meld: Meld) -> dict[str, str]:
    """A meld in the format of JSON-lines requests."""
    data = {"type": str(meld.type), "tiles": format_tiles(meld.tiles)}
    if meld.called is not None and meld.source is not None:
        data |= {"called": format_tiles([meld.called]), "from": meld.source}
    return data


def meld_from_dict(data: Any) -> Meld:
    """Read the output of ``meld_to_dict``."""
    if not isinstance(data, dict) or not {"type", "tiles"} <= data.keys():
        raise RequestError("wrong_type", field="meld", wanted=kind_of_value(dict))
    with about("meld"):
        if data["type"] == MeldType.ANKAN and data["tiles"] == "":  # a face-down ankan
            return Meld(MeldType.ANKAN, ())
        return Meld.parse(data["type"], data["tiles"], data.get("called"), data.get("from"))


def _meta(kind: str, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> dict[str, Codec]:
    return {"codec": Codec(kind, write, read)}


# Metadata of dataclass fields: how a field is written; without metadata it is written unchanged
NUMBERS: Final = _meta("numbers", list, tuple)  # one for each seat
SEATS: Final = _meta("seats", list, tuple)  # any number of them
TILE: Final = _meta("tile", lambda tile: format_tiles([tile]), _tile)
TILES: Final = _meta("tiles", lambda tiles: format_tiles(tiles, sort=False), _tiles)
HANDS: Final = _meta("hands", _hands_out, _hands_in)
MELD: Final = _meta("meld", meld_to_dict, meld_from_dict)
SCORE: Final = _meta("score", lambda score: score.to_dict(), RecordedScore.from_dict)
_PLAIN: Final = Codec("plain", lambda value: value, lambda value: value)


def codec_of(item: "Field[Any]") -> Codec:
    """The codec of a field."""
    codec: Codec = item.metadata.get("codec", _PLAIN)
    return codec
