"""Links to the pages of an event, and their QR codes, for sharing and printing."""

from typing import Annotated, Literal, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Depends, Query, Request, Response

from jantaku.server.edge.bodies import Invite, router_of
from jantaku.server.edge.pages import invite_to, qr_page
from jantaku.server.events.common.event import EventId
from jantaku.server.people.auth_dependencies import InjectedServices
from jantaku.server.storage.event_plan import EventKey

router = router_of("/api/events/{event}", "events")
Page = Literal["events", "record", "screen"]
Game = Annotated[EventKey | None, Query()]
Table = Annotated[int | None, Query(ge=1, le=999)]
CheckIn = Annotated[str | None, Query(min_length=1, max_length=16)]


class LinkOf(NamedTuple):
    """The target of a link: the recorder of a ``game`` or ``table``, or the ``entry`` of a claim ``card``.

    The check-in ``code`` is not verified, only included in the link.
    """

    game: Game = None
    table: Table = None
    code: CheckIn = None
    entry: Game = None
    card: CheckIn = None


def page_of(event: EventId, of: Annotated[LinkOf, Depends()], page: Page = "events") -> str:
    """Return the path of the event's page, of its venue screen, or of the recorder."""
    if of.game:
        return f"/record/{event}/{quote(of.game)}"
    wanted = {"events": ("code", "entry", "card"), "record": ("table", "code"), "screen": ()}[page]
    query = urlencode({name: value for name in wanted if (value := getattr(of, name)) is not None})
    return f"/{page}/{event}{f'?{query}' if query else ''}"


Path = Annotated[str, Depends(page_of)]


@router.get("/invite")
async def invite(request: Request, services: InjectedServices, event: EventId, path: Path) -> Invite:
    """Return the link to a page of the event."""
    await services.events.find(event)
    return invite_to(request, services.settings, path)


@router.get("/qr.svg", response_class=Response)
async def qr(request: Request, services: InjectedServices, event: EventId, path: Path) -> Response:
    """Return the link to a page of the event as a QR code."""
    return qr_page(await invite(request, services, event, path))
