"""Helpers for asyncio tasks: cancellation, shielding, backoff and background work."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple, TypeVar

from jantaku.errors import JantakuError
from jantaku.server.errors import ServerError

LOG = logging.getLogger("jantaku.server")
FIRST_S: Final = 2.0
LONGEST_S: Final = 3600.0
MAX_DOUBLINGS: Final = 20
Answer = TypeVar("Answer")
_SHIELDED: Final[set[asyncio.Task[Any]]] = set()


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until they have stopped; raises the first error of a task."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


async def until_first(*work: Coroutine[Any, Any, None]) -> None:
    """Run coroutines concurrently until the first ends, then cancel the rest; raises its error."""
    running = [asyncio.create_task(each) for each in work]
    try:
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def to_the_end(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Run ``work`` and return its result; cancelling the caller does not cancel the work.

    Storage and memory change in two steps with an await in between. A closed socket, a sign-out or a dropped
    request must not stop the work between them.
    """
    task = asyncio.get_running_loop().create_task(work)
    _SHIELDED.add(task)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_report)
        raise
    finally:
        task.add_done_callback(_SHIELDED.discard)


def _report(task: asyncio.Task[Any]) -> None:
    """Log an error of work whose caller was cancelled; refusals need no log entry."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, JantakuError):
        LOG.error("work failed after its caller was cancelled", exc_info=error)


async def finish_shielded(seconds: float) -> None:
    """Wait up to ``seconds`` for all work of ``to_the_end`` in the running loop."""
    here = asyncio.get_running_loop()
    tasks = [task for task in _SHIELDED if task.get_loop() is here]
    if tasks:
        with suppress(TimeoutError):
            await asyncio.wait(tasks, timeout=seconds)


@contextmanager
def reported(failure: str) -> Iterator[None]:
    """Log an error as ``failure`` instead of raising it, so that other work continues."""
    try:
        yield
    except ServerError:  # lost storage is logged where it is noticed
        LOG.warning(failure)
    except Exception:
        LOG.exception(failure)


class Backoff(NamedTuple):
    """Failed work: its error, the number of earlier failures in a row, and when the next attempt is due."""

    error: Exception
    times: int
    due: float


class Backoffs:
    """Exponential backoff for the items of repeated work, by key.

    The pause doubles with every failure. Each kind of error is logged once.
    """

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S) -> None:
        self._first, self._longest = first_s, longest_s
        self._known: dict[str, Backoff] = {}

    @property
    def known(self) -> Mapping[str, Backoff]:
        """The failing items by key."""
        return self._known

    def rests(self, key: str) -> bool:
        """Whether an item is not due yet."""
        return key in self._known and time.monotonic() < self._known[key].due

    def failed(self, key: str, work: str, error: Exception) -> None:
        """Record that ``work`` on an item has failed; log it unless the last error was of the same kind."""
        before = self._known.get(key)
        times = 0 if before is None else before.times + 1
        wait_s = min(self._longest, self._first * 2.0 ** min(times, MAX_DOUBLINGS))
        self._known[key] = Backoff(error, times, time.monotonic() + wait_s)
        if before is not None and _reason(before.error) == _reason(error):
            return
        trace = None if isinstance(error, JantakuError) else error  # the message of a refusal is enough
        LOG.error("%s %s failed and will be retried: %s", work, key, error, exc_info=trace)

    def worked(self, key: str) -> None:
        """Record that an item has succeeded."""
        self._known.pop(key, None)

    def keep(self, keys: Collection[str]) -> None:
        """Forget all items except ``keys``."""
        self._known = {key: backoff for key, backoff in self._known.items() if key in keys}

    @property
    def wait_s(self) -> float | None:
        """Seconds until the next item is due; ``None`` if none fails."""
        due = min((backoff.due for backoff in self._known.values()), default=None)
        return None if due is None else max(0.0, due - time.monotonic())


def _reason(error: Exception) -> tuple[str, str]:
    return type(error).__name__, str(getattr(error, "code", ""))


class Background(ABC):
    """Work in the background, from ``start`` to ``stop``."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start unless running."""
        if self._task is not None:
            return
        self._task = asyncio.create_task(self._run(), name=type(self).__name__)

    async def stop(self) -> None:
        """Cancel the work and wait until it has stopped."""
        if self._task is not None:
            task, self._task = self._task, None
            await end(task)

    @abstractmethod
    async def _run(self) -> None:
        """Run until cancelled."""
