"""Two requests at one moment never make two people of one in a season, in SQLite and in PostgreSQL."""

import asyncio

import pytest

from jantaku.server.events.common.event import Registration
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.registration import claims, entries
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.registration.entries import register_entry as register
from jantaku.server.storage.entries import TAKEN, EntryRow, entry_of
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services

pytestmark = pytest.mark.anyio


async def season(services: Services) -> tuple[PersonRow, list[str]]:
    """Somebody, and the two open events of a season."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    events = [
        await create(
            services,
            mina,
            CreateEvent(name={"en": name}, rules="tenhou", registration=Registration(open=True)),
        )
        for name in "ab"
    ]
    parts = tuple(PartRow(event, {}, True, event, 1.0, 0.0) for event in events)
    row = SeasonRow(new_id(), {"en": "Year"}, None, True, mina.id, 0, parts=parts)
    await services.seasons.add(row, 10)
    return mina, events


async def rows_of(services: Services, events: list[str]) -> list[EntryRow]:
    return [row for event in events for row in await services.entries.all(event)]


async def test_who_registers_for_two_events_at_once_is_one_person(services: Services) -> None:
    mina, events = await season(services)

    async def enter(event: str) -> None:
        async with services.events.changing(event, mina) as change:
            await register(change, mina, Listed("Mina"))
            await asyncio.sleep(0.2)  # the other request comes before this one is stored

    await asyncio.gather(*map(enter, events))
    rows = await rows_of(services, events)
    assert {row.person for row in rows} == {mina.id}
    assert len({row.player for row in rows}) == 1
    assert [row.namesake for row in rows] == [1, 1]


async def test_who_claims_two_names_at_once_is_one_person(services: Services) -> None:
    mina, events = await season(services)
    for event, name in zip(events, ("Mina", "Minah"), strict=True):
        async with services.events.changing(event, mina) as change:
            await add_listed(change, [Listed(name, "", "m")])
            assert await claims.claim_entry(change, mina, await entry_of(change, "m"), "card") == TAKEN
    assert len({row.player for row in await rows_of(services, events)}) == 2
    await asyncio.gather(*(entries.owned(services, mina, event, "m") for event in events))
    rows = await rows_of(services, events)
    assert {(row.player, row.name, row.person) for row in rows} == {(rows[0].player, "Mina", mina.id)}
