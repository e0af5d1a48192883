"""``jantaku event``: the standings of an event file."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from jantaku import terms
from jantaku.adjudication.jsonl import parse_json
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.console import announce_compiling, heading, open_file, out, rules_finder, rules_named, words
from jantaku.cli.console import table as new_table
from jantaku.errors import RecordError

if TYPE_CHECKING:
    from jantaku.club import ClubEvent, EventStandings

MOST_BYTES = 64 * 1024 * 1024

app = typer.Typer(cls=CommandGroup, no_args_is_help=True)


@app.command("standings", cls=Command)
def standings(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    rules: Annotated[str, typer.Option(metavar="NAME|FILE")] = "standard",
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    """Compute the standings of an event."""
    announce_compiling()
    from jantaku.club import event_from
    from jantaku.club import standings as work_out

    ruleset = rules_named(rules)
    event = event_from(read_json(file), ruleset, rules_finder(rules, ruleset))
    found = work_out(event)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
    else:
        _show(event, found)
    return 0


def read_json(name: str) -> object:
    """The contents of a JSON file; raises ``RecordError`` or ``RequestError``."""
    with open_file(Path(name)) as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise RecordError("record_too_large", path=name, most=MOST_BYTES >> 20)
    return parse_json(text)


def _show(event: "ClubEvent", found: "EventStandings") -> None:
    names = {entrant.id: entrant.name for entrant in event.players}
    title = event.name.get(terms.current()) or next(iter(event.name.values()), "")
    if title:
        out().print(heading(title))
    titles = ("rank", "player", "points", "carried", "penalty", "games", "places", "average")
    for stage, rows in found.stages.items():
        table = new_table(*(words(f"event.{name}") for name in titles), title=stage)
        for one in rows:
            average = "" if one.average_place is None else f"{float(one.average_place):.2f}"
            places = "-".join(f"{float(count):g}" for count in one.places)
            cells = (str(one.rank), names[one.player], f"{one.points:+,}")
            sums = (f"{one.carried:+,}" if one.carried else "", f"{one.penalty:+,}" if one.penalty else "")
            style = "" if one.qualified else "dim"
            table.add_row(*(Text(cell, style) for cell in (*cells, *sums, str(one.games), places, average)))
        out().print(table)
    if found.teams:
        table = new_table(words("event.rank"), words("event.team"), words("event.points"))
        for team in found.teams:
            table.add_row(str(team.rank), team.team, f"{team.points:+,}")
        out().print(table)
