"""Decorators of compiled functions, and the decision when to load compiled code.

Every kernel is plain Python, and a process starts that way: the first score needs no compiler. Loading Numba
takes as long as about fifty calls, so Python switches to compiled code at the fiftieth call of a function, or
immediately if many calls are certain: in a batch, a simulation or a search. Compiling a function that is not
stored yet takes seconds, which pays off only after thousands of calls. Both ways give the same results.

``_backend`` decides how compiled functions are linked, ``_cache`` where their code is stored. Without Numba,
or with ``NUMBA_DISABLE_JIT=1``, everything stays plain Python, which checks array bounds; compiled code does
not.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0" and find_spec("numba") is not None
"""Whether this process can compile."""
LOADING: Final = 50  # calls of a function after which loading its stored code pays off
COMPILING: Final = 20_000  # calls after which compiling it pays off
# modules that play whole games or search
BULK_MODULES: Final = ("jantaku.bots.match", "jantaku.bots.search.", "jantaku.club.", "jantaku.lab.")
KERNELS: Final[dict[Callable[..., Any], Any]] = {}  # each with its dispatcher, created on demand
_lock: Final = threading.RLock()


class _State:
    """State shared by all entries."""

    eager = False  # compile immediately
    pays_at = LOADING  # 1 once Numba is loaded, since loading the code of another function then takes no time
    inside = False  # calls that plain code itself makes are not counted


class Entry:
    """A function called from Python: plain Python until compiled code pays off."""

    def __init__(self, function: Any, *, nrt: bool) -> None:
        self.py_func = function
        self.is_compiled = False
        self._nrt = nrt
        self._calls = 0
        self._pays_at = 0  # calls after which compiling pays off, if the code is not stored
        self._bulk = function.__module__.startswith(BULK_MODULES)
        self._made: Any = None
        self.__doc__, self.__module__, self.__name__ = (
            function.__doc__,
            function.__module__,
            function.__name__,
        )

    def __call__(self, *args: Any) -> Any:
        """Call the compiled function, or the plain one while that is cheaper."""
        if self.is_compiled or _State.eager:
            return (self._made or self.dispatcher)(*args)
        if self._bulk and use_compiled():
            return self.dispatcher(*args)
        if _State.inside:
            return self.py_func(*args)
        _State.inside = True
        try:
            return self.py_func(*args)
        finally:
            _State.inside = False
            self.count(1)

    def count(self, calls: int) -> None:
        """Count calls of plain code, and switch to compiled code once that pays off."""
        self._calls += calls
        if self._calls < (self._pays_at or _State.pays_at):
            return
        if not self._pays_at and self._calls < COMPILING and not self._is_stored():
            self._pays_at = COMPILING
        elif _can_load_numba():
            self.is_compiled, _State.pays_at = True, 1
        else:
            self._pays_at = sys.maxsize

    def _is_stored(self) -> bool:
        from jantaku.kernels._cache import CodeCache  # noqa: PLC0415 — importing it loads the compiler

        stored = CodeCache(self.py_func)
        return stored.may_have_any() and _can_load_numba() and stored.has_any()

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the compiled function."""
        with _lock:
            if self._made is None:
                self._made = _dispatcher(self.py_func, forceinline=False, _nrt=self._nrt)
        return self._made

    @property
    def _numba_type_(self) -> Any:
        """Type Numba gives this function when compiled code calls it."""
        from numba.core.types import Dispatcher  # noqa: PLC0415

        return Dispatcher(self.dispatcher)


def kernel(function: Function) -> Function:
    """Mark a function that allocates no arrays: compiled callers inline it and count no references.

    Both matter: Numba otherwise counts references to every array that a call passes on, with a locked
    instruction each time, which makes reading a hand seven times slower. Called from Python, the function
    runs as plain Python: it is too small to justify separate machine code.
    """
    KERNELS[function] = None
    return function


def routine(function: Function) -> Function:
    """Compile a function that allocates no arrays but is too large to inline."""
    made: Function = _entry(function, nrt=False)
    return made


def allocating(function: Function) -> Function:
    """Compile a function that allocates arrays."""
    # explicit, since Numba would otherwise inherit the caller's setting
    made: Function = _entry(function, nrt=True)
    return made


def _entry(function: Any, *, nrt: bool) -> Any:
    return Entry(function, nrt=nrt) if COMPILED else function


def kernel_dispatcher(function: Callable[..., Any]) -> Any:
    """Return Numba's dispatcher of a ``kernel``; ``None`` for any other function."""
    with _lock:
        if function in KERNELS and KERNELS[function] is None:
            KERNELS[function] = _dispatcher(function, forceinline=True, _nrt=False)
    return KERNELS.get(function)


def _dispatcher(function: Any, **options: bool) -> Any:
    from jantaku.kernels._backend import OPTIONS, backend  # noqa: PLC0415 — importing them loads the compiler
    from jantaku.kernels._cache import CodeCache  # noqa: PLC0415

    return backend().DISPATCHER(function, {**OPTIONS, **options}, CodeCache(function))


def use_compiled() -> bool:
    """Switch to compiled code because many calls follow; return whether Numba is available."""
    _State.eager = COMPILED and (_State.eager or _can_load_numba())
    return _State.eager


@cache
def _can_load_numba() -> bool:
    """Return whether Numba can be imported; it rejects versions of NumPy that are newer than itself."""
    try:
        import_module("jantaku.kernels._backend")
    except (ImportError, AttributeError, SystemError) as error:
        logging.getLogger("jantaku").warning(
            "Numba cannot be used, everything runs as plain Python: %s", error
        )
        return False
    return True


def expect_calls(function: Callable[..., Any], calls: int) -> None:
    """Count the calls that one call of ``function`` stands for; this compiles it first if that pays off."""
    if isinstance(function, Entry) and not function.is_compiled:
        function.count(calls)


class Direct:
    """Direct access to the compiled code of a function for one combination of argument types.

    It saves the tenth of a microsecond that type dispatch takes per call. ``like`` returns arguments of these
    types; nothing checks that callers of ``call`` pass exactly those.
    """

    __slots__ = ("_function", "_like", "call")

    def __init__(self, function: Any, like: Callable[[], tuple[Any, ...]]) -> None:
        self._function, self._like = function, like
        self.call: Callable[..., Any] = self._first if isinstance(function, Entry) else function

    def _first(self, *args: Any) -> Any:
        if not (self._function.is_compiled or _State.eager):
            return self._function(*args)
        self.load()
        return self.call(*args)

    def load(self) -> None:
        """Load or compile the function before the first call."""
        self.call = entry_point(self._function, *self._like())


def entry_point(entry: Entry, *like: Any) -> Callable[..., Any]:
    """Return the machine code of ``entry`` for arguments of the types of ``like``."""
    from numba import typeof  # noqa: PLC0415

    signature = tuple(map(typeof, like))
    dispatcher = entry.dispatcher
    dispatcher.compile(signature)
    code: Callable[..., Any] = dispatcher.overloads[signature].entry_point
    return code
