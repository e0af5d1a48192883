"""Request and response bodies of the desk: calls, games in doubt, penalties and the log."""

from typing import Annotated, Any, Literal

from pydantic import Field

from jantaku.rules.options import POINTS
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import Reason, Why
from jantaku.server.events.common.event_plan import EventKey
from jantaku.server.events.recording.recorded_game_bodies import TableLabel


class CallBody(Wire):
    """Call a referee to a game, to a ``version`` of a hand that I dispute, or to where ``label`` says."""

    kind: Literal["call", "dispute"] = "call"
    game: EventKey | None = None
    version: EventKey | None = None
    label: TableLabel = ""
    why: Why = ""


class RefereeCall(Wire):
    """An open call; ``mine``: I made it."""

    number: int
    kind: Literal["call", "dispute"]
    game: str | None
    version: str | None
    label: str
    name: str
    mine: bool
    why: str
    at: str | None


class CallList(Wire):
    """The queue, oldest first: those who run the event see all of it, others their own calls."""

    calls: list[RefereeCall]


class DoubtfulGame(Wire):
    """A game that a referee should look at, with the ``reasons`` in words; ``number`` is for clearing it."""

    number: int
    game: str
    game_number: int
    stage: str
    round: int | None = None
    label: str
    players: list[str]
    reasons: list[str]
    at: str | None


class HeldUpGame(Wire):
    """A finished game of the parlour that cannot be recorded now; it is tried again by itself."""

    replay: str
    stage: str
    names: list[str]
    reason: str
    at: str | None


class DoubtfulGames(Wire):
    """What nobody has cleared yet, the oldest first, and what is ``held_up``."""

    games: list[DoubtfulGame]
    held_up: list[HeldUpGame]


class AnswerBody(Wire):
    """Close a call with what was decided."""

    answer: Why = ""


class PenaltyBody(Wire):
    """Add points to an entry in a stage, or within one of its games; negative for a penalty."""

    stage: EventKey
    entry: EventKey
    game: EventKey | None = None
    points: Annotated[int, Field(strict=True, ge=-POINTS, le=POINTS)]
    why: Reason


class PenaltyInfo(Wire):
    """A penalty; ``cancelled`` is when it was taken back."""

    number: int
    stage: str
    entry: str
    game: str | None
    points: int
    why: str
    at: str | None
    cancelled: str | None


class PenaltyList(Wire):
    """All penalties, in the order in which they were given."""

    penalties: list[PenaltyInfo]


class CancelBody(Wire):
    """Take a penalty back."""

    why: Reason


class AuditEntry(Wire):
    """One change: who, what, when, from what to what, and why."""

    at: str | None
    name: str
    action: str
    game: str | None
    entry: str | None
    before: Any
    after: Any
    why: str


class AuditPage(Wire):
    """Changes, the newest first; ``next`` is the ``before`` of the next page."""

    changes: list[AuditEntry]
    next: str | None
