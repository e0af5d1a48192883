"""Forgets erased people in the memory of a process: at its tables, in its queue, and in what it has kept."""

import asyncio
import dataclasses
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from jantaku.server import tasks
from jantaku.server.archive.replay import ReplayCache
from jantaku.server.errors import ServerError
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.ranked.queue import RankedQueue
from jantaku.server.tasks import Background


class Forgetting(Background):
    """Forgets whom any process erases: when told, and when that may have been missed.

    A process that erases someone can end before it says so, and a message can be lost. So whoever is at a
    table or in the queue is looked up when a process has gone or messages were lost.
    """

    def __init__(
        self, lobby: Lobby, replays: ReplayCache, ratings: TableRatings, ranked: RankedQueue
    ) -> None:
        self._lobby, self._replays, self._ratings, self._ranked = lobby, replays, ratings, ranked
        self._missed = asyncio.Event()
        services = lobby.services
        services.links.questions["erased"] = self._told
        services.links.messages.lost.append(self._missed.set)
        services.lease.changed.append(self._missed.set)

    async def _told(self, said: Any) -> bool:
        person, games = said
        await self._leave_all(person)
        await self._read_names()
        self._forget_read(games)
        return True

    async def _run(self) -> None:
        while True:
            await self._missed.wait()
            self._missed.clear()
            with tasks.reported("looking for erased people failed"):
                await self._look()

    async def _look(self) -> None:
        people = {entry.person for entry in self._ranked.entries}
        for loop in self._lobby:
            row = loop.table.row
            people |= {row.owner, *(sitter.person for sitter in row.sitters if sitter and sitter.person)}
        there = await self._lobby.services.accounts.names(people)
        for person in people - there.keys() - {""}:
            await self._leave_all(person)
        await self._read_names()
        self._forget_read(None)

    async def _leave_all(self, person: str) -> None:
        with suppress(ServerError):  # being seated already: then they leave the table
            self._ranked.leave(person)
        for loop in self._lobby:
            await _leave(loop, person)

    async def _read_names(self) -> None:
        """Tables are called as they are stored, where the names of erased people have been taken out."""
        names = await self._lobby.services.seating.names([loop.table.row.id for loop in self._lobby])
        for loop in self._lobby:
            name = names.get(loop.table.row.id, loop.table.row.name)
            if name != loop.table.row.name:
                async with loop.changing() as table:
                    table.row = dataclasses.replace(table.row, name=name)

    def _forget_read(self, games: Iterable[str] | None) -> None:
        self._replays.forget(games)
        self._ratings.forget()
        self._lobby.services.rulesets.forget()


async def _leave(loop: GameLoop, person: str) -> None:
    """Free the seat of the person at a table, in memory too; nobody there knows their name any more."""
    async with loop.changing() as table:
        sitters = tuple(
            None if sitter and sitter.person == person else sitter for sitter in table.row.sitters
        )
        owned = table.row.owner == person
        if sitters == table.row.sitters and not owned:
            return
        others = (sitter.person for sitter in sitters if sitter and sitter.person)
        owner = next(others, "") if owned else table.row.owner
        row = dataclasses.replace(table.row, sitters=sitters, owner=owner)
        if row.status == "waiting" and not any(sitter and sitter.person for sitter in sitters):
            row = dataclasses.replace(row, status="closed")
        await table.services.seating.change(row)
        table.row = row
        table.opened_by = "" if owned else table.opened_by
