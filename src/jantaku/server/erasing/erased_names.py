"""Deletes the names of a player in one event, or in all events of an organiser."""

from collections.abc import Sequence

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import ORGANISER, changing, rights_in
from jantaku.server.events.registration.entries import fill
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.entries import EntryRow, entry_of
from jantaku.server.storage.erasure import erase_entry
from jantaku.server.storage.events import ANY
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms


async def entries_to_erase(
    services: Services, who: PersonRow, event: str, entry: str, *, everywhere: bool
) -> list[EntryRow]:
    """The entry, or all of the same player in the events that ``who`` organises; raises ``no_entry``.

    Entries without an account are one player if they have the same name, as in the ranking of a season.
    """
    named = (await services.entries.named([(event, entry)])).get((event, entry))
    if named is None or named.status == "merged":
        raise ServerError("no_entry")
    if not everywhere or named.erased is not None:
        return [named]
    roles = await services.events.roles(who.id)
    mine = {run for run, role in roles.items() if role == "organiser"}
    return await services.entries.alike(named, sorted(mine | {event}))


async def erase_entries(services: Services, who: PersonRow, entries: Sequence[EntryRow]) -> None:
    """Delete the names of entries, event by event; whoever waits moves up."""
    at = now_ms()
    for entry in entries:
        rights = await rights_in(services, entry.event, who)
        rights.demand(ORGANISER)
        async with changing(services, rights, ANY) as change:
            await erase_entry(change, await entry_of(change, entry.id), at)
            await fill(change)
