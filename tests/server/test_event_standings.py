"""Standings on the server: the same as those of the event file, hidden if wished, and told live."""

import csv
import json
from typing import Any

import pytest
from websockets.sync.client import connect

from jantaku.club import event_from, standings
from server.clubs import Gathering, refused
from server.parlour import WAIT_S, Message, Person, close_code

POINTS = ([40000, 30000, 20000, 10000], [10000, 45000, 25000, 20000], [25000, 26000, 24000, 25000])


@pytest.fixture
def league(url: str) -> Gathering:
    stages = [{"id": "league", "counts": {"best": 2}}, {"id": "final", "from": "league", "cut": 2}]
    return Gathering(url, rules="tenhou", stages=stages, tie_breaks=["average_place"])


def play(league: Gathering, name: str, scores: list[int], stage: str = "league") -> None:
    body: Message = {"id": name, "stage": stage, "players": league.entries, "scores": scores}
    league.referee.post(f"{league.path}/games", **body)


def stored(league: Gathering, who: Person | None = None) -> Message:
    ranking: Message = (who or league.players[0]).get(f"{league.path}/standings")
    return ranking


def check(league: Gathering) -> Message:
    """The standings are those of the exported file."""
    results = stored(league)
    file = league.organiser.get(f"{league.path}/file")
    assert stages_of(results) == json.loads(json.dumps(standings(event_from(file)).to_dict()["stages"]))
    assert results["stages"][-1]["teams"] == results["teams"]
    return results


def stages_of(message: Message) -> list[Message]:
    """The stages as files have them: teams stand there once, those of the last stage."""
    return [{key: value for key, value in stage.items() if key != "teams"} for stage in message["stages"]]


def test_standings_are_those_of_the_exported_file(league: Gathering) -> None:
    assert [row["games"] for row in check(league)["stages"][0]["standings"]] == [0] * 4
    for i, scores in enumerate(POINTS):
        play(league, f"counting-{i}", scores)
    first = check(league)
    assert [row["games"] for row in first["stages"][0]["standings"]] == [3] * 4
    assert len(first["stages"][1]["standings"]) == 2
    body = {"stage": "league", "points": -50000, "why": "late"}
    for change in ({"entry": league.entries[0]}, {"entry": league.entries[1], "game": "counting-1"}):
        league.referee.post(f"{league.path}/penalties", **body, **change)
    second = check(league)
    assert second["stages"][0] != first["stages"][0]
    for number in (1, 2):
        league.referee.post(f"{league.path}/penalties/{number}/cancel", why="no")
    assert check(league) == first
    play(league, "last-game", [25000] * 4, "final")
    check(league)


def test_standings_follow_every_change_of_results(league: Gathering) -> None:
    play(league, "only-one", POINTS[0])
    before = check(league)
    assert stored(league) == before
    path = f"{league.path}/games/only-one"
    revision = league.referee.get(path)["revision"]
    league.referee.post(f"{path}/points", scores=POINTS[1], why="mistyped", revision=revision)
    assert check(league) != before
    league.referee.post(f"{path}/status", status="cancelled", why="not played")
    assert [row["games"] for row in check(league)["stages"][0]["standings"]] == [0] * 4
    league.organiser.post(f"{league.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    assert check(league)["names"]["new"] == "New"
    league.organiser.http.patch(f"{league.path}/entries/new", json={"name": "Newer"})
    assert check(league)["names"]["new"] == "Newer"


def test_games_count_when_they_are_confirmed(league: Gathering) -> None:
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
    body = {"id": "by-hands", "stage": "league", "players": league.entries}
    game = f"{league.path}/games/by-hands"
    league.recorder.post(f"{league.path}/games", **body)
    league.recorder.post(f"{game}/hands", id="first-hand", follows="", hand=bust)
    assert [row["games"] for row in check(league)["stages"][0]["standings"]] == [0] * 4
    league.referee.post(f"{game}/confirm", head="first-hand", everybody=True)
    assert [row["games"] for row in check(league)["stages"][0]["standings"]] == [1] * 4


def test_a_reserve_who_played_stands_in_every_output(league: Gathering) -> None:
    """The fifth one has not played in the league, replaces the second in the final, and wins it."""
    league.organiser.post(f"{league.path}/entries/list", entries=[{"name": "Reserve", "id": "fifth"}])
    play(league, "league-game", POINTS[0])
    before = {row["player"]: row for row in check(league)["stages"][0]["standings"]}
    assert (before["fifth"]["rank"], before["fifth"]["qualified"]) == (None, False)
    first, _, third, fourth = league.entries
    body: Message = {"stage": "final", "players": ["fifth", first, third, fourth], "scores": POINTS[0]}
    own = {"id": "own-game", "stage": "final", "players": body["players"]}
    start = (league.players[0], "POST", f"{league.path}/games")
    assert refused(*start, **own) == (409, "not_admitted")
    league.referee.post(f"{league.path}/games", id="final-game", **body)
    outcome = check(league)
    final = [(row["rank"], row["player"]) for row in outcome["stages"][1]["standings"]]
    assert final == [(1, "fifth"), (2, first), (3, third), (4, fourth), (None, league.entries[1])]
    assert outcome["names"]["fifth"] == "Reserve"
    formats = {
        kind: league.players[0].http.get(f"{league.path}/export", params={"format": kind, "lang": "en"})
        for kind in ("csv", "html", "json")
    }
    rows = list(csv.reader(formats["csv"].text.splitlines()))
    assert [(row[1], row[2]) for row in rows[-5:]] == [
        ("" if rank is None else str(rank), name) for rank, name in final
    ]
    assert "<td>1</td><td>Reserve</td>" in formats["html"].text
    assert "<td>–</td><td>Reserve</td>" in formats["html"].text  # in the league
    assert formats["json"].json()["stages"] == stages_of(outcome)
    league.players[0].post(f"{league.path}/games", **own)  # who has been let in plays on


def test_hidden_standings_are_shown_when_the_event_is_closed(url: str) -> None:
    league = Gathering(url, rules="tenhou", hidden_standings=True)
    play(league, "secret-game", POINTS[0])
    path = f"{league.path}/standings"
    assert refused(league.players[0], "GET", path) == (403, "standings_hidden")
    assert stored(league, league.referee)["stages"]
    league.organiser.post(f"{league.path}/status", status="closed")
    assert stored(league)["stages"][0]["standings"][0]["games"] == 1


def socket(league: Gathering, event: str) -> Any:
    address = league.url.replace("http://", "ws://")
    return connect(f"{address}/ws/events/{event}", compression=None)


@pytest.mark.slow
def test_open_pages_hear_of_changes(league: Gathering) -> None:
    with socket(league, league.id) as line:
        first = json.loads(line.recv(WAIT_S))
        assert first == {"type": "event", "event": league.id, "revision": league.view()["revision"]}
        play(league, "heard-game", POINTS[0])
        wanted = league.view()["revision"]
        heard = first
        while heard["revision"] < wanted:
            heard = json.loads(line.recv(WAIT_S))
        assert heard["revision"] == wanted


def test_sockets_of_events_take_nothing(league: Gathering) -> None:
    for event, code, said in (("0" * 16, 4404, None), (league.id, 4400, "hello")):
        with socket(league, event) as line:
            if said is not None:
                line.send(said)
            assert close_code(line) == code


def test_only_who_gets_in_starts_a_game_of_the_next_stage(league: Gathering, url: str) -> None:
    for i in range(2):
        play(league, f"qualifying-{i}", POINTS[0])
    stages = [{"id": "league"}, {"id": "semi", "from": "league", "cut": 3}]
    league.organiser.http.patch(league.path, json={"stages": stages}).raise_for_status()
    path, body = f"{league.path}/games", {"id": "semi-final", "players": league.entries}
    assert refused(league.players[0], "POST", path, **body, stage="semi") == (409, "not_admitted")
    league.referee.post(path, **body, stage="semi")  # a substitute
