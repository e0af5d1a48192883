"""Server faults: a table's players are told, the table is retried, and it is stopped if retries fail."""

import asyncio
import dataclasses
import logging
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.game.notation import from_dict, to_dict
from jantaku.game.step_events import Step
from jantaku.records.native import game_file as record
from jantaku.server.edge.guard import Guard
from jantaku.server.edge.limits import Rates
from jantaku.server.edge.protocol import FROM_CLIENT, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.play import carry_out as play
from jantaku.server.play import game_loop as loop
from jantaku.server.play import live_game, table_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.message_handlers import handle
from jantaku.server.play.table import Connection, Table
from jantaku.server.settings import DATABASE_FILE, Limits, Settings
from jantaku.server.storage import finished_games
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import Store
from jantaku.server.storage.writer import Move
from jantaku.server.tasks import all_done, to_the_end
from server.parlour import LOOSE, Line, Message, Person, close_code, open_server, quick, simplest
from server.sites import of_one_process

FAULTY = "faulty"
DEPOSIT = "[riichi]\ndeposit = {}"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without delay."""
    monkeypatch.setattr(loop, "RETRY_S", 0.001)


class Bug:
    """Fails at a table of that name, so many times."""

    def __init__(self, times: float, works: Callable[..., Any]) -> None:
        self.left = times
        self.works = works

    async def __call__(self, table: Table, *rest: Any) -> Any:
        if table.row.name == FAULTY and self.left > 0:
            self.left -= 1
            raise RuntimeError("a bug")
        return await self.works(table, *rest)


@contextmanager
def playing(url: str, name: str = FAULTY, **hello: Any) -> Iterator[tuple[Person, Message, Line]]:
    """A table of one person and three bots, in a game."""
    mina = Person(url, "Mina")
    table = mina.table(bots=3, name=name)
    with closing(mina.socket(table["id"], **hello)) as line:
        mina.post(f"/api/tables/{table['id']}/start")
        yield mina, table, line


def act(line: Line) -> Message:
    """Do the simplest thing."""
    own = line.asked()
    assert own is not None
    return line.act(simplest(own))


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_players_are_told_of_a_fault_and_the_game_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: terms.Language
) -> None:
    monkeypatch.setattr(loop, "carry_out", Bug(loop.MOST_FAULTS - 1, play.carry_out))
    with open_server(quick(tmp_path)) as url, playing(url, language=language) as (_, _, line):
        act(line)
        said = line.until("error")
        assert said["code"] == "table_fault"
        assert said["id"] is None
        assert said["message"] == terms.text("server_errors.table_fault", language)
        line.own = None
        assert act(line)["type"] == "ack"


@of_one_process
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_broken_table_is_stopped_and_others_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = Bug(float("inf"), play.carry_out)
    monkeypatch.setattr(loop, "carry_out", bug)
    settings = quick(tmp_path)
    with (
        open_server(settings) as url,
        playing(url) as (mina, table, line),
        playing(url, "sound") as (_, _, other),
    ):
        act(line)
        codes = [line.until("error")["code"] for _ in range(2)]
        assert codes == ["table_fault", "table_stopped"]
        assert line.until("table")["table"]["stopped"]
        seq = line.seq
        refused = line.ask(type="act", game=1, ask=seq, action={"type": "pass"})
        assert refused["code"] == "table_stopped"
        for _ in range(3):
            assert act(other)["type"] == "ack"
        assert mina.get("/api/health")["stopped"] == 1
        assert table["id"] not in [row["id"] for row in mina.get("/api/tables")["tables"]]
        again = mina.socket(table["id"])
        assert again.welcome["table"]["stopped"]
        assert again.until("sync")["seq"] == seq
        again.close()
        cookie = dict(mina.http.cookies)
    bug.left = 0  # the fault is fixed
    with open_server(settings) as url:
        mina = Person(url)
        mina.http.cookies.update(cookie)
        with closing(mina.socket(table["id"], game=1, last=seq)) as line:
            assert not line.welcome["table"]["stopped"]
            assert act(line)["type"] == "ack"
            assert line.seq > seq


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_the_owner_may_end_a_stopped_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "carry_out", Bug(float("inf"), play.carry_out))
    with open_server(quick(tmp_path)) as url, playing(url) as (mina, table, line):
        act(line)
        line.until("table", lambda message: message["table"]["stopped"])
        assert mina.http.delete(f"/api/tables/{table['id']}").status_code == 200
        ended = line.until("table")["table"]
        assert (ended["status"], ended["stopped"]) == ("aborted", False)
        text = mina.http.get(f"/api/games/{ended['result']['record']}/record").text
        assert len(record.loads(text).moves) == 1


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["person", "bot"])
@pytest.mark.usefixtures("impatient")
def test_a_fault_in_the_middle_of_an_action_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, actor: str
) -> None:
    """The engine has moved and the action is stored, but a later step failed: the action is undone."""
    whole, left = Step.events, [0]

    def told(step: Step) -> Any:
        if left[0] and (step.seat == 0) == (actor == "person"):
            left[0] -= 1
            raise RuntimeError("a bug")
        return whole(step)

    monkeypatch.setattr(Step, "events", told)
    with open_server(quick(tmp_path)) as url, playing(url) as (mina, table, line):
        act(line)
        left[0], before = 1, len(line.seen)
        while left[0]:  # an answer may be late: a bot was quicker
            answer = act(line)
            line.own = line.own if answer["type"] == "ack" else None
        assert actor == "bot" or answer["code"] == "internal"
        while "sync" not in [message["type"] for message in line.seen[before:]]:
            line.next()
        for _ in range(2):
            while act(line)["type"] != "ack":  # the table may be reading itself again
                line.own = None
        line.ask(type="abort", agree=True)
        game = mina.get(f"/api/tables/{table['id']}")["result"]["record"]
        truth = mina.get(f"/api/games/{game}/replay")["events"]
        last = max(index for index, message in enumerate(line.seen) if message["type"] == "sync")
        heard = [event for message in line.seen[last:] for event in message.get("events", ())]
        start = line.seen[last]["view_seq"]
        assert [open_to_all(event) for event in heard] == [
            open_to_all(event) for event in truth[start : start + len(heard)]
        ]


def open_to_all(event: Message) -> Message:
    """An event without what others do not see."""
    return {key: value for key, value in event.items() if key not in ("hands", "tile")}


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_unreadable_table_does_not_block_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, whole, read = quick(tmp_path), play.resume, ContextVar[str]("read")
    with (
        open_server(settings) as url,
        playing(url) as (mina, first, _),
        playing(url, "sound") as (_, second, _),
    ):
        cookie = dict(mina.http.cookies)

    async def resume(table: Table, stored: Any = None) -> None:
        read.set(table.row.id)
        await whole(table, stored)

    def replayed(*given: Any) -> Any:
        if read.get() == first["id"]:
            raise RuntimeError("a bug")
        return finished_games.replayed(*given)

    monkeypatch.setattr(play, "resume", resume)
    monkeypatch.setattr(play, "replayed", replayed)
    with open_server(settings) as url:
        mina = Person(url)
        mina.http.cookies.update(cookie)
        assert mina.get(f"/api/tables/{second['id']}")["stopped"] is False
        assert mina.get(f"/api/tables/{first['id']}")["stopped"] is True
        with closing(mina.socket(first["id"])) as line:
            assert line.welcome["table"]["stopped"]
        assert mina.http.delete(f"/api/tables/{first['id']}").status_code == 200
        assert mina.get(f"/api/tables/{first['id']}")["status"] == "aborted"


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_failing_hints_leave_the_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("jantaku.server.play.message_handlers.hints", broken)
    with open_server(quick(tmp_path)) as url, playing(url) as (_, _, line):
        line.asked()
        for _ in range(2 * loop.MOST_FAULTS):
            assert line.ask(type="hints")["code"] == "internal"
        assert act(line)["type"] == "ack"


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_the_server_plays_for_a_failing_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_policy: str) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(live_game, "_player", broken)
    with open_server(quick(tmp_path)) as url, playing(url) as (_, _, line):
        for _ in range(3):
            assert act(line)["type"] == "ack"


# Limits for one person and one address


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_sockets_of_one_person_are_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, sockets_of_one=2)
    with open_server(quick(tmp_path, limits=limits)) as url:
        mina = Person(url, "Mina")
        table = mina.table()["id"]
        lines = [mina.socket(table, watch=True) for _ in range(2)]
        assert close_code(mina.raw(table)) == 4429
        lines[0].close()
        with closing(Person(url, "Jun")) as jun:
            jun.socket(table).close()
        while True:  # the place is free once the server has noticed
            raw = mina.raw(table)
            raw.send('{"type":"hello","version":1}')
            try:
                raw.recv()
                break
            except Exception:
                continue
        raw.close()
        lines[1].close()


@pytest.mark.parametrize(
    ("limit", "path", "bodies", "code"),
    [
        ("guests_per_day", "/api/guest", [{"name": "a"}, {"name": "b"}], "too_many_guests"),
        ("tables_of_one", "/api/tables", [{"sit": False}, {}], "too_many_tables"),
        ("rules_of_one", "/api/rules", [{"toml": DEPOSIT.format(n)} for n in (300, 500)], "too_many_rules"),
    ],
)
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_everything_one_person_keeps_is_limited(
    tmp_path: Path, limit: str, path: str, bodies: list[Message], code: str
) -> None:
    changes: dict[str, Any] = {limit: 2 if limit == "guests_per_day" else 1}
    limits = dataclasses.replace(LOOSE, **changes)
    with open_server(quick(tmp_path, limits=limits)) as url:
        mina = Person(url, "Mina")
        mina.post(path, **bodies[0])
        answer = mina.http.post(path, json=bodies[1])
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, code)
        assert answer.json()["error"]["message"]


@of_one_process
@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_finished_tables_leave_memory_and_can_be_reloaded(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, idle_tables=2, tables_of_one=100)
    settings = quick(tmp_path, limits=limits)
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        tables = [mina.table(bots=3)["id"] for _ in range(4)]
        for table in tables:
            mina.post(f"/api/tables/{table}/start")
            with closing(mina.socket(table)) as line:
                line.ask(type="abort", agree=True)
    with open_server(settings) as url:
        jun = Person(url, "Jun")
        assert jun.get("/api/health")["tables"] == 0
        for table in tables:
            game = jun.get(f"/api/tables/{table}")
            assert game["status"] == "aborted"
            assert jun.get(f"/api/games/{game['result']['record']}/replay")["hands"]
        assert jun.get("/api/health")["tables"] == 2


# Database files deleted or replaced while the server runs: logged once, and nothing is stored


LOCK, LOG = f"{DATABASE_FILE}.lock", f"{DATABASE_FILE}-wal"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("jantaku.server.storage.files.LOOKS_S", 0.2)
    caplog.set_level(logging.WARNING, "jantaku.server")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "The database" in record.getMessage()]


def status(url: str) -> int:
    return httpx.get(f"{url}/api/health", timeout=30).status_code


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def replace_server_missing_files(file: Path) -> None:
    """Replace a file by another with the same contents, like a restored backup."""
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


GONE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "database deleted": (DATABASE_FILE, lambda folder: (folder / DATABASE_FILE).unlink()),
    "database replaced": (DATABASE_FILE, lambda folder: replace_server_missing_files(folder / DATABASE_FILE)),
    "folder deleted": (DATABASE_FILE, shutil.rmtree),
    "folder moved": (DATABASE_FILE, lambda folder: folder.rename(folder.with_name("elsewhere"))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GONE)
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_missing_database_is_logged_once_and_shown_in_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    file, remove = GONE[name]
    folder = tmp_path / "data"
    with open_server(quick(folder)) as url:
        mina = Person(url, "Mina")
        assert status(url) == 200
        remove(folder)
        assert status(url) == 503
        saved = mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"})
        assert saved.status_code == 503
        assert [status(url) for _ in range(3)] == [503] * 3
        assert len(told(caplog)) == 1
        assert f"{folder / file} was deleted or replaced" in told(caplog)[0]


@pytest.mark.slow
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_missing_database_is_logged_without_a_request(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)):
        (tmp_path / DATABASE_FILE).unlink()
        until(lambda: any("nothing is stored" in text for text in told(caplog)))


@pytest.mark.slow
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_restored_database_is_used_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file, away = tmp_path / DATABASE_FILE, tmp_path / "away"
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        file.rename(away)
        assert mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"}).status_code == 503
        away.rename(file)
        until(lambda: status(url) == 200)
        mina.post("/api/rules", toml="[riichi]\ndeposit = 300")
        said = told(caplog)
        assert ["nothing is stored" in said[0], "works again" in said[1], len(said)] == [True, True, 2]


@pytest.mark.slow
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_deleted_write_ahead_log_is_noticed_at_the_next_commit(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        (tmp_path / LOG).unlink()
        for _ in range(3):
            assert mina.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"}).status_code == 503
            assert status(url) == 503
        assert len(told(caplog)) == 1
        assert f"{LOG} was deleted" in told(caplog)[0]


@pytest.mark.slow
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_missing_lock_file_is_logged_and_locked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        with pytest.MonkeyPatch.context() as patch:  # or the lock could be taken again before we ask
            patch.setattr("jantaku.server.storage.files._opened", lambda _: None)
            (tmp_path / LOCK).unlink()
            assert status(url) == 503
        until(lambda: status(url) == 200)
        mina.post("/api/rules", toml="[riichi]\ndeposit = 300")
        said = told(caplog)
        assert ["deleted" in said[0], "works again" in said[1], len(said)] == [True, True, 2]
        with pytest.raises(RequestError, match="another"):
            asyncio.run(Store(quick(tmp_path)).claim())


@pytest.mark.slow
@of_one_process
@pytest.mark.usefixtures("soon")
def test_a_lock_held_by_another_server_is_not_taken_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="locks of this system are others")
    theirs = tmp_path / "theirs"
    with open_server(quick(tmp_path)) as url:
        with theirs.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            theirs.replace(tmp_path / LOCK)
            for _ in range(5):
                assert status(url) == 503
                time.sleep(0.3)
        until(lambda: status(url) == 200)  # the other has ended
        assert len(told(caplog)) == 2


# Limits hold for requests that come at the same time


AT_ONCE = 24
PASSWORD = "correct horse"
MOST = 3
LIMITS: Limits = replace(
    LOOSE,
    tables_of_one=MOST,
    rules_of_one=MOST,
    uploads_of_one=MOST,
    tries_of_address_per_h=MOST,
    jobs_of_one=AT_ONCE,  # or the queue for heavy work refuses some
    jobs_of_address=AT_ONCE,
)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a limit of three for everything."""
    with open_server(quick(tmp_path_factory.mktemp("strict"), limits=LIMITS)) as url:
        yield url


def at_once(send: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """The answers to concurrent requests."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(send, range(AT_ONCE)))


def log_of(mina: Person) -> str:
    """The record of a short game."""
    table = mina.table(bots=3)["id"]
    mina.post(f"/api/tables/{table}/start")
    with closing(mina.socket(table)) as line:
        line.ask(type="abort", agree=True)
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    return mina.http.get(f"/api/games/{game}/record").text


def body_of(what: str, mina: Person) -> Callable[[int], dict[str, Any]]:
    """A different request for each number."""
    if what == "uploads":
        log = log_of(mina)
        return lambda _: {"text": log}
    deposit = 'extends = "standard"\n[riichi]\ndeposit = {}\n'
    return lambda n: {"toml": deposit.format(100 * n + 100)} if what == "rules" else {"sit": False}


@of_one_process
@pytest.mark.slow
@pytest.mark.parametrize("what", ["tables", "rules", "uploads"])
def test_limits_hold_for_concurrent_requests(strict: str, what: str) -> None:
    mina = Person(strict, "Mina")
    body = body_of(what, mina)
    answers = at_once(lambda n: mina.http.post(f"/api/{what}", json=body(n)))
    codes = [answer.status_code for answer in answers]
    assert (codes.count(200), codes.count(429)) == (MOST, AT_ONCE - MOST)


@pytest.mark.slow
def test_the_server_limits_open_tables(tmp_path: Path) -> None:
    limits = replace(LOOSE, tables=MOST)
    with open_server(quick(tmp_path, limits=limits)) as url:
        people = [Person(url, f"guest {n}") for n in range(AT_ONCE)]
        answers = at_once(lambda n: people[n].http.post("/api/tables", json={}))
        assert [answer.status_code for answer in answers].count(200) == MOST


@of_one_process
@pytest.mark.slow
def test_password_attempts_are_counted_before_they_are_checked(strict: str) -> None:
    body = {"name": "nobody at all", "password": PASSWORD}
    answers = at_once(lambda _: httpx.post(f"{strict}/api/login", json=body, timeout=60))
    codes = [answer.status_code for answer in answers]
    assert (codes.count(401), codes.count(429)) == (MOST, AT_ONCE - MOST)


@pytest.mark.slow
def test_a_guest_can_register_only_once(strict: str) -> None:
    jun = Person(strict, "Jun")
    answers = at_once(
        lambda n: jun.http.post("/api/register", json={"name": f"jun {n}", "password": PASSWORD})
    )
    ids = [answer.json()["id"] for answer in answers if answer.status_code == 200]
    assert ids.count(jun.id) == 1
    assert len(set(ids)) == len(ids)  # what came after the guest's session ended opened accounts anew


@pytest.mark.slow
def test_only_one_of_several_lookalike_names_is_accepted(strict: str) -> None:
    names = ["Mіna", "Mina.", "rnina", "MINA", "M1na"]

    def register(n: int) -> httpx.Response:
        body = {"name": names[n % len(names)] + " the first", "password": PASSWORD}
        return httpx.post(f"{strict}/api/register", json=body, timeout=60)

    codes = [answer.status_code for answer in at_once(register)]
    assert codes.count(200) == 1
    assert set(codes) <= {200, 409, 429}


# Cancelled and conflicting work leaves memory and storage consistent


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
    for other, _ in others:
        assert len(await stored(other)) == len(played(other)) == 1


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
