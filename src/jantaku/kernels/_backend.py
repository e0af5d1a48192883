"""Choice of linker for compiled functions: ``joined`` (faster) or ``stock`` (works with any Numba).

``joined`` relies on Numba internals, so it is used only with the versions in ``TESTED``. Set
``JANTAKU_COMPILER`` to choose either one. Importing this module loads Numba.
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

from jantaku.kernels import _clearing, _layers  # noqa: F401  (register their compilation with Numba)
from jantaku.kernels._jit import kernel_dispatcher

JOINED: Final = "joined"
STOCK: Final = "stock"
OPTIONS: Final = {"nopython": True, "nogil": True, "error_model": "numpy"}
TESTED: Final = ((0, 63), (0, 68))
"""First and last minor versions of Numba with which ``joined`` passes the tests."""


@cache
def backend() -> ModuleType:
    """Return the module that builds compiled functions with its ``DISPATCHER``."""
    wanted = os.environ.get("JANTAKU_COMPILER") or (JOINED if _is_tested() else STOCK)
    if wanted not in (JOINED, STOCK):
        message = f"JANTAKU_COMPILER must be {JOINED!r} or {STOCK!r}, not {wanted!r}"
        raise ImportError(message)
    if wanted == JOINED:
        try:
            return importlib.import_module("jantaku.kernels._joined")
        except (ImportError, AttributeError) as error:
            _warn(f"Numba {numba.__version__} lacks internals that the faster linker needs ({error}).")
    elif "JANTAKU_COMPILER" not in os.environ:
        _warn(f"Jantaku has not been tested with Numba {numba.__version__}.")
    return importlib.import_module("jantaku.kernels._stock")


def backend_name() -> str:
    """Return ``joined`` or ``stock``."""
    return backend().__name__.rpartition("._")[2]


@typeof_impl.register(FunctionType)
def _type_of_kernel(function: FunctionType, _context: object) -> Any:
    """Return the type Numba gives a kernel called from compiled code; ``None`` for other functions."""
    dispatcher = kernel_dispatcher(function)
    return getattr(function, "_numba_type_", None) if dispatcher is None else Dispatcher(dispatcher)


def _is_tested() -> bool:
    first, last = TESTED
    return first <= tuple(map(int, numba.__version__.split(".")[:2])) <= last


def _warn(why: str) -> None:
    """Log one warning; Python prints it even if no logging is configured."""
    logging.getLogger("jantaku").warning(
        "%s Falling back to the standard linker: slower, with the same results.", why
    )
