"""The application: its commands and its global options."""

from typing import Annotated

import typer

from jantaku import __version__
from jantaku.cli import (
    arena,
    backup,
    convert,
    demo,
    event,
    fair,
    hand,
    replay,
    rules,
    score,
    serve,
    settle,
    simulate,
    verify,
    warm,
    watch,
    yaku,
)
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.console import out
from jantaku.cli.play.command import play

app = typer.Typer(
    cls=CommandGroup,
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


for name, function in (
    ("score", score.score),
    ("waits", hand.waits),
    ("shanten", hand.shanten),
    ("yaku", yaku.yaku),
    ("verify", verify.verify),
    ("play", play),
    ("watch", watch.watch),
    ("replay", replay.replay),
    ("convert", convert.convert),
    ("fair", fair.fair),
    ("arena", arena.arena),
    ("simulate", simulate.simulate),
    ("settle", settle.settle),
    ("serve", serve.serve),
    ("backup", backup.backup),
    ("demo", demo.demo),
    ("warm", warm.warm),
):
    app.command(name, cls=Command)(function)
app.add_typer(rules.app, name="rules", cls=CommandGroup)
app.add_typer(event.app, name="event", cls=CommandGroup)
