"""Server faults: the affected table retries or stops, others go on, and no partial change is stored."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.game.actions import to_dict
from jantaku.game.step_events import Step
from jantaku.records.native import game_file as record
from jantaku.server.edge.guard import Guard
from jantaku.server.edge.limits import Rates
from jantaku.server.edge.protocol import FROM_CLIENT
from jantaku.server.errors import ServerError
from jantaku.server.play import game_loop as loop
from jantaku.server.play import game_steps as play
from jantaku.server.play import live_game
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.message_handlers import handle
from jantaku.server.play.table import Table
from jantaku.server.settings import DATABASE_FILE, Settings
from jantaku.server.storage import finished_games
from jantaku.server.storage.people import new_id
from jantaku.server.storage.store import Store
from jantaku.server.storage.writer import Move
from jantaku.server.tasks import finish_shielded, to_the_end
from server.lobbies import create_table
from server.parlour import (
    PASSWORD,
    Line,
    Message,
    Person,
    Serve,
    code_of,
    fast_settings,
    only_limits,
    run_concurrently,
    simplest_action,
    until,
)
from server.sites import of_one_process

FAULTY = "faulty"
DEPOSIT = "[riichi]\ndeposit = 300"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the server retry without delay."""
    monkeypatch.setattr(loop, "RETRY_S", 0.001)


class FailingAction:
    """An action that fails ``times`` times at tables with this name."""

    def __init__(self, times: float, name: str = FAULTY) -> None:
        self.left, self.name, self.works = times, name, play.apply_action

    async def __call__(self, table: Table, *rest: Any) -> Any:
        if table.row.name == self.name and self.left > 0:
            self.left -= 1
            raise RuntimeError("a bug")
        return await self.works(table, *rest)


def broken(*_: Any) -> None:
    raise RuntimeError("a bug")


def playing(url: str, name: str = FAULTY) -> tuple[Person, str, Line]:
    """Start a game between one person and three bots."""
    mina = Person(url, "Mina")
    return mina, *mina.start(name=name)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_players_are_notified_of_a_fault_and_the_game_continues(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in terms.LANGUAGES:
        monkeypatch.setattr(loop, "apply_action", FailingAction(loop.MAX_FAULTS - 1, language))
        mina = Person(url, "Mina")
        table = mina.table(bots=3, name=language)["id"]
        line = mina.socket(table, language=language)
        mina.post(f"/api/tables/{table}/start")
        line.move()
        error = line.until("error")
        message = terms.text("server_errors.table_fault", language)
        assert (error["code"], error["id"], error["message"]) == ("table_fault", None, message)
        line.own = None
        assert line.move()["type"] == "ack"


@of_one_process
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_broken_table_is_stopped_and_others_continue(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = FailingAction(float("inf"))
    monkeypatch.setattr(loop, "apply_action", bug)
    url = serve()
    (mina, table, line), (_, _, other) = playing(url), playing(url, "sound")
    line.move()
    assert [line.until("error")["code"] for _ in range(2)] == ["table_fault", "table_stopped"]
    assert line.until("table")["table"]["stopped"]
    seq = line.seq
    assert line.ask(type="act", game=1, ask=seq, action={"type": "pass"})["code"] == "table_stopped"
    for _ in range(3):
        assert other.move()["type"] == "ack"
    assert mina.get("/api/health")["stopped"] == 1
    assert table not in [row["id"] for row in mina.get("/api/tables")["tables"]]
    again = mina.socket(table)
    assert again.welcome["table"]["stopped"]
    assert again.until("sync")["seq"] == seq
    bug.left = 0  # the fault is fixed
    serve()
    line = mina.socket(table, game=1, last=seq)
    assert not line.welcome["table"]["stopped"]
    assert line.move()["type"] == "ack"
    assert line.seq > seq


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_the_owner_can_end_a_stopped_table(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "apply_action", FailingAction(float("inf")))
    mina, table, line = playing(url)
    line.move()
    line.until("table", lambda message: message["table"]["stopped"])
    mina.delete(f"/api/tables/{table}")
    ended = line.until("table")["table"]
    assert (ended["status"], ended["stopped"]) == ("aborted", False)
    text = mina.http.get(f"/api/games/{ended['result']['record']}/record").text
    assert len(record.loads(text).moves) == 1


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["person", "bot"])
@pytest.mark.usefixtures("impatient")
def test_an_action_interrupted_by_a_fault_is_undone(
    url: str, monkeypatch: pytest.MonkeyPatch, actor: str
) -> None:
    """A later step fails after the engine has applied the action and the action has been stored."""
    whole, left = Step.events, [0]

    def failing(step: Step) -> Any:
        if left[0] and (step.seat == 0) == (actor == "person"):
            left[0] -= 1
            raise RuntimeError("a bug")
        return whole(step)

    monkeypatch.setattr(Step, "events", failing)
    mina, table, line = playing(url)
    line.move()
    left[0], before = 1, len(line.seen)
    while left[0]:  # an answer may be late if a bot was faster
        answer = line.move()
        line.own = line.own if answer["type"] == "ack" else None
    assert actor == "bot" or answer["code"] == "internal"
    while "sync" not in [message["type"] for message in line.seen[before:]]:
        line.next()
    for _ in range(2):
        while line.move()["type"] != "ack":  # the table may be reloading
            line.own = None
    line.ask(type="abort", agree=True)
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    truth = mina.get(f"/api/games/{game}/replay")["events"]
    last = max(index for index, message in enumerate(line.seen) if message["type"] == "sync")
    received = [event for message in line.seen[last:] for event in message.get("events", ())]
    start = line.seen[last]["view_seq"]

    def open_to_all(events: list[Message]) -> list[Message]:
        return [{name: event[name] for name in event if name not in ("hands", "tile")} for event in events]

    assert open_to_all(received) == open_to_all(truth[start : start + len(received)])


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_unreadable_table_does_not_block_others(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, read, url = play.resume, ContextVar[str]("read"), serve()
    (mina, first, _), (_, second, _) = playing(url), playing(url, "sound")
    serve.stack.close()

    async def resume(table: Table, stored: Any = None) -> None:
        read.set(table.row.id)
        await whole(table, stored)

    def replayed(*given: Any) -> Any:
        return broken() if read.get() == first else finished_games.replayed(*given)

    monkeypatch.setattr(play, "resume", resume)
    monkeypatch.setattr(play, "replayed", replayed)
    serve()
    assert [mina.get(f"/api/tables/{table}")["stopped"] for table in (first, second)] == [True, False]
    assert mina.socket(first).welcome["table"]["stopped"]
    mina.delete(f"/api/tables/{first}")
    assert mina.get(f"/api/tables/{first}")["status"] == "aborted"


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_failing_hints_and_bots_do_not_affect_the_table(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.server.play.message_handlers.hints", broken)
    monkeypatch.setattr(live_game, "_player", broken)  # the server cannot choose actions for the bots
    _, _, line = playing(url)
    for _ in range(2 * loop.MAX_FAULTS):
        assert line.ask(type="hints")["code"] == "internal"
    for _ in range(3):
        assert line.move()["type"] == "ack"


@of_one_process
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_finished_tables_leave_memory_and_can_be_reloaded(serve: Serve) -> None:
    limits = only_limits(idle_tables=2, tables_of_one=100)
    mina, tables = Person(serve(limits=limits), "Mina"), []
    for _ in range(4):
        table, line = mina.start()
        line.ask(type="abort", agree=True)
        tables.append(table)
    serve(limits=limits)
    assert mina.get("/api/health")["tables"] == 0
    for table in tables:
        game = mina.get(f"/api/tables/{table}")
        assert game["status"] == "aborted"
        assert mina.get(f"/api/games/{game['result']['record']}/replay")["hands"]
    assert mina.get("/api/health")["tables"] == 2


# Database files are deleted or replaced while the server runs: one log message, and no more writes


LOCK, LOG = f"{DATABASE_FILE}.lock", f"{DATABASE_FILE}-wal"


class WatchedServer:
    """A server that checks its database files often, and its log messages about them."""

    def __init__(self, serve: Serve, logged: pytest.LogCaptureFixture) -> None:
        self.data, self.logged = serve.data, logged
        self.mina = Person(serve(), "Mina")

    def log_messages(self) -> list[str]:
        messages = [record.getMessage() for record in self.logged.records]
        return [message for message in messages if "The database" in message]

    def status(self) -> int:
        return httpx.get(f"{self.mina.url}/api/health", timeout=30).status_code

    def save_status(self) -> int:
        return self.mina.send("POST", "/api/rules", toml=DEPOSIT).status_code

    def assert_recovered(self) -> None:
        until(lambda: self.status() == 200)
        assert self.save_status() == 200
        broke, works = self.log_messages()
        assert ("nothing is stored" in broke or "deleted" in broke, "works again" in works) == (True, True)


@pytest.fixture
def watched(serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> WatchedServer:
    monkeypatch.setattr("jantaku.server.storage.files.CHECK_INTERVAL_S", 0.2)
    caplog.set_level(logging.WARNING, "jantaku.server")
    serve.data /= "data"
    return WatchedServer(serve, caplog)


def replaced(folder: Path) -> None:
    """Replace the database file with a copy, as when a backup is restored."""
    shutil.copy(folder / DATABASE_FILE, folder / "copy")
    (folder / "copy").replace(folder / DATABASE_FILE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "remove",
    [
        lambda folder: (folder / DATABASE_FILE).unlink(),
        replaced,
        shutil.rmtree,
        lambda folder: folder.rename(folder.with_name("elsewhere")),
    ],
    ids=["database deleted", "database replaced", "folder deleted", "folder moved"],
)
@of_one_process
def test_a_missing_database_is_logged_once_and_reported_by_the_health_check(
    watched: WatchedServer, remove: Callable[[Path], object]
) -> None:
    assert watched.status() == 200
    remove(watched.data)
    assert [watched.status(), watched.save_status(), watched.status(), watched.status()] == [503] * 4
    [message] = watched.log_messages()
    assert f"{watched.data / DATABASE_FILE} was deleted or replaced" in message


@pytest.mark.slow
@of_one_process
def test_a_restored_database_is_used_again(watched: WatchedServer) -> None:
    file, away = watched.data / DATABASE_FILE, watched.data / "away"
    file.rename(away)
    until(watched.log_messages)  # noticed without a request
    assert watched.save_status() == 503
    away.rename(file)
    watched.assert_recovered()


@pytest.mark.slow
@of_one_process
def test_a_deleted_write_ahead_log_is_noticed_at_the_next_commit(watched: WatchedServer) -> None:
    (watched.data / LOG).unlink()
    for _ in range(3):
        assert (watched.save_status(), watched.status()) == (503, 503)
    [message] = watched.log_messages()
    assert f"{LOG} was deleted" in message


@pytest.mark.slow
@of_one_process
def test_a_missing_lock_file_is_logged_and_locked_again(watched: WatchedServer) -> None:
    # otherwise the lock could be restored before the server checks it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jantaku.server.storage.files._opened", lambda _: None)
        (watched.data / LOCK).unlink()
        assert watched.status() == 503
    watched.assert_recovered()
    with pytest.raises(RequestError, match="another"):
        asyncio.run(Store(fast_settings(watched.data)).claim())


@pytest.mark.slow
@of_one_process
def test_a_lock_held_by_another_server_is_not_stolen(watched: WatchedServer) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system has no fcntl locks")
    theirs = watched.data / "theirs"
    with theirs.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        theirs.replace(watched.data / LOCK)
        for _ in range(5):
            assert watched.status() == 503
            time.sleep(0.3)
    until(lambda: watched.status() == 200)  # the other server has stopped
    assert len(watched.log_messages()) == 2


# Limits per person also apply to concurrent requests


CONCURRENT, LIMIT = 24, 3


@of_one_process
@pytest.mark.slow
def test_limits_hold_for_concurrent_requests(serve: Serve) -> None:
    limits = only_limits(
        tables_of_one=LIMIT,
        rules_of_one=LIMIT,
        uploads_of_one=LIMIT,
        tries_of_address_per_h=LIMIT,
        jobs_of_one=CONCURRENT,  # otherwise the queue of jobs refuses some of the requests
        jobs_of_address=CONCURRENT,
    )
    url = serve(limits=limits)
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    table, line = mina.start(sit=True)
    line.ask(type="abort", agree=True)
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    log = mina.http.get(f"/api/games/{game}/record").text

    def sent(path: str, body: Callable[[int], Message], who: Person = mina) -> list[httpx.Response]:
        return run_concurrently(
            [partial(who.send, "POST", f"/api/{path}", **body(n)) for n in range(CONCURRENT)]
        )

    def counts(answers: list[httpx.Response]) -> dict[tuple[int, str], int]:
        outcomes = [(answer.status_code, code_of(answer)) for answer in answers]
        return {outcome: outcomes.count(outcome) for outcome in outcomes}

    rules = 'extends = "standard"\n[riichi]\ndeposit = {}\n'
    few = CONCURRENT - LIMIT
    for path, body, code in (
        ("tables", lambda _: {"sit": False}, "too_many_tables"),
        ("rules", lambda n: {"toml": rules.format(100 * n + 100)}, "too_many_rules"),
        ("uploads", lambda _: {"text": log}, "too_many_uploads"),
    ):
        assert counts(sent(path, body)) == {(200, ""): LIMIT, (429, code): few}
    # an attempt is counted before its password is checked
    answers = sent("login", lambda _: {"name": "nobody at all", "password": PASSWORD}, Person(url))
    codes = [answer.status_code for answer in answers]
    assert (codes.count(401), codes.count(429)) == (LIMIT, few)
    # the guest becomes one account; requests that arrive later have no guest and create new accounts
    answers = sent("register", lambda n: {"name": f"jun {n}", "password": PASSWORD}, jun)
    ids = [answer.json()["id"] for answer in answers if answer.is_success]
    assert (ids.count(jun.id), len(set(ids))) == (1, len(ids))
    # only one of several lookalike names can be registered
    names = [f"{name} the first" for name in ("Mіna", "Mina.", "rnina", "MINA", "M1na")]
    answers = run_concurrently(
        [
            partial(Person(url).send, "POST", "/api/register", name=names[n % 5], password=PASSWORD)
            for n in range(CONCURRENT)
        ]
    )
    codes = [answer.status_code for answer in answers]
    assert codes.count(200) == 1
    assert set(codes) <= {200, 409, 429}


@pytest.mark.slow
def test_the_server_limits_open_tables_and_guests_per_day(serve: Serve) -> None:
    url = serve(limits=only_limits(tables=LIMIT))
    opens = [partial(Person(url, f"guest {n}").send, "POST", "/api/tables") for n in range(CONCURRENT)]
    assert [answer.status_code for answer in run_concurrently(opens)].count(200) == LIMIT
    serve(limits=only_limits(guests_per_day=2))
    entered = [code_of(Person(url).send("POST", "/api/guest", name="a")) for _ in range(3)]
    assert entered == ["", "", "too_many_guests"]


# Work that is cancelled or in conflict leaves memory and storage consistent


async def cancelled(work: Any, at: int) -> bool:
    """Cancel a task after ``at`` iterations of the event loop; return whether it was still running."""
    task = asyncio.create_task(work)
    for _ in range(at):
        await asyncio.sleep(0)
        if task.done():
            break
    ended = task.done()
    task.cancel()
    with suppress(asyncio.CancelledError, ServerError):
        await task
    return not ended


async def next_action(loop: GameLoop, number: int) -> tuple[int, Any]:
    """Return a seat that has to act and a message with one of its legal actions."""
    live = loop.table.live
    assert live is not None
    while not live.open:
        await loop.tick()
    seat = live.game.to_act[0]
    legal = [to_dict(action) for action in live.game.legal(seat)]
    body = {"type": "act", "id": f"m{number}", "game": 1, "ask": len(live.game.events)}
    return seat, FROM_CLIENT.validate_python(body | {"action": simplest_action({"legal": legal})})


async def stored(loop: GameLoop) -> list[tuple[int, str]]:
    """Return the stored actions of a game after checking that they equal those in memory."""
    table = loop.table
    assert table.game_row is not None
    assert table.live is not None
    moves = list(await table.services.games.moves(table.game_row.id))
    assert moves == [(seat, str(action)) for _, seat, action in table.live.game.moves]
    return moves


async def begin(loop: GameLoop) -> None:
    async with loop.changing() as table:
        await play.start(table)


@pytest.mark.slow
async def test_a_cancelled_action_is_executed_fully_or_not_at_all(lobby: Lobby) -> None:
    loop, connections = await create_table(lobby)
    at, number, going = 1, 0, True
    while going and at < 400:
        number += 1
        seat, message = await next_action(loop, number)
        going = await cancelled(to_the_end(handle(loop, connections[seat], message)), at)
        await finish_shielded(10)
        assert not loop.faulty
        await stored(loop)
        at += 1 if at < 40 else 20
    assert at > 5
    # if the task is not shielded, an abandoned action is removed before anything else is stored
    for at in range(1, 40):
        seat, message = await next_action(loop, 10_000 + at)
        await cancelled(handle(loop, connections[seat], message), at)
        for number in range(2):
            seat, message = await next_action(loop, 100_000 * at + number)
            await handle(loop, connections[seat], message)
        await stored(loop)
        assert not lobby.services.writer.failing


@pytest.mark.parametrize("at", [1, 2, 4, 8, 16, 32, 64, 128])
async def test_a_cancelled_start_is_executed_fully_or_not_at_all(lobby: Lobby, at: int) -> None:
    loop, _ = await create_table(lobby)
    await play.finish(loop.table, "aborted")
    await cancelled(to_the_end(begin(loop)), at)
    await finish_shielded(10)
    assert await lobby.services.seating.find(loop.table.row.id) == loop.table.row
    assert loop.table.playing


async def test_a_conflicting_action_stops_only_its_own_table(
    lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    first, connections = await create_table(lobby)
    others = [await create_table(lobby) for _ in range(3)]
    seat, message = await next_action(first, 1)
    assert first.table.game_row is not None
    action = str(message.action)
    behind_its_back = Move(first.table.game_row.id, 0, seat, action, fence=first.table.row.fence)
    await lobby.services.writer.write(behind_its_back)
    acts = [handle(loop, sockets[0], (await next_action(loop, 1))[1]) for loop, sockets in others]
    answers = await asyncio.gather(handle(first, connections[seat], message), *acts, return_exceptions=True)
    assert isinstance(answers[0], ServerError)
    assert (answers[0].code, answers[1:]) == ("table_fault", [None] * 3)
    assert not lobby.services.writer.failing
    assert [record for record in caplog.records if "conflicts with" in record.message]
    while first.faulty:
        await asyncio.sleep(0.01)
    assert await stored(first) != []
    assert [len(await stored(other)) for other, _ in others] == [1, 1, 1]


async def test_a_stored_game_is_loaded_from_storage(lobby: Lobby) -> None:
    """The start of the game was stored but its result was lost, so the table continues the stored game."""
    loop, _ = await create_table(lobby)
    table = loop.table
    assert table.game_row is not None
    second = replace(table.game_row, id=new_id(), number=2)
    await lobby.services.games.begin(second, replace(table.row, game=2))
    with pytest.raises(ServerError) as refused:
        await begin(loop)
    assert refused.value.code == "table_fault"
    while loop.faulty:
        await asyncio.sleep(0.01)
    assert (table.row.game, table.playing) == (2, True)


async def test_a_cancelled_request_is_still_executed() -> None:
    began, done = asyncio.Event(), asyncio.Event()

    async def app(*_: Any) -> None:
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
