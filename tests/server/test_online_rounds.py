"""A round that is opened at tables of the parlour: seated by its plan, halted by a referee, counted."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.clubs import Tournament, refused
from server.parlour import Message, open_server, quick, simplest

pytestmark = pytest.mark.slow
WAIT_S = 60.0


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[str]:
    """A server at which nobody is waited for."""
    with open_server(quick(tmp_path, grace_s=0.0)) as url:
        yield url


def seated(tournament: Tournament, tables: list[list[str]]) -> None:
    tournament.post("seating/import", rounds=[tables])
    tournament.post("publish")


def tables(tournament: Tournament) -> list[Message]:
    found: list[Message] = tournament.referee.get(f"{tournament.path}/tables")["tables"]
    return sorted(found, key=lambda one: one["number"])


def opened(tournament: Tournament, **body: Any) -> Message:
    return dict(tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", **body))


def first(tournament: Tournament) -> Message:
    found: Message = tournament.referee.get(tournament.rounds)["rounds"][0]
    return found


def test_a_round_is_opened_by_one_button_and_counts_like_a_recorded_one(hall: str) -> None:
    with closing(Tournament(hall, 8)) as tournament:
        online, paper = tournament.entries[::-1], tournament.names[4:8]
        seated(tournament, [online, paper])
        answer = opened(tournament, delay_s=0)
        assert answer["opened"] == [1]
        assert [(one["table"], one["problem"]["code"]) for one in answer["refused"]] == [
            (2, "seated_offline")
        ]
        [listed] = tables(tournament)
        table = listed["table"]["id"]
        assert (listed["round"], listed["number"], listed["problem"]) == (1, 1, None)
        assert [one["person"] for one in listed["table"]["seats"]] == [
            one.id for one in tournament.players[::-1]
        ]
        assert listed["table"]["owner"] == ""
        assert [one["online"] for one in first(tournament)["tables"]] == [table, None]
        assert first(tournament)["state"] == "running"
        tournament.recorder.post(f"{tournament.rounds}/1/tables/2/start")
        tournament.referee.post(f"{tournament.path}/tables/{table}", action="start")
        end = time.monotonic() + WAIT_S
        while (place := first(tournament)["tables"][0])["game"] is None:
            assert time.monotonic() < end
            time.sleep(0.2)
        assert (place["status"], place["online"]) == ("confirmed", None)
        game = tournament.organiser.get(f"{tournament.path}/games/{place['game']}")
        assert [seat["entry"] for seat in game["seats"]] == online
        assert game["label"] == "1"
        standings = tournament.organiser.get(f"{tournament.path}/standings")["stages"][0]["standings"]
        points = {one["player"]: one["points"] for one in standings if one["games"]}
        assert [points[one] for one in online] == game["final"]
        log = [one["action"] for one in tournament.organiser.get(f"{tournament.path}/log")["changes"]]
        assert {"online_round", "online_table", "online"} <= set(log)


def test_a_referee_halts_a_game_and_lets_it_go_on(hall: str) -> None:
    with closing(Tournament(hall, 4)) as tournament:
        seated(tournament, [tournament.entries])
        opened(tournament)
        [listed] = tables(tournament)
        table = listed["table"]["id"]
        path = f"{tournament.path}/tables/{table}"
        with closing(tournament.players[0].socket(table)) as line:
            assert refused(tournament.players[0], "POST", path, action="halt") == (403, "not_referee")
            assert refused(tournament.referee, "POST", path, action="halt") == (409, "not_playing")
            tournament.referee.post(path, action="start")
            own = line.asked()
            assert own is not None
            assert own["left_ms"] is not None
            assert tournament.referee.post(path, action="halt")["halted"]
            stopped = line.until("sync")
            assert stopped["own"]["left_ms"] is None
            refusal = line.act(simplest(own))
            assert refusal["code"] == "table_halted"
            assert not tournament.referee.post(path, action="go_on")["halted"]
            assert line.until("sync")["seq"] == stopped["seq"]
            own = line.asked()
            assert own is not None
            assert own["left_ms"] is not None
            assert line.act(simplest(own))["type"] == "ack"
        tournament.referee.post(path, action="end", why="power cut")
        assert first(tournament)["tables"][0]["game"] is None
        assert opened(tournament)["opened"] == [1]  # it is played again


def test_a_table_of_a_round_belongs_to_nobody_and_has_one_game(hall: str) -> None:
    with closing(Tournament(hall, 4)) as tournament:
        seated(tournament, [tournament.entries])
        opened(tournament)
        table = tables(tournament)[0]["table"]["id"]
        for person in (tournament.players[0], tournament.referee):
            assert refused(person, "POST", f"/api/tables/{table}/start") == (403, "not_owner")
        assert opened(tournament)["opened"] == []
        elsewhere = tournament.players[0].table()
        assert refused(
            tournament.referee, "POST", f"{tournament.path}/tables/{elsewhere['id']}", action="halt"
        ) == (
            404,
            "no_table",
        )
