"""Request and response bodies of rounds and their seating."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.club.seating.quality import SeatingScore
from jantaku.server.edge.shared_bodies import Problem
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import Reason, Why
from jantaku.server.events.common.event_plan import EventKey
from jantaku.server.events.common.round_settings import Pair, RoundNumber, RoundSettings
from jantaku.server.events.recording.recorded_game_bodies import (
    EndChips,
    EndScores,
    GameState,
    NoWin,
    Sitting,
)
from jantaku.server.limits import ROUNDS_OF_STAGE

MOST_TABLES = 100
MOST_SEED = 2**31 - 1
TableNumber = Annotated[int, Field(ge=1, le=MOST_TABLES)]
Seed = Annotated[int, Field(ge=0, le=MOST_SEED)]
RoundState = Literal["drafted", "published", "running", "done"]
RoundMaker = Literal["plan", "rebuild", "import", "random", "swiss", "ranking", "interval"]
SeatingWay = Literal["plan", "rebuild", "random", "swiss", "ranking", "interval"]
Tables = Annotated[list[Sitting], Field(min_length=1, max_length=MOST_TABLES)]


class SetRounds(RoundSettings):
    """Replace the settings of a stage as I have seen them at a ``revision`` of the event."""

    revision: Annotated[int, Field(ge=1)] | None = None

    @property
    def settings(self) -> RoundSettings:
        """The settings alone."""
        return RoundSettings(**self.model_dump(exclude={"revision"}))


class MakeSeating(Wire):
    """Seat rounds as drafts.

    ``plan`` makes all rounds that have not begun, up to ``rounds`` in all. ``rebuild`` makes those again that
    are there, from the round ``first`` on, beginning with their present seating. The other ways seat one more
    round from the standings or by lot. Without a ``seed`` the server draws one.
    """

    how: SeatingWay = "plan"
    rounds: RoundNumber | None = None
    first: RoundNumber | None = None
    seed: Seed | None = None


class ImportSeating(Wire):
    """Seat rounds as they are given: ``rounds[r][table]`` are entries by seat.

    ``csv`` has a line for each table: the number of the round, that of the table, and the ids of the entries,
    East first. The rounds come from the number ``first`` on.
    """

    rounds: Annotated[list[Tables], Field(max_length=ROUNDS_OF_STAGE)] = Field(default_factory=list)
    csv: Annotated[str, Field(max_length=100_000)] = ""
    first: RoundNumber = 1


class RoundNumbers(Wire):
    """Rounds of the stage; without ``numbers`` all drafts."""

    numbers: Annotated[list[RoundNumber], Field(min_length=1, max_length=ROUNDS_OF_STAGE)] | None = None


class PublishRounds(RoundNumbers):
    """Publish drafts; ``start`` starts the recorded games of the first of them at once."""

    start: bool = False


class TimerBody(Wire):
    """Start or pause the timer of a round, or give ``extra_s`` seconds to a ``table`` or to all tables.

    A negative number takes time away. ``minutes`` changes how long the round lasts.
    """

    action: Literal["start", "pause", "reset"] | None = None
    minutes: Annotated[int, Field(ge=0, le=1440)] | None = None
    extra_s: Annotated[int, Field(ge=-86_400, le=86_400)] = 0
    table: TableNumber | None = None
    why: Why = ""


class FinishTable(Wire):
    """End the game of a table as it stands, or with ``scores``, ``chips`` and the seats with ``no_win``."""

    scores: EndScores | None = None
    chips: EndChips | None = None
    no_win: NoWin | None = None
    why: Reason


class TableResult(Wire):
    """How the game of a table ended; ``revision`` is that of the game as I have seen it."""

    table: TableNumber
    scores: EndScores
    chips: EndChips | None = None
    no_win: NoWin | None = None
    revision: Annotated[int, Field(ge=0, le=10**9)] | None = None


class RoundResults(Wire):
    """Enter how the games of a round ended. What replaces hands or points needs a reason (``why``)."""

    results: Annotated[list[TableResult], Field(min_length=1, max_length=MOST_TABLES)]
    why: Why = ""


class FinishRound(Wire):
    """End a round. With ``everything`` games that are not over end as they stand."""

    everything: bool = False
    why: Why = ""


class TakeBackRound(Wire):
    """Take back that a round has begun."""

    why: Why = ""


class ChangeSeats(Wire):
    """Change who sits where in a round: ``swap`` two people, or say the whole seating of some ``tables``.

    Hands that have been recorded stay with the seats (``hands`` is ``keep``: the people really sat so), or
    the games begin anew (``restart``).
    """

    swap: Pair | None = None
    tables: dict[TableNumber, Sitting] | None = Field(default=None, max_length=MOST_TABLES)
    hands: Literal["keep", "restart"] = "keep"
    why: Why = ""


class AbsenceBody(Wire):
    """An entry does not play from the round ``first`` to ``last`` (without it: to the end).

    ``present`` takes that back. Players say it for themselves, those who run the event for everybody.
    """

    entry: EventKey
    first: RoundNumber
    last: RoundNumber | None = None
    present: bool = False
    why: Why = ""


class ReplaceBody(Wire):
    """Somebody takes the place of a player who has left, in all rounds that have not begun.

    ``first`` is the earliest of them. With ``now`` they take over a game that is under way, too.
    """

    entry: EventKey
    by: EventKey
    first: RoundNumber = 1
    now: bool = False
    why: Why = ""


class RoundTable(Wire):
    """A table of a round: entries by seat, its game, and the extra time that it alone has.

    ``online`` is the table of the parlour at which it is played.
    """

    number: int
    players: list[str]
    game: str | None
    status: GameState | None
    extra_s: int
    online: str | None = None


class RoundTimer(Wire):
    """The timer of a round: ``left_s`` at the time ``now`` of the answer; ``ends`` while it runs."""

    minutes: int
    running: bool
    started: bool
    extra_s: int
    left_s: int
    ends: str | None


class RoundInfo(Wire):
    """A round; ``seed`` is that of its seating."""

    number: int
    state: RoundState
    made_by: RoundMaker
    seed: int | None
    tables: list[RoundTable]
    byes: list[str]
    timer: RoundTimer
    published: str | None


class SeatingWork(Wire):
    """A computation: ``progress`` is estimated, from 0 to 1."""

    state: Literal["working", "failed"]
    how: RoundMaker
    progress: float
    error: Problem | None


class AbsenceInfo(Wire):
    """An entry that does not play in some rounds."""

    entry: str
    first: int
    last: int | None


class StageRounds(Wire):
    """The rounds of a stage; organisers see drafts, what is being computed, and the score of it all."""

    revision: int
    stage: str
    settings: RoundSettings
    rounds: list[RoundInfo]
    absences: list[AbsenceInfo]
    quality: SeatingScore | None
    work: SeatingWork | None


class RefusedResult(Wire):
    """A table whose result was not taken, and why."""

    table: int
    problem: Problem


class ResultsAnswer(Wire):
    """The rounds afterwards, and the tables whose results were not taken."""

    rounds: StageRounds
    refused: list[RefusedResult]


class EventRounds(Wire):
    """The rounds of all stages that have rounds; ``now`` is the time of the server."""

    revision: int
    now: str
    stages: list[StageRounds]
