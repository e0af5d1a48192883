"""The WebSocket protocol of a table: its version, what a table looks like, and every message.

``docs/protocol.md`` explains the order of messages;
``jantaku.server.schema`` prints their JSON Schema.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from jantaku.adjudication.requests import ManTiles
from jantaku.bots.levels import LEVELS
from jantaku.game.actions import NotatedAction, Riichi
from jantaku.game.events import NotatedEvent
from jantaku.game.view import Furiten, Offered, View
from jantaku.kernels.win import MOST_SEATS
from jantaku.seats import BySeat, Seat
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
MOST_SAID: Final = 80  # letters of a text
MOST_DELAY_S: Final = 600
USUAL_DELAY_S: Final = 60  # how late spectators see a game where nothing else is asked for
GameLength = Literal["east", "hanchan", "full"]
ShortOrLong = Literal["east", "hanchan"]
AnkanDisplay = Literal["outer_down", "inner_down", "all_down"]
Status = Literal["waiting", "playing", "finished", "aborted"]
if TYPE_CHECKING:
    BotLevel = str
else:
    BotLevel = Literal[LEVELS]


class SeatInfo(Wire):
    """A seat and its player. ``bot``: the level of a bot; ``away``: a bot plays for the person meanwhile.

    ``gone``: the person has left the game, and votes no more to end it. ``wants_seat``: with whose seat the
    player wants to swap. ``shows_numbers``: others may see the numbers of this person, who is connected.
    ``shows_hand``: agrees that spectators see all hands.
    """

    name: str
    person: str | None = None
    bot: str | None = None
    connected: bool = False
    shows_numbers: bool = False
    away: bool = False
    gone: bool = False
    ready: bool = False
    wants_seat: Seat | None = None
    wants_abort: bool = False
    wants_rematch: bool = False
    shows_hand: bool = False


OwnYakuNames = dict[str, dict[str, str]]


class RulesRef(Wire):
    """A ruleset: ``id`` is a preset's name or the fingerprint of saved rules.

    ``wall``: how many tiles can be drawn after the deal. ``replacements``: how many tiles of the dead wall
    may be drawn after kans and norths. ``man``: which man tiles are in the set. ``nukidora``: whether norths
    may be set aside. ``length``: how many rounds a game has. ``about``: what the rules are like, in words.
    ``ankan_display``: how a concealed kan lies. ``return_points``: the points that count as neither won nor
    lost. ``own_yaku``: the names of the rules' own yaku
    by id, in each language that has one.
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
    """How a table is played, apart from its rules.

    ``even_pauses``: after every discard the game waits for the full claim window. ``chat``: players may write
    texts of their own, if the table is private. ``open_hands``: spectators see all hands if they see the game
    five minutes late or later. ``bot``: the level of the bots that take free seats; ``None``
    is the server's usual one, also at tables that are older than levels. ``pace``: how fast bots play;
    without it quick where one person plays against bots alone, else as usual.
    """

    clock: bool = True
    hints: bool = True
    rated: bool = False
    private: bool = False
    spectators: bool = True
    spectator_delay_s: Annotated[float, Field(ge=0, le=MOST_DELAY_S)] = USUAL_DELAY_S
    draw_seats: bool = True
    even_pauses: bool = False
    chat: bool = False
    open_hands: bool = False
    bot: BotLevel | None = None
    pace: Pace | None = None


class Result(Wire):
    """How the last game at the table ended; ``/api/games/{record}`` has its record.

    ``chips`` and ``yakitori`` are part of ``final``, where the rules have them.
    """

    record: str
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None


class TableInfo(Wire):
    """Everything about a table except the game; sent whole whenever any of it changes.

    ``seats`` has an entry for each seat, ``null`` for a free one.

    ``owner`` is a person's id and ``host`` their name. ``stopped``: a server fault halted the game; it is
    stored up to that point. ``event`` and ``stage``: for whose standings
    its games are to count. ``halted``: a referee has stopped the game for a while.
    """

    id: str
    name: str
    status: Status
    owner: str
    host: str
    rules: RulesRef
    options: TableOptions
    seats: Annotated[list[SeatInfo | None], Field(max_length=MOST_SEATS)]
    game: int
    watchers: int = 0
    result: Result | None = None
    stopped: bool = False
    event: str | None = None
    stage: str | None = None
    halted: bool = False


class ClockInfo(Wire):
    """Times in milliseconds: ``turn_ms`` left for the seat on turn, reserve included; reserves."""

    turn_ms: int | None
    bank_ms: BySeat


class Own(Wire):
    """What only this seat gets. ``ask`` is the number of its question; ``null``: nothing to do now."""

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
    """The reply to ``hello``; ``seat`` is ``null`` for watchers."""

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
    """A full resync: the view as of event ``view_seq`` and the events since, up to ``seq``.

    Watchers have no ``view``: their events begin with the hand's ``hand_started``.
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
    """New events up to number ``seq`` (perhaps none) and the seat's possible actions."""

    type: Literal["update"]
    game: int
    seq: int
    events: list[NotatedEvent]
    own: Own | None
    clock: ClockInfo | None


class Pause(Wire):
    """The hand is over; the next begins when all are ready, or after ``ms``."""

    type: Literal["pause"]
    game: int
    ms: int | None


class Said(Wire):
    """Somebody at the table has said something: a ``stamp``, or a ``text`` of their own."""

    type: Literal["said"]
    seat: Seat
    stamp: Stamp | None = None
    text: str | None = None


class Asked(Wire):
    """Requests to this person, to be friends or to come to a table, have changed; see ``/api/friends``."""

    type: Literal["asked"]


class Ack(Wire):
    """The message with this id has been carried out and stored."""

    type: Literal["ack"]
    id: str


class ErrorMessage(Wire):
    """A message was refused and changed nothing; ``id`` is the message's, if it had one."""

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
    """One wait: unseen copies, whether ron is possible, and the points by ron and tsumo."""

    tile: NotatedTile
    left: int
    ron: int | None
    tsumo: int | None


class DiscardHint(Wire):
    """A possible discard: shanten after it, improving tiles (unseen copies), its waits, its danger.

    ``accepts`` are the kinds that improve the hand and of which a copy is unseen. ``danger`` is its average
    cost in points, as the ``standard`` bot estimates it, and ``loss`` what the discard costs in all against
    the best one. ``riichi`` has the waits under each kind of riichi that this discard may declare.
    """

    tile: NotatedTile
    shanten: int
    tiles: int
    accepts: str
    waits: list[WaitHint]
    danger: float | None
    loss: int | None
    riichi: dict[Riichi, list[WaitHint]]


class Barred(Wire):
    """A tile that may not be discarded now, and the reason."""

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
    """The first message of a socket: the protocol version and, after a reconnect, the last event received."""

    type: Literal["hello"]
    version: int
    game: int | None = None
    last: Annotated[int | None, Field(ge=0)] = None
    watch: bool = False
    all_hands: bool = False
    language: LanguageCode = "en"


class ActMessage(Wire):
    """Do one of ``own.legal`` or ``own.fouls``; ``ask`` is the number of the answered question."""

    type: Literal["act"]
    id: MessageId
    game: int
    ask: int
    action: NotatedAction


class Ready(Wire):
    """The player has read the result of the hand; before the game: is ready for it, or not (``on``)."""

    type: Literal["ready"]
    id: MessageId
    on: bool = True


class SwapSeats(Wire):
    """Before the game: ask for the seat of another player, or agree to their wish for mine.

    Without ``agree`` my wish is withdrawn and theirs refused.
    """

    type: Literal["swap"]
    id: MessageId
    seat: Seat
    agree: bool = True


class Abort(Wire):
    """Agree to end the game here; it ends when everyone agrees.

    Without ``agree`` my vote is withdrawn; who has not agreed declines, which ends the vote.
    """

    type: Literal["abort"]
    id: MessageId
    agree: bool


class Rematch(Wire):
    """Agree to a rematch at this table, withdraw, or decline, as in ``abort``."""

    type: Literal["rematch"]
    id: MessageId
    agree: bool


class Why(Wire):
    """Ask why something is impossible now, by the name of an action or a whole action."""

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
    """Say a ``stamp`` to the table, or a ``text`` of one's own where the table has ``chat``."""

    type: Literal["say"]
    id: MessageId
    stamp: Stamp | None = None
    text: Annotated[str | None, Field(min_length=1, max_length=MOST_SAID)] = None


class Mute(Wire):
    """Do not send me what a person at the table says, or send it again."""

    type: Literal["mute"]
    id: MessageId
    person: Annotated[str, Field(min_length=1, max_length=64)]
    on: bool


class SetPace(Wire):
    """Let the bots play faster or slower; only for a person who plays with bots alone."""

    type: Literal["pace"]
    id: MessageId
    pace: Pace


class ShowHands(Wire):
    """Agree that spectators see all hands, or withdraw; they do if all people at the table agree."""

    type: Literal["show_hands"]
    id: MessageId
    agree: bool


class AskHints(Wire):
    """Ask for waits with values, best discards and dangers (if the table allows hints)."""

    type: Literal["hints"]
    id: MessageId


class Ping(Wire):
    """Measure the round trip."""

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
