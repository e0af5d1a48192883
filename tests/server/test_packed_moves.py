"""The actions of old games in one row each: every reader finds what it found before."""

import json
import zlib

import pytest
from sqlalchemy import func, select

from jantaku.server.storage.games import GameRow, Packing, StoredMove, moves_of, packed, unpacked
from jantaku.server.storage.schema import actions, packed_moves
from jantaku.server.storage.services import Services
from jantaku.server.storage.writer import Move
from server.test_server_storage import a_game

pytestmark = pytest.mark.anyio
MOVES = (
    StoredMove(0, "5m*"),
    StoredMove(1, "3z", bank=1500),
    StoredMove(2, "pon", absent=1),
    StoredMove(1, "1p_", bank=0),
)


async def played(services: Services, ended: int, status: str = "finished") -> str:
    row, game = await a_game(services)
    for number, move in enumerate(MOVES):
        await services.writer.write(Move(game.id, number, *move))
    if status != "playing":
        over = GameRow(**{**vars(game), "status": status, "ended": ended, "hands": 1})
        await services.games.end(over, row, [b"a hand"], 0, {})
    return game.id


async def read(services: Services, game: str) -> list[object]:
    games = services.games
    return [
        await games.moves(game),
        await games.taken_for(game),
        (await moves_of(services.store, game))[game],
        await games.hands(game),
    ]


async def rows(services: Services, game: str) -> tuple[int, int]:
    store = services.store
    counts = [select(func.count()).where(one.c.game == game) for one in (actions, packed_moves)]
    return await store.value(counts[0]) or 0, await store.value(counts[1]) or 0


async def test_old_games_are_packed_and_read_as_before(services: Services) -> None:
    services.writer.start()
    old, aborted = await played(services, 100), await played(services, 100, "aborted")
    young, running = await played(services, 900), await played(services, 0, "playing")
    before = {game: await read(services, game) for game in (old, aborted, young, running)}
    packing = Packing(services.store)
    assert await packing.pack(500) == 2
    assert [await rows(services, game) for game in (old, aborted)] == [(0, 1)] * 2
    assert [await rows(services, game) for game in (young, running)] == [(len(MOVES), 0)] * 2
    assert {game: await read(services, game) for game in before} == before
    assert await packing.pack(500) == 0
    assert await packing.pack(1000) == 1
    assert await Packing(services.store).pack(1000) == 0  # a process that starts anew
    assert {game: await read(services, game) for game in before} == before


async def test_games_of_one_moment_are_all_packed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.games.LOOKED_AT", 2)
    services.writer.start()
    games = [await played(services, 100) for _ in range(5)]
    assert await Packing(services.store).pack(500) == 5
    assert {await rows(services, game) for game in games} == {(0, 1)}


def test_columns_of_other_versions_are_no_obstacle() -> None:
    columns = {"seat": [1], "action": ["1m"], "mood": ["calm"]}
    assert unpacked(zlib.compress(json.dumps(columns).encode())) == [StoredMove(1, "1m")]
    assert unpacked(packed(MOVES)) == list(MOVES)
