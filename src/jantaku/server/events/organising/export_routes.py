"""Exports of an event: its report, spreadsheets, JSON, and a self-contained HTML page."""

from typing import Annotated, Literal, NamedTuple

from fastapi import Depends, Query, Response

from jantaku import terms
from jantaku.club.export import EXPORTS
from jantaku.club.report import ReportSection
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.pages import attachment
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, ZoneName
from jantaku.server.events.common.event_context import PublicEventContext, UserEventContext
from jantaku.server.events.organising.event_files import exported_event
from jantaku.server.events.organising.event_jobs import (
    Wanted,
    export_event,
    export_ranking_file,
    report_event,
)
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, RequestLanguage
from jantaku.wire import Wire

router = router_of("/api/events/{event}", "events")


def wanted(
    format_: Annotated[Literal["csv", "xlsx", "json", "html"], Query(alias="format")] = "xlsx",
    table: Literal["standings", "teams", "games", "hands", "penalties"] = "standings",
    zone: ZoneName = "UTC",
) -> Wanted:
    """Collect the format, the table to write as CSV, and the time zone of the times."""
    return Wanted(format_, table, zone)


@router.get("/export/ranking", response_class=Response)
async def export_ranking(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    kind: Annotated[Wanted, Depends(wanted)],
) -> Response:
    """Export the tournament's result for an association's ranking, with real names, for organisers."""
    rights = await context.rights(ORGANISER)

    async def write() -> object:
        event = await exported_event(context.services, rights.event, language)
        entries = await context.services.entries.all(rights.event.id)
        identities = {entry.id: entry.identity for entry in entries}
        return await services.workers.run(asker, export_ranking_file, event, identities, kind, language)

    written = await services.event_files.get(
        ("ranking", rights.event.id, rights.event.revision, kind, language), write
    )
    format_ = kind.format if kind.format == "csv" else "xlsx"
    name = f"{rights.event.name} {terms.text('export.sheet.ranking', language)}"
    headers = attachment(name, f".{format_}", f"jantaku-{rights.event.id}-ranking")
    return Response(written, media_type=EXPORTS[format_].media_type, headers=headers)


@router.get("/export", response_class=Response)
async def export(
    context: PublicEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    kind: Annotated[Wanted, Depends(wanted)],
) -> Response:
    """Export standings and confirmed games as a file."""
    rights = await context.results()
    row = rights.event

    async def write() -> object:
        event = await exported_event(context.services, row, language)
        return await services.workers.run(asker, export_event, event, kind, language)

    written = await services.event_files.get(("export", row.id, row.revision, kind, language), write)
    format_, table, _ = kind
    name, plain = row.name, f"jantaku-{row.id}"
    if format_ in ("csv", "json"):  # to distinguish it from the event file, which is also JSON
        part, word = (table, f"sheet.{table}") if format_ == "csv" else ("results", "results")
        name, plain = f"{name} {terms.text(f'export.{word}', language)}", f"{plain}-{part}"
    headers = attachment(name, f".{format_}", plain)
    return Response(written, media_type=EXPORTS[format_].media_type, headers=headers)


class ReportBody(Wire):
    """The report of a ``day``, or of the whole event if that is null, in the language of the request.

    ``days`` lists the days with games. ``markdown`` is the same report as Markdown.
    """

    days: list[str]
    day: str | None
    title: str
    about: str
    sections: list[ReportSection]
    markdown: str


Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class ReportOf(NamedTuple):
    """The day of a report (``None`` for the whole event), and the time zone that separates days."""

    day: Day = None
    zone: ZoneName = "UTC"


@router.get("/report")
async def report(
    context: PublicEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    of: Annotated[ReportOf, Depends()],
) -> ReportBody:
    """Report standings, rank changes, best hands, records and statistics; raise ``no_day`` without games."""
    rights = await context.results()
    event = rights.event

    async def write() -> object:
        whole = await exported_event(context.services, event, language)
        return await services.workers.run(asker, report_event, whole, of, language)

    written = await services.event_files.get(("report", event.id, event.revision, tuple(of), language), write)
    if written is None:
        raise ServerError("no_day", field="day")
    return ReportBody.model_validate(written)
