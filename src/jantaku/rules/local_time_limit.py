"""Stops the code of a user's file that does not come to an end."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

SECONDS: Final = 5.0  # for the file, and for each hand that a function is tried on


class TooSlowError(BaseException):
    """The code took too long. No ``Exception``, which the code itself might catch."""


@contextmanager
def time_limit(file: str, seconds: float = SECONDS) -> Iterator[None]:
    """Raise ``TooSlowError`` at the line of ``file`` that runs when the time is over."""
    ends, before = time.monotonic() + seconds, sys.gettrace()

    def trace(frame: FrameType, _event: str, _value: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        frame.f_trace_opcodes = True  # a loop on a single line has no lines to count
        if time.monotonic() > ends:
            raise TooSlowError
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
