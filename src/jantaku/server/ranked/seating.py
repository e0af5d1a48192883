"""Tables for people whom ranked play has called together."""

import time
from typing import Final

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play import carry_out, seats
from jantaku.server.play.admission import sits
from jantaku.server.play.arranging import change_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.ranked.entries import Summons
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import RANKED

OPENS_MS: Final = 8000  # how long a table waits for the sockets of its players
RATED: Final = TableOptions(hints=False, rated=True)
WITH_BOTS: Final = TableOptions()


class Seating:
    """Opens tables and begins their games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def seat(self, summons: Summons) -> str:
        """Open a table and seat everybody; with bots the game begins at once."""
        first, line = summons.entries[0].who, summons.line
        options = RATED if summons.rated else WITH_BOTS
        stage = RANKED if summons.rated else None
        wanted = NewTable("", line.rules, options, stage=stage, length=line.length)
        loop = await self._lobby.add(first.person, first.address, wanted)
        async with loop.changing() as table:
            row = table.row
            for entry in summons.entries:
                row = seats.joined(row, entry.who.person, None)
            await change_seats(table, row)
            for entry in summons.entries:
                table.taken_from[entry.person] = entry.who.address
                sits(table, entry.person, entry.who.browser)
            if not summons.rated:
                await carry_out.start(table)
        loop.wake()
        return loop.table.row.id

    async def begin(self) -> None:
        """Begin the games of ranked tables whose players have come, or had time to."""
        for loop in self._lobby:
            if loop.table.row.ranked and loop.table.row.status == "waiting":
                await self._begin(loop)

    async def _begin(self, loop: GameLoop) -> None:
        table = loop.table
        people = seats.persons(table.row)
        there = all(seat in table.audience.seats for seat in people)
        if not there and now_ms() - table.row.created < OPENS_MS:
            return
        async with loop.changing():
            if table.row.status == "waiting":
                await carry_out.start(table)
        table.touched = time.monotonic()
        loop.wake()
