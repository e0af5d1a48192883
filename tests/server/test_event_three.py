"""Events under rules for three: what is sent for another number of seats is refused, and says so."""

from typing import Any

import pytest

from server.clubs import Gathering, PaperClub, Table, Tournament, refused
from server.parlour import Person


@pytest.mark.parametrize("scores", [[40000, 40000, 25000, 0], [40000, 65000]])
def test_points_for_another_number_of_seats_say_how_many_are_wanted(url: str, scores: list[int]) -> None:
    gathering = Gathering(url, rules="standard-3")
    table = Table(gathering, f"three-{len(scores)}", players=gathering.entries[:3])
    sent: dict[str, Any] = {"scores": scores, "why": "paper"}
    assert refused(gathering.referee, "POST", f"{table.path}/points", **sent) == (400, "wrong_count")


def test_a_game_is_started_by_as_many_as_the_rules_have(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    start: dict[str, Any] = {"id": "four-at-three", "stage": "league", "players": gathering.entries}
    path, player = f"{gathering.path}/games", gathering.players[0]
    assert refused(player, "POST", path, **start) == (400, "wrong_count")
    twice: dict[str, Any] = {**start, "players": [*gathering.entries[:2], gathering.entries[0]]}
    assert refused(player, "POST", path, **twice) == (400, "twice_at_table")


@pytest.mark.slow
def test_rules_for_another_number_of_seats_wait_until_drafts_are_discarded(url: str) -> None:
    cup = Tournament(url, 9, rules="standard")
    cup.make(rounds=2)
    assert refused(cup.organiser, "PATCH", cup.path, rules="standard-3") == (409, "rules_fixed")
    cup.post("seating/discard")
    cup.organiser.http.patch(cup.path, json={"rules": "standard-3"}).raise_for_status()
    stage = cup.make(rounds=2)
    assert {len(seats) for tables in cup.seats(stage) for seats in tables} == {3}


def test_the_lab_names_both_rulesets_that_differ_in_players(url: str) -> None:
    gathering = Gathering(url, rules="standard-3")
    body: dict[str, Any] = {"toml": 'extends = "standard-3"', "against": "standard", "games": 2}
    answer = gathering.organiser.http.post("/api/lab/rules", json=body)
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("lab_players", "toml")
    assert "“standard”" in error["message"]


@pytest.mark.parametrize("method", ["DELETE", "POST"])
def test_a_table_of_three_has_no_fourth_seat_for_a_bot(url: str, method: str) -> None:
    person = Person(url, "Mina")
    path = f"/api/tables/{person.table(rules='standard-3')['id']}/bots"
    where = f"{path}/3" if method == "DELETE" else path
    assert refused(person, method, where, seat=3) == (404, "no_seat")


def test_nobody_confirms_for_a_fourth_player(url: str) -> None:
    club = PaperClub(url, rules="standard-3", stages=[{"id": "league"}])
    table = Table(club, "signed", players=club.entries[:3])
    table.enter({"end": "draw", "tenpai": [0]})
    status, _ = refused(club.organiser, "POST", f"{table.path}/confirm", seat=3, head=table.head)
    assert status < 500
    club.organiser.close()
