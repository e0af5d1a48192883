"""Deletion of a person's data on request: by oneself, by an admin, and of one entry by an organiser."""

from typing import Annotated, NamedTuple

from fastapi import Depends, Path, Response

from jantaku.server.edge.bodies import router_of
from jantaku.server.erasing.deleting import entries_to_erase, erase, erase_entries, extent_of_person
from jantaku.server.erasing.erasing_kit import ErasingKit, ForErasing
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EntryId, EventId, rights_in
from jantaku.server.events.common.event_bodies import event_name
from jantaku.server.people.asking import COOKIE, Person, RequestLanguage, entering
from jantaku.server.people.people_bodies import EraseAnswer, EraseBody, EraseEntryAnswer, EraseEntryBody
from jantaku.server.people.roles import demand
from jantaku.server.storage.erasure import Extent
from jantaku.server.storage.people import PersonRow

router = router_of("/api", "people")
Id = Annotated[str, Path(max_length=16)]


class EntryPlace(NamedTuple):
    """An entry and its event."""

    event: EventId
    entry: EntryId


def _answer(extent: Extent, token: str | None) -> EraseAnswer:
    return EraseAnswer(done=token is None, confirm=token, **extent._asdict())


async def _erase(kit: ErasingKit, who: PersonRow, person: PersonRow, body: EraseBody) -> EraseAnswer:
    """Ask, or delete if this is the second request."""
    extent, what = await extent_of_person(kit, person.id), f"erase {person.id}"
    if body.confirm is None:
        return _answer(extent, kit.confirmations.ask(who.id, what))
    kit.confirmations.check(who.id, what, body.confirm)
    await erase(kit, who, person)
    return _answer(extent, None)


@router.post("/me/erase", dependencies=[Depends(entering)])
async def erase_me(response: Response, kit: ForErasing, who: Person, body: EraseBody) -> EraseAnswer:
    """Delete my account, my names and what I have uploaded. Asked twice, and with my password."""
    if body.confirm is not None and not who.guest:
        await kit.accounts.check_password(who, body.password)
    answer = await _erase(kit, who, who, body)
    if answer.done:
        response.delete_cookie(COOKIE, path="/")
    return answer


@router.post("/people/{person_id}/erase")
async def erase_person(kit: ForErasing, who: Person, person_id: Id, body: EraseBody) -> EraseAnswer:
    """Delete a person at their request (admins only). Asked twice."""
    demand(who, ("admin",))
    person = await kit.services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    return await _erase(kit, who, person, body)


@router.post("/events/{event}/entries/{entry}/erase")
async def erase_one_entry(
    kit: ForErasing,
    who: Person,
    language: RequestLanguage,
    at: Annotated[EntryPlace, Depends()],
    body: EraseEntryBody,
) -> EraseEntryAnswer:
    """Delete the names of an entry at the player's request, or of all of theirs (organisers). Asked twice."""
    await rights_in(kit.services, at.event, who, ORGANISER)
    entries = await entries_to_erase(kit.services, who, *at, everywhere=body.everywhere)
    events = await kit.services.events.named({entry.event for entry in entries})
    names = sorted(event_name(event, language) for event in events.values())
    what = "erase " + " ".join(f"{entry.event}/{entry.id}" for entry in entries)
    token = None
    if body.confirm is None:
        token = kit.confirmations.ask(who.id, what)
    else:
        kit.confirmations.check(who.id, what, body.confirm)
        await erase_entries(kit.services, who, entries)
    return EraseEntryAnswer(done=token is None, confirm=token, entries=len(entries), events=names)
