"""The events of a game as values; ``hide`` removes what a seat may not see."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.adjudication.score import Score
from jantaku.game.actions import Riichi
from jantaku.hand import Meld
from jantaku.kernels.win import MAX_SEATS
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


NotatedHands = Annotated[tuple[NotatedTiles | None, ...], Within(2, MAX_SEATS)]


def _as_is(score: RecordedScore) -> RecordedScore:
    return score


def _score_to_dict(score: Score | RecordedScore) -> dict[str, Any]:
    return score.to_dict()


@dataclass(frozen=True, repr=False)
class _Event(Typed):
    """Base of all events; ``type`` is its name in JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data; fields with default values are omitted."""
        data: dict[str, Any] = _READER.write(self, exclude_defaults=True)
        return data

    def __repr__(self) -> str:
        fields = " ".join(f"{name}={value}" for name, value in self.to_dict().items() if name != "type")
        return f"<{type(self).__name__} {fields}>"


@dataclass(frozen=True, repr=False)
class GameStarted(_Event):
    """The game begins.

    ``rules`` and ``fingerprint`` identify the ruleset; ``commitment`` is the hash of the seed of the walls
    (``fair_walls``), ``None`` if the walls were given.
    """

    type: ClassVar[Literal["game_started"]] = "game_started"
    rules: str
    fingerprint: str
    seats: int = 4
    commitment: str | None = None


@dataclass(frozen=True, repr=False)
class HandStarted(_Event):
    """A hand is dealt.

    ``number`` counts from 0 for East 1; repeats have the same number. ``hands`` are the thirteen tiles of
    each seat, ``None`` if hidden. ``deposits`` counts riichi sticks. ``wareme`` is the seat whose wall was
    broken, if the rules use it (``score.wareme``).
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
    """A seat draws; ``tile`` is ``None`` if hidden, ``rinshan`` true for a replacement tile."""

    type: ClassVar[Literal["drew"]] = "drew"
    seat: Seat
    tile: NotatedTile | None = None
    rinshan: bool = False


@dataclass(frozen=True, repr=False)
class Discarded(_Event):
    """A seat discards.

    ``drawn`` is true for the tile just drawn; ``shown`` are the tiles revealed by an open riichi.
    """

    type: ClassVar[Literal["discarded"]] = "discarded"
    seat: Seat
    tile: NotatedTile
    drawn: bool = False
    riichi: Riichi | None = None
    shown: NotatedTiles | None = None


@dataclass(frozen=True, repr=False)
class RiichiAccepted(_Event):
    """The riichi is established because nobody won on its discard; the seat pays ``deposit`` points."""

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

    An ankan may lie ``face_down`` (``calls.ankan_display``): its tiles are hidden from the other seats.
    """

    type: ClassVar[Literal["kan_declared"]] = "kan_declared"
    seat: Seat
    tile: NotatedTile | None
    meld: Meld
    face_down: bool = False


@dataclass(frozen=True, repr=False)
class KitaDeclared(_Event):
    """A seat sets a north aside as a dora; the north may be robbed."""

    type: ClassVar[Literal["kita_declared"]] = "kita_declared"
    seat: Seat


@dataclass(frozen=True, repr=False)
class DoraTurned(_Event):
    """A new dora indicator is turned."""

    type: ClassVar[Literal["dora_turned"]] = "dora_turned"
    indicator: NotatedTile


@dataclass(frozen=True, repr=False)
class Won(_Event):
    """A seat wins on ``tile``.

    ``source`` is the discarder, ``None`` for a tsumo; ``hand`` are the concealed tiles without ``tile``.
    ``score`` is computed by the engine or stated in a record (``RecordedScore``). ``ura`` are the ura
    indicators revealed by a riichi, ``kans`` the tiles of the winner's face-down ankans.
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
        """Return the points each seat receives for this win (negative: pays), indexed by seat.

        ``score.payments`` has the same points by wind. ``dealer`` is the dealer of the hand
        (``HandStarted.dealer``), ``seats`` the number of players (``GameStarted.seats``).
        """
        paid = self.score.payments
        return tuple(paid.get(seat_wind(seat, dealer, seats), 0) for seat in range(seats))


@dataclass(frozen=True, repr=False)
class HandDrawn(_Event):
    """A hand ends without a win: by an exhaustive draw, an abortive draw or a foul that voids it.

    ``tenpai`` and ``nagashi`` list seats. ``hands`` are the revealed hands, ``waits`` the kinds each waits
    for (``None`` if hidden or noten), ``kans`` the tiles of their face-down ankans, all indexed by seat.
    """

    type: ClassVar[Literal["hand_drawn"]] = "hand_drawn"
    kind: DrawKind
    tenpai: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()
    hands: NotatedHands = ()
    waits: NotatedHands = ()
    kans: NotatedHands = ()

    def __post_init__(self) -> None:
        for name in ("hands", "waits", "kans"):  # normalise fields that reveal nothing
            if not any(getattr(self, name)):
                object.__setattr__(self, name, ())


@dataclass(frozen=True, repr=False)
class Fouled(_Event):
    """A seat commits a foul: ``foul`` is the name of an option in the section ``fouls``, ``cost`` its value.

    The seat deposits ``deposit`` points as a number of riichi ``sticks``.
    """

    type: ClassVar[Literal["fouled"]] = "fouled"
    seat: Seat
    foul: str
    cost: str
    deposit: int = 0
    sticks: int = 0


@dataclass(frozen=True, repr=False)
class PointsMoved(_Event):
    """Points change hands: at the end of a hand, or as deposits returned or paid out.

    ``deltas`` are the changes, ``scores`` the points after them, and ``chips`` the changes in chips (``None``
    if there are none), all indexed by seat.
    """

    type: ClassVar[Literal["points_moved"]] = "points_moved"
    deltas: BySeat
    scores: BySeat
    reason: Literal["hand", "leftover_deposits", "returned_deposits"] = "hand"
    chips: BySeat | None = None


@dataclass(frozen=True, repr=False)
class GameEnded(_Event):
    """The game is over.

    ``final`` are the final points and ``places`` the places from 1, indexed by seat; ``opening`` is the seed
    of the walls in hexadecimal. If the rules use them, ``chips`` are the chips of each seat and ``yakitori``
    the points each seat gets or pays for players who won no hand; ``final`` includes both.
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
"""Any event of a game, for use with ``match``; a type checker reports missing cases."""

EVENTS: Final[dict[str, type[Event]]] = {cls.type: cls for cls in get_args(Event)}
"""Event classes by their ``type`` in JSON."""


NotatedEvent = Annotated[Event, ByType()]
_READER: Final[Reader[Any]] = Reader(cast("Any", NotatedEvent), nulls=True)


def from_dict(data: object, within: str = "") -> Event:
    """Read the output of ``Event.to_dict``; raises ``RequestError`` with the path of the invalid field."""
    event: Event = _READER(data, within)
    return event


def hide(event: Event, seat: int | None) -> Event:
    """Return the event as ``seat`` may see it; ``None`` stands for a spectator who sees no hidden tiles."""
    if isinstance(event, Drew) and event.seat != seat:
        return dataclasses.replace(event, tile=None)
    if isinstance(event, KanDeclared) and event.face_down and event.seat != seat:
        return dataclasses.replace(event, tile=None, meld=Meld(event.meld.type, ()))
    if isinstance(event, HandStarted):
        return dataclasses.replace(event, hands=_only(event.hands, seat))
    return event


def _only(hands: Sequence[tuple[Tile, ...] | None], seat: int | None) -> Hands:
    return tuple(hand if other == seat else None for other, hand in enumerate(hands))
