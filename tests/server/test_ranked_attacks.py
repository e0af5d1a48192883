"""What is tried against the queue of ranked play at a real server: two accounts, many tabs, haste."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from jantaku.server.people.asking import BROWSER
from server.parlour import Person
from server.test_ranked import EAST, called, five, until, wait

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
