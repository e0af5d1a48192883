"""Bodies of requests on their way: how long each may be and take, and how much memory all of them hold."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Final

from starlette.types import Message, Receive, Send

from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.memory import give_back
from jantaku.server.errors import ServerError

SMALL: Final = 4096  # bytes of a body that counts for nothing, so that whoever holds up others still plays
LARGE: Final = 1 << 16  # from here on the C library keeps what is freed


class BodyRoom:
    """The memory of bodies that have begun: one that never comes to its end holds it, too."""

    def __init__(self, of_address: int, of_all: int) -> None:
        self._share = Quota(inf, of_address, of_all)
        self._held: list[tuple[Holder, float]] = []

    @contextmanager
    def holding(self, address: str, size: int) -> Iterator[None]:
        """Keep room for a body during the block; raises ``busy`` if an address, or all, hold too much."""
        if size <= SMALL:
            yield
            return
        held = Holder(address, address), size
        if self._share.passed(held[0], self._held, size) is not None:
            raise ServerError("busy")
        self._held.append(held)
        try:
            yield
        finally:
            self._held.remove(held)
            if size >= LARGE:
                give_back()


class BodyRefusedError(Exception):
    """A body exceeded a limit while it was read."""


class Body:
    """Counts a body while it is read, and stops it if it becomes too long or takes too long."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self.refused: ServerError | None = None
        self._most = most
        self._receive = receive
        self._received = 0
        self._whole = False
        self._ends = time.monotonic() + seconds

    async def receive(self) -> Message:
        """The next part. After the last part it waits for the disconnect, without a time limit."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._ends - time.monotonic())):
                message = await self._receive()
        except TimeoutError as error:
            raise self._refuse(ServerError("too_slow")) from error
        self._whole = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._received > self._most:
            raise self._refuse(ServerError("too_large", most=self._most))
        return message

    def _refuse(self, error: ServerError) -> BodyRefusedError:
        self.refused = error
        return BodyRefusedError(error.code)


class Answer:
    """Sends the response, unless the body was refused: then the response would only be about that."""

    def __init__(self, send: Send, body: Body) -> None:
        self.began = False
        self._send = send
        self._body = body

    async def send(self, message: Message) -> None:
        """Pass on a part of the response."""
        if self.began or self._body.refused is None:
            self.began = True
            await self._send(message)
