"""Double clicks and lost answers: what adds something each time is done once."""

import threading

import pytest

from jantaku.server.edge.repeated_requests import WINDOW_S, RepeatedRequests
from jantaku.server.errors import ServerError
from server.clubs import Gathering, refused
from server.parlour import together

PENALTY = {"stage": "league", "points": -1000, "why": "late"}
ONCE = {"once": "1"}
PEOPLE = {"entries": [{"name": "Somebody"}]}


def test_the_same_request_counts_once_for_a_while() -> None:
    now = [100.0]
    twice = RepeatedRequests(lambda: now[0])
    with (
        twice.once("p", "/a", b"{}"),
        pytest.raises(ServerError, match="just done"),
        twice.once("p", "/a", b"{}"),
    ):
        pass
    for other in (("q", "/a", b"{}"), ("p", "/b", b"{}"), ("p", "/a", b"")):
        with twice.once(*other):
            pass
    now[0] += WINDOW_S
    with twice.once("p", "/a", b"{}"):
        pass


def test_a_request_that_failed_may_come_again_at_once() -> None:
    twice = RepeatedRequests(lambda: 0.0)
    with pytest.raises(ValueError, match="no"), twice.once("p", "/a", b""):
        raise ValueError("no")
    with twice.once("p", "/a", b""):
        pass


@pytest.mark.parametrize("what", ["penalties", "entries/list"])
def test_two_clicks_add_one(gathering: Gathering, what: str) -> None:
    path, body = (
        f"{gathering.path}/{what}",
        PEOPLE if what == "entries/list" else dict(PENALTY, entry=gathering.entries[0]),
    )
    codes: list[int] = []

    def click() -> None:
        codes.append(gathering.organiser.http.post(path, json=body, headers=ONCE).status_code)

    together([threading.Thread(target=click) for _ in range(4)])
    assert sorted(codes) == [200, 409, 409, 409]
    listed = gathering.organiser.get(f"{gathering.path}/{what.removesuffix('/list')}")
    assert len(listed["penalties"] if what == "penalties" else listed["entries"]) == (
        1 if what == "penalties" else 5
    )
    gathering.organiser.http.headers.update(ONCE)
    assert refused(gathering.organiser, "POST", path, **body) == (409, "just_done")
    wrong = {"entries": [{"name": ""}]} if what == "entries/list" else {**body, "entry": "nobody"}
    first = refused(gathering.organiser, "POST", path, **wrong)
    assert first == refused(gathering.organiser, "POST", path, **wrong) != (409, "just_done")


@pytest.mark.parametrize("what", ["penalties", "entries/list"])
def test_a_retry_without_a_header_adds_nothing_and_a_script_may_mean_it(
    gathering: Gathering, what: str
) -> None:
    path = f"{gathering.path}/{what}"
    body = PEOPLE if what == "entries/list" else dict(PENALTY, entry=gathering.entries[0])
    gathering.organiser.post(path, **body)
    assert refused(gathering.organiser, "POST", path, **body) == (409, "just_done")
    gathering.organiser.http.headers.update({"once": "0"})
    answer = gathering.organiser.post(path, **body)
    assert len(answer["penalties"] if what == "penalties" else answer["entries"]) == (
        2 if what == "penalties" else 6
    )
