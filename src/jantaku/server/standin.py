"""Serves before compilation is done: another process serves uncompiled meanwhile.

Compiling takes minutes once, and a table of people needs little speed. Both processes listen on the same
socket, one after the other: clients that connect during the change wait for a moment, and games resume from
storage as after any restart.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.synchronize import Event
from types import FrameType
from typing import TYPE_CHECKING, Final

from jantaku.errors import JantakuError
from jantaku.server.run import GRACE_S, server
from jantaku.server.settings import Settings

if TYPE_CHECKING:
    from socket import socket

UNCOMPILED: Final = "NUMBA_DISABLE_JIT"


@contextmanager
def standing_in(settings: Settings, listening: "socket", ready: Callable[[], None]) -> Iterator[None]:
    """Serve uncompiled in another process during the context; call ``ready`` once it can be reached."""
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    process = context.Process(target=_serve, args=(settings, listening, begun), daemon=True)
    before, os.environ[UNCOMPILED] = os.environ.get(UNCOMPILED), "1"
    try:
        process.start()
    finally:
        _restore(before)
    earlier = signal.signal(signal.SIGTERM, _interrupt)  # or the other process would keep running
    try:
        while process.is_alive() and not begun.wait(0.1):
            pass
        if begun.is_set():
            ready()
        yield
    finally:
        process.terminate()
        process.join(2 * GRACE_S)
        if process.is_alive():  # it would keep the database from the next server
            process.kill()
            process.join()
        signal.signal(signal.SIGTERM, earlier)


def _restore(before: str | None) -> None:
    if before is None:
        del os.environ[UNCOMPILED]
    else:
        os.environ[UNCOMPILED] = before


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _serve(settings: Settings, listening: "socket", begun: Event) -> None:
    """The main function of the other process; it ends with its parent."""
    site = server(settings, listening, begun.set)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        site.should_exit = True

    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt, JantakuError):  # the next server reports the error
        site.run()
