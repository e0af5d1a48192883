"""Tasks that run until they are cancelled."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from jantaku.server.errors import ServerError

LOG = logging.getLogger("jantaku.server")


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have stopped; raises what one of them raised."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


@contextmanager
def reported(failure: str) -> Iterator[None]:
    """Report an error as ``failure`` instead of raising it: one piece of work never stops the others."""
    try:
        yield
    except ServerError:  # the database has reported it
        LOG.warning(failure)
    except Exception:
        LOG.exception(failure)


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
