"""All commands as one Markdown page, made from the commands themselves."""

from collections.abc import Iterator
from typing import Any

import typer

from jantaku import terms
from jantaku.cli.app import app
from jantaku.cli.help import meaning_of, names_of, panels, texts_of
from jantaku.terms import Language


def commands_page(language: Language) -> str:
    """Every command with its arguments and options in one language."""
    with terms.using(language):
        command: Any = typer.main.get_command(app)
        return "\n".join(_section(command, command.context_class(command, info_name="jantaku")))


def _section(command: Any, context: Any) -> Iterator[str]:
    """The lines about a command and about the commands below it."""
    yield f"{'#' * (2 if context.parent else 1)} {context.command_path}"
    yield ""
    yield f"```text\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```"
    yield ""
    yield _literal(texts_of(context)["about"])
    yield ""
    for title, parameters in panels(command.get_params(context)).items():
        yield f"| {title} | |\n|---|---|"
        for parameter in parameters:
            meaning = _literal(meaning_of(parameter, texts_of(context)).plain)
            yield f"| `{_cell(names_of(parameter).plain)}` | {_cell(meaning)} |"
        yield ""
    for name, below in getattr(command, "commands", {}).items():
        yield from _section(below, command.context_class(below, info_name=name, parent=context))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _literal(text: str) -> str:
    """The text without meaning to Markdown."""
    for sign in "\\`*_<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text
