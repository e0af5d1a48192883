"""``jantaku event``: the standings of an event file, seasons, and seating plans."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.text import Text

from jantaku import terms
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.console import announce_compiling, heading, open_file, out, words
from jantaku.cli.console import table as new_table
from jantaku.cli.event_files import export, import_logs
from jantaku.cli.event_input import (
    MOST_BYTES,
    AsJson,
    EventFile,
    RulesName,
    printed,
    read_json,
    read_with_rules,
)
from jantaku.cli.event_statistics import ratings, statistics
from jantaku.errors import RequestError
from jantaku.seats import winds_of

if TYPE_CHECKING:
    from jantaku.club import ClubEvent, EventStandings
    from jantaku.club.season import SeasonStandings
    from jantaku.club.seating import SeatingPlan

MOST_NAMED = 400
QUALITY = ("repeats", "bound", "seat_spread", "table_spread", "seconds")

app = typer.Typer(cls=CommandGroup, no_args_is_help=True)
app.command("statistics", cls=Command)(statistics)
app.command("ratings", cls=Command)(ratings)
app.command("export", cls=Command)(export)
app.command("import", cls=Command)(import_logs)


@app.command("standings", cls=Command)
def standings(file: EventFile, rules: RulesName = "standard", as_json: AsJson = False) -> int:
    """Compute the standings of an event."""
    announce_compiling()
    from jantaku.club import event_from
    from jantaku.club import standings as work_out

    event = event_from(*read_with_rules(file, rules))
    found = work_out(event)
    if not printed(found.to_dict, as_json):
        _show(event, found)
    return 0


@app.command("season", cls=Command)
def season(file: EventFile, rules: RulesName = "standard", as_json: AsJson = False) -> int:
    """Rank the players of a season."""
    announce_compiling()
    from jantaku.club import season_standings

    found = season_standings(*read_with_rules(file, rules))
    if not printed(found.to_dict, as_json):
        _show_season(found)
    return 0


@app.command("template", cls=Command)
def show_template(name: Annotated[str | None, typer.Argument(metavar="NAME")] = None) -> int:
    """Print an event or season ready to be filled in, or the names of all."""
    announce_compiling()
    from jantaku.club import template, template_names

    found = "\n".join(template_names()) if name is None else None
    typer.echo(found or json.dumps(template(str(name)), ensure_ascii=False, indent=1))
    return 0


@app.command("seat", cls=Command)
def seat(
    players: Annotated[int, typer.Option(metavar="N")],
    rounds: Annotated[int, typer.Option(metavar="N")],
    teams: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    apart: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    as_json: AsJson = False,
) -> int:
    """Make a seating plan."""
    announce_compiling()
    from jantaku.club.seating import seat as make

    mates = dict(_rows(teams, "--teams")) if teams else {}
    names = _names(players, mates)
    plan = make(names, rounds, teams=mates, apart=_rows(apart, "--apart") if apart else (), seed=seed)
    if not printed(plan.to_dict, as_json, indent=None):
        _show_plan(plan)
    return 0


@app.command("next", cls=Command)
def next_(
    file: EventFile,
    stage: Annotated[str | None, typer.Option(metavar="ID")] = None,
    by: Annotated[str, typer.Option(metavar="random|swiss|ranking|interval")] = "swiss",
    leave: Annotated[list[str] | None, typer.Option("--out", metavar="ID")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    as_json: AsJson = False,
) -> int:
    """Seat one more round of a stage."""
    announce_compiling()
    from jantaku.adjudication.requests import choice
    from jantaku.club import event_from
    from jantaku.club.seating import next_round
    from jantaku.club.seating.next_round import ROUND_KINDS

    event = event_from(read_json(file))
    kind = cast("Any", choice(by, "--by", ROUND_KINDS))
    found = next_round(event, stage or event.stages[-1].id, kind, out=leave or (), seed=seed)
    if not printed(found.to_dict, as_json, indent=None):
        names = {entrant.id: entrant.name for entrant in event.players}
        tables = [[names[one] for one in table] for table in found.tables]
        _show_round(tables, [names[one] for one in found.byes])
    return 0


def _names(players: int, mates: Mapping[str, str]) -> list[str]:
    """The players of the file of teams; those it does not name are called by their numbers."""
    numbers = (str(i) for i in range(1, players + 1 + len(mates)))
    others = [number for number in numbers if number not in mates]
    if len(mates) > players:
        raise RequestError("number_range", field="--players", value=players, low=len(mates), high=MOST_NAMED)
    if all(name.isdecimal() and 0 < int(name) <= players for name in mates):
        return [str(i) for i in range(1, players + 1)]
    return [*mates, *others[: players - len(mates)]]


def _rows(name: str, field: str) -> list[tuple[str, str]]:
    """The rows of a CSV file of two columns; ``RequestError`` for one that has not two."""
    with open_file(Path(name)) as file:
        text = file.read(MOST_BYTES).decode("utf-8-sig", "replace")
    found = []
    for i, row in enumerate(csv.reader(text.splitlines()), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != 2:
            raise RequestError("two_columns", field=field, line=i, count=len(cells))
        found.append((cells[0], cells[1]))
    return found


def _show_round(tables: Sequence[Sequence[str]], byes: Sequence[str], title: str | None = None) -> None:
    from jantaku.cli.table_view import said

    titles = [words("event.table"), *(said(f"wind.{wind}") for wind in winds_of(len(tables[0])))]
    found = new_table(*titles, title=title)
    for t, table in enumerate(tables):
        found.add_row(str(t + 1), *table)
    out().print(found)
    if byes:
        out().print(words("event.byes", players=", ".join(byes)))


def _show_plan(plan: "SeatingPlan") -> None:
    for r, tables in enumerate(plan.rounds):
        _show_round(tables, plan.byes[r], words("event.round", number=r + 1))
    score = plan.to_dict()
    out().print(words("event.quality", **{name: score[name] for name in QUALITY}), style="bold")
    if plan.together:
        out().print(words("event.together", count=plan.together), style="yellow")


def _show_season(found: "SeasonStandings") -> None:
    table = new_table(*(words(f"event.{name}") for name in ("rank", "player", "points", "events")))
    for one in found.ranking:
        style = "bold" if one.player in found.finalists else ""
        cells = (str(one.rank), one.player, f"{one.points:+,}", str(one.events))
        table.add_row(*(Text(cell, style) for cell in cells))
    out().print(table)


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
