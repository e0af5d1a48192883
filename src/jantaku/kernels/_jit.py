"""The one decorator behind every compiled function.

A kernel is plain Python that Numba compiles on first use and keeps on disk. Numba notices a change of
the function's own file only, so a compiled caller would keep an edited callee's old code: the cache
folder therefore carries a hash of all kernel sources. With ``NUMBA_DISABLE_JIT=1`` every kernel runs
as the Python it is written in, which checks array bounds that compiled code does not.
"""

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Hash of everything that compiled code is made from: kernel sources and the rule tables."""
    package = Path(__file__).parent.parent
    sources = [*package.glob("kernels/**/*.py"), *package.glob("rules/*.py"), *package.glob("rules/*.toml")]
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(sources):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_dir() -> Path:
    """Folder of compiled code and generated tables; ``NUMBA_CACHE_DIR`` moves it."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("jantaku")
    return Path(base) / f"kernels-{source_hash()}"


def kernel(function: Function) -> Function:
    """Compile ``function`` lazily, without the GIL, cached on disk by the hash of all kernels."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_dir())
    try:
        compiled: Function = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no writable cache folder: compile in memory
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
