"""Bots that search at tables: whole games, searches that fail or never end, and the load of the process."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.game import Action, Game
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play import game_steps as play
from jantaku.server.play import searches, table_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.live_game import SEARCHES
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.searches import FULL_S, LEAST_S, Searches
from server.lobbies import somebody

pytestmark = pytest.mark.anyio

# The first win ends the game
POOR = {"match.length": "east", "match.start_points": 1000, "end.tobi": "zero_or_below"}
FOUR = load("tenhou").with_changes(POOR | {"match.sticks": {"1000": 1}})
THREE = load("tenhou-3").with_changes(POOR | {"match.sticks": {"1000": 1}})
NEVER = 1e12
Search = Callable[[Game, int, float], Any]


@pytest.fixture
def search_with(monkeypatch: pytest.MonkeyPatch) -> Callable[[Search], None]:
    """Replace the search, which then always has time."""

    def replace(choose: Search) -> None:
        monkeypatch.setattr(SEARCHES, "budget_s", lambda _: FULL_S)
        monkeypatch.setattr(SEARCHES, "choose", choose)

    return replace


async def table_with_phoenixes(lobby: Lobby, rules: Any = FOUR) -> GameLoop:
    """Start a game of bots that search and an absent person, for whom such a bot plays."""
    person = somebody()
    await lobby.services.rulesets.save(rules)
    wanted = NewTable("", rules.id, TableOptions(clock=False, bot="search"), fingerprint=rules.fingerprint)
    loop = await lobby.add(person, "", wanted)
    loop.table.row = table_seats.joined(loop.table.row, person, None)
    async with loop.changing() as table:
        await play.start(table)
    loop.table.away.update(loop.table.seats)
    return loop


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(240):
        while not reached():
            await asyncio.sleep(0.005)


async def played(loop: GameLoop) -> Game:
    """Let the table play to its end and return the game."""
    loop.wake()
    await until(lambda: not loop.table.playing)
    assert loop.table.row.status == "finished"
    assert loop.table.live is not None
    return loop.table.live.game


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="a search needs compiled code")
@pytest.mark.parametrize("rules", [FOUR, THREE], ids=["four", "three"])
async def test_a_table_with_phoenixes_plays_to_its_end(
    lobby: Lobby, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[Action] = []
    monkeypatch.setattr(SEARCHES, "budget_s", lambda _: 0.001)
    whole = SEARCHES.choose

    async def noted(game: Game, seat: int, ends: float) -> Action | None:
        searched.append(action := await whole(game, seat, ends))  # type: ignore[arg-type]
        return action

    monkeypatch.setattr(SEARCHES, "choose", noted)
    game = await played(await table_with_phoenixes(lobby, rules))
    assert len(searched) > 5
    assert None not in searched
    assert {sitter.bot for loop in lobby for sitter in loop.table.row.sitters if sitter} == {None, "search"}
    assert game.is_over


async def failing(_game: Game, _seat: int, _ends: float) -> Action:
    raise ZeroDivisionError


async def without_time(_game: Game, _seat: int, _ends: float) -> None:
    return None


async def illegal(game: Game, seat: int, _ends: float) -> Any:
    return next(action for other in range(4) if other != seat for action in [*game.legal(other), None])


@pytest.mark.parametrize("search", [failing, without_time, illegal])
async def test_a_phoenix_without_a_result_plays_as_strong(
    lobby: Lobby, search: Search, search_with: Callable[[Search], None]
) -> None:
    search_with(search)
    game = await played(await table_with_phoenixes(lobby))
    again, strong = game.restarted(), bot("strong", 1)
    for _, seat, action in game.moves[:30]:
        assert strong.choose(again, seat) == action
        again.play(seat, action)


async def test_a_search_does_not_hold_the_table_and_its_late_result_is_ignored(
    lobby: Lobby, search_with: Callable[[Search], None]
) -> None:
    asked, answer = list[int](), asyncio.Event()

    async def slow(game: Game, seat: int, _ends: float) -> Action:
        asked.append(seat)
        await answer.wait()
        return game.legal(seat)[0]

    search_with(slow)
    loop = await table_with_phoenixes(lobby)
    loop.wake()
    await until(lambda: bool(asked))
    live = loop.table.live
    assert live is not None
    async with asyncio.timeout(60), loop.changing() as table:
        await play.finish(table, "aborted")
        await play.start(table)
        table.away.update(table.seats)
    second = loop.table.live
    assert second is not None
    assert second is not live
    loop.wake()
    await until(lambda: len(asked) > 1)  # the new game asks again
    assert not live.game.moves
    answer.set()
    await until(lambda: bool(second.game.moves))
    assert not live.game.moves


async def test_a_search_that_outlasts_the_clock_is_replaced(
    lobby: Lobby, search_with: Callable[[Search], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(_game: Game, _seat: int, _ends: float) -> Action:
        await asyncio.Event().wait()
        raise AssertionError

    search_with(endless)
    loop = await table_with_phoenixes(lobby)
    live, clocks = loop.table.live, loop.table.clocks
    assert live is not None
    loop.wake()
    await until(lambda: bool(loop._plans))
    assert not live.game.moves
    monkeypatch.setattr(clocks, "deadline", lambda _: 0.0)
    loop.wake()
    await until(lambda: len(live.game.moves) > 3)
    await loop.stop()


async def test_the_busier_the_process_the_shorter_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "COMPILED", True)
    pool, game = Searches(threads=2), Game("standard", seed=1)
    monkeypatch.setattr(pool, "_search", lambda *_: None)
    given = []
    for number in range(10):
        vars(pool)["_pending"] = number
        given.append(pool.budget_s(NEVER))
    assert given == pytest.approx([0.2, 0.2, 0.2, 0.2 / 1.5, 0.1, 0.08, 0.2 / 3, 0.2 / 3.5, 0.05, 0])
    vars(pool)["_pending"] = 0
    now = asyncio.get_running_loop().time()
    assert pool.budget_s(now) == 0
    assert LEAST_S < pool.budget_s(now + 0.15) <= 0.15
    for _ in range(20):  # decisions that have ended no longer count
        await pool.choose(game, game.to_act[0], NEVER)
    await until(lambda: pool.budget_s(NEVER) == FULL_S)
