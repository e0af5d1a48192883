"""Reads an entered hand from JSON, field by field; ``RequestError`` names the invalid field."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from jantaku.club.entered_hands import (
    ABORTS,
    BONUS,
    ENDS,
    ENTERED_LIMITS,
    EnteredFoul,
    EnteredHand,
    EnteredLiability,
    EnteredWin,
)
from jantaku.errors import EntryError, RequestError
from jantaku.fields import Fields, choice, whole
from jantaku.kernels.engine.entered import MOST_FOULS
from jantaku.kernels.rules import FOULS
from jantaku.rules import catalogue
from jantaku.tiles import parse_tiles

HAND_FIELDS: Final = (
    *("end", "riichi", "wins", "from", "tenpai", "nagashi", "kind", "seat"),
    *("fouls", "riichi_tile", "stop", "calls", "wareme"),
)
WIN_FIELDS: Final = (
    "seat",
    "han",
    "fu",
    "limit",
    "yakuman",
    "pao",
    "feeder",
    "yaku",
    "open",
    "chips",
    "bonus",
    "tiles",
)
MOST_HAN: Final = 200
MOST_CHIPS: Final = 200  # of one win, from each payer
MOST_YAKUMAN: Final = 20
HIGHEST_FU: Final = 200
MOST_TILES: Final = 80
BELONGS: Final[dict[str, tuple[str, ...]]] = {
    "ron": ("wins", "from", "riichi_tile", "stop"),
    "tsumo": ("wins", "stop"),
    "draw": ("tenpai", "nagashi", "stop"),
    "abort": ("kind", "seat", "from", "riichi_tile"),
    "foul": (),
}
OF_ALL: Final = ("end", "riichi", "fouls", "calls", "wareme")
"""The fields of each kind of end, and those that belong to all of them."""


def hand_from(data: object, seats: int, within: str) -> EnteredHand:
    """The hand that a JSON object describes.

    ``seats`` is how many play; ``within`` (``hands[2].``) begins the name of a field in errors.
    """
    fields = Fields(data, HAND_FIELDS, within)
    end = fields.choice("end", ENDS)
    _check_belonging(fields, end, within)
    wins = fields.typed("wins", list, default=[])
    if len(wins) > seats - 1 or (end == "tsumo" and len(wins) > 1):
        most = 1 if end == "tsumo" else seats - 1
        raise EntryError("too_many_winners", field=f"{within}wins", count=len(wins), most=most)
    if end in ("ron", "tsumo") and not wins:
        raise RequestError("missing_field", field=f"{within}wins")
    kind = None
    if end == "abort":
        kind = fields.choice("kind", ABORTS)
    if end == "ron" or kind == "sanchahou":
        fields.seat("from", seats)
    fields.maybe_seat("seat", seats)
    riichi = fields.seats("riichi", seats)
    calls = None if fields.get("calls") is None else fields.seats("calls", seats)
    winners = tuple(win_from(win, seats, f"{within}wins[{i}].") for i, win in enumerate(wins))
    _check_calls(winners, riichi, calls, within)
    return EnteredHand(
        cast("Any", end),
        riichi,
        winners,
        fields.maybe_seat("from", seats),
        fields.seats("tenpai", seats),
        fields.seats("nagashi", seats),
        cast("Any", kind),
        _fouls(fields, seats),
        fields.typed("riichi_tile", bool, default=False),
        fields.maybe("stop", bool),
        calls,
        fields.maybe_seat("wareme", seats),
    )


def _check_calls(
    wins: tuple[EnteredWin, ...], riichi: tuple[int, ...], calls: tuple[int, ...] | None, within: str
) -> None:
    """Refuse a hand that is said to be both open and closed."""
    for i, seat in enumerate(calls or ()):
        if seat in riichi:
            raise EntryError("open_and_closed", field=f"{within}calls[{i}]", seat=seat)
    for i, win in enumerate(wins):
        if win.open is None:
            continue
        called = win.open and win.seat not in riichi if calls is None else win.seat in calls
        if win.open != called:
            raise EntryError("open_and_closed", field=f"{within}wins[{i}].open", seat=win.seat)


def _check_belonging(fields: Fields, end: str, within: str) -> None:
    """Refuse fields that belong to another end; empty fields are allowed everywhere."""
    for name, value in fields.items():
        if name in (*OF_ALL, *BELONGS[end]) or value in (None, [], False):
            continue
        raise EntryError("not_with_end", field=f"{within}{name}", end=end)


@cache
def _win_fields() -> tuple[str, ...]:
    return (*WIN_FIELDS, *catalogue())


def win_from(data: object, seats: int, within: str) -> EnteredWin:
    """What one winner won with."""
    fields = Fields(data, _win_fields(), within)
    seat = fields.seat("seat", seats)
    given = [name for name in ("han", "limit", "yakuman") if fields.get(name) is not None]
    if len(given) != 1 or (fields.get("fu") is not None and given != ["han"]):
        raise EntryError("one_worth", field=within.rstrip("."))
    pao = fields.get("pao")
    worth = _worth(fields, given[0])
    liability = None if pao is None else _liability(pao, worth.get("yakuman", 1), seats, f"{within}pao.")
    opened = fields.maybe("open", bool)
    return EnteredWin(
        seat,
        **worth,
        pao=liability,
        feeder=fields.maybe_seat("feeder", seats),
        yaku=_yaku(fields.get("yaku")),
        open=opened,
        chips=fields.maybe_whole("chips", 0, MOST_CHIPS),
        bonus=_bonus(fields),
        tiles=_tiles(fields),
    )


def _tiles(fields: Fields) -> str:
    """The tiles of the hand in groups, the winning tile second; nothing is worked out from them."""
    text = fields.typed("tiles", str, default="")
    if len(text) > MOST_TILES:
        raise RequestError("text_too_long", field=fields.path("tiles"), most=MOST_TILES)
    for group in text.split():
        parse_tiles(group)
    return " ".join(text.split())


def _bonus(fields: Fields) -> tuple[tuple[str, int], ...]:
    """How many red and ura dora counted: from ``bonus``, or from ``yaku`` with their han."""
    yaku, given = fields.get("yaku"), fields.get("bonus")
    if given is not None:
        counts = Fields(given, BONUS, f"{fields.path('bonus')}.")
        return tuple((name, counts.whole(name, 0, MOST_HAN)) for name in counts)
    listed = yaku if isinstance(yaku, Mapping) else {}
    return tuple((name, listed[name]) for name in BONUS if type(listed.get(name)) is int)


def _yaku(value: object) -> tuple[str, ...] | None:
    """The names of the yaku in a list, or in an object with their han; ``None`` if there are none."""
    names = [name for name in value if isinstance(name, str)] if isinstance(value, list | Mapping) else []
    return tuple(dict.fromkeys(names)) or None


def _worth(fields: Fields, given: str) -> dict[str, Any]:
    if given == "limit":
        return {"limit": choice(fields["limit"], fields.path("limit"), ENTERED_LIMITS)}
    if given == "yakuman":
        return {"yakuman": fields.whole("yakuman", 1, MOST_YAKUMAN)}
    if fields.get("fu") is None:
        raise EntryError("han_without_fu", field=fields.path("fu"))
    fu = fields.whole("fu", 20, HIGHEST_FU)
    if fu % 10 and fu != 25:
        raise EntryError("no_such_fu", field=fields.path("fu"), fu=fu)
    return {"han": fields.whole("han", 0, MOST_HAN), "fu": fu}


def _liability(data: object, most: int, seats: int, within: str) -> EnteredLiability:
    fields = Fields(data, ("seats", "yakuman"), within)
    liable = fields.seats("seats", seats)
    if not liable:
        raise RequestError("missing_field", field=f"{within}seats")
    yakuman = fields.typed("yakuman", int, default=most)
    return EnteredLiability(liable, whole(yakuman, f"{within}yakuman", 1, most))


def _fouls(fields: Fields, seats: int) -> tuple[EnteredFoul, ...]:
    given: list[object] = fields.maybe("fouls", list) or []
    if len(given) > MOST_FOULS:
        raise EntryError("too_many_fouls", field=fields.path("fouls"), count=len(given), most=MOST_FOULS)
    fouls = []
    for row, within in fields.entries("fouls", MOST_FOULS):
        foul = Fields(row, ("seat", "foul"), within)
        name = foul.choice("foul", FOULS)
        fouls.append(EnteredFoul(foul.seat("seat", seats), name))
    return tuple(fouls)
