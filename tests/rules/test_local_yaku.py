"""Local yaku: a Python file beside the rules file."""

from pathlib import Path
from typing import Any

import pytest

from jantaku import RulesError, RulesFileError, load, load_file
from jantaku.kernels._jit import COMPILED
from jantaku.rules import catalogue
from jantaku.rules.local import MAX_LOCAL
from support.scoring import answer, full, summary

HEAD = "from jantaku.kernels.masks import FIRSTS, DRAGONS\nfrom jantaku.rules.local import yaku\n"
BRIDGE = """
@yaku("kinmonkyou", closed={closed}, open={open}, name={{"ja": "金門橋"}}{more})
def kinmonkyou(b):
    return b.runs & b.runs >> 2 & b.runs >> 4 & b.runs >> 6 & FIRSTS != 0
"""
CLOSED = full({"hand": "12334556778m99p", "win": "9m"})
OPEN = full({"hand": "34556778m99p", "win": "9m", "melds": [{"type": "chi", "tiles": "123m"}]})


def write(folder: Path, code: str, rules: str = "") -> Path:
    (folder / "own.py").write_text(HEAD + code, "utf-8")
    path = folder / "club.toml"
    path.write_text('extends = "standard"\n[local]\nfile = "own.py"\n' + rules, "utf-8")
    return path


def bridge(closed: object = 2, opened: object = 1, more: str = "") -> str:
    return BRIDGE.format(closed=repr(closed), open=repr(opened), more=more)


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
    one = load_file(write(tmp_path, bridge()))
    assert one != load("standard")
    assert one == load_file(write(tmp_path, bridge()))
    assert one != load_file(write(tmp_path, bridge().replace(">> 2", ">> 3")))


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
    found = answer(CLOSED, load_file(write(tmp_path, code)))
    assert found == {"error": {"code": "local_uncompilable"}}


@pytest.mark.slow
def test_sixteen_local_yaku_at_once(tmp_path: Path) -> None:
    code = MANY[: MANY.rindex("@yaku")].replace("return False", "return b.closed != 0")
    found = answer(CLOSED, load_file(write(tmp_path, code)))
    assert sum(name not in catalogue() for name in found["yaku"]) == MAX_LOCAL
    assert found["limit"] == "kazoe_yakuman"
