"""Gives memory that heavy work needed back to the system.

The C library keeps what is freed, for each thread apart, in case that it is needed again. After reviews
of long games that was more than the games themselves. Without the GNU library nothing is done.
"""

import ctypes
import threading
import time
from typing import Final

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
