"""A hand as people enter it at a table: how it ended, who won what, who fouled."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from typing_extensions import TypedDict  # pydantic takes that of typing from Python 3.12 on

from jantaku.errors import EntryError
from jantaku.kernels.engine.entered import MOST_FOULS
from jantaku.kernels.rules import FOULS
from jantaku.kernels.win import MOST_SEATS
from jantaku.reading import OneOf, Parsed, Prepared, Refined, Within, as_in_json
from jantaku.tiles import parse_tiles

EnteredLimit = Literal["mangan", "haneman", "baiman", "sanbaiman"]
End = Literal["ron", "tsumo", "draw", "abort", "foul"]
Abort = Literal["kyuushu_kyuuhai", "suufuu_renda", "suucha_riichi", "suukansanra", "sanchahou"]

ENDS: Final[tuple[str, ...]] = get_args(End)
ABORTS: Final[tuple[str, ...]] = get_args(Abort)
ENTERED_LIMITS: Final[tuple[EnteredLimit, ...]] = get_args(EnteredLimit)
BONUS: Final = ("red_dora", "ura_dora")
"""The dora that chips are paid for, by their names among the yaku."""
MOST_HAN: Final = 200
MOST_CHIPS: Final = 200  # of one win, from each payer
MOST_YAKUMAN: Final = 20
HIGHEST_FU: Final = 200
MOST_TILES: Final = 80


def check_different(seats: tuple[int, ...]) -> tuple[int, ...]:
    """The seats; raises ``EntryError`` if one is named twice."""
    for i, seat in enumerate(seats):
        if seat in seats[:i]:
            raise EntryError("seat_twice", field="", seat=seat)
    return seats


def _fu(fu: int) -> int:
    if fu % 10 and fu != 25:
        raise EntryError("no_such_fu", field="", fu=fu)
    return fu


def _tiles(text: str) -> str:
    for group in text.split():
        parse_tiles(group)
    return " ".join(text.split())


def _win(data: Any) -> Any:
    """The JSON of a win with its yaku as a list, and with what follows where it does not say so."""
    if not isinstance(data, dict):
        return data
    worth = [name for name in ("han", "limit", "yakuman") if name in data]
    if len(worth) != 1 or ("fu" in data and worth != ["han"]):
        raise EntryError("one_worth", field="")
    if worth == ["han"] and "fu" not in data:
        raise EntryError("han_without_fu", field="fu")
    yaku, pao = data.get("yaku"), data.get("pao")
    more: dict[str, Any] = {}
    if isinstance(yaku, dict):
        more = {"yaku": list(yaku), "bonus": {name: yaku[name] for name in BONUS if name in yaku}}
        more["bonus"] = data.get("bonus", more["bonus"])
    if isinstance(pao, dict):
        more["pao"] = {"yakuman": data.get("yakuman", 1), **pao}
    return data | more


Seat = Annotated[int, Within(0, MOST_SEATS - 1)]
Seats = Annotated[tuple[Seat, ...], Refined(check_different)]
Bonus = Annotated[
    tuple[tuple[str, int], ...],
    Parsed(
        lambda given: tuple(given.items()),
        dict[Annotated[str, OneOf(BONUS)], Annotated[int, Within(0, MOST_HAN)]],
    ),
]


class EnteredWorth(TypedDict, total=False):
    """What a win is worth in JSON: ``han`` and ``fu``, or a ``limit``, or a number of ``yakuman``."""

    han: int
    fu: int
    limit: EnteredLimit
    yakuman: int


@dataclass(frozen=True, slots=True)
class EnteredLiability:
    """The seats liable for some of a hand's yakuman, in equal shares; the first one pays the honba."""

    seats: Annotated[Seats, Within(1, MOST_SEATS)]
    yakuman: Annotated[int, Within(1, MOST_YAKUMAN)] = 1


@dataclass(frozen=True, slots=True)
class EnteredWin:
    """What a seat won with: ``han`` and ``fu``, or a ``limit``, or a number of ``yakuman``.

    ``feeder`` fed the open kan on whose replacement tile the seat won, where the rules make that seat pay.
    ``chips`` is how many each payer gives, where the rules have chips; ``None`` if nobody said so. ``bonus``
    counts the red and ura dora of a hand whose ``yaku`` are known.
    ``yaku`` names the yaku, and ``open`` says whether the hand was open; both are ``None`` if nobody recorded
    them, and neither moves a point. ``tiles`` are those of the hand, in groups of notation, if anybody did.
    """

    seat: Seat
    han: Annotated[int, Within(0, MOST_HAN)] = 0
    fu: Annotated[int, Within(20, HIGHEST_FU), Refined(_fu)] = 0
    limit: Annotated[str, OneOf(ENTERED_LIMITS)] | None = None
    yakuman: Annotated[int, Within(1, MOST_YAKUMAN)] = 0
    pao: EnteredLiability | None = None
    feeder: Seat | None = None
    yaku: Annotated[tuple[str, ...], Refined(lambda names: tuple(dict.fromkeys(names)) or None)] | None = None
    open: bool | None = None
    chips: Annotated[int, Within(0, MOST_CHIPS)] | None = None
    bonus: Bonus = ()
    tiles: Annotated[str, Within(0, MOST_TILES), Refined(_tiles)] = ""


@dataclass(frozen=True, slots=True)
class EnteredFoul:
    """A foul of the ruleset and the seat that committed it; ``foul`` is a name of ``[fouls]``."""

    seat: Seat
    foul: Annotated[str, OneOf(FOULS)]


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """One hand. Seats are 0–3, East to North of the game's first hand.

    ``riichi`` are the seats that laid a stick. ``riichi_tile`` says that a ron took the tile of the
    discarder's riichi, so that the rules decide about that stick. ``stop`` says whether the dealer of the
    last hand ends the game where that is a choice; without it the dealer does where no hand follows.
    ``calls`` are the seats that called a tile, ``None`` if nobody recorded them. ``wareme`` is the seat at
    whose wall the deal began, where the rules pay double for it, ``seat`` the one with nine terminals.
    """

    __pydantic_config__ = as_in_json(discarder="from", abort="kind")

    end: End
    riichi: Seats = ()
    wins: tuple[Annotated[EnteredWin, Prepared(_win)], ...] = ()
    discarder: Seat | None = None
    tenpai: Seats = ()
    nagashi: Seats = ()
    abort: Abort | None = None
    fouls: Annotated[tuple[EnteredFoul, ...], Within(0, MOST_FOULS)] = ()
    riichi_tile: bool = False
    stop: bool | None = None
    calls: Seats | None = None
    wareme: Seat | None = None
    seat: Seat | None = None
