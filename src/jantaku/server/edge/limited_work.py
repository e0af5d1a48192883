"""Jobs of the worker processes: functions of plain data, each with a limit of CPU time.

Each slice has its own jobs (``*_jobs.py``). A job imports compiled code itself, so that a worker that only
reads rules starts at once.
"""

# ruff: noqa: PLC0415

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jantaku.server.edge.memory import give_back

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

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
    if function in _PLAYING:
        _load_compiled()
    try:
        with _at_most(cpu_s * UNCOMPILED if os.environ.get("NUMBA_DISABLE_JIT") == "1" else cpu_s):
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
