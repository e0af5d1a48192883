"""What is tried against the queue of ranked play at a real server: two accounts, many tabs, haste."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jantaku.server.people.asking import BROWSER
from server.parlour import LOOSE, Person, open_server, quick
from server.test_ranked import EAST, called, five, member, until, wait

__all__ = ["five"]  # the fixture
Asks = tuple[tuple[str, str, Any], ...]


@pytest.mark.slow
def test_two_accounts_of_one_browser_are_not_called_together(five: list[Person]) -> None:
    """Signed in twice with one browser's mark, one waits until there is somebody else."""
    for person in five[:2]:
        person.http.cookies.delete(BROWSER)
        person.http.cookies.set(BROWSER, "one and the same")
    for person in five[:4]:
        wait(person)
    time.sleep(2.5)  # two rounds of the queue
    assert not any(called(somebody.get("/api/ranked")) for somebody in five[:4])
    wait(five[4])
    until(five[4], called)
    assert [bool(called(somebody.get("/api/ranked"))) for somebody in five[:2]].count(True) == 1


@pytest.mark.slow
def test_tabs_that_wait_and_come_all_at_once_give_one_seat(five: list[Person]) -> None:
    ends = time.monotonic() + 6

    def tab(number: int) -> set[str]:
        person, chance, met = five[number % 5], random.Random(number), set[str]()
        asks: Asks = (("PUT", "", {"lines": [EAST]}), ("POST", "/here", {}), ("GET", "", None))
        while time.monotonic() < ends:
            method, path, body = chance.choice(asks)
            answer = person.http.request(method, f"/api/ranked{path}", json=body)
            assert answer.status_code < 500, answer.text
            page = answer.json()
            met |= {page["table"]} if page.get("table") else set()
        return met

    with ThreadPoolExecutor(15) as pool:
        seats = list(pool.map(tab, range(15)))
    tables = [set[str]().union(*seats[number::5]) for number in range(5)]
    assert sorted(map(len, tables)) == [0, 1, 1, 1, 1]
    assert len(set[str]().union(*tables)) == 1


def test_who_goes_on_waiting_from_elsewhere_takes_a_place_there_and_none_where_they_were(
    tmp_path: Path,
) -> None:
    """Going to and fro fills no place of an address for good, and passes its limit neither."""
    limits = replace(LOOSE, waiting_of_address=2)
    settings = quick(tmp_path, limits=limits, public_url="http://parlour.test")
    with open_server(settings) as url, ExitStack() as stack:
        people = [stack.enter_context(closing(member(url, f"M{number}"))) for number in range(5)]

        def waits(number: int, address: str) -> bool:
            headers = {"x-forwarded-for": address}
            http = people[number].http
            return http.put("/api/ranked", json={"lines": [EAST]}, headers=headers).is_success

        def leaves(number: int, address: str) -> None:
            http = people[number].http
            http.delete("/api/ranked", headers={"x-forwarded-for": address}).raise_for_status()

        club, home = "203.0.113.1", "198.51.100.1"
        for _ in range(3):
            assert waits(0, club)
            assert waits(0, home)
            leaves(0, home)
        assert [waits(number, club) for number in (1, 2, 3)] == [True, True, False]
        assert waits(0, home)
        assert waits(3, home)
        assert not waits(1, home)  # there is no place for one more, who keeps their own
        assert people[1].get("/api/ranked")["mine"] is not None
        assert [waits(number, club) for number in (1, 4)] == [True, False]
