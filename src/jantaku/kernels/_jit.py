"""The decorators behind every compiled function.

A kernel is plain Python that Numba compiles on first use; ``_linking`` says how compiled functions are joined
and ``_cache`` where their code is kept. With ``NUMBA_DISABLE_JIT=1`` every kernel runs as the Python it is
written in, which checks array bounds that compiled code does not.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba

from jantaku.kernels._cache import CodeCache
from jantaku.kernels._linking import KernelDispatcher

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_typeof: Any = numba.typeof
COMPILED: Final = not _config.DISABLE_JIT


def kernel(function: Function) -> Function:
    """Compile a function that makes no arrays: it is inlined into its callers and counts no references.

    Both matter: Numba otherwise counts references to every array that a call hands on, with a locked
    instruction each time, which made reading a hand seven times slower than the reading itself.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def routine(function: Function) -> Function:
    """Compile a function that makes no arrays but is too large to be copied into its callers."""
    return _compiled(function, forceinline=False, _nrt=False)


def allocating(function: Function) -> Function:
    """Compile a function that makes arrays."""
    return _compiled(function, forceinline=False, _nrt=True)  # said, or a caller's choice is inherited


def _compiled(function: Function, **options: bool) -> Function:
    if not COMPILED:
        return function
    common = {"nopython": True, "nogil": True, "error_model": "numpy"}
    compiled: Any = KernelDispatcher(function, {**common, **options}, CodeCache(function))
    made: Function = compiled
    return made


def direct(function: Function, *like: Any) -> Function:
    """The code of ``function`` for arguments of the types of ``like``, called without a look at them.

    It saves the tenth of a microsecond that choosing the right code takes at each call. The caller
    answers for the types: nothing else may be passed.
    """
    if not COMPILED:
        return function
    dispatcher: Any = function
    signature = tuple(map(_typeof, like))
    dispatcher.compile(signature)
    entry: Function = dispatcher.overloads[signature].entry_point
    return entry
