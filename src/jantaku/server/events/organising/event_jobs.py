"""Reading and writing event files, in worker processes."""

# ruff: noqa: PLC0415 (compiled code is imported by the job that needs it)

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jantaku.rules import Ruleset
from jantaku.server.edge.limited_work import long_job, playing_job
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.server.events.organising.imported import ImportedEvent


@playing_job
def read_event(data: Mapping[str, Any], rules: Ruleset | None) -> "ImportedEvent":
    """Check an event file; ``rules`` is the ruleset that it names, if that is no preset."""
    from jantaku.server.events.organising import imported

    return imported.read_event(data, rules)


@long_job
@playing_job
def export_event(
    data: Mapping[str, Any], rules: Ruleset | None, wanted: tuple[str, str], language: Language
) -> bytes:
    """Write an event file in another format; ``wanted`` is the format, and the table for CSV."""
    from jantaku.club.export import EXPORTS, read_tables

    tables = read_tables(data, "standard", None if rules is None else (lambda _: rules))
    return EXPORTS[wanted[0]].write(tables, wanted[1], language)
