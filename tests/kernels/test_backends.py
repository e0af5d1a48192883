"""Compiled code with any version of Numba and with damaged files."""

import ast
import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from jantaku import terms
from jantaku.cli import warm
from jantaku.kernels import _cache
from jantaku.kernels._backend import TESTED
from jantaku.kernels._jit import COMPILED, routine
from support import compiled_code
from support.source_code import SOURCE

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
DAMAGED = 400

# An entry that calls two small, inlined functions
SMALL = """
import sys, types
import numpy as np
from jantaku.kernels._backend import backend_name
from jantaku.kernels._jit import COMPILED, kernel, routine, use_compiled
from jantaku.kernels.masks import popcount
use_compiled()
sys.modules["jantaku.kernels.sample"] = types.ModuleType("jantaku.kernels.sample")
def less(one, other):
    return one - other
less.__module__ = "jantaku.kernels.sample"
less = kernel(less)
def lowest(values):
    return less(values[0], values[1]) + popcount(7)
lowest.__module__ = "jantaku.kernels.sample"
lowest = routine(lowest)
"""
RUN = "print(lowest(np.array([3, 5])), COMPILED and backend_name())"


# An entry that passes constants to a routine too large to inline, and another caller compiled by Numba
STEPS = "\n".join(f"    total = total * {i} ^ (b + {i}) // (c + {i}) - a" for i in range(2, 60))
MIXED = f"""
import numba
def large(a, b, c):
    total = a
{STEPS}
    return total
plain = large
large.__module__ = "jantaku.kernels.sample"
large = routine(large)
def constant(value):
    return large(value, 5, 7)
constant.__module__ = "jantaku.kernels.sample"
constant = routine(constant)
own = numba.njit(lambda value: large(value, value + 1, value + 2) + large(value + 1, value, value))
one, two = np.int64(1), np.int64(2)
print(constant(one) == plain(one, 5, 7), own(two) == plain(two, 3, 4) + plain(3, two, two))
"""


def run(before: str = "", after: str = RUN, **environment: str) -> tuple[str, str]:
    """Return the output of a fresh process, and its messages other than those about compiling."""
    command = [sys.executable, "-c", f"{before}\n{SMALL}\n{after}"]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    )
    return done.stdout.strip(), done.stderr.replace(terms.text("cli.warm.first"), "").strip()


@compiled_only
def test_an_entry_shares_no_routine_with_code_that_numba_compiles(tmp_path: Path) -> None:
    """An entry's routines lose arguments that are constant in it, so no other code may share them."""
    output, _ = run(after=MIXED, NUMBA_CACHE_DIR=str(tmp_path))
    assert output == "True True"


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Path]:
    """Return a compiled function with its own cache, and the file it is stored in."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def double(value: int) -> int:
        return value + value

    double.__module__ = "jantaku.kernels.sample"
    entry: Any = routine(double)
    assert entry(4) == 8
    function = entry.dispatcher
    (path,) = tmp_path.glob("*/*.code")
    return function, path


def damages(content: bytes) -> list[bytes]:
    """Damage a file: truncate, shuffle, change one byte, or replace it."""
    random = Random(1)
    changed = []
    for _ in range(DAMAGED - 6):
        at, other = random.randrange(len(content)), bytearray(content)
        other[at] ^= 1 << random.randrange(8)
        changed.append(bytes(other) if random.random() < 0.7 else content[:at])
    foreign = pickle.dumps((1, "two")), b"\x80\x05.", b"", b"\0" * 64, content[32:], content + b"\0"
    return [*changed, *foreign]


@compiled_only
def test_damaged_code_is_never_used(sample: tuple[Any, Path]) -> None:
    function, path = sample
    (signature,), context = function.signatures, function.targetctx
    content = path.read_bytes()
    for damaged in damages(content):
        path.write_bytes(damaged)
        assert function._cache.load_overload(signature, context) is None
    path.write_bytes(content)
    assert function._cache.load_overload(signature, context).entry_point(4) == 8


def test_damaged_tables_are_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    built: list[int] = []

    def build() -> Any:
        built.append(1)
        return np.arange(5)

    assert all((_cache.load_or_build("sample", build) == np.arange(5)).all() for _ in range(2))
    assert len(built) == 1
    (path,) = tmp_path.glob("*/sample.npy.xz")
    content = path.read_bytes()
    whole = [
        hashlib.sha256(other).digest() + other for other in (b"", b"PK\3\4", b"no table", content[32:-9])
    ]
    for number, damaged in enumerate([*damages(content)[-40:], *whole], 2):
        path.write_bytes(damaged)
        assert (_cache.load_or_build("sample", build) == np.arange(5)).all()
        assert len(built) == number
        assert path.read_bytes() == content


@compiled_only
def test_code_that_cannot_be_loaded_is_compiled(
    sample: tuple[Any, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An intact file may still contain data that this Numba cannot read."""
    function, path = sample
    _cache._write_checked(path, pickle.dumps(("not", "code")))
    (signature,) = function.signatures
    assert function._cache.load_overload(signature, function.targetctx) is None


UNTRIED = "import numba; numba.__version__ = '0.{}.0'"
MISSING = "import numba.core.{0} as found; del found.{1}"
WITHOUT = {
    "a newer Numba": UNTRIED.format(TESTED[1][1] + 1),
    "an older Numba": UNTRIED.format(TESTED[0][1] - 1),
    "no library of code": MISSING.format("codegen", "JITCodeLibrary"),
    "no dispatcher": MISSING.format("registry", "CPUDispatcher"),
}


@pytest.mark.slow
@pytest.mark.parametrize("missing", WITHOUT.values(), ids=WITHOUT)
def test_an_unknown_numba_compiles_in_the_usual_way(missing: str, tmp_path: Path) -> None:
    """A one-line message reports the unknown version; uncompiled code needs no Numba and no message."""
    out, messages = run(missing, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")
    assert out == "1 stock"
    assert len(messages.splitlines()) == 1
    assert run(missing, NUMBA_DISABLE_JIT="1") == ("1 False", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["joined", "stock"])
def test_the_compiler_can_be_chosen(name: str, tmp_path: Path) -> None:
    """Code compiled by either compiler is stored and loaded again."""
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0", "JANTAKU_COMPILER": name}
    assert run(**environment) == (f"1 {name}", "")
    assert [path.name for path in tmp_path.glob("*/kernels.sample.lowest-*.code")]
    hits = f"{RUN}; print(sum(lowest.dispatcher._cache_misses.values()))"
    assert run(after=hits, **environment) == (f"1 {name}\n0", "")


@pytest.mark.slow
def test_a_misspelled_compiler_is_refused() -> None:
    with pytest.raises(subprocess.CalledProcessError) as raised:
        run(JANTAKU_COMPILER="stok", NUMBA_DISABLE_JIT="0")
    assert "JANTAKU_COMPILER must be 'joined' or 'stock', not 'stok'" in raised.value.stderr


def test_stored_code_depends_on_all_its_sources() -> None:
    """Each part's hash covers every module whose constants and functions its compiled functions contain."""
    checked = 0
    for name, module in compiled_code.compiled_modules().items():
        if compiled_code.marked(module):
            patterns = _cache._patterns(_cache.part_of(name))
            hashed = {path for pattern in patterns for path in SOURCE.glob(pattern)}
            needed = {name, *compiled_code.dependencies(module)}
            assert {compiled_code.paths()[other] for other in needed} <= hashed, name
            checked += 1
    assert checked > 50


@pytest.mark.slow
@compiled_only
def test_warming_up_compiles_every_entry() -> None:
    """Entries are the compiled functions to which plain Python refers; the test finds them in the source."""
    pytest.importorskip("torch", reason="modules of training import it")
    for steps in warm.STEPS.values():
        for _, step in steps:
            step()
    entries = compiled_code.entries()
    assert [name for name, entry in entries.items() if not entry.dispatcher.signatures] == []


def _tuples_with_arrays() -> set[str]:
    """Return the names of named tuples with an array among their fields."""
    names = set()
    for module in compiled_code.modules("NDArray").values():
        for node in compiled_code.tree(module).body:
            fields = [field for field in getattr(node, "body", []) if isinstance(field, ast.AnnAssign)]
            if isinstance(node, ast.ClassDef) and any("NDArray" in ast.unparse(field) for field in fields):
                names.add(node.name)
    return names


def test_no_routine_returns_an_array_in_a_tuple() -> None:
    """Linked code miscounts references to such an array and frees it while in use."""
    risky, safe = _tuples_with_arrays(), []
    for name, module in compiled_code.compiled_modules().items():
        for function in compiled_code.marked(module):
            marks = {mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)}
            for node in ast.walk(function):
                value = node.value if isinstance(node, ast.Return) else None
                if isinstance(value, ast.Call) and ast.unparse(value.func) in risky and "routine" in marks:
                    safe.append(f"{name}.{function.name}")
    assert "BotWorkspace" in risky
    assert safe == []
