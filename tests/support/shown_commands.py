"""Runs a command that a page shows as a reader would type it, in a folder with the files that pages name."""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.testing import CliRunner

from jantaku.cli.app import app
from jantaku.cli.command import BAD_USE
from support.pages import ASSIGNMENT, words_of

# What stands for a reader's own file or name, and what it is here
PLACEHOLDERS: Final = {
    "FILE": "game.jsonl", "파일": "game.jsonl", "ファイル": "game.jsonl", "LOG": "game.jsonl",
    "IN": "game.jsonl", "입력": "game.jsonl", "入力": "game.jsonl",
    "OUT": "game.mjson", "출력": "game.mjson", "出力": "game.mjson", "OUT.jsonl": "again.jsonl",
    "A": "tenhou", "B": "m-league",
    "요청": "requests", "リクエスト": "requests", "답": "answers", "答え": "answers",
}  # fmt: skip
# The same words where a command wants a file of another kind
OF_COMMAND: Final = {
    "event standings": {"FILE": "summer.json"},
    "rules check": {"FILE": "club.toml"},
    "rules gallery": {"ID": "isshoku_sanjun"},
    "rules show": {"FILE": "club.toml"},
    "backup": {"FILE": "new.sqlite3"},
    "replay": dict.fromkeys(("FILE", "파일", "ファイル"), "begun.jsonl"),
    "lab run": {"club.toml": "house.toml"},
    "event import": {"event.json": "summer.json", "LOG": "named.mjson"},
}
# What the reader of a page has run before
STUDY: Final = "lab run --rules tenhou --against house.toml --games 2 --out study"
EARLIER: Final = {"lab summary": STUDY, "lab report": STUDY}
# How much is played, whatever the page says
FEW: Final = {"--games": "2", "--generations": "1", "--match": "2"}


# Serves until it is stopped, asks a player, takes its time over a game, compiles for a minute
NOT_RUN: Final = frozenset(("serve", "play", "watch", "warm"))


def invoke(words: list[str], stdin: str = "", env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Call ``jantaku`` in this process: exit code, output and messages."""
    result = CliRunner().invoke(
        app, words, input=stdin, env={"COLUMNS": "100", "NO_COLOR": "1", **(env or {})}
    )
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def found(words: list[str]) -> tuple[str, Any, list[str]]:
    """The name of the command (``event seat``), the command, and the words left for it."""
    command: Any = typer.main.get_command(app)
    names: list[str] = []
    rest = list(words)
    if "--lang" in rest:  # which may stand anywhere
        del rest[rest.index("--lang") : rest.index("--lang") + 2]
    while rest and hasattr(command, "commands") and not rest[0].startswith("-"):
        assert rest[0] in command.commands, f"no command {rest[0]!r} in {words}"
        names.append(rest[0])
        command = command.commands[rest.pop(0)]
    return " ".join(names), command, rest


def parse(command: Any, name: str, rest: list[str]) -> bool:
    """Whether the words are complete; raises if one of them is wrong."""
    if "--help" in rest:
        return False
    try:
        command.make_context(name, list(rest))
    except Exception as error:
        incomplete = type(error).__name__ in ("MissingParameter", "NoArgsIsHelpError")
        if incomplete or "requires an argument" in str(error):
            return False
        raise
    return True


def filled(words: list[str]) -> list[str]:
    """The words with a file for each placeholder, and few games."""
    name, command, rest = found(words)
    table = PLACEHOLDERS | OF_COMMAND.get(name, {})
    ready = [table.get(word.rstrip("…"), word) for word in rest]
    for number, few in FEW.items():
        if any(number in option.opts for option in command.params):
            if number in ready:
                assert int(ready.pop(ready.index(number) + 1)) > 0
                ready.remove(number)
            ready += [number, few]
    language = words[words.index("--lang") :][:2] if "--lang" in words else []
    return [*language, *name.split(), *ready]


def jantaku(words: list[str], folder: Path, stdin: str = "", env: Mapping[str, str] | None = None) -> str:
    """Run one call; the output. A command without what it needs is only named: its help page must exist."""
    name, command, rest = found(words)
    if name and not parse(command, name, found(filled(words))[2]):
        words, stdin = [*name.split(), "--help"], ""
    elif name in NOT_RUN:
        return ""
    if name in EARLIER:
        assert invoke(EARLIER[name].split())[0] == 0
    code, output, messages = invoke(filled(words), stdin, env)
    if code == BAD_USE and not rest:  # a name alone, of a command that must be told what to work on
        code, output, messages = invoke([*name.split(), "--help"])
    assert code == 0, f"{words}: {output} {messages}"
    assert output.strip() or any(folder.iterdir())
    return output


def pipeline(text: str, folder: Path, env: Mapping[str, str]) -> None:
    """Run calls of ``jantaku`` and ``echo`` with their redirections."""
    passed = ""
    for stage in text.split(" | "):
        words = words_of(stage)
        # a variable with … stands for the reader's own address; here it keeps its value
        given = [word for word in words if ASSIGNMENT.fullmatch(word) and "…" not in word]
        env = {**env, **dict(word.split("=", 1) for word in given)}
        words = [word for word in words if not ASSIGNMENT.fullmatch(word)]
        target = ""
        while ">" in words:
            at = words.index(">")
            target, words = PLACEHOLDERS.get(words[at + 1], words[at + 1]), words[:at] + words[at + 2 :]
        if "<" in words:
            at = words.index("<")
            source, words = PLACEHOLDERS.get(words[at + 1], words[at + 1]), words[:at] + words[at + 2 :]
            passed = (folder / source).read_text("utf-8")
        if words[0] == "echo":
            passed = " ".join(words[1:]) + "\n"
        else:
            assert words[0] == "jantaku"
            passed = jantaku(words[1:], folder, passed, env)
        if target:
            (folder / target).write_text(passed, "utf-8")


def run_here(text: str, folder: Path) -> None:
    """Run a pipeline of our own commands."""
    pipeline(text, folder, {})


def run_in_a_shell(text: str, folder: Path) -> None:
    """Run system tools on our files."""
    if missing := [stage.split()[0] for stage in text.split(" | ") if not shutil.which(stage.split()[0])]:
        pytest.skip(f"no {missing[0]} here")
    subprocess.run(["sh", "-c", text], cwd=folder, check=True, capture_output=True, timeout=60)


def is_a_route(text: str, folder: Path) -> None:
    """``curl``: the server has a route of this path for this method."""
    from jantaku.server.app import create_app
    from jantaku.server.settings import Settings

    words = words_of(text)
    path = next(word for word in words if word.startswith("http")).split("/", 3)[3]
    method = "post" if "-d" in words else "get"
    known = create_app(Settings(data_dir=folder)).openapi()["paths"]
    like = [known[route] for route in known if re.fullmatch(re.sub(r"{\w+}", r"[^/]+", route), f"/{path}")]
    assert any(method in methods for methods in like), text


CHECKS: Final[dict[str, Callable[[str, Path], None]]] = {
    "jantaku": run_here,
    "echo": run_here,
    "zcat": run_in_a_shell,
    "curl": is_a_route,
}
