"""What happens at a table, as values; the whole truth, and what one seat may see of it."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.adjudication.score import Score
from jantaku.errors import RequestError
from jantaku.game.fields import HANDS, MELD, NUMBERS, SCORE, TILE, TILES, Codec, codec_of
from jantaku.hand import Meld
from jantaku.tiles import Tile

Hands = tuple[tuple[Tile, ...] | None, ...]
Riichi = Literal["riichi", "open"]


@dataclass(frozen=True, repr=False)
class Event:
    """Base of all events; ``type`` is its name in JSON."""

    type: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The event as plain data; fields that have their default are left out."""
        found: dict[str, Any] = {"type": self.type}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if value != item.default:
                found[item.name] = codec_of(item).write(value)
        return found

    def __repr__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.to_dict().items() if name != "type")
        return f"<{type(self).__name__} {said}>"


@dataclass(frozen=True, repr=False)
class GameStarted(Event):
    """The game begins: its rules, and the commitment of its walls (``None`` where these were given)."""

    type: ClassVar[str] = "game_started"
    rules: str
    fingerprint: str
    seats: int = 4
    commitment: str | None = None


@dataclass(frozen=True, repr=False)
class HandStarted(Event):
    """A hand is dealt: ``number`` since East 1, everybody's thirteen tiles (``None``: hidden)."""

    type: ClassVar[str] = "hand_started"
    number: int
    honba: int
    deposits: int
    dealer: int
    scores: tuple[int, ...] = field(metadata=NUMBERS)
    indicator: Tile = field(metadata=TILE)
    hands: Hands = field(metadata=HANDS)


@dataclass(frozen=True, repr=False)
class Drew(Event):
    """A seat draws; ``None`` is a tile that is hidden."""

    type: ClassVar[str] = "drew"
    seat: int
    tile: Tile | None = field(default=None, metadata=TILE)
    rinshan: bool = False


@dataclass(frozen=True, repr=False)
class Discarded(Event):
    """A seat discards, perhaps the tile just drawn; an open riichi shows the tiles of its wait."""

    type: ClassVar[str] = "discarded"
    seat: int
    tile: Tile = field(metadata=TILE)
    drawn: bool = False
    riichi: Riichi | None = None
    shown: tuple[Tile, ...] | None = field(default=None, metadata=TILES)


@dataclass(frozen=True, repr=False)
class RiichiAccepted(Event):
    """The riichi tile has passed: the seat lays its deposit (in points)."""

    type: ClassVar[str] = "riichi_accepted"
    seat: int
    deposit: int


@dataclass(frozen=True, repr=False)
class Called(Event):
    """A seat takes the last discard into a meld."""

    type: ClassVar[str] = "called"
    seat: int
    meld: Meld = field(metadata=MELD)


@dataclass(frozen=True, repr=False)
class KanDeclared(Event):
    """A seat declares an ankan or adds ``tile`` to a pon, which may be robbed.

    An ankan may lie ``face_down`` (``calls.ankan_display``): its tiles are hidden from the others.
    """

    type: ClassVar[str] = "kan_declared"
    seat: int
    tile: Tile | None = field(metadata=TILE)
    meld: Meld = field(metadata=MELD)
    face_down: bool = False


@dataclass(frozen=True, repr=False)
class DoraTurned(Event):
    """Another dora indicator is turned."""

    type: ClassVar[str] = "dora_turned"
    indicator: Tile = field(metadata=TILE)


@dataclass(frozen=True, repr=False)
class Won(Event):
    """A seat wins: ``source`` is the seat that dealt in, ``None`` at a tsumo; ``hand`` without ``tile``.

    ``score`` is what the engine found, or what a record tells (``RecordedScore``). ``ura`` are the indicators
    turned for a riichi, ``kans`` the winner's ankans that lay face down.
    """

    type: ClassVar[str] = "won"
    seat: int
    tile: Tile = field(metadata=TILE)
    hand: tuple[Tile, ...] = field(metadata=TILES)
    score: Score | RecordedScore = field(metadata=SCORE)
    source: int | None = None
    ura: tuple[Tile, ...] = field(default=(), metadata=TILES)
    kans: tuple[Tile, ...] = field(default=(), metadata=TILES)


@dataclass(frozen=True, repr=False)
class HandDrawn(Event):
    """A hand ends without a win: ``exhausted`` or an abortive draw.

    ``hands`` are those shown, ``waits`` the kinds each of them waits for (``None`` where hidden or noten),
    ``kans`` their ankans that lay face down.
    """

    type: ClassVar[str] = "hand_drawn"
    kind: str
    tenpai: tuple[int, ...] = field(default=(), metadata=NUMBERS)
    nagashi: tuple[int, ...] = field(default=(), metadata=NUMBERS)
    hands: Hands = field(default=(None,) * 4, metadata=HANDS)
    waits: Hands = field(default=(None,) * 4, metadata=HANDS)
    kans: Hands = field(default=(None,) * 4, metadata=HANDS)


@dataclass(frozen=True, repr=False)
class Fouled(Event):
    """A seat has done what the rules forbid: the option of ``fouls`` it falls under, and what that costs."""

    type: ClassVar[str] = "fouled"
    seat: int
    foul: str
    cost: str


@dataclass(frozen=True, repr=False)
class PointsMoved(Event):
    """Points change hands: by the hand that ended, or as deposits left over at the end or given back."""

    type: ClassVar[str] = "points_moved"
    deltas: tuple[int, ...] = field(metadata=NUMBERS)
    scores: tuple[int, ...] = field(metadata=NUMBERS)
    reason: Literal["hand", "leftover_deposits", "returned_deposits"] = "hand"


@dataclass(frozen=True, repr=False)
class GameEnded(Event):
    """The game is over: final points, each seat's place from 1, and the seed of the walls (hexadecimal)."""

    type: ClassVar[str] = "game_ended"
    final: tuple[int, ...] = field(metadata=NUMBERS)
    places: tuple[int, ...] = field(metadata=NUMBERS)
    opening: str | None = None


EVENTS: Final[dict[str, type[Event]]] = {cls.type: cls for cls in Event.__subclasses__()}


def from_dict(data: Mapping[str, Any]) -> Event:
    """Read what ``Event.to_dict`` gives; ``RequestError`` names the field that is wrong."""
    cls = EVENTS.get(str(data.get("type")))
    if cls is None:
        known = ", ".join(EVENTS)
        raise RequestError("unknown_choice", field="type", value=data.get("type"), known=known)
    items = {item.name: item for item in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name == "type":
            continue
        if name not in items:
            raise RequestError("unknown_field", field=name, known=", ".join(items))
        codec: Codec = codec_of(items[name])
        values[name] = codec.read(value)
    missing = [n for n, item in items.items() if n not in values and item.default is dataclasses.MISSING]
    if missing:
        raise RequestError("missing_field", field=missing[0])
    return cls(**values)


def hide(event: Event, seat: int | None) -> Event:
    """What ``seat`` may see of an event; ``None`` is somebody who sees nobody's tiles."""
    if isinstance(event, Drew) and event.seat != seat:
        return dataclasses.replace(event, tile=None)
    if isinstance(event, KanDeclared) and event.face_down and event.seat != seat:
        return dataclasses.replace(event, tile=None, meld=Meld(event.meld.type, ()))
    if isinstance(event, HandStarted):
        return dataclasses.replace(event, hands=_only(event.hands, seat))
    return event


def _only(hands: Sequence[tuple[Tile, ...] | None], seat: int | None) -> Hands:
    return tuple(hand if other == seat else None for other, hand in enumerate(hands))
