"""The WebSocket protocol of tables: its version, the description of a table, and all messages.

``docs/protocol.md`` explains the order of messages; ``jantaku.server.schema`` prints their JSON Schema.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from jantaku.adjudication.requests import ManTiles
from jantaku.game.actions import NotatedAction, Riichi
from jantaku.game.events import NotatedEvent
from jantaku.game.view import Furiten, Offered, View
from jantaku.kernels.win import MAX_SEATS
from jantaku.seats import BySeat, Seat
from jantaku.server.settings import PROGRAM_NAME
from jantaku.tiles import NotatedTile, NotatedTiles
from jantaku.wire import Wire

VERSION: Final = 1
MessageId = Annotated[str, Field(min_length=1, max_length=64)]
LanguageCode = Literal["en", "ja", "ko"]
Role = Literal["player", "referee", "organiser", "admin"]
Stamp = Literal[
    "hello", "good_luck", "nice", "thanks", "sorry", "wow", "ouch", "moment", "hurry", "good_game"
]
Pace = Literal["slow", "usual", "quick"]  # ``jantaku.server.settings.PACES``
MAX_TEXT_LENGTH: Final = 80  # characters of a chat message
MAX_DELAY_S: Final = 600
DEFAULT_DELAY_S: Final = 60  # spectator delay
GameLength = Literal["east", "hanchan", "full"]
ShortOrLong = Literal["east", "hanchan"]
AnkanDisplay = Literal["outer_down", "inner_down", "all_down"]
Status = Literal["waiting", "playing", "finished", "aborted"]
# one of ``LEVELS``, or a program of the operator
BotLevel = Annotated[str, Field(pattern=f"^{PROGRAM_NAME}$")]


class SeatInfo(Wire):
    """A seat and its player. ``bot``: a bot's level or program. ``away``: a bot plays for the absent person.

    ``gone``: the person has left the game and has no vote on ending it. ``wants_seat``: the seat the player
    wants to swap with. ``shows_profile``: the person is connected and lets others see their statistics.
    ``shows_hand``: the player agrees that spectators see all hands.
    """

    name: str
    person: str | None = None
    bot: str | None = None
    connected: bool = False
    shows_profile: bool = False
    away: bool = False
    gone: bool = False
    ready: bool = False
    wants_seat: Seat | None = None
    wants_abort: bool = False
    wants_rematch: bool = False
    shows_hand: bool = False


OwnYakuNames = dict[str, dict[str, str]]


class RulesRef(Wire):
    """A ruleset. ``id`` is a preset's name or the fingerprint of saved rules.

    ``wall``: number of tiles that can be drawn after the deal. ``replacements``: number of replacement tiles
    that may be drawn after kans and norths. ``man``: the man tiles in the set. ``nukidora``: whether norths
    may be set aside. ``length``: number of rounds of a game. ``about``: a summary of the rules as text.
    ``ankan_display``: how the tiles of a closed kan are laid out. ``return_points``: the points at which a
    player neither wins nor loses. ``own_yaku``: names of the rules' custom yaku by id and language.
    """

    id: str
    name: str
    fingerprint: str
    wall: int
    replacements: int
    man: ManTiles
    nukidora: bool
    length: GameLength
    about: str = ""
    ankan_display: AnkanDisplay = "outer_down"
    return_points: int | None = None
    own_yaku: OwnYakuNames = Field(default_factory=dict)


class TableOptions(Wire):
    """The options of a table, apart from its rules.

    ``even_pauses``: the game waits for the full claim window after every discard. ``chat``: players may write
    messages if the table is private. ``open_hands``: spectators see all hands if the spectator delay is at
    least five minutes. ``bot``: level or program of the bots in free seats; ``None`` for the server's
    default. ``pace``: speed of the bots; by default ``quick`` for a single person playing against bots, else
    ``usual``.
    """

    clock: bool = True
    hints: bool = True
    rated: bool = False
    private: bool = False
    spectators: bool = True
    spectator_delay_s: Annotated[float, Field(ge=0, le=MAX_DELAY_S)] = DEFAULT_DELAY_S
    draw_seats: bool = True
    even_pauses: bool = False
    chat: bool = False
    open_hands: bool = False
    bot: BotLevel | None = None
    pace: Pace | None = None


class Result(Wire):
    """The result of the last game at the table; ``/api/games/{record}`` returns its record.

    ``chips`` and ``yakitori`` are included in ``final`` if the rules have them.
    """

    record: str
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None


class TableInfo(Wire):
    """The state of a table except the game; sent in full whenever any of it changes.

    ``seats`` has an entry for each seat, ``null`` for a free one. ``owner`` is the id of the host and
    ``host`` the name. ``stopped``: the game was halted by a server fault and is stored up to that point.
    ``event`` and ``stage``: the event and stage for which its games count. ``halted``: a referee has paused
    the game.
    """

    id: str
    name: str
    status: Status
    owner: str
    host: str
    rules: RulesRef
    options: TableOptions
    seats: Annotated[list[SeatInfo | None], Field(max_length=MAX_SEATS)]
    game: int
    watchers: int = 0
    result: Result | None = None
    stopped: bool = False
    event: str | None = None
    stage: str | None = None
    halted: bool = False


class ClockInfo(Wire):
    """Times in ms: ``turn_ms``, the seat's remaining time with its reserve, and ``bank_ms``, all reserves."""

    turn_ms: int | None
    bank_ms: BySeat


class Own(Wire):
    """The part of a message sent to this seat only. ``ask``: number of the request to act, if any."""

    hand: NotatedTiles
    drawn: NotatedTile | None
    waits: NotatedTiles
    furiten: Furiten | None
    offered: Offered | None
    ask: int | None
    legal: list[NotatedAction]
    fouls: list[NotatedAction]
    left_ms: int | None = None


class Welcome(Wire):
    """The reply to ``hello``; ``seat`` is ``null`` for spectators."""

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
    """A full resync: the view as of event ``view_seq``, and the events since then up to ``seq``.

    Spectators have no ``view``; their events start with the ``hand_started`` of the hand.
    """

    type: Literal["sync"]
    game: int
    view_seq: int
    seq: int
    view: View | None
    events: list[NotatedEvent]
    own: Own | None
    clock: ClockInfo | None


class Update(Wire):
    """New events up to number ``seq``, possibly none, and the seat's possible actions."""

    type: Literal["update"]
    game: int
    seq: int
    events: list[NotatedEvent]
    own: Own | None
    clock: ClockInfo | None


class Pause(Wire):
    """The hand is over; the next one starts when everyone is ready, or after ``ms``."""

    type: Literal["pause"]
    game: int
    ms: int | None


class Said(Wire):
    """A player's chat message: either a ``stamp`` or a ``text``."""

    type: Literal["said"]
    seat: Seat
    stamp: Stamp | None = None
    text: str | None = None


class Asked(Wire):
    """The friend requests or table invitations of this person have changed; see ``/api/friends``."""

    type: Literal["asked"]


class Ack(Wire):
    """The message with this id has been applied and stored."""

    type: Literal["ack"]
    id: str


class ErrorMessage(Wire):
    """A message was refused and changed nothing; ``id`` is the id of that message, if it had one."""

    type: Literal["error"]
    id: str | None
    code: str
    message: str
    field: str = ""


class ReasonText(Wire):
    """The reply to ``why``."""

    type: Literal["reason"]
    id: str
    code: str
    text: str


class WaitHint(Wire):
    """A wait: ``left`` unseen tiles, and the points by ron and tsumo, ``null`` where impossible."""

    tile: NotatedTile
    left: int
    ron: int | None
    tsumo: int | None


class DiscardHint(Wire):
    """A possible discard: shanten after it, number of unseen improving tiles, waits and danger.

    ``accepts`` lists the kinds that improve the hand and have unseen tiles. ``danger`` is the expected cost
    of dealing in, in points, as estimated by the ``standard`` bot; ``best``: no discard is better, as the
    ``strong`` bot sees it. ``safety`` says why the tile is safe or dangerous against each opponent to beware
    of; it is empty without one. ``riichi`` has the waits for each kind of riichi that this discard may
    declare.
    """

    tile: NotatedTile
    shanten: int
    tiles: int
    accepts: str
    waits: list[WaitHint]
    danger: float | None
    best: bool
    safety: str
    riichi: dict[Riichi, list[WaitHint]]


class Barred(Wire):
    """A tile that may not be discarded at this point, and the reason."""

    tile: NotatedTile
    text: str


class Hints(Wire):
    """The reply to ``hints``."""

    type: Literal["hints"]
    id: str
    shanten: int
    waits: list[WaitHint]
    furiten: str | None
    discards: list[DiscardHint]
    barred: list[Barred]


class Pong(Wire):
    """The reply to ``ping``."""

    type: Literal["pong"]
    id: str


FromServer = Annotated[
    Welcome
    | TableMessage
    | Sync
    | Update
    | Pause
    | Said
    | Asked
    | Ack
    | ErrorMessage
    | ReasonText
    | Hints
    | Pong,
    Field(discriminator="type"),
]
FROM_SERVER: Final[TypeAdapter[Any]] = TypeAdapter(FromServer)


class Hello(Wire):
    """The first message of a socket: the protocol version and, after a reconnect, the last received event."""

    type: Literal["hello"]
    version: int
    game: int | None = None
    last: Annotated[int | None, Field(ge=0)] = None
    watch: bool = False
    all_hands: bool = False
    language: LanguageCode = "en"


class ActMessage(Wire):
    """Take one of ``own.legal`` or ``own.fouls``; ``ask`` is the number of the request being answered."""

    type: Literal["act"]
    id: MessageId
    game: int
    ask: int
    action: NotatedAction


class Ready(Wire):
    """Continue after the result of a hand; before the game, report whether the player is ready (``on``)."""

    type: Literal["ready"]
    id: MessageId
    on: bool = True


class SwapSeats(Wire):
    """Before the game: ask another player to swap seats, or agree to their request.

    Without ``agree``, withdraw the sender's request and refuse the other player's.
    """

    type: Literal["swap"]
    id: MessageId
    seat: Seat
    agree: bool = True


class Abort(Wire):
    """Vote to end the game early; it ends when everyone agrees.

    Without ``agree``, withdraw an earlier vote or, if there is none, decline, which ends the voting.
    """

    type: Literal["abort"]
    id: MessageId
    agree: bool


class Rematch(Wire):
    """Vote for a rematch at this table, withdraw the vote, or decline, as with ``abort``."""

    type: Literal["rematch"]
    id: MessageId
    agree: bool


class Why(Wire):
    """Ask why an action, given in full or by its name, is impossible at this point."""

    type: Literal["why"]
    id: MessageId
    what: (
        NotatedAction
        | Literal[
            "pass", "discard", "riichi", "tsumo", "ron", "chi", "pon", "kan", "daiminkan", "ankan", "kakan",
            "kita", "nine_terminals",
        ]
    )  # fmt: skip


class Say(Wire):
    """Send a ``stamp`` to the table, or a ``text`` if the table has ``chat``."""

    type: Literal["say"]
    id: MessageId
    stamp: Stamp | None = None
    text: Annotated[str | None, Field(min_length=1, max_length=MAX_TEXT_LENGTH)] = None


class Mute(Wire):
    """Mute (``on``) or unmute the chat messages of a person at the table."""

    type: Literal["mute"]
    id: MessageId
    person: Annotated[str, Field(min_length=1, max_length=64)]
    on: bool


class SetPace(Wire):
    """Change the speed of the bots; only for a person who plays alone against bots."""

    type: Literal["pace"]
    id: MessageId
    pace: Pace


class ShowHands(Wire):
    """Agree that spectators see all hands, or withdraw; all people at the table must agree."""

    type: Literal["show_hands"]
    id: MessageId
    agree: bool


class AskHints(Wire):
    """Ask for waits with their values, the best discards and dangers, if the table allows hints."""

    type: Literal["hints"]
    id: MessageId


class Ping(Wire):
    """Measure the round-trip time."""

    type: Literal["ping"]
    id: MessageId


FromClient = Annotated[
    Hello
    | ActMessage
    | Ready
    | SwapSeats
    | Abort
    | Rematch
    | Why
    | Say
    | Mute
    | SetPace
    | ShowHands
    | AskHints
    | Ping,
    Field(discriminator="type"),
]


FROM_CLIENT: Final[TypeAdapter[Any]] = TypeAdapter(FromClient)
