"""Which way compiled functions are linked: ``joined``, which is faster, or ``stock``, which any Numba can do.

``joined`` uses internals of Numba, so only the versions in ``TRIED`` get it. ``JANTAKU_COMPILER`` names one
of the two. Importing this module loads Numba.
"""

import importlib
import logging
import os
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

import numba
from numba.core.types import Dispatcher
from numba.extending import typeof_impl

from jantaku.kernels import _clearing  # noqa: F401  (it tells Numba how to compile ``clear``)
from jantaku.kernels._jit import kernel_dispatcher

JOINED: Final = "joined"
STOCK: Final = "stock"
OPTIONS: Final = {"nopython": True, "nogil": True, "error_model": "numpy"}
TRIED: Final = ((0, 63), (0, 68))
"""The first and the last minor version of Numba with which ``joined`` passes the tests."""


@cache
def backend() -> ModuleType:
    """The module that makes compiled functions, each by its ``DISPATCHER``."""
    wanted = os.environ.get("JANTAKU_COMPILER") or (JOINED if _is_tried() else STOCK)
    if wanted not in (JOINED, STOCK):
        message = f"JANTAKU_COMPILER must be {JOINED!r} or {STOCK!r}, not {wanted!r}"
        raise ImportError(message)
    if wanted == JOINED:
        try:
            return importlib.import_module("jantaku.kernels._joined")
        except (ImportError, AttributeError) as error:
            _say(f"Numba {numba.__version__} lacks what the faster compiled code needs ({error}).")
    elif "JANTAKU_COMPILER" not in os.environ:
        _say(f"Jantaku was not tried with Numba {numba.__version__}.")
    return importlib.import_module("jantaku.kernels._stock")


def backend_name() -> str:
    """``joined`` or ``stock``."""
    return backend().__name__.rpartition("._")[2]


@typeof_impl.register(FunctionType)
def _type_of_kernel(function: FunctionType, _context: object) -> Any:
    """How Numba sees a kernel in compiled code that calls it; ``None`` for functions of others."""
    dispatcher = kernel_dispatcher(function)
    return getattr(function, "_numba_type_", None) if dispatcher is None else Dispatcher(dispatcher)


def _is_tried() -> bool:
    first, last = TRIED
    return first <= tuple(map(int, numba.__version__.split(".")[:2])) <= last


def _say(why: str) -> None:
    """Log one line, which Python prints where nothing else is set up."""
    logging.getLogger("jantaku").warning(
        "%s It compiles in the usual way: slower, with the same results.", why
    )
