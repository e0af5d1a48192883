"""A table for three in the parlour: seats, messages, storage and what is resumed from it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.server.archive.replay import ReplayGame, replay
from jantaku.server.edge.protocol import FROM_SERVER, Sync, TableOptions, Update, Welcome
from jantaku.server.edge.shielded import all_done
from jantaku.server.errors import ServerError
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.audience import Connection
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table_info import info
from jantaku.server.rules.rules_pages import page, row
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from server.parlour import quick
from support.three import three, three_may_play

pytestmark = pytest.mark.anyio
MOVES = 30


@pytest.fixture(autouse=True)
def allowed() -> Iterator[None]:
    with three_may_play():
        yield


@pytest.fixture
async def services(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Services]:
    stores = Services(quick(tmp_path))
    await stores.store.claim()
    await stores.store.open()
    stores.writer.start()
    yield stores
    await all_done(10)
    await stores.writer.stop()
    await stores.store.close()


async def a_table(services: Services, people: int) -> tuple[GameLoop, list[Connection]]:
    """A table for three with so many people; the game has not begun."""
    persons = [PersonRow(new_id(), f"P{i}", None, "player", "en") for i in range(people)]
    rules = await services.rulesets.save(three())
    loop = await Lobby(services).add(
        persons[0], "", NewTable("", rules, TableOptions(clock=False, draw_seats=False))
    )
    for person in persons:
        loop.table.row = table_seats.joined(loop.table.row, person, None)
    connections = [Connection(person) for person in persons]
    for seat, connection in enumerate(connections):
        loop.table.audience.sit(connection, seat)
    return loop, connections


async def test_a_table_of_three_is_full_with_three(services: Services) -> None:
    loop, _ = await a_table(services, 3)
    assert len(info(loop.table, "en").seats) == 3
    with pytest.raises(ServerError) as caught:
        table_seats.joined(loop.table.row, PersonRow(new_id(), "Late", None, "player", "en"), None)
    assert caught.value.code == "no_free_seat"
    stored = table_seats.left(loop.table.row, loop.table.row.owner)
    await services.seating.change(stored)
    assert await services.seating.find(stored.id) == stored
    assert len(stored.sitters) == 3


async def test_clients_learn_how_many_play_and_how_long_the_wall_is(services: Services) -> None:
    """The page that opens a table offers two bots, and the table counts down from 83."""
    loop, _ = await a_table(services, 1)
    rules = loop.table.rules
    assert info(loop.table, "en").rules.wall == 83
    assert row(rules, "en").players == page(rules, "", "en").players == 3
    assert replay(ReplayGame(Game(rules, seed=1), ["A", "B", "C"])).wall == 83


async def test_a_game_of_three_is_played_told_and_resumed(services: Services) -> None:
    loop, connections = await a_table(services, 1)
    async with loop.changing() as table:
        await play.start(table)
    live = loop.table.live
    assert live is not None
    assert [bool(sitter and sitter.bot) for sitter in loop.table.row.sitters] == [False, True, True]
    for _ in range(MOVES):
        if live.game.is_over or live.between:
            break
        seat = live.game.to_act[0]
        async with loop.changing() as table:
            await play.carry_out(table, seat, live.game.legal(seat)[0])
    messages = [FROM_SERVER.validate_json(text) for text in connections[0]._waiting]
    assert {type(told) for told in messages} >= {Welcome, Sync, Update}
    for message in messages:
        if isinstance(message, Welcome):
            assert len(message.table.seats) == 3
        elif isinstance(message, Sync):
            assert message.view is None or len(message.view.scores) == 3
    again = await Lobby(services).find(loop.table.row.id)
    assert again.table.live is not None
    assert again.table.row.seat_count == 3
    assert again.table.live.game.events == live.game.events
    dealt = [event for event in live.game.events if isinstance(event, HandStarted)]
    assert {len(event.scores) for event in dealt} == {3}
