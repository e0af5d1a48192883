"""A killed server resumes its games; it has confirmed only what it had stored."""

import os
import random
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from starlette.requests import Request

from jantaku import terms
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.native import game_file as record
from jantaku.server.edge.pages import invite_to
from jantaku.server.play.live_game import last_step
from jantaku.server.play.table import SpectatorDelay
from jantaku.server.run import listen, serve_uncompiled, server
from jantaku.server.settings import DATABASE_FILE, Pauses, Settings
from jantaku.server.storage.backup import backup
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import MIGRATION_LOCK, Store
from server.parlour import (
    IMPORTS,
    WAIT_S,
    Line,
    Message,
    Person,
    Process,
    Serve,
    fast_settings,
    free_port,
    port_in_use,
    simplest_action,
    until,
)
from server.postgres_cluster import Cluster
from server.sites import of_one_process
from support.playing import played

compiled = pytest.mark.skipif(not COMPILED, reason="private servers are slow without compiled code")


class KillableServer:
    """A server process that can be killed and restarted at the same address."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        self.folder, self.options, self.port = folder, options, port or free_port()
        self.start()

    def start(self) -> None:
        self.running = Process(self.folder, self.port, *self.options)
        self.url = self.running.url

    def restart(self) -> None:
        self.running.kill()
        self.start()
        self.running.wait()


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[KillableServer]:
    killed = KillableServer(tmp_path)
    try:
        killed.running.wait()
        yield killed
    finally:
        killed.running.kill()


def crash(killed: KillableServer, tables: int, kills: int) -> None:
    """Kill and restart the server several times, then compare what all players received with the records."""
    chance, url = random.Random(tables), killed.url
    people = [Person(url, f"P{number}") for number in range(tables)]
    games = [person.start() for person in people]
    received: list[list[Message]] = [[] for _ in people]
    for _ in range(kills):
        for (_, line), events in zip(games, received, strict=True):
            for _ in range(chance.randrange(1, 4)):
                if line.wait_to_act() is not None:
                    line.move()
            events.extend(line.events())
        killed.restart()
        for number, (table, old) in enumerate(games):
            line = people[number].socket(table, game=1, last=old.seq)
            while (back := line.next())["type"] not in ("update", "sync"):
                pass
            assert back["type"] == "update"
            assert len(back["events"]) == back["seq"] - old.seq >= 0
            games[number] = table, line
    for person, (table, line), events in zip(people, games, received, strict=True):
        line.ask(type="abort", agree=True)
        game = person.get(f"/api/tables/{table}")["result"]["record"]
        whole = record.loads(person.http.get(f"/api/games/{game}/record").text).events
        truth = [visible_part(event.to_dict()) for event in whole]
        mine = [visible_part(event) for event in events + line.events()]
        assert any(truth[at : at + len(mine)] == mine for at in range(len(truth) - len(mine) + 1))


def visible_part(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without its hidden fields."""
    gone = {"drew": "tile", "hand_started": "hands"}.get(event["type"])
    return {name: value for name, value in event.items() if name != gone}


@pytest.mark.slow
@compiled
def test_a_killed_server_resumes_its_games(killed: KillableServer) -> None:
    crash(killed, tables=5, kills=2)


@pytest.mark.long
@compiled
def test_fifty_tables_survive_being_killed(killed: KillableServer) -> None:
    crash(killed, tables=50, kills=3)


def bank(line: Line) -> int:
    """Return the time reserve of seat 0, in milliseconds, as last announced."""
    line.ask(type="ping")
    return int([message["clock"] for message in line.seen if message.get("clock")][-1]["bank_ms"][0])


@pytest.mark.slow
@compiled
def test_a_crash_does_not_refill_the_time_reserve(killed: KillableServer) -> None:
    """Turns use nothing but the reserve; after a restart, its value is the one last sent."""
    toml = 'extends = "standard"\n[clock]\nturn_s = 0\nbank_s = 3600\nclaim_window_s = 600\n'
    mina = Person(killed.url, "Mina")
    rules = mina.post("/api/rules", toml=toml)["id"]
    table, line = mina.start(rules=rules, options={"clock": True})
    for _ in range(3):
        assert line.move()["type"] == "ack"
    left = bank(line)
    assert left < 3_600_000
    killed.restart()
    line = mina.socket(table)
    assert line.until("sync")["clock"]["bank_ms"][0] == left
    for _ in range(20):  # passing uses no time, and a turn may take less than the resolution of the clock
        assert line.move()["type"] == "ack"
        if bank(line) < left:
            break
    assert bank(line) < left


def lose(url: str, away: Callable[[], object], back: Callable[[], object]) -> None:
    """Take the storage away during a game and bring it back.

    Meanwhile nothing is confirmed and everyone is notified; afterwards the game continues.
    """
    mina = Person(url, "Mina")
    table, line = mina.start()
    for _ in range(3):
        assert line.move()["type"] == "ack"
    own = line.wait_to_act()
    assert own is not None
    before = line.seq
    away()
    refused = line.act(simplest_action(own), id="lost")
    assert refused["code"] == line.until("error")["code"] == "storage_lost"  # the whole table is notified too
    assert refused["message"]
    assert mina.send("POST", "/api/rules", toml="[riichi]\ndeposit = 300").status_code == 503
    assert httpx.get(f"{url}/api/health").status_code == 503
    back()
    until(lambda: httpx.get(f"{url}/api/health").status_code == 200)  # the server recovers without a request
    line.until("table")
    assert line.act(simplest_action(own), id="again")["type"] == "ack"
    for _ in range(2):
        assert line.move()["type"] == "ack"
    assert line.seq > before
    line.ask(type="abort", agree=True)
    game = mina.get(f"/api/tables/{table}")["result"]["record"]
    assert formats.parse_record(mina.http.get(f"/api/games/{game}/record").content).game.events


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux to limit another process")
@compiled
def test_a_server_with_a_full_disk_confirms_nothing_and_recovers(killed: KillableServer) -> None:
    """A limit of one byte on the size of files simulates a full disk."""
    pid, free = killed.running.process.pid, resource.RLIM_INFINITY
    lose(
        killed.url,
        lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, free)),
        lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (free, free)),
    )


@pytest.mark.slow
@compiled
def test_a_server_without_its_database_confirms_nothing_and_recovers(cluster: Cluster, serve: Serve) -> None:
    lose(serve(database_url=cluster.url), cluster.stop, cluster.start)


# After a restart during a game, the last step and its pause are sent again


CLAIMS = Pauses(claim=(1.5, 1.5), hesitation=0, bot=(0, 0), result=600, result_among_bots=600, deal=0)
LONG = replace(
    CLAIMS, claim=(60, 60)
)  # used before a restart, so that nothing happens while the server is stopping


def before_and_after(
    serve: Serve, play: Callable[[Line], object], before: Pauses, after: Pauses
) -> tuple[Line, Line]:
    """Return a player's sockets before and after a restart, the second of which resumes the game."""
    mina = Person(serve(pauses=before), "Mina")
    table = mina.table(options={"clock": True})["id"]
    line = mina.socket(table)
    mina.post(f"/api/tables/{table}/start")
    play(line)
    line.close()
    serve(pauses=after)
    return line, mina.socket(table, game=line.game, last=line.seq)


@pytest.mark.slow
def test_after_a_restart_the_next_draw_is_sent_after_the_pause(serve: Serve) -> None:
    """If the draw were sent at once, it would reveal that nobody could call the discard."""
    line, again = before_and_after(serve, Line.move, LONG, CLAIMS)
    first = again.next()
    assert (first["type"], first["seq"], first["events"]) == ("update", line.seq, [])
    assert first["own"] is None
    following = again.until("update")
    assert [event["type"] for event in following["events"]] in (["drew"], ["called"], ["won"])
    assert following["seq"] == line.seq + 1

    def own(message: Message) -> list[str]:
        """Return the tiles drawn by seat 0."""
        draws = [event for event in message["events"] if event["type"] == "drew"]
        return [event["tile"] for event in draws if event["seat"] == 0]

    drawn = again.until("update", lambda message: bool(own(message)))
    assert own(drawn) == [drawn["own"]["drawn"]]


@pytest.mark.slow
def test_after_a_restart_the_result_of_a_hand_is_sent_again(serve: Serve) -> None:
    def to_the_result(line: Line) -> None:
        while not any(message["type"] == "pause" for message in line.seen):
            if line.own is not None and line.own["ask"] is not None:
                line.move()
            else:
                line.next()

    results = replace(CLAIMS, claim=(0, 0))
    line, again = before_and_after(serve, to_the_result, results, results)
    assert 0 < again.until("pause")["ms"] <= 600_000
    assert again.seq == line.seq
    known = line.events()
    assert not [event for event in again.events() if event["type"] == "hand_started" and event not in known]
    again.send(type="ready", id="read")
    dealt = again.until(
        "update", lambda message: any(event["type"] == "hand_started" for event in message["events"])
    )
    assert [event["type"] for event in dealt["events"]] == ["hand_started", "drew"]
    assert dealt["seq"] == line.seq + 2


@pytest.mark.slow
def test_after_a_restart_the_clock_of_a_pending_action_is_sent_at_once(serve: Serve) -> None:
    line, again = before_and_after(serve, lambda line: line.until("sync"), CLAIMS, CLAIMS)
    question = again.next()
    assert question["seq"] == line.seq
    if question["own"] is not None and question["own"]["ask"] is not None:
        assert question["own"]["left_ms"] > 0
    assert question["clock"]["turn_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_the_last_step_begins_with_an_action_on_turn(seed: int) -> None:
    """At many points of a game, the earlier game followed by the returned moves equals the game so far."""
    whole = played("standard", seed=seed)
    for stop in range(0, len(whole.moves), 23):
        game = Game("standard", seed=seed)
        for _, seat, action in whole.moves[:stop]:
            game.play(seat, action)
        earlier, moves = last_step(game)
        assert len(moves) <= 4
        assert not moves or moves[0][1] == earlier.record.turn
        for _, seat, action in moves:
            earlier.play(seat, action)
        assert [event.to_dict() for event in earlier.events] == [event.to_dict() for event in game.events]
        assert earlier.to_act == game.to_act


def test_a_delayed_spectator_receives_nothing_twice() -> None:
    delay = SpectatorDelay(0)
    for seq in (5, 7, 6, 7, 8):
        delay.add(1.0, seq)
    seen = []
    while delay.due is not None:
        delay.advance(1.0)
        seen.append(delay.seen)
    delay.add(2.0, 7)
    assert (seen, delay.advance(3.0), delay.seen) == ([8], False, 8)


# The server accepts requests before its code is compiled; games continue when the compiled server takes over


@pytest.mark.slow
def test_a_game_continues_when_the_compiled_server_takes_over(tmp_path: Path) -> None:
    """The uncompiled stand-in and the compiled server use the same listening socket."""
    settings, opened, ready = fast_settings(tmp_path), threading.Event(), threading.Event()
    with listen("127.0.0.1", 0) as listening:
        with serve_uncompiled(settings, listening, opened.set):
            assert opened.is_set()
            person = Person(f"http://127.0.0.1:{listening.getsockname()[1]}", "Mina")
            table, line = person.start()
            for _ in range(3):
                assert line.move()["type"] == "ack"
        following = server(settings, listening, ready.set)
        thread = threading.Thread(target=following.run, daemon=True)
        thread.start()
        try:
            assert ready.wait(WAIT_S)
            again = person.socket(table, game=1, last=line.seq)
            assert again.move()["type"] == "ack"
            assert again.seq >= line.seq
        finally:
            following.should_exit = True
            thread.join(WAIT_S)


@pytest.mark.slow
def test_the_stand_in_ends_with_its_parent_process(tmp_path: Path) -> None:
    """When the parent has been killed, no process keeps the port in use."""
    program = tmp_path / "begins.py"
    program.write_text(
        "import sys, time;from pathlib import Path;from server.parlour import fast_settings;"
        "from jantaku.server.run import listen, serve_uncompiled\n"
        "if __name__ == '__main__':\n"
        "  settings = fast_settings(Path(sys.argv[1]))\n"
        "  with listen('127.0.0.1', 0) as listening, serve_uncompiled(settings, listening, lambda: None):\n"
        "    print(listening.getsockname()[1], flush=True)\n"
        "    time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path)],
        env={"PYTHONPATH": IMPORTS, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    assert httpx.get(f"http://127.0.0.1:{port}/api/health").status_code == 200
    process.kill()
    process.wait()
    process.stdout.close()
    until(lambda: not port_in_use(port))


def test_an_unusable_port_is_reported() -> None:
    with listen("127.0.0.1", 0) as first:
        for host, port, code in (
            ("127.0.0.1", first.getsockname()[1], "port_in_use"),
            ("203.0.113.1", 0, "cannot_listen"),
        ):
            with pytest.raises(RequestError) as refused:
                listen(host, port)
            assert refused.value.code == code


@pytest.mark.parametrize(
    ("host", "public", "nearby", "base", "here"),
    [
        ("localhost:8000", "", "", "http://localhost:8000", True),
        ("127.0.0.1", "", "", "http://127.0.0.1", True),
        ("[::1]:80", "", "", "http://[::1]:80", True),
        ("localhost:8000", "", "http://10.0.0.5:8000", "http://10.0.0.5:8000", False),
        ("box.local:8000", "", "http://10.0.0.5:8000", "http://box.local:8000", False),
        ("localhost:8000", "https://mj.example", "http://10.0.0.5:8000", "https://mj.example", False),
    ],
)
def test_links_work_on_other_devices(host: str, public: str, nearby: str, base: str, here: bool) -> None:
    """Links use the public URL or the requested host, but the network address instead of ``localhost``."""
    scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b""}
    request = Request(scope | {"server": ("127.0.0.1", 8000), "headers": [(b"host", host.encode())]})
    invite = invite_to(request, Settings(public_url=public, nearby_url=nearby), "/t/x")
    assert (invite.url, invite.only_here) == (f"{base}/t/x", here)


# However the active server ends, the standby server takes over and no game is lost


@pytest.mark.parametrize(("kind", "ends"), [("postgres", signal.SIGKILL), ("sqlite", signal.SIGTERM)])
@pytest.mark.slow
def test_a_game_continues_on_the_standby_server(
    killed: KillableServer, request: pytest.FixtureRequest, kind: str, ends: signal.Signals
) -> None:
    if kind == "postgres":
        database = request.getfixturevalue("cluster").new_database("standing_by")
        killed.options = (f"database_url={database}",)
        killed.restart()
    second = KillableServer(killed.folder, "standby=1", *killed.options)
    try:
        until(lambda: port_in_use(second.port))
        mina = Person(killed.url, "Mina")
        table, line = mina.start(sit=True)
        for _ in range(5):
            line.move()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{second.url}/api/health")
        killed.running.process.send_signal(ends)
        began = time.monotonic()
        second.running.wait()
        took = time.monotonic() - began
        again = Person(second.url)
        again.http.cookies = mina.http.cookies
        following = again.socket(table, game=1, last=line.seq)
        assert following.move()["type"] == "ack"
        assert following.seq > line.seq
        assert took < 20  # takes less than 5 s on an idle machine
    finally:
        second.running.kill()


# A database has only one server, and only its owner can read the files


async def begin(services: Services) -> None:
    await services.store.claim()
    await services.store.open()
    await services.lease.join()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_second_server_is_refused(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str, kind: str
) -> None:
    url = request.getfixturevalue("cluster").url if kind == "postgres" else ""
    first, second = (Services(fast_settings(tmp_path, database_url=url)) for _ in range(2))
    await begin(first)
    with pytest.raises(RequestError) as refused:
        await begin(second)
    assert refused.value.code == "already_running"
    assert second.store.where in refused.value.message(terms.LANGUAGES[0])
    for services in (first, second):
        await services.lease.leave()
        await services.store.close()
        if services is first:
            await begin(second)


async def test_a_concurrent_migration_prevents_a_start(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.storage.store.LOCK_RETRY_S", 0.01)
    other, store = (Store(fast_settings(tmp_path, database_url=cluster.url)) for _ in range(2))
    async with other.engine.connect() as connection:
        await connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
        with pytest.raises(RequestError) as refused:
            await store.open()
    assert refused.value.code == "already_running"
    for database in (other, store):
        await database.close()


@of_one_process
@pytest.mark.slow
def test_the_lock_of_a_killed_server_is_released(killed: KillableServer) -> None:
    command = ["jantaku", "--lang", "en", "serve", "--port", "0", "--data", str(killed.folder)]
    second = subprocess.run(
        [sys.executable, "-m", *command],
        env=os.environ | {"PYTHONPATH": IMPORTS},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert second.returncode != 0
    [message] = second.stderr.strip().splitlines()
    assert "another server" in message
    copy = killed.folder / "copy.sqlite3"
    backup(fast_settings(killed.folder), copy)
    assert copy.stat().st_size > 0
    killed.restart()
    assert httpx.get(f"{killed.url}/api/health").status_code == 200


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@of_one_process
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.slow
def test_data_files_are_readable_by_their_owner_only(serve: Serve, there: bool) -> None:
    folder = serve.data = serve.data / "data"
    if there:  # files that other users could read
        serve()
        serve.stack.close()
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)
    before = os.umask(0)
    try:
        Person(serve(), "Mina")
        files = {file.name: mode(file) for file in folder.iterdir()}
        copy = folder.with_name("copy.sqlite3")
        backup(fast_settings(folder), copy)
    finally:
        os.umask(before)
    assert (mode(folder), mode(copy)) == (0o700, 0o600)
    assert {DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm"} <= set(files)
    assert set(files.values()) == {0o600}


def test_a_shared_folder_keeps_its_permissions(serve: Serve) -> None:
    serve.data.chmod(0o1777)
    serve()
    assert (mode(serve.data), mode(serve.data / DATABASE_FILE)) == (0o1777, 0o600)
