"""Cancelled and conflicting work leaves memory and storage consistent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jantaku.game.notation import from_dict, to_dict
from jantaku.server.edge.client_messages import FROM_CLIENT
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.edge.request_guard import Guard
from jantaku.server.edge.shielded import all_done, to_the_end
from jantaku.server.edge.token_buckets import Rates
from jantaku.server.errors import ServerError
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.audience import Connection
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.message_handlers import handle
from jantaku.server.settings import Settings
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.writer import Move
from server.parlour import quick, simplest

pytestmark = pytest.mark.anyio


class Pausing:
    """Cancels a task at its n-th wait: steps through a coroutine and stops it there."""

    def __init__(self, at: int) -> None:
        self.at = at

    async def run(self, work: Any) -> bool:
        """Whether the work was cancelled before it ended."""
        task = asyncio.create_task(work)
        for _ in range(self.at):
            await asyncio.sleep(0)
            if task.done():
                break
        cancelled = not task.done()
        task.cancel()
        with suppress(asyncio.CancelledError, ServerError):
            await task
        return cancelled


@pytest.fixture
async def lobby(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Lobby]:
    services = Services(quick(tmp_path))
    await services.store.claim()
    await services.store.open()
    await services.lease.join()
    services.writer.start()
    lobby = Lobby(services)
    await lobby.open()
    yield lobby
    await all_done(10)
    await lobby.close()
    await services.writer.stop()
    await services.store.close()


async def a_table(lobby: Lobby, people: int = 4) -> tuple[GameLoop, list[Connection]]:
    """A table of people without bots, whose sockets are there, in a game."""
    options = TableOptions(clock=False, draw_seats=False)
    persons = [PersonRow(new_id(), f"P{i}", None, "player", "en") for i in range(people)]
    loop = await lobby.add(persons[0], "", NewTable("", "standard", options))
    row = loop.table.row
    for person in persons:
        row = table_seats.joined(row, person, None)
    loop.table.row = row
    connections = [Connection(person) for person in persons]
    for seat, connection in enumerate(connections):
        loop.table.audience.sit(connection, seat)
    async with loop.changing() as table:
        await play.start(table)
    return loop, connections


def act_of(loop: GameLoop, number: int) -> tuple[int, Any]:
    """The asked seat, and a message that answers."""
    live = loop.table.live
    assert live is not None
    seat = live.game.to_act[0]
    legal = [to_dict(action) for action in live.game.legal(seat)]
    body = {"type": "act", "id": f"m{number}", "game": 1, "ask": len(live.game.events)}
    return seat, FROM_CLIENT.validate_python(body | {"action": simplest({"legal": legal})})


async def stored(loop: GameLoop) -> list[tuple[int, str]]:
    table = loop.table
    assert table.game_row is not None
    return list(await table.services.games.moves(table.game_row.id))


def played(loop: GameLoop) -> list[tuple[int, str]]:
    live = loop.table.live
    assert live is not None
    return [(seat, str(action)) for _, seat, action in live.game.moves]


@pytest.mark.slow
async def test_a_cancelled_act_happens_fully_or_not_at_all(lobby: Lobby) -> None:
    loop, connections = await a_table(lobby)
    at, cancelled, number = 1, True, 0
    while cancelled and at < 400:
        number += 1
        while loop.table.live is not None and not loop.table.live.open:
            await loop.tick()
        seat, message = act_of(loop, number)
        cancelled = await Pausing(at).run(to_the_end(handle(loop, connections[seat], message)))
        await all_done(10)
        assert not loop.faulty
        assert await stored(loop) == played(loop)
        at += 1 if at < 40 else 20
    assert at > 5


@pytest.mark.slow
async def test_an_unshielded_cancelled_act_stays_consistent(lobby: Lobby) -> None:
    """Even then what nobody carries out is taken out again before anything else is stored."""
    loop, connections = await a_table(lobby)
    for at in range(1, 40):
        while loop.table.live is not None and not loop.table.live.open:
            await loop.tick()
        seat, message = act_of(loop, at)
        await Pausing(at).run(handle(loop, connections[seat], message))
        for number in range(2):
            while loop.table.live is not None and not loop.table.live.open:
                await loop.tick()
            seat, message = act_of(loop, 1000 * at + number)
            await handle(loop, connections[seat], message)
        assert await stored(loop) == played(loop)
        assert not lobby.services.writer.failing


@pytest.mark.parametrize("at", [1, 2, 4, 8, 16, 32, 64, 128])
async def test_a_cancelled_start_happens_fully_or_not_at_all(lobby: Lobby, at: int) -> None:
    loop, _ = await a_table(lobby)
    await play.finish(loop.table, "aborted")

    async def again() -> None:
        async with loop.changing() as table:
            await play.start(table)

    await Pausing(at).run(to_the_end(again()))
    await all_done(10)
    row = await lobby.services.seating.find(loop.table.row.id)
    assert row == loop.table.row
    assert loop.table.playing


async def test_a_conflicting_action_stops_only_its_own_table(
    lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    first, its = await a_table(lobby)
    others = [await a_table(lobby) for _ in range(3)]
    seat, message = act_of(first, 1)
    assert first.table.game_row is not None
    action = str(from_dict(message.action.model_dump(exclude_none=True)))
    behind_its_back = Move(first.table.game_row.id, 0, seat, action, fence=first.table.row.fence)
    await lobby.services.writer.write(behind_its_back)
    acts = [handle(loop, sockets[0], act_of(loop, 1)[1]) for loop, sockets in others]
    answers = await asyncio.gather(handle(first, its[seat], message), *acts, return_exceptions=True)
    assert isinstance(answers[0], ServerError)
    assert answers[0].code == "table_fault"
    assert answers[1:] == [None] * 3
    assert not lobby.services.writer.failing
    assert [record for record in caplog.records if "does not fit" in record.message]
    while first.faulty:
        await asyncio.sleep(0.01)
    assert await stored(first) == played(first) != []
    for loop, _ in others:
        assert len(await stored(loop)) == len(played(loop)) == 1


async def test_a_stored_game_is_loaded_from_storage(lobby: Lobby) -> None:
    """After a start whose result was lost, the table continues with the stored game."""
    loop, _ = await a_table(lobby)
    table = loop.table
    assert table.game_row is not None
    await lobby.services.games.begin(
        replace(table.game_row, id=new_id(), number=2), replace(table.row, game=2)
    )

    async def again() -> None:
        async with loop.changing():
            await play.start(table)

    with pytest.raises(ServerError) as refused:
        await again()
    assert refused.value.code == "table_fault"
    while loop.faulty:
        await asyncio.sleep(0.01)
    assert (table.row.game, table.playing) == (2, True)


async def test_a_cancelled_request_is_still_carried_out() -> None:
    began, done = asyncio.Event(), asyncio.Event()

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        began.set()
        await asyncio.sleep(0.01)
        done.set()

    async def nothing(*_: Any) -> Any:
        return {"type": "http.request"}

    headers = [(b"host", b"localhost")]
    scope = {"type": "http", "method": "POST", "path": "/api/tables", "headers": headers, "client": None}
    task = asyncio.create_task(Guard(app, Settings(), Rates(1, 9))(scope, nothing, nothing))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(done.wait(), 10)
