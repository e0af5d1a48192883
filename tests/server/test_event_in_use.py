"""What is in use is taken away: a seated person, the event itself, and rules that somebody deletes."""

from typing import Any

import pytest

from server.clubs import DRAW, RON, Gathering, Table, Tournament, member, people, refused


@pytest.mark.slow
def test_a_round_says_who_of_the_seated_no_longer_plays(url: str) -> None:
    club = Tournament(url, 8)
    for _ in range(2):
        club.make(how="random")
    club.post("publish")
    gone, other = club.entries[0], club.names[-1]
    name = next(
        entry["name"]
        for entry in club.organiser.get(f"{club.path}/entries")["entries"]
        if entry["id"] == gone
    )
    club.players[0].post(f"{club.path}/entries/{gone}/withdraw")
    answer = club.referee.http.post(f"{club.rounds}/1/start")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seated_gone")
    assert name in answer.json()["error"]["message"]
    tables = club.organiser.get(f"{club.rounds}")["rounds"][0]["tables"]
    free = next(table["number"] for table in tables if gone not in table["players"])
    assert club.post(f"1/tables/{free}/start")["rounds"][0]["tables"][free - 1]["status"] == "playing"
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    club.post("replace", entry=gone, by="new", now=True, why="gone")
    stage = club.post("1/start")
    assert [table["status"] for table in stage["rounds"][0]["tables"]] == ["playing"] * 2
    assert [("new" in people(round_), gone in people(round_)) for round_ in stage["rounds"]] == [
        (True, False)
    ] * 2
    assert other in people(stage["rounds"][1])


@pytest.mark.slow
def test_an_event_that_is_cancelled_takes_nothing_more_and_can_be_reopened(url: str) -> None:
    club = Tournament(url, 8)
    club.make(how="random")
    club.post("publish", start=True)
    game = club.organiser.get(f"{club.path}/games")["games"][0]["id"]
    hand = {"id": "hand-000001", "follows": "", "hand": RON}
    club.organiser.post(f"{club.path}/status", status="cancelled", why="storm")
    tries: dict[str, dict[str, Any]] = {
        f"{club.path}/games/{game}/hands": hand,
        f"{club.rounds}/1/timer": {"action": "pause"},
        f"{club.rounds}/1/seats": {"swap": club.names[:2]},
        f"{club.rounds}/1/finish": {"everything": True, "why": "x"},
        f"{club.path}/penalties": {"stage": "main", "entry": club.names[0], "points": -1000, "why": "x"},
        f"{club.path}/entries/list": {"entries": [{"name": "N"}]},
    }
    for path, body in tries.items():
        assert refused(club.organiser, "POST", path, **body) == (409, "event_over"), path
    assert club.organiser.get(f"{club.path}/file")["games"] == []
    club.organiser.post(f"{club.path}/status", status="open", why="sun")
    club.organiser.post(f"{club.path}/games/{game}/hands", **hand)
    assert len(club.organiser.get(f"{club.path}/games/{game}")["hands"]) == 1


@pytest.mark.slow
def test_an_event_keeps_the_rules_that_their_author_deletes(url: str) -> None:
    author = member(url, "author")
    toml = 'extends = "tenhou"\nname = { en = "Mine" }\n[match]\nreturn_points = 28000\n'
    rules = author.post("/api/rules", toml=toml)["id"]
    club = Gathering(url, rules=rules)
    table = Table(club, "rules")
    table.enter(RON)
    assert author.http.delete(f"/api/rules/{rules}").status_code == 200
    assert len(table.enter(DRAW)["game"]["hands"]) == 2
    assert Table(club, "later").started["status"] == "playing"
    assert club.view()["rules_name"] == "Mine"
    assert club.organiser.http.patch(club.path, json={"name": {"en": "New"}}).status_code == 200
    file = club.organiser.get(f"{club.path}/file")["rules"]
    assert file["match"]["return_points"] == 28000
