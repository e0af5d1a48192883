"""Request and response bodies about tables and the lobby."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.kernels.win import MOST_SEATS
from jantaku.server.edge.bodies import RulesName, Seat, Wire
from jantaku.server.edge.protocol import BotLevel, TableInfo, TableOptions

ShortOrLong = Literal["east", "hanchan"]
Players = Annotated[int, Field(ge=2, le=MOST_SEATS)]


class CreateTable(Wire):
    """Open a table. ``rules``: a preset or the fingerprint of saved rules. ``bots``: how many to seat.

    ``length``: another length of the game than the rules have.
    """

    name: Annotated[str, Field(max_length=40)] = ""
    rules: RulesName = "standard"
    length: ShortOrLong | None = None
    options: TableOptions = TableOptions()
    bots: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    sit: bool = True


class Anywhere(Wire):
    """Sit down at any public table that waits: of this ``length``, for so many ``players``, by these rules.

    What is not given may be anything.
    """

    length: ShortOrLong | None = None
    rules: RulesName | None = None
    players: Players | None = None


class SeatBody(Wire):
    """Take the named seat, or any free one."""

    seat: Seat | None = None


class BotBody(SeatBody):
    """Put a bot of this ``level`` into the seat, or of the level that the table was opened with."""

    level: BotLevel | None = None


class LobbyPage(Wire):
    """The public tables, newest first, and the tables where the person sits."""

    tables: list[TableInfo]
    mine: list[TableInfo]
