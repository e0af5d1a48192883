"""``jantaku event``: the standings of an event file, seasons, and seating plans."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.text import Text

from jantaku import terms
from jantaku.cli.command import Command, CommandGroup
from jantaku.cli.completion import one_of
from jantaku.cli.console import heading, open_file, out, printed, words
from jantaku.cli.console import table as new_table
from jantaku.cli.event_files import export, import_logs, report
from jantaku.cli.event_input import MOST_BYTES, AsJson, EventFile, RulesName, read_with_rules
from jantaku.cli.event_seating import reseat, show_plan, show_round
from jantaku.cli.event_statistics import ratings, statistics
from jantaku.errors import RequestError
from jantaku.hand import WIND_NAMES
from jantaku.terms import signed

if TYPE_CHECKING:
    from jantaku.club import ClubEvent, EventStandings
    from jantaku.club.season_file import SeasonStandings

MOST_NAMED = 400

app = typer.Typer(cls=CommandGroup, no_args_is_help=True)
app.command("statistics", cls=Command)(statistics)
app.command("ratings", cls=Command)(ratings)
app.command("export", cls=Command)(export)
app.command("report", cls=Command)(report)
app.command("import", cls=Command)(import_logs)
app.command("reseat", cls=Command)(reseat)


@app.command("standings", cls=Command)
def standings(file: EventFile, rules: RulesName = None, as_json: AsJson = False) -> int:
    """Compute the standings of an event."""
    from jantaku.club import event_from
    from jantaku.club import standings as work_out

    event = event_from(*read_with_rules(file, rules))
    standings = work_out(event)
    if not printed(standings.to_dict, as_json):
        _show(event, standings)
    return 0


@app.command("season", cls=Command)
def season(file: EventFile, rules: RulesName = None, as_json: AsJson = False) -> int:
    """Rank the players of a season."""
    from jantaku.club import season_standings
    from jantaku.club.season_file import events_in

    standings = season_standings(*read_with_rules(file, rules, events_in))
    if not printed(standings.to_dict, as_json):
        _show_season(standings)
    return 0


@app.command("template", cls=Command)
def show_template(name: Annotated[str | None, typer.Argument(metavar="NAME")] = None) -> int:
    """Print an event or season ready to be filled in, or the names of all."""
    from jantaku.club import template, template_names

    text = "\n".join(template_names()) if name is None else None
    typer.echo(text or json.dumps(template(str(name)), ensure_ascii=False, indent=1))
    return 0


@app.command("seat", cls=Command)
def seat(  # noqa: PLR0913, PLR0917  (each is an option)
    players: Annotated[int, typer.Option(metavar="N")],
    rounds: Annotated[int, typer.Option(metavar="N")],
    teams: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    apart: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    seats: Annotated[int, typer.Option(metavar="N", min=2, max=len(WIND_NAMES))] = len(WIND_NAMES),
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    as_json: AsJson = False,
) -> int:
    """Make a seating plan."""
    from jantaku.club.seating import seat as make

    mates = dict(_rows(teams, "--teams")) if teams else {}
    names = _names(players, mates)
    kept_apart = _rows(apart, "--apart") if apart else ()
    plan = make(names, rounds, teams=mates, apart=kept_apart, seats=seats, seed=seed)
    if not printed(plan.to_dict, as_json, indent=None):
        show_plan(plan)
    return 0


@app.command("next", cls=Command)
def next_(  # noqa: PLR0913, PLR0917  (each is an option)
    file: EventFile,
    stage: Annotated[str | None, typer.Option(metavar="ID")] = None,
    by: Annotated[str, one_of("random|swiss|ranking|interval")] = "swiss",
    leave: Annotated[list[str] | None, typer.Option("--out", metavar="ID")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    rules: RulesName = None,
    as_json: AsJson = False,
) -> int:
    """Seat one more round of a stage."""
    from jantaku.club import event_from
    from jantaku.club.seating import next_round
    from jantaku.club.seating.next_round import ROUND_KINDS
    from jantaku.fields import choice

    event = event_from(*read_with_rules(file, rules))
    kind = cast("Any", choice(by, "--by", ROUND_KINDS))
    seats = next_round(event, stage or event.stages[-1].id, kind, out=leave or (), seed=seed)
    if not printed(seats.to_dict, as_json, indent=None):
        names = {entrant.id: entrant.label for entrant in event.players}
        tables = [[names[player] for player in table] for table in seats.tables]
        show_round(tables, [names[bye] for bye in seats.byes])
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
    rows = []
    for i, row in enumerate(csv.reader(text.splitlines()), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != 2:
            raise RequestError("two_columns", field=field, line=i, count=len(cells))
        rows.append((cells[0], cells[1]))
    return rows


def _show_season(standings: "SeasonStandings") -> None:
    table = new_table(*(words(f"event.{name}") for name in ("rank", "player", "points", "events")))
    for standing in standings.ranking:
        style = "bold" if standing.player in standings.finalists else ""
        cells = (
            str(standing.rank),
            standings.names[standing.player],
            signed(standing.points),
            str(standing.events),
        )
        table.add_row(*(Text(cell, style) for cell in cells))
    out().print(table)


def _show(event: "ClubEvent", standings: "EventStandings") -> None:
    names = {entrant.id: entrant.label for entrant in event.players}
    title = event.name.get(terms.current()) or next(iter(event.name.values()), "")
    if title:
        out().print(heading(title))
    titles = ("rank", "player", "points", "carried", "penalty", "games", "places", "average")
    for stage, rows in standings.stages.items():
        table = new_table(*(words(f"event.{name}") for name in titles), title=stage)
        for row in rows:
            average = "" if row.average_place is None else f"{float(row.average_place):.2f}"
            places = "-".join(f"{float(count):g}" for count in row.places)
            cells = (row.shown_rank, names[row.player], signed(row.points))
            sums = (signed(row.carried) if row.carried else "", signed(row.penalty) if row.penalty else "")
            style = "" if row.qualified else "dim"
            table.add_row(*(Text(cell, style) for cell in (*cells, *sums, str(row.games), places, average)))
        out().print(table)
    if standings.teams:
        table = new_table(words("event.rank"), words("event.team"), words("event.points"))
        for team in standings.teams:
            table.add_row(team.shown_rank, team.team, signed(team.points))
        out().print(table)
