"""Runs heavy work in separate processes, so that tables and bots never wait for it.

Each job has a limit of CPU time, each person a limit of waiting jobs, and the machine a limit for all. A
worker that dies or exceeds its limit is replaced for the next job.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Any, Final

from anyio import BrokenWorkerProcess, to_process

from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.limited_work import TooMuchWorkError, is_long, limited
from jantaku.server.errors import ServerError
from jantaku.server.settings import Limits

LOG = logging.getLogger("jantaku.server")
MOST_WORKERS: Final = 4


class Workers:
    """The worker processes of one server."""

    def __init__(self, limits: Limits) -> None:
        self._share = Quota(limits.jobs_of_one, limits.jobs_of_address, limits.jobs)
        self._held: list[Holder] = []
        self._cpu_s, self._long_cpu_s = limits.job_cpu_s, limits.long_job_cpu_s
        self._free = asyncio.Semaphore(max(1, min(MOST_WORKERS, (os.cpu_count() or 1) // 2)))
        self._free_for_long = asyncio.Semaphore(1)  # apart, so that quick work never waits for long work

    async def run(self, asker: Holder, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job of a slice (``*_jobs.py``) in a worker and return its result.

        Raises what the function raises, ``busy`` if too much waits already, and ``too_heavy`` if the work
        takes too much time or memory.
        """
        if self._share.passed(asker, ((one, 1) for one in self._held)) is not None:
            raise ServerError("busy")
        self._held.append(asker)
        try:
            async with self._free_for_long if is_long(function) else self._free:
                return await self._run(function, arguments)
        finally:
            self._held.remove(asker)

    async def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        cpu_s = self._long_cpu_s if is_long(function) else self._cpu_s
        try:
            return await to_process.run_sync(limited, cpu_s, function, arguments, cancellable=True)
        except (TooMuchWorkError, MemoryError, RecursionError) as error:
            raise ServerError("too_heavy") from error
        except BrokenWorkerProcess as error:
            LOG.warning("a worker exited during %s", function.__name__)
            raise ServerError("too_heavy") from error
