"""Actions as plain data and as one line of text."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast, get_args

from jantaku.errors import RequestError
from jantaku.fields import Fields, choice
from jantaku.game import actions
from jantaku.tiles import format_tiles, parse_tile, parse_tiles


def to_dict(action: actions.Action) -> dict[str, Any]:
    """The action as plain data: its ``type`` and its fields."""
    data: dict[str, Any] = {"type": action.type}
    match action:
        case actions.Discard(tile, drawn, riichi):
            data |= {"tile": format_tiles([tile]), "drawn": drawn, "riichi": riichi}
        case actions.Chi(tiles):
            data["tiles"] = format_tiles(tiles)
        case actions.Pon(red):
            data["red"] = red
        case actions.Kan(kind, tile):
            data |= {"kind": kind, "tile": format_tiles([tile])}
        case actions.Foul(act):
            data["act"] = act
        case _:
            pass
    return data


def _discard_from(data: Mapping[str, Any]) -> actions.Action:
    fields = Fields(data, ("type", "tile", "drawn", "riichi"))
    riichi = fields.get("riichi")
    if riichi is not None:
        choice(riichi, "riichi", get_args(actions.Riichi))
    tile = parse_tile(fields.typed("tile", str))
    return actions.Discard(tile, fields.typed("drawn", bool, default=False), riichi)


def _chi_from(data: Mapping[str, Any]) -> actions.Action:
    fields = Fields(data, ("type", "tiles"))
    return _chi(fields.typed("tiles", str))


def _chi(text: str) -> actions.Chi:
    tiles = parse_tiles(text)
    if len(tiles) != 2:
        raise RequestError("two_tiles", field="tiles", count=len(tiles))
    return actions.Chi((tiles[0], tiles[1]))


def _pon_from(data: Mapping[str, Any]) -> actions.Action:
    red = Fields(data, ("type", "red")).typed("red", int, default=0)
    if not 0 <= red <= 2:
        raise RequestError("number_range", field="red", value=red, low=0, high=2)
    return actions.Pon(red)


def _kan_from(data: Mapping[str, Any]) -> actions.Action:
    fields = Fields(data, ("type", "kind", "tile"))
    kind = fields.choice("kind", get_args(actions.KanKind))
    return actions.Kan(cast("actions.KanKind", kind), parse_tile(fields.typed("tile", str)))


def _foul_from(data: Mapping[str, Any]) -> actions.Action:
    fields = Fields(data, ("type", "act"))
    return actions.Foul(cast("actions.FoulAct", fields.choice("act", get_args(actions.FoulAct))))


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], actions.Action]]] = {
    "discard": _discard_from,
    "chi": _chi_from,
    "pon": _pon_from,
    "kan": _kan_from,
    "foul": _foul_from,
}


def from_dict(data: Mapping[str, Any]) -> actions.Action:
    """Read the output of ``to_dict``; raises ``RequestError`` with the invalid field."""
    name = choice(data.get("type"), "type", (*actions.WITHOUT_TILES, *_READERS))
    if name in _READERS:
        return _READERS[name](data)
    Fields(data, ("type",))
    return actions.WITHOUT_TILES[name]


def parse(text: str) -> actions.Action:
    """Parse the output of ``str()``: ``5m*``, ``riichi 5m``, ``chi 34m``, ``pon r``, ``ankan 1z``.

    >>> parse("riichi 0p*")
    <Discard riichi 0p*>
    """
    word, _, rest = text.strip().partition(" ")
    if word in actions.WITHOUT_TILES and not rest:
        return actions.WITHOUT_TILES[word]
    if word == "chi":
        return _chi(rest)
    if word == "pon" and rest in ("", "r", "rr"):
        return actions.Pon(len(rest))
    if word == actions.Foul.type:
        return _foul_from({"type": word, "act": rest})
    if word in get_args(actions.KanKind):
        return actions.Kan(cast("actions.KanKind", word), parse_tile(rest))
    riichi = cast("actions.Riichi", word) if word in get_args(actions.Riichi) else None
    tile = rest if riichi else text.strip()
    return actions.Discard(
        parse_tile(tile.removesuffix(actions.DRAWN_MARK)), tile.endswith(actions.DRAWN_MARK), riichi
    )
