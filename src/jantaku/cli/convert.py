"""``jantaku convert``: converts a recorded game to another format."""

import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from jantaku.cli.completion import RULES
from jantaku.cli.console import err, print_difference, rules_named, words

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
