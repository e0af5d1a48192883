"""Jobs for worker processes: reading event files, writing exports, settling games."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jantaku.club import ClubEvent
from jantaku.club.days import zone_named
from jantaku.club.event_games import with_hands_settled
from jantaku.rules import Ruleset
from jantaku.server.edge.work import compiled_job, export_job, long_job
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.club.export import EventTables
    from jantaku.server.events.organising.event_files import FileHeader, ImportedEvent
    from jantaku.server.events.organising.other_rules import GameToSettle, Resettled


class Wanted(NamedTuple):
    """An export: its format, the table to write as CSV, and the time zone of the times."""

    format: str
    table: str
    zone: str


@export_job
def read_file_header(body: bytes) -> "FileHeader":
    """Read the facts needed before the file in a request body is checked."""
    from jantaku.server.events.organising import event_files

    return event_files.read_header(body)


@export_job
@compiled_job
def read_event_body(body: bytes, rules: Ruleset | None) -> "ImportedEvent":
    """Validate the file in a request body; ``rules`` is the ruleset it refers to, unless that is a preset."""
    from jantaku.server.events.organising import event_files

    return event_files.read_event_file(event_files.parse_import(body).file, rules)


@export_job
@compiled_job
def export_event(event: ClubEvent, wanted: Wanted, language: Language) -> bytes:
    """Write an event in an export format."""
    from jantaku.club.export import EXPORTS

    return EXPORTS[wanted.format].write(_tables(event, wanted.zone), wanted.table, language)


def _tables(event: ClubEvent, zone: str) -> "EventTables":
    from jantaku.club.export import EventTables

    return EventTables(with_hands_settled(event), zone_named(zone))


@export_job
@compiled_job
def export_ranking_file(
    event: ClubEvent, identities: Mapping[str, Mapping[str, str]], wanted: Wanted, language: Language
) -> bytes:
    """Write the result for an association's ranking; ``identities`` by entry are real names and countries."""
    from jantaku.club.export.european import PlayerIdentity, ranking_sheets
    from jantaku.club.export.files import csv_text, xlsx_bytes

    players = {name: PlayerIdentity(**identity) for name, identity in identities.items()}
    sheets = ranking_sheets(_tables(event, wanted.zone), players, language)
    return csv_text(sheets[0]).encode() if wanted.format == "csv" else xlsx_bytes(sheets, language)


@export_job
@compiled_job
def report_event(
    event: ClubEvent, wanted: tuple[str | None, str], language: Language
) -> dict[str, Any] | None:
    """Write the report of a (day, time zone), or of all days; return ``None`` for a day without games."""
    from dataclasses import asdict

    from jantaku.club.report import days_of, event_report, report_markdown, report_text

    day, zone = wanted
    tables = _tables(event, zone)
    days = days_of(tables)
    if day is not None and day not in days:
        return None
    text = report_text(tables, event_report(tables, day), language)
    return {"days": days, "day": day, **asdict(text), "markdown": report_markdown(text)}


@long_job
@compiled_job
def resettle(games: Sequence["GameToSettle"], rules: Ruleset) -> "list[Resettled]":
    """Settle games under other rules."""
    from jantaku.server.events.organising import other_rules

    return [other_rules.settle_again(game, rules) for game in games]
