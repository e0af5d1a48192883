"""A process starts with plain Python and loads compiled code when it pays off, with the same results."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jantaku.kernels._jit import COMPILED, LOADING

TESTS = Path(__file__).parents[1]
WINS = TESTS / "data" / "random-wins.jsonl"
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

SCORE = """
import sys, jantaku
win = jantaku.Win.parse("234m567p34567s99p 8s")
def scored(times):
    assert {jantaku.score(win).points for _ in range(times)} == {1000}
    return "numba" in sys.modules
"""


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    )


def output_of(code: str, **environment: str) -> str:
    return run(code, **environment).stdout.strip()


@compiled_only
def test_stored_code_is_loaded_after_some_calls() -> None:
    code = f"{SCORE}\nprint(scored({LOADING - 1}), scored(1), scored(100))"
    assert output_of(code) == "False True True" or not _stored()


@compiled_only
def test_stored_code_is_used_at_once_if_numba_is_loaded() -> None:
    code = f"""{SCORE}
from jantaku.kernels.shanten import shanten_forms
from jantaku.adjudication import analysis
loaded = scored({LOADING})
for _ in range(2):
    analysis.shanten_forms(win.hand)
print(loaded, shanten_forms.is_compiled)"""
    assert output_of(code) == "True True" or not _stored()


def _stored() -> bool:
    return output_of("from jantaku.kernels._cache import is_complete; print(is_complete())") == "True"


@compiled_only
def test_a_few_calls_do_not_compile_missing_code(tmp_path: Path) -> None:
    tables = "from jantaku.kernels.cuts import cut_tables; cut_tables()"
    code = f"{SCORE}\n{tables}\nprint(scored(4 * {LOADING}))"
    assert output_of(code, NUMBA_CACHE_DIR=str(tmp_path)) == "False"
    assert list(tmp_path.glob("*/*.code")) == []


@compiled_only
@pytest.mark.parametrize(
    ("call", "loads"),
    [
        ("batch.shanten(np.tile(hand, (100, 1)))", True),
        ("batch.shanten(hand)", False),
        ("[jantaku.shanten(hand[0]) for _ in range(10)]", False),
        ("jantaku.Game(seed=1).view(0)", False),
        ("[bot('standard', 1).choose(game, game.to_act[0]) for game in [jantaku.Game(seed=1)] * 3]", True),
    ],
)
def test_work_with_many_calls_loads_compiled_code_at_once(call: str, loads: bool) -> None:
    code = f"""
import sys, numpy as np, jantaku
from jantaku.adjudication import batch
from jantaku.bots import bot
hand = np.zeros((1, 34), np.uint8); hand[0, :13] = 1
{call}
print("numba" in sys.modules)"""
    assert output_of(code) == str(loads) or not _stored()


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "completion bash",
        "rules list",
        "rules show tenhou",
        "yaku pinfu",
        "score 234m567p34567s99p_8s",
        "shanten 1458m389p34679s14z",
        "waits 23456m234p34588s",
    ],
)
def test_commands_need_no_compiler(command: str, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise AssertionError('imported')", "utf-8")
    code = """
import sys
from jantaku.cli import main
sys.argv = ["jantaku", *(word.replace("_", " ") for word in sys.argv[1:])]
main()"""
    assert run(code, *command.split(), PYTHONPATH=_with(tmp_path), JANTAKU_LANG="en").stdout


def _with(folder: Path) -> str:
    return os.pathsep.join((str(folder), *filter(None, sys.path)))


def test_a_numba_that_cannot_be_imported_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 2.3 or less')", "utf-8")
    use = "from jantaku.kernels._jit import use_compiled; print(use_compiled(), use_compiled(), scored(200))"
    done = run(f"{SCORE}\n{use}", PYTHONPATH=_with(tmp_path), NUMBA_DISABLE_JIT="0")
    assert done.stdout.strip() == "False False False"
    assert done.stderr.count("Numba needs NumPy 2.3 or less") == 1


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize(
    ("wins", "games"), [(200, 10), pytest.param(5000, 1000, marks=pytest.mark.long)], ids=["few", "many"]
)
def test_both_agree_through_the_public_calls(wins: int, games: int) -> None:
    """Both score the same wins, and play games during which the process loads compiled code."""
    command = [sys.executable, "-m", "support.tiers", str(wins), str(games), str(WINS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=TESTS)
    compared = json.loads(done.stdout)
    assert compared[:2] == [wins, games]
    assert compared[2] > 100 * games
