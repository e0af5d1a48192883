"""What the check of a rules file finds in the code of its local yaku."""

from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jantaku import RulesError, load_file
from jantaku.adjudication import local_yaku_trial as local_yaku
from jantaku.cli.app import app
from jantaku.kernels._jit import COMPILED
from jantaku.rules import local, local_time_limit
from rules.yaku_files import EXAMPLE, MARK, write


def checked(path: Path) -> tuple[int, str]:
    """The exit code and the output of ``jantaku rules check``."""
    result = CliRunner().invoke(app, ["rules", "check", str(path)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


# what only shows when the function runs: the body, then what the message names
FAILS: list[tuple[str, str]] = [
    ("return b.rnus != 0", "runs"),
    ("return b.runs & FRISTS != 0", "FIRSTS"),
    ("return b.runs / 2", "float"),
    ("return [b.runs]", "list"),
    ("return 1 // b.twice == 1", "ZeroDivisionError"),
    ("return b.runs << -1 != 0", "ValueError"),
    ("return None", "NoneType"),
    ("return exit(b.runs)", "SystemExit"),
]


@pytest.mark.parametrize(("body", "named"), FAILS)
def test_the_check_finds_what_fails_on_a_hand(tmp_path: Path, body: str, named: str) -> None:
    code, said = checked(write(tmp_path, f"{MARK}def own(b):\n    {body}\n"))
    assert code == 2
    assert "own.py, line " in said
    assert "yaku.own" in said
    assert named in said


ENDLESS = ["while True: pass", "k = 0\n    while b.runs >= 0:\n        k += 1\n    return k > 0"]


@pytest.mark.parametrize("body", ENDLESS)
def test_the_check_ends_although_a_function_does_not(
    tmp_path: Path, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_yaku, "time_limit", partial(local_time_limit.time_limit, seconds=0.2))
    code, said = checked(write(tmp_path, f"{MARK}def own(b):\n    {body}\n"))
    assert (code, "yaku.own: the code runs for more than" in said) == (2, True)


def test_a_file_whose_code_does_not_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "time_limit", partial(local_time_limit.time_limit, seconds=0.2))
    with pytest.raises(RulesError) as caught:
        load_file(write(tmp_path, f"while True: pass\n{MARK}def own(b):\n    return True\n"))
    assert caught.value.code == "local_endless"
    assert str(caught.value).startswith("own.py, line ")


def test_a_known_name_is_not_suggested_for_itself(tmp_path: Path) -> None:
    code = f"def other(k):\n    return k != 0\n\n\n{MARK}def own(b):\n    return other(b.runs)\n"
    assert "Did you mean" not in checked(write(tmp_path, code))[1]


EXAMPLES = [
    ('{"hand": "123m", "win": "1m"}', "return True", 2),
    ('{"hnad": "123m"}', "return True", 2),
    ('{"hand": "123345567789m1s", "win": "2s"}', "return True", 2),  # not complete
    (EXAMPLE, "return b.pairs == 0", 2),
    (EXAMPLE, "return b.pairs != 0", 0),
]


@pytest.mark.parametrize(("example", "body", "code"), EXAMPLES)
def test_the_check_tries_the_example(tmp_path: Path, example: str, body: str, code: int) -> None:
    mark = f'@yaku("own", closed=1, name={{"en": "Own"}}, example={example})\n'
    found, said = checked(write(tmp_path, f"{mark}def own(b):\n    {body}\n"))
    assert found == code
    assert ("yaku.own.example" in said) is (code != 0)


@pytest.mark.skipif(not COMPILED, reason="uncompiled code takes any Python")
@pytest.mark.parametrize("body", ["import os\n    return os.sep == 1", "return {b.runs: 1} == {}"])
def test_the_check_finds_what_cannot_be_compiled(tmp_path: Path, body: str) -> None:
    code, said = checked(write(tmp_path, f"{MARK}def own(b):\n    {body}\n"))
    assert code == 2
    assert "own.py, line " in said
    assert "yaku.own" in said


@pytest.mark.skipif(not COMPILED, reason="uncompiled code is plain Python")
@pytest.mark.parametrize("body", ["b.runs << 100 != 0", "(b.runs + 2) ** 9 > 0", "b.flags + 2**63 - 1 > 0"])
def test_the_check_finds_what_is_otherwise_once_compiled(tmp_path: Path, body: str) -> None:
    code, said = checked(write(tmp_path, f"{MARK}def own(b):\n    return {body}\n"))
    assert code == 2
    assert "compiled" in said
    assert "yaku.own" in said
