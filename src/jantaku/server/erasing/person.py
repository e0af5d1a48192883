"""Deletes a person on request: in the database, at the tables in memory, and in what is cached."""

import dataclasses

from jantaku.server.edge.shielded import to_the_end
from jantaku.server.erasing.erasing_kit import ErasingKit
from jantaku.server.errors import ServerError
from jantaku.server.events.registration.entries import fill
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.erasure import Extent, erase_person, extent_of, is_playing


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
        found = await erase_person(connection, who, person.id, fill)
    kit.lobby.signed_out(lambda one: one.person.id == person.id)
    for loop in kit.lobby:
        await _leave(loop, person.id)
    kit.replay_cache.forget(found.games)
    kit.table_ratings.forget()
    services.rulesets.forget()
    for event, revision in found.events:
        for call in services.events.changed:
            call(event, revision)


async def _leave(loop: GameLoop, person: str) -> None:
    """Free the seat of the person at a table, in memory too; nobody there knows their name any more."""
    async with loop.changing() as table:
        sitters = tuple(None if one and one.person == person else one for one in table.row.sitters)
        owned = table.row.owner == person
        if sitters == table.row.sitters and not owned:
            return
        stored = await table.services.seating.find(table.row.id)
        name = stored.name if stored else ""
        row = dataclasses.replace(table.row, sitters=sitters, name=name)
        if row.status == "waiting" and not any(one and one.person for one in sitters):
            row = dataclasses.replace(row, status="closed")
        await table.services.seating.change(row)
        table.row = row
        table.opened_by = "" if owned else table.opened_by
