"""A killed server resumes its games; it confirms nothing that it has not stored."""

import json
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
from contextlib import closing, contextmanager
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
from jantaku.server.run import listen, server, standing_in
from jantaku.server.settings import DATABASE_FILE, Pauses, Settings
from jantaku.server.storage.backup import backup
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import RESHAPING, Store
from server.parlour import (
    IMPORTS,
    WAIT_S,
    Line,
    Message,
    Person,
    Process,
    free_port,
    open_server,
    quick,
    simplest,
    taken,
)
from server.postgres_cluster import Cluster
from server.sites import of_one_process
from support.playing import played


def begin(url: str, tables: int) -> list[tuple[Person, Message, Line]]:
    """Tables of one person and three bots, each in a game."""
    lines = []
    for number in range(tables):
        person = Person(url, f"P{number}")
        table = person.table(bots=3)
        person.post(f"/api/tables/{table['id']}/start")
        lines.append((person, table, person.socket(table["id"])))
    return lines


def play(line: Line, turns: int) -> int:
    """Play so many turns; returns how many actions were confirmed."""
    confirmed = 0
    for _ in range(turns):
        own = line.asked()
        if own is None:
            break
        confirmed += line.act(simplest(own))["type"] == "ack"
    return confirmed


def crash(folder: Path, tables: int, kills: int) -> None:
    """Kill and restart several times; then compare what everybody received with the record."""
    port, chance = free_port(), random.Random(tables)
    process = Process(folder, port)
    process.wait()
    seated = begin(process.url, tables)
    heard: dict[str, list[Message]] = {table["id"]: [] for _, table, _ in seated}
    seqs: dict[str, int] = {}
    for _ in range(kills):
        for _, table, line in seated:
            play(line, chance.randrange(1, 4))
            heard[table["id"]] += line.events()
            seqs[table["id"]] = line.seq
        process.kill()
        process = Process(folder, port)
        process.wait()
        again = []
        for person, table, old in seated:
            old.close()
            line = person.socket(table["id"], game=1, last=seqs[table["id"]])
            back = line.next()
            while back["type"] not in ("update", "sync"):
                back = line.next()
            assert back["type"] == "update"
            assert back["seq"] >= seqs[table["id"]]
            assert len(back["events"]) == back["seq"] - seqs[table["id"]]
            again.append((person, table, line))
        seated = again
    for person, table, line in seated:
        heard[table["id"]] += line.events()
        line.ask(type="abort", agree=True)
        game = person.get(f"/api/tables/{table['id']}")["result"]["record"]
        text = person.http.get(f"/api/games/{game}/record").text
        whole = [event.to_dict() for event in record.loads(text).events]
        hidden = [strip(event) for event in whole[-len(heard[table["id"]]) :]]
        mine = [strip(event) for event in heard[table["id"]]]
        assert contains(whole, mine)
        assert len(hidden) == len(mine)
        line.close()
        person.close()
    process.kill()


def strip(event: Message) -> Message:
    """An event without its hidden parts."""
    message: Message = json.loads(json.dumps(event))
    if event["type"] == "drew":
        message.pop("tile", None)
    if event["type"] == "hand_started":
        message.pop("hands")
    return message


def contains(whole: list[dict[str, Any]], part: list[Message]) -> bool:
    """Whether ``part`` is a contiguous part of ``whole``."""
    stripped = [strip(event) for event in whole]
    places = range(len(stripped) - len(part) + 1)
    return any(stripped[spot : spot + len(part)] == part for spot in places)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")
def test_a_killed_server_resumes_its_games(tmp_path: Path) -> None:
    crash(tmp_path, tables=5, kills=2)


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")
def test_fifty_tables_survive_being_killed(tmp_path: Path) -> None:
    crash(tmp_path, tables=50, kills=3)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")
def test_a_crash_gives_nobody_time_back(tmp_path: Path) -> None:
    """Every moment of a turn is taken from the reserve here; the hand's reserves are as they were told."""
    toml = 'extends = "standard"\n[clock]\nturn_s = 0\nbank_s = 3600\nclaim_window_s = 600\n'
    port = free_port()
    process = Process(tmp_path, port)
    process.wait()
    with closing(Person(process.url, "Mina")) as person:
        rules = person.post("/api/rules", toml=toml)["id"]
        table = person.table(bots=3, rules=rules, options={"clock": True})
        person.post(f"/api/tables/{table['id']}/start")
        line = person.socket(table["id"])
        assert play(line, 3) == 3
        line.ask(type="ping")
        bank = last_bank(line)
        assert bank < 3_600_000
        process.kill()
        line.close()
        process = Process(tmp_path, port)
        process.wait()
        line = person.socket(table["id"])
        assert line.until("sync")["clock"]["bank_ms"][0] == bank
        for _ in range(20):  # letting a tile go by takes nothing, and a turn may take less than it can tell
            assert play(line, 1) == 1
            line.ask(type="ping")
            if last_bank(line) < bank:
                break
        assert last_bank(line) < bank
        line.close()
    process.kill()


def last_bank(line: Line) -> int:
    """The last reserve of seat 0 that was sent."""
    clocks = [message["clock"] for message in line.seen if message.get("clock")]
    left: int = clocks[-1]["bank_ms"][0]
    return left


def lose(url: str, away: Callable[[], object], back: Callable[[], object]) -> None:
    """Play, lose the storage, check that nothing is confirmed and all are told, restore it, play on."""
    ((person, table, line),) = begin(url, 1)
    assert play(line, 3) == 3
    own = line.asked()
    assert own is not None
    before = line.seq
    away()
    refused = line.act(simplest(own), id="lost")
    assert refused["type"] == "error"
    assert refused["code"] == "storage_lost"
    assert refused["message"]
    assert line.until("error")["code"] == "storage_lost"  # the table is told, too
    saved = person.http.post("/api/rules", json={"toml": "[riichi]\ndeposit = 300"})
    assert saved.status_code == 503
    assert httpx.get(f"{url}/api/health").status_code == 503
    back()
    wait_for_health(url)  # nobody does anything for it
    line.until("table")
    assert line.act(simplest(own), id="again")["type"] == "ack"
    assert play(line, 2) == 2
    assert line.seq > before
    line.ask(type="abort", agree=True)
    game = person.get(f"/api/tables/{table['id']}")["result"]["record"]
    text = person.http.get(f"/api/games/{game}/record").text
    assert formats.parse_record(text.encode()).game.events
    line.close()
    person.close()


def wait_for_health(url: str) -> None:
    """Wait until the server can store again."""
    ends = time.monotonic() + WAIT_S
    while httpx.get(f"{url}/api/health").status_code != 200:
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux to limit another process")
@pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")
def test_a_full_disk_confirms_nothing_and_recovers(tmp_path: Path) -> None:
    """The process may write no further than the first bytes of any file, as on a full disk."""
    process = Process(tmp_path, free_port())
    process.wait()
    pid, free = process.process.pid, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    try:
        lose(
            process.url,
            lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY)),
            lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, free),
        )
    finally:
        process.kill()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")
def test_a_lost_database_confirms_nothing_and_recovers(cluster: Cluster, tmp_path: Path) -> None:
    with open_server(quick(tmp_path, database_url=cluster.url)) as url:
        lose(url, cluster.stop, cluster.start)


# A restart in the middle of a game: the last step is told anew, with its pause, and nothing is lost


CLAIMS = Pauses(claim=(1.5, 1.5), hesitation=0, bot=(0, 0), result=600, result_among_bots=600, deal=0)
LONG = replace(CLAIMS, claim=(60, 60))  # before a restart, so that nothing happens while the server stops
RESULTS = replace(CLAIMS, claim=(0, 0))


def to_the_claim(line: Line) -> None:
    """Discard: the next draw is not told yet."""
    own = line.asked()
    assert own is not None
    line.act(simplest(own))


def to_the_result(line: Line) -> None:
    """Play until the result of the first hand is shown."""
    while not any(message["type"] == "pause" for message in line.seen):
        if line.own is not None and line.own["ask"] is not None:
            line.act(simplest(line.own))
        else:
            line.next()


@contextmanager
def before_and_after(
    data: Path, pauses: Pauses, play: Callable[[Line], object], before: Pauses | None = None
) -> Iterator[tuple[Line, Line]]:
    """A player's socket before a restart and after it, which says what it has seen."""
    settings = quick(data, pauses=pauses)
    with open_server(quick(data, pauses=before or pauses)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(options={"clock": True})["id"]
        line = mina.socket(table)
        mina.post(f"/api/tables/{table}/start")
        play(line)
        line.close()
        cookies = dict(mina.http.cookies)
    with open_server(settings) as url, closing(Person(url)) as mina:
        mina.http.cookies.update(cookies)
        with closing(mina.socket(table, game=line.game, last=line.seq)) as again:
            yield line, again


@pytest.mark.slow
def test_the_next_draw_is_told_after_the_pause(tmp_path: Path) -> None:
    """No draw comes at once after a restart, or it would show that nobody could call."""
    with before_and_after(tmp_path, CLAIMS, to_the_claim, LONG) as (line, again):
        first = again.next()
        assert (first["type"], first["seq"], first["events"]) == ("update", line.seq, [])
        assert first["own"] is None
        following = again.until("update")
        assert [event["type"] for event in following["events"]] in (["drew"], ["called"], ["won"])
        assert following["seq"] == line.seq + 1
        drawn = again.until("update", lambda message: own_draw(message) is not None)
        event = own_draw(drawn)
        assert event is not None
        assert event["tile"] == drawn["own"]["drawn"]


def own_draw(message: Message) -> Message | None:
    """The draw of seat 0 in a message."""
    return next(
        (event for event in message["events"] if event["type"] == "drew" and event["seat"] == 0), None
    )


@pytest.mark.slow
def test_the_result_of_a_hand_is_shown_again(tmp_path: Path) -> None:
    with before_and_after(tmp_path, RESULTS, to_the_result) as (line, again):
        shown = again.until("pause")
        assert 0 < shown["ms"] <= 600_000
        assert again.seq == line.seq
        assert not any(
            event["type"] == "hand_started" for event in again.events() if event not in line.events()
        )
        again.send(type="ready", id="read")
        dealt = again.until(
            "update", lambda message: any(e["type"] == "hand_started" for e in message["events"])
        )
        assert [event["type"] for event in dealt["events"]] == ["hand_started", "drew"]
        assert dealt["seq"] == line.seq + 2


@pytest.mark.slow
def test_the_clock_of_an_open_question_is_told_at_once(tmp_path: Path) -> None:
    with before_and_after(tmp_path, CLAIMS, lambda line: line.until("sync")) as (line, again):
        question = again.next()
        assert question["seq"] == line.seq
        if question["own"] is not None and question["own"]["ask"] is not None:
            assert question["own"]["left_ms"] > 0
        assert question["clock"]["turn_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_the_last_step_begins_with_an_action_on_turn(seed: int) -> None:
    """At every point of a game, the earlier game and the moves together are the game."""
    whole = played("standard", seed=seed)
    for stop in range(0, len(whole.moves), 7):
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


def test_a_watcher_is_told_nothing_twice() -> None:
    trail = SpectatorDelay(0)
    for seq in (5, 7, 6, 7, 8):
        trail.add(1.0, seq)
    seen = []
    while trail.due is not None:
        trail.move_on(1.0)
        seen.append(trail.seen)
    assert seen == [8]
    trail.add(2.0, 7)
    assert not trail.move_on(3.0)
    assert trail.seen == 8


# The parlour opens before anything is compiled, and games continue when the compiled code takes over


@pytest.mark.slow
def test_a_game_continues_when_the_compiled_code_takes_over(tmp_path: Path) -> None:
    """Begun with the stand-in, continued with the server that follows it on the same socket."""
    settings, begun = quick(tmp_path), threading.Event()
    with listen("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with standing_in(settings, listening, begun.set):
            assert begun.is_set()
            person = Person(url, "Mina")
            table = person.table(bots=3)
            person.post(f"/api/tables/{table['id']}/start")
            line = person.socket(table["id"])
            for _ in range(3):
                own = line.asked()
                assert own is not None
                assert line.act(simplest(own))["type"] == "ack"
            last = line.seq
        line.close()
        ready = threading.Event()
        following = server(settings, listening, ready.set)
        thread = threading.Thread(target=following.run, daemon=True)
        thread.start()
        try:
            assert ready.wait(WAIT_S)
            again = person.socket(table["id"], game=1, last=last)
            own = again.asked()
            assert own is not None
            assert again.seq >= last
            assert again.act(simplest(own))["type"] == "ack"
            again.close()
            person.close()
        finally:
            following.should_exit = True
            thread.join(WAIT_S)


@pytest.mark.slow
def test_the_stand_in_ends_with_its_parent_process(tmp_path: Path) -> None:
    """When the parent is killed, no process keeps the port."""
    code = (
        "import sys, time;from pathlib import Path;from server.parlour import quick;"
        "from jantaku.server.run import listen;from jantaku.server.run import standing_in\n"
        "if __name__ == '__main__':\n"
        "  settings = quick(Path(sys.argv[1]))\n"
        "  with listen('127.0.0.1', 0) as found, standing_in(settings, found, lambda: None):\n"
        "    print(found.getsockname()[1], flush=True)\n"
        "    time.sleep(60)\n"
    )
    program = tmp_path / "begins.py"
    program.write_text(code)
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
    pause = threading.Event()
    for _ in range(200):
        try:
            listen("127.0.0.1", port).close()
            break
        except RequestError:
            pause.wait(0.05)
    else:
        pytest.fail("somebody still listens")


def test_a_port_in_use_is_reported() -> None:
    """And what to do about it."""
    with listen("127.0.0.1", 0) as first, pytest.raises(RequestError) as refused:
        listen("127.0.0.1", first.getsockname()[1])
    assert refused.value.code == "port_in_use"
    with pytest.raises(RequestError) as refused:
        listen("203.0.113.1", 0)
    assert refused.value.code == "cannot_listen"


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
    """The public address, the requested one, or the network address instead of ``localhost``."""
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "server": ("127.0.0.1", 8000),
        "query_string": b"",
        "headers": [(b"host", host.encode())],
    }
    invite = invite_to(Request(scope), Settings(public_url=public, nearby_url=nearby), "/t/x")
    assert (invite.url, invite.only_here) == (f"{base}/t/x", here)


# A server that stands by takes the place of one that ends, however it ends, and loses no game


def moved(person: Person, url: str) -> Person:
    """The same browser, which comes by another address."""
    player = Person(url)
    for name, value in person.http.cookies.items():
        player.http.cookies.set(name, value)
    return player


@pytest.mark.parametrize(("kind", "ends"), [("postgres", signal.SIGKILL), ("sqlite", signal.SIGTERM)])
@pytest.mark.slow
def test_a_game_goes_on_at_the_server_that_stood_by(
    tmp_path: Path, request: pytest.FixtureRequest, kind: str, ends: signal.Signals
) -> None:
    options = []
    if kind == "postgres":
        options = [f"database_url={request.getfixturevalue('cluster').new_database('standing_by')}"]
    port = free_port()
    first = Process(tmp_path, free_port(), *options)
    first.wait()
    second = Process(tmp_path, port, "standby=1", *options)
    try:
        while not taken(port):
            time.sleep(0.05)
        with closing(Person(first.url, "Mina")) as mina:
            table = mina.table(bots=3, sit=True)["id"]
            line = mina.socket(table)
            mina.post(f"/api/tables/{table}/start")
            for _ in range(5):
                asked = line.asked()
                assert asked is not None
                line.act(simplest(asked))
            seq = line.seq
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{second.url}/api/health")
            first.process.send_signal(ends)
            began = time.monotonic()
            second.wait()
            took = time.monotonic() - began
            with closing(moved(mina, second.url)) as again:
                line = again.socket(table, game=1, last=seq)
                asked = line.asked()
                assert asked is not None
                assert line.act(simplest(asked))["type"] == "ack"
                assert line.seq > seq
        assert took < 20  # less than 5 where no other work keeps the processors busy
    finally:
        first.kill()
        second.kill()


# One server per database, whose files only their owner can read


def settings_of(folder: Path, cluster: Cluster | None) -> Settings:
    return quick(folder, database_url=cluster.url if cluster else "")


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    kind = request.param == "postgres"
    return settings_of(tmp_path, request.getfixturevalue("cluster") if kind else None)


async def begin_server_exclusive(services: Services) -> None:
    await services.store.claim()
    await services.store.open()
    await services.lease.join()


@pytest.mark.slow
async def test_a_second_server_is_refused(settings: Settings) -> None:
    first, second = Services(settings), Services(settings)
    await begin_server_exclusive(first)
    with pytest.raises(RequestError) as refused:
        await begin_server_exclusive(second)
    assert refused.value.code == "already_running"
    for language in terms.LANGUAGES:
        assert second.store.where in refused.value.message(language)
    await first.lease.leave()
    await first.store.close()
    await begin_server_exclusive(second)
    await second.lease.leave()
    await second.store.close()


async def test_a_server_that_knows_no_leases_is_noticed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One from before would write to tables that others have."""
    monkeypatch.setattr("jantaku.server.storage.store.APART_S", 0.01)
    other, store = (Store(settings_of(tmp_path, cluster)) for _ in range(2))
    async with other.engine.connect() as connection:
        await connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": RESHAPING})
        with pytest.raises(RequestError) as refused:
            await store.open()
    assert refused.value.code == "already_running"
    for database in (other, store):
        await database.close()


@of_one_process
@pytest.mark.slow
def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    process.wait()
    command = [
        sys.executable,
        "-m",
        "jantaku",
        "--lang",
        "en",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path),
    ]
    environment = os.environ | {"PYTHONPATH": IMPORTS}
    second = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert second.returncode != 0
    assert "another server" in second.stderr
    assert "Traceback" not in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1
    copy = tmp_path / "copy.sqlite3"
    backup(quick(tmp_path), copy)
    assert copy.stat().st_size > 0
    process.kill()
    with open_server(quick(tmp_path)) as url:
        assert httpx.get(f"{url}/api/health").status_code == 200


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@of_one_process
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.slow
def test_data_files_are_readable_by_their_owner_only(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "data"
    if there:  # with wider modes, as an older version made them
        with open_server(quick(folder)):
            pass
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)
    before = os.umask(0)
    try:
        with open_server(quick(folder)) as url, closing(Person(url, "Mina")):
            files = {file.name: mode(file) for file in folder.iterdir()}
            copy = tmp_path / "copy.sqlite3"
            backup(quick(folder), copy)
    finally:
        os.umask(before)
    assert mode(folder) == 0o700
    assert {DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm"} <= set(files)
    assert set(files.values()) == {0o600}
    assert mode(copy) == 0o600


def test_a_shared_folder_keeps_its_mode(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with open_server(quick(shared)):
        assert mode(shared / DATABASE_FILE) == 0o600
    assert mode(shared) == 0o1777
