"""``jantaku event``: standings, statistics, seating plans and exports of an event file; seasons."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from rich.table import Table

from jantaku import terms
from jantaku.cli.command import AsJson, Command, CommandGroup, Count, Number, one_of
from jantaku.cli.console import add_row, heading, indented, open_file, out, printed, refuse_unused, words
from jantaku.cli.console import table as new_table
from jantaku.cli.options import MAX_BYTES, EventFile, RulesName, read_json, read_with_rules
from jantaku.errors import RequestError, file_errors
from jantaku.hand import WIND_NAMES
from jantaku.seats import winds_of
from jantaku.terms import listed, signed, text

if TYPE_CHECKING:
    from fractions import Fraction

    from jantaku.club import ClubEvent, EventStandings
    from jantaku.club.season_file import SeasonStandings
    from jantaku.club.seating import SeatingPlan
    from jantaku.club.statistics import BriefFigures, EventFigures, Figures
    from jantaku.club.statistics.achievements import HandRef
    from jantaku.club.statistics.figures import Share
    from jantaku.club.statistics.sittings import HandLine


def export(
    context: typer.Context,
    file: EventFile,
    to: Annotated[Path, typer.Argument(metavar="FILE")],
    table: Annotated[str, one_of("standings|teams|games|hands")] = "standings",
    rules: RulesName = None,
) -> int:
    """Export an event; the suffix of the new file determines the format."""
    from jantaku.club import event_from
    from jantaku.club.export import EXPORTS, EventTables
    from jantaku.club.export.event_tables import SHEETS
    from jantaku.fields import choice

    kind = EXPORTS[choice(to.suffix.removeprefix("."), "FILE", tuple(EXPORTS))]
    choice(table, "--table", SHEETS)
    if not kind.one_table:
        refuse_unused(context, ("table",), f".{kind.name}")
    tables = EventTables(event_from(*read_with_rules(file, rules)))
    try:
        written = kind.write(tables, table, terms.current())
    except ImportError as error:
        raise RequestError("server_missing", field=kind.name, reason=error.name or str(error)) from error
    _write(to, written)
    out().print(words("event.exported", file=to), style="bold green", soft_wrap=True)
    return 0


def report(
    file: EventFile,
    to: Annotated[Path, typer.Argument(metavar="FILE")],
    day: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    rules: RulesName = None,
) -> int:
    """Write a report of one day or the whole event as Markdown."""
    from jantaku.club import event_from
    from jantaku.club.export import EventTables
    from jantaku.club.report import days_of, event_report, report_markdown, report_text
    from jantaku.fields import choice

    tables = EventTables(event_from(*read_with_rules(file, rules)))
    if day is not None:
        choice(day, "--day", tuple(days_of(tables)))
    _write(to, report_markdown(report_text(tables, event_report(tables, day), terms.current())).encode())
    out().print(words("event.exported", file=to), style="bold green", soft_wrap=True)
    return 0


def _write(to: Path, data: bytes) -> None:
    with file_errors(to, writing=True):
        to.write_bytes(data)


def import_logs(
    file: EventFile,
    logs: Annotated[list[Path], typer.Argument(metavar="LOG…")],
    to: Annotated[Path, typer.Option(metavar="FILE")],
    stage: Annotated[str | None, typer.Option(metavar="ID")] = None,
    player: Annotated[list[str] | None, typer.Option(metavar="NAME=ID")] = None,
    rules: RulesName = None,
) -> int:
    """Add the games of logs to an event file."""
    from jantaku.club import event_from
    from jantaku.club.log_games import log_game, with_games
    from jantaku.records.formats import content_in

    data, ruleset, find = read_with_rules(file, rules)
    event = event_from(cast("Any", data), ruleset, find)
    games = (log_game(content_in(path).data, event.rules, str(path)) for path in logs)
    named = dict(_pair(text) for text in player or ())
    whole, added = with_games(cast("Any", data), event, games, stage or event.stages[0].id, named)
    event_from(whole, ruleset, find)  # raises for an unknown stage or player
    _write(to, json.dumps(whole, ensure_ascii=False, indent=1).encode())
    out().print(words("event.imported", added=added, known=len(logs) - added, file=to), soft_wrap=True)
    return 0


def _pair(text: str) -> tuple[str, str]:
    name, equals, key = text.rpartition("=")
    if not equals:
        raise RequestError("log_nobody", field="--player", name=text)
    return name, key


QUALITY: Final = ("repeats", "bound", "seat_spread", "table_spread", "seconds")

PlanFile = Annotated[str, typer.Argument(metavar="FILE")]
Names = Annotated[list[str] | None, typer.Option(metavar="NAME")]


def reseat(
    file: PlanFile,
    played: Count,
    leave: Annotated[list[str] | None, typer.Option("--out", metavar="NAME[:N]")] = None,
    substitute: Names = None,
    seed: Count = 0,
    as_json: AsJson = False,
) -> int:
    """Reseat the remaining rounds after ``played`` rounds."""
    from jantaku.club.seating.plan import seated_rounds
    from jantaku.club.seating.reseating import reseated

    plan = reseated(seated_rounds(read_json(file)), played, leave or (), substitute or (), seed)
    if not printed(plan.to_dict, as_json, indent=None):
        _show_plan(plan)
    return 0


def _show_round(tables: Sequence[Sequence[str]], byes: Sequence[str], title: str | None = None) -> None:
    winds = (text(f"drawn_table.wind.{wind}") for wind in winds_of(len(tables[0])))
    grid = new_table(words("event.table"), *winds, title=title)
    for t, table in enumerate(tables, 1):
        grid.add_row(str(t), *table)
    out().print(grid)
    if byes:
        out().print(words("event.byes", players=listed(byes)))


def _show_plan(plan: "SeatingPlan") -> None:
    """Print all rounds of a plan and its quality."""
    for r, tables in enumerate(plan.rounds):
        _show_round(tables, plan.byes[r], words("event.round", number=r + 1))
    score = plan.to_dict()
    out().print(words("event.quality", **{name: score[name] for name in QUALITY}), style="bold")
    if plan.together:
        out().print(words("event.together", count=plan.together), style="yellow")


COLUMNS = ("win", "deal_in", "riichi", "call", "tenpai_at_draw")
MAX_HANDS = 12  # hands listed in a table row


def statistics(
    file: EventFile,
    player: Annotated[str | None, typer.Option(metavar="ID")] = None,
    rules: RulesName = None,
    as_json: AsJson = False,
) -> int:
    """Print the main figures of all players of an event, or all figures of one player."""
    from jantaku.club import event_figures, event_from
    from jantaku.fields import known_id

    event = event_from(*read_with_rules(file, rules))
    names, whole = _names(event), event_figures(event)
    if player is None:
        if not printed(lambda: _figures_json(names, whole), as_json):
            _show_event(names, whole)
        return 0
    name = known_id(player, set(names), "--player")
    figures = whole.player(name)
    if not printed(lambda: {"player": name, **asdict(figures)}, as_json):
        _show_player(event, name, figures)
    return 0


def ratings(file: EventFile, rules: RulesName = None, as_json: AsJson = False) -> int:
    """Print the ratings of an event, game by game."""
    from jantaku.club import event_from, rated_games
    from jantaku.club.ratings import latest_ratings

    event = event_from(*read_with_rules(file, rules))
    games = rated_games(event.results)
    latest = latest_ratings(games)
    last = [{"player": name, **asdict(rating), "ordinal": rating.ordinal} for name, rating in latest.items()]
    if printed(lambda: {"games": [asdict(game) for game in games], "ratings": last}, as_json):
        return 0
    names = _names(event)
    titles = ("game", "player", "place", "mu", "sigma", "ordinal_before", "ordinal_after")
    table = new_table(*(figure_text(f"rating.{name}") for name in titles))
    for game in games:
        for i, seat in enumerate(game.seats):
            before, after = seat.before, seat.after
            changes = (f"{before.mu:.3f} → {after.mu:.3f}", f"{before.sigma:.3f} → {after.sigma:.3f}")
            cells = ("" if i else game.game, names[seat.player], str(seat.place), *changes)
            add_row(table, *cells, before.formula(), after.formula())
    out().print(table)
    table = _grid(
        "rank", "player", more=[figure_text(f"rating.{name}") for name in ("mu", "sigma", "ordinal")]
    )
    for rank, (name, rating) in enumerate(latest.items(), 1):
        add_row(table, str(rank), names[name], f"{rating.mu:.3f}", f"{rating.sigma:.3f}", rating.formula())
    out().print(table)
    return 0


def figure_text(key: str, **values: object) -> str:
    """Return a text from the ``figures`` table."""
    return text(f"figures.{key}", **values)


def _grid(*columns: str, more: Iterable[str] = (), title: str | None = None) -> Table:
    """Return an empty table with columns named in ``cli.event``, followed by ``more``."""
    return new_table(*(words(f"event.{name}") for name in columns), *more, title=title)


def _names(event: "ClubEvent") -> dict[str, str]:
    return {entrant.id: entrant.label for entrant in event.players}


def _figures_json(names: Mapping[str, str], figures: "EventFigures") -> dict[str, Any]:
    return {
        "players": [
            {"player": name, "name": names[name], **asdict(brief)} for name, brief in figures.players.items()
        ],
        "teams": [{"team": name, **asdict(brief)} for name, brief in figures.teams.items()],
        "achievements": [asdict(achievement) for achievement in figures.achievements],
    }


def _show_event(names: Mapping[str, str], figures: "EventFigures") -> None:
    _show_brief("player", ((names[name], brief) for name, brief in figures.players.items()))
    if figures.teams:
        _show_brief("team", figures.teams.items())
    table = new_table(figure_text("achievements"), words("event.player"), "", figure_text("hands"))
    for row in figures.achievements:
        where = list(map(_where, row.hands)) or list(row.games)
        who = listed(
            figure_text("among", name=names[name], of=figure_text(f"unit.{row.unit}", count=of))
            for name, of in zip(row.players, row.of, strict=True)
        )
        value = f"{row.value:.1%}" if row.kind == "fewest_deal_ins" else f"{row.value:,}"
        add_row(table, figure_text(f"achievement.{row.kind}"), who, value, _shortened(where))
    out().print(table)


def _show_brief(title: str, rows: "Iterable[tuple[str, BriefFigures]]") -> None:
    rates = (figure_text(f"rate.{name}") for name in COLUMNS)
    more = [*rates, figure_text("average_win"), figure_text("biggest_hand")]
    table = _grid(title, "points", "games", "places", "average", more=more)
    for name, brief in rows:
        cells = (name, signed(brief.points), str(brief.games), _places(brief.places))
        shares = (_share(brief.rates[rate]) for rate in COLUMNS)
        figures = (_figure(brief.average_win, ",.0f"), _figure(brief.biggest_hand, ","))
        add_row(table, *cells, _figure(brief.average_place, ".2f"), *shares, *figures)
    out().print(table)


def _figure(value: float | None, shape: str) -> str:
    return "" if value is None else f"{value:{shape}}"


def _places(counts: "Iterable[float | Fraction]") -> str:
    return "-".join(f"{float(count):g}" for count in counts)


def _share(share: "Share") -> str:
    """Format a percentage, with the number of known cases unless all are known."""
    if share.value is None:
        return figure_text("unknown") if share.cases else ""
    known = (
        "" if share.known == share.cases else " " + figure_text("known", known=share.known, cases=share.cases)
    )
    return f"{share.value:.1%}{known}"


def _where(hand: "HandRef | HandLine") -> str:
    return f"{hand.game} #{hand.hand + 1}"


def _shortened(parts: Sequence[str]) -> str:
    """List the first parts and the number of further ones."""
    more = len(parts) - MAX_HANDS
    return listed(parts[:MAX_HANDS]) + (" " + figure_text("more", count=more) if more > 0 else "")


def _show_player(event: "ClubEvent", name: str, figures: "Figures") -> None:
    from jantaku.cli.explanation import class_in_words
    from jantaku.rules.yaku_names import known_name

    names = _names(event)
    out().print(heading(names[name]))
    _show_brief("player", [(names[name], figures.brief)])
    rows = [
        (figure_text(f"rate.{rate}"), _share(share), share.hands) for rate, share in figures.rates.items()
    ]
    if figures.biggest_hand is not None:
        biggest = figures.biggest_hand
        rows.append((figure_text("biggest_hand"), f"{biggest.points:,}", (biggest.hand,)))
    for label, mean in (("average_win", figures.average_win), ("average_deal_in", figures.average_deal_in)):
        rows.append((figure_text(label), _figure(mean.value, ",.0f"), mean.hands))
    rows += [(class_in_words(bar.key), str(len(bar.hands)), bar.hands) for bar in figures.han.bars]
    for bar in figures.yaku.bars:
        called = known_name(bar.key, rules=event.rules) or bar.key  # the game may have had other rules
        rows.append((called, str(len(bar.hands)), bar.hands))
    table = new_table(figure_text("figure"), "", figure_text("hands"))
    for label, value, hands in rows:
        add_row(table, label, value, _shortened([_where(figures.hands[i]) for i in hands]))
    out().print(table)
    for key, bars in (("yaku", figures.yaku), ("han", figures.han)):
        if bars.known < bars.cases:
            out().print(
                indented(figure_text(f"{key}_known", known=bars.known, cases=bars.cases)), style="dim"
            )
    _show_opponents(names, figures)


def _show_opponents(names: Mapping[str, str], figures: "Figures") -> None:
    titles = ("ahead", "behind", "own_points", "their_points", "won_from", "dealt_to")
    table = new_table(figure_text("opponent"), words("event.games"), *(figure_text(name) for name in titles))
    for row in figures.opponents:
        counts = (len(row.games), row.ahead, row.behind)
        rons = (f"{len(part.hands)} ({signed(part.sum)})" for part in (row.won_from, row.dealt_to))
        add_row(table, names[row.opponent], *map(str, counts), signed(row.points), signed(row.theirs), *rons)
    out().print(table)


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
    """Print an event or season template, or the names of all templates."""
    from jantaku.club import template, template_names

    text = "\n".join(template_names()) if name is None else None
    typer.echo(text or json.dumps(template(str(name)), ensure_ascii=False, indent=1))
    return 0


@app.command("seat", cls=Command)
def seat(  # noqa: PLR0913, PLR0917  (each is an option)
    players: Number,
    rounds: Number,
    teams: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    apart: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    seats: Annotated[int, typer.Option(metavar="N", min=2, max=len(WIND_NAMES))] = len(WIND_NAMES),
    seed: Count = 0,
    as_json: AsJson = False,
) -> int:
    """Make a seating plan."""
    from jantaku.club.seating import seat as make
    from jantaku.club.seating.plan import player_names

    mates = dict(_rows(teams, "--teams")) if teams else {}
    kept_apart = _rows(apart, "--apart") if apart else ()
    plan = make(player_names(players, mates), rounds, teams=mates, apart=kept_apart, seats=seats, seed=seed)
    if not printed(plan.to_dict, as_json, indent=None):
        _show_plan(plan)
    return 0


@app.command("next", cls=Command)
def next_(  # noqa: PLR0913, PLR0917  (each is an option)
    file: EventFile,
    stage: Annotated[str | None, typer.Option(metavar="ID")] = None,
    by: Annotated[str, one_of("random|swiss|ranking|interval")] = "swiss",
    leave: Annotated[list[str] | None, typer.Option("--out", metavar="ID")] = None,
    seed: Count = 0,
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
        names = _names(event)
        tables = [[names[player] for player in table] for table in seats.tables]
        _show_round(tables, [names[bye] for bye in seats.byes])
    return 0


def _rows(name: str, field: str) -> list[tuple[str, str]]:
    """Read the rows of a two-column CSV file; raises ``RequestError`` for a row with more or fewer cells."""
    with open_file(Path(name)) as file:
        text = file.read(MAX_BYTES).decode("utf-8-sig", "replace")
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
    table = _grid("rank", "player", "points", "events")
    for row in standings.ranking:
        style = "bold" if row.player in standings.finalists else ""
        cells = (str(row.rank), standings.names[row.player], signed(row.points), str(row.events))
        add_row(table, *cells, style=style)
    out().print(table)


def _show(event: "ClubEvent", standings: "EventStandings") -> None:
    names = _names(event)
    if event.name:
        out().print(heading(event.name))
    titles = ("rank", "player", "points", "carried", "penalty", "games", "places", "average")
    for stage, rows in standings.stages.items():
        table = _grid(*titles, title=stage)
        for row in rows:
            sums = (signed(part) if part else "" for part in (row.carried, row.penalty))
            cells = (row.display_rank, names[row.player], signed(row.points), *sums, str(row.games))
            average = "" if row.average_place is None else f"{float(row.average_place):.2f}"
            add_row(table, *cells, _places(row.places), average, style="" if row.qualified else "dim")
        out().print(table)
    if standings.teams:
        table = _grid("rank", "team", "points")
        for team in standings.teams:
            table.add_row(team.display_rank, team.team, signed(team.points))
        out().print(table)
