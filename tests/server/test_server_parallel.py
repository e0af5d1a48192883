"""Limits hold for requests that come at the same time."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku.server.limits import Limits
from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process

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
        for person in people:
            person.close()


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
