"""Heavy work, in the server's process or in workers: a little at a time, by turns among addresses and people.

However many requests one sends, others wait for at most the piece that is being worked on, and what the work
needs of memory it needs once.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jantaku.server.edge.fair_turns import Turn, Turns
from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.memory import give_back
from jantaku.server.errors import ServerError


class FairWork:
    """The line of those who want something worked out; ``share`` is how many pieces one may have in it."""

    def __init__(self, share: Quota, at_once: int = 1) -> None:
        self._share = share
        self._turns = Turns(at_once)
        self._held: list[Holder] = []

    @asynccontextmanager
    async def turn(self, holder: Holder) -> AsyncIterator[None]:
        """Wait for one's turn and keep it during the block; raises ``busy`` if too much of one's waits."""
        if self._share.passed(holder, ((holder, 1) for holder in self._held)) is not None:
            raise ServerError("busy")
        turn = Turn(holder)
        self._held.append(holder)
        self._turns.join(turn)
        try:
            await turn.on.wait()
            yield
        finally:
            self._turns.leave(turn)
            self._held.remove(holder)
            if not self._held:
                give_back()
