"""Work that is carried out to its end, even where whoever asked for it is gone in the middle of it."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from jantaku.errors import JantakuError

LOG = logging.getLogger("jantaku.server")
Answer = TypeVar("Answer")
_UNDER_WAY: Final[set[asyncio.Task[Any]]] = set()


async def to_the_end(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Do ``work`` and return its answer. Cancelling the caller does not cancel the work.

    What is stored and what is in memory change in two steps with a wait between them. A socket that closes,
    a person who signs out and a request that is dropped must not stop between the two.
    """
    task = asyncio.get_running_loop().create_task(work)
    _UNDER_WAY.add(task)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_report)
        raise
    finally:
        task.add_done_callback(_UNDER_WAY.discard)


def _report(task: asyncio.Task[Any]) -> None:
    """Log what went wrong in work that nobody waits for any more; refusals are of no interest then."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, JantakuError):
        LOG.error("work of somebody who is gone failed", exc_info=error)


async def all_done(seconds: float) -> None:
    """Wait until all such work of this loop is done, so long at most."""
    here = asyncio.get_running_loop()
    tasks = [task for task in _UNDER_WAY if task.get_loop() is here]
    if tasks:
        with suppress(TimeoutError):
            await asyncio.wait(tasks, timeout=seconds)
