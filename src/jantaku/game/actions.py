"""The actions of a seat as values, with conversions to text, JSON and the engine's integers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, cast, get_args

from jantaku.errors import RequestError, expect
from jantaku.fields import choice, whole
from jantaku.kernels.engine import actions as codes
from jantaku.reading import ByType, Reader, Refined, Typed, Within
from jantaku.tiles import (
    AS_TEXT,
    RED,
    TILES,
    NotatedTile,
    Tile,
    TileLike,
    TilesLike,
    as_tile,
    as_tiles,
    format_tiles,
    parse_tiles,
)

Riichi = Literal["riichi", "open"]
KanKind = Literal["daiminkan", "ankan", "kakan"]
FoulAct = Literal["win_shown", "win_called", "wrong_meld", "call_slip", "riichi_withdrawn"]

DRAWN_MARK: Final = "*"  # written after a discard of the tile just drawn


def _set(action: "_Action", **fields: object) -> None:
    """Set converted fields of a frozen action while it is created."""
    for name, value in fields.items():
        object.__setattr__(action, name, value)


class _Action(Typed):
    """Base of all actions."""

    def __str__(self) -> str:
        return self.type

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self}>"


@dataclass(frozen=True, repr=False)
class Pass(_Action):
    """Decline to claim the offered tile."""

    type: ClassVar[Literal["pass"]] = "pass"


@dataclass(frozen=True, repr=False)
class Discard(_Action):
    """Discard a tile and optionally declare riichi with it.

    ``drawn`` is true for the tile just drawn, false for a tile from the hand. ``riichi`` is ``"riichi"``,
    ``"open"`` or ``None``.
    """

    type: ClassVar[Literal["discard"]] = "discard"
    tile: NotatedTile
    drawn: bool = False
    riichi: Riichi | None = None

    if TYPE_CHECKING:

        def __init__(self, tile: TileLike, drawn: bool = False, riichi: Riichi | None = None) -> None: ...

    def __post_init__(self) -> None:
        _set(self, tile=as_tile(self.tile, "tile"))
        expect(self.drawn, bool, "drawn")
        if self.riichi is not None:
            choice(self.riichi, "riichi", get_args(Riichi))

    def __str__(self) -> str:
        tile = f"{self.tile}{DRAWN_MARK * self.drawn}"
        return f"{self.riichi} {tile}" if self.riichi else tile


@dataclass(frozen=True, repr=False)
class Tsumo(_Action):
    """Win on the drawn tile."""

    type: ClassVar[Literal["tsumo"]] = "tsumo"


@dataclass(frozen=True, repr=False)
class Ron(_Action):
    """Win on another player's tile."""

    type: ClassVar[Literal["ron"]] = "ron"


def two_tiles(tiles: Sequence[Tile]) -> Sequence[Tile]:
    """Return the tiles of a chi; raises ``RequestError`` unless there are two."""
    if len(tiles) != 2:
        raise RequestError("two_tiles", field="", count=len(tiles))
    return tiles


@dataclass(frozen=True, repr=False)
class Chi(_Action):
    """Call the discard for a run; ``tiles`` are the two tiles from the hand, the lower first."""

    type: ClassVar[Literal["chi"]] = "chi"
    tiles: Annotated[tuple[Tile, Tile], *AS_TEXT, Refined(two_tiles)]

    if TYPE_CHECKING:

        def __init__(self, tiles: TilesLike) -> None: ...

    def __post_init__(self) -> None:
        _set(self, tiles=two_tiles(as_tiles(self.tiles, "tiles")))

    def __str__(self) -> str:
        return f"chi {format_tiles(self.tiles)}"


@dataclass(frozen=True, repr=False)
class Pon(_Action):
    """Call the discard for a triplet; ``red`` is the number of red tiles among the two from the hand."""

    type: ClassVar[Literal["pon"]] = "pon"
    red: Annotated[int, Within(0, 2)] = 0

    def __post_init__(self) -> None:
        _set(self, red=whole(self.red, "red", 0, 2))

    def __str__(self) -> str:
        return f"pon {'r' * self.red}" if self.red else self.type


@dataclass(frozen=True, repr=False)
class Kan(_Action):
    """Declare a quad.

    ``kind`` is ``"daiminkan"`` (with the discard ``tile``), ``"ankan"`` (four tiles from the
    hand) or ``"kakan"`` (adding ``tile`` to a pon).
    """

    type: ClassVar[Literal["kan"]] = "kan"
    kind: KanKind
    tile: NotatedTile

    if TYPE_CHECKING:

        def __init__(self, kind: KanKind, tile: TileLike) -> None: ...

    def __post_init__(self) -> None:
        choice(self.kind, "kind", get_args(KanKind))
        _set(self, tile=as_tile(self.tile, "tile"))

    def __str__(self) -> str:
        return f"{self.kind} {self.tile}"


@dataclass(frozen=True, repr=False)
class Kita(_Action):
    """Set a north aside as a dora and draw another tile (抜きドラ)."""

    type: ClassVar[Literal["kita"]] = "kita"


@dataclass(frozen=True, repr=False)
class NineTerminals(_Action):
    """End the hand on nine kinds of terminals and honours (九種九牌)."""

    type: ClassVar[Literal["nine_terminals"]] = "nine_terminals"


@dataclass(frozen=True, repr=False)
class EndGame(_Action):
    """End the game, as a leading dealer who won or was tenpai in the last hand may choose to do."""

    type: ClassVar[Literal["end_game"]] = "end_game"


@dataclass(frozen=True, repr=False)
class PlayOn(_Action):
    """Play another hand: the alternative to ``EndGame``."""

    type: ClassVar[Literal["play_on"]] = "play_on"


@dataclass(frozen=True, repr=False)
class Foul(_Action):
    """Commit a foul that does not take effect: an invalid win, a call that makes no set, or a slip.

    Fouls that take effect (a barred discard, noten riichi, a forbidden kan) are ordinary actions.
    """

    type: ClassVar[Literal["foul"]] = "foul"
    act: FoulAct

    def __post_init__(self) -> None:
        choice(self.act, "act", get_args(FoulAct))

    def __str__(self) -> str:
        return f"foul {self.act}"


Action = Pass | Discard | Tsumo | Ron | Chi | Pon | Kan | Kita | NineTerminals | EndGame | PlayOn | Foul
NotatedAction = Annotated[Action, ByType()]
FOUL_ACTS: Final[tuple[FoulAct, ...]] = get_args(FoulAct)  # indexed by the engine's numbers


def _code(kind: int, value: int = 0) -> int:
    return kind << 8 | value


_WITHOUT_TILES: Final[dict[int, Action]] = {
    _code(codes.PASS): Pass(),
    _code(codes.TSUMO): Tsumo(),
    _code(codes.RON): Ron(),
    _code(codes.KITA): Kita(),
    _code(codes.KYUUSHU): NineTerminals(),
    _code(codes.END_GAME): EndGame(),
    _code(codes.PLAY_ON): PlayOn(),
}
_WHOLE: Final[dict[int, Action]] = _WITHOUT_TILES | {
    _code(codes.FOUL, number): Foul(act) for number, act in enumerate(FOUL_ACTS)
}
_WHOLE_CODES: Final[dict[Action, int]] = {action: code for code, action in _WHOLE.items()}
WITHOUT_TILES: Final[dict[str, Action]] = {action.type: action for action in _WITHOUT_TILES.values()}
_DISCARDS: Final[dict[int, Riichi | None]] = {
    codes.DISCARD: None,
    codes.RIICHI: "riichi",
    codes.OPEN_RIICHI: "open",
}
_DISCARD_CODES: Final = {riichi: kind for kind, riichi in _DISCARDS.items()}
_KANS: Final[dict[str, int]] = {"ankan": codes.ANKAN, "kakan": codes.KAKAN}


def encode(action: Action, called: int = 0, red: int = 0) -> int:
    """Return the engine's integer for an action.

    A chi needs ``called``, the offered tile. A daiminkan needs ``red``, the number of red tiles of that kind
    in the hand.
    """
    match action:
        case Discard(tile, drawn, riichi):
            return _code(_DISCARD_CODES[riichi], tile | codes.DRAWN * drawn)
        case Chi((low, high)):
            position = called % RED - min(called % RED, low % RED)
            return _code(codes.CHI, position | (low >= RED) << 2 | (high >= RED) << 3)
        case Pon(number):
            return _code(codes.PON, number)
        case Kan("daiminkan", _):
            return _code(codes.DAIMINKAN, red)
        case Kan(kind, tile):
            return _code(_KANS[kind], tile)
        case _:
            return _WHOLE_CODES[action]


@lru_cache(maxsize=4096)
def decode(code: int, called: int = 0) -> Action:
    """Return the action for an engine integer; ``called`` is the offered tile."""
    kind, value = code >> 8, code & 255
    if kind in _DISCARDS:
        return Discard(TILES[value & ~codes.DRAWN], bool(value & codes.DRAWN), _DISCARDS[kind])
    if kind == codes.CHI:
        position = value & 3
        first = called % RED - position
        low, high = (first + i for i in range(3) if i != position)
        return Chi((TILES[low + RED * (value >> 2 & 1)], TILES[high + RED * (value >> 3 & 1)]))
    if kind == codes.PON:
        return Pon(value)
    if kind == codes.DAIMINKAN:
        return Kan("daiminkan", TILES[called])
    if kind in (codes.ANKAN, codes.KAKAN):
        return Kan("ankan" if kind == codes.ANKAN else "kakan", TILES[value])
    return _WHOLE[code]


_READER: Final[Reader[Action]] = Reader(cast("Any", NotatedAction), nulls=True)


def from_dict(data: object, within: str = "") -> Action:
    """Read the output of ``to_dict``; raises ``RequestError`` with the path of the invalid field."""
    return _READER(data, within)


def to_dict(action: Action) -> dict[str, Any]:
    """Return the action as plain data: its ``type`` and its fields."""
    data: dict[str, Any] = _READER.write(action)
    return data


def parse(text: str) -> Action:
    """Parse the text of an action: ``5m*``, ``riichi 5m``, ``chi 34m``, ``pon r``, ``ankan 1z``.

    This is the inverse of ``str(action)``. Raises ``NotationError`` or ``RequestError``.

    >>> parse("riichi 0p*")
    <Discard riichi 0p*>
    """
    word, _, rest = text.strip().partition(" ")
    if word in WITHOUT_TILES and not rest:
        return WITHOUT_TILES[word]
    if word == Chi.type:
        low, high = two_tiles(parse_tiles(rest))
        return Chi((low, high))
    if word == Pon.type and rest in ("", "r", "rr"):
        return Pon(len(rest))
    if word == Foul.type:
        return from_dict({"type": word, "act": rest})
    if word in get_args(KanKind):
        return Kan(cast("KanKind", word), Tile.parse(rest))
    riichi = cast("Riichi", word) if word in get_args(Riichi) else None
    tile = rest if riichi else text.strip()
    return Discard(Tile.parse(tile.removesuffix(DRAWN_MARK)), tile.endswith(DRAWN_MARK), riichi)


def default_action(legal: Sequence[Action]) -> Action:
    """Return the action for a seat that does not choose: pass, or discard the drawn tile.

    ``legal`` are the seat's legal actions, at least one.
    """
    if Pass() in legal:
        return Pass()
    plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
    drawn = [action for action in plain if action.drawn]
    return next(iter(drawn or plain[::-1]), legal[0])
