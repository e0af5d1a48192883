"""``jantaku event export``, ``report`` and ``import``: an event in other formats, and logs into one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from jantaku import terms
from jantaku.cli.completion import one_of
from jantaku.cli.console import out, refuse_unused, words
from jantaku.cli.event_input import EventFile, RulesName, read_with_rules
from jantaku.errors import RequestError, file_errors

if TYPE_CHECKING:
    from jantaku.club.log_games import LogGame


def export(
    context: typer.Context,
    file: EventFile,
    to: Annotated[Path, typer.Argument(metavar="FILE")],
    table: Annotated[str, one_of("standings|teams|games|hands")] = "standings",
    rules: RulesName = None,
) -> int:
    """Write an event in another format, which the name of the new file tells."""
    from jantaku.club.export import EXPORTS, read_tables
    from jantaku.club.export.event_tables import SHEETS
    from jantaku.fields import choice

    kind = EXPORTS[choice(to.suffix.removeprefix("."), "FILE", tuple(EXPORTS))]
    choice(table, "--table", SHEETS)
    if not kind.one_table:
        refuse_unused(context, ("table",), f".{kind.name}")
    data, ruleset, find = read_with_rules(file, rules)
    tables = read_tables(cast("Any", data), ruleset, find)
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
    """Write a report of a day or of a whole event, as Markdown or as a picture (SVG)."""
    from jantaku.club.export import read_tables
    from jantaku.club.report import days_of, event_report, report_markdown, report_picture, report_text
    from jantaku.fields import choice

    writers = {"md": report_markdown, "svg": report_picture}
    write = writers[choice(to.suffix.removeprefix("."), "FILE", tuple(writers))]
    data, ruleset, find = read_with_rules(file, rules)
    tables = read_tables(cast("Any", data), ruleset, find)
    if day is not None:
        choice(day, "--day", tuple(days_of(tables)))
    _write(to, write(report_text(tables, event_report(tables, day), terms.current())).encode())
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
