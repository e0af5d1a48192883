"""Checks a JSON-lines request field by field and reads it into values.

Every error names its field in ``details["field"]``: ``melds[0].tiles`` for a field inside a list.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

from jantaku.bounded import shown
from jantaku.errors import NotationError, RequestError, either
from jantaku.fields import Fields, choice, whole
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType, check_source
from jantaku.tally import MOST_POINTS, MOST_TURNS
from jantaku.tiles import COPIES, MAN_KINDS, Tile, parse_tile, parse_tiles
from jantaku.win import RIICHI_KINDS, Win

FLAGS: Final = (
    "ippatsu",
    "last_tile",
    "rinshan",
    "chankan",
    "first_turn",
    "riichi_tile",
    "kan_discard",
    "discarder_riichi",
    "furiten",
    "final_hand",
)
NUMBERS: Final = ("honba", "deposits", "laid", "dealer_streak", "kita")
SAID: Final = {"turn": (1, MOST_TURNS), "score": (-MOST_POINTS, MOST_POINTS)}
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "by": ("tsumo", "ron"),
    "from": SOURCES,
    "round": WIND_NAMES,
    "seat": WIND_NAMES,
    "riichi": RIICHI_KINDS,
    "wareme": WIND_NAMES,
}
NULLABLE: Final = ("from", "riichi", "wareme")
WIN_FIELDS: Final = (
    *("id", "rules", "hand", "melds", "win", *CHOICES),
    *(*FLAGS, "dora", "ura", *NUMBERS, "pao", *SAID, "discarded"),
)
SHANTEN_FIELDS: Final = ("id", "hand", "melds", "man", "kita", "wait_in_melds")
MELD_FIELDS: Final = ("type", "tiles", "called", "from")
MOST: Final = 10_000
MOST_ID: Final = 1000  # characters of an id, or bits of a number
MOST_MELDS: Final = 4


@contextmanager
def about(field: str) -> Iterator[None]:
    """Add the field name to any notation error raised inside."""
    try:
        yield
    except NotationError as error:
        error.details.setdefault("field", field)
        raise


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
    fields = Fields(request, WIN_FIELDS)
    if fields.get("id") is not None and request_id(fields) is None:
        raise RequestError("wrong_type", field="id", wanted=either(str, int))
    melds = melds_from_request(fields)
    choices = {name: _chosen(fields, name) for name in CHOICES if name in fields}
    if "by" not in choices:
        raise RequestError("missing_field", field="by")
    situation: dict[str, Any] = {name: fields.typed(name, bool, default=False) for name in FLAGS}
    situation |= {name: whole(fields.get(name, 0), name, 0, MOST) for name in NUMBERS}
    situation |= {name: choices[name] for name in ("round", "seat", "riichi", "wareme") if name in choices}
    with about("win"):
        tile = parse_tile(fields.typed("win", str))
    with about("hand"):
        hand = Hand(tuple(parse_tiles(fields.typed("hand", str))), melds, fields["hand"])
    for name in ("dora", "ura"):
        situation[name] = _indicators(fields, name)
    for name, (low, high) in SAID.items():
        situation[name] = fields.maybe_whole(name, low, high)
    if fields.get("discarded") is not None:
        situation["discarded"] = _indicators(fields, "discarded")
    source, tsumo = cast("Any", choices.get("from")), choices["by"] == "tsumo"
    with about("hand"):
        return Win(hand, tile, tsumo=tsumo, source=source, pao=_liable(fields), **situation)


def melds_from_request(fields: Fields) -> tuple[Meld, ...]:
    """The checked melds of a request."""
    melds = fields.typed("melds", list, default=[])
    if len(melds) > MOST_MELDS:
        raise RequestError("too_many_melds", field="melds", count=len(melds), most=MOST_MELDS)
    return tuple(_meld(meld, f"melds[{i}].") for i, meld in enumerate(melds))


def hand_from_request(fields: Fields) -> Hand:
    """The checked hand of a request with its melds."""
    melds = melds_from_request(fields)
    with about("hand"):
        text = fields.typed("hand", str)
        return Hand(tuple(parse_tiles(text)), melds, text)


def table_from_request(fields: Fields, man: str = "all", in_melds: bool = False) -> tuple[str, int, bool]:
    """The man tiles of the set, the norths set aside, and whether waits may lie in melds."""
    kinds: str = choice(fields.get("man", man), "man", tuple(MAN_KINDS))
    kita = whole(fields.get("kita", 0), "kita", 0, COPIES)
    return kinds, kita, fields.typed("wait_in_melds", bool, default=in_melds)


def _meld(meld: object, within: str) -> Meld:
    fields = Fields(meld, MELD_FIELDS, within)
    kind = fields.choice("type", tuple(MeldType))
    tiles = fields.typed("tiles", str)
    called, source = fields.get("called"), fields.get("from")
    if source is not None:
        check_source(kind, choice(source, f"{within}from", SOURCES), f"{within}from")
    if called is not None:
        with about(f"{within}called"):
            parse_tile(fields.typed("called", str))
        if kind == MeldType.ANKAN:
            raise RequestError("ankan_source", field=f"{within}called")
    with about(f"{within}tiles"):
        return Meld.parse(kind, tiles, called, source)


def _chosen(fields: Fields, name: str) -> str | None:
    value = fields[name]
    return None if value is None and name in NULLABLE else choice(value, name, CHOICES[name])


def _indicators(fields: Fields, name: str) -> tuple[Tile, ...]:
    with about(name):
        return tuple(parse_tiles(fields.typed(name, str, default="")))


def _liable(fields: Fields) -> dict[str, Any]:
    if fields.get("pao") is None:
        return {}
    pao = fields.typed("pao", dict)
    return {str(yaku): choice(who, f"pao.{shown(yaku)}", SOURCES) for yaku, who in pao.items()}
