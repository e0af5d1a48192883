"""Storage of compiled code. No other module knows where it is.

Two folders are searched, in this order: the package's own (``jantaku/_stored``) and the user's cache
(``NUMBA_CACHE_DIR`` moves it). Every wheel ships the generated tables in the former; a wheel built by ``make
wheel`` also ships compiled code. Code found in neither folder is compiled for this processor and written to
the user's cache.

Code compiled ahead of time (``jantaku warm``, ``make wheel``) targets ``BASELINE``, which nearly every
computer of that architecture supports, so one file serves them all. It is loaded only if the processor has
every feature of the baseline.

A folder's name is a hash of everything its code depends on: the kernels' sources and rule tables, the exact
versions of Numba and LLVM, the Python version and NumPy's major version. Stored code is therefore never
stale: another version looks in another folder. Each of ``PARTS`` has its own folder, so that an edit to a bot
does not recompile the engine. Generated tables depend only on the modules that build them.
"""

import contextlib
import hashlib
import io
import logging
import lzma
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from jantaku import terms
from jantaku.kernels._jit import COMPILED

# ruff: noqa: PLC0415 — Numba is imported only where code is loaded or compiled

PARTS: Final[dict[str, tuple[str, ...]]] = {
    "kernels": ("kernels/*.py", "kernels/yaku/*.py"),
    "engine": ("kernels/engine/*.py",),
    "bots": ("bots/*.py",),
    "search": ("bots/search/kernels/*.py",),
    "lab": ("lab/kernels/*.py",),
    "club": ("club/kernels/*.py",),
}
"""Parts of the compiled code and their source files. Each part also depends on the parts before it."""

TABLES: Final = "tables"
TABLE_SOURCES: Final = ("kernels/lookup.py", "kernels/cuts.py", "tiles.py")
BASELINE: Final = "x86-64-v3"
_NEEDED: Final = frozenset("avx avx2 bmi bmi2 f16c fma lzcnt movbe popcnt sse4.2 xsave".split())
_RULES: Final = (
    "rules/options.py",
    "rules/catalogue.py",
    "rules/own_yaku.py",
    "rules/own/codes.py",
    "rules/yaku.toml",
    "tiles.py",
)
# they decide only where code is stored and when it is loaded
_WITHOUT_EFFECT: Final = ("kernels/_cache.py", "kernels/_jit.py")
_CHECKSUM_BYTES: Final = hashlib.sha256().digest_size
_PACKAGE: Final = Path(__file__).parent.parent
SHIPPED: Final = _PACKAGE / "_stored"
LOG = logging.getLogger("jantaku")
ANNOUNCED: Final = set[str]()  # parts whose compilation notice has been logged


@cache
def source_hash(part: str) -> str:
    """Return the hash of everything that determines a part's compiled code, or the generated tables."""
    digest = hashlib.sha256(b"" if part == TABLES else repr(_versions()).encode())
    sources = {path for pattern in _patterns(part) for path in _PACKAGE.glob(pattern)}
    for path in sorted(sources - {_PACKAGE / name for name in _WITHOUT_EFFECT}):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _versions() -> tuple[object, ...]:
    if not COMPILED:
        return ()
    import llvmlite
    import numba

    from jantaku.kernels._backend import backend_name

    numpy = np.__version__.split(".")[0]
    return numba.__version__, llvmlite.__version__, sys.version_info[:2], numpy, backend_name()


def _patterns(part: str) -> tuple[str, ...]:
    """Return the source files of a part and of the parts before it, as glob patterns."""
    if part == TABLES:
        return TABLE_SOURCES
    before = list(PARTS)[: list(PARTS).index(part) + 1]
    return (*_RULES, *(pattern for name in before for pattern in PARTS[name]))


def cache_dir(part: str = "kernels") -> Path:
    """Return the folder in the user's cache for a part's compiled code, or for the generated tables."""
    return _user_cache() / f"{part}-{source_hash(part)}"


def _user_cache() -> Path:
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("jantaku")


def folders(part: str) -> Iterator[Path]:
    """Yield the folders to search for a part's code: the package's own, then the user's cache."""
    yield SHIPPED / f"{part}-{source_hash(part)}"
    yield cache_dir(part)


def part_of(module: str) -> str:
    """Return the part of the compiled code that a module belongs to."""
    if module.startswith("jantaku.kernels.engine"):
        return "engine"
    if module.startswith("jantaku.bots.search"):
        return "search"
    package = module.split(".")[1]
    return package if package in PARTS else "kernels"


@cache
def has_baseline() -> bool:
    """Return whether this processor can run code compiled for ``BASELINE``."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return all(features.get(name) for name in _NEEDED)


def baseline_environment() -> dict[str, str]:
    """Return environment variables that make a process compile for ``BASELINE``; empty if it cannot run."""
    return {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": ""} if has_baseline() else {}


def _target() -> str:
    """Return the processor this process compiles for: its name and a hash of its features."""
    import llvmlite.binding as llvm
    import numba

    config: Any = numba.config
    name = config.CPU_NAME or llvm.get_host_cpu_name()
    features = llvm.get_host_cpu_features().flatten() if config.CPU_FEATURES is None else config.CPU_FEATURES
    return f"{name}-{hashlib.sha256(features.encode()).hexdigest()[:8]}" if features else str(name)


@cache
def targets() -> tuple[str, ...]:
    """Return the processors whose code this process can run, ending with the one it compiles for."""
    return tuple(dict.fromkeys([*([BASELINE] if has_baseline() else []), _target()]))


def is_complete() -> bool:
    """Return whether all compiled code is stored, ready to be loaded."""
    last = list(PARTS)[-1]
    return COMPILED and any(
        (folder / f"complete-{name}").is_file() for folder in folders(last) for name in targets()
    )


def note_complete() -> None:
    """Record that all code is compiled for the first of ``targets``, with Numba's version."""
    import numba

    with contextlib.suppress(OSError):
        _write(cache_dir(list(PARTS)[-1]) / f"complete-{targets()[0]}", numba.__version__.encode())


def announce(part: str) -> None:
    """Log once why the first call takes a minute or more, if none of the part is compiled yet."""
    if not ANNOUNCED and not any(folder.is_dir() for folder in folders(part)):
        ANNOUNCED.add(part)
        LOG.warning(terms.text("cli.warm.first"))


class CodeCache:
    """Compiled code of one function, one file for each combination of argument types.

    It implements Numba's cache interface.
    """

    def __init__(self, function: Any) -> None:
        self._part = part_of(function.__module__)
        self._name = f"{function.__module__.removeprefix('jantaku.')}.{function.__name__}"

    def _file(self, types: Any, target: str) -> str:
        return f"{self._name}-{hashlib.sha256(repr((types, target)).encode()).hexdigest()[:16]}.code"

    def may_have_any(self) -> bool:
        """Return whether code of this part is stored for any version. This does not load Numba."""
        return any(next(base.glob(f"{self._part}-*"), None) for base in (SHIPPED, _user_cache()))

    def has_any(self) -> bool:
        """Return whether code of this function is stored for any argument types."""
        return any(next(folder.glob(f"{self._name}-*.code"), None) for folder in folders(self._part))

    def load_overload(self, types: Any, target_context: Any) -> Any:
        """Return the code for these argument types, or ``None`` if there is none this process can run."""
        from jantaku.kernels._backend import backend

        names = [self._file(types, target) for target in targets()]
        for path in (folder / name for folder in folders(self._part) for name in names):
            content = _read(path)
            if content is not None:
                with contextlib.suppress(Exception):  # recompile if the file is unusable for any reason
                    backend().prepare(target_context)
                    parts = pickle.loads(content)  # noqa: S301 — the package's or the user's own file
                    return import_module("numba.core.compiler").CompileResult._rebuild(target_context, *parts)
        announce(self._part)
        return None

    def save_overload(self, types: Any, result: Any) -> None:
        """Store newly compiled code; on failure it stays in memory only."""
        if result.library.has_dynamic_globals:
            return
        from jantaku.kernels._backend import backend

        path = cache_dir(self._part) / self._file(types, _target())
        _write_checked(path, pickle.dumps(backend().reduced(result), protocol=5))


def _read(path: Path) -> memoryview | None:
    """Return the content written by ``_write_checked``; ``None`` if the file is missing or damaged."""
    try:
        file = memoryview(path.read_bytes())
    except OSError:
        return None
    checksum, content = file[:_CHECKSUM_BYTES], file[_CHECKSUM_BYTES:]
    return content if hashlib.sha256(content).digest() == checksum else None


def _write_checked(path: Path, content: bytes) -> None:
    """Write a file preceded by its checksum; ignore file system errors."""
    with contextlib.suppress(OSError):
        _write(path, hashlib.sha256(content).digest() + content)


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def load_or_build(name: str, build: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return a generated table of ``TABLE_SOURCES``, from disk if possible; otherwise build and store it."""
    file = f"{name}.npy.xz"
    for folder in folders(TABLES):
        table = _table_in(_read(folder / file))
        if table is not None:
            return table
    made, buffer = build(), io.BytesIO()
    np.save(buffer, made)
    _write_checked(cache_dir(TABLES) / file, lzma.compress(buffer.getvalue()))
    return made


def _table_in(content: memoryview | None) -> npt.NDArray[Any] | None:
    """Return the table in a file; ``None`` if there is none."""
    try:
        table = None if content is None else np.load(io.BytesIO(lzma.decompress(content)))
    except (ValueError, EOFError, OSError, BadZipFile, lzma.LZMAError):
        return None
    return table if isinstance(table, np.ndarray) else None


def other_versions() -> Iterator[Path]:
    """Yield the folders in the user's cache that belong to other versions."""
    current = {cache_dir(part).name for part in (*PARTS, TABLES)}
    for path in cache_dir().parent.iterdir():
        part, _, digest = path.name.rpartition("-")
        ours = part in (*PARTS, TABLES, "table") and len(digest) == 16
        if ours and path.name not in current and path.is_dir():
            yield path
