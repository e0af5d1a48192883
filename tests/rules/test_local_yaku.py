"""Local yaku: a Python file beside the rules file."""

from pathlib import Path
from typing import Any

import pytest

from jantaku import RulesError, RulesFileError, load, load_file, terms
from jantaku.kernels._jit import COMPILED
from jantaku.rules import catalogue
from jantaku.rules.local_marks import MAX_LOCAL
from jantaku.terms import LANGUAGES
from rules.yaku_files import CLOSED, HEAD, MARK, OPEN, bridge, write
from support.scoring import answer, summary

COUNTED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (CLOSED, {}, "3 han 30 fu 3900 pinfu=1 kinmonkyou=2 | 0 3900 0 -3900"),
    (OPEN, {}, "1 han 30 fu 1000 kinmonkyou=1 | 0 1000 0 -1000"),
    (OPEN, {"opened": False}, "no_yaku"),
    (OPEN, {"more": ", minimum=False"}, "no_yaku"),
    (CLOSED, {"closed": 0}, "1 han 30 fu 1000 pinfu=1 kinmonkyou=0 | 0 1000 0 -1000"),
    (CLOSED, {"more": ", replaces=('pinfu',)"},
     "2 han 30 fu 2000 kinmonkyou=2 | 0 2000 0 -2000"),
    (CLOSED, {"closed": "yakuman"}, "1 yakuman 32000 kinmonkyou=13 | 0 32000 0 -32000"),
    (CLOSED, {"closed": "double_yakuman"}, "2 yakuman 64000 kinmonkyou=26 | 0 64000 0 -64000"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "settings", "expected"), COUNTED)
def test_a_local_yaku_counts(
    tmp_path: Path, request_: dict[str, Any], settings: dict[str, Any], expected: str
) -> None:
    rules = load_file(write(tmp_path, bridge(**settings)))
    assert summary(answer(request_, rules)) == expected


def test_rules_set_the_value_of_a_local_yaku(tmp_path: Path) -> None:
    rules = load_file(write(tmp_path, bridge(), "[yaku.kinmonkyou]\nclosed = 5\n"))
    assert answer(CLOSED, rules)["yaku"] == {"pinfu": 1, "kinmonkyou": 5}
    off = rules.with_changes({"yaku.kinmonkyou.closed": False})
    assert answer(CLOSED, off)["yaku"] == {"pinfu": 1}
    assert rules.to_dict()["yaku"]["kinmonkyou"]["closed"] == 5
    assert dict(rules.options())["yaku.kinmonkyou.open"] == 1


KIN = "[yaku.kinmonkyou]\n"
OVERRIDES: list[tuple[dict[str, Any], str, str]] = [
    (CLOSED, f'{KIN}closed = "mangan"', "5 han 30 fu mangan 8000 kinmonkyou=5 | 0 8000 0 -8000"),
    (OPEN, f'{KIN}open = "baiman"', "8 han 30 fu baiman 16000 kinmonkyou=8 | 0 16000 0 -16000"),
    (CLOSED, f'{KIN}closed = "mangan"\n[score]\nlimit_yaku = "adds"',
     "6 han 30 fu haneman 12000 pinfu=1 kinmonkyou=5 | 0 12000 0 -12000"),
    (CLOSED, f'{KIN}closed = "haneman"\n[score]\nlimit_yaku = "caps"',
     "6 han 30 fu haneman 12000 kinmonkyou=6 | 0 12000 0 -12000"),
    (OPEN, f'{KIN}open = "mangan"\nminimum = false', "no_yaku"),
    (CLOSED, f'{KIN}only = "tsumo"', "1 han 30 fu 1000 pinfu=1 | 0 1000 0 -1000"),
    (OPEN, f'{KIN}only = "hatsu"', "no_yaku"),
    (OPEN, f'{KIN}only = "pin"', "no_yaku"),
    (CLOSED, f'{KIN}closed = "double_yakuman"\n[score]\nmultiple_yakuman = false',
     "2 yakuman 64000 kinmonkyou=26 | 0 64000 0 -64000"),
    (CLOSED, '[yaku.pinfu]\nreplaces = ["kinmonkyou"]', "1 han 30 fu 1000 pinfu=1 | 0 1000 0 -1000"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "override", "expected"), OVERRIDES)
def test_rules_override_every_setting_of_a_local_yaku(
    tmp_path: Path, request_: dict[str, Any], override: str, expected: str
) -> None:
    assert summary(answer(request_, load_file(write(tmp_path, bridge(), override)))) == expected


def test_extending_files_inherit_the_local_yaku(tmp_path: Path) -> None:
    write(tmp_path, bridge())
    (tmp_path / "evening.toml").write_text('extends = "club.toml"\n[riichi]\nippatsu = false\n')
    rules = load_file(tmp_path / "evening.toml")
    assert answer(CLOSED, rules)["yaku"]["kinmonkyou"] == 2


def test_the_code_of_a_local_yaku_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    rules = load_file(write(tmp_path, bridge()))
    assert rules != load("standard")
    assert rules == load_file(write(tmp_path, bridge()))
    assert rules != load_file(write(tmp_path, bridge().replace(">> 2", ">> 3")))


def test_rules_from_data_cannot_load_code(tmp_path: Path) -> None:
    rules = load_file(write(tmp_path, bridge()))
    with pytest.raises(RulesError) as caught:
        load({"local": {"file": str(tmp_path / "own.py")}})
    assert caught.value.code == "local_from_data"
    with pytest.raises(RulesFileError, match="kinmonkyou"):
        load(rules.to_dict())


MANY = "".join(
    f'@yaku("own{i}", closed=1, name={{}})\ndef own{i}(b):\n    return False\n' for i in range(MAX_LOCAL + 1)
)
BROKEN = [
    ("1 / 0\n", "local_broken"),
    ("def (:\n", "local_broken"),
    ("import no_such_module_at_all\n", "local_broken"),
    ("", "local_count"),
    (MANY, "local_count"),
    (bridge().replace('"kinmonkyou"', '"pinfu"'), "local_taken"),
    (bridge(closed=27), "wrong_yaku_value"),
    (bridge(closed=True), "wrong_yaku_value"),
]


@pytest.mark.parametrize(("code", "error"), BROKEN)
def test_bad_yaku_files_are_refused(tmp_path: Path, code: str, error: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_file(write(tmp_path, code))
    assert caught.value.code == error
    assert caught.value.message("ko")


@pytest.mark.parametrize(
    ("settings", "error"),
    [('{ file = "nowhere.py" }', "local_missing"), ("{ path = 5 }", "wrong_value"),
     ("{ file = 5 }", "wrong_value"), ('"own.py"', "wrong_value")],
)  # fmt: skip
def test_bad_settings_of_a_local_yaku_are_refused(tmp_path: Path, settings: str, error: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(f"local = {settings}\n")
    with pytest.raises(RulesError) as caught:
        load_file(path)
    assert caught.value.code == error


@pytest.mark.skipif(not COMPILED, reason="uncompiled code takes any Python")
def test_an_uncompilable_predicate_is_reported(tmp_path: Path) -> None:
    code = '@yaku("odd", closed=1, name={})\ndef odd(b):\n    return open("x").read() == b\n'
    reply = answer(CLOSED, load_file(write(tmp_path, code)))
    assert reply == {"error": {"code": "local_uncompilable"}}


# the code of a file, the code of the error, the line that the message names, and what it suggests
REPORTED: list[tuple[str, str, int, str]] = [
    ('@yaku("own", closed=1, name="Abc")\ndef own(b):\n    return True\n', "wrong_value", 3, ""),
    ('@yaku("Own", closed=1, name={})\ndef own(b):\n    return True\n', "local_id", 3, ""),
    ("@yaku(5, closed=1, name={})\ndef own(b):\n    return True\n", "local_id", 3, ""),
    ("@yaku(closed=1, name={})\ndef own(b):\n    return True\n", "local_bare", 3, ""),
    ('@yaku("own", name={})\ndef own(b):\n    return True\n', "missing_field", 3, ""),
    ('@yaku("own", closed=1)\ndef own(b):\n    return True\n', "missing_field", 3, ""),
    (
        '@yaku("own", closed="yakumann", name={})\ndef own(b):\n    return True\n',
        "wrong_yaku_value",
        3,
        "yakuman",
    ),
    (
        '@yaku("own", closed=1, opne=1, name={})\ndef own(b):\n    return True\n',
        "unknown_key_nearest",
        3,
        "open",
    ),
    (
        '@yaku("own", closed=1, name={}, replaces=("pinfuu",))\ndef own(b):\n    return True\n',
        "unknown_key_nearest",
        3,
        "pinfu",
    ),
    (
        '@yaku("own", closed=1, name={}, replaces="pinfu")\ndef own(b):\n    return True\n',
        "wrong_value",
        3,
        "",
    ),
    (
        '@yaku("own", closed=1, name={}, only="tsumoo")\ndef own(b):\n    return True\n',
        "wrong_value_nearest",
        3,
        "tsumo",
    ),
    ('@yaku("own", closed=1, name={}, minimum=0)\ndef own(b):\n    return True\n', "wrong_value", 3, ""),
    ('@yaku("own", closed=1, name={"fr": "x"})\ndef own(b):\n    return True\n', "unknown_language", 3, ""),
    ('@yaku("own", closed=1, name={"en": 5})\ndef own(b):\n    return True\n', "wrong_value", 3, ""),
    (
        '@yaku("own", closed=1, name={"en": "\u202ex"})\ndef own(b):\n    return True\n',
        "unwritten_characters",
        3,
        "",
    ),
    ('@yaku("own", closed=1, name={}, definition="x")\ndef own(b):\n    return True\n', "wrong_value", 3, ""),
    ('@yaku("own", closed=1, name={}, example="123m")\ndef own(b):\n    return True\n', "wrong_value", 3, ""),
    (MARK + "class Own:\n    pass\n", "local_no_function", 3, ""),
    (MARK + "async def own(b):\n    return True\n", "local_no_function", 3, ""),
    (MARK + "def own(b, c):\n    return True\n", "local_parameters", 3, ""),
    (MARK + "def own():\n    return True\n", "local_parameters", 3, ""),
    (MARK + "def own(b):\n    b.runs != 0\n", "local_no_return", 3, ""),
    (MARK + "def own(b):\n    if b.runs:\n        return True\n", "local_no_return", 3, ""),
    (MARK + "def own(b):\n    while b.runs:\n        return True\n", "local_no_return", 3, ""),
    (MARK + "def own(b):\n    if b.runs:\n        return\n    return True\n", "local_no_return", 3, ""),
    (f"{MARK}def own(b):\n    return True\n\n\n{MARK}def other(b):\n    return True\n", "local_twice", 8, ""),
    (f"{MARK}def own(b):\n    return True\n\n\n{MARK}def own(b):\n    return True\n", "local_twice", 8, ""),
    ("import os\nos.nowhere\n", "local_broken", 4, ""),
    ("x = 5\ndef (:\n", "local_broken", 4, ""),
    ("x = 5\nexit()\n", "local_broken", 4, ""),
]


@pytest.mark.parametrize(("code", "error", "line", "nearest"), REPORTED)
def test_what_is_wrong_with_a_yaku_is_reported_with_its_line(
    tmp_path: Path, code: str, error: str, line: int, nearest: str
) -> None:
    with pytest.raises(RulesError) as caught:
        load_file(write(tmp_path, code))
    assert caught.value.code == error
    for language in LANGUAGES:
        said = caught.value.message(language)
        assert said.startswith(terms.text("errors.kinds.in_line", language, file="own.py", line=line))
        assert nearest in said
        assert "yaku.own" in said or error in ("local_id", "local_broken")


WAYS = [
    "    return True\n",
    "    if b.runs:\n        return True\n    else:\n        return False\n",
    "    while True:\n        return True\n",
    "    for k in range(3):\n        if b.runs >> k & 1:\n            return True\n    return False\n",
    "    match b.form:\n        case 0:\n            return True\n        case _:\n            return 0\n",
    "    raise ValueError\n",
    "    try:\n        return b.runs != 0\n    except Exception:\n        return False\n",
    "    try:\n        found = b.runs\n    finally:\n        return found != 0\n",
    "    for k in range(3):\n        if b.runs >> k:\n            return True\n    else:\n        return 0\n",
]


@pytest.mark.parametrize("body", WAYS)
def test_a_function_that_always_answers_is_taken(tmp_path: Path, body: str) -> None:
    assert load_file(write(tmp_path, f"{MARK}def own(b):\n{body}")).local


def test_every_problem_of_the_file_is_reported(tmp_path: Path) -> None:
    code = '@yaku("Own", closed=99, name={})\ndef own(b):\n    b.runs\n\n\n' + bridge(closed=27)
    with pytest.raises(RulesFileError) as caught:
        load_file(write(tmp_path, code))
    assert [problem.code for problem in caught.value.problems] == [
        "local_id", "wrong_yaku_value", "local_no_return", "wrong_yaku_value",
    ]  # fmt: skip


def test_a_file_and_the_one_that_it_extends_may_name_the_same_code(tmp_path: Path) -> None:
    write(tmp_path, bridge())
    both = 'extends = "club.toml"\n[local]\nfile = "{}.py"\n'
    (tmp_path / "evening.toml").write_text(both.format("own"))
    assert [yaku.id for yaku in load_file(tmp_path / "evening.toml").local] == ["kinmonkyou"]
    (tmp_path / "other.py").write_text(HEAD + bridge(closed=3), "utf-8")
    (tmp_path / "evening.toml").write_text(both.format("other"))
    with pytest.raises(RulesError) as caught:
        load_file(tmp_path / "evening.toml")
    assert caught.value.code == "local_twice"
    assert "own.py" in str(caught.value)
    assert "other.py" in str(caught.value)


def test_marked_functions_may_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shelf_of_yaku.py").write_text(HEAD + bridge(), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for folder in ("one", "two"):  # the second time the module is already loaded
        (tmp_path / folder).mkdir()
        path = write(tmp_path / folder, "from shelf_of_yaku import kinmonkyou  # noqa\n")
        assert [yaku.id for yaku in load_file(path).local] == ["kinmonkyou"]


def test_a_function_that_fails_in_play_has_no_yaku(tmp_path: Path) -> None:
    code = f"{MARK}def own(b):\n    return 1 // (b.streak - b.streak) == 1\n"
    assert "own" not in answer(CLOSED, load_file(write(tmp_path, code)))["yaku"]


@pytest.mark.slow
def test_sixteen_local_yaku_at_once(tmp_path: Path) -> None:
    code = MANY[: MANY.rindex("@yaku")].replace("return False", "return b.closed != 0")
    reply = answer(CLOSED, load_file(write(tmp_path, code)))
    assert sum(name not in catalogue() for name in reply["yaku"]) == MAX_LOCAL
    assert reply["limit"] == "kazoe_yakuman"


@pytest.mark.parametrize(
    "setting", ['when = "tsumo"', 'name = { en = "Other" }', 'definition = { en = "Other." }']
)
def test_a_yaku_in_python_takes_no_condition_or_words_from_the_rules_file(
    tmp_path: Path, setting: str
) -> None:
    """A condition would make a second yaku of the same id, which counted twice; words were ignored."""
    code = f"{MARK}def own(b):\n    return True\n"
    file = write(tmp_path, code)
    file.write_text(f"{file.read_text('utf-8')}\n[yaku.own]\n{setting}\n", "utf-8")
    with pytest.raises(RulesFileError) as caught:
        load_file(file)
    assert [problem.code for problem in caught.value.problems] == ["own_coded"]
