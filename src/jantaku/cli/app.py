"""The application: its commands and its global options."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from jantaku import __version__
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.console import out

# Where each command stands, in the order of the help page; ``app`` is a group of commands
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "score": ("score", "score"),
    "waits": ("hand", "waits"),
    "shanten": ("hand", "shanten"),
    "yaku": ("yaku", "yaku"),
    "verify": ("verify", "verify"),
    "play": ("play.command", "play"),
    "watch": ("watch", "watch"),
    "replay": ("replay", "replay"),
    "convert": ("convert", "convert"),
    "fair": ("fair", "fair"),
    "arena": ("arena", "arena"),
    "simulate": ("simulate", "simulate"),
    "settle": ("settle", "settle"),
    "serve": ("serve", "serve"),
    "backup": ("backup", "backup"),
    "upgrade": ("backup", "upgrade"),
    "demo": ("demo", "demo"),
    "warm": ("warm", "warm"),
    "completion": ("completion", "completion"),
    "rules": ("rules", "app"),
    "lab": ("lab", "app"),
    "event": ("event", "app"),
}


class _Commands(Mapping[str, Any]):
    """The commands by name; each is imported when somebody asks for it, as a call needs one of them."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, attribute = COMMANDS[name]
            self._made[name] = _command(name, getattr(import_module(f"jantaku.cli.{module}"), attribute))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _command(name: str, command: Any) -> Any:
    """The command that Typer makes of a function or a group."""
    parent = typer.Typer()
    parent.callback()(lambda: None)  # or a single command would be the whole application
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
