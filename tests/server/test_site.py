"""A site of several processes, each of which can hold tables and connections and can be killed."""

import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import WebSocketException

from server.parlour import Line, Person, Process, close_code, seated, until
from server.postgres_cluster import Cluster
from server.sites import Site, owner_of, tables_at

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Site]:
    """Two gateways and two table processes."""
    site = Site(tmp_path_factory.mktemp("site"), cluster, "site")
    try:
        site.begin(gateways=2, owners=2)
        yield site
    finally:
        site.close()


def via(person: Person, gateway: Process) -> Person:
    """Return the same browser, connected through another gateway."""
    player = Person(gateway.url)
    player.http.cookies = person.http.cookies
    return player


def reconnect(person: Person, table: str, seq: int) -> Line:
    """Open a new socket as soon as the table can be reached."""
    while True:
        with suppress(WebSocketException, TimeoutError, OSError):
            return person.socket(table, game=1, last=seq)
        time.sleep(0.1)


def playing(person: Person) -> tuple[str, Line]:
    """Start a game against bots and play a few actions."""
    table, line = person.start(sit=True)
    for _ in range(5):
        assert line.move()["type"] == "ack"
    return table, line


def test_people_at_two_gateways_play_at_one_table(site: Site) -> None:
    four = [Person(site.gateways[seat % 2].url, f"P{seat}") for seat in range(4)]
    table, lines = seated(four)
    acted = 0
    while acted < 40:
        for line in lines:
            with suppress(TimeoutError):
                line.next(0.02)
            if line.own is not None and line.own["ask"] is not None:
                acted += line.move()["type"] == "ack"
    assert {event["type"] for line in lines for event in line.events()} >= {"drew", "discarded"}
    for person in four:
        assert person.get("/api/me")["person"]["table"] == table["id"]


def test_tables_are_distributed_over_processes_and_listed_together(site: Site) -> None:
    time.sleep(1.5)  # by then every process has reported the tables left over from other tests
    before = [tables_at(owner) for owner in site.owners]
    mina = Person(site.gateways[0].url, "Mina")
    there = via(mina, site.gateways[1])
    opened = [mina.table(name=f"T{number}")["id"] for number in range(6)]
    after = [tables_at(owner) for owner in site.owners]
    # A process that reads the counts before a new table is reported does not see that table
    assert abs(after[0] - after[1]) <= 2 < sum(after) - sum(before)
    listed = [row["id"] for row in there.get("/api/tables")["tables"]]
    assert listed[: len(opened)] == opened[::-1]
    there.refused("no_table", "GET /api/tables/aaaaaaaa")
    for table in opened:
        there.delete(f"/api/tables/{table}")
    assert not {row["id"] for row in mina.get("/api/tables")["tables"]} & {*opened}


def test_signing_out_at_one_gateway_closes_sockets_at_all(site: Site) -> None:
    mina = Person(site.gateways[0].url, "Mina")
    line = mina.socket(mina.table(sit=True)["id"])
    via(mina, site.gateways[1]).post("/api/logout")
    assert close_code(line.raw) == 4401


def test_joining_any_table_finds_a_player_waiting_at_another_gateway(site: Site) -> None:
    mina = Person(site.gateways[0].url, "Mina")
    jun = Person(site.gateways[1].url, "Jun")
    first = mina.post("/api/tables/anywhere", length="east")["id"]
    assert jun.post("/api/tables/anywhere", length="east")["id"] == first
    for person in (mina, jun):
        person.post(f"/api/tables/{first}/leave")


@pytest.fixture
def own_site(tmp_path: Path, cluster: Cluster) -> Iterator[Site]:
    """A site whose processes are started and stopped by the test."""
    site = Site(tmp_path, cluster, f"own{time.time_ns()}", "grace_s=1.0")
    try:
        yield site
    finally:
        site.close()


@pytest.mark.parametrize(("ends", "seconds"), [(signal.SIGTERM, 10), (signal.SIGKILL, 20)])
def test_a_game_continues_after_its_owner_ends(own_site: Site, ends: signal.Signals, seconds: float) -> None:
    own_site.begin(gateways=2, owners=2)
    mina = Person(own_site.gateways[0].url, "Mina")
    table, line = playing(mina)
    leaving = owner_of(own_site)
    leaving.process.send_signal(ends)
    began = time.monotonic()
    if ends == signal.SIGTERM:
        leaving.process.wait(30)  # the process has handed over its table
        assert [tables_at(owner) for owner in own_site.owners if owner is not leaving] == [1]
        assert close_code(line.raw) == 1012
    following = reconnect(via(mina, own_site.gateways[1]), table, line.seq)
    assert following.move()["type"] == "ack"
    assert leaving.process.wait(30) == -ends  # the process ends promptly
    assert time.monotonic() - began < seconds  # takes about 5 s on an idle machine
    assert following.events()[0] != line.events()[-1]


def test_a_new_process_receives_tables_from_the_others(own_site: Site) -> None:
    own_site.begin(gateways=1, owners=1)
    mina = Person(own_site.gateways[0].url, "Mina")
    table, line = playing(mina)
    for number in range(7):
        mina.table(name=f"T{number}")
    own_site.add("tables").wait()
    until(lambda: [tables_at(owner) for owner in own_site.owners] == [4, 4])
    assert reconnect(mina, table, line.seq).move()["type"] == "ack"


def test_no_event_is_missed_when_a_gateway_is_killed(site: Site) -> None:
    gateway = site.add("gateway")
    gateway.wait()
    site.wait_for_peers(gateway, 5)
    mina = Person(site.gateways[0].url, "Mina")
    table, first = playing(via(mina, gateway))
    gateway.kill()
    site.gateways.remove(gateway)
    line = reconnect(mina, table, first.seq)
    assert line.move()["type"] == "ack"
    whole = via(mina, site.gateways[1]).socket(table)
    whole.until("sync")
    assert line.seq <= whole.seq
    missed = next(message for message in line.seen if message["type"] in ("sync", "update"))
    assert missed["type"] == "update"
    assert missed["seq"] - len(missed["events"]) == first.seq


def test_tables_wait_without_nats_and_report_the_lost_link(own_site: Site) -> None:
    own_site.begin(gateways=1, owners=1)
    mina = Person(own_site.gateways[0].url, "Mina")
    table, line = playing(mina)
    own_site.nats.stop()
    assert line.until("error")["code"] == "links_lost"
    assert close_code(line.raw) == 1012
    mina.refused("links_lost", f"GET /api/tables/{table}")
    assert httpx.get(f"{own_site.gateways[0].url}/api/ready").status_code == 503
    time.sleep(3)
    own_site.nats.start()
    following = reconnect(mina, table, line.seq)
    following.until("update")
    shown = mina.get(f"/api/tables/{table}")
    assert [seat["away"] for seat in shown["seats"] if seat["person"]] == [False]
    assert following.move()["type"] == "ack"
