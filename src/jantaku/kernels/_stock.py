"""Fallback linker without Numba internals: each function is an ordinary compiled function.

It supports the versions of Numba with which ``_joined`` has not been tested. Compiling takes about ten times
as long, because everything a function calls is optimised again for each caller.
"""

import threading
from typing import Any, Final

import numba
from numba.core.compiler import CompilerBase

from jantaku.kernels._integers import pipelines, widened

_CPUDispatcher: Any = type(numba.njit(lambda: None))
_compiling = threading.local()


class _Compiler(CompilerBase):
    """Numba's compiler with plain Python's integer arithmetic."""

    def define_pipelines(self) -> list[Any]:
        return pipelines(self.state)


class StockDispatcher(_CPUDispatcher):  # type: ignore[misc]
    """A compiled function. Only functions called from Python are stored: stored code cannot be inlined."""

    _cache: Any

    def __init__(self, py_func: Any, targetoptions: dict[str, Any], cache: Any) -> None:
        super().__init__(py_func, targetoptions=targetoptions, pipeline_class=_Compiler)
        self._no_cache = self._cache
        self._own_cache = cache

    def compile(self, sig: Any) -> Any:
        """Compile for these argument types, treating integers of every width as ``int64``."""
        depth = getattr(_compiling, "depth", 0)
        self._cache = self._no_cache if depth else self._own_cache
        _compiling.depth = depth + 1
        try:
            return super().compile(tuple(map(widened, sig)))
        finally:
            _compiling.depth = depth


DISPATCHER: Final = StockDispatcher


def prepare(target_context: Any) -> None:
    """Set up everything that compiled code may call."""
    target_context.refresh()


def reduced(result: Any) -> tuple[Any, ...]:
    """Return the stored form of a compiled function: everything Numba itself would store."""
    parts: tuple[Any, ...] = result._reduce()
    return parts
