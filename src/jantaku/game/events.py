"""The events of a game as values; ``hide`` reduces an event to what one seat may see."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.adjudication.score import Score
from jantaku.game.actions import Riichi
from jantaku.hand import Meld
from jantaku.kernels.win import MOST_SEATS
from jantaku.reading import ByType, Parsed, Reader, Typed, Within
from jantaku.seats import BySeat, Seat, seat_wind
from jantaku.tiles import NotatedTile, NotatedTiles, Tile

Hands = tuple[tuple[Tile, ...] | None, ...]
DrawKind = Literal[
    "exhausted",
    "kyuushu_kyuuhai",
    "suufuu_renda",
    "suucha_riichi",
    "suukansanra",
    "sanchahou",
    "voided",
]


NotatedHands = Annotated[tuple[NotatedTiles | None, ...], Within(2, MOST_SEATS)]


def _as_is(score: RecordedScore) -> RecordedScore:
    return score


def _score_to_dict(score: Score | RecordedScore) -> dict[str, Any]:
    return score.to_dict()


@dataclass(frozen=True, repr=False)
class _Event(Typed):
    """Base of all events; ``type`` is its name in JSON."""

    def to_dict(self) -> dict[str, Any]:
        """The event as plain data; fields with default values are omitted."""
        data: dict[str, Any] = _READER.write(self, exclude_defaults=True)
        return data

    def __repr__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.to_dict().items() if name != "type")
        return f"<{type(self).__name__} {said}>"


@dataclass(frozen=True, repr=False)
class GameStarted(_Event):
    """The game begins: its rules and the commitment to its walls (``None`` if the walls were given)."""

    type: ClassVar[Literal["game_started"]] = "game_started"
    rules: str
    fingerprint: str
    seats: int = 4
    commitment: str | None = None


@dataclass(frozen=True, repr=False)
class HandStarted(_Event):
    """A hand is dealt: ``number`` since East 1, the thirteen tiles of each seat (``None``: hidden).

    ``wareme`` is the seat at whose wall the deal began, if the rules ask (``score.wareme``).
    """

    type: ClassVar[Literal["hand_started"]] = "hand_started"
    number: int
    honba: int
    deposits: int
    dealer: Seat
    scores: BySeat
    indicator: NotatedTile
    hands: NotatedHands
    wareme: Seat | None = None


@dataclass(frozen=True, repr=False)
class Drew(_Event):
    """A seat draws; ``None`` is a hidden tile."""

    type: ClassVar[Literal["drew"]] = "drew"
    seat: Seat
    tile: NotatedTile | None = None
    rinshan: bool = False


@dataclass(frozen=True, repr=False)
class Discarded(_Event):
    """A seat discards; ``drawn``: the tile just drawn; ``shown``: the tiles that an open riichi shows."""

    type: ClassVar[Literal["discarded"]] = "discarded"
    seat: Seat
    tile: NotatedTile
    drawn: bool = False
    riichi: Riichi | None = None
    shown: NotatedTiles | None = None


@dataclass(frozen=True, repr=False)
class RiichiAccepted(_Event):
    """The riichi tile has passed: the seat pays its deposit (in points)."""

    type: ClassVar[Literal["riichi_accepted"]] = "riichi_accepted"
    seat: Seat
    deposit: int


@dataclass(frozen=True, repr=False)
class Called(_Event):
    """A seat calls the last discard for a meld."""

    type: ClassVar[Literal["called"]] = "called"
    seat: Seat
    meld: Meld


@dataclass(frozen=True, repr=False)
class KanDeclared(_Event):
    """A seat declares an ankan or adds ``tile`` to a pon; the kan may be robbed.

    An ankan may lie ``face_down`` (``calls.ankan_display``): its tiles are hidden from the others.
    """

    type: ClassVar[Literal["kan_declared"]] = "kan_declared"
    seat: Seat
    tile: NotatedTile | None
    meld: Meld
    face_down: bool = False


@dataclass(frozen=True, repr=False)
class KitaDeclared(_Event):
    """A seat sets a north aside as a dora; it may be robbed."""

    type: ClassVar[Literal["kita_declared"]] = "kita_declared"
    seat: Seat


@dataclass(frozen=True, repr=False)
class DoraTurned(_Event):
    """A new dora indicator is turned."""

    type: ClassVar[Literal["dora_turned"]] = "dora_turned"
    indicator: NotatedTile


@dataclass(frozen=True, repr=False)
class Won(_Event):
    """A seat wins. ``source`` is the discarder, ``None`` for a tsumo; ``hand`` excludes ``tile``.

    ``score`` is computed by the engine or taken from a record (``RecordedScore``). ``ura`` are the indicators
    turned for a riichi, ``kans`` the tiles of the winner's face-down ankans.
    """

    type: ClassVar[Literal["won"]] = "won"
    seat: Seat
    tile: NotatedTile
    hand: NotatedTiles
    score: Annotated[Score | RecordedScore, Parsed(_as_is, RecordedScore, _score_to_dict)]
    source: Seat | None = None
    ura: NotatedTiles = ()
    kans: NotatedTiles = ()

    def payments_by_seat(self, dealer: int, seats: int = 4) -> tuple[int, ...]:
        """What each seat receives for this win (negative: pays); ``score.payments`` has it by wind.

        ``dealer`` is that of the hand (``HandStarted.dealer``), ``seats`` how many play
        (``GameStarted.seats``).
        """
        paid = self.score.payments
        return tuple(paid.get(seat_wind(seat, dealer, seats), 0) for seat in range(seats))


@dataclass(frozen=True, repr=False)
class HandDrawn(_Event):
    """A hand ends without a win: ``exhausted`` or an abortive draw.

    ``hands`` are the shown hands, ``waits`` the kinds each of them waits for (``None`` if hidden or noten),
    ``kans`` the tiles of their face-down ankans.
    """

    type: ClassVar[Literal["hand_drawn"]] = "hand_drawn"
    kind: DrawKind
    tenpai: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()
    hands: NotatedHands = ()
    waits: NotatedHands = ()
    kans: NotatedHands = ()

    def __post_init__(self) -> None:
        for name in ("hands", "waits", "kans"):  # leave out fields in which every seat is hidden
            if not any(getattr(self, name)):
                object.__setattr__(self, name, ())


@dataclass(frozen=True, repr=False)
class Fouled(_Event):
    """A seat commits a foul: ``foul`` is an option of the section ``fouls``, ``cost`` its value.

    ``deposit`` points go from the seat to the table as so many riichi ``sticks``.
    """

    type: ClassVar[Literal["fouled"]] = "fouled"
    seat: Seat
    foul: str
    cost: str
    deposit: int = 0
    sticks: int = 0


@dataclass(frozen=True, repr=False)
class PointsMoved(_Event):
    """Points move: at the end of a hand, or as deposits that are returned or paid out at the end.

    ``chips`` are what each seat wins or pays in chips, if the hand moves any.
    """

    type: ClassVar[Literal["points_moved"]] = "points_moved"
    deltas: BySeat
    scores: BySeat
    reason: Literal["hand", "leftover_deposits", "returned_deposits"] = "hand"
    chips: BySeat | None = None


@dataclass(frozen=True, repr=False)
class GameEnded(_Event):
    """The game is over: final points, each seat's place from 1, and the seed of the walls (hexadecimal).

    Where the rules have them, ``chips`` are each seat's chips, and ``yakitori`` the points that it gets or
    pays because somebody has not won a hand. The final points contain both.
    """

    type: ClassVar[Literal["game_ended"]] = "game_ended"
    final: BySeat
    places: BySeat
    opening: str | None = None
    chips: BySeat | None = None
    yakitori: BySeat | None = None


Event = (
    GameStarted
    | HandStarted
    | Drew
    | Discarded
    | RiichiAccepted
    | Called
    | KanDeclared
    | KitaDeclared
    | DoraTurned
    | Won
    | HandDrawn
    | Fouled
    | PointsMoved
    | GameEnded
)
"""Any event of a game: ``match`` tells them apart, and a type checker sees whether one is forgotten."""

EVENTS: Final[dict[str, type[Event]]] = {cls.type: cls for cls in get_args(Event)}
"""The class of each event by its name in JSON."""


NotatedEvent = Annotated[Event, ByType()]
_READER: Final[Reader[Any]] = Reader(cast("Any", NotatedEvent), nulls=True)


def from_dict(data: object, within: str = "") -> Event:
    """Read the output of ``Event.to_dict``; raises ``RequestError`` with the invalid field."""
    event: Event = _READER(data, within)
    return event


def hide(event: Event, seat: int | None) -> Event:
    """The event as ``seat`` may see it; ``None`` is a spectator who sees no hidden tiles."""
    if isinstance(event, Drew) and event.seat != seat:
        return dataclasses.replace(event, tile=None)
    if isinstance(event, KanDeclared) and event.face_down and event.seat != seat:
        return dataclasses.replace(event, tile=None, meld=Meld(event.meld.type, ()))
    if isinstance(event, HandStarted):
        return dataclasses.replace(event, hands=_only(event.hands, seat))
    return event


def _only(hands: Sequence[tuple[Tile, ...] | None], seat: int | None) -> Hands:
    return tuple(hand if other == seat else None for other, hand in enumerate(hands))
