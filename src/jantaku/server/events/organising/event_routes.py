"""Events: lists, opening one, changing it, and who runs it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response
from starlette.responses import JSONResponse

from jantaku.server.edge.deps import (
    Asking,
    Person,
    Place,
    RequestLanguage,
    Whoever,
    keeping_body,
    naming,
    not_twice,
)
from jantaku.server.edge.strict_json import StrictRoute
from jantaku.server.errors import ServerError
from jantaku.server.events.common import opening
from jantaku.server.events.common.event_bodies import (
    ChangeEvent,
    CreateEvent,
    EventInfo,
    EventList,
    ImportEvent,
    StaffBody,
    StandingsBody,
    StatusBody,
    TemplateList,
)
from jantaku.server.events.common.event_shown import event_info, names_shown, summaries
from jantaku.server.events.common.rights import ORGANISER, rights_in
from jantaku.server.events.organising import changes
from jantaku.server.events.organising import event_files as files
from jantaku.server.events.recording import previews
from jantaku.server.events.recording.games_shown import hidden
from jantaku.server.events.recording.payment_bodies import PaymentsInfo
from jantaku.server.names import account_of
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.paging import POSITION, PageEnd

router = APIRouter(prefix="/api/events", tags=["events"], route_class=StrictRoute)
EventId = Annotated[str, Path(max_length=16)]
PersonId = Annotated[str, Path(max_length=16)]
PAGE = 50


async def shown_again(place: Place, event: str, who: PersonRow, language: RequestLanguage) -> EventInfo:
    """The event after a change."""
    return await event_info(place, await rights_in(place.services, event, who), language)


@router.get("")
async def events(
    place: Place,
    language: RequestLanguage,
    who: Whoever,
    before: Annotated[str | None, Query(max_length=40, pattern=POSITION)] = None,
) -> EventList:
    """The events that everybody finds, and mine."""
    store = place.services.events
    page = await store.of(None, PageEnd.parse(before), PAGE)
    mine = (await store.of(who.id, None, PAGE)).rows if who is not None else []
    return EventList(
        events=await summaries(place, page.rows, who, language),
        mine=await summaries(place, mine, who, language),
        next=str(page.next) if page.next else None,
    )


@router.get("/templates")
async def templates() -> TemplateList:
    """The names of all templates of events."""
    return TemplateList(templates=list(opening.templates()))


@router.post("", dependencies=[Depends(not_twice)])
async def create(place: Place, language: RequestLanguage, who: Person, body: CreateEvent) -> EventInfo:
    """Open an event; I am its organiser."""
    event = await opening.create(place.services, who, body)
    return await shown_again(place, event, who, language)


@router.post("/import", dependencies=[Depends(keeping_body)])
async def import_file(
    place: Place, language: RequestLanguage, asker: Asking, who: Person, body: ImportEvent
) -> EventInfo:
    """Open an event from an event file with its players and games."""
    event = await files.import_event(place, asker, who, body)
    return await shown_again(place, event, who, language)


@router.get("/{event}")
async def one(place: Place, language: RequestLanguage, who: Whoever, event: EventId) -> EventInfo:
    """One event."""
    return await event_info(place, await rights_in(place.services, event, who), language)


@router.patch("/{event}")
async def change(
    place: Place, language: RequestLanguage, who: Person, event: EventId, body: ChangeEvent
) -> EventInfo:
    """Change an event."""
    rights = await rights_in(place.services, event, who)
    rights.demand(ORGANISER)
    await changes.change_plan(place.services, rights, body)
    return await shown_again(place, event, who, language)


@router.post("/{event}/status")
async def set_status(
    place: Place, language: RequestLanguage, who: Person, event: EventId, body: StatusBody
) -> EventInfo:
    """Close, cancel or reopen an event."""
    rights = await rights_in(place.services, event, who)
    rights.demand(ORGANISER)
    await changes.change_status(place.services, rights, body)
    return await shown_again(place, event, who, language)


@router.get("/{event}/file", response_class=Response)
async def event_file(place: Place, language: RequestLanguage, who: Person, event: EventId) -> Response:
    """The event as an event file, with the games that count."""
    rights = await rights_in(place.services, event, who)
    rights.demand(ORGANISER)
    headers = {"content-disposition": f'attachment; filename="jantaku-event-{rights.event.id}.json"'}
    return JSONResponse(await files.export(place.services, rights.event, language), headers=headers)


@router.get("/{event}/standings")
async def event_standings(
    place: Place, language: RequestLanguage, who: Whoever, event: EventId
) -> StandingsBody:
    """The standings of every stage, from the games that are confirmed."""
    rights = await rights_in(place.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    found = await place.standings.get(rights.event)
    names = await names_shown(place.services, rights.event.id, found.names, language)
    return found.model_copy(update={"names": names})


@router.get("/{event}/payments")
async def payments(place: Place, who: Whoever, event: EventId) -> PaymentsInfo:
    """What every hand pays under the event's rules, for recorders without a network."""
    return await previews.payments(place.services, await rights_in(place.services, event, who))


@router.post("/{event}/staff")
async def add_staff(
    place: Place, language: RequestLanguage, who: Person, asker: Asking, event: EventId, body: StaffBody
) -> EventInfo:
    """Give somebody with an account a role in the event."""
    rights = await rights_in(place.services, event, who)
    rights.demand(ORGANISER)
    naming(place, asker)
    found = await place.services.accounts.by_account(account_of(body.name))
    if found is None:
        raise ServerError("no_such_account", field="name", name=body.name)
    await changes.change_staff(place.services, rights, found[0], body.role)
    return await shown_again(place, event, who, language)


@router.delete("/{event}/staff/{person}")
async def remove_staff(
    place: Place, language: RequestLanguage, who: Person, event: EventId, person: PersonId
) -> EventInfo:
    """Take somebody's role away; one's own may always be given up."""
    rights = await rights_in(place.services, event, who)
    if person != who.id or not rights.role:
        rights.demand(ORGANISER)
    found = await place.services.accounts.find(person)
    if found is None:
        raise ServerError("no_person")
    await changes.change_staff(place.services, rights, found, "")
    return await shown_again(place, event, who, language)
