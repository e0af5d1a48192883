"""The command line in three languages: output, exit codes, and error messages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from jantaku import terms
from jantaku.cli.app import app, commands_page
from jantaku.rules import catalogue
from jantaku.rules.yaku_names import names, nearest, search, shortened
from jantaku.terms import LANGUAGES
from support.terminal import run

SAMPLE = Path(__file__).parents[2] / "src" / "jantaku" / "data" / "sample-wins.jsonl"
WIN = ("score", "345m40677p67s 8s", "--chi", "340m", "--tsumo", "--seat", "north", "--dora", "4s")
TENHOU = (*WIN, "--rules", "tenhou")


# Arguments, exit code, and a part of the output in English, Japanese and Korean
COMMANDS: list[tuple[tuple[str, ...], int, tuple[str, str, str]]] = [
    (TENHOU, 0, ("3 han 30 fu", "3翻30符", "3판 30부")),
    ((*TENHOU, "--brief"), 0, ("Tanyao 1", "断么九 1", "탕야오 1")),
    ((*TENHOU, "--json"), 0, ('"tanyao": 1', '"tanyao": 1', '"tanyao": 1')),
    (("score", "123m456p789s1122z 3z", "--ron"), 1, ("not complete", "和了形", "화료")),
    (("waits", "23456m222z333z44z"), 0, ("3-sided", "3面待ち", "3면 대기")),
    (
        ("waits", "12s456m789p11z", "--ankan", "3333s", "--rules", "tenhou"),
        0,
        ("penchan", "ペンチャン", "펜짱"),
    ),
    (("waits", "12s456m789p11z", "--ankan", "3333s"), 0, ("every copy", "4枚とも", "네 장을 모두")),
    (("waits", "119m19p19s123567z", "--kita", "4"), 0, ("every copy", "4枚とも", "네 장을 모두")),
    (("waits", "1458m389p34679s1z"), 0, ("4-shanten", "4シャンテン", "4샨텐")),
    (("shanten", "1458m389p34679s14z"), 0, ("4-shanten", "4シャンテン", "4샨텐")),
    (("shanten", "123456m12357p11z"), 0, ("tenpai", "テンパイ", "텐파이")),
    (("yaku", "pinfu"), 0, ("1 han 30 fu", "1翻30符", "1판 30부")),
    (("yaku",), 0, ("four concealed triplets", "四暗刻", "스안커")),
    (("yaku", "tanpin"), 0, ("all simples", "断么九", "탕야오")),
    (("yaku", "メンタンピン"), 0, ("declared ready hand", "立直", "리치")),
    (("yaku", "yakuhai"), 0, ("round_wind", "場風牌", "장풍패")),
    (("rules", "list"), 0, ("Tenhou", "天鳳", "천봉")),
    (("rules", "show", "bgm-2025"), 0, ("standard: 1 han", "標準: 1翻", "표준: 1판")),
    (("rules", "show", "wrc", "--all"), 0, ("Daisharin", "大車輪", "대차륜")),
    (("rules", "diff", "standard", "wrc"), 0, ("Kiriage", "切り上げ", "키리아게")),
    (("rules", "diff", "tenhou", "tenhou"), 0, ("are identical", "違いはありません", "다른 점이 없습니다")),
    (("rules", "check", "tenhou"), 0, ("is valid", "問題はありません", "문제가 없습니다")),
    (("rules", "schema"), 0, ("$schema", "$schema", "$schema")),
    (("verify", str(SAMPLE)), 0, ("rows agree", "一致しました", "일치합니다")),
    (("demo", str(SAMPLE)), 0, ("Most frequent yaku", "よく出る役", "자주 나오는 역")),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("arguments", "code", "said"), COMMANDS, ids=lambda value: str(value)[:40])
def test_commands(
    arguments: tuple[str, ...], code: int, said: tuple[str, str, str], language: terms.Language
) -> None:
    result = run(*arguments, language=language)
    assert result.exit_code == code, result.output
    assert said[LANGUAGES.index(language)] in result.stdout


@pytest.mark.slow
def test_warm_prints_the_cache_folder() -> None:
    result = run("warm", language="ko")
    assert result.exit_code == 0, result.output
    assert "컴파일했습니다" in result.stdout


# Arguments, and a part of the message: the position of the error, or the suggested correction
MISTAKES: list[tuple[tuple[str, ...], str]] = [
    (("scoer", "1m"), "did you mean score"),
    (("score",), "write its tiles"),
    (("score", "123m456p789s112z 2z", "--ron"), "write 14"),
    (("score", "11111m456p789s11z 2z", "--ron"), "there are only four"),
    (("score", "123x"), "not a suit"),
    (("score", "123m456p789s1122z 2z", "--tsumo", "--ron"), "choose one"),
    (("score", "123m456p789s1122z 2z", "--from", "up"), "left"),
    (("score", "123m456p789s1122z 2z", "--seat", "nroth"), "north"),
    (("score", "123m456p789s1122z 2z", "--honba", "many"), "--honba"),
    (("score", "123m456p789s1122z 2z", "--honba"), "--honba"),
    (("score", "123m456p789s1122z 2z", "--pao", "daisangen"), "daisangen=left"),
    (("score", "123m456p789s1122z 2z", "--pao", "daisangan=left"), "daisangen"),
    (("score", "123m456p789s1122z 2z", "--rules", "tenho"), "tenhou"),
    (("score", "123m406p789s1122z 2z", "--tsumo", "--rules", "wrc"), "tiles.red"),
    (("score", "456p789s1122z 2z", "--chi", "124m"), "consecutive"),
    (("score", "456p789s1122z 2z", "--chi", "123m@behind"), "left"),
    (("score", "--ichi", "123m"), "did you mean --chi"),
    (("score", "--jsonl", "no-such-file.jsonl"), "no-such-file.jsonl"),
    (("waits", "123m"), "13"),
    (("shanten", "11111m456p789s112z"), "there are only four"),
    (("yaku", "pinfoo"), "pinfu"),
    (("yaku", "zzzzzzzz"), "jantaku yaku"),
    (("verify",), "missing"),
    (("verify", "game.mjlog"), "game.mjlog"),
    (("verify", "no-such-file.jsonl"), "no-such-file.jsonl"),
    (("rules", "show"), "missing"),
    (("rules", "show", "wrc", "ema"), "ema"),
    (("rules", "check", "no-such.toml"), "standard"),
    (("rules", "check", "{bad}"), "did you mean ippatsu"),
    (("rules", "check", "{bad}"), "same_waits"),
    (("rules", "check", "{circle}"), "circle"),
    (("rules", "check", "{binary}"), "UTF-8"),
    (("--lang", "fr", "rules", "list"), "en, ja, ko"),
]


@pytest.fixture
def broken_files(tmp_path: Path) -> dict[str, str]:
    contents = {
        "bad": b'[riichi]\nipatsu = false\nankan = "same_wait"\n',
        "circle": b'extends = "circle.toml"\n',
        "binary": b"\xff\xfe",
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.toml").write_bytes(content)
    return {name: str(tmp_path / f"{name}.toml") for name in contents}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("arguments", "said"), MISTAKES, ids=lambda value: str(value)[:40])
def test_user_errors(
    arguments: tuple[str, ...], said: str, language: terms.Language, broken_files: dict[str, str]
) -> None:
    result = run(*(argument.format(**broken_files) for argument in arguments), language=language)
    assert result.exit_code == 2, result.output
    assert not result.stdout
    assert language != "en" or said in result.stderr
    if "--lang" not in arguments:
        assert result.stderr.startswith(terms.text("cli.error", language))


def commands(node: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Yield all commands with their full names."""
    leaves = [(path, node)]
    for name, below in getattr(node, "commands", {}).items():
        leaves += commands(below, (*path, name))
    return leaves


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_every_parameter_has_a_help_text(language: terms.Language) -> None:
    """The text appears in the command's help and in the reference of all commands."""
    page = commands_page(language)
    sections = dict(re.findall(r"^##? jantaku ?([^\n]*)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    every = commands(typer.main.get_command(app))
    assert list(sections) == [" ".join(path) for path, _ in every]
    assert not re.search(r"^\| `[^`]*` \|\s*\|$", page, re.MULTILINE)  # a parameter without an explanation
    for path, command in every:
        texts: Any = terms.table("cli", language)["help"]
        shared = set(texts["options"])
        for name in path:
            texts = texts[name]
            shared |= set(texts.get("options", {}))
        below = {*getattr(command, "commands", {}), "titles", "options"}
        wanted = {"about", *(parameter.name for parameter in command.params)}
        own = {name for name in texts if name not in below}
        assert own <= wanted <= own | shared, path
        assert texts["about"].split("\n")[0] in run(*path, "--help", language=language).stdout
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert f"`{parameter.opts[0]}" in sections[" ".join(path)], f"{path} {parameter.opts}"


def test_the_language_option_may_be_anywhere() -> None:
    for arguments in (("--lang", "ko", "rules", "list"), ("rules", "list", "--lang=ko")):
        assert "천봉" in run(*arguments, language="ja").stdout


def test_bad_language_in_the_environment() -> None:
    result = run("rules", "list", language="xx")
    assert result.exit_code == 2
    assert "JANTAKU_LANG" in result.stderr


def test_score_charges_the_liable_player() -> None:
    dragons = ("score", "11m23p 4p", "--pon", "555z", "--pon", "666z@left", "--daiminkan", "7777z")
    result = run(*dragons, "--tsumo", "--pao", "대삼원=left", "--deposits", "1", "--json")
    payments = json.loads(result.stdout)["payments"]
    assert payments == {"east": -32000, "south": 33000, "west": 0, "north": 0}


def test_a_refused_hand_in_json() -> None:
    result = run("score", "123m456p789s1122z 3z", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "not_complete"


def test_the_stream_answers_in_order() -> None:
    lines = ['{"id":1,"hand":"234m567p34567s99p","win":"8s","by":"ron"}', "nonsense", '{"id":3}']
    result = run("score", "--jsonl", text="\n".join(lines))
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in rows] == [1, None, 3]
    assert ["error" in answer for answer in rows] == [False, True, True]
    assert result.exit_code == 0


def test_stream_takes_files_and_default_rules(tmp_path: Path) -> None:
    file = tmp_path / "requests.jsonl"
    file.write_text('{"hand":"234m567p34567s99p","win":"8s","by":"ron"}\n', "utf-8")
    answers = run("score", "--jsonl", str(file), "-", "--rules", "bgm-2025", text="").stdout
    assert json.loads(answers)["yaku"] == {"pinfu": 0}


def test_shanten_answers_a_stream() -> None:
    result = run("shanten", "--jsonl", text='{"id":"a","hand":"1458m389p34679s14z"}\n')
    wanted = {"id": "a", "shanten": 4, "standard": 4, "chiitoitsu": 6, "kokushi": 8}
    assert json.loads(result.stdout) == wanted


def test_verify_prints_differences(tmp_path: Path) -> None:
    row = json.loads(SAMPLE.read_text("utf-8").splitlines()[0])
    row["expect"] |= {"points": 1, "yaku": {"riichi": 9}}
    shanten = {"hand": "1458m389p34679s14z", "shanten": 0}
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{json.dumps(row)}\n{json.dumps(shanten)}\n[]\n", "utf-8")
    result = run("verify", str(file))
    assert result.exit_code == 1
    for said in ("points", '"riichi": 9', "shanten", "rows.jsonl:3", "Of 3 rows, 3 differ"):
        assert said in result.stdout
    assert "… and 3 more" in run("verify", str(file), "--show", "1").stdout


def test_a_broken_pipe_is_not_an_error() -> None:
    command = f'"{sys.executable}" -m jantaku rules schema | head -1'
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert not result.stderr


def test_rules_need_no_compiler() -> None:
    """Listing rules must not load the compiler, which takes almost a second."""
    script = (
        "import sys\nfrom jantaku.cli.app import app\n"
        "try: app(['rules', 'list'])\nexcept SystemExit: pass\n"
        "assert 'numba' not in sys.modules, 'numba'\n"
    )
    environment: dict[str, str] = {**os.environ, "JANTAKU_LANG": "en"}
    command = [sys.executable, "-c", script]
    subprocess.run(command, env=environment, check=True, capture_output=True)


# Search texts and the only yaku they match
SEARCHES = [
    ("pinfu", "pinfu"), ("PinFu", "pinfu"), ("ピンフ", "pinfu"), ("ぴんふ", "pinfu"), ("ﾋﾟﾝﾌ", "pinfu"),
    ("ｐｉｎｆｕ", "pinfu"), ("평화", "pinfu"), ("chi-toitsu", "chiitoitsu"), ("チトイツ", "chiitoitsu"),
    ("大三元", "daisangen"), ("대삼원", "daisangen"), ("ittsu", "ittsuu"), ("ryuiso", "ryuuiisou"),
    ("りゅういいそう", "ryuuiisou"), ("緑一色", "ryuuiisou"), ("hōtei", "houtei"),
    ("국사무쌍13면", "kokushi_juusanmen"), ("menzen tsumo", "menzen_tsumo"), ("純全帯幺九", "junchan"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "meant"), SEARCHES)
def test_search(typed: str, meant: str) -> None:
    assert search(typed) == [meant]


@pytest.mark.parametrize(
    ("typed", "meant"), [("pinfoo", "pinfu"), ("daisangan", "daisangen"), ("순챤타", "junchan")]
)
def test_nearest(typed: str, meant: str) -> None:
    assert not search(typed)
    assert nearest(typed)[0] == meant


def test_every_name_finds_exactly_its_yaku() -> None:
    owners: dict[str, str] = {}
    for yaku in catalogue():
        for name in names()[yaku]:
            assert search(name) == [yaku]
            assert owners.setdefault(shortened(name), yaku) == yaku
