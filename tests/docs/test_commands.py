"""Commands in the documentation exist with their options; those that need no files run."""

import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from docs.pages import ASSIGNMENT, abbreviated, pages, shown
from jantaku.cli.app import app
from jantaku.server.app import create_app
from jantaku.server.settings import Settings
from support.terminal import run

COMMANDS: Final = shown("jantaku")
QUICK: Final = re.compile(r"(score|waits|shanten|yaku|rules (list|show|diff|check|schema)) ")
# Existing files and names that replace placeholders
PLACEHOLDERS: Final = {"A": "tenhou", "B": "m-league", "FILE": "club.toml"}


def calls(text: str) -> list[list[str]]:
    """Return the arguments of each call of ``jantaku`` in a line, without redirections."""
    parts = (shlex.split(re.sub(r" [<>] .*", "", part)) for part in text.split(" | "))
    words = [[word for word in part if not ASSIGNMENT.fullmatch(word)] for part in parts]
    return [part[1:] for part in words if part[0] == "jantaku"]


def is_known(words: list[str]) -> bool:
    """Return whether a command with these options exists; required arguments may be missing."""
    command: Any = typer.main.get_command(app)
    name, rest = "jantaku", list(words)
    if "--lang" in rest:  # this option is allowed anywhere
        del rest[(at := rest.index("--lang")) : at + 2]
    while rest and hasattr(command, "commands") and not rest[0].startswith("-"):
        name = rest.pop(0)
        if (command := command.commands.get(name)) is None:
            return False
    if {"--help", "--version"} & {*rest}:
        return True
    try:
        command.make_context(name, rest)
    except Exception as error:  # typer does not export the classes of click
        # ``Exit``: an option such as --schema prints at once
        fine = type(error).__name__ in ("MissingParameter", "NoArgsIsHelpError", "Exit")
        return fine or "requires an argument" in str(error)
    return True


@pytest.mark.parametrize("text", sorted(COMMANDS))
def test_a_shown_command_works(text: str, rules_folder: Path) -> None:
    for words in calls(text):
        assert is_known(words)
        line = " ".join(words)
        if QUICK.match(line) and not re.search(r" [|<>] |--jsonl|…|\b[A-Z]{3,}\b", text):
            result = run(*(PLACEHOLDERS.get(word, word) for word in words))
            assert result.exit_code == 0, result.stderr
            assert result.stdout.strip()


@pytest.mark.parametrize(("whole", "short"), sorted({pair for page in pages() for pair in abbreviated(page)}))
def test_an_abbreviated_command_is_known(whole: str, short: str) -> None:
    """After ``jantaku rules list``, ``show NAME`` stands for ``jantaku rules show NAME``."""
    first, second = shlex.split(whole)[1:], shlex.split(short)
    assert any(is_known([*first[:count], *second]) for count in range(len(first) + 1))


@pytest.mark.parametrize("text", shown("curl"))
def test_a_shown_request_has_a_route(text: str, tmp_path: Path) -> None:
    words = shlex.split(text)
    path = next(word for word in words if word.startswith("http")).split("/", 3)[3]
    known = create_app(Settings(data_dir=tmp_path)).openapi()["paths"]
    like = [known[route] for route in known if re.fullmatch(re.sub(r"{\w+}", r"[^/]+", route), f"/{path}")]
    assert any(("post" if "-d" in words else "get") in methods for methods in like)
