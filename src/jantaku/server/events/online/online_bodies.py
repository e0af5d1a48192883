"""Request and response bodies of online tables for an event."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.edge.protocol import MOST_DELAY_S, USUAL_DELAY_S, TableInfo
from jantaku.server.edge.wire import Seat, Wire
from jantaku.server.events.common.event_plan import EventKey
from jantaku.server.events.rounds.round_bodies import RefusedResult


class EventTableBody(Wire):
    """Open a table in the parlour whose games are to count for a stage."""

    stage: EventKey
    name: Annotated[str, Field(max_length=40)] = ""
    private: bool = False
    spectators: bool = True


class OpenRound(Wire):
    """Open the tables of a round in the parlour, for watchers so many seconds late."""

    spectators: bool = True
    delay_s: Annotated[float, Field(ge=0, le=MOST_DELAY_S)] = USUAL_DELAY_S


class RoundOpened(Wire):
    """Which tables of a round are open now, and which are not, and why."""

    opened: list[int]
    refused: list[RefusedResult]


class RunTable(Wire):
    """What a referee does with an online table: begin its game, halt it, let it go on, or end it."""

    action: Literal["start", "halt", "go_on", "end"]
    why: Annotated[str, Field(max_length=500)] = ""


class DoesNotCount(Wire):
    """Why a game does not count, in words; ``seat`` is that of whoever is the reason."""

    code: str
    message: str
    seat: Seat | None


class EventTable(Wire):
    """A table that is open for a stage; ``problem``: its games would not count as it stands.

    ``round`` and ``number`` are those of the table of a round for which it is played.
    """

    table: TableInfo
    problem: DoesNotCount | None
    round: int | None = None
    number: int | None = None


class OnlineOutcome(Wire):
    """A finished game of the parlour that was played for the event, and its recorded game if it counts."""

    replay: str
    stage: str
    ended: str | None
    names: list[str]
    game: str | None
    problem: DoesNotCount | None


class EventTableList(Wire):
    """The tables that are open for an event, and the newest games that were finished at such tables."""

    tables: list[EventTable]
    finished: list[OnlineOutcome]
