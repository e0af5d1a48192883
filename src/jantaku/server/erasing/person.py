"""Deletes a person on request in the database, and says so to every process."""

from contextlib import suppress

from jantaku.server.edge.shielded import to_the_end
from jantaku.server.erasing.erasing_kit import ErasingKit
from jantaku.server.errors import ServerError
from jantaku.server.events.registration.entries import fill
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.erasure import Extent, erase_person, extent_of, is_playing
from jantaku.server.storage.sessions import EndedSessions


async def extent(kit: ErasingKit, person: str) -> Extent:
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
