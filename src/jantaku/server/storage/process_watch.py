"""Notices that a process has ended long before its lease runs out."""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final

from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Links
from jantaku.server.storage.lease import Lease
from jantaku.server.tasks import Background

LOOKS_S: Final = 0.3
TIMES: Final = 2  # looks in a row that do not find it
WATCHED: Final = 2  # processes that each watches, so that two watch each


class Watch(Background):
    """Watches the processes that began after this one, as in a ring.

    Whoever is not connected to NATS has ended, or cannot be reached by those who play at its tables. Its row
    is removed then, so that others take these. A process that hangs, or whose machine is gone, stays
    connected for a while: its lease runs out first.
    """

    def __init__(self, links: Links, lease: Lease) -> None:
        self._links, self._lease = links, lease
        self._missed = Counter[str]()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_S)
            with suppress(ServerError):  # the database is gone, and nobody is replaced
                await self.look()

    async def look(self) -> None:
        """Look once."""
        for process in self._next():
            if await self._links.messages.reaches(process):
                del self._missed[process]
                continue
            self._missed[process] += 1
            if self._missed[process] >= TIMES:
                await self._lease.bury(process)

    def _next(self) -> list[str]:
        ring = [peer.id for peer in self._lease.peers]
        if self._lease.process not in ring:
            return []
        index = ring.index(self._lease.process)
        return [*ring[index + 1 :], *ring[:index]][:WATCHED]
