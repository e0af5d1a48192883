"""``jantaku event``: standings, statistics, seating plans and exports of an event file; seasons."""

import csv
import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from jantaku import terms
from jantaku.cli.command import AsJson, Command, CommandGroup, Count, Number, one_of
from jantaku.cli.console import add_row, heading, indented, open_file, out, printed, refuse_unused, words
from jantaku.cli.console import table as new_table
from jantaku.cli.options import MOST_BYTES, EventFile, RulesName, read_json, read_with_rules
from jantaku.errors import RequestError, file_errors
from jantaku.hand import WIND_NAMES
from jantaku.seats import winds_of
from jantaku.terms import listed, signed, text

if TYPE_CHECKING:
    from jantaku.club import ClubEvent, EventStandings
    from jantaku.club.log_games import LogGame
    from jantaku.club.season_file import SeasonStandings
    from jantaku.club.seating import Seated, SeatingPlan
    from jantaku.club.statistics import BriefFigures, EventFigures, Figures
    from jantaku.club.statistics.figures import Share


def export(
    context: typer.Context,
    file: EventFile,
    to: Annotated[Path, typer.Argument(metavar="FILE")],
    table: Annotated[str, one_of("standings|teams|games|hands")] = "standings",
    rules: RulesName = None,
) -> int:
    """Write an event in another format, which the name of the new file tells."""
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
    """Write a report of a day or of a whole event as Markdown."""
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
    from jantaku.club.log_games import log_game
    from jantaku.records.formats import content_in

    data, ruleset, find = read_with_rules(file, rules)
    event = event_from(cast("Any", data), ruleset, find)
    listed = {player.label: player.id for player in event.players}
    named = dict(_pair(text) for text in player or ())
    unseen = dict(named)
    before = list(cast("Any", data).get("games", ()))
    games = [*before]
    known = {game["id"] for game in games} | {game["digest"] for game in games if "digest" in game}
    for path in logs:
        game = log_game(content_in(path).data, event.rules, str(path))
        for name in game.names:
            unseen.pop(name, None)
        key = f"log-{game.digest[:16]}"
        if not known & {key, game.digest}:
            games.append(_game(game, key, stage or event.stages[0].id, named, listed))
        known |= {key, game.digest}
    for name in unseen:
        raise RequestError("unknown_id", field="--player", value=name, nearest="")
    whole = {**cast("Any", data), "games": games}
    added = len(games) - len(before)
    event_from(whole, ruleset, find)  # a stage or a player that the event does not have
    _write(to, json.dumps(whole, ensure_ascii=False, indent=1).encode())
    out().print(words("event.imported", added=added, known=len(logs) - added, file=to), soft_wrap=True)
    return 0


def _pair(text: str) -> tuple[str, str]:
    name, equals, key = text.rpartition("=")
    if not equals:
        raise RequestError("log_nobody", field="--player", name=text)
    return name, key


def _game(
    game: "LogGame", key: str, stage: str, named: Mapping[str, str], listed: Mapping[str, str]
) -> dict[str, Any]:
    """A game of the event file; raises ``log_nobody`` for a name that finds no player."""
    from jantaku.club.log_games import matched

    players = matched(game.names, named, listed)
    for name, player in zip(game.names, players, strict=True):
        if player is None:
            raise RequestError("log_nobody", field="--player", name=name)
    hands = list(game.hands)
    return {"id": key, "stage": stage, "players": players, "hands": hands, "digest": game.digest}


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
    """Seat the rounds to come anew after the rounds that have been played."""
    from jantaku.club.seating import Wishes
    from jantaku.club.seating import reseat as make
    from jantaku.club.seating.plan import seated_rounds

    rounds = seated_rounds(read_json(file))
    if played >= len(rounds):
        raise RequestError("number_range", field="--played", value=played, low=0, high=len(rounds) - 1)
    done, kept = rounds[:played], rounds[played:]
    seats = max(len(table) for round_ in rounds for table in round_.tables)
    reserves = substitute or []
    present = [
        [name for name in there if name not in reserves] for there in _present(kept, played, leave or ())
    ]
    wishes = Wishes(reserves=reserves)
    seating = make(
        done, present, kept=[round_.tables for round_ in kept], wishes=wishes, seats=seats, seed=seed
    )
    plan = dataclasses.replace(
        seating,
        rounds=(*(_tuples(round_) for round_ in done), *seating.rounds),
        byes=(*(tuple(round_.byes) for round_ in done), *seating.byes),
    )
    if not printed(plan.to_dict, as_json, indent=None):
        show_plan(plan)
    return 0


def _tuples(round_: "Seated") -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(table) for table in round_.tables)


def _present(kept: Sequence["Seated"], played: int, leave: Sequence[str]) -> list[list[str]]:
    """Who is there in each round to come: whoever stands in it, without those who leave.

    ``leave`` has names, of whom some are only away in one round (``NAME:N``). Raises ``RequestError`` for a
    name or a round that is not there.
    """
    from jantaku.fields import whole

    names = [[*(player for table in round_.tables for player in table), *round_.byes] for round_ in kept]
    known = {name for listed in names for name in listed}
    for leaver in leave:
        name, colon, number = (leaver, "", "") if leaver in known else leaver.rpartition(":")
        if name not in known or (colon and not (number.isascii() and number.isdecimal())):
            raise RequestError("unknown_id", field="--out", value=leaver, nearest="")
        away = [whole(int(number), "--out", played + 1, played + len(names))] if colon else None
        for r, there in enumerate(names, played + 1):
            if away is None or r in away:
                there[:] = [player for player in there if player != name]
    return names


def show_round(tables: Sequence[Sequence[str]], byes: Sequence[str], title: str | None = None) -> None:
    """Print a round as a table."""
    from jantaku.cli.table_view import said

    titles = [words("event.table"), *(said(f"wind.{wind}") for wind in winds_of(len(tables[0])))]
    grid = new_table(*titles, title=title)
    for t, table in enumerate(tables):
        grid.add_row(str(t + 1), *table)
    out().print(grid)
    if byes:
        out().print(words("event.byes", players=listed(byes)))


def show_plan(plan: "SeatingPlan") -> None:
    """Print all rounds of a plan, and what it is worth."""
    for r, tables in enumerate(plan.rounds):
        show_round(tables, plan.byes[r], words("event.round", number=r + 1))
    score = plan.to_dict()
    out().print(words("event.quality", **{name: score[name] for name in QUALITY}), style="bold")
    if plan.together:
        out().print(words("event.together", count=plan.together), style="yellow")


COLUMNS = ("win", "deal_in", "riichi", "call", "tenpai_at_draw")
MOST_SHOWN = 12  # hands in a row of the table


def statistics(
    file: EventFile,
    player: Annotated[str | None, typer.Option(metavar="ID")] = None,
    rules: RulesName = None,
    as_json: AsJson = False,
) -> int:
    """Print the figures of everybody in an event, or all figures of one player."""
    from jantaku.club import event_figures, event_from

    event = event_from(*read_with_rules(file, rules))
    whole = event_figures(event)
    if player is None:
        if not printed(lambda: _event_json(event, whole), as_json):
            _show_event(event, whole)
        return 0
    from jantaku.fields import known_id

    name = known_id(player, {player.id for player in event.players}, "--player")
    figures = whole.player(name)
    if not printed(lambda: {"player": name, **asdict(figures)}, as_json):
        _show_player(event, name, figures)
    return 0


def ratings(file: EventFile, rules: RulesName = None, as_json: AsJson = False) -> int:
    """Print the ratings of an event, game by game."""
    from jantaku.club import event_from, rated_games
    from jantaku.club.ratings import newest

    event = event_from(*read_with_rules(file, rules))
    games = rated_games(event.results)
    latest = newest(games)
    rows = {
        "games": [asdict(game) for game in games],
        "ratings": [
            {"player": name, **asdict(rating), "ordinal": rating.ordinal} for name, rating in latest.items()
        ],
    }
    if printed(lambda: rows, as_json):
        return 0
    names = _names(event)
    titles = ("game", "player", "place", "mu", "sigma", "ordinal_before", "ordinal_after")
    table = new_table(*(said(f"rating.{name}") for name in titles))
    for game in games:
        for i, seat in enumerate(game.seats):
            mu, sigma = (
                f"{seat.before.mu:.3f} → {seat.after.mu:.3f}",
                f"{seat.before.sigma:.3f} → {seat.after.sigma:.3f}",
            )
            cells = (game.game if not i else "", names[seat.player], str(seat.place), mu, sigma)
            add_row(table, *cells, seat.before.formula(), seat.after.formula())
    out().print(table)
    table = new_table(
        words("event.rank"),
        words("event.player"),
        *(said(f"rating.{name}") for name in ("mu", "sigma", "ordinal")),
    )
    for rank, (name, rating) in enumerate(latest.items(), 1):
        cells = (str(rank), names[name], f"{rating.mu:.3f}", f"{rating.sigma:.3f}", rating.formula())
        add_row(table, *cells)
    out().print(table)
    return 0


def said(key: str, **values: object) -> str:
    """A text of the table of figures."""
    return text(f"figures.{key}", **values)


def _names(event: "ClubEvent") -> Mapping[str, str]:
    return {entrant.id: entrant.label for entrant in event.players}


def _event_json(event: "ClubEvent", figures: "EventFigures") -> dict[str, Any]:
    names = _names(event)
    return {
        "players": [
            {"player": name, "name": names[name], **asdict(brief)} for name, brief in figures.players.items()
        ],
        "teams": [{"team": name, **asdict(brief)} for name, brief in figures.teams.items()],
        "achievements": [asdict(achievement) for achievement in figures.achievements],
    }


def _show_event(event: "ClubEvent", figures: "EventFigures") -> None:
    names = _names(event)
    _show_brief(words("event.player"), ((names[name], brief) for name, brief in figures.players.items()))
    if figures.teams:
        _show_brief(words("event.team"), figures.teams.items())
    table = new_table(said("achievements"), words("event.player"), "", said("hands"))
    for achievement in figures.achievements:
        where = [f"{ref.game} #{ref.hand + 1}" for ref in achievement.hands] or list(achievement.games)
        who = listed(
            said("among", name=names[name], of=said(f"unit.{achievement.unit}", count=of))
            for name, of in zip(achievement.players, achievement.of, strict=True)
        )
        value = (
            f"{achievement.value:.1%}" if achievement.kind == "fewest_deal_ins" else f"{achievement.value:,}"
        )
        add_row(table, said(f"achievement.{achievement.kind}"), who, value, shortened(where))
    out().print(table)


def _show_brief(title: str, rows: "Iterable[tuple[str, BriefFigures]]") -> None:
    titles = ("points", "games", "places", "average")
    rates = (said(f"rate.{name}") for name in COLUMNS)
    columns = (
        *(words(f"event.{name}") for name in titles),
        *rates,
        said("average_win"),
        said("biggest_hand"),
    )
    table = new_table(title, *columns)
    for name, brief in rows:
        average = "" if brief.average_place is None else f"{brief.average_place:.2f}"
        cells = (
            name,
            signed(brief.points),
            str(brief.games),
            "-".join(f"{count:g}" for count in brief.places),
            average,
        )
        shares = (share_in_words(brief.rates[rate]) for rate in COLUMNS)
        win = "" if brief.average_win is None else f"{brief.average_win:,.0f}"
        biggest = "" if brief.biggest_hand is None else f"{brief.biggest_hand:,}"
        add_row(table, *cells, *shares, win, biggest)
    out().print(table)


def share_in_words(share: "Share") -> str:
    """A percentage; with how many cases are known, unless all are."""
    if share.value is None:
        return said("unknown") if share.cases else ""
    known = "" if share.known == share.cases else " " + said("known", known=share.known, cases=share.cases)
    return f"{share.value:.1%}{known}"


def shortened(parts: "Iterable[str]") -> str:
    """The first parts, and how many follow."""
    listed_parts = list(parts)
    more = len(listed_parts) - MOST_SHOWN
    return listed(listed_parts[:MOST_SHOWN]) + (" " + said("more", count=more) if more > 0 else "")


def _show_player(event: "ClubEvent", name: str, figures: "Figures") -> None:
    from jantaku.cli.explanation import name_of

    names = _names(event)
    out().print(heading(names[name]))
    _show_brief(words("event.player"), [(names[name], figures.brief)])
    rows = [
        (said(f"rate.{rate}"), share_in_words(share), share.hands) for rate, share in figures.rates.items()
    ]
    if figures.biggest_hand is not None:
        biggest = figures.biggest_hand
        rows.append((said("biggest_hand"), f"{biggest.points:,}", (biggest.hand,)))
    for label, mean in (("average_win", figures.average_win), ("average_deal_in", figures.average_deal_in)):
        rows.append((said(label), "" if mean.value is None else f"{mean.value:,.0f}", mean.hands))
    rows += [(han_in_words(bar.key), str(len(bar.hands)), bar.hands) for bar in figures.han.bars]
    rows += [(name_of(bar.key, event.rules), str(len(bar.hands)), bar.hands) for bar in figures.yaku.bars]
    table = new_table(said("figure"), "", said("hands"))
    for label, value, hands in rows:
        where = (f"{figures.hands[i].game} #{figures.hands[i].hand + 1}" for i in hands)
        add_row(table, label, value, shortened(where))
    out().print(table)
    for part in (("yaku", figures.yaku), ("han", figures.han)):
        if part[1].known < part[1].cases:
            out().print(
                indented(said(f"{part[0]}_known", known=part[1].known, cases=part[1].cases)), style="dim"
            )
    _show_opponents(names, figures)


def _show_opponents(names: Mapping[str, str], figures: "Figures") -> None:
    titles = ("opponent", "ahead", "behind", "own_points", "their_points", "won_from", "dealt_to")
    table = new_table(said("opponent"), words("event.games"), *(said(name) for name in titles[1:]))
    for opponent in figures.opponents:
        rons = (f"{len(part.hands)} ({signed(part.sum)})" for part in (opponent.won_from, opponent.dealt_to))
        points = (signed(opponent.points), signed(opponent.theirs))
        cells = (
            names[opponent.opponent],
            str(len(opponent.games)),
            str(opponent.ahead),
            str(opponent.behind),
            *points,
            *rons,
        )
        add_row(table, *cells)
    out().print(table)


def han_in_words(key: str) -> str:
    """The label of a bar of the histogram: a number of han, or a limit."""
    return said("han", count=int(key)) if key.isdecimal() else text(f"explain.limit.{key}")


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

    mates = dict(_rows(teams, "--teams")) if teams else {}
    names = _names_event(players, mates)
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
        names = {entrant.id: entrant.label for entrant in event.players}
        tables = [[names[player] for player in table] for table in seats.tables]
        show_round(tables, [names[bye] for bye in seats.byes])
    return 0


def _names_event(players: int, mates: Mapping[str, str]) -> list[str]:
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
        add_row(table, *cells, style=style)
    out().print(table)


def _show(event: "ClubEvent", standings: "EventStandings") -> None:
    names = {entrant.id: entrant.label for entrant in event.players}
    title = event.name
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
            add_row(table, *cells, *sums, str(row.games), places, average, style=style)
        out().print(table)
    if standings.teams:
        table = new_table(words("event.rank"), words("event.team"), words("event.points"))
        for team in standings.teams:
            table.add_row(team.shown_rank, team.team, signed(team.points))
        out().print(table)
