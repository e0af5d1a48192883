"""Runs heavy work in separate processes, so that tables and bots never wait for it.

Each job has a limit of CPU time, each person a limit of waiting jobs, and the machine a limit for all. Jobs
run by turns among addresses and people. A worker that dies or exceeds its limit is replaced for the next job.
"""

import logging
import os
from collections.abc import Callable
from typing import Any, Final

from anyio import BrokenWorkerProcess, to_process

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.limited_work import TooMuchWorkError, is_export, is_long, limited
from jantaku.server.errors import ServerError
from jantaku.server.limits import Limits

LOG = logging.getLogger("jantaku.server")
MOST_WORKERS: Final = 4


class Workers:
    """The worker processes of one server."""

    def __init__(self, limits: Limits) -> None:
        share = Quota(limits.jobs_of_one, limits.jobs_of_address, limits.jobs)
        self._cpu_s, self._long_cpu_s = limits.job_cpu_s, limits.long_job_cpu_s
        self._quick = FairWork(share, max(1, min(MOST_WORKERS, (os.cpu_count() or 1) // 2)))
        self._long = FairWork(share)  # apart, so that quick work never waits for long work
        self._exports = FairWork(share)  # and no seating for an export

    async def run(self, asker: Holder, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job of a slice (``*_jobs.py``) in a worker and return its result.

        Raises what the function raises, ``busy`` if too much waits already, and ``too_heavy`` if the work
        takes too much time or memory.
        """
        line = self._exports if is_export(function) else self._long if is_long(function) else self._quick
        async with line.turn(asker):
            return await self._run(function, arguments)

    async def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        cpu_s = self._long_cpu_s if is_long(function) else self._cpu_s
        try:
            return await to_process.run_sync(limited, cpu_s, function, arguments, cancellable=True)
        except (TooMuchWorkError, MemoryError, RecursionError) as error:
            raise ServerError("too_heavy") from error
        except BrokenWorkerProcess as error:
            LOG.warning("a worker exited during %s", function.__name__)
            raise ServerError("too_heavy") from error
