"""An event out of the server: spreadsheets, JSON, and a page that needs no server."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from jantaku.club.export import EXPORTS
from jantaku.rules import preset_names
from jantaku.server import jobs
from jantaku.server.deps import Asking, Place, RequestLanguage, Whoever
from jantaku.server.errors import ServerError
from jantaku.server.events import files
from jantaku.server.events.games_shown import hidden
from jantaku.server.events.rights import rights_in
from jantaku.server.routes.events import EventId
from jantaku.server.strict_json import StrictRoute

router = APIRouter(prefix="/api/events/{event}/export", tags=["events"], route_class=StrictRoute)


@router.get("", response_class=Response)
async def export(  # noqa: PLR0913, PLR0917
    place: Place,
    language: RequestLanguage,
    asker: Asking,
    who: Whoever,
    event: EventId,
    format_: Annotated[Literal["csv", "xlsx", "json", "html"], Query(alias="format")] = "xlsx",
    table: Literal["standings", "teams", "games", "hands"] = "standings",
) -> Response:
    """Standings and confirmed games as a file; ``table`` is the one that a CSV file has."""
    rights = await rights_in(place.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    row = rights.event
    rules = None
    if row.rules not in preset_names():
        rules = await place.services.rulesets.find(row.rules, row.fingerprint)
    data = await files.export(place.services, row, language)
    written = await place.workers.run(asker, jobs.export_event, data, rules, (format_, table), language)
    name = f"jantaku-{row.id}-{table}.csv" if format_ == "csv" else f"jantaku-{row.id}.{format_}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(written, media_type=EXPORTS[format_].media_type, headers=headers)
