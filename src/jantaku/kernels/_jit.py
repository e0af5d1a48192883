"""The decorators behind every compiled function.

A kernel is plain Python that Numba compiles on first use. ``_backend`` decides how compiled functions are
linked, ``_cache`` where their code is stored. With ``NUMBA_DISABLE_JIT=1`` every kernel runs as plain
Python, which checks array bounds; compiled code does not.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba

from jantaku.kernels._backend import backend
from jantaku.kernels._cache import CodeCache

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_typeof: Any = numba.typeof
COMPILED: Final = not _config.DISABLE_JIT


def kernel(function: Function) -> Function:
    """Compile a function that allocates no arrays: it is inlined and does no reference counting.

    Both matter: otherwise Numba counts references to every array that a call passes on, with a locked
    instruction each time, which made reading a hand seven times slower. Called from Python, it runs as plain
    Python: machine code of its own would not be worth the wait.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def routine(function: Function) -> Function:
    """Compile a function that allocates no arrays but is too large to inline."""
    return _compiled(function, forceinline=False, _nrt=False)


def allocating(function: Function) -> Function:
    """Compile a function that allocates arrays."""
    return _compiled(function, forceinline=False, _nrt=True)  # explicit, or Numba takes the caller's setting


def _compiled(function: Function, **options: bool) -> Function:
    if not COMPILED:
        return function
    common = {"nopython": True, "nogil": True, "error_model": "numpy"}
    made_by = backend()
    dispatcher = made_by.INLINED if options["forceinline"] else made_by.CALLED
    compiled: Any = dispatcher(function, {**common, **options}, CodeCache(function))
    made: Function = compiled
    return made


def direct(function: Function, *like: Any) -> Function:
    """The compiled code of ``function`` for arguments of the types of ``like``, without type dispatch.

    It saves the tenth of a microsecond that dispatch takes at each call. The caller must pass exactly
    these types; nothing checks them.
    """
    if not COMPILED:
        return function
    dispatcher: Any = function
    signature = tuple(map(_typeof, like))
    dispatcher.compile(signature)
    entry: Function = dispatcher.overloads[signature].entry_point
    return entry
