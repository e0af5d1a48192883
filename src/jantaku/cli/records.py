"""``jantaku convert`` and ``fair``: a recorded game in another format, and its walls checked."""

import sys
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer

from jantaku.cli.command import RULES
from jantaku.cli.console import err, out, print_difference, rules_named, words
from jantaku.errors import RecordError

STDOUT = "-"


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN")],
    target: Annotated[str, typer.Argument(metavar="OUT")],
    to: Annotated[str | None, typer.Option(metavar="FORMAT")] = None,
    rules: Annotated[str | None, RULES] = None,
    as_recorded: Annotated[bool, typer.Option("--as-recorded")] = False,
) -> int:
    """Read a record of any format and write it in another."""
    from jantaku.records import formats

    name = to or formats.format_of(target)
    record = formats.read_record(source, rules_named(rules) if rules else None, as_recorded=as_recorded)
    print_difference(record.difference)
    if target == STDOUT:
        text = formats.dumps(record.game, name, record.names or None)
        cast("Any", sys.stdout).reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        return 0
    formats.write(record.game, target, name, record.names or None)
    played = record.game
    said = words("convert.done", target=target, hands=len(played.walls), rules=played.rules.id, format=name)
    err().print(said, style="dim")
    return 0


UNFAIR: Final = 1
# The errors of a game file whose seed does not reproduce the rest of the file
DIFFERENCES: Final = ("record_commitment", "record_event", "record_action")


def fair(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    rules: Annotated[str | None, RULES] = None,
) -> int:
    """Check the commitment, the opening and every wall of a game."""
    from jantaku.game import fair_walls
    from jantaku.records.formats import read_record

    console = out()
    try:
        record = read_record(file, rules_named(rules) if rules else None)
    except RecordError as error:
        if error.code not in DIFFERENCES:
            raise
        console.print(words("fair.wrong", reason=error.message()), style="bold red")
        return UNFAIR
    game = record.game
    if game.seed is None:
        console.print(words("fair.given"), style="yellow")
        return 0
    if record.format == "compact":
        console.print(words("fair.uncommitted"), style="yellow")
        return 0
    commitment = fair_walls.commitment(game.seed)
    console.print(words("fair.commitment", commitment=commitment), soft_wrap=True)
    if not fair_walls.check(commitment, game.seed, game.walls):
        console.print(words("fair.wrong", reason=commitment), style="bold red")
        return UNFAIR
    console.print(words("fair.opening"), style="green")
    console.print(words("fair.walls", count=len(game.walls)), style="green")
    return 0
