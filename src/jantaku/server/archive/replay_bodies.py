"""Response bodies about finished games and their replays, and uploaded logs."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from jantaku.bots.review import DiscardReview
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.edge.shared_bodies import RulesName
from jantaku.server.edge.wire import BySeat, GameAction, GameEvent, ManTiles, Seat, SeatView, Wire
from jantaku.visible import readable

MOST_TEXT: Final = 2_000_000  # letters of a log


class GamePlayer(Wire):
    """The player of one seat; ``level``: that of a bot; ``absent``: hands that others played, from 0.

    ``person`` and ``picture``: who it is, and the mark of their own picture, for the face.
    """

    name: str
    bot: bool
    level: str | None
    person: str | None = None
    picture: str | None = None
    absent: list[int] = Field(default_factory=list)


class GameSummary(Wire):
    """A finished game. ``missing``: local yaku of its rules whose code the server does not have.

    ``mine``: the seat of whoever asks, if they played. ``practice``: played on from a moment of another game.
    """

    id: str
    table: str
    rules: str
    rules_name: str
    fingerprint: str
    started: str
    ended: str
    players: list[GamePlayer]
    final: BySeat | None
    places: BySeat | None
    hands: int
    missing: list[str]
    mine: Seat | None = None
    practice: bool = False


class GameList(Wire):
    """Finished games, newest first. Pass ``next`` as ``before`` to get the next page."""

    games: list[GameSummary]
    next: str | None


class ReplayStep(Wire):
    """One action of a replay: the events before it, who did what, and the events it caused."""

    seat: Seat
    action: GameAction
    first: int
    last: int


class ReplayHand(Wire):
    """Where a hand begins among the events. ``chips``: each seat's chips after it, if the log has them."""

    event: int
    number: int
    honba: int
    chips: BySeat | None = None


class Replay(Wire):
    """A whole game: every event with all hands open, the steps that led to them, and where hands begin.

    ``wall``, ``replacements``, ``man``, ``own_yaku``: as in ``RulesRef``. ``follows_rules``: this
    version reproduces the game exactly; if false, it is shown as stored.
    """

    game: GameSummary | None
    rules: str
    wall: int
    replacements: int
    man: ManTiles
    own_yaku: OwnYakuNames
    names: list[str]
    events: list[GameEvent]
    steps: list[ReplayStep]
    hands: list[ReplayHand]
    follows_rules: bool


class ReplayMoment(Wire):
    """The table before a step from every seat, with waits, dangers and what a bot would do.

    ``danger``: for each seat, the average cost of discarding each tile.
    """

    step: int
    seats: list[SeatView]
    waits: list[str]
    danger: list[dict[str, float]]
    choice: GameAction | None


class DecisionReview(Wire):
    """A decision at ``step``, before event ``event``, in hand ``hand`` from 0 (see ``bots.review``)."""

    step: int
    event: int
    hand: int
    kind: Literal["discard", "call", "win", "kita", "other"]
    played: GameAction
    standard: GameAction
    same: bool
    loss: float | None
    played_numbers: DiscardReview | None
    standard_numbers: DiscardReview | None


class GameReview(Wire):
    """The decisions of one seat beside those of ``standard``.

    ``chances``: before each hand, and at the end of the game, the chances of each seat for every place.
    """

    seat: Seat
    decisions: list[DecisionReview]
    chances: list[list[list[float]]]


class WhatIfBody(Wire):
    """Play on in ``seat`` from before action ``step``."""

    step: Annotated[int, Field(ge=0, le=100_000)]
    seat: Seat


class WhatIfTable(Wire):
    """The table where the game goes on."""

    table: str


class UploadBody(Wire):
    """A log as text (own record, mjai, Tenhou XML (mjlog) or Tenhou JSON), and the rules if it needs them."""

    text: Annotated[str, Field(max_length=MOST_TEXT)]
    name: Annotated[str, BeforeValidator(readable), Field(max_length=100)] = "log"
    rules: RulesName | None = None


class FetchBody(Wire):
    """A link to a log, and the rules if it needs them."""

    url: Annotated[str, Field(max_length=500)]
    rules: RulesName | None = None


class UploadSummary(Wire):
    """One of my uploaded logs, by the name of its file."""

    id: str
    name: str
    created: str


class UploadList(Wire):
    """My uploaded logs, newest first. Pass ``next`` as ``before`` to get the next page.

    ``hosts``: from where logs may be fetched by a link.
    """

    uploads: list[UploadSummary]
    next: str | None
    hosts: list[str]


class Uploaded(Wire):
    """An uploaded log; its replay stays available under this id."""

    id: str
