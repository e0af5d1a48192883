"""``jantaku event export``: an event file as spreadsheets, JSON, or a page that needs no server."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from jantaku import terms
from jantaku.cli.console import announce_compiling, out, words
from jantaku.cli.event_input import EventFile, RulesName, read_with_rules
from jantaku.errors import RecordError, RequestError


def export(
    file: EventFile,
    to: Annotated[Path, typer.Argument(metavar="FILE")],
    table: Annotated[str, typer.Option(metavar="standings|teams|games|hands")] = "standings",
    rules: RulesName = "standard",
) -> int:
    """Write an event in another format, which the name of the new file tells."""
    announce_compiling()
    from jantaku.adjudication.requests import choice
    from jantaku.club.export import EXPORTS, read_tables
    from jantaku.club.export.event_tables import SHEETS

    found = EXPORTS[choice(to.suffix.removeprefix("."), "FILE", tuple(EXPORTS))]
    choice(table, "--table", SHEETS)
    data, ruleset, find = read_with_rules(file, rules)
    tables = read_tables(cast("Any", data), ruleset, find)
    try:
        written = found.write(tables, table, terms.current())
    except ImportError as error:
        raise RequestError("server_missing", field=found.name, reason=error.name or str(error)) from error
    try:
        to.write_bytes(written)
    except OSError as error:
        raise RecordError("unwritable_file", path=str(to), reason=error.strerror or str(error)) from error
    out().print(words("event.exported", file=to), style="bold green", soft_wrap=True)
    return 0
