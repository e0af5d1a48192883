"""What only one process of a site does: the steward, which is the oldest that has tables.

Whoever takes its place begins when the lease of the one before has run out, so that both work for a moment at
most. What they do in the database is safe then; what they send to other servers may be sent twice.
"""

import asyncio
from collections.abc import Sequence

from jantaku.server import tasks
from jantaku.server.storage.lease import Lease
from jantaku.server.tasks import Background


class Stewardship(Background):
    """Starts and stops the works of the steward."""

    def __init__(self, lease: Lease, works: Sequence[Background]) -> None:
        self._lease, self._works = lease, works
        self._news = asyncio.Event()
        lease.changed.append(self._news.set)
        lease.lost.append(self._news.set)

    async def _run(self) -> None:
        while True:
            mine = self._lease.held and self._lease.serves_all
            for work in self._works:
                with tasks.reported("beginning or ending the work of a steward failed"):
                    if mine:
                        work.start()
                    else:
                        await work.stop()
            await self._news.wait()
            self._news.clear()

    async def stop(self) -> None:
        """Stop everything."""
        await super().stop()
        for work in self._works:
            await work.stop()
