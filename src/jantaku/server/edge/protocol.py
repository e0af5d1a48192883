"""The WebSocket protocol of a table: its version, what a table looks like, and every message of the server.

What clients send is in ``client_messages.py``. ``docs/protocol.md`` explains the order of messages;
``jantaku.server.schema`` prints their JSON Schema.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from jantaku.bots.levels import LEVELS
from jantaku.game.actions import Riichi
from jantaku.kernels.win import MOST_SEATS
from jantaku.server.edge import wire

VERSION: Final = 1
MessageId = Annotated[str, Field(min_length=1, max_length=64)]
LanguageCode = Literal["en", "ja", "ko"]
Role = Literal["player", "referee", "organiser", "admin"]
Stamp = Literal[
    "hello", "good_luck", "nice", "thanks", "sorry", "wow", "ouch", "moment", "hurry", "good_game"
]
Pace = Literal["slow", "usual", "quick"]  # ``jantaku.server.pauses.PACES``
MOST_SAID: Final = 80  # letters of a text
MOST_DELAY_S: Final = 600
USUAL_DELAY_S: Final = 60  # how late spectators see a game where nothing else is asked for
GameLength = Literal["east", "hanchan", "full"]
AnkanDisplay = Literal["outer_down", "inner_down", "all_down"]
Status = Literal["waiting", "playing", "finished", "aborted"]
if TYPE_CHECKING:
    BotLevel = str
else:
    BotLevel = Literal[LEVELS]


class SeatInfo(wire.Wire):
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
    wants_seat: wire.Seat | None = None
    wants_abort: bool = False
    wants_rematch: bool = False
    shows_hand: bool = False


OwnYakuNames = dict[str, dict[str, str]]


class RulesRef(wire.Wire):
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
    man: wire.ManTiles
    nukidora: bool
    length: GameLength
    about: str = ""
    ankan_display: AnkanDisplay = "outer_down"
    return_points: int | None = None
    own_yaku: OwnYakuNames = Field(default_factory=dict)


class TableOptions(wire.Wire):
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


class Result(wire.Wire):
    """How the last game at the table ended; ``/api/games/{record}`` has its record.

    ``chips`` and ``yakitori`` are part of ``final``, where the rules have them.
    """

    record: str
    final: wire.BySeat | None
    places: wire.BySeat | None
    chips: wire.BySeat | None = None
    yakitori: wire.BySeat | None = None


class TableInfo(wire.Wire):
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


class ClockInfo(wire.Wire):
    """Times in milliseconds: ``turn_ms`` left for the seat on turn, reserve included; reserves."""

    turn_ms: int | None
    bank_ms: wire.BySeat


class Own(wire.Wire):
    """What only this seat gets. ``ask`` is the number of its question; ``null``: nothing to do now."""

    hand: wire.TilesText
    drawn: wire.TileText | None
    waits: wire.TilesText
    furiten: wire.Furiten | None
    offered: wire.Offered | None
    ask: int | None
    legal: list[wire.GameAction]
    fouls: list[wire.GameAction]
    left_ms: int | None = None


class Welcome(wire.Wire):
    """The reply to ``hello``; ``seat`` is ``null`` for watchers."""

    type: Literal["welcome"]
    version: int
    table: TableInfo
    seat: wire.Seat | None
    all_hands: bool = False


class TableMessage(wire.Wire):
    """The table has changed."""

    type: Literal["table"]
    table: TableInfo


class Sync(wire.Wire):
    """A full resync: the view as of event ``view_seq`` and the events since, up to ``seq``.

    Watchers have no ``view``: their events begin with the hand's ``hand_started``.
    """

    type: Literal["sync"]
    game: int
    view_seq: int
    seq: int
    view: wire.SeatView | None
    events: list[wire.GameEvent]
    own: Own | None
    clock: ClockInfo | None


class Update(wire.Wire):
    """New events up to number ``seq`` (perhaps none) and the seat's possible actions."""

    type: Literal["update"]
    game: int
    seq: int
    events: list[wire.GameEvent]
    own: Own | None
    clock: ClockInfo | None


class Pause(wire.Wire):
    """The hand is over; the next begins when all are ready, or after ``ms``."""

    type: Literal["pause"]
    game: int
    ms: int | None


class Said(wire.Wire):
    """Somebody at the table has said something: a ``stamp``, or a ``text`` of their own."""

    type: Literal["said"]
    seat: wire.Seat
    stamp: Stamp | None = None
    text: str | None = None


class Asked(wire.Wire):
    """Requests to this person, to be friends or to come to a table, have changed; see ``/api/friends``."""

    type: Literal["asked"]


class Ack(wire.Wire):
    """The message with this id has been carried out and stored."""

    type: Literal["ack"]
    id: str


class ErrorMessage(wire.Wire):
    """A message was refused and changed nothing; ``id`` is the message's, if it had one."""

    type: Literal["error"]
    id: str | None
    code: str
    message: str
    field: str = ""


class ReasonText(wire.Wire):
    """The reply to ``why``."""

    type: Literal["reason"]
    id: str
    code: str
    text: str


class WaitHint(wire.Wire):
    """One wait: unseen copies, whether ron is possible, and the points by ron and tsumo."""

    tile: wire.TileText
    left: int
    ron: int | None
    tsumo: int | None


class DiscardHint(wire.Wire):
    """A possible discard: shanten after it, improving tiles (unseen copies), its waits, its danger.

    ``accepts`` are the kinds that improve the hand and of which a copy is unseen. ``danger`` is its average
    cost in points, as the ``standard`` bot estimates it, and ``loss`` what the discard costs in all against
    the best one. ``riichi`` has the waits under each kind of riichi that this discard may declare.
    """

    tile: wire.TileText
    shanten: int
    tiles: int
    accepts: str
    waits: list[WaitHint]
    danger: float | None
    loss: int | None
    riichi: dict[Riichi, list[WaitHint]]


class Barred(wire.Wire):
    """A tile that may not be discarded now, and the reason."""

    tile: wire.TileText
    text: str


class Hints(wire.Wire):
    """The reply to ``hints``."""

    type: Literal["hints"]
    id: str
    shanten: int
    waits: list[WaitHint]
    furiten: str | None
    discards: list[DiscardHint]
    barred: list[Barred]


class Pong(wire.Wire):
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
