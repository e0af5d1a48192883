"""What a client sends to its table; ``docs/protocol.md`` explains the order of messages."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from jantaku.server.edge.protocol import MOST_SAID, LanguageCode, MessageId, Pace, Stamp
from jantaku.server.edge.wire import GameAction, Seat, Wire


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
    action: GameAction


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
        GameAction
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
