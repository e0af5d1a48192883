"""Tells whoever waits for a seating how much of the search is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Report = Callable[[float], None]
_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting(call: Report) -> Iterator[None]:
    """Within the block, ``call`` is told the estimated part (0 to 1) of a search that is done."""
    token = _REPORT.set(call)
    try:
        yield
    finally:
        _REPORT.reset(token)


def report(part: float) -> None:
    """Say that this part of the search is done."""
    call = _REPORT.get()
    if call is not None:
        call(part)
