"""Heavy work: fair turns, worker processes with limited CPU time, and release of freed memory."""

import asyncio
import ctypes
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from anyio import BrokenWorkerProcess, to_process
from cachetools import LRUCache

from jantaku.kernels._jit import COMPILED, use_compiled
from jantaku.server.edge.limits import Principal, Quota, Share
from jantaku.server.errors import ServerError
from jantaku.server.settings import Limits

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


TRIM_INTERVAL_S: Final = 10.0
M_ARENA_MAX: Final = -8  # parameter of ``mallopt``
ARENAS: Final = 2

_last = -TRIM_INTERVAL_S


def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "malloc_trim") else None
    except (OSError, TypeError):
        return None


_LIBC: Final = _library()


def limit_arenas() -> None:
    """Limit glibc to two memory arenas for all threads."""
    if _LIBC is not None:
        _LIBC.mallopt(M_ARENA_MAX, ARENAS)


def trim_memory() -> None:
    """Return freed memory to the system, in a thread and at most every ten seconds."""
    global _last  # noqa: PLW0603
    now = time.monotonic()
    if _LIBC is None or now - _last < TRIM_INTERVAL_S:
        return
    _last = now
    threading.Thread(target=_LIBC.malloc_trim, args=(0,), name="trim-memory", daemon=True).start()


TURN_S: Final = 15.0
MAX_REMEMBERED: Final = 1000  # addresses and people whose last turn is remembered


class Turn:
    """A piece of work in the queue; it may run while ``on`` is set."""

    def __init__(self, holder: Principal) -> None:
        self.holder = holder
        self.on = asyncio.Event()
        self.began = 0.0


class Turns:
    """A fair queue of work, of which up to ``at_once`` pieces run at the same time."""

    def __init__(self, at_once: int) -> None:
        self._at_once = max(1, at_once)
        self._running: list[Turn] = []
        self._waiting: list[Turn] = []
        self._last = LRUCache[str, int](MAX_REMEMBERED)  # number of the last turn of each address and person
        self._number = 0

    def join(self, turn: Turn) -> None:
        """Add work to the queue; it may start immediately."""
        self._waiting.append(turn)
        self._advance()

    def leave(self, turn: Turn) -> None:
        """Remove work that is finished or cancelled."""
        for turns in (self._waiting, self._running):
            if turn in turns:
                turns.remove(turn)
        self._advance()

    def rest(self, turn: Turn) -> bool:
        """Suspend work that has run for ``TURN_S`` if other work waits; return whether it is suspended."""
        if turn not in self._running or not self._waiting or time.monotonic() - turn.began < TURN_S:
            return False
        self._running.remove(turn)
        turn.on.clear()
        self._waiting.append(turn)
        self._advance()
        return not turn.on.is_set()

    def ahead(self, turn: Turn) -> int:
        """Return the number of pieces of work before this one."""
        if turn not in self._waiting:
            return 0
        return len(self._running) + sorted(self._waiting, key=self._order).index(turn)

    def _order(self, turn: Turn) -> tuple[int, int]:
        """Sort key: the holder whose last turn is longest ago comes first; ties keep the order of arrival."""
        address, person = (self._last.get(key, 0) for key in (turn.holder.address, turn.holder.person))
        return address, person

    def _advance(self) -> None:
        while self._waiting and len(self._running) < self._at_once:
            turn = min(self._waiting, key=self._order)
            self._waiting.remove(turn)
            self._running.append(turn)
            self._number += 1
            for key in turn.holder:
                self._last[key] = self._number
            turn.began = time.monotonic()
            turn.on.set()


class FairWork:
    """A fair queue as a context manager; ``share`` limits how much one holder may have in it."""

    def __init__(self, share: Quota, at_once: int = 1) -> None:
        self._share = Share(share)
        self._turns = Turns(at_once)

    @asynccontextmanager
    async def turn(self, holder: Principal) -> AsyncIterator[Turn]:
        """Wait for a turn and hold it during the block; long work calls ``rest`` now and then.

        Raises ``ServerError("busy")`` if the holder has too much work in the queue.
        """
        try:
            with self._share.hold(holder):
                turn = Turn(holder)
                self._turns.join(turn)
                try:
                    await turn.on.wait()
                    yield turn
                finally:
                    self._turns.leave(turn)
        finally:
            if not self._share.held:
                trim_memory()

    async def rest(self, turn: Turn) -> None:
        """Let other work go first if it waits and this work has run for ``TURN_S``."""
        self._turns.rest(turn)
        await turn.on.wait()


# ruff: noqa: PLC0415


try:
    import resource
except ImportError:  # a system without process limits
    resource = None  # type: ignore[assignment]

NICENESS: Final = 5  # tables have priority, but people are waiting for this work too
UNCOMPILED_FACTOR: Final = 20  # slowdown of uncompiled code
GRACE_S: Final = 1  # after the limit, before the system kills a worker that has not stopped


Job = TypeVar("Job", bound=Callable[..., Any])
Answer = TypeVar("Answer")
_LONG: Final[set[Callable[..., Any]]] = set()
_EXPORTS: Final[set[Callable[..., Any]]] = set()
_COMPILED_JOBS: Final[set[Callable[..., Any]]] = set()


def long_job(function: Job) -> Job:
    """Mark a job as long: it gets the higher CPU limit and a separate queue from quick jobs."""
    _LONG.add(function)
    return function


def export_job(function: Job) -> Job:
    """Mark a long job that reads or writes a whole event; exports have their own queue."""
    _EXPORTS.add(function)
    return long_job(function)


def is_export(function: Callable[..., Any]) -> bool:
    """Whether a job is marked as an export."""
    return function in _EXPORTS


def compiled_job(function: Job) -> Job:
    """Mark a job that needs compiled code, which is loaded before its CPU time is counted."""
    _COMPILED_JOBS.add(function)
    return function


def is_long(function: Callable[..., Any]) -> bool:
    """Whether a job is marked as long."""
    return function in _LONG


class TooMuchWorkError(Exception):
    """A job has used up its CPU time."""


def run_limited(cpu_s: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a function; raises ``TooMuchWorkError`` after ``cpu_s`` seconds of CPU time."""
    _lower_priority()
    use_compiled()  # outside the limit, because it takes a while
    if function in _COMPILED_JOBS:
        _load_compiled()
    try:
        with _cpu_limit(cpu_s if COMPILED else cpu_s * UNCOMPILED_FACTOR):
            return function(*arguments)
    finally:
        trim_memory()


def run_in_fork(function: Callable[..., Answer], *arguments: Any) -> Answer:
    """Call a function in a forked process, so that all its memory is released at the end.

    It is limited to the job's remaining CPU time. Without ``os.fork`` the function runs in this process.
    """
    if not hasattr(os, "fork"):
        return function(*arguments)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    remaining_s = signal.getitimer(signal.ITIMER_PROF)[0]
    child = context.Process(target=_send_result, args=(sender, remaining_s, function, arguments), daemon=True)
    child.start()
    sender.close()
    try:
        answer, error = receiver.recv()
    except EOFError as ended:
        raise MemoryError from ended
    finally:
        child.join()
    if error is not None:
        raise error
    result: Answer = answer
    return result


def _send_result(
    sender: "Connection", cpu_s: float, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Send the result of a function, or its exception."""
    try:
        with _cpu_limit(cpu_s) if cpu_s else nullcontext():
            sender.send((function(*arguments), None))
    except Exception as error:
        sender.send((None, error))


@cache
def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)


@cache
def _load_compiled() -> None:
    """Load the compiled code by playing and scoring, once and without a time limit."""
    from jantaku.adjudication.jsonl import answer
    from jantaku.game import Game

    game = Game("standard", seed=1)
    for _ in range(20):
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    answer({"hand": "234m567p34567s99p", "win": "8s", "by": "ron"})


@contextmanager
def _cpu_limit(cpu_s: float) -> Iterator[None]:
    """Raise ``TooMuchWorkError`` in the block after ``cpu_s``; the system kills the process if that fails."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    _kill_after(cpu_s + GRACE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _kill_after(None)


def _stop(_number: int, _frame: object) -> None:
    raise TooMuchWorkError


def _kill_after(cpu_s: float | None) -> None:
    """Let the system kill this process after ``cpu_s`` more seconds of CPU time; ``None`` for no limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if cpu_s is None else int(time.process_time() + cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 or soft < hard else hard, hard))


LOG = logging.getLogger("jantaku.server")
MAX_WORKERS: Final = 4


class Workers:
    """The worker processes of one server."""

    def __init__(self, limits: Limits) -> None:
        share = Quota(limits.jobs_of_one, limits.jobs_of_address, limits.jobs)
        self._cpu_s, self._long_cpu_s = limits.job_cpu_s, limits.long_job_cpu_s
        self._quick = FairWork(share, max(1, min(MAX_WORKERS, (os.cpu_count() or 1) // 2)))
        self._long = FairWork(share)  # separate, so that quick jobs never wait for long ones
        self._exports = FairWork(share)  # separate, so that seating never waits for an export

    async def run(self, asker: Principal, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job in a worker and return its result.

        Raises the function's exceptions, ``ServerError("busy")`` if too many jobs wait, and ``too_heavy`` if
        the job exceeds its CPU time or memory.
        """
        queue = self._exports if is_export(function) else self._long if is_long(function) else self._quick
        async with queue.turn(asker):
            return await self._run(function, arguments)

    async def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        cpu_s = self._long_cpu_s if is_long(function) else self._cpu_s
        try:
            return await to_process.run_sync(run_limited, cpu_s, function, arguments, cancellable=True)
        except (TooMuchWorkError, MemoryError, RecursionError) as error:
            raise ServerError("too_heavy") from error
        except BrokenWorkerProcess as error:
            LOG.warning("a worker exited during %s", function.__name__)
            raise ServerError("too_heavy") from error
