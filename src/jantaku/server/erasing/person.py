"""Deletes a person on request: in the database, at the tables in memory, and in what is cached."""

import dataclasses
from contextlib import suppress
from typing import Any

from jantaku.server.archive.replay import ReplayCache
from jantaku.server.edge.shielded import to_the_end
from jantaku.server.erasing.erasing_kit import ErasingKit
from jantaku.server.errors import ServerError
from jantaku.server.events.registration.entries import fill
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.ranked.queue import RankedQueue
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
    await services.links.ask_all("erased", [person.id, list(extent.games)])
    for event, revision in extent.events:
        for call in services.events.changed:
            call(event, revision)


def forget_erased(lobby: Lobby, replays: ReplayCache, ratings: TableRatings, ranked: RankedQueue) -> None:
    """Forget at the tables of this process, and in what it has kept, whom any process erases."""

    async def forget(said: Any) -> bool:
        person, games = said
        with suppress(ServerError):  # being seated already: then they leave the table
            ranked.leave(person)
        for loop in lobby:
            await _leave(loop, person)
        replays.forget(games)
        ratings.forget()
        lobby.services.rulesets.forget()
        return True

    lobby.services.links.questions["erased"] = forget


async def _leave(loop: GameLoop, person: str) -> None:
    """Free the seat of the person at a table, in memory too; nobody there knows their name any more."""
    async with loop.changing() as table:
        sitters = tuple(
            None if sitter and sitter.person == person else sitter for sitter in table.row.sitters
        )
        owned = table.row.owner == person
        if sitters == table.row.sitters and not owned:
            return
        stored = await table.services.seating.find(table.row.id)
        name = stored.name if stored else ""
        row = dataclasses.replace(table.row, sitters=sitters, name=name)
        if row.status == "waiting" and not any(sitter and sitter.person for sitter in sitters):
            row = dataclasses.replace(row, status="closed")
        await table.services.seating.change(row)
        table.row = row
        table.opened_by = "" if owned else table.opened_by
