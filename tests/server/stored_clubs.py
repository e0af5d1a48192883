"""An event that is stored in a database and used without HTTP."""

from contextlib import AbstractAsyncContextManager
from typing import Any, Self

import pytest

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EventRights, rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.recording import starting_games
from jantaku.server.events.recording.recorded_game import (
    GameTable,
    HandBody,
    HandEntered,
    StartRecorded,
    table_of,
)
from jantaku.server.events.registration.entries import ListedPlayer, add_listed
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.storage.events import Change, EventRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from server.clubs import STAGES
from server.parlour import Message

GAME = "game-0001"


class StoredClub:
    """An event with an organiser, entries named a, b and so on, and a game of the first four."""

    def __init__(self, services: Services, mina: PersonRow | None) -> None:
        self.services, self.id = services, ""
        self.mina = mina or PersonRow(new_id(), "Mina", new_id(), "player", "ko")

    @classmethod
    async def open(
        cls, services: Services, entries: str = "abcdef", mina: PersonRow | None = None, **plan: Any
    ) -> Self:
        club = cls(services, mina)
        if mina is None:
            await services.accounts.add(club.mina)
        body = CreateEvent.model_validate({"name": "대회", "rules": "tenhou", "stages": STAGES} | plan)
        club.id = await create(services, club.mina, body)
        if entries:
            async with club.changing() as change:
                await add_listed(change, [ListedPlayer(name, "", name) for name in entries])
            await club.start()
        return club

    def changing(self) -> AbstractAsyncContextManager[Change]:
        return self.services.events.changing(self.id, self.mina)

    async def rights(self, person: PersonRow | None = None) -> EventRights:
        return await rights_in(self.services, self.id, person or self.mina)

    async def row(self) -> EventRow:
        return await self.services.events.find(self.id)

    async def start(
        self, game: str = GAME, who: PersonRow | None = None, rights: EventRights | None = None
    ) -> None:
        body = StartRecorded(id=game, stage="league", players=list("abcd"))
        rights = rights or await self.rights(who)
        await starting_games.start(
            self.services, rights, who or self.mina, body, StandingsCache(self.services)
        )

    async def enter(self, id_: str, hand: Message, follows: str = "") -> HandEntered:
        body = HandBody(id=id_, follows=follows, hand=hand)
        return await starting_games.enter_hand(self.services, self.mina, self.id, GAME, body)

    async def table(self, rights: EventRights | None = None) -> GameTable:
        return await table_of(self.services, rights or await self.rights(), GAME)

    async def points(self, stage: str = "league") -> dict[str, int]:
        answer = await StandingsCache(self.services).get(await self.row())
        return {row.player: row.points for one in answer.stages if one.id == stage for row in one.standings}


class refusal:  # noqa: N801
    """Assert that the block raises a ``ServerError`` with one of these codes."""

    def __init__(self, *codes: str) -> None:
        self.codes, self.raises = codes, pytest.raises(ServerError)

    def __enter__(self) -> None:
        self.error = self.raises.__enter__()

    def __exit__(self, *raised: Any) -> bool | None:
        done = self.raises.__exit__(*raised)
        assert self.error.value.code in self.codes
        return done
