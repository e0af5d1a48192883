"""The WebSocket protocol of a table: every message either side sends, with its version.

``docs/protocol.md`` explains how they follow each other; ``jantaku.server.schema`` prints their JSON Schema.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from jantaku.server.wire import (
    Four,
    Furiten,
    GameAction,
    GameEvent,
    Offered,
    Riichi,
    Seat,
    SeatView,
    TilesText,
    TileText,
    Wire,
)

VERSION: Final = 1
MessageId = Annotated[str, Field(min_length=1, max_length=64)]
LanguageCode = Literal["en", "ja", "ko"]
Role = Literal["player", "referee", "organiser", "admin"]
Status = Literal["waiting", "playing", "finished", "aborted"]


# From the client


class Hello(Wire):
    """The first message of a socket: the protocol and, on coming back, how far one has got."""

    type: Literal["hello"]
    version: int
    game: int | None = None
    last: Annotated[int | None, Field(ge=0)] = None
    watch: bool = False
    all_hands: bool = False
    language: LanguageCode = "en"


class ActMessage(Wire):
    """Do one of ``own.legal`` or ``own.fouls``; ``ask`` is the number of the question it answers."""

    type: Literal["act"]
    id: MessageId
    game: int
    ask: int
    action: GameAction


class Ready(Wire):
    """The result of a hand has been read."""

    type: Literal["ready"]
    id: MessageId


class Abort(Wire):
    """Agree (or no longer) to end the game here; it ends when everybody does."""

    type: Literal["abort"]
    id: MessageId
    agree: bool


class Rematch(Wire):
    """Agree (or no longer) to another game at this table."""

    type: Literal["rematch"]
    id: MessageId
    agree: bool


class Why(Wire):
    """Ask why something is not possible now: the name of an action or a whole action."""

    type: Literal["why"]
    id: MessageId
    what: (
        GameAction
        | Literal[
            "pass", "discard", "riichi", "tsumo", "ron", "chi", "pon", "kan", "daiminkan", "ankan", "kakan",
            "nine_terminals",
        ]
    )  # fmt: skip


class AskHints(Wire):
    """Ask for waits with their values, best discards and dangers (not at tables without hints)."""

    type: Literal["hints"]
    id: MessageId


class Ping(Wire):
    """Measure the way there and back."""

    type: Literal["ping"]
    id: MessageId


FromClient = Annotated[
    Hello | ActMessage | Ready | Abort | Rematch | Why | AskHints | Ping, Field(discriminator="type")
]
FROM_CLIENT: Final[TypeAdapter[Any]] = TypeAdapter(FromClient)


# From the server


class SeatInfo(Wire):
    """Who sits there. ``bot``: a bot's seat; ``away``: a person's that a bot plays meanwhile."""

    name: str
    person: str | None = None
    bot: str | None = None
    connected: bool = False
    away: bool = False
    ready: bool = False
    wants_abort: bool = False
    wants_rematch: bool = False


class RulesRef(Wire):
    """A ruleset: ``id`` is a preset's name or the fingerprint of rules of one's own."""

    id: str
    name: str
    fingerprint: str


class TableOptions(Wire):
    """How a table is played, apart from its rules.

    ``even_pauses``: after every discard the game waits as long as anybody may think about a call.
    """

    clock: bool = True
    hints: bool = True
    rated: bool = False
    private: bool = False
    spectators: bool = True
    spectator_delay_s: Annotated[float, Field(ge=0, le=600)] = 60
    draw_seats: bool = True
    even_pauses: bool = False


class Result(Wire):
    """How the last game at the table ended; ``record`` opens it under ``/api/games/{record}``."""

    record: str
    final: Four | None
    places: Four | None


class TableInfo(Wire):
    """All about a table except the game; sent whole whenever any of it changes.

    ``owner`` is a person's id and ``host`` their name. ``stopped``: a fault of the server keeps its game from
    going on; it is stored as far as it got.
    """

    id: str
    name: str
    status: Status
    owner: str
    host: str
    rules: RulesRef
    options: TableOptions
    seats: Annotated[list[SeatInfo | None], Field(min_length=4, max_length=4)]
    game: int
    watchers: int = 0
    result: Result | None = None
    stopped: bool = False


class ClockInfo(Wire):
    """Times in milliseconds: ``turn_ms`` left for the seat whose turn it is, reserve included; reserves."""

    turn_ms: int | None
    bank_ms: Four


class Own(Wire):
    """What only this seat gets. ``ask`` numbers the question to answer; ``null``: nothing to do now."""

    hand: TilesText
    drawn: TileText | None
    waits: TilesText
    furiten: Furiten | None
    offered: Offered | None
    ask: int | None
    legal: list[GameAction]
    fouls: list[GameAction]
    left_ms: int | None = None


class Welcome(Wire):
    """The answer to ``hello``; ``seat`` is ``null`` for watchers."""

    type: Literal["welcome"]
    version: int
    table: TableInfo
    seat: Seat | None
    all_hands: bool = False


class TableMessage(Wire):
    """The table has changed."""

    type: Literal["table"]
    table: TableInfo


class Sync(Wire):
    """Start afresh: the view as of event ``view_seq`` and the events since, up to ``seq``.

    Watchers have no ``view``: their events begin with the hand's ``hand_started``.
    """

    type: Literal["sync"]
    game: int
    view_seq: int
    seq: int
    view: SeatView | None
    events: list[GameEvent]
    own: Own | None
    clock: ClockInfo | None


class Update(Wire):
    """Events up to number ``seq`` (perhaps none) and what the seat now may do."""

    type: Literal["update"]
    game: int
    seq: int
    events: list[GameEvent]
    own: Own | None
    clock: ClockInfo | None


class Pause(Wire):
    """The hand is over: the next begins when all are ready, or after ``ms``."""

    type: Literal["pause"]
    game: int
    ms: int | None


class Ack(Wire):
    """The message of that id has been carried out and stored."""

    type: Literal["ack"]
    id: str


class ErrorMessage(Wire):
    """The message (``id``, where it had one) was refused and changed nothing."""

    type: Literal["error"]
    id: str | None
    code: str
    message: str
    field: str = ""


class ReasonText(Wire):
    """The answer to ``why``."""

    type: Literal["reason"]
    id: str
    code: str
    text: str


class WaitHint(Wire):
    """One kind waited for: copies not seen, whether ron is possible, and the points by ron and tsumo."""

    tile: TileText
    left: int
    ron: int | None
    tsumo: int | None


class DiscardHint(Wire):
    """A possible discard: shanten after it, tiles that improve (copies not seen), its waits, its danger.

    ``danger`` is what discarding it costs on average, in points, as the ``standard`` bot sees it. ``riichi``
    has the waits under each riichi that this discard may declare.
    """

    tile: TileText
    shanten: int
    tiles: int
    waits: list[WaitHint]
    danger: float | None
    riichi: dict[Riichi, list[WaitHint]]


class Barred(Wire):
    """A tile that may not be discarded now, and why."""

    tile: TileText
    text: str


class Hints(Wire):
    """The answer to ``hints``."""

    type: Literal["hints"]
    id: str
    shanten: int
    waits: list[WaitHint]
    furiten: str | None
    discards: list[DiscardHint]
    barred: list[Barred]


class Pong(Wire):
    """The answer to ``ping``."""

    type: Literal["pong"]
    id: str


FromServer = Annotated[
    Welcome | TableMessage | Sync | Update | Pause | Ack | ErrorMessage | ReasonText | Hints | Pong,
    Field(discriminator="type"),
]
FROM_SERVER: Final[TypeAdapter[Any]] = TypeAdapter(FromServer)
