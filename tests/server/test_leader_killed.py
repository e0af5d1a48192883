"""The leader is killed while people wait with it: they wait on, play once, and are told so."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from jantaku.kernels._jit import COMPILED
from server.clubs import Club
from server.parlour import PASSWORD, Message, Person, code_of, until
from server.postgres_cluster import Cluster
from server.sites import Site

EAST: Final = {"family": "standard", "length": "east", "players": 4}
NAMES: Final = ("Mina", "Jun", "Kaito", "Seo")
SOON_S: Final = 60.0  # people are told within seconds; a busy machine takes more
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="a game is begun")]


@pytest.fixture
def hour() -> datetime:
    """A full minute that is far enough away for a site to start on a busy machine, and for all to sign up."""
    return (datetime.now() + timedelta(seconds=130)).replace(second=0, microsecond=0)


@pytest.fixture
def four(tmp_path: Path, cluster: Cluster, hour: datetime) -> Iterator[tuple[Site, list[Person]]]:
    """Four members of a site, who come by both gateways."""
    site = Site(tmp_path, cluster, f"killed{time.time_ns()}", f"daily={hour:%H:%M}")
    try:
        site.begin(gateways=2, owners=2)
        yield site, [Person(site.gateways[i % 2].url, NAMES[i], PASSWORD) for i in range(4)]
    finally:
        site.close()


def page_of(person: Person) -> Message | None:
    """What the page shows; none while the leader is missing, which says to try again."""
    answer = person.send("GET", "/api/ranked")
    assert code_of(answer) in ("", "table_moved", "links_lost")
    return dict(answer.json()) if answer.is_success else None


def play_on(people: list[Person], seconds: float = SOON_S) -> set[str]:
    """Everybody looks as their pages do and comes when called, until all have a table; these tables."""
    ends, tables = time.monotonic() + seconds, dict[str, str]()
    while len(tables) < len(people):
        assert time.monotonic() < ends, tables
        for person in people:
            page = page_of(person)
            if page is None:
                continue
            assert page["mine"] or page["table"], "nobody is forgotten"
            if page["table"]:
                tables[person.id] = page["table"]
            elif page["mine"]["called"]:
                person.send("POST", "/api/ranked/here")
        time.sleep(0.2)
    return set(tables.values())


def seats_of(person: Person) -> list[str]:
    """The tables where somebody sits."""
    return [str(one["id"]) for one in person.get("/api/tables")["mine"]]


@pytest.mark.parametrize("moment", ["waiting", "called", "coming"])
def test_who_waits_in_the_queue_plays_once(four: tuple[Site, list[Person]], moment: str) -> None:
    site, people = four
    for person in people[: 3 if moment == "waiting" else 4]:
        person.put("/api/ranked", lines=[EAST])
    time.sleep(2.5)  # until the next leader has asked for it
    if moment == "coming":
        for person in people[:3]:
            person.send("POST", "/api/ranked/here")
    site.owners[0].kill()
    if moment == "waiting":
        while page_of(people[3]) is None:
            time.sleep(0.1)
        people[3].put("/api/ranked", lines=[EAST])
    (table,) = play_on(people)
    time.sleep(2)
    assert [seats_of(person) for person in people] == [[table]] * 4


@pytest.mark.parametrize("before_s", [2.0, -1.0])
def test_who_waits_for_the_daily_table_plays_once(
    four: tuple[Site, list[Person]], hour: datetime, before_s: float
) -> None:
    """Killed shortly before the hour, so that nobody looks at it then, and after the call."""
    site, people = four
    for person in people:
        person.put("/api/ranked", lines=[EAST], daily=True)
    while (hour - datetime.now()).total_seconds() > before_s:
        assert all(page_of(person) for person in people)
        time.sleep(0.5)
    site.owners[0].kill()
    (table,) = play_on(people, SOON_S + max(0.0, before_s))
    assert [seats_of(person) for person in people] == [[table]] * 4


def test_work_of_a_killed_leader_is_lost_and_can_be_requested_again(tmp_path: Path, cluster: Cluster) -> None:
    """A seating that is worked out leaves no draft, and an unconfirmed deletion deletes nothing."""
    site = Site(tmp_path, cluster, f"asked{time.time_ns()}")
    try:
        site.begin(gateways=1, owners=2)
        cup = Club(site.gateways[0].url, 42)
        leaver = cup.players[0]
        said = {"password": PASSWORD, "confirm": leaver.post("/api/me/erase", password=PASSWORD)["confirm"]}
        assert cup.run("seating", rounds=14)["work"]["state"] == "working"
        site.owners[0].kill()
        until(lambda: cup.organiser.send("GET", cup.rounds).is_success)
        rounds = cup.view_rounds()
        assert (rounds["work"], rounds["rounds"]) == (None, [])
        assert len(cup.seat()["rounds"]) == 1
        leaver.refused("not_confirmed", "/api/me/erase", **said)
        assert leaver.get("/api/me")["person"]["id"] == leaver.id
        said["confirm"] = leaver.post("/api/me/erase", password=PASSWORD)["confirm"]
        assert leaver.post("/api/me/erase", **said)["done"]
    finally:
        site.close()
