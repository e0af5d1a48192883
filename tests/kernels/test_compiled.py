"""Compiled code: where it is stored, when it is used, and that a wheel contains it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.cli import warm
from jantaku.kernels import _cache
from jantaku.kernels._jit import COMPILED

ROOT = Path(__file__).parents[2]
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

# Counts the functions Numba compiles in a process, and times a user's first call
FIRST = """
import json, sys, time
started = time.perf_counter()
from numba.core import event
class Count(event.Listener):
    found = []
    def on_start(self, one): self.found.append(one.data["dispatcher"].py_func.__qualname__)
    def on_end(self, one): pass
event.register("numba:compile", Count())
import jantaku
seconds = {}
def done(name):
    seconds[name] = round(time.perf_counter() - started, 3)
jantaku.score(jantaku.Win.parse("234m567p34567s99p 8s")), done("score")
jantaku.shanten(jantaku.Hand.parse("1458m389p34679s14z")), done("shanten")
game = jantaku.Game(seed=1)
game.play(0, game.legal(0)[0]), done("game")
from jantaku.records import verify_log
assert verify_log(sys.argv[1]).hands
game.why(0, jantaku.game.Discard(game.view(0).hand[0], riichi="riichi")), done("why")
from jantaku.kernels._jit import use_compiled
use_compiled()
from jantaku.cli.warm import STEPS
for steps in STEPS.values():
    for name, step in steps:
        if name != "lab":
            step()
done("all")
print(json.dumps({"compiled": Count.found, "seconds": seconds, "where": jantaku.__file__}))
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty user cache."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


@compiled_only
def test_a_folder_belongs_to_one_version(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each version of Numba, LLVM, Python and NumPy has its own folder."""
    names = {_cache.cache_dir()}
    for module, version in (("numba", "0.1"), ("llvmlite", "0.1"), ("numpy", "1.26.4")):
        with monkeypatch.context() as patched:
            patched.setattr(f"{module}.__version__", version)
            _cache.source_hash.cache_clear()
            names.add(_cache.cache_dir())
    with monkeypatch.context() as patched:
        patched.setattr("sys.version_info", (3, 99, 0))
        _cache.source_hash.cache_clear()
        names.add(_cache.cache_dir())
    _cache.source_hash.cache_clear()
    assert len(names) == 5
    assert all(path.parent == cache for path in names)


def test_an_edited_module_recompiles_only_itself_and_its_dependents(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {part: _cache.source_hash(part) for part in _cache.PARTS}
    monkeypatch.setitem(_cache.PARTS, "bots", ("bots/player.py",))
    _cache.source_hash.cache_clear()
    after = {part: _cache.source_hash(part) for part in _cache.PARTS}
    _cache.source_hash.cache_clear()
    assert [part for part in before if before[part] != after[part]] == ["bots", "search", "lab", "club"]


def test_generated_tables_are_kept_when_rules_and_kernels_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def hashes() -> tuple[str, str]:
        _cache.source_hash.cache_clear()
        return _cache.source_hash(_cache.TABLES), _cache.source_hash("kernels")

    before = hashes()
    with monkeypatch.context() as patched:
        patched.setattr(_cache, "_RULES", ("rules/options.py",))
        patched.setitem(_cache.PARTS, "kernels", ("kernels/fu.py",))
        patched.setattr("numba.__version__", "0.1")
        edited = hashes()
    monkeypatch.setattr(_cache, "TABLE_SOURCES", ("kernels/lookup.py",))
    rebuilt = hashes()
    monkeypatch.undo()
    _cache.source_hash.cache_clear()
    assert [one == other for one, other in zip(before, edited, strict=True)] == [True, False]
    assert [one == other for one, other in zip(before, rebuilt, strict=True)] == [False, True]


def test_code_for_a_better_processor_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the processor lacks a feature of the baseline, code is compiled for that processor."""
    have = dict.fromkeys(_cache._NEEDED, True)

    def fits(features: dict[str, bool], machine: str = "x86_64") -> bool:
        monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: features)
        monkeypatch.setattr("platform.machine", lambda: machine)
        _cache.has_baseline.cache_clear()
        return _cache.has_baseline()

    try:
        assert fits(have)
        assert not fits(have, "aarch64")
        assert not any(fits(have | {name: False}) for name in have)
        assert _cache.baseline_environment() == {}
    finally:
        monkeypatch.undo()
        _cache.has_baseline.cache_clear()


@compiled_only
def test_compiled_code_is_cached_per_processor(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _cache.is_complete()
    _cache.note_complete()
    assert _cache.is_complete()
    monkeypatch.setattr(_cache, "targets", lambda: ("another",))
    assert not _cache.is_complete()
    _cache.note_complete()
    assert {path.name for path in cache.glob("*/*")} >= {"complete-another"}


def test_old_caches_are_deleted(cache: Path) -> None:
    current = [_cache.cache_dir(part) for part in (*_cache.PARTS, _cache.TABLES)]
    young = cache / f"kernels-{'1' * 16}"
    old = [cache / f"{part}-{'2' * 16}" for part in ("bots", "table", "tables")]
    for path in (*current, young, *old, cache / "kernels-of-somebody"):
        path.mkdir()
        if path != young:
            os.utime(path, (0, 0))
    assert warm.prune() == len(old)
    assert not any(path.exists() for path in old)
    assert len(list(cache.iterdir())) == len(current) + 2


@pytest.mark.slow
@compiled_only
def test_a_damaged_file_is_compiled_again(cache: Path) -> None:
    """The result is right even if the file is truncated or has other contents."""
    code = """
import jantaku
from jantaku.kernels._jit import use_compiled
use_compiled()
print(jantaku.shanten(jantaku.Hand.parse('1458m389p34679s14z')))"""

    def answer() -> str:
        return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    first = answer()
    files = list(cache.glob("*/*shanten_packed*.code"))
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    assert answer() == first
    assert all(path.stat().st_size > 100 for path in files)


@pytest.mark.long
@compiled_only
def test_a_wheel_contains_compiled_code(tmp_path: Path) -> None:
    """With an installed wheel and an empty read-only cache, only the lab's functions are still compiled."""
    code, site, empty = tmp_path / "compiled", tmp_path / "site", tmp_path / "empty"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(code)}

    def run(*command: str, **more: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env={**environment, **more}, check=True, capture_output=True, text=True
        )
        return done.stdout

    run(sys.executable, "-m", "jantaku", "warm")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT),
        JANTAKU_COMPILED=str(code))  # fmt: skip
    (wheel,) = tmp_path.glob("jantaku-*.whl")
    assert f"cp{sys.version_info.major}{sys.version_info.minor}-" in wheel.name
    run(*pip, "install", "--no-deps", "--target", str(site), str(wheel))
    empty.write_text("no folder: nothing can be written here", "utf-8")
    log = tmp_path / "east.mjlog"
    run(sys.executable, "-m", "jantaku", "convert", str(ROOT / "tests/data/east-1.mjai"), str(log))
    report = json.loads(
        run(sys.executable, "-c", FIRST, str(log), NUMBA_CACHE_DIR=str(empty), PYTHONPATH=str(site))
    )
    assert report["where"].startswith(str(site))
    assert report["compiled"] == []


def test_the_wait_for_the_compiler_is_explained_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_cache, "ANNOUNCED", set[str]())
    _cache.cache_dir("engine").mkdir()
    for part in ("engine", "kernels", "bots", "kernels"):
        _cache.announce(part)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
