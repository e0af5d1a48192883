"""Registration for an event: by oneself, by an organiser, and what becomes of an entry."""

import secrets
from collections.abc import Mapping, Sequence

from fastapi import Depends

from jantaku.club.namesakes import same_name
from jantaku.server.edge.routing import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common import event_bodies as bodies
from jantaku.server.events.common.event_asked import AskedByAnyone, AskedByPerson, EventAsked
from jantaku.server.events.common.event_path import EntryId
from jantaku.server.events.common.event_rights import ORGANISER, EventRights, changing, rights_in
from jantaku.server.events.common.event_shown import entries_shown, entry_shown
from jantaku.server.events.registration import entries as registration
from jantaku.server.events.registration import merged_players, season_people
from jantaku.server.events.registration.players import renamed
from jantaku.server.names import shown_name
from jantaku.server.people.asking import (
    AnyKit,
    Asking,
    RequestLanguage,
    changing_mind,
    naming,
    never_twice,
    working,
)
from jantaku.server.storage.entries import EntryRow, change_entry, entry_of, remember
from jantaku.server.storage.events import Change
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language

router = router_of("/api/events/{event}/entries", "events")


async def _list(services: Services, rights: EventRights, language: Language) -> bodies.EntryList:
    rows = await services.entries.all(rights.event.id)
    return bodies.EntryList(entries=entries_shown(rows, rights, language))


@router.get("")
async def entries(asked: AskedByAnyone, language: RequestLanguage) -> bodies.EntryList:
    """Who plays; those who run the event see everybody who asked."""
    return await _list(asked.services, await asked.rights(), language)


@router.post("", dependencies=[Depends(changing_mind)])
async def register(asked: AskedByPerson, body: bodies.RegisterEntry) -> bodies.EventEntry:
    """Register myself."""
    listed = registration.Listed(body.name or asked.who.name, body.team)
    async with asked.services.events.changing(asked.event, asked.who) as change:
        entry = await registration.register(change, asked.who, listed)
    return entry_shown(entry, asked.who.id)


@router.post("/list", dependencies=[Depends(never_twice)])
async def add(asked: AskedByPerson, language: RequestLanguage, body: bodies.EntriesBody) -> bodies.EntryList:
    """Register people, with or without an account."""
    rights = await asked.rights(ORGANISER)
    earlier = await _earlier(asked, body)
    people = [
        registration.Listed(
            *(entry.name, entry.team, entry.id or "", entry.country, entry.association),
            earlier=earlier[entry.earlier.event, entry.earlier.entry] if entry.earlier else None,
        )
        for entry in body.entries
    ]
    async with changing(asked.services, rights) as change:
        rows = await registration.add_listed(change, people)
        await _carry_nicknames(asked.services, change, rows, earlier)
    for row in rows:
        if row.person is not None:
            await season_people.owned(asked.services, asked.who, asked.event, row.id)
    return await _list(asked.services, rights, language)


async def _earlier(asked: EventAsked[PersonRow], body: bodies.EntriesBody) -> dict[tuple[str, str], EntryRow]:
    """The entries in earlier events that a list names; only who organises those too may take them over."""
    keys = {(entry.earlier.event, entry.earlier.entry) for entry in body.entries if entry.earlier}
    for event in {event for event, _ in keys}:
        await rights_in(asked.services, event, asked.who, ORGANISER)
    rows = await asked.services.entries.named(sorted(keys)) if keys else {}
    if any(key not in rows or rows[key].status == "merged" or rows[key].erased for key in keys):
        raise ServerError("no_entry")
    return rows


async def _carry_nicknames(
    services: Services,
    change: Change,
    rows: Sequence[EntryRow],
    earlier: Mapping[tuple[str, str], EntryRow],
) -> None:
    """Give people the nicknames of their earlier entries that nobody here has."""
    taken = {(row.site, row.name) for row in await services.nicknames.all(change.event.id)}
    here = {row.player: row.id for row in rows}
    for event in {event for event, _ in earlier}:
        for nickname in await services.nicknames.all(event):
            before = earlier.get((event, nickname.entry))
            entry = None if before is None else here.get(before.player)
            if entry is not None and (nickname.site, nickname.name) not in taken:
                taken.add((nickname.site, nickname.name))
                await remember(change, [nickname._replace(entry=entry)])


@router.post("/no-shows")
async def take_out(
    asked: AskedByPerson, language: RequestLanguage, body: bodies.NoShowsBody
) -> bodies.EntryList:
    """Take out those who have not checked in; whoever waits moves up."""
    rights = await asked.rights(ORGANISER)
    async with changing(asked.services, rights) as change:
        await registration.take_out(change, body.entries, body.why)
    return await _list(asked.services, rights, language)


@router.post("/check-in")
async def check_in(asked: AskedByPerson, kit: AnyKit, body: bodies.CheckInBody) -> bodies.EventEntry:
    """Check myself in with the event's code."""
    working(kit, asked.who)
    rights = await asked.rights()
    if rights.plays is None:
        raise ServerError("no_entry")
    if not secrets.compare_digest(body.code.strip().lower().encode(), rights.event.code.encode()):
        raise ServerError("wrong_code", field="code")
    async with changing(asked.services, rights) as change:
        entry = await entry_of(change, rights.plays)
        entry = await registration.check_in(change, entry)
    return entry_shown(entry, asked.who.id)


@router.patch("/{entry}")
async def change_one(
    asked: AskedByPerson, kit: AnyKit, asker: Asking, entry: EntryId, body: bodies.EntryPatch
) -> bodies.EventEntry:
    """Change an entry, admit it, refuse it or take it out."""
    rights = await asked.rights(ORGANISER)
    account = None
    if body.account:
        naming(kit, asker)
        account = await asked.services.accounts.by_account(same_name(body.account))
        if account is None:
            raise ServerError("no_such_account", field="account", name=body.account)
    async with changing(asked.services, rights) as change:
        row = await entry_of(change, entry)
        if body.account is not None:
            row = await registration.give_account(change, row, account and account[0])
        row = await _changed(change, row, body)
    if body.account is not None:
        await season_people.account_changed(asked.services, asked.who, asked.event, entry)
    if body.name is not None:
        await season_people.spread(asked.services, asked.who, asked.event, [row.player])
    return entry_shown(row, asked.who.id)


async def _changed(change: Change, entry: EntryRow, body: bodies.EntryPatch) -> EntryRow:
    values: dict[str, object] = {}
    if body.name is not None:
        values |= await renamed(change, entry, shown_name(body.name, registration.MOST_NAME))
    if body.team is not None:
        values["team"] = registration.shown_team(body.team)
    if body.checked_in is False:
        values["checked_in"] = None
    entry = await change_entry(change, entry, body.why, **values)
    if body.checked_in:
        entry = await registration.check_in(change, entry, body.why)
    return entry if body.status is None else await registration.decide(change, entry, body.status, body.why)


@router.post("/{entry}/withdraw", dependencies=[Depends(changing_mind)])
async def withdraw(asked: AskedByPerson, entry: EntryId) -> bodies.EventEntry:
    """Withdraw; a player of the waiting list moves up. Games that were played still count."""
    rights = await asked.rights()
    if rights.entry is None or rights.entry.id != entry:
        rights.demand(ORGANISER)
    async with changing(asked.services, rights) as change:
        row = await registration.withdraw(change, await entry_of(change, entry))
    return entry_shown(row, asked.who.id)


@router.post("/{entry}/merge")
async def merge(asked: AskedByPerson, entry: EntryId, body: bodies.MergeBody) -> bodies.EventEntry:
    """Make two entries of one person one."""
    rights = await asked.rights(ORGANISER)
    services, rows = asked.services, await asked.services.entries.all(asked.event)
    players = {row.id: row.player for row in rows if row.status != "merged"}
    gone, stays = players.get(entry), players.get(body.into)
    peers = await season_people.organised_peers(services, asked.who, asked.event)
    if gone is not None and stays is not None:
        await season_people.demand_one_person(services, asked.who, [asked.event, *peers], gone, stays)
    async with changing(services, rights) as change:
        first, into = await entry_of(change, entry), await entry_of(change, body.into)
        row = await merged_players.merge(change, first, into, body.why)
    await season_people.unite(services, asked.who, [asked.event, *peers], first.player, row.player, body.why)
    return entry_shown(row, asked.who.id)
