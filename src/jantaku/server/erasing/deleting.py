"""Deletes a person on request, or the names of a player in one event or all events of an organiser."""

from collections.abc import Sequence
from contextlib import suppress

from jantaku.server.erasing.erasing_kit import ErasingKit
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, changing, rights_in
from jantaku.server.events.registration.entries import fill
from jantaku.server.storage.entries import EntryRow, entry_of
from jantaku.server.storage.erasure import (
    Extent,
    erase_entry,
    erase_person,
    extent_of,
    free_erased_number,
    is_playing,
)
from jantaku.server.storage.events import ANY
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import EndedSessions
from jantaku.server.storage.store import now_ms
from jantaku.server.tasks import to_the_end


async def extent_of_person(kit: ErasingKit, person: str) -> Extent:
    """What would be deleted."""
    async with kit.services.store.reading() as connection:
        return await extent_of(connection, person)


async def erase(kit: ErasingKit, who: PersonRow, person: PersonRow) -> None:
    """Delete a person for good; ``who`` asks for it. Raises ``still_playing`` during a game."""
    await to_the_end(_erase(kit, who, person))


async def _erase(kit: ErasingKit, who: PersonRow, person: PersonRow) -> None:
    services = kit.services
    async with services.store.writing() as connection:
        if await is_playing(connection, person.id):
            raise ServerError("still_playing")
        extent = await erase_person(connection, who, person.id, fill)
    services.links.announce("signed_out", EndedSessions(person.id))
    gone = [person.id, list(extent.games)]
    await services.links.ask(services.links.process, "erased", gone)
    with suppress(ServerError):  # the others look by themselves once they are reached again
        await services.links.ask_others("erased", gone)
    for event, revision in extent.events:
        for call in services.events.changed:
            call(event, revision)


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
    async with services.store.reading() as connection:
        number = await free_erased_number(connection, {entry.event for entry in entries})
    for entry in entries:
        rights = await rights_in(services, entry.event, who)
        rights.demand(ORGANISER)
        async with changing(services, rights, ANY) as change:
            await erase_entry(change, await entry_of(change, entry.id), at, number)
            await fill(change)
