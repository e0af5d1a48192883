"""The results of a round on one sheet: each table for itself, and a reason only for what was there."""

from typing import Any

import pytest

from server.clubs import RON, Tournament, refused, standings_of
from server.parlour import Message

pytestmark = pytest.mark.slow

SCORES = [40000, 30000, 20000, 10000]


def one(table: int, *scores: int, **more: Any) -> Message:
    return {"table": table, "scores": list(scores or SCORES)} | more


def published(cup: Tournament) -> Message:
    cup.make(how="plan", rounds=2)
    return cup.post("publish")


def enter(cup: Tournament, *results: Message, number: int = 1, **more: Any) -> dict[int, str]:
    """Enter results as the referee; returns the tables that were refused with their codes."""
    answer = cup.referee.post(f"{cup.rounds}/{number}/results", results=list(results), **more)
    assert not any("scores" in row["problem"]["message"] for row in answer["refused"])  # said for people
    return {row["table"]: row["problem"]["code"] for row in answer["refused"]}


def games(cup: Tournament, number: int = 1) -> dict[str, Message]:
    listed = cup.referee.get(f"{cup.path}/games", stage="main", round=number)["games"]
    assert {row["round"] for row in listed} <= {number}
    for row in listed:
        shown = cup.referee.get(f"{cup.path}/games/{row['id']}")
        assert (shown["round"], shown["game_number"]) == (number, row["number"])
    return {row["label"]: row for row in listed}


def test_a_sheet_of_results_ends_the_games_of_all_tables(sixteen: Tournament) -> None:
    published(sixteen)
    assert enter(sixteen, *(one(table) for table in (1, 2, 3, 4))) == {}
    assert [row["state"] for row in sixteen.organiser.get(sixteen.rounds)["rounds"]] == ["done", "published"]
    assert {row["status"] for row in games(sixteen).values()} == {"confirmed"}
    assert sum(standings_of(sixteen).values()) == 0
    assert games(sixteen, 2) == {}


def test_what_is_wrong_keeps_no_other_table_back(sixteen: Tournament) -> None:
    published(sixteen)
    answer = enter(
        sixteen,
        one(1),
        one(2, 40000, 30000, 20000, 10100),
        one(3, 40000, 30000, 20000, 9000),  # a stick lies on the table: it goes to first place
        one(3),
        one(9),
    )
    assert answer == {2: "points_sum", 3: "table_twice", 9: "no_round_table"}
    left = games(sixteen)
    assert (left["2"]["status"], left["1"]["scores"]) == ("playing", SCORES)
    assert left["3"]["scores"] == [41000, 30000, 20000, 9000]


def test_only_what_replaces_something_needs_a_reason(sixteen: Tournament) -> None:
    published(sixteen)
    assert enter(sixteen, one(1)) == {}
    assert enter(sixteen, one(1)) == {}  # the same again changes nothing
    other = one(1, 10000, 20000, 30000, 40000)
    assert enter(sixteen, other) == {1: "game_moved_on"}  # another referee's points, perhaps
    seen = games(sixteen)["1"]["revision"]
    assert enter(sixteen, other | {"revision": seen}) == {1: "why_needed"}
    assert enter(sixteen, other | {"revision": seen - 1}, why="typed upside down") == {1: "game_moved_on"}
    assert enter(sixteen, other | {"revision": seen}, why="typed upside down") == {}
    sixteen.organiser.post(f"{sixteen.rounds}/1/tables/2/start")
    game = games(sixteen)["2"]["id"]
    hand = {"id": "hand-of-2", "follows": "", "hand": RON}
    sixteen.recorder.post(f"{sixteen.path}/games/{game}/hands", **hand)
    assert enter(sixteen, one(2)) == {2: "why_needed"}  # hands were recorded there
    assert enter(sixteen, one(2), why="from the paper sheet") == {}


@pytest.mark.parametrize("body", [
    {"results": []},
    {"results": [one(1, *([25000] * 9))]},
    {"results": [{"table": 1, "scores": ["=1+1"] * 4}]},
    {"results": [one(1, 10**9, 0, 0, 0)]},
    {"results": [one(1)] * 10_000},
])  # fmt: skip
def test_junk_is_refused_whole(sixteen: Tournament, body: Message) -> None:
    published(sixteen)
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/results", **body)[0] in (400, 413, 422)
    assert games(sixteen) == {}


def test_a_draft_takes_no_results(sixteen: Tournament) -> None:
    sixteen.make(how="plan", rounds=1)
    assert enter(sixteen, one(1)) == {1: "round_drafted"}
    answer = refused(sixteen.referee, "POST", f"{sixteen.rounds}/7/results", results=[one(1)])
    assert answer == (404, "no_round")
