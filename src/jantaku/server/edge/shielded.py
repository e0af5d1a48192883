"""Work that finishes even if its caller is cancelled."""

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
    """Do ``work`` and return its result. Cancelling the caller does not cancel the work.

    Storage and memory change in two steps with a wait between them. A closed socket, a sign-out or a dropped
    request must not stop the work between the two.
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
    """Log an error in work that nobody awaits any more; refusals do not matter then."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, JantakuError):
        LOG.error("work failed after its caller was gone", exc_info=error)


async def all_done(seconds: float) -> None:
    """Wait for at most ``seconds`` until all such work of this loop is done."""
    here = asyncio.get_running_loop()
    tasks = [task for task in _UNDER_WAY if task.get_loop() is here]
    if tasks:
        with suppress(TimeoutError):
            await asyncio.wait(tasks, timeout=seconds)
