"""Registration for an event: by oneself, by an organiser, and what becomes of an entry."""

import secrets

from fastapi import Depends

from jantaku.club.namesakes import same_name
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common import event_bodies as bodies
from jantaku.server.events.common.event_path import EntryId, EventId
from jantaku.server.events.common.event_shown import entries_shown, entry_shown
from jantaku.server.events.common.rights import ORGANISER, EventRights, changing, rights_in
from jantaku.server.events.registration import entries as registration
from jantaku.server.names import shown_name
from jantaku.server.people import asking
from jantaku.server.storage.entries import EntryRow, change_entry, entry_of
from jantaku.server.storage.events import Change
from jantaku.terms import Language

router = router_of("/api/events/{event}/entries", "events")


async def _list(kit: asking.Kit, rights: EventRights, language: Language) -> bodies.EntryList:
    rows = await kit.services.entries.all(rights.event.id)
    return bodies.EntryList(entries=entries_shown(rows, rights, language))


@router.get("")
async def entries(
    kit: asking.AnyKit, language: asking.RequestLanguage, who: asking.Whoever, event: EventId
) -> bodies.EntryList:
    """Who plays; those who run the event see everybody who asked."""
    return await _list(kit, await rights_in(kit.services, event, who), language)


@router.post("", dependencies=[Depends(asking.changing_mind)])
async def register(
    kit: asking.AnyKit, who: asking.Person, event: EventId, body: bodies.RegisterEntry
) -> bodies.EventEntry:
    """Register myself."""
    listed = registration.Listed(body.name or who.name, body.team)
    async with kit.services.events.changing(event, who) as change:
        entry = await registration.register(change, who, listed)
    return entry_shown(entry, who.id)


@router.post("/list", dependencies=[Depends(asking.never_twice)])
async def add(
    kit: asking.AnyKit,
    language: asking.RequestLanguage,
    who: asking.Person,
    event: EventId,
    body: bodies.EntriesBody,
) -> bodies.EntryList:
    """Register people, with or without an account."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    people = [
        registration.Listed(entry.name, entry.team, entry.id or "", entry.country, entry.association)
        for entry in body.entries
    ]
    people += registration.listed_from(body.csv)
    async with changing(kit.services, rights) as change:
        await registration.add_listed(change, people)
    return await _list(kit, rights, language)


@router.post("/no-shows")
async def take_out(
    kit: asking.AnyKit,
    language: asking.RequestLanguage,
    who: asking.Person,
    event: EventId,
    body: bodies.NoShowsBody,
) -> bodies.EntryList:
    """Take out those who have not checked in; whoever waits moves up."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    async with changing(kit.services, rights) as change:
        await registration.take_out(change, body.entries, body.why)
    return await _list(kit, rights, language)


@router.post("/check-in")
async def check_in(
    kit: asking.AnyKit, who: asking.Person, event: EventId, body: bodies.CheckInBody
) -> bodies.EventEntry:
    """Check myself in with the event's code."""
    if not kit.rates.heavy.take(who.id):
        raise ServerError("too_many")
    rights = await rights_in(kit.services, event, who)
    if rights.plays is None:
        raise ServerError("no_entry")
    if not secrets.compare_digest(body.code.strip().lower().encode(), rights.event.code.encode()):
        raise ServerError("wrong_code", field="code")
    async with changing(kit.services, rights) as change:
        entry = await entry_of(change, rights.plays)
        entry = await change_entry(change, entry, checked_in=entry.checked_in or change.at)
    return entry_shown(entry, who.id)


@router.patch("/{entry}")
async def change_one(
    kit: asking.AnyKit,
    who: asking.Person,
    asker: asking.Asking,
    event: EventId,
    entry: EntryId,
    body: bodies.EntryPatch,
) -> bodies.EventEntry:
    """Change an entry, admit it, refuse it or take it out."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    account = None
    if body.account:
        asking.naming(kit, asker)
        account = await kit.services.accounts.by_account(same_name(body.account))
        if account is None:
            raise ServerError("no_such_account", field="account", name=body.account)
    async with changing(kit.services, rights) as change:
        row = await entry_of(change, entry)
        if body.account is not None:
            row = await registration.give_account(change, row, account and account[0])
        row = await _changed(change, row, body)
    return entry_shown(row, who.id)


async def _changed(change: Change, entry: EntryRow, body: bodies.EntryPatch) -> EntryRow:
    values: dict[str, object] = {}
    if body.name is not None:
        values["name"] = shown_name(body.name, registration.MOST_NAME)
    if body.team is not None:
        values["team"] = registration.shown_team(body.team)
    if body.checked_in is not None:
        values["checked_in"] = (entry.checked_in or change.at) if body.checked_in else None
    entry = await change_entry(change, entry, body.why, **values)
    return entry if body.status is None else await registration.decide(change, entry, body.status, body.why)


@router.post("/{entry}/withdraw", dependencies=[Depends(asking.changing_mind)])
async def withdraw(
    kit: asking.AnyKit, who: asking.Person, event: EventId, entry: EntryId
) -> bodies.EventEntry:
    """Withdraw; a player of the waiting list moves up. Games that were played still count."""
    rights = await rights_in(kit.services, event, who)
    if rights.entry is None or rights.entry.id != entry:
        rights.demand(ORGANISER)
    async with changing(kit.services, rights) as change:
        row = await registration.withdraw(change, await entry_of(change, entry))
    return entry_shown(row, who.id)


@router.post("/{entry}/merge")
async def merge(
    kit: asking.AnyKit, who: asking.Person, event: EventId, entry: EntryId, body: bodies.MergeBody
) -> bodies.EventEntry:
    """Make two entries of one person one."""
    rights = await rights_in(kit.services, event, who, ORGANISER)
    async with changing(kit.services, rights) as change:
        first, into = await entry_of(change, entry), await entry_of(change, body.into)
        row = await registration.merge(change, first, into, body.why)
    return entry_shown(row, who.id)
