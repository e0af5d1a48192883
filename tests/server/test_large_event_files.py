"""An event with as many games as an event may have moves by its file; larger files are refused early."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from jantaku.rules import load
from jantaku.server.limits import Limits
from server.clubs import member
from server.parlour import Person
from support.club_games import random_event

MB: Final = 1_000_000
JSON: Final = {"content-type": "application/json"}
STALL_S: Final = 10.0  # of others while a file is read and stored, also on a machine that is busy


@pytest.fixture
def mina(url: str) -> Person:
    return member(url, "Mina")


def large_file(size: int) -> dict[str, Any]:
    """An event file of at least so many bytes: the hands of a few games again and again."""
    event = random_event(Random(1), load("standard"), 12, 24)
    of_one = len(json.dumps(event["games"])) // len(event["games"])
    games = [
        {**event["games"][i % 24], "id": f"game-{i}", "stage": "league"} for i in range(size // of_one + 100)
    ]
    stages = [{"id": "league", "kind": "open"}]
    return event | {"name": {"en": "Ten years"}, "stages": stages, "games": games, "penalties": []}


@pytest.mark.slow
def test_an_event_of_more_than_ten_megabytes_moves_by_its_file(mina: Person) -> None:
    file = large_file(10 * MB)
    assert len(json.dumps(file)) > 10 * MB
    waits, done = list[float](), threading.Event()

    def look_meanwhile() -> None:
        other = Person(mina.url)
        while not done.wait(0.05):
            began = time.monotonic()
            other.get("/api/events")
            waits.append(time.monotonic() - began)

    others = threading.Thread(target=look_meanwhile)
    others.start()
    try:
        answer = mina.http.post("/api/events/import", json={"file": file}, timeout=300)
    finally:
        done.set()
        others.join()
    answer.raise_for_status()
    path = f"/api/events/{answer.json()['id']}"
    assert max(waits) < STALL_S
    out = mina.http.get(f"{path}/file", timeout=300).json()
    told = [
        [(game["id"], game.get("hands"), game.get("scores")) for game in one["games"]] for one in (out, file)
    ]
    assert told[0] == told[1]


def parts(size: int, part: bytes) -> Iterator[bytes]:
    yield b'{"file":'
    for _ in range(size // len(part)):
        yield part


def test_a_file_that_says_it_is_above_the_limit_is_refused_before_it_is_sent(mina: Person) -> None:
    address = urlsplit(mina.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=60)) as connection:
        connection.putrequest("POST", "/api/events/import")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", str(Limits().file_bytes + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413


@pytest.mark.slow
def test_a_file_that_does_not_say_how_long_it_is_ends_at_the_limit(mina: Person) -> None:
    content = parts(Limits().file_bytes + 3 * MB, b" " * MB)
    with suppress(httpx.NetworkError):  # the server may hang up before everything is sent
        answer = mina.http.post("/api/events/import", content=content, headers=JSON, timeout=120)
        assert answer.status_code == 413
    assert mina.get("/api/events")["mine"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [b"[" * MB, b'{"a":' * 200_000, b"[0,1]," * 150_000], ids=["deep", "names", "wide"]
)
def test_a_hostile_file_below_the_limit_costs_bounded_time(mina: Person, part: bytes) -> None:
    answer = mina.http.post(
        "/api/events/import",
        content=parts(16 * MB, part),
        headers=JSON,
        timeout=120,
    )
    assert 400 <= answer.status_code < 500
    assert mina.get("/api/events")["mine"] == []
