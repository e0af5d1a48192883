"""Tables for people whom ranked play has called together."""

import time
from typing import Any, Final

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.people.asking import Visitor
from jantaku.server.play import carry_out, table_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table_rights import sits
from jantaku.server.ranked.ladder import RankedLine
from jantaku.server.ranked.summons import Summons
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import FILLED, RANKED, Sitter

SEATS_S: Final = 10.0  # how long another process may take to open a table
OPENS_MS: Final = 8000  # how long a table waits for the sockets of its players
RATED: Final = TableOptions(hints=False, rated=True)
WITH_BOTS: Final = TableOptions()


class Seating:
    """Opens tables and begins their games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.questions["seat"] = self._seat_here

    async def seat(self, summons: Summons) -> str:
        """Open a table, at the process with the fewest, and seat everybody."""
        services, people = self._lobby.services, [entry.who for entry in summons.entries]
        said = [summons.line, summons.rated, people]
        return str(await services.links.ask(services.lease.fewest(), "seat", said, SEATS_S))

    async def _seat_here(self, said: Any) -> str:
        """Open a table here; with bots the game begins at once."""
        line, rated = RankedLine(*said[0]), said[1]
        people = [Visitor(PersonRow(*person), address, browser) for person, address, browser in said[2]]
        options, stage = (RATED, RANKED) if rated else (WITH_BOTS, FILLED)
        free = (None,) * (line.players - len(people))
        sitters = (*(Sitter(who.person.name, who.person.id) for who in people), *free)
        wanted = NewTable("", line.rules, options, stage=stage, length=line.length, sitters=sitters)
        loop = await self._lobby.add(people[0].person, people[0].address, wanted)
        async with loop.changing() as table:
            for who in people:
                table.taken_from[who.person.id] = who.address
                sits(table, who.person.id, who.browser)
            if not rated:
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
        people = table_seats.persons(table.row)
        there = all(seat in table.audience.seats for seat in people)
        if not there and now_ms() - table.row.created < OPENS_MS:
            return
        async with loop.changing():
            if table.row.status == "waiting":
                await carry_out.start(table)
        table.touched = time.monotonic()
        loop.wake()
