"""The page of all commands names each of them with its parameters, in every language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from jantaku.cli.app import app, commands_page
from jantaku.terms import LANGUAGES, Language


def every(command: Any, path: str = "jantaku") -> Iterator[tuple[str, Any]]:
    """All commands with the words that call them."""
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from every(below, f"{path} {name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_every_command_and_option(language: Language) -> None:
    page = commands_page(language)
    sections = dict(re.findall(r"^##? (jantaku[^\n]*)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    commands = dict(every(typer.main.get_command(app)))
    assert list(sections) == list(commands)
    for path, command in commands.items():
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert f"`{parameter.opts[0]}" in sections[path], f"{path} {parameter.opts}"
    assert "| `" in page
    assert not re.search(r"^\| `[^`]*` \|\s*\|$", page, re.MULTILINE)  # a parameter without a meaning
