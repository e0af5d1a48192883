"""A hand as a recorder enters it: its ending, its wins and its fouls."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from typing_extensions import TypedDict  # pydantic supports typing.TypedDict only from Python 3.12

from jantaku.errors import EntryError
from jantaku.kernels.engine.entered import MAX_FOULS
from jantaku.kernels.rules import FOULS
from jantaku.kernels.win import MAX_SEATS
from jantaku.reading import OneOf, Parsed, Prepared, Refined, Within, as_in_json
from jantaku.tiles import parse_tiles

EnteredLimit = Literal["mangan", "haneman", "baiman", "sanbaiman"]
End = Literal["ron", "tsumo", "draw", "abort", "foul"]
Abort = Literal["kyuushu_kyuuhai", "suufuu_renda", "suucha_riichi", "suukansanra", "sanchahou"]

ENDS: Final[tuple[str, ...]] = get_args(End)
ABORTS: Final[tuple[str, ...]] = get_args(Abort)
ENTERED_LIMITS: Final[tuple[EnteredLimit, ...]] = get_args(EnteredLimit)
BONUS: Final = ("red_dora", "ura_dora")
"""The dora that pay chips, by their yaku names."""
MAX_HAN: Final = 200
MAX_CHIPS: Final = 200  # from each payer of a win
MAX_YAKUMAN: Final = 20
MAX_FU: Final = 200
MAX_TILES_TEXT: Final = 80  # characters


def check_different(seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats; raise ``EntryError`` if one occurs twice."""
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
    """Return the JSON of a win with its yaku as a list and with implied fields filled in."""
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


Seat = Annotated[int, Within(0, MAX_SEATS - 1)]
Seats = Annotated[tuple[Seat, ...], Refined(check_different)]
Bonus = Annotated[
    tuple[tuple[str, int], ...],
    Parsed(
        lambda given: tuple(given.items()),
        dict[Annotated[str, OneOf(BONUS)], Annotated[int, Within(0, MAX_HAN)]],
    ),
]


class EnteredWorth(TypedDict, total=False):
    """The value of a win in JSON: ``han`` and ``fu``, or a ``limit``, or a number of ``yakuman``."""

    han: int
    fu: int
    limit: EnteredLimit
    yakuman: int


@dataclass(frozen=True, slots=True)
class EnteredLiability:
    """The seats liable for some of a hand's yakuman, in equal shares; the first one pays the honba."""

    seats: Annotated[Seats, Within(1, MAX_SEATS)]
    yakuman: Annotated[int, Within(1, MAX_YAKUMAN)] = 1


@dataclass(frozen=True, slots=True)
class EnteredWin:
    """A winner and the value of the hand: ``han`` and ``fu``, or a ``limit``, or a number of ``yakuman``.

    ``feeder`` is the seat whose discard became the open kan behind a win on the replacement tile, if the
    rules make that seat pay. ``chips`` is the number that each payer gives; ``None`` without chips or if
    not recorded. ``yaku`` and ``open`` (whether the hand was open) are ``None`` if not recorded; neither
    affects the points. ``bonus`` counts the red and ura dora of a hand with known yaku. ``tiles`` is the hand
    in groups of notation; empty if not recorded.
    """

    seat: Seat
    han: Annotated[int, Within(0, MAX_HAN)] = 0
    fu: Annotated[int, Within(20, MAX_FU), Refined(_fu)] = 0
    limit: Annotated[str, OneOf(ENTERED_LIMITS)] | None = None
    yakuman: Annotated[int, Within(1, MAX_YAKUMAN)] = 0
    pao: EnteredLiability | None = None
    feeder: Seat | None = None
    yaku: Annotated[tuple[str, ...], Refined(lambda names: tuple(dict.fromkeys(names)) or None)] | None = None
    open: bool | None = None
    chips: Annotated[int, Within(0, MAX_CHIPS)] | None = None
    bonus: Bonus = ()
    tiles: Annotated[str, Within(0, MAX_TILES_TEXT), Refined(_tiles)] = ""


@dataclass(frozen=True, slots=True)
class EnteredFoul:
    """A foul and the seat that committed it; ``foul`` is an option name of ``[fouls]`` in the ruleset."""

    seat: Seat
    foul: Annotated[str, OneOf(FOULS)]


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """One hand. Seats are 0–3, East to North of the game's first hand.

    ``riichi`` are the seats that declared riichi. ``riichi_tile`` marks a ron on the discarder's riichi tile;
    the rules decide whether that stick counts. ``stop`` is the choice of the last dealer to end the game,
    if the rules offer one; without it the game ends if no further hand follows. ``calls`` are the seats
    that called a tile; ``None`` if not recorded. ``wareme`` is the seat at whose wall the deal began, under
    rules with wareme. ``seat`` declared kyuushu kyuuhai.
    """

    __pydantic_config__ = as_in_json(discarder="from", abort="kind")

    end: End
    riichi: Seats = ()
    wins: tuple[Annotated[EnteredWin, Prepared(_win)], ...] = ()
    discarder: Seat | None = None
    tenpai: Seats = ()
    nagashi: Seats = ()
    abort: Abort | None = None
    fouls: Annotated[tuple[EnteredFoul, ...], Within(0, MAX_FOULS)] = ()
    riichi_tile: bool = False
    stop: bool | None = None
    calls: Seats | None = None
    wareme: Seat | None = None
    seat: Seat | None = None
