"""A round that is opened at tables of the parlour: seated by its plan, halted by a referee, counted."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
    return sorted(tables_of(tournament), key=lambda table: table["number"])


def tables_of(tournament: Tournament) -> list[Message]:
    return list(tournament.referee.get(f"{tournament.path}/tables")["tables"])


def opened(tournament: Tournament, **body: Any) -> Message:
    return dict(tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", **body))


def first(tournament: Tournament) -> Message:
    round_: Message = tournament.referee.get(tournament.rounds)["rounds"][0]
    return round_


def test_a_round_is_opened_by_one_button_and_counts_like_a_recorded_one(hall: str) -> None:
    tournament = Tournament(hall, 8)
    online, paper = tournament.entries[::-1], tournament.names[4:8]
    seated(tournament, [online, paper])
    tournament.post("absences", entry=online[0], first=1)
    answer = opened(tournament, delay_s=0)
    assert (answer["opened"], answer["refused"][0]["problem"]["code"]) == ([], "seated_gone")
    tournament.post("absences", entry=online[0], first=1, present=True)
    answer = opened(tournament, delay_s=0)
    assert answer["opened"] == [1]
    assert [(refusal["table"], refusal["problem"]["code"]) for refusal in answer["refused"]] == [
        (2, "seated_offline")
    ]
    [listed] = tables(tournament)
    table = listed["table"]["id"]
    assert (listed["round"], listed["number"], listed["problem"]) == (1, 1, None)
    assert [seat["person"] for seat in listed["table"]["seats"]] == [
        player.id for player in tournament.players[::-1]
    ]
    assert listed["table"]["owner"] == ""
    assert [row["online"] for row in first(tournament)["tables"]] == [table, None]
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
    points = {standing["player"]: standing["points"] for standing in standings if standing["games"]}
    assert [points[entry] for entry in online] == game["final"]
    log = [change["action"] for change in tournament.organiser.get(f"{tournament.path}/log")["changes"]]
    assert {"online_round", "online_table", "online"} <= set(log)


def test_a_referee_halts_a_game_and_lets_it_go_on(hall: str) -> None:
    tournament = Tournament(hall, 4)
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
    tournament = Tournament(hall, 4)
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


def test_beside_an_open_table_nothing_begins_and_nobody_is_moved(hall: str) -> None:
    """A game that had been played to its end counted for nothing after any of these."""
    tournament = Tournament(hall, 8)
    paper = tournament.names[4:8]
    seated(tournament, [tournament.entries, paper])
    opened(tournament)
    listed = [{"name": "Reserve", "id": "reserve"}]
    tournament.organiser.post(f"{tournament.path}/entries/list", entries=listed)
    path, gone = f"{tournament.rounds}/1", tournament.entries[0]
    swap, reserve = {"swap": [gone, paper[0]]}, {"entry": gone, "by": "reserve", "now": True}
    online = (409, "round_online")
    for why in ("", "time is up"):
        for whole in (False, True):
            body = {"everything": whole, "why": why}
            assert refused(tournament.referee, "POST", f"{path}/finish", **body) == online
    assert refused(tournament.referee, "POST", f"{path}/seats", why="x", **swap) == online
    assert refused(tournament.referee, "POST", f"{tournament.rounds}/replace", **reserve) == online
    assert refused(tournament.recorder, "POST", f"{path}/tables/1/start") == online
    result = {"table": 1, "scores": [40000, 30000, 20000, 10000]}
    answer = tournament.referee.post(f"{path}/results", results=[result])
    assert [refusal["problem"]["code"] for refusal in answer["refused"]] == ["round_online"]
    assert first(tournament)["tables"][0] | {"players": []} == {
        "number": 1, "players": [], "game": None, "status": None, "extra_s": 0,
        "online": tables(tournament)[0]["table"]["id"],
    }  # fmt: skip


def test_a_game_whose_end_watchers_have_not_seen_is_not_lost_to_its_round(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament, delay_s=20)
    table = tables(tournament)[0]["table"]["id"]
    tournament.referee.post(f"{tournament.path}/tables/{table}", action="start")
    end = time.monotonic() + WAIT_S
    while tournament.players[0].get(f"/api/tables/{table}")["status"] != "finished":
        assert time.monotonic() < end
        time.sleep(0.2)
    path = f"{tournament.rounds}/1"
    for act in ("take-back", "finish", "tables/1/start"):
        assert refused(tournament.referee, "POST", f"{path}/{act}") == (409, "round_online")
    assert opened(tournament)["opened"] == []
    assert first(tournament)["tables"][0]["online"] == table
    while (place := first(tournament)["tables"][0])["game"] is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert (place["status"], place["online"]) == ("confirmed", None)
    assert refused(tournament.referee, "POST", f"{path}/take-back") == (409, "round_played")


def test_a_round_whose_tables_open_while_it_is_taken_back_goes_on(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    path = f"{tournament.rounds}/1/take-back"
    for i in range(10):
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(tournament.organiser.post, f"{tournament.path}/tables/rounds/main/1")
            time.sleep(i * 0.006)
            tournament.referee.http.post(path, json={})
        assert answer.result()["opened"] == [1]
        assert first(tournament)["state"] == "running"
        end = {"action": "end", "why": "once more"}
        table = first(tournament)["tables"][0]["online"]
        tournament.referee.post(f"{tournament.path}/tables/{table}", **end)
        tournament.referee.post(path)
        assert first(tournament)["state"] == "published"


def test_a_substitute_sits_down_at_an_online_table_that_waits(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament)
    reserve = tournament.referee.post(f"{tournament.path}/entries")["id"]
    table = tables(tournament)[0]["table"]["id"]
    path = f"{tournament.path}/tables/{table}"
    tournament.referee.post(path, action="end", why="the first player does not come")
    body = {"entry": tournament.entries[0], "by": reserve, "now": True}
    tournament.referee.post(f"{tournament.rounds}/replace", **body)
    assert opened(tournament, delay_s=0)["opened"] == [1]
    again = tables(tournament)[0]["table"]
    wanted = [tournament.referee.id, *(player.id for player in tournament.players[1:])]
    assert [seat["person"] for seat in again["seats"]] == wanted
    tournament.referee.post(f"{tournament.path}/tables/{again['id']}", action="start")
    end = time.monotonic() + WAIT_S
    while (place := first(tournament)["tables"][0])["game"] is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    game = tournament.organiser.get(f"{tournament.path}/games/{place['game']}")
    assert [seat["entry"] for seat in game["seats"]] == [reserve, *tournament.entries[1:]]
    tournament.referee.post(f"{tournament.rounds}/1/finish")
    assert first(tournament)["state"] == "done"


def test_an_event_says_who_opens_its_tables_and_whether_they_are_watched(hall: str) -> None:
    tournament = Tournament(hall, 4)
    path, player = f"{tournament.path}/tables", tournament.players[0]
    assert player.post(path, stage="league")["options"]["spectators"]
    shut = {"online_tables": False, "spectators": False}
    tournament.organiser.http.patch(tournament.path, json=shut).raise_for_status()
    assert refused(tournament.players[1], "POST", path, stage="league")[0] == 403
    seated(tournament, [tournament.entries])
    tournament.recorder.post(path, stage="league", spectators=True)
    opened(tournament, spectators=True)
    watched = [table["table"]["options"]["spectators"] for table in tables_of(tournament)]
    assert sorted(watched) == [False, False, True]
    assert shut.items() <= tournament.view(player).items()
