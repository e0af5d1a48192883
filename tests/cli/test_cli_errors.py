"""Invalid values everywhere in the command line and the library, and their error messages."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer

import jantaku
from cli.test_cli import commands
from jantaku import Hand, JantakuError, Win
from jantaku.bots import bot
from jantaku.cli import console
from jantaku.cli.app import app
from jantaku.club.templates import template
from jantaku.game import Discard, Game, Pass
from jantaku.lab.chunks import ChunkPlan
from jantaku.lab.vector import VectorEnv
from jantaku.terms import LANGUAGES
from support.terminal import run

INTERNAL: Final = re.compile(
    r"Traceback|<class|<function|NoneType|Errno|object is not|object has no|2\^6|\bdict\b|KeyError|ValueError"
    r"|not subscriptable|positional argument|unpack"
)
QUOTED: Final = re.compile(
    r"['\"“「`][^'\"”」`]*['\"”」`]|(?:[\w.-]+, ){2,}[\w.-]+|--?[\w-]+|jantaku [\w -]+"
)
ENGLISH: Final = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b", re.IGNORECASE)


def readable(said: str, language: str) -> None:
    """Check that a message contains no Python terms and, outside quotes, no words of another language."""
    assert said.strip()
    assert not INTERNAL.search(said), said
    if language != "en":
        plain = QUOTED.sub("", re.sub(r"/\S+", "", said))
        assert not ENGLISH.search(plain), said
        assert re.search(r"[가-힣]" if language == "ko" else r"[ぁ-んァ-ン一-龥]", said), said


BROKEN: Final = {
    "cut.mjlog": gzip.compress(b"<mjloggm ver='2.3'><GO/>" * 50)[:40],
    "bad.mjlog": b"<mjloggm ver='2.3'><GO type='x'/></mjloggm>",
    "bad.mjai": b'{"type":"start_game"}\n{"type":"dahai"}\n',
    "bad.json": b'{"title":1,',
    "log.json": b'{"name":["a"],"log":[[1]]}',
    "bad.jantaku": b'{"jantaku":1}\nxx\n',
    "bad.txt": b"jantaku1:@@@@",
    "bad.toml": b"[x\n",
    "binary.toml": b"\xff\xfe",
    "number.jsonl": b"5\n",
}
READERS: Final = (
    "replay",
    "fair",
    "verify",
    "event standings",
    "rules check",
    "rules show",
    "lab summary",
    "settle",
)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_cannot_be_read_is_explained(reader: str, language: str, tmp_path: Path) -> None:
    for name, content in BROKEN.items():
        (tmp_path / name).write_bytes(content)
    for path in (*(tmp_path / name for name in BROKEN), tmp_path, tmp_path / "absent.json"):
        result = run(*reader.split(), str(path), language=language)
        assert result.exit_code != 0
        readable((result.stderr.strip() or result.stdout).replace(str(tmp_path), ""), language)


def numbers() -> Iterator[tuple[str, ...]]:
    """Yield a call with a word as the value for every numeric option of every command."""
    for path, command in commands(typer.main.get_command(app)):
        for parameter in command.params:
            if parameter.metavar in ("N", "S") and parameter.param_type_name == "option":
                yield (*path, parameter.opts[0], "many")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_instead_of_a_number_is_refused_with_the_limits(language: str) -> None:
    """The message names the option and its limits, if it has any."""
    counts = list(numbers())
    assert len(counts) > 40
    for arguments in counts:
        result = run(*arguments, language=language)
        assert result.exit_code == 2, arguments
        assert arguments[-2] in result.stderr, (arguments, result.stderr)
        readable(result.stderr.split("\n")[0], language)
    assert "1" in run("arena", "standard", "--games", "x").stderr
    assert "65535" in run("serve", "--port", "70000").stderr


WITH_RULES: Final = {  # commands that take rules, with their other arguments
    "score": "123m456p789s1122z2z", "waits": "123m456p789s1122z", "shanten": "123m456p789s1122z",
    "yaku": "pinfu", "watch": "", "replay": "x.jsonl", "convert": "x.jsonl y.json",
    "fair": "x.jsonl", "serve": "", "arena": "standard", "mjai": "standard", "simulate": "",
    "settle": "x.jsonl",
    "verify": "x.jsonl", "lab ask": "--set yaku.pinfu.closed=0", "lab hand": "23456m234p678s99p1z",
    "lab run": "--out x", "lab adapt": "--out x", "event statistics": "x.json", "event ratings": "x.json",
    "event export": "x.json y.csv", "event import": "x.json x.jsonl --to x.json", "event standings": "x.json",
    "event season": "x.json", "event report": "x.json y.md",
}  # fmt: skip


SUGGESTED: Final = [  # a command line, and the word that its error suggests
    *((f"{name} {needed} --rules tenho", "tenhou") for name, needed in WITH_RULES.items()),
    ("rules show tenho", "tenhou"), ("rules sheet tenho", "tenhou"), ("rules diff ema tenho", "tenhou"),
    ("simulate --bots stndard", "standard"), ("arena standart strong strong strong", "standard"),
    ("completion bahs", "bash"),
    ("rules sheet standard --format pfd", "pdf"), ("rules sheet standard --one-page tenho", "tenhou"),
    ("score 234m567p34567s99p8s --seat nroth", "north"), ("lab run --draws wal --out x", "wall"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "meant"), SUGGESTED)
def test_the_nearest_word_is_suggested(
    line: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").touch()
    (tmp_path / "x.json").write_text(json.dumps({**template("bgm-2025"), "rules": None}), "utf-8")
    result = run(*line.split())
    assert result.exit_code == 2
    assert f"did you mean {meant}?" in result.stderr.lower()


HAND: Final = Hand.parse("234m567p34567s99p")
CALLS: Final[dict[str, Callable[[], Any]]] = {
    "load a file": lambda: jantaku.load("club.toml"),
    "load a near name": lambda: jantaku.load("tenho"),
    "load a number": lambda: jantaku.load(5),  # type: ignore[arg-type]
    "load data": lambda: jantaku.load({"riichi": {"ipatsu": False}}),
    "load_file absent": lambda: jantaku.load_file("/nowhere/club.toml"),
    "change nothing known": lambda: jantaku.load("tenhou").with_changes({"riichi.x": 1}),
    "change to a word": lambda: jantaku.load("tenhou").with_changes({"match.start_points": "many"}),
    "parse a suit": lambda: Win.parse("123x"),
    "parse too few": lambda: Win.parse("123m"),
    "parse a wind": lambda: Win.parse("234m567p34567s99p 8s", seat="up"),  # type: ignore[arg-type]
    "parse a seat of its own": lambda: jantaku.score(Win(HAND, jantaku.Tile.parse("8s"), round="up")),  # type: ignore[arg-type]
    "parse a number": lambda: Win.parse("234m567p34567s99p 8s", honba="x"),  # type: ignore[arg-type]
    "parse no field": lambda: Win.parse("234m567p34567s99p 8s", honbo=1),  # type: ignore[call-arg]
    "parse indicators": lambda: Win.parse("234m567p34567s99p 8s", dora=5),  # type: ignore[arg-type]
    "a meld's source": lambda: jantaku.Meld.parse("pon", "555z", source="up"),  # type: ignore[arg-type]
    "parse a meld": lambda: jantaku.Meld.parse("chi", "124m"),
    "a meld's kind": lambda: jantaku.Meld.parse("chow", "123m"),
    "score nothing": lambda: jantaku.score(Win.parse("123m456p789s1133z 3z")),
    "tile": lambda: jantaku.Tile.parse("99x"),
    "tiles": lambda: jantaku.parse_tiles("12"),
    "shanten": lambda: jantaku.shanten(Hand.parse("1m")),
    "game of no rules": lambda: Game("tenho"),
    "game of two": lambda: Game("tenhou", seed=1, walls=[[]]),
    "no seat": lambda: Game("tenhou", seed=1).legal(7),
    "not asked": lambda: Game("tenhou", seed=1).play(2, Pass()),
    "not held": lambda: Game("tenhou", seed=1).play(0, Discard(jantaku.Tile.parse("1m"), riichi="open")),
    "no action": lambda: Game("tenhou", seed=1).play(0, "discard"),  # type: ignore[arg-type]
    "no bot": lambda: bot("strongest"),
    "no games": lambda: VectorEnv(games=0),
    "seed below 0": lambda: VectorEnv(games=1, seed=-1),
    "wrong shape": lambda: VectorEnv(games=2).step([1]),
    "chunk": lambda: ChunkPlan(jantaku.load("tenhou"), ("standard",) * 4, 0, 1),
}  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
def test_wrong_arguments_of_the_library_are_explained(what: str) -> None:
    with pytest.raises(JantakuError) as caught:
        CALLS[what]()
    for language in LANGUAGES:
        readable(caught.value.message(language), language)


def test_progress_in_a_pipe_is_printed_as_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "PROGRESS_INTERVAL_S", 0.0)
    with console.progress() as bar:
        task = bar.add_task("Playing", total=3)
        bar.advance(task, 1)
        bar.update(task, completed=2)
        bar.update(task, completed=3)
    assert capsys.readouterr().err == "Playing 1/3\nPlaying 2/3\n"
    monkeypatch.setattr(console, "PROGRESS_INTERVAL_S", 60.0)
    with console.progress() as bar:
        bar.advance(bar.add_task("Playing", total=3), 1)
    assert capsys.readouterr().err == ""


def test_a_single_round_has_no_interval() -> None:
    result = run("arena", "standard", "efficient", "efficient", "random", "--games", "4")
    assert result.exit_code == 0, result.stderr
    assert "inf" not in result.stdout
    assert "nan" not in result.stdout


# Completion ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "offered"), [
    ("sc", "score"), ("score --rules ten", "tenhou tenhou-3"), ("rules show clu", "club.toml"),
    ("rules show bgm-2025-", "bgm-2025-4 bgm-2025-red7"), ("lab run --draws ", "own wall"),
    ("score --from a", "across"), ("lab sum", "summary"),
])  # fmt: skip
def test_bash_completion(typed: str, offered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the completion in a separate process, as Bash does."""
    (tmp_path / "club.toml").touch()
    monkeypatch.setenv("COMP_WORDS", f"jantaku {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" "))))
    monkeypatch.setenv("_JANTAKU_COMPLETE", "complete_bash")
    command = [sys.executable, "-m", "jantaku"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == offered.split(), done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_scripts(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"complete_{shell}" in result.stdout
    assert "bash, zsh, fish, powershell" in run("completion", "tcsh").stderr


# Impossible wins -------------------------------------------------------------------------------------------

CLOSED: Final = "score 123789m4699p222s 5p --riichi"
DRAGONS: Final = "score 1m123p 1m --pon 555z@left --pon 666z@left --pon 777z@right --tsumo"
THREE_SEATS: Final = "score 123789p46s99p222s 5s --ron --rules tenhou-3"
THREE_DRAGONS: Final = f"{DRAGONS.replace('1m', '1p').replace('123p', '123s')} --rules tenhou-3"


@pytest.mark.parametrize(
    ("refused", "allowed"),
    [
        (f"{DRAGONS} --pao daisangen=left --pao daisangen=right", f"{DRAGONS} --pao daisangen=left"),
        (f"{CLOSED} --dora 1m --ura 2m3m", f"{CLOSED} --dora 1m --ura 2m"),
        (f"{THREE_SEATS} --riichi --from across", f"{THREE_SEATS} --riichi --from left"),
        (f"{THREE_DRAGONS} --pao daisangen=across", f"{THREE_DRAGONS} --pao daisangen=left"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_contradictory_circumstances_are_refused(refused: str, allowed: str, language: str) -> None:
    result = run(*refused.split(), language=language)
    assert result.exit_code == 2, result.output
    readable(result.stderr.partition(":")[2], language)
    assert run(*allowed.split(), language=language).exit_code == 0
