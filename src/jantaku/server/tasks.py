"""Ends tasks that run until they are cancelled."""

import asyncio
from contextlib import suppress
from typing import Any


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have stopped; raises what one of them raised."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
