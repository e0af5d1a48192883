"""Tasks that run until they are cancelled."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have stopped; raises what one of them raised."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


class Background(ABC):
    """Work that goes on beside the requests, from the start of the server to its end."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name=type(self).__name__)

    async def stop(self) -> None:
        """Stop at once."""
        if self._task is not None:
            await end(self._task)

    @abstractmethod
    async def _run(self) -> None:
        """Work until cancelled."""
