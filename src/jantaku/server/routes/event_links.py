"""Links to the pages of an event, and their QR codes, to be shared and printed."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from jantaku.server.api import Invite
from jantaku.server.deps import Place
from jantaku.server.events.plan import EventKey
from jantaku.server.links import invite_to, qr_page
from jantaku.server.routes.events import EventId
from jantaku.server.strict_json import StrictRoute

router = APIRouter(prefix="/api/events/{event}", tags=["events"], route_class=StrictRoute)
Page = Literal["events", "record", "screen"]
Game = Annotated[EventKey | None, Query()]
Table = Annotated[int | None, Query(ge=1, le=999)]


@router.get("/invite")
async def invite(
    request: Request,
    place: Place,
    event: EventId,
    page: Page = "events",
    game: Game = None,
    table: Table = None,
) -> Invite:
    """The link of the event's page, of its big screen, or of the recorder, perhaps of one game or table."""
    row = await place.services.events.find(event)
    path = f"/record/{row.id}/{quote(game)}" if game else f"/{page}/{row.id}"
    if table is not None and page == "record" and not game:
        path += f"?table={table}"
    return invite_to(request, place.services.settings, path)


@router.get("/qr.svg", response_class=Response)
async def qr(
    request: Request,
    place: Place,
    event: EventId,
    page: Page = "events",
    game: Game = None,
    table: Table = None,
) -> Response:
    """The same link as a QR code."""
    return qr_page(await invite(request, place, event, page, game, table))
