"""Routes to list, create, import and change events, and to manage their staff."""

from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response
from starlette.responses import JSONResponse

from jantaku.club.namesakes import same_name
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.pages import attachment
from jantaku.server.errors import ServerError
from jantaku.server.events.common import event_bodies
from jantaku.server.events.common.event import ORGANISER
from jantaku.server.events.common.event_bodies import event_info, names_view, summaries
from jantaku.server.events.common.event_context import EventContext, PublicEventContext, UserEventContext
from jantaku.server.events.organising import event_changes, event_files
from jantaku.server.events.recording import payment_previews
from jantaku.server.events.recording.payment_previews import PaymentsInfo
from jantaku.server.people.auth_dependencies import (
    Before,
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
    deduplicate,
    limit_lookups,
    limit_stored_body,
)
from jantaku.server.storage.rows import PageEnd
from jantaku.terms import Language

router = router_of("/api/events", "events")
PersonId = Annotated[str, Path(max_length=16)]
PAGE = 50


async def _info(context: EventContext[Any], language: Language) -> event_bodies.EventInfo:
    return await event_info(context.services, await context.rights(), language)


@router.get("")
async def events(
    services: InjectedServices, language: RequestLanguage, user: OptionalUser, before: Before = None
) -> event_bodies.EventList:
    """List the public events, and those the caller runs or plays in."""
    store = services.events
    page = await store.of(None, PageEnd.parse(before), PAGE)
    mine = (await store.of(user.id, None, PAGE)).rows if user is not None else []
    return event_bodies.EventList(
        events=await summaries(services, page.rows, user, language),
        mine=await summaries(services, mine, user, language),
        next=str(page.next) if page.next else None,
    )


@router.get("/templates")
async def templates() -> event_bodies.TemplateList:
    """List the names of the event templates."""
    return event_bodies.TemplateList(templates=list(event_bodies.templates()))


@router.post("", dependencies=[Depends(deduplicate)])
async def create(
    services: InjectedServices, language: RequestLanguage, user: Person, body: event_bodies.CreateEvent
) -> event_bodies.EventInfo:
    """Create an event organised by the caller."""
    event = await event_bodies.create(services, user, body, language)
    return await _info(EventContext(services, user, event), language)


@router.post(
    "/import",
    dependencies=[Depends(deduplicate), Depends(limit_stored_body)],
    openapi_extra={
        "requestBody": {
            "content": {"application/json": {"schema": event_bodies.ImportEvent.model_json_schema()}},
            "required": True,
        }
    },
)
async def import_file(
    services: InjectedServices, language: RequestLanguage, asker: Requester, user: Person, request: Request
) -> event_bodies.ImportedEventInfo:
    """Create an event from an event file, with its players and games."""
    event, unknown = await event_files.import_event(services, asker, user, await request.body())
    shown = await _info(EventContext(services, user, event), language)
    return event_bodies.ImportedEventInfo.of(shown, unclaimed=unknown.entries, strangers=unknown.staff)


@router.get("/{event}")
async def one(context: PublicEventContext, language: RequestLanguage) -> event_bodies.EventInfo:
    """Return an event."""
    return await _info(context, language)


@router.patch("/{event}")
async def change(
    context: UserEventContext, language: RequestLanguage, body: event_bodies.ChangeEvent
) -> event_bodies.EventInfo:
    """Change an event, for organisers."""
    rights = await context.rights(ORGANISER)
    await event_changes.change_plan(context.services, rights, body)
    return await _info(context, language)


@router.post("/{event}/status")
async def set_status(
    context: UserEventContext, language: RequestLanguage, body: event_bodies.StatusBody
) -> event_bodies.EventInfo:
    """Close, cancel or reopen an event, for organisers."""
    rights = await context.rights(ORGANISER)
    await event_changes.change_status(context.services, rights, body)
    return await _info(context, language)


@router.get("/{event}/file", response_class=Response)
async def event_file(context: UserEventContext, language: RequestLanguage) -> Response:
    """Export an event file with everything needed to continue on another server, for organisers."""
    rights = await context.rights(ORGANISER)
    name = rights.event.name
    headers = attachment(name, ".json", f"jantaku-event-{rights.event.id}")
    return JSONResponse(
        await event_files.export_event_file(context.services, rights.event, language), headers=headers
    )


@router.get("/{event}/standings")
async def event_standings(
    context: PublicEventContext, services: InjectedServices, language: RequestLanguage
) -> event_bodies.StandingsBody:
    """Return the standings of every stage, from confirmed games."""
    rights = await context.results()
    standings = await services.standings.get(rights.event)
    names = await names_view(context.services, rights.event.id, standings.names, language)
    return standings.model_copy(update={"names": names})


@router.get("/{event}/payments")
async def payments(context: PublicEventContext) -> PaymentsInfo:
    """Return what every hand pays under the event's rules, so that recorders can work offline."""
    return await payment_previews.payments(context.services, await context.rights())


@router.post("/{event}/staff")
async def add_staff(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    body: event_bodies.StaffBody,
) -> event_bodies.EventInfo:
    """Give an account a role in the event, for organisers."""
    rights = await context.rights(ORGANISER)
    limit_lookups(services, asker)
    member = await context.services.accounts.by_account(same_name(body.name))
    if member is None:
        raise ServerError("no_such_account", field="name", name=body.name)
    await event_changes.change_staff(context.services, rights, member, body.role)
    return await _info(context, language)


@router.delete("/{event}/staff/{person}")
async def remove_staff(
    context: UserEventContext, language: RequestLanguage, person: PersonId
) -> event_bodies.EventInfo:
    """Remove a member of staff, for organisers; anyone may give up their own role."""
    rights = await context.rights()
    if person != context.user.id or not rights.role:
        rights.demand(ORGANISER)
    member = await context.services.accounts.find(person)
    if member is None:
        raise ServerError("no_person")
    await event_changes.change_staff(context.services, rights, member, "")
    return await _info(context, language)
