"""The leader is killed while people wait in its queue: they stay in the queue and play exactly once."""

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
SOON_S: Final = 60.0  # usually a few seconds, but more on a busy machine
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED, reason="starting a game is slow without compiled code"),
]


@pytest.fixture
def hour() -> datetime:
    """Return a full minute, late enough to start a site and register everyone before it."""
    return (datetime.now() + timedelta(seconds=130)).replace(second=0, microsecond=0)


@pytest.fixture
def four(tmp_path: Path, cluster: Cluster, hour: datetime) -> Iterator[tuple[Site, list[Person]]]:
    """Four members of a site, connected through both gateways."""
    site = Site(tmp_path, cluster, f"killed{time.time_ns()}", f"daily={hour:%H:%M}")
    try:
        site.begin(gateways=2, owners=2)
        yield site, [Person(site.gateways[i % 2].url, NAMES[i], PASSWORD) for i in range(4)]
    finally:
        site.close()


def page_of(person: Person) -> Message | None:
    """Return the page for ranked play, or ``None`` while there is no leader."""
    answer = person.send("GET", "/api/ranked")
    assert code_of(answer) in ("", "table_moved", "links_lost")
    return dict(answer.json()) if answer.is_success else None


def play_on(people: list[Person], seconds: float = SOON_S) -> set[str]:
    """Poll and confirm for all people until each has a table; return the tables."""
    ends, tables = time.monotonic() + seconds, dict[str, str]()
    while len(tables) < len(people):
        assert time.monotonic() < ends, tables
        for person in people:
            page = page_of(person)
            if page is None:
                continue
            assert page["mine"] or page["table"], "a player was dropped from the queue"
            if page["table"]:
                tables[person.id] = page["table"]
            elif page["mine"]["called"]:
                person.send("POST", "/api/ranked/here")
        time.sleep(0.2)
    return set(tables.values())


def seats_of(person: Person) -> list[str]:
    """Return the tables where a person has a seat."""
    return [str(one["id"]) for one in person.get("/api/tables")["mine"]]


@pytest.mark.parametrize("moment", ["waiting", "called", "coming"])
def test_queued_players_play_once_after_the_leader_is_killed(
    four: tuple[Site, list[Person]], moment: str
) -> None:
    site, people = four
    for person in people[: 3 if moment == "waiting" else 4]:
        person.put("/api/ranked", lines=[EAST])
    time.sleep(2.5)  # by then the successor has polled the queue
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
def test_daily_table_players_play_once_after_the_leader_is_killed(
    four: tuple[Site, list[Person]], hour: datetime, before_s: float
) -> None:
    """The leader is killed shortly before the starting time or just after the players are called."""
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
    """An unfinished seating leaves no draft, and an unconfirmed deletion deletes nothing."""
    site = Site(tmp_path, cluster, f"asked{time.time_ns()}")
    try:
        site.begin(gateways=1, owners=2)
        cup = Club(site.gateways[0].url, 42)
        leaver = cup.players[0]
        confirmation = {
            "password": PASSWORD,
            "confirm": leaver.post("/api/me/erase", password=PASSWORD)["confirm"],
        }
        assert cup.run("seating", rounds=14)["work"]["state"] == "working"
        site.owners[0].kill()
        until(lambda: cup.organiser.send("GET", cup.rounds).is_success)
        rounds = cup.view_rounds()
        assert (rounds["work"], rounds["rounds"]) == (None, [])
        assert len(cup.seat()["rounds"]) == 1
        leaver.refused("not_confirmed", "/api/me/erase", **confirmation)
        assert leaver.get("/api/me")["person"]["id"] == leaver.id
        confirmation["confirm"] = leaver.post("/api/me/erase", password=PASSWORD)["confirm"]
        assert leaver.post("/api/me/erase", **confirmation)["done"]
    finally:
        site.close()
