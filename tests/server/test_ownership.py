"""Ownership of tables: a process that was replaced stores nothing and reports that it was replaced."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jantaku.server.errors import ServerError
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import RESTARTS
from jantaku.server.storage.lease import Lease, check_unused
from jantaku.server.storage.services import Services
from jantaku.server.storage.writer import Move
from server.lobbies import act, create_table, somebody
from server.parlour import fast_settings
from server.postgres_cluster import Cluster


class ProcessGroup:
    """Processes with a common database, each with its own lobby."""

    def __init__(self, folder: Path, url: str) -> None:
        self._settings = fast_settings(folder, database_url=url)
        self._open: list[Lobby] = []

    async def add(self, *, renews: bool = True, alone: bool = False) -> Lobby:
        """Start another process; without ``renews`` it never renews its lease, as if it were suspended."""
        services = Services(self._settings)
        services.lease.alone = alone
        await services.store.open()
        await services.lease.join()
        if not renews and services.lease._task is not None:
            services.lease._task.cancel()
        services.writer.start()
        lobby = Lobby(services)
        await lobby.open()
        self._open.append(lobby)
        return lobby

    async def close(self) -> None:
        for lobby in self._open:
            await lobby.close()
            await lobby.services.writer.stop()
            await lobby.services.lease.leave()
            await lobby.services.store.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def parlours(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> AsyncIterator[ProcessGroup]:
    monkeypatch.setattr("jantaku.server.storage.lease.LEASE_S", 0.4)
    monkeypatch.setattr("jantaku.server.storage.lease.RENEWAL_S", 0.1)
    url = ""
    if request.param == "postgres":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.new_database(f"owners{uuid.uuid4().hex}")
    parlours = ProcessGroup(tmp_path, url)
    yield parlours
    await parlours.close()


async def stored(lobby: Lobby, loop: GameLoop) -> int:
    assert loop.table.game_row is not None
    return len(await lobby.services.games.moves(loop.table.game_row.id))


async def adopted(lobby: Lobby, table: str) -> GameLoop:
    """Wait until a process has taken over a table; return its game loop."""
    for _ in range(500):
        lobby._orphans.set()
        if any(loop.table.row.id == table for loop in lobby):
            return await lobby.find(table)
        await asyncio.sleep(0.01)
    raise AssertionError(table)


async def test_a_paused_owner_stores_nothing_and_reports_that_the_table_moved(parlours: ProcessGroup) -> None:
    paused = await parlours.add(renews=False)
    loop, people = await create_table(paused)
    await act(loop)
    following = await parlours.add()
    other = await adopted(following, loop.table.row.id)
    assert other.table.row.fence == loop.table.row.fence + 1
    await act(other)
    assert await stored(following, loop) == 2
    with pytest.raises(ServerError) as refused:
        await act(loop)
    assert refused.value.code == "table_moved"
    assert await stored(following, loop) == 2
    assert loop.stopped
    assert len(paused) == 0
    for connection in people:
        assert connection.closing == RESTARTS
        assert "table_moved" in connection._waiting[-1]
    with pytest.raises(ServerError):
        await paused.find(loop.table.row.id)
    await act(other)
    assert await stored(following, loop) == 3


async def test_a_replaced_server_stores_nothing(parlours: ProcessGroup) -> None:
    paused = await parlours.add(renews=False, alone=True)
    loop, _ = await create_table(paused)
    following = await parlours.add(alone=True)
    await adopted(following, loop.table.row.id)
    if paused.services.store.sqlite:  # with SQLite, the process notices only when it renews its lease
        await paused.services.lease.renew()
    with pytest.raises(ServerError) as refused:
        await paused.services.accounts.add(somebody("Mina"))
    assert refused.value.code == "storage_lost"
    assert (loop.stopped, paused.services.lease.held) == (True, False)
    await following.services.accounts.add(somebody("Mina"))


async def test_an_owner_notices_its_expired_lease(parlours: ProcessGroup) -> None:
    paused = await parlours.add(renews=False)
    loop, people = await create_table(paused)
    following = await parlours.add()
    await adopted(following, loop.table.row.id)
    await paused.services.lease.renew()
    assert (loop.stopped, len(paused), paused.services.lease.held) == (True, 0, False)
    assert {connection.closing for connection in people} == {RESTARTS}


async def test_doubtful_actions_are_not_removed_from_a_table_adopted_by_another_process(
    parlours: ProcessGroup,
) -> None:
    paused = await parlours.add(renews=False)
    loop, _ = await create_table(paused)
    await act(loop)
    assert loop.table.game_row is not None
    game, writer = loop.table.game_row.id, paused.services.writer
    writer.doubt(game, 0, loop.table.row.fence)
    following = await parlours.add()
    other = await adopted(following, loop.table.row.id)
    await act(other)
    with pytest.raises(ServerError) as refused:
        await writer.write(Move(game, 0, 0, "1m", fence=loop.table.row.fence))
    assert refused.value.code == "table_moved"
    assert await stored(following, loop) == 2
    assert writer.doubtful_from(game, loop.table.row.fence) is None


async def test_a_table_moves_after_its_owner_leaves(parlours: ProcessGroup) -> None:
    first = await parlours.add()
    loop, _ = await create_table(first)
    await act(loop)
    await first.close()
    await first.services.lease.leave()
    second = await parlours.add()
    other = await adopted(second, loop.table.row.id)
    await act(other)
    assert await stored(second, loop) == 2


async def test_other_tables_of_a_commit_are_stored(parlours: ProcessGroup) -> None:
    lobby = await parlours.add()
    (first, _), (second, _) = await create_table(lobby), await create_table(lobby)
    games = [loop.table.game_row.id for loop in (first, second) if loop.table.game_row]
    moves = [Move(games[0], 0, 0, "1m", fence=0), Move(games[1], 0, 0, "1m", fence=1)]
    answers = await asyncio.gather(*map(lobby.services.writer.write, moves), return_exceptions=True)
    assert isinstance(answers[0], ServerError)
    assert [answers[0].code, answers[1]] == ["table_moved", None]
    assert [await stored(lobby, loop) for loop in (first, second)] == [0, 1]


@pytest.mark.slow
async def test_a_replaced_process_rejoins_and_adopts_tables_without_an_owner(parlours: ProcessGroup) -> None:
    first = await parlours.add()
    loop, _ = await create_table(first)
    lease: Lease = first.services.lease
    before = lease.process
    async with first.services.store.writing() as connection:
        await connection.exec_driver_sql("DELETE FROM processes")
    if first.services.store.sqlite:  # with SQLite, no other process takes over
        await lease.renew()
        await lease._rejoin()
    for _ in range(500):
        if len(first) and lease.process != before:
            break
        await asyncio.sleep(0.01)
    again = await first.find(loop.table.row.id)
    assert again is not loop
    await act(again)


@pytest.mark.slow
async def test_a_database_is_in_use_while_a_lease_is_valid(cluster: Cluster, tmp_path: Path) -> None:
    parlours = ProcessGroup(tmp_path, cluster.new_database("in_use"))
    lobby = await parlours.add()
    with pytest.raises(Exception, match="another server"):
        await check_unused(lobby.services.store)
    await parlours.close()
    again = Services(fast_settings(tmp_path, database_url=lobby.services.settings.database_url))
    await check_unused(again.store)
    await again.store.close()
