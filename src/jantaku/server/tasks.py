"""Tasks that run until they are cancelled, and work that ends with the first of its parts."""

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
MOST_DOUBLED: Final = 20
Answer = TypeVar("Answer")
_UNDER_WAY: Final[set[asyncio.Task[Any]]] = set()


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have stopped; raises what one of them raised."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


async def until_first(*work: Coroutine[Any, Any, None]) -> None:
    """Do all work at once until some of it ends, and stop the rest; raises what the first raised."""
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


@contextmanager
def reported(failure: str) -> Iterator[None]:
    """Report an error as ``failure`` instead of raising it: one piece of work never stops the others."""
    try:
        yield
    except ServerError:  # the database has reported it
        LOG.warning(failure)
    except Exception:
        LOG.exception(failure)


class Backoff(NamedTuple):
    """Work that failed: why, how often in a row, and when it is tried again."""

    error: Exception
    times: int
    due: float


class Backoffs:
    """The items of repeated work that fail, while all others go on.

    Each is tried again, after a pause twice as long every time, and is logged once for each reason.
    """

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S) -> None:
        self._first, self._longest = first_s, longest_s
        self._known: dict[str, Backoff] = {}

    @property
    def known(self) -> Mapping[str, Backoff]:
        """What fails now, by its key."""
        return self._known

    def rests(self, key: str) -> bool:
        """Whether an item is not to be tried yet."""
        return key in self._known and time.monotonic() < self._known[key].due

    def failed(self, key: str, work: str, error: Exception) -> None:
        """Note that ``work`` on an item has failed, and log it if that is news."""
        before = self._known.get(key)
        times = 0 if before is None else before.times + 1
        wait_s = min(self._longest, self._first * 2.0 ** min(times, MOST_DOUBLED))
        self._known[key] = Backoff(error, times, time.monotonic() + wait_s)
        if before is not None and _reason(before.error) == _reason(error):
            return
        trace = None if isinstance(error, JantakuError) else error  # a refusal says all in its message
        LOG.error("%s %s failed, and is tried again later: %s", work, key, error, exc_info=trace)

    def worked(self, key: str) -> None:
        """Note that an item is done."""
        self._known.pop(key, None)

    def keep(self, keys: Collection[str]) -> None:
        """Forget the items that are not to be done any more."""
        self._known = {key: backoff for key, backoff in self._known.items() if key in keys}

    @property
    def wait_s(self) -> float | None:
        """After how many seconds an item is due again; ``None`` if none fails."""
        due = min((backoff.due for backoff in self._known.values()), default=None)
        return None if due is None else max(0.0, due - time.monotonic())


def _reason(error: Exception) -> tuple[str, str]:
    return type(error).__name__, str(getattr(error, "code", ""))


class Background(ABC):
    """Work that goes on beside the requests, from ``start`` to ``stop``."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._task is not None:
            return
        self._task = asyncio.create_task(self._run(), name=type(self).__name__)

    async def stop(self) -> None:
        """Stop at once."""
        if self._task is not None:
            task, self._task = self._task, None
            await end(task)

    @abstractmethod
    async def _run(self) -> None:
        """Work until cancelled."""
