"""Request and response bodies of online tables for an event."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.protocol import TableInfo
from jantaku.server.edge.wire import Seat, Wire
from jantaku.server.events.common.event_plan import EventKey


class EventTableBody(Wire):
    """Open a table in the parlour whose games are to count for a stage."""

    stage: EventKey
    name: Annotated[str, Field(max_length=40)] = ""
    private: bool = False
    spectators: bool = True


class DoesNotCount(Wire):
    """Why a game does not count, in words; ``seat`` is that of whoever is the reason."""

    code: str
    message: str
    seat: Seat | None


class EventTable(Wire):
    """A table that is open for a stage; ``problem``: its games would not count as it stands."""

    table: TableInfo
    problem: DoesNotCount | None


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
