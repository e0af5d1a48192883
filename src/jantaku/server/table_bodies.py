"""Request and response bodies about tables and the lobby."""

from typing import Annotated

from pydantic import Field

from jantaku.kernels.win import MOST_SEATS
from jantaku.server.api import RulesName
from jantaku.server.protocol import TableInfo, TableOptions
from jantaku.server.wire import Seat, Wire


class CreateTable(Wire):
    """Open a table. ``rules``: a preset or the fingerprint of saved rules. ``bots``: how many to seat."""

    name: Annotated[str, Field(max_length=40)] = ""
    rules: RulesName = "standard"
    options: TableOptions = TableOptions()
    bots: Annotated[int, Field(ge=0, le=MOST_SEATS)] = 0
    sit: bool = True


class SeatBody(Wire):
    """Take the named seat, or any free one."""

    seat: Seat | None = None


class LobbyPage(Wire):
    """The public tables, newest first, and the tables where the person sits."""

    tables: list[TableInfo]
    mine: list[TableInfo]
