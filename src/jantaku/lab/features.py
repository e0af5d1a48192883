"""Observations as network inputs: planes for convolutions, and small integers for embeddings.

Both contain everything in an observation (``jantaku.lab.kernels.observation``), for one seat or a batch. With
three players the seat ``across`` is the second to the right, and ``left`` is empty.

>>> from jantaku.game import Game
>>> seen = observe(Game("tenhou", seed=1), 0)
>>> one_hot(seen).shape, compact(seen).shape
((411, 34), (465,))
>>> PLANES[0].name, PLANES[0].about, int(one_hot(seen)[0].sum())
('hand_1', 'kinds with at least 1 tile in the hand', 12)
>>> FIELDS["hand"].of(compact(seen)).tolist()
[4, 5, 6, 7, 9, 10, 10, 15, 15, 17, 21, 24, 26, 31]
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.errors import RequestError, expect, phrase, wrong_choice
from jantaku.game import Game
from jantaku.kernels.engine.state import RIVER_ROOM
from jantaku.kernels.engine.wall import MAX_INDICATORS
from jantaku.lab.kernels import observation as seen
from jantaku.lab.kernels.observation import COLUMNS, ROWS, encode
from jantaku.tiles import COPIES, KINDS

__all__ = ["FIELDS", "PLANES", "Field", "Plane", "compact", "observe", "one_hot"]

SEAT_NAMES: Final = ("own", "right", "across", "left")
MELD_NAMES: Final = ("chi", "pon", "ankan", "daiminkan", "kakan")
SCALES: Final = {"hands": 16, "honba": 16, "deposits": 16, "wall_left": 128, "points": 1024, "order": 32}
"""The divisors of numbers in planes; points are in hundreds."""

_MELDS, _MAX_HAND, _MAX_WAITS = 4, 14, 13
_KIND, _TILE = 1 + KINDS, 1 + 2 * KINDS  # 0 for none
_COPIES: Final = np.arange(1, COPIES + 1, dtype=np.int16)[:, None]
_POWERS: Final = np.arange(4)  # of the seats in DEAD and NORTHS

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Plane:
    """One of ``PLANES``; ``about`` states where it is 1, or which other number it contains."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Field:
    """A slice of the integers of ``compact``, in ``shape`` from ``start`` on.

    They are indices below ``size``, or plain numbers if ``size`` is ``None``.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    size: int | None
    about: str

    def of(self, integers: Array) -> Array:
        """Return the field's slice of an array returned by ``compact``, as ``[…, *shape]``."""
        part = integers[..., self.start : self.start + prod(self.shape)]
        return part.reshape((*integers.shape[:-1], *self.shape))


# The planes ------------------------------------------------------------------------------------------------


def _at_least(name: str, about: str) -> Iterator[Plane]:
    for count in range(1, COPIES + 1):
        yield Plane(f"{name}_{count}", about.format(f"at least {count}", "" if count == 1 else "s"))


# Columns of ``NUMBERS`` as whole planes: one per value, or one that contains the number
_WINDS: Final = ("East", "South", "West", "North")
_WHERE: Final = ("itself", "to the right", "across", "to the left")
_VALUES: Final[tuple[tuple[str, int, Mapping[int, str]], ...]] = (
    ("seat", seen.OWN_SEAT, {seat: f"if the seat is {seat}; 0 is the first dealer" for seat in range(4)}),
    ("round", seen.ROUND_WIND, {n: f"in the {wind} round" for n, wind in enumerate(_WINDS)}),
    ("wind", seen.SEAT_WIND, {n: f"if the seat is {wind}" for n, wind in enumerate(_WINDS)}),
    ("turn", seen.TURN, {n: f"if it is the turn of the seat {where}" for n, where in enumerate(_WHERE)}),
    ("offered_by", seen.OFFERED_BY, {n: f"if the seat {_WHERE[n]} offers the tile" for n in range(1, 4)}),
    ("offered_how", seen.OFFERED_HOW, {
        1: "if the offered tile is added to a pon", 2: "if the offered tile is from a concealed kan",
        3: "if the offered tile is a north set aside",
    }),
    ("furiten", seen.FURITEN, {
        1: "if in discard furiten", 2: "if in temporary furiten", 3: "if in riichi furiten",
    }),
    ("players", seen.PLAYERS, {3: "with three players", 4: "with four players"}),
    ("asked", seen.ASKED, {1: "if the seat is to act"}),
    ("untouched", seen.UNTOUCHED, {1: "before the first call of the hand"}),
    ("deciding", seen.DECIDING, {1: "if the dealer decides whether to end the game"}),
)  # fmt: skip
_SCALED: Final = (
    ("hands", seen.HAND_NUMBER, "hands since East 1"),
    ("honba", seen.HONBA, "honba"),
    ("deposits", seen.DEPOSITS, "riichi sticks on the table"),
    ("wall_left", seen.WALL_LEFT, "tiles that can be drawn"),
)
_SEAT_FLAGS: Final = (
    ("riichi", seen.IN_RIICHI, 1, "in riichi"),
    ("double_riichi", seen.IN_RIICHI, 2, "in double riichi"),
    ("open_riichi", seen.IN_OPEN_RIICHI, 1, "in open riichi"),
    ("ippatsu", seen.IPPATSU, 1, "within a go-around of riichi"),
)
_DISCARD: Final = (
    ("", "kinds that the seat has discarded at least {0}×"),
    ("_order", "position in the river of the kind's discard number {0}, from 1, ÷ 32"),
    ("_red", "kinds whose discard number {0} was red"),
    ("_drawn", "kinds whose discard number {0} was discarded as drawn"),
    ("_riichi", "kinds whose discard number {0} declared riichi"),
    ("_called", "kinds whose discard number {0} was called"),
)
_MELD: Final = (
    *((name, f"kinds in meld {{0}} if its type is {name}") for name in MELD_NAMES),
    ("hidden", "everywhere if meld {0} is a face-down ankan of another seat"),
    ("called", "the tile called for meld {0}"),
    ("called_red", "the tile called for meld {0} if it is red"),
    *(
        (f"from_{turn}", f"everywhere if meld {{0}} was called from the seat {turn} to the right")
        for turn in range(1, 4)
    ),
    ("red", "everywhere the number of red tiles in meld {0} ÷ 4"),
)


def _own_planes() -> Iterator[Plane]:
    yield from _at_least("hand", "kinds with {0} tile{1} in the hand")
    yield from _at_least("hand_red", "kinds with {0} red tile{1} in the hand")
    yield Plane("drawn", "the tile just drawn")
    yield Plane("drawn_red", "the tile just drawn if it is red")
    yield Plane("waits", "kinds that complete the hand without its drawn tile")
    yield Plane("offered", "the tile offered to the seat")
    yield Plane("offered_red", "the tile offered to the seat if it is red")
    yield from _at_least("indicators", "kinds of {0} dora indicator{1}")
    for name, _, values in _VALUES:
        yield from (Plane(f"{name}_{value}", f"everywhere {about}") for value, about in values.items())
    for name, _, about in _SCALED:
        yield Plane(name, f"everywhere the number of {about} ÷ {SCALES[name]}")


def _seat_planes() -> Iterator[Plane]:
    yield Plane("points", f"everywhere the points in hundreds ÷ {SCALES['points']}")
    for name, _, _, about in _SEAT_FLAGS:
        yield Plane(name, f"everywhere if the seat is {about}")
    yield Plane("dead", "everywhere if the seat's hand is dead")
    yield from _at_least("kita", "everywhere if the seat has set aside {0} north{1}")
    for copy in range(1, COPIES + 1):
        yield from (Plane(f"discard_{copy}{name}", about.format(copy)) for name, about in _DISCARD)
    for meld in range(1, _MELDS + 1):
        yield from (Plane(f"meld_{meld}_{name}", about.format(meld)) for name, about in _MELD)
    yield from _at_least("shown", "kinds with {0} tile{1} revealed by an open riichi")
    yield from _at_least("shown_red", "kinds with {0} red tile{1} revealed by an open riichi")


_OWN: Final = tuple(_own_planes())
_SEAT: Final = tuple(_seat_planes())
_AT: Final = {plane.name: index for planes in (_OWN, _SEAT) for index, plane in enumerate(planes)}
PLANES: Final[tuple[Plane, ...]] = (
    *_OWN,
    *(Plane(f"{seat}_{plane.name}", plane.about) for seat in SEAT_NAMES for plane in _SEAT),
)
"""The planes of ``one_hot``, in order."""


def observe(game: Game, seat: int) -> npt.NDArray[np.int16]:
    """Return a seat's observation of a game, encoded as by ``VectorEnv``: ``int16[47, 34]``."""
    expect(game, Game, "game")
    if seat not in game.seats:
        raise wrong_choice("seat", str(seat), map(str, game.seats))
    out = np.empty((ROWS, COLUMNS), np.int16)
    encode(game.record, int(seat), out)
    return out


def one_hot(observation: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.float32]:
    """Convert one observation or a batch to planes: ``int16[…, 47, 34]`` becomes ``float32[…, 411, 34]``.

    ``PLANES`` describes the planes. The columns are the kinds of tiles.
    """
    rows, shape = _checked(observation)
    out = np.zeros((len(rows), len(PLANES), KINDS), np.float32)
    _fill_own(rows, out)
    planes = out[:, len(_OWN) :].reshape(len(rows), len(SEAT_NAMES), len(_SEAT), KINDS)
    for fill in (_fill_numbers, _fill_rivers, _fill_melds):
        fill(rows, planes)
    of_seats = _seat_rows(rows)
    for name, row in (("shown_1", seen.SHOWN), ("shown_red_1", seen.SHOWN_RED)):
        planes[:, :, _AT[name] : _AT[name] + COPIES] = of_seats[:, :, row, None] >= _COPIES
    return out.reshape(*shape, *out.shape[1:])


def _fill_own(rows: Array, out: Array) -> None:
    for name, row in (("hand", seen.HAND), ("hand_red", seen.HAND_RED), ("indicators", seen.INDICATORS)):
        at = _AT[f"{name}_1"]
        out[:, at : at + COPIES] = rows[:, row, None] >= _COPIES
    for name, row in (("drawn", seen.DRAWN), ("offered", seen.OFFERED)):
        out[:, _AT[name]], out[:, _AT[f"{name}_red"]] = rows[:, row] > 0, rows[:, row] > 1
    out[:, _AT["waits"]] = rows[:, seen.WAITS]
    numbers = rows[:, seen.NUMBERS, :, None]
    for name, column, values in _VALUES:
        for value in values:
            out[:, _AT[f"{name}_{value}"]] = numbers[:, column] == value
    for name, column, _ in _SCALED:
        out[:, _AT[name]] = numbers[:, column] / SCALES[name]


def _fill_numbers(rows: Array, planes: Array) -> None:
    numbers = rows[:, seen.NUMBERS]
    planes[:, :, _AT["points"]] = (numbers[:, seen.SCORES : seen.SCORES + 4] / SCALES["points"])[..., None]
    for name, column, value, _ in _SEAT_FLAGS:
        planes[:, :, _AT[name]] = (numbers[:, column : column + 4] == value)[..., None]
    planes[:, :, _AT["dead"]] = _dead(numbers)[..., None]
    planes[:, :, _AT["kita_1"] : _AT["kita_1"] + COPIES] = _norths(numbers)[..., None, None] >= _COPIES


def _fill_rivers(rows: Array, planes: Array) -> None:
    of_seats = _seat_rows(rows)
    river = of_seats[:, :, seen.RIVER, :RIVER_ROOM]
    before = np.tril(river[..., :, None] == river[..., None, :], -1).sum(axis=-1)
    game, seat, place = np.nonzero(river)
    kind = river[game, seat, place] - 1
    first = _AT["discard_1"] + len(_DISCARD) * before[game, seat, place]
    planes[game, seat, first, kind] = 1
    planes[game, seat, first + 1, kind] = (place + 1) / SCALES["order"]
    for more, row in enumerate((seen.RIVER_RED, seen.RIVER_DRAWN, seen.RIVER_RIICHI, seen.RIVER_CALLED), 2):
        planes[game, seat, first + more, kind] = of_seats[game, seat, row, place]


def _fill_melds(rows: Array, planes: Array) -> None:
    fives = _melds(rows)
    game, seat, number = np.nonzero(fives[..., 0])
    kind, first, called, source, red = fives[game, seat, number].T
    at = _AT["meld_1_chi"] + len(_MELD) * number
    for place in range(3):
        there = (first > 0) & ((place == 0) | (kind == 1))
        planes[game[there], seat[there], (at + kind - 1)[there], (first - 1 + place)[there]] = 1
    after = at + len(MELD_NAMES)
    planes[game, seat, after] = (first == 0)[:, None]
    there = called > 0
    place, tile = after[there] + 1, called[there] - 1
    planes[game[there], seat[there], place, tile % KINDS] = 1
    planes[game[there], seat[there], place + 1, tile % KINDS] = tile >= KINDS
    for turn in range(1, 4):
        planes[game, seat, after + 2 + turn] = (source == turn)[:, None]
    planes[game, seat, after + 6] = (red / COPIES)[:, None]


# The integers ----------------------------------------------------------------------------------------------


def _fields() -> Iterator[Field]:
    seats, start = len(SEAT_NAMES), 0
    for name, shape, size, about in (
        ("hand", (_MAX_HAND,), _TILE, "own concealed tiles in order, including the drawn one: 1 + tile"),
        ("drawn", (), _TILE, "the tile just drawn: 1 + tile"),
        ("waits", (_MAX_WAITS,), _KIND, "kinds that complete the hand without its drawn tile: 1 + kind"),
        ("offered", (), _TILE, "the tile offered to the seat: 1 + tile"),
        ("indicators", (MAX_INDICATORS,), _KIND, "dora indicators by kind: 1 + kind"),
        ("seat", (), 4, "the observing seat, 0 is the first dealer"),
        ("round", (), 4, "round wind, 0 East"),
        ("wind", (), 4, "seat wind, 0 East"),
        ("turn", (), 4, "the seat on turn relative to the observer, 0 itself, 1 right"),
        ("offered_by", (), 4, "the seat that offers the tile, 1 right"),
        ("offered_how", (), 4, "0 a discard, 1 added to a pon, 2 a concealed kan, 3 a north set aside"),
        ("furiten", (), 4, "1 discard furiten, 2 temporary furiten, 3 riichi furiten"),
        ("players", (), 5, "the number of players"),
        ("asked", (), 2, "1 if the seat is to act"),
        ("untouched", (), 2, "1 before the first call of the hand"),
        ("deciding", (), 2, "1 if the dealer decides whether to end the game"),
        ("hands", (), None, "hands since East 1"),
        ("honba", (), None, "honba"),
        ("deposits", (), None, "riichi sticks on the table"),
        ("wall_left", (), None, "tiles that can be drawn"),
        ("points", (seats,), None, "points of each seat in hundreds"),
        ("riichi", (seats,), 3, "1 riichi, 2 double riichi"),
        ("open_riichi", (seats,), 2, "1 in open riichi"),
        ("ippatsu", (seats,), 2, "1 within a go-around of riichi"),
        ("dead", (seats,), 2, "1 if the seat's hand is dead"),
        ("kita", (seats,), 5, "number of norths set aside"),
        ("river", (seats, RIVER_ROOM), _TILE, "discards in order: 1 + tile"),
        ("river_how", (seats, RIVER_ROOM), 8, "1 discarded as drawn + 2 declaring riichi + 4 called"),
        ("meld_type", (seats, _MELDS), 6, "1 chi, 2 pon, 3 ankan, 4 daiminkan, 5 kakan"),
        ("meld_first", (seats, _MELDS), _KIND, "1 + lowest kind, 0 for a face-down ankan of another seat"),
        ("meld_called", (seats, _MELDS), _TILE, "1 + the called tile"),
        ("meld_from", (seats, _MELDS), 4, "the seat it was called from, in seats to the right"),
        ("meld_red", (seats, _MELDS), 5, "the number of red tiles in the meld"),
        ("shown", (seats, _MAX_HAND), _TILE, "tiles revealed by an open riichi, in order: 1 + tile"),
    ):  # fmt: skip
        yield Field(name, start, shape, size, about)
        start += prod(shape)


FIELDS: Final[Mapping[str, Field]] = MappingProxyType({field.name: field for field in _fields()})
"""The fields of ``compact`` by name, in order. A tile is numbered by its kind, a red one by 34 + kind."""

_WIDTH: Final = max(field.start + prod(field.shape) for field in FIELDS.values())
_COLUMNS: Final = {name: column for name, column, *_ in (*_VALUES, *_SCALED)}
_SEAT_COLUMNS: Final = {
    "points": seen.SCORES,
    "riichi": seen.IN_RIICHI,
    "open_riichi": seen.IN_OPEN_RIICHI,
    "ippatsu": seen.IPPATSU,
}
_MELD_FIELDS: Final = ("meld_type", "meld_first", "meld_called", "meld_from", "meld_red")


def compact(observation: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int16]:
    """Convert one observation or a batch to integers for embeddings.

    ``int16[…, 47, 34]`` becomes ``int16[…, 465]``. ``FIELDS`` describes them and the size of each embedding.
    """
    rows, shape = _checked(observation)
    out = np.zeros((len(rows), _WIDTH), np.int16)
    parts = {name: field.of(out) for name, field in FIELDS.items()}  # views of ``out``
    numbers, of_seats = rows[:, seen.NUMBERS], _seat_rows(rows)
    parts["hand"][:] = _listed(_tiles(rows[:, seen.HAND], rows[:, seen.HAND_RED]), _MAX_HAND)
    for name, row in (("drawn", seen.DRAWN), ("offered", seen.OFFERED)):
        parts[name][:] = _listed(_tiles(rows[:, row] > 0, rows[:, row] > 1), 1)[:, 0]
    parts["waits"][:] = _listed(rows[:, seen.WAITS], _MAX_WAITS)
    parts["indicators"][:] = _listed(rows[:, seen.INDICATORS], MAX_INDICATORS)
    for name, column in _COLUMNS.items():
        parts[name][:] = numbers[:, column]
    for name, column in _SEAT_COLUMNS.items():
        parts[name][:] = numbers[:, column : column + 4]
    parts["dead"][:], parts["kita"][:] = _dead(numbers), _norths(numbers)
    river = of_seats[:, :, :, :RIVER_ROOM]
    parts["river"][:] = river[:, :, seen.RIVER] + KINDS * river[:, :, seen.RIVER_RED]
    how = zip((1, 2, 4), (seen.RIVER_DRAWN, seen.RIVER_RIICHI, seen.RIVER_CALLED), strict=True)
    parts["river_how"][:] = sum(mark * river[:, :, row] for mark, row in how)
    for index, name in enumerate(_MELD_FIELDS):
        parts[name][:] = _melds(rows)[..., index]
    shown = _tiles(of_seats[:, :, seen.SHOWN], of_seats[:, :, seen.SHOWN_RED])
    parts["shown"][:] = _listed(shown, _MAX_HAND)
    return out.reshape(*shape, _WIDTH)


def _tiles(counts: Array, red: Array) -> Array:
    """Return the count of each of the 68 tiles, from the counts by kind and those of red tiles."""
    return np.concatenate((counts.astype(np.int16) - red, red), axis=-1)


def _listed(counts: Array, length: int) -> Array:
    """List 1 + each index as often as its count, in order, padded with zeros: ``[…, length]``."""
    upto = counts.cumsum(axis=-1)[..., None, :]
    places = np.arange(length)[:, None]
    return np.where(places[:, 0] < upto[..., -1], 1 + (upto <= places).sum(axis=-1), 0)


# Both ------------------------------------------------------------------------------------------------------


def _checked(observation: npt.NDArray[np.integer[Any]]) -> tuple[Array, tuple[int, ...]]:
    """Return the observations as ``[n, 47, 34]``, and the shape of the batch; raise ``RequestError``."""
    array = np.asarray(observation)
    if array.shape[-2:] != (ROWS, COLUMNS) or array.dtype.kind not in "iu":
        wanted = phrase("errors.kinds.instance", name=f"int16[…, {ROWS}, {COLUMNS}]")
        raise RequestError("wrong_type", field="observation", wanted=wanted)
    return array.reshape(-1, ROWS, COLUMNS), array.shape[:-2]


def _seat_rows(rows: Array) -> Array:
    """Return the rows of each seat: ``[n, 4, 10, 34]``."""
    return rows[:, seen.SEATS :].reshape(len(rows), len(SEAT_NAMES), seen.SEAT_ROWS, COLUMNS)


def _melds(rows: Array) -> Array:
    """Return the melds of each seat: ``[n, 4, 4, 5]``."""
    row = _seat_rows(rows)[:, :, seen.MELDS, : 5 * _MELDS]
    return row.reshape(len(rows), len(SEAT_NAMES), _MELDS, 5)


def _dead(numbers: Array) -> Array:
    return numbers[:, seen.DEAD, None] >> _POWERS & 1


def _norths(numbers: Array) -> Array:
    return numbers[:, seen.NORTHS, None] >> 3 * _POWERS & 7
