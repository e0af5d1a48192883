"""The application: its commands and its global options."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from jantaku import __version__, terms
from jantaku.cli.command import Command, CommandGroup, help_of, names_of, panels, texts_of
from jantaku.cli.console import out
from jantaku.terms import Language

# Module and attribute of each command, in the order of the help page; ``app`` is a group of commands
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "score": ("score", "score"),
    "waits": ("hand", "waits"),
    "shanten": ("hand", "shanten"),
    "yaku": ("yaku", "yaku"),
    "verify": ("verify", "verify"),
    "watch": ("watch", "watch"),
    "replay": ("watch", "replay"),
    "review": ("review", "review"),
    "convert": ("records", "convert"),
    "fair": ("records", "fair"),
    "arena": ("simulate", "arena"),
    "mjai": ("mjai", "mjai"),
    "simulate": ("simulate", "simulate"),
    "settle": ("settle", "settle"),
    "serve": ("serve", "serve"),
    "backup": ("backup", "backup"),
    "upgrade": ("backup", "upgrade"),
    "demo": ("demo", "demo"),
    "warm": ("warm", "warm"),
    "completion": ("command", "completion"),
    "rules": ("rules", "app"),
    "lab": ("lab", "app"),
    "event": ("event", "app"),
}


class _Commands(Mapping[str, Any]):
    """The commands by name, each imported on first access, because most calls need only one."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module, attribute = COMMANDS[name]
            self._loaded[name] = _command(name, getattr(import_module(f"jantaku.cli.{module}"), attribute))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _command(name: str, command: Any) -> Any:
    """Return the command that Typer builds from a function or a group."""
    parent = typer.Typer()
    parent.callback()(lambda: None)  # without a callback, a single command becomes the whole application
    if isinstance(command, typer.Typer):
        parent.add_typer(command, name=name, cls=CommandGroup)
    else:
        parent.command(name, cls=Command)(command)
    group: Any = typer.main.get_command(parent)
    return group.commands[name]


class _Application(CommandGroup):
    """The outermost group."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()


app = typer.Typer(
    cls=_Application,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        out().print(f"jantaku {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def options(
    # removed from the arguments before parsing (Group.main); here for the help text
    lang: Annotated[str | None, typer.Option(metavar="ko|ja|en", envvar="JANTAKU_LANG")] = None,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Handle the options before a command."""


def commands_page(language: Language) -> str:
    """Return the reference of all commands with their arguments and options, as Markdown."""
    with terms.using(language):
        command: Any = typer.main.get_command(app)
        return "\n".join(_section(command, command.context_class(command, info_name="jantaku")))


def _section(command: Any, context: Any) -> Iterator[str]:
    """Yield the lines about a command and its subcommands."""
    yield f"{'#' * (2 if context.parent else 1)} {context.command_path}"
    yield ""
    yield f"```text\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```"
    yield ""
    yield _literal(texts_of(context)["about"])
    yield ""
    for title, parameters in panels(command.get_params(context)).items():
        yield f"| {title} | |\n|---|---|"
        for parameter in parameters:
            meaning = _literal(help_of(parameter, context).plain)
            yield f"| `{_cell(names_of(parameter).plain)}` | {_cell(meaning)} |"
        yield ""
    for name, below in getattr(command, "commands", {}).items():
        yield from _section(below, command.context_class(below, info_name=name, parent=context))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _literal(text: str) -> str:
    """Escape Markdown syntax."""
    for sign in "\\`*_<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text
