"""An event out of the server: spreadsheets, JSON, and a page that needs no server."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from jantaku.club.export import EXPORTS
from jantaku.rules import preset_names
from jantaku.server.edge.strict_json import StrictRoute
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.rights import hidden, rights_in
from jantaku.server.events.organising import event_files as files
from jantaku.server.events.organising.event_jobs import export_event
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.people.asking import Asking, RequestLanguage, Whoever

router = APIRouter(prefix="/api/events/{event}/export", tags=["events"], route_class=StrictRoute)


def wanted(
    format_: Annotated[Literal["csv", "xlsx", "json", "html"], Query(alias="format")] = "xlsx",
    table: Literal["standings", "teams", "games", "hands"] = "standings",
) -> tuple[str, str]:
    """The format, and the table that a CSV file has."""
    return format_, table


@router.get("", response_class=Response)
async def export(
    kit: AtResults,
    language: RequestLanguage,
    asker: Asking,
    who: Whoever,
    event: EventId,
    kind: Annotated[tuple[str, str], Depends(wanted)],
) -> Response:
    """Standings and confirmed games as a file."""
    rights = await rights_in(kit.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    row = rights.event
    rules = None
    if row.rules not in preset_names():
        rules = await kit.services.rulesets.find(row.rules, row.fingerprint)
    data = await files.export(kit.services, row, language)
    written = await kit.workers.run(asker, export_event, data, rules, kind, language)
    format_, table = kind
    name = f"jantaku-{row.id}-{table}.csv" if format_ == "csv" else f"jantaku-{row.id}.{format_}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(written, media_type=EXPORTS[format_].media_type, headers=headers)
