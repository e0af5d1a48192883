"""Events under rules for three: what is sent for another number of seats is refused, and says so."""

from typing import Any

import pytest

from server.clubs import Gathering, Table, Tournament, refused

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scores", [[40000, 40000, 25000, 0], [40000, 65000]])
def test_points_for_another_number_of_seats_say_how_many_are_wanted(url: str, scores: list[int]) -> None:
    gathering = Gathering(url, rules="standard-3")
    table = Table(gathering, f"three-{len(scores)}", players=gathering.entries[:3])
    sent: dict[str, Any] = {"scores": scores, "why": "paper"}
    assert refused(gathering.referee, "POST", f"{table.path}/points", **sent) == (400, "wrong_count")
    gathering.close()


def test_a_game_is_started_by_as_many_as_the_rules_have(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    start: dict[str, Any] = {"id": "four-at-three", "stage": "league", "players": gathering.entries}
    path, player = f"{gathering.path}/games", gathering.players[0]
    assert refused(player, "POST", path, **start) == (400, "wrong_count")
    twice: dict[str, Any] = {**start, "players": [*gathering.entries[:2], gathering.entries[0]]}
    assert refused(player, "POST", path, **twice) == (400, "twice_at_table")
    gathering.close()


def test_rules_for_another_number_of_seats_wait_until_drafts_are_discarded(url: str) -> None:
    found = Tournament(url, 9, rules="standard")
    found.make(rounds=2)
    assert refused(found.organiser, "PATCH", found.path, rules="standard-3") == (409, "rules_fixed")
    found.post("seating/discard")
    found.organiser.http.patch(found.path, json={"rules": "standard-3"}).raise_for_status()
    stage = found.make(rounds=2)
    assert {len(seats) for tables in found.seats(stage) for seats in tables} == {3}
    found.close()


def test_the_lab_names_both_rulesets_that_differ_in_players(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    body: dict[str, Any] = {"toml": 'extends = "standard-3"', "against": "standard", "games": 2}
    answer = gathering.organiser.http.post("/api/lab/rules", json=body)
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("lab_players", "toml")
    assert "“standard”" in error["message"]
    gathering.close()
