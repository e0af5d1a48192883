"""Reading and writing event files, in worker processes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jantaku.club.days import zone_named
from jantaku.rules import Ruleset
from jantaku.server.edge.work import export_job, long_job, playing_job
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.server.events.organising.event_files import ImportedEvent, SentFile
    from jantaku.server.events.organising.other_rules import GameToSettle, Resettled


class Wanted(NamedTuple):
    """What is exported: a format, the table that CSV has, and the time zone of its times."""

    format: str
    table: str
    zone: str


@export_job
def look_into_file(body: bytes) -> "SentFile":
    """What the event file in the body of a request says first."""
    from jantaku.server.events.organising import event_files

    return event_files.sent_file(body)


@export_job
@playing_job
def read_event(body: bytes, rules: Ruleset | None) -> "ImportedEvent":
    """Check the event file in a body; ``rules`` is the ruleset that it names, if that is no preset."""
    from jantaku.server.events.organising import event_files

    return event_files.read_event_file(event_files.opened(body).file, rules)


@export_job
@playing_job
def export_event(data: Mapping[str, Any], rules: Ruleset | None, wanted: Wanted, language: Language) -> bytes:
    """Write an event file in another format."""
    from jantaku.club.export import EXPORTS, read_tables

    tables = read_tables(
        data, "standard", None if rules is None else (lambda _: rules), zone_named(wanted.zone)
    )
    return EXPORTS[wanted.format].write(tables, wanted.table, language)


@export_job
@playing_job
def export_ranking_file(
    given: tuple[Mapping[str, Any], Mapping[str, Mapping[str, str]]],
    rules: Ruleset | None,
    wanted: Wanted,
    language: Language,
) -> bytes:
    """Write the result of an event for an association: an event file, and who its players are there."""
    from jantaku.club.export import read_tables
    from jantaku.club.export.csv_and_xlsx import csv_text, xlsx_bytes
    from jantaku.club.export.european import PlayerIdentity, ranking_sheets

    data, identities = given
    tables = read_tables(
        data, "standard", None if rules is None else (lambda _: rules), zone_named(wanted.zone)
    )
    who = {name: PlayerIdentity(**identity) for name, identity in identities.items()}
    sheets = ranking_sheets(tables, who, language)
    return csv_text(sheets[0]).encode() if wanted.format == "csv" else xlsx_bytes(sheets, language)


@export_job
@playing_job
def report_event(
    data: Mapping[str, Any], rules: Ruleset | None, wanted: tuple[str | None, str], language: Language
) -> dict[str, Any] | None:
    """The report of a day in a time zone, or of all; ``None`` if nothing was played on that day."""
    from dataclasses import asdict

    from jantaku.club.export import read_tables
    from jantaku.club.report import days_of, event_report, report_markdown, report_text

    day, zone = wanted
    tables = read_tables(data, "standard", None if rules is None else (lambda _: rules), zone_named(zone))
    days = days_of(tables)
    if day is not None and day not in days:
        return None
    text = report_text(tables, event_report(tables, day), language)
    return {"days": days, "day": day, **asdict(text), "markdown": report_markdown(text)}


@long_job
@playing_job
def resettle(games: Sequence["GameToSettle"], rules: Ruleset) -> "list[Resettled]":
    """What games come to under other rules."""
    from jantaku.server.events.organising import other_rules

    return [other_rules.resettled(game, rules) for game in games]
