"""``jantaku completion``: what a shell needs to complete commands, options, rulesets and choices.

Typer asks this program again while somebody types. It only needs to be told what fits where.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from jantaku.errors import no_choice
from jantaku.rules import preset_names

SHELLS: Final = ("bash", "zsh", "fish", "powershell")
VARIABLE: Final = "_JANTAKU_COMPLETE"


def completion(shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS))]) -> None:
    """Print the script that a shell reads."""
    from typer import completion as scripts  # only here

    made: Any = scripts

    if shell not in SHELLS:
        raise no_choice("SHELL", shell, SHELLS)
    typer.echo(made.get_completion_script(prog_name="jantaku", complete_var=VARIABLE, shell=shell))


def prepare() -> None:
    """Get ready to answer a shell that completes a line."""
    if VARIABLE in os.environ:
        from typer import completion as scripts  # only here

        made: Any = scripts
        made.completion_init()


def with_words(items: list[Any], words: Callable[[str], str]) -> list[Any]:
    """The suggestions with what ``words`` says of each, in the user's language."""
    for item in items:
        item.help = words(item.value).split("\n")[0] or None
    return items


def _rules(incomplete: str) -> list[str]:
    """Named rulesets, and rules files in the folder that is being typed."""
    folder = Path(incomplete).parent
    files = sorted(str(path) for path in folder.glob("*.toml"))
    return [name for name in (*preset_names(), *files) if name.startswith(incomplete)]


def _parts(incomplete: str) -> list[str]:
    """The parts of the gallery."""
    from jantaku.rules.gallery import gallery  # only where they are asked for

    return [name for name in gallery() if name.startswith(incomplete)]


def one_of(metavar: str, *names: str, panel: str | None = None) -> Any:
    """An option with one of some values: ``left|across|right``."""

    def among(incomplete: str) -> list[str]:
        return [choice for choice in metavar.split("|") if choice.startswith(incomplete)]

    return typer.Option(*names, metavar=metavar, autocompletion=among, rich_help_panel=panel)


RULES: Final[Any] = typer.Option(metavar="NAME|FILE", autocompletion=_rules)
RULES_ARGUMENT: Final[Any] = typer.Argument(metavar="NAME|FILE", autocompletion=_rules)
GALLERY_ARGUMENT: Final[Any] = typer.Argument(metavar="ID", autocompletion=_parts)
