"""Lists of pages: rows of the same millisecond are each shown once, and a damaged row ends no list."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import insert, update

from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.rows import POSITION, ListPage, PageEnd
from jantaku.server.storage.schema import events, game_players, games, tables
from jantaku.server.storage.seasons import SeasonRow
from jantaku.server.storage.services import Services

Read = Callable[[PageEnd | None, int], Awaitable[ListPage[Any]]]
COUNT, AT = 5, 1_750_000_000_000


async def with_events(services: Services, mina: PersonRow) -> Read:
    for i in range(COUNT):
        await create(services, mina, CreateEvent(name={"en": f"E{i}"}, rules="tenhou"))
    async with services.store.writing() as connection:
        await connection.execute(update(events).values(created=AT, listed=True))
    return lambda before, most: services.events.of(None, before, most)


async def with_seasons(services: Services, mina: PersonRow) -> Read:
    for i in range(COUNT):
        await services.seasons.add(SeasonRow(new_id(), {"en": f"S{i}"}, 20, True, mina.id, AT, 1, ()), COUNT)
    return lambda before, most: services.seasons.of(None, before, most)


async def with_games(services: Services, mina: PersonRow) -> Read:
    table = {"id": "t", "name": "t", "owner": "p", "rules": "tenhou", "fingerprint": "f" * 16}
    game = {"table_id": "t", "seed": b"s", "rules": "tenhou", "fingerprint": "f" * 16, "players": "[]"}
    state = {"status": "finished", "started": AT, "ended": AT, "hands": 1}
    async with services.store.writing() as connection:
        await connection.execute(
            insert(tables).values(**table, options='{"private":false}', status="closed", game=1, created=AT)
        )
        rows = [{**game, **state, "id": new_id(), "number": i + 1} for i in range(COUNT)]
        await connection.execute(insert(games), rows)
        own = [
            {"game": row["id"], "seat": i % 4, "person": mina.id, "ended": AT} for i, row in enumerate(rows)
        ]
        other = [
            {"game": row["id"], "seat": (i + 1) % 4, "person": "other", "ended": None}
            for i, row in enumerate(rows)
        ]
        await connection.execute(insert(game_players), own + other)
    return lambda before, most: services.games.finished(before, None, most)


async def with_own_games(services: Services, mina: PersonRow) -> Read:
    await with_games(services, mina)
    assert (await services.games.finished(None, "other", COUNT)).rows == [], "theirs are not over"
    return lambda before, most: services.games.finished(before, mina.id, most)


@pytest.mark.anyio
@pytest.mark.parametrize("made", [with_events, with_seasons, with_games, with_own_games])
async def test_every_row_of_the_same_time_is_on_one_page(services: Services, made: Any) -> None:
    mina = PersonRow(new_id(), "Mina", "mina", "player", "en")
    await services.accounts.add(mina)
    read: Read = await made(services, mina)
    ids: list[str] = []
    before: PageEnd | None = None
    for _ in range(COUNT):
        page = await read(before, 2)
        ids += [row.id for row in page.rows]
        if page.next is None:
            break
        before = PageEnd.parse(str(page.next))
    assert len(ids) == len(set(ids)) == COUNT
    assert (await read(PageEnd(AT), 2)).rows == []  # a position of an earlier version


@pytest.mark.anyio
async def test_a_damaged_row_does_not_end_the_list(services: Services) -> None:
    mina = PersonRow(new_id(), "Mina", "mina", "player", "en")
    await services.accounts.add(mina)
    read = await with_games(services, mina)
    newest = max(row.id for row in (await read(None, COUNT)).rows)
    async with services.store.writing() as connection:
        await connection.execute(update(games).where(games.c.id == newest).values(players="{"))
    page = await read(None, 2)
    assert len(page.rows) == 1
    assert page.next is not None
    assert len((await read(page.next, COUNT)).rows) == COUNT - 2


@pytest.mark.parametrize(("text", "position"), [(None, None), ("5", (5, "")), ("5.a-b_c", (5, "a-b_c"))])
def test_positions_are_read(text: str | None, position: tuple[int, str] | None) -> None:
    assert PageEnd.parse(text) == position
    assert POSITION.startswith("^")
