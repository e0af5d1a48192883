"""Several processes are one site: tables and people may be anywhere, and any process may be killed."""

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
    """Two gateways and two processes with tables."""
    site = Site(tmp_path_factory.mktemp("site"), cluster, "site")
    try:
        site.begin(gateways=2, owners=2)
        yield site
    finally:
        site.close()


def by(person: Person, gateway: Process) -> Person:
    """The same browser, which comes by another gateway."""
    player = Person(gateway.url)
    player.http.cookies = person.http.cookies
    return player


def again(person: Person, table: str, seq: int) -> Line:
    """A new socket as soon as the table can be reached."""
    while True:
        with suppress(WebSocketException, TimeoutError, OSError):
            return person.socket(table, game=1, last=seq)
        time.sleep(0.1)


def playing(person: Person) -> tuple[str, Line]:
    """A table where a person plays with bots, after some actions."""
    table, line = person.start(sit=True)
    for _ in range(5):
        assert line.move()["type"] == "ack"
    return table, line


def test_people_of_two_gateways_play_at_one_table(site: Site) -> None:
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


def test_tables_are_spread_and_listed_together(site: Site) -> None:
    time.sleep(1.5)  # by then every process has said how many tables of other tests it still has
    before = [tables_at(owner) for owner in site.owners]
    mina = Person(site.gateways[0].url, "Mina")
    there = by(mina, site.gateways[1])
    opened = [mina.table(name=f"T{number}")["id"] for number in range(6)]
    after = [tables_at(owner) for owner in site.owners]
    # A table just placed is missing from numbers that were read before its process said so
    assert abs(after[0] - after[1]) <= 2 < sum(after) - sum(before)
    listed = [row["id"] for row in there.get("/api/tables")["tables"]]
    assert listed[: len(opened)] == opened[::-1]
    there.refused("no_table", "GET /api/tables/aaaaaaaa")
    for table in opened:
        there.delete(f"/api/tables/{table}")
    assert not {row["id"] for row in mina.get("/api/tables")["tables"]} & {*opened}


def test_who_signs_out_at_one_gateway_leaves_the_tables_of_all(site: Site) -> None:
    mina = Person(site.gateways[0].url, "Mina")
    line = mina.socket(mina.table(sit=True)["id"])
    by(mina, site.gateways[1]).post("/api/logout")
    assert close_code(line.raw) == 4401


def test_a_person_sits_down_anywhere_where_somebody_waits(site: Site) -> None:
    mina = Person(site.gateways[0].url, "Mina")
    jun = Person(site.gateways[1].url, "Jun")
    first = mina.post("/api/tables/anywhere", length="east")["id"]
    assert jun.post("/api/tables/anywhere", length="east")["id"] == first
    for person in (mina, jun):
        person.post(f"/api/tables/{first}/leave")


@pytest.fixture
def own_site(tmp_path: Path, cluster: Cluster) -> Iterator[Site]:
    """A site whose processes a test adds and ends."""
    site = Site(tmp_path, cluster, f"own{time.time_ns()}", "grace_s=1.0")
    try:
        yield site
    finally:
        site.close()


@pytest.mark.parametrize(("ends", "seconds"), [(signal.SIGTERM, 10), (signal.SIGKILL, 20)])
def test_a_game_goes_on_when_its_owner_ends(own_site: Site, ends: signal.Signals, seconds: float) -> None:
    own_site.begin(gateways=2, owners=2)
    mina = Person(own_site.gateways[0].url, "Mina")
    table, line = playing(mina)
    leaving = owner_of(own_site)
    leaving.process.send_signal(ends)
    began = time.monotonic()
    if ends == signal.SIGTERM:
        leaving.process.wait(30)  # it has given its table away before
        assert [tables_at(owner) for owner in own_site.owners if owner is not leaving] == [1]
        assert close_code(line.raw) == 1012
    following = again(by(mina, own_site.gateways[1]), table, line.seq)
    assert following.move()["type"] == "ack"
    assert leaving.process.wait(30) == -ends  # it ends by itself, and soon
    assert time.monotonic() - began < seconds  # 5 where no other work keeps the processors busy
    assert following.events()[0] != line.events()[-1]


def test_a_process_that_comes_gets_tables_of_the_others(own_site: Site) -> None:
    own_site.begin(gateways=1, owners=1)
    mina = Person(own_site.gateways[0].url, "Mina")
    table, line = playing(mina)
    for number in range(7):
        mina.table(name=f"T{number}")
    own_site.add("tables").wait()
    until(lambda: [tables_at(owner) for owner in own_site.owners] == [4, 4])
    assert again(mina, table, line.seq).move()["type"] == "ack"


def test_a_gateway_is_killed_and_nothing_is_missed(site: Site) -> None:
    gateway = site.add("gateway")
    gateway.wait()
    site.knows(gateway, 5)
    mina = Person(site.gateways[0].url, "Mina")
    table, first = playing(by(mina, gateway))
    gateway.kill()
    site.gateways.remove(gateway)
    line = again(mina, table, first.seq)
    assert line.move()["type"] == "ack"
    whole = by(mina, site.gateways[1]).socket(table)
    whole.until("sync")
    assert line.seq <= whole.seq
    missed = next(message for message in line.seen if message["type"] in ("sync", "update"))
    assert missed["type"] == "update"
    assert missed["seq"] - len(missed["events"]) == first.seq


def test_without_nats_tables_wait_and_say_so(own_site: Site) -> None:
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
    following = again(mina, table, line.seq)
    following.until("update")
    shown = mina.get(f"/api/tables/{table}")
    assert [seat["away"] for seat in shown["seats"] if seat["person"]] == [False]
    assert following.move()["type"] == "ack"
