"""A person who was erased elsewhere leaves the tables of this process too, even if nobody told it."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.parlour import Parlour
from jantaku.server.play import table_seats
from jantaku.server.play.before_game import change_seats
from jantaku.server.play.lobby import NewTable
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services

pytestmark = pytest.mark.anyio


@pytest.fixture
async def parlour(services: Services) -> AsyncIterator[Parlour]:
    parlour = Parlour(services)
    await services.lease.join()
    await parlour.lobby.open()
    parlour.forgetting.start()
    yield parlour
    await parlour.forgetting.stop()
    await parlour.lobby.close()
    await services.lease.leave()


def a_process_is_gone(services: Services) -> None:
    for call in services.lease.changed:
        call()


def messages_were_lost(services: Services) -> None:
    services.links.messages.note_loss()


async def nothing(_: object) -> None:
    pass


@pytest.mark.parametrize("news", [a_process_is_gone, messages_were_lost])
async def test_whoever_was_erased_unheard_is_looked_up(
    parlour: Parlour, news: Callable[[Services], None]
) -> None:
    services = parlour.services
    mina, jun = (PersonRow(new_id(), name, None, "player", "en") for name in ("Mina", "Jun"))
    loops = []
    for owner in (mina, jun):
        await services.accounts.add_guest(owner, unlike=True)
        loops.append(await parlour.lobby.add(owner, "", NewTable("", "standard", TableOptions())))
    for loop in loops:
        async with loop.changing() as table:
            for person in (mina, jun):
                await change_seats(table, table_seats.joined(table.row, person, None))
    async with services.store.writing() as connection:
        await erase_person(connection, mina, mina.id, nothing)
    news(services)
    for _ in range(500):
        rows = [loop.table.row for loop in loops]
        if not any(sitter and sitter.person == mina.id for row in rows for sitter in row.sitters):
            break
        await asyncio.sleep(0.01)
    assert [[sitter and sitter.name for sitter in row.sitters] for row in rows] == [
        [None, "Jun", None, None]
    ] * 2
    assert [loop.table.opened_by for loop in loops] == ["", "Jun"]
    stored = [await services.seating.find(row.id) for row in rows]
    assert stored == rows
