"""A killed server resumes its games; it confirms nothing that it has not stored."""

import json
import random
import resource
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.native import game_file as record
from server.parlour import WAIT_S, Line, Message, Person, Process, free_port, open_server, quick, simplest
from server.postgres_cluster import Cluster

pytestmark = pytest.mark.skipif(not COMPILED, reason="servers of their own take long uncompiled")


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
def test_a_killed_server_resumes_its_games(tmp_path: Path) -> None:
    crash(tmp_path, tables=5, kills=2)


@pytest.mark.long
def test_fifty_tables_survive_being_killed(tmp_path: Path) -> None:
    crash(tmp_path, tables=50, kills=3)


@pytest.mark.slow
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
def test_a_lost_database_confirms_nothing_and_recovers(cluster: Cluster, tmp_path: Path) -> None:
    with open_server(quick(tmp_path, database_url=cluster.url)) as url:
        lose(url, cluster.stop, cluster.start)
