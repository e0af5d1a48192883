"""The decorators behind every compiled function.

A kernel is plain Python that Numba compiles on first use and keeps on disk. Numba notices a change of
the function's own file only, so a compiled caller would keep an edited callee's old code: the cache
folder therefore carries a hash of all the sources its code is made from. There is a folder for each of
``PARTS``, which build on each other: scoring, the game (``kernels.engine``), bots, the lab.

With ``NUMBA_DISABLE_JIT=1`` every kernel runs as the Python it is written in, which checks array bounds
that compiled code does not.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import numpy.typing as npt
import platformdirs
from numba.core import caching

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_typeof: Any = numba.typeof
COMPILED = not _config.DISABLE_JIT


PARTS: Final[dict[str, tuple[str, ...]]] = {
    "kernels": ("kernels/*.py", "kernels/yaku/*.py"),
    "table": ("kernels/engine/*.py",),
    "bots": ("bots/**/*.py",),
    "lab": ("lab/kernels/*.py",),
    "club": ("club/kernels/*.py",),
}
"""The parts of the compiled code and their sources; each part is made from those before it too."""

_RULE_TABLES = ("rules/options.py", "rules/catalogue.py", "rules/local.py", "rules/yaku.toml", "tiles.py")


@cache
def source_hash(part: str) -> str:
    """Hash of everything that a part's compiled code is made from: kernel sources and the rule tables."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    patterns = [*_RULE_TABLES]
    for name, own in PARTS.items():
        patterns += own
        if name == part:
            break
    for path in sorted({path for pattern in patterns for path in package.glob(pattern)}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_dir(part: str = "kernels") -> Path:
    """Folder of a part's compiled code and generated tables; ``NUMBA_CACHE_DIR`` moves it."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("jantaku")
    return Path(base) / f"{part}-{source_hash(part)}"


def part_of(module: str) -> str:
    """The part of the compiled code that a module belongs to."""
    if module.startswith("jantaku.kernels.engine"):
        return "table"
    package = module.split(".")[1]
    return package if package in PARTS else "kernels"


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
    njit: Any = partial(numba.njit, nogil=True, error_model="numpy", **options)
    compiled: Any = njit()(function)
    if COMPILED and _writable(part_of(function.__module__)):
        compiled._cache = _Cache(function)
    made: Function = compiled
    return made


@cache
def _writable(part: str) -> bool:
    """Whether a part's folder can be written; if not, code is compiled in memory."""
    try:
        cache_dir(part).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=cache_dir(part)).close()
    except OSError:
        return False
    return True


class _Locator(caching._CacheLocator):
    """Finds compiled code by the content it is made from, wherever the sources lie.

    Numba's own locators use the path and the file of the one function.
    """

    def __init__(self, function: Any) -> None:
        self._module = function.__module__
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":  # noqa: ARG003
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(cache_dir(part_of(self._module)))

    def get_source_stamp(self) -> str:
        return source_hash(part_of(self._module))

    def get_disambiguator(self) -> str:
        return f"{self._module}-{self._line}"

    def ensure_cache_path(self) -> None:
        """The folder has been made by ``_writable``."""


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes: Any = (_Locator,)


class _Cache(caching.FunctionCache):
    _impl_class = _CacheImpl


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


def stored(name: str, build: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """A table kept beside the compiled code: read if it was made before, else made and kept."""
    path = cache_dir() / f"{name}.npy"
    with contextlib.suppress(OSError, ValueError):
        found: npt.NDArray[Any] = np.load(path)
        return found
    made = build()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npy", delete=False) as file:
            np.save(file, made)
        Path(file.name).replace(path)
    return made
