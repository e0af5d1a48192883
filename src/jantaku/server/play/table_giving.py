"""Tables that a process gives to others: all when it ends, some when it has too many."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from jantaku.server import tasks
from jantaku.server.errors import ServerError
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.storage.services import Services

LOOKS_S: Final = 5.0  # how often a process looks whether it has too many tables
AT_ONCE: Final = 10  # tables that it gives away then
UNEVEN, FEW = 1.2, 2  # it has too many with so many times the average, and so many more


class TableGiving:
    """Gives tables of this process to others; ``loops`` are those that it has."""

    def __init__(self, services: Services, loops: Callable[[], list[GameLoop]]) -> None:
        self._lease, self._seating, self._links = services.lease, services.seating, services.links
        self._loops = loops

    async def hand_over(self) -> None:
        """Give all tables to other processes, one after another; what fails is left for them to take."""
        if self._lease.alone or not self._lease.owns:
            return
        with tasks.reported("tables cannot be given to other processes; they take them in a moment"):
            await self._lease.depart()
            for loop in self._loops() if self._lease.owners else ():
                await self._give(loop, self._lease.fewest())

    async def keep_even(self) -> None:
        """Give tables to processes that have come since, some at a time."""
        while True:
            await asyncio.sleep(LOOKS_S)
            with tasks.reported("tables cannot be given to a process that has fewer"):
                await self.spread()

    async def spread(self) -> None:
        """Give some tables away if this process has many more than the others on average."""
        loops, lease = self._loops(), self._lease
        elsewhere = [peer.tables for peer in lease.owners if peer.id != lease.process]
        fair = (len(loops) + sum(elsewhere)) / (1 + len(elsewhere))
        if lease.alone or not lease.held or len(loops) <= UNEVEN * fair + FEW:
            return
        going = [loop for loop in loops if loop.table.needed]
        for loop in going[: min(AT_ONCE, int(len(loops) - fair))]:
            process = lease.fewest()
            if process == lease.process:
                return
            await self._give(loop, process)

    async def _give(self, loop: GameLoop, process: str) -> None:
        """Give a table to another process between two changes, and send everyone there."""
        async with loop.changing() as table:
            if loop.stopped:
                return
            if table.needed:
                await self._seating.give(table.row, process)
                with suppress(ServerError):  # then it is read when somebody comes
                    await self._links.ask(process, "load", table.row.id)
            loop.give_up(said=False)
