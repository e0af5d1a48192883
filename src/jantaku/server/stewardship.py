"""What only one process of a site does: the steward, which is the oldest that has tables.

The process that takes its place begins when the lease of the one before has run out, so that both work for a
moment at most. What they do in the database is safe then; what they send to other servers may be sent twice.
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
        self._over = False
        self._news = asyncio.Event()
        lease.changed.append(self._news.set)
        lease.lost.append(self._news.set)

    async def _run(self) -> None:
        while True:
            self._news.clear()
            mine = self._lease.held and self._lease.serves_all and not self._over
            for work in self._works:
                with tasks.reported("beginning or ending the work of a steward failed"):
                    if mine:
                        work.start()
                    else:
                        await work.stop()
            if self._over:
                return
            await self._news.wait()

    async def stop(self) -> None:
        """Stop everything; not by cancelling, which the work that is being stopped would take for its own."""
        self._over = True
        self._news.set()
        if self._task is not None:
            await self._task
