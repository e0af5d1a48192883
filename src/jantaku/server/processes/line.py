"""One request or socket between two processes, whose messages have numbers: none is missed or taken twice."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

MOST_WAITING: Final = 256  # messages that the other end has sent and nobody takes
LOST, SLOW, ENDED = "lost", "slow", "ended"  # why a line has ended


class Line:
    """An end of a line. ``ended`` says why, once it has."""

    def __init__(self, name: str, peer: str, write: Callable[[int, bytes], None]) -> None:
        self.name, self.peer = name, peer
        self.sent = 0
        self.taken = 0
        self.ended = ""
        self._write = write
        self._waiting: deque[bytes] = deque()
        self._come_in = asyncio.Event()

    def send(self, data: bytes) -> None:
        """Send the next message."""
        if not self.ended:
            self._write(self.sent, data)
            self.sent += 1

    def take(self, number: int, data: bytes) -> None:
        """A message has come: the next, one that came before, or one after a gap, which ends the line."""
        if self.ended or number < self.taken:
            return
        if number > self.taken:
            self.end(LOST)
        elif len(self._waiting) >= MOST_WAITING:
            self.end(SLOW)
        else:
            self.taken += 1
            self._waiting.append(data)
            self._come_in.set()

    def end(self, why: str) -> None:
        """Nothing more comes; what has come is still there unless something is missing."""
        if not self.ended:
            self.ended = why
            if why != ENDED:
                self._waiting.clear()
            self._come_in.set()

    async def next(self) -> bytes | None:
        """The next message; ``None`` after the end."""
        while not self._waiting:
            if self.ended:
                return None
            self._come_in.clear()
            await self._come_in.wait()
        return self._waiting.popleft()
