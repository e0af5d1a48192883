"""Heavy work: by turns, in worker processes, with a limit of CPU time each."""

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


EVERY_S: Final = 10.0
M_ARENA_MAX: Final = -8  # of ``mallopt``
ARENAS: Final = 2

_last = -EVERY_S


def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "malloc_trim") else None
    except (OSError, TypeError):
        return None


_LIBC: Final = _library()


def few_arenas() -> None:
    """Let all threads share two pools of memory from now on."""
    if _LIBC is not None:
        _LIBC.mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Give free memory back, in a thread of its own and not more often than every ten seconds."""
    global _last  # noqa: PLW0603
    now = time.monotonic()
    if _LIBC is None or now - _last < EVERY_S:
        return
    _last = now
    threading.Thread(target=_LIBC.malloc_trim, args=(0,), name="give-back", daemon=True).start()


TURN_S: Final = 15.0
REMEMBERED: Final = 1000  # addresses and people whose last turn is known


class Turn:
    """What waits in the line, and while ``on`` is set works."""

    def __init__(self, holder: Principal) -> None:
        self.holder = holder
        self.on = asyncio.Event()
        self.began = 0.0


class Turns:
    """The line of all who want to work; ``at_once`` of them do."""

    def __init__(self, at_once: int) -> None:
        self._at_once = max(1, at_once)
        self._working: list[Turn] = []
        self._line: list[Turn] = []
        self._last = LRUCache[str, int](REMEMBERED)  # the number of the last turn of each
        self._number = 0

    def join(self, turn: Turn) -> None:
        """Wait for a turn, or have it at once."""
        self._line.append(turn)
        self._go_on()

    def leave(self, turn: Turn) -> None:
        """The work is done, or nobody wants it any more."""
        for line in (self._line, self._working):
            if turn in line:
                line.remove(turn)
        self._go_on()

    def rest(self, turn: Turn) -> bool:
        """End the turn if it has lasted long enough and somebody waits; whether it has ended."""
        if turn not in self._working or not self._line or time.monotonic() - turn.began < TURN_S:
            return False
        self._working.remove(turn)
        turn.on.clear()
        self._line.append(turn)
        self._go_on()
        return not turn.on.is_set()

    def ahead(self, turn: Turn) -> int:
        """How many come before it."""
        if turn not in self._line:
            return 0
        return len(self._working) + sorted(self._line, key=self._order).index(turn)

    def _order(self, turn: Turn) -> tuple[int, int]:
        """Whoever had a turn longest ago comes first; the line keeps the order of the others."""
        address, person = (self._last.get(key, 0) for key in (turn.holder.address, turn.holder.person))
        return address, person

    def _go_on(self) -> None:
        while self._line and len(self._working) < self._at_once:
            turn = min(self._line, key=self._order)
            self._line.remove(turn)
            self._working.append(turn)
            self._number += 1
            for key in turn.holder:
                self._last[key] = self._number
            turn.began = time.monotonic()
            turn.on.set()


class FairWork:
    """The line of those who want something worked out; ``share`` is how many pieces one may have in it."""

    def __init__(self, share: Quota, at_once: int = 1) -> None:
        self._share = Share(share)
        self._turns = Turns(at_once)

    @asynccontextmanager
    async def turn(self, holder: Principal) -> AsyncIterator[None]:
        """Wait for one's turn and keep it during the block; raises ``busy`` if too much of one's waits."""
        try:
            with self._share.holding(holder):
                turn = Turn(holder)
                self._turns.join(turn)
                try:
                    await turn.on.wait()
                    yield
                finally:
                    self._turns.leave(turn)
        finally:
            if not self._share.held:
                give_back()


# ruff: noqa: PLC0415


try:
    import resource
except ImportError:  # a system without process limits
    resource = None  # type: ignore[assignment]

NICENESS: Final = 5  # tables go first, but somebody waits for this work, too
UNCOMPILED: Final = 20  # how many times longer uncompiled code takes
SPARE_S: Final = 1  # after the limit, before the system ends a worker that does not stop by itself


Job = TypeVar("Job", bound=Callable[..., Any])
Answer = TypeVar("Answer")
_LONG: Final[set[Callable[..., Any]]] = set()
_EXPORTS: Final[set[Callable[..., Any]]] = set()
_PLAYING: Final[set[Callable[..., Any]]] = set()


def long_job(function: Job) -> Job:
    """Mark a job that has a limit of its own and leaves room for others."""
    _LONG.add(function)
    return function


def export_job(function: Job) -> Job:
    """Mark a long job that reads or writes a whole event, so that no other long work waits for it."""
    _EXPORTS.add(function)
    return long_job(function)


def is_export(function: Callable[..., Any]) -> bool:
    """Whether a job is marked as an export."""
    return function in _EXPORTS


def playing_job(function: Job) -> Job:
    """Mark a job that needs compiled code."""
    _PLAYING.add(function)
    return function


def is_long(function: Callable[..., Any]) -> bool:
    """Whether a job is marked as long."""
    return function in _LONG


class TooMuchWorkError(Exception):
    """A job has used up its CPU time."""


def limited(cpu_s: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a function; raises ``TooMuchWorkError`` after so many seconds of CPU time."""
    _lower_priority()
    use_compiled()  # outside the limit, since it takes a while
    if function in _PLAYING:
        _load_compiled()
    try:
        with _at_most(cpu_s if COMPILED else cpu_s * UNCOMPILED):
            return function(*arguments)
    finally:
        give_back()


def apart(function: Callable[..., Answer], *arguments: Any) -> Answer:
    """Call a function in a copy of this process, which ends with it: all that it keeps of memory goes.

    The rest of the job's CPU time is its limit.
    """
    if not hasattr(os, "fork"):
        return function(*arguments)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    left = signal.getitimer(signal.ITIMER_PROF)[0]
    copy = context.Process(target=_answer_from, args=(sender, left, function, arguments), daemon=True)
    copy.start()
    sender.close()
    try:
        answer, error = receiver.recv()
    except EOFError as ended:
        raise MemoryError from ended
    finally:
        copy.join()
    if error is not None:
        raise error
    result: Answer = answer
    return result


def _answer_from(
    sender: "Connection", cpu_s: float, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Send what a function returns or raises."""
    try:
        with _at_most(cpu_s) if cpu_s else nullcontext():
            sender.send((function(*arguments), None))
    except Exception as error:
        sender.send((None, error))


@cache
def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)


@cache
def _load_compiled() -> None:
    """Load compiled code once, outside all limits."""
    from jantaku.adjudication.jsonl import answer
    from jantaku.game import Game

    game = Game("standard", seed=1)
    for _ in range(20):
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    answer({"hand": "234m567p34567s99p", "win": "8s", "by": "ron"})


@contextmanager
def _at_most(cpu_s: float) -> Iterator[None]:
    """Stop the block by an exception; the system ends the process if that fails."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    _end_after(cpu_s + SPARE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        _end_after(None)


def _stop(_number: int, _frame: object) -> None:
    raise TooMuchWorkError


def _end_after(cpu_s: float | None) -> None:
    """Let the system end this process after so much more CPU time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if cpu_s is None else int(time.process_time() + cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 or soft < hard else hard, hard))


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

    async def run(self, asker: Principal, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job in a worker and return its result.

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
