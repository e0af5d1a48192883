"""Reads an entered hand from JSON, field by field; ``RequestError`` names the invalid field."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from jantaku.adjudication.requests import Request, check_fields, choice, typed
from jantaku.bounded import shown
from jantaku.club.hands import (
    ABORTS,
    BONUS,
    ENDS,
    ENTERED_LIMITS,
    EnteredFoul,
    EnteredHand,
    EnteredLiability,
    EnteredWin,
)
from jantaku.errors import EntryError, RequestError, kind_of_value
from jantaku.kernels.engine.entered import MOST_FOULS
from jantaku.kernels.rules import FOULS
from jantaku.rules import catalogue

HAND_FIELDS: Final = (
    *("end", "riichi", "wins", "from", "tenpai", "nagashi", "kind", "seat"),
    *("fouls", "riichi_tile", "stop", "calls"),
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
)
MOST_HAN: Final = 200
MOST_CHIPS: Final = 200  # of one win, from each payer
MOST_YAKUMAN: Final = 20
HIGHEST_FU: Final = 200
BELONGS: Final[dict[str, tuple[str, ...]]] = {
    "ron": ("wins", "from", "riichi_tile", "stop"),
    "tsumo": ("wins", "stop"),
    "draw": ("tenpai", "nagashi", "stop"),
    "abort": ("kind", "seat", "from", "riichi_tile"),
    "foul": (),
}
OF_ALL: Final = ("end", "riichi", "fouls", "calls")
"""The fields of each kind of end, and those that belong to all of them."""


def hand_from(data: object, seats: int, place: str) -> EnteredHand:
    """The hand that a JSON object describes.

    ``seats`` is how many play; ``place`` (``hands[2].``) begins the name of a field in errors.
    """
    fields = check_fields(data, HAND_FIELDS, place)
    end = choice(typed(fields, "end", str, place=place), f"{place}end", ENDS)
    _check_belonging(fields, end, place)
    reader = _Reader(fields, seats, place)
    wins = typed(fields, "wins", list, default=[], place=place)
    if len(wins) > seats - 1 or (end == "tsumo" and len(wins) > 1):
        most = 1 if end == "tsumo" else seats - 1
        raise EntryError("too_many_winners", field=f"{place}wins", count=len(wins), most=most)
    if end in ("ron", "tsumo") and not wins:
        raise RequestError("missing_field", field=f"{place}wins")
    kind = None
    if end == "abort":
        kind = choice(typed(fields, "kind", str, place=place), f"{place}kind", ABORTS)
    if end == "ron" or kind == "sanchahou":
        reader.required("from")
    if fields.get("seat") is not None:
        reader.seat("seat")
    riichi = reader.seats("riichi")
    calls = None if fields.get("calls") is None else reader.seats("calls")
    found = tuple(win_from(win, seats, f"{place}wins[{i}].") for i, win in enumerate(wins))
    _check_calls(found, riichi, calls, place)
    return EnteredHand(
        cast("Any", end),
        riichi,
        found,
        reader.seat("from"),
        reader.seats("tenpai"),
        reader.seats("nagashi"),
        cast("Any", kind),
        _fouls(fields, seats, place),
        typed(fields, "riichi_tile", bool, default=False, place=place),
        None if fields.get("stop") is None else typed(fields, "stop", bool, place=place),
        calls,
    )


def _check_calls(
    wins: tuple[EnteredWin, ...], riichi: tuple[int, ...], calls: tuple[int, ...] | None, place: str
) -> None:
    """Refuse a hand that is said to be both open and closed."""
    for i, seat in enumerate(calls or ()):
        if seat in riichi:
            raise EntryError("open_and_closed", field=f"{place}calls[{i}]", seat=seat)
    for i, win in enumerate(wins):
        if win.open is None:
            continue
        called = win.open and win.seat not in riichi if calls is None else win.seat in calls
        if win.open != called:
            raise EntryError("open_and_closed", field=f"{place}wins[{i}].open", seat=win.seat)


def _check_belonging(fields: Request, end: str, place: str) -> None:
    """Refuse fields that belong to another end; empty fields are allowed everywhere."""
    for name, value in fields.items():
        if name in (*OF_ALL, *BELONGS[end]) or value in (None, [], False):
            continue
        raise EntryError("not_with_end", field=f"{place}{name}", end=end)


class _Reader:
    """Reads the fields of one object that hold seats."""

    def __init__(self, fields: Request, seats: int, place: str) -> None:
        self.fields = fields
        self.count = seats
        self.place = place

    def required(self, name: str) -> int:
        if self.fields.get(name) is None:
            raise RequestError("missing_field", field=f"{self.place}{name}")
        return self.checked(self.fields[name], f"{self.place}{name}")

    def seat(self, name: str) -> int | None:
        return None if self.fields.get(name) is None else self.required(name)

    def seats(self, name: str) -> tuple[int, ...]:
        """A list of different seats."""
        given = self.fields.get(name)
        if given in (None, []):
            return ()
        values = typed(self.fields, name, list, place=self.place)
        if len(values) > self.count:
            field = f"{self.place}{name}"
            raise EntryError("too_many_seats", field=field, count=len(values), most=self.count)
        found = tuple(self.checked(value, f"{self.place}{name}[{i}]") for i, value in enumerate(values))
        check_different(found, f"{self.place}{name}")
        return found

    def checked(self, value: object, field: str) -> int:
        return whole(value, field, 0, self.count - 1)


def whole(value: object, field: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; otherwise raises ``RequestError``."""
    if type(value) is not int:
        raise RequestError("wrong_type", field=field, wanted=kind_of_value(int))
    if not low <= value <= high:
        raise RequestError("number_range", field=field, value=shown(value), low=low, high=high)
    return value


def check_different(seats: tuple[int, ...], field: str) -> None:
    """Raise ``RequestError`` if a seat is named twice."""
    for i, seat in enumerate(seats):
        if seat in seats[:i]:
            raise EntryError("seat_twice", field=field, seat=seat)


@cache
def _win_fields() -> tuple[str, ...]:
    return (*WIN_FIELDS, *catalogue())


def win_from(data: object, seats: int, place: str) -> EnteredWin:
    """What one winner won with."""
    fields = check_fields(data, _win_fields(), place)
    reader = _Reader(fields, seats, place)
    seat = reader.required("seat")
    given = [name for name in ("han", "limit", "yakuman") if fields.get(name) is not None]
    if len(given) != 1 or (fields.get("fu") is not None and given != ["han"]):
        raise EntryError("one_worth", field=place.rstrip("."))
    pao = fields.get("pao")
    worth = _worth(fields, given[0], place)
    if pao is not None and "yakuman" not in worth:
        raise EntryError("pao_without_yakuman", field=f"{place}pao")
    liability = None if pao is None else _liability(pao, worth["yakuman"], seats, f"{place}pao.")
    opened = None if fields.get("open") is None else typed(fields, "open", bool, place=place)
    chips = fields.get("chips")
    return EnteredWin(
        seat,
        **worth,
        pao=liability,
        feeder=reader.seat("feeder"),
        yaku=_yaku(fields.get("yaku")),
        open=opened,
        chips=None if chips is None else whole(chips, f"{place}chips", 0, MOST_CHIPS),
        bonus=_bonus(fields, place),
    )


def _bonus(fields: Request, place: str) -> tuple[tuple[str, int], ...]:
    """How many red and ura dora counted: from ``bonus``, or from ``yaku`` with their han."""
    yaku, given = fields.get("yaku"), fields.get("bonus")
    if given is not None:
        counts = check_fields(given, BONUS, f"{place}bonus.")
        return tuple(
            (name, whole(count, f"{place}bonus.{name}", 0, MOST_HAN)) for name, count in counts.items()
        )
    listed = yaku if isinstance(yaku, Mapping) else {}
    return tuple((name, listed[name]) for name in BONUS if type(listed.get(name)) is int)


def _yaku(value: object) -> tuple[str, ...] | None:
    """The names of the yaku in a list, or in an object with their han; ``None`` if there are none."""
    names = [one for one in value if isinstance(one, str)] if isinstance(value, list | Mapping) else []
    return tuple(dict.fromkeys(names)) or None


def _worth(fields: Request, given: str, place: str) -> dict[str, Any]:
    if given == "limit":
        return {"limit": choice(fields["limit"], f"{place}limit", ENTERED_LIMITS)}
    if given == "yakuman":
        return {"yakuman": whole(fields["yakuman"], f"{place}yakuman", 1, MOST_YAKUMAN)}
    if fields.get("fu") is None:
        raise EntryError("han_without_fu", field=f"{place}fu")
    fu = whole(fields["fu"], f"{place}fu", 20, HIGHEST_FU)
    if fu % 10 and fu != 25:
        raise EntryError("no_such_fu", field=f"{place}fu", fu=fu)
    return {"han": whole(fields["han"], f"{place}han", 0, MOST_HAN), "fu": fu}


def _liability(data: object, most: int, seats: int, place: str) -> EnteredLiability:
    fields = check_fields(data, ("seats", "yakuman"), place)
    found = _Reader(fields, seats, place).seats("seats")
    if not found:
        raise RequestError("missing_field", field=f"{place}seats")
    yakuman = typed(fields, "yakuman", int, default=most, place=place)
    return EnteredLiability(found, whole(yakuman, f"{place}yakuman", 1, most))


def _fouls(fields: Request, seats: int, place: str) -> tuple[EnteredFoul, ...]:
    given = [] if fields.get("fouls") is None else typed(fields, "fouls", list, place=place)
    if len(given) > MOST_FOULS:
        raise EntryError("too_many_fouls", field=f"{place}fouls", count=len(given), most=MOST_FOULS)
    found = []
    for i, one in enumerate(given):
        at = f"{place}fouls[{i}]."
        foul = check_fields(one, ("seat", "foul"), at)
        name = choice(typed(foul, "foul", str, place=at), f"{at}foul", FOULS)
        found.append(EnteredFoul(_Reader(foul, seats, at).required("seat"), name))
    return tuple(found)
