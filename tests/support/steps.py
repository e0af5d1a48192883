"""Counts function calls, a measure of work that does not depend on the load of the machine."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

TICK_S = 0.001


class Steps:
    """Counts the calls of one thread: the total, and the maximum between idle moments of the event loop."""

    def __init__(self) -> None:
        self.count = self.most = 0
        self._until = 0

    def count_here(self) -> None:
        """Start counting the calls of this thread."""
        sys.setprofile(self._called)

    def watch_loop(self) -> None:
        """Count the calls of the running event loop; must be called in its thread."""
        self.count_here()
        self._free(asyncio.get_running_loop())

    def forget(self) -> None:
        """Reset the maximum."""
        self.most = 0

    def _called(self, _frame: FrameType, event: str, _argument: Any) -> None:
        if event in ("call", "c_call"):
            self.count += 1

    def _free(self, loop: asyncio.AbstractEventLoop) -> None:
        self.most = max(self.most, self.count - self._until)
        self._until = self.count
        loop.call_later(TICK_S, self._free, loop)


@contextmanager
def counted_calls() -> Iterator[Steps]:
    """Count the calls of this thread inside the block."""
    steps, before = Steps(), sys.getprofile()
    steps.count_here()
    try:
        yield steps
    finally:
        sys.setprofile(before)
