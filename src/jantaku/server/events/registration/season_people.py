"""The people of a season: what is said of them in one event holds in all, and who is one person or two."""

from collections.abc import Collection, Sequence
from typing import Final

from jantaku.club.namesakes import free_number, same_name
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import ORGANISER, roles_of
from jantaku.server.events.registration.merged_players import demand_alike, merge
from jantaku.server.events.registration.players import living, others_of, peers_of, recognised
from jantaku.server.storage.entries import EntryRow, change_entry, entries_of, forget_marks
from jantaku.server.storage.events import ANY, Change
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services

SHARED: Final = ("name", "namesake", "person")  # the same in all events of a season


async def spread(services: Services, who: PersonRow, event: str, players: Collection[str]) -> None:
    """Let names, numbers and accounts of people of an event hold in the other events of its seasons."""
    rows = {entry.player: entry for entry in living(await services.entries.all(event)) if not entry.erased}
    async with services.store.reading() as connection:
        peers = await peers_of(connection, event)
    for peer in peers:
        for player in players:
            if player in rows:
                await _share(services, who, peer, rows[player])


async def _share(services: Services, who: PersonRow, event: str, model: EntryRow) -> None:
    """Give the entry of a person in an event their name, number and account."""
    if not any(_differs(entry, model) for entry in await services.entries.all(event)):
        return
    async with services.events.changing(event, who, ANY) as change:
        entries = living(await entries_of(change.connection, event))
        for entry in entries:
            if _differs(entry, model):
                await _take_on(change, entry, model, entries)


def _differs(entry: EntryRow, model: EntryRow) -> bool:
    if entry.player != model.player or entry.status == "merged" or entry.erased is not None:
        return False
    return any(getattr(entry, name) != getattr(model, name) for name in SHARED)


async def _take_on(change: Change, entry: EntryRow, model: EntryRow, entries: Sequence[EntryRow]) -> EntryRow:
    """Make an entry that of the person of another."""
    person = model.person
    if person is not None and any(other.person == person and other.id != entry.id for other in entries):
        person = entry.person
    card = new_id() if entry.person is not None and person is None else entry.card
    after = await change_entry(
        *(change, entry),
        player=model.player,
        name=model.name,
        namesake=model.namesake,
        person=person,
        card=card,
    )
    if person != entry.person:
        change.note("claim", entry=entry.id, after={"state": "undone" if person is None else "taken"})
        if entry.person is not None:
            await forget_marks(change, entry)
    return after


async def link(services: Services, who: PersonRow, event: str, linked: Sequence[str]) -> None:
    """Say who the people of an event that comes into a season are, by the events that are ``linked``."""
    async with services.events.changing(event, who, ANY) as change:
        others = [entry for one in linked for entry in await entries_of(change.connection, one)]
        rows = living(await entries_of(change.connection, event))
        for before, after in zip(rows, recognised(rows, others), strict=True):
            values = {name: getattr(after, name) for name in ("player", *SHARED)}
            await change_entry(change, before, **values)
    known = {entry.player for entry in others}
    rows = living(await services.entries.all(event))
    for entry in rows:
        if entry.player in known and entry.erased is None:
            for one in linked:
                await _share(services, who, one, entry)


async def account_changed(services: Services, who: PersonRow, event: str, entry: str) -> None:
    """After an entry has got or lost its account: it holds in all events of the season."""
    row = next((row for row in living(await services.entries.all(event)) if row.id == entry), None)
    if row is not None and row.person is not None:
        await owned(services, who, event, entry)
    elif row is not None:
        await spread(services, who, event, [row.player])


async def owned(services: Services, who: PersonRow, event: str, entry: str) -> None:
    """After an entry has got an account: it holds in all events of the season.

    Another person of the season with that account turns out to be the same.
    """
    async with services.store.reading() as connection:
        mine = next(row for row in await entries_of(connection, event) if row.id == entry)
        others = living(await others_of(connection, event))
        peers = await peers_of(connection, event)
    alike = [row for row in others if row.player == mine.player]
    if any(row.person not in (None, mine.person) for row in alike):
        await _alone(services, who, event, entry)  # that person is somebody else
        return
    other = next((row for row in others if row.person == mine.person and row.player != mine.player), None)
    if other is not None:
        met = {row.event for row in others if row.player == other.player} & {row.event for row in alike}
        gone, stays = (mine, other) if met else sorted((mine, other), key=_precedence)[::-1]
        for one in [event, *peers]:
            await _move(services, who, one, gone.player, stays)
    player = mine.player if other is None else stays.player
    await spread(services, who, event, [player])


def _precedence(entry: EntryRow) -> tuple[bool, int, str, str]:
    """The same order for whoever asks, so that two claims at one moment do not swap two people."""
    return not entry.listed, entry.created, entry.event, entry.id


async def _alone(services: Services, who: PersonRow, event: str, entry: str) -> None:
    """Make an entry a person of its own."""
    async with services.events.changing(event, who, ANY) as change:
        rows = await entries_of(change.connection, event)
        row = next(row for row in rows if row.id == entry)
        everybody = living([*rows, *await others_of(change.connection, event)])
        taken = {same_name(one.label) for one in everybody if one.id != row.id or one.event != event}
        await change_entry(change, row, player=new_id(), namesake=free_number(row.name, taken))


async def _move(services: Services, who: PersonRow, event: str, gone: str, stays: EntryRow) -> None:
    """Make the entry of one person in an event that of another, who has none there."""
    async with services.events.changing(event, who, ANY) as change:
        entries = living(await entries_of(change.connection, event))
        mine = next((entry for entry in entries if entry.player == gone), None)
        if mine is not None and all(entry.player != stays.player for entry in entries):
            person = stays.person or mine.person
            await _take_on(change, mine, stays._replace(person=person), entries)


async def organised_peers(services: Services, who: PersonRow, event: str) -> list[str]:
    """The other events of the seasons of an event that somebody organises."""
    async with services.store.reading() as connection:
        peers = await peers_of(connection, event)
    roles = await roles_of(services, peers, who)
    return [peer for peer in peers if roles.get(peer) == ORGANISER]


async def demand_one_person(
    services: Services, who: PersonRow, events: Sequence[str], gone: str, into: str
) -> None:
    """Raise ``entries_differ`` if two people of a season cannot be one."""
    accounts = set[str]()
    for event in events:
        async with services.store.reading() as connection:
            entries = living(await entries_of(connection, event))
        both = [entry for entry in entries if entry.player in (gone, into)]
        accounts |= {entry.person for entry in both if entry.person is not None}
        if any(entry.erased for entry in both):
            raise ServerError("entries_differ")
        if len(both) == 2:
            async with services.events.changing(event, who, ANY) as change:
                await demand_alike(change, *both)
    if len(accounts) > 1:
        raise ServerError("entries_differ")


async def unite(
    services: Services, who: PersonRow, events: Sequence[str], gone: str, into: str, why: str
) -> None:
    """Make two people of a season one, in all of these events."""
    models = list[EntryRow]()
    for event in events:
        async with services.events.changing(event, who, ANY) as change:
            entries = living(await entries_of(change.connection, event))
            of = {entry.player: entry for entry in entries if entry.player in (gone, into)}
            if len(of) == 2:
                models.append(await merge(change, of[gone], of[into], why))
            elif gone in of:
                models.append(await change_entry(change, of[gone], why, player=into))
            elif into in of:
                models.insert(0, of[into])
    named = next((model for model in models if model.player == into), None)
    if named is None:
        return
    person = next((model.person for model in models if model.person is not None), None)
    for event in events:
        await _share(services, who, event, named._replace(person=person))


async def separate(services: Services, who: PersonRow, event: str, entry: str, why: str) -> None:
    """Make an entry another person than the rest of its season; an account stays with the rest."""
    async with services.events.changing(event, who, ANY) as change:
        rows = await entries_of(change.connection, event)
        row = next((row for row in living(rows) if row.id == entry), None)
        if row is None:
            raise ServerError("no_entry")
        others = living(await others_of(change.connection, event))
        if all(one.player != row.player for one in others):
            return
        taken = {same_name(one.label) for one in [*living(rows), *others] if one.erased is None}
        values = {"player": new_id(), "namesake": free_number(row.name, taken), "person": None}
        await change_entry(change, row, why, **values, card=new_id())
        if row.person is not None:
            change.note("claim", entry=row.id, after={"state": "undone"}, why=why)
            await forget_marks(change, row)
