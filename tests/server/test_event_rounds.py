"""Rounds on the server: seating, publishing, timers, games, and what changes in between."""

import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from jantaku.club.seating import seat
from server.clubs import Gathering, refused
from server.parlour import WAIT_S, Message

STAGES = [{"id": "main", "kind": "rounds"}, {"id": "league"}]
RON = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}


class Tournament(Gathering):
    """An event of rounds with so many players, four of whom have accounts."""

    def __init__(self, url: str, players: int, **event: Any) -> None:
        super().__init__(url, **({"rules": "tenhou", "stages": STAGES} | event))
        listed = [{"name": f"Player {i}", "id": f"p{i:02}"} for i in range(players - 4)]
        if listed:
            self.organiser.post(f"{self.path}/entries/list", entries=listed)
        self.names = [*self.entries, *(one["id"] for one in listed)]
        self.rounds = f"{self.path}/rounds/main"

    def make(self, **body: Any) -> Message:
        """Make a seating and wait until it is there."""
        found = self.organiser.post(f"{self.rounds}/seating", **body)
        end = time.monotonic() + WAIT_S
        while found["work"] is not None:
            assert found["work"]["state"] == "working", found["work"]
            assert time.monotonic() < end
            time.sleep(0.05)
            found = self.organiser.get(self.rounds)
        return dict(found)

    def post(self, path: str, **body: Any) -> Message:
        """Something an organiser does with the rounds."""
        return dict(self.organiser.post(f"{self.rounds}/{path}", **body))

    def seats(self, stage: Message) -> list[list[list[str]]]:
        """Who sits where in each round."""
        return [[table["players"] for table in one["tables"]] for one in stage["rounds"]]


@pytest.fixture
def sixteen(url: str) -> Iterator[Tournament]:
    found = Tournament(url, 16)
    yield found
    found.close()


def states(stage: Message) -> list[str]:
    return [one["state"] for one in stage["rounds"]]


def test_a_whole_plan_is_a_draft_until_it_is_published(sixteen: Tournament) -> None:
    stage = sixteen.make(rounds=4, seed=7)
    assert states(stage) == ["drafted"] * 4
    rounds = sixteen.seats(stage)
    assert all(sorted(chain(*tables)) == sorted(sixteen.names) for tables in rounds)
    names = [
        row["player"] for row in sixteen.organiser.get(f"{sixteen.path}/standings")["stages"][0]["standings"]
    ]
    plan = seat(names, 4, seed=7)
    assert rounds == [[list(table) for table in tables] for tables in plan.rounds]
    assert stage["quality"] == {name: getattr(plan, name) for name in stage["quality"]}
    assert {one["seed"] for one in stage["rounds"]} == {7}
    player = sixteen.players[0]
    assert player.get(sixteen.rounds)["rounds"] == []
    assert player.get(sixteen.rounds)["quality"] is None
    before = sixteen.view()["revision"]
    sixteen.post("publish", numbers=[1, 2])
    assert sixteen.view()["revision"] > before
    assert states(player.get(sixteen.rounds)) == ["published"] * 2
    assert sixteen.seats(player.get(sixteen.rounds)) == rounds[:2]
    everything = player.get(f"{sixteen.path}/rounds")
    assert [one["stage"] for one in everything["stages"]] == ["main"]
    log = [row["action"] for row in player.get(f"{sixteen.path}/log")["changes"]]
    assert "seating_published" in log
    assert "seating" not in log  # its seed would tell the rounds that are still drafts
    mine = sixteen.organiser.get(f"{sixteen.path}/log")["changes"]
    assert [row["after"]["seed"] for row in mine if row["action"] == "seating"] == [7]
    sixteen.post("seating/discard")
    assert states(sixteen.organiser.get(sixteen.rounds)) == ["published"] * 2


def test_a_round_from_publication_to_its_end(sixteen: Tournament) -> None:
    put = sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"minutes": 75})
    assert put.status_code == 200, put.text
    sixteen.make(rounds=2)
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/start") == (409, "round_drafted")
    sixteen.post("publish")
    one = sixteen.post("1/tables/2/start")["rounds"][0]
    assert [table["game"] is not None for table in one["tables"]] == [False, True, False, False]
    assert (one["state"], one["timer"]["running"]) == ("running", False)
    first = sixteen.post("1/start")["rounds"][0]
    assert first == sixteen.post("1/start")["rounds"][0] | {"timer": first["timer"]}
    assert [table["status"] for table in first["tables"]] == ["playing"] * 4
    games = sixteen.organiser.get(f"{sixteen.path}/games")["games"]
    assert {game["id"]: game["players"] for game in games} == {
        table["game"]: table["players"] for table in first["tables"]
    }
    assert {game["label"] for game in games} == {"1", "2", "3", "4"}
    game = f"{sixteen.path}/games/{first['tables'][0]['game']}"
    sixteen.recorder.post(f"{game}/hands", id="first-hand", follows="", hand=RON)
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/finish") == (409, "round_playing")
    ended = sixteen.post("1/tables/1/finish", why="time is up")["rounds"][0]["tables"]
    assert [table["status"] for table in ended] == ["confirmed", "playing", "playing", "playing"]
    scores = [30000, 30000, 20000, 20000]
    sixteen.post("1/tables/2/finish", scores=scores, why="from paper")
    over = sixteen.post("1/finish", everything=True, why="the hall closes")["rounds"][0]
    assert over["state"] == "done"
    assert [table["status"] for table in over["tables"]] == [
        "confirmed",
        "confirmed",
        "cancelled",
        "cancelled",
    ]
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/start") == (409, "round_over")


def test_a_round_is_done_when_all_its_games_are_confirmed(sixteen: Tournament) -> None:
    sixteen.make(rounds=1)
    tables = sixteen.post("publish", start=True)["rounds"][0]["tables"]
    for table in tables:
        path = f"{sixteen.path}/games/{table['game']}/points"
        assert states(sixteen.organiser.get(sixteen.rounds)) == ["running"]
        sixteen.referee.post(path, scores=[25000] * 4, why="paper")
    assert states(sixteen.organiser.get(sixteen.rounds)) == ["done"]


def test_the_timer_runs_pauses_and_gives_extra_time(sixteen: Tournament) -> None:
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"minutes": 60})
    sixteen.make(rounds=1)
    timer = sixteen.post("publish", start=True)["rounds"][0]["timer"]
    assert timer["running"]
    assert timer["ends"] is not None
    assert 3500 < timer["left_s"] <= 3600
    first = sixteen.post("1/timer", action="pause")["rounds"][0]["timer"]
    assert (first["running"], first["ends"]) == (False, None)
    assert sixteen.organiser.get(sixteen.rounds)["rounds"][0]["timer"] == first
    given = sixteen.post("1/timer", extra_s=300, why="the lights went out")["rounds"][0]["timer"]
    assert given["left_s"] == first["left_s"] + 300
    sixteen.post("1/timer", extra_s=120, table=3)
    shown = sixteen.post("1/timer", action="start", minutes=90)["rounds"][0]
    assert [table["extra_s"] for table in shown["tables"]] == [0, 0, 120, 0]
    assert shown["timer"]["running"]
    assert given["left_s"] + 1700 < shown["timer"]["left_s"] <= given["left_s"] + 1800
    assert sixteen.post("1/timer", action="reset")["rounds"][0]["timer"]["left_s"] == 90 * 60
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/timer", table=9) == (404, "no_round_table")
