"""Events: lists, opening one, changing it, and who runs it."""

from typing import Annotated

from fastapi import Depends, Path, Query, Response
from starlette.responses import JSONResponse

from jantaku.club.namesakes import same_name
from jantaku.server.edge.attachments import attachment
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common import event_bodies as bodies
from jantaku.server.events.common import opening
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.event_shown import event_info, event_name, names_shown, summaries
from jantaku.server.events.common.rights import ORGANISER, hidden, rights_in
from jantaku.server.events.organising import changes
from jantaku.server.events.organising import event_files as files
from jantaku.server.events.recording import previews
from jantaku.server.events.recording.payment_bodies import PaymentsInfo
from jantaku.server.events.results.results_kit import AtResults
from jantaku.server.people import asking
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.paging import POSITION, PageEnd

router = router_of("/api/events", "events")
PersonId = Annotated[str, Path(max_length=16)]
PAGE = 50


async def shown_again(
    kit: AtResults, event: str, who: PersonRow, language: asking.RequestLanguage
) -> bodies.EventInfo:
    """The event after a change."""
    return await event_info(kit, await rights_in(kit.services, event, who), language)


@router.get("")
async def events(
    kit: AtResults,
    language: asking.RequestLanguage,
    who: asking.Whoever,
    before: Annotated[str | None, Query(max_length=40, pattern=POSITION)] = None,
) -> bodies.EventList:
    """The events that everybody finds, and mine."""
    store = kit.services.events
    page = await store.of(None, PageEnd.parse(before), PAGE)
    mine = (await store.of(who.id, None, PAGE)).rows if who is not None else []
    return bodies.EventList(
        events=await summaries(kit, page.rows, who, language),
        mine=await summaries(kit, mine, who, language),
        next=str(page.next) if page.next else None,
    )


@router.get("/templates")
async def templates() -> bodies.TemplateList:
    """The names of all templates of events."""
    return bodies.TemplateList(templates=list(opening.templates()))


@router.post("", dependencies=[Depends(asking.not_twice)])
async def create(
    kit: AtResults, language: asking.RequestLanguage, who: asking.Person, body: bodies.CreateEvent
) -> bodies.EventInfo:
    """Open an event; I am its organiser."""
    event = await opening.create(kit.services, who, body)
    return await shown_again(kit, event, who, language)


@router.post("/import", dependencies=[Depends(asking.not_twice), Depends(asking.keeping_body)])
async def import_file(
    kit: AtResults,
    language: asking.RequestLanguage,
    asker: asking.Asking,
    who: asking.Person,
    body: bodies.ImportEvent,
) -> bodies.EventInfo:
    """Open an event from an event file with its players and games."""
    event = await files.import_event(kit, asker, who, body)
    return await shown_again(kit, event, who, language)


@router.get("/{event}")
async def one(
    kit: AtResults, language: asking.RequestLanguage, who: asking.Whoever, event: EventId
) -> bodies.EventInfo:
    """One event."""
    return await event_info(kit, await rights_in(kit.services, event, who), language)


@router.patch("/{event}")
async def change(
    kit: AtResults,
    language: asking.RequestLanguage,
    who: asking.Person,
    event: EventId,
    body: bodies.ChangeEvent,
) -> bodies.EventInfo:
    """Change an event."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    await changes.change_plan(kit.services, rights, body)
    return await shown_again(kit, event, who, language)


@router.post("/{event}/status")
async def set_status(
    kit: AtResults,
    language: asking.RequestLanguage,
    who: asking.Person,
    event: EventId,
    body: bodies.StatusBody,
) -> bodies.EventInfo:
    """Close, cancel or reopen an event."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    await changes.change_status(kit.services, rights, body)
    return await shown_again(kit, event, who, language)


@router.get("/{event}/file", response_class=Response)
async def event_file(
    kit: AtResults, language: asking.RequestLanguage, who: asking.Person, event: EventId
) -> Response:
    """The event as an event file, with the games that count."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    name = event_name(rights.event, language)
    headers = attachment(name, ".json", f"jantaku-event-{rights.event.id}")
    return JSONResponse(await files.export(kit.services, rights.event, language), headers=headers)


@router.get("/{event}/standings")
async def event_standings(
    kit: AtResults, language: asking.RequestLanguage, who: asking.Whoever, event: EventId
) -> bodies.StandingsBody:
    """The standings of every stage, from the games that are confirmed."""
    rights = await rights_in(kit.services, event, who)
    if hidden(rights):
        raise ServerError("standings_hidden")
    standings = await kit.standings.get(rights.event)
    names = await names_shown(kit.services, rights.event.id, standings.names, language)
    return standings.model_copy(update={"names": names})


@router.get("/{event}/payments")
async def payments(kit: AtResults, who: asking.Whoever, event: EventId) -> PaymentsInfo:
    """What every hand pays under the event's rules, for recorders without a network."""
    return await previews.payments(kit.services, await rights_in(kit.services, event, who))


@router.post("/{event}/staff")
async def add_staff(
    kit: AtResults,
    language: asking.RequestLanguage,
    who: asking.Person,
    asker: asking.Asking,
    event: EventId,
    body: bodies.StaffBody,
) -> bodies.EventInfo:
    """Give somebody with an account a role in the event."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    asking.naming(kit, asker)
    member = await kit.services.accounts.by_account(same_name(body.name))
    if member is None:
        raise ServerError("no_such_account", field="name", name=body.name)
    await changes.change_staff(kit.services, rights, member[0], body.role)
    return await shown_again(kit, event, who, language)


@router.delete("/{event}/staff/{person}")
async def remove_staff(
    kit: AtResults, language: asking.RequestLanguage, who: asking.Person, event: EventId, person: PersonId
) -> bodies.EventInfo:
    """Take somebody's role away; one's own may always be given up."""
    rights = await rights_in(kit.services, event, who)
    if person != who.id or not rights.role:
        rights.demand(ORGANISER)
    member = await kit.services.accounts.find(person)
    if member is None:
        raise ServerError("no_person")
    await changes.change_staff(kit.services, rights, member, "")
    return await shown_again(kit, event, who, language)
