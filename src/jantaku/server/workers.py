"""Runs heavy work in separate processes, so that tables and bots never wait for it.

Each job has a limit of CPU time, each person a limit of waiting jobs, and the machine a limit for all. A
worker that dies or exceeds its limit is replaced for the next job.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from anyio import BrokenWorkerProcess, to_process

from jantaku.server.errors import ServerError
from jantaku.server.jobs import LONG, TooMuchWorkError, limited
from jantaku.server.security import Places
from jantaku.server.settings import Limits

LOG = logging.getLogger("jantaku.server")
MOST_WORKERS: Final = 4


class Asker(NamedTuple):
    """Whom work is done for: the person, or else the address again, and the address of the request."""

    person: str
    address: str


class Workers:
    """The worker processes of one server."""

    def __init__(self, limits: Limits) -> None:
        self._waiting = Places(limits.jobs_of_one), Places(limits.jobs_of_address), Places(limits.jobs)
        self._cpu_s, self._long_cpu_s = limits.job_cpu_s, limits.long_job_cpu_s
        self._free = asyncio.Semaphore(max(1, min(MOST_WORKERS, (os.cpu_count() or 1) // 2)))
        self._free_for_long = asyncio.Semaphore(1)  # apart, so that quick work never waits for long work

    async def run(self, asker: Asker, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function of ``jantaku.server.jobs`` in a worker and return its result.

        Raises what the function raises, ``busy`` if too much waits already, and ``too_heavy`` if the work
        takes too much time or memory.
        """
        with ExitStack() as stack:
            for places, key in zip(self._waiting, (*asker, ""), strict=True):
                if not places.take(key):
                    raise ServerError("busy")
                stack.callback(places.give_back, key)
            async with self._free_for_long if function in LONG else self._free:
                return await self._run(function, arguments)

    async def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        cpu_s = self._long_cpu_s if function in LONG else self._cpu_s
        try:
            return await to_process.run_sync(limited, cpu_s, function, arguments, cancellable=True)
        except (TooMuchWorkError, MemoryError, RecursionError) as error:
            raise ServerError("too_heavy") from error
        except BrokenWorkerProcess as error:
            LOG.warning("a worker exited during %s", function.__name__)
            raise ServerError("too_heavy") from error
