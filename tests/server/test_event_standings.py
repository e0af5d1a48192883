"""Standings on the server: the same as those of the event file, hidden if wished, and told live."""

import csv
import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.sync.client import connect

from jantaku.club import event_from, standings
from server.clubs import Gathering, refused
from server.parlour import WAIT_S, Message, Person, close_code

POINTS = ([40000, 30000, 20000, 10000], [10000, 45000, 25000, 20000], [25000, 26000, 24000, 25000])


@pytest.fixture
def gathering(url: str) -> Iterator[Gathering]:
    stages = [{"id": "league", "counts": {"best": 2}}, {"id": "final", "from": "league", "cut": 2}]
    gathering = Gathering(url, rules="tenhou", stages=stages, tie_breaks=["average_place"])
    yield gathering
    gathering.close()


def play(gathering: Gathering, name: str, scores: list[int], stage: str = "league") -> None:
    body: Message = {"id": name, "stage": stage, "players": gathering.entries, "scores": scores}
    gathering.referee.post(f"{gathering.path}/games", **body)


def stored(gathering: Gathering, who: Person | None = None) -> Message:
    ranking: Message = (who or gathering.players[0]).get(f"{gathering.path}/standings")
    return ranking


def check(gathering: Gathering) -> Message:
    """The standings are those of the exported file."""
    results = stored(gathering)
    file = gathering.organiser.get(f"{gathering.path}/file")
    assert stages_of(results) == json.loads(json.dumps(standings(event_from(file)).to_dict()["stages"]))
    assert results["stages"][-1]["teams"] == results["teams"]
    return results


def stages_of(message: Message) -> list[Message]:
    """The stages as files have them: teams stand there once, those of the last stage."""
    return [{key: value for key, value in stage.items() if key != "teams"} for stage in message["stages"]]


def test_standings_are_those_of_the_exported_file(gathering: Gathering) -> None:
    assert [row["games"] for row in check(gathering)["stages"][0]["standings"]] == [0] * 4
    for i, scores in enumerate(POINTS):
        play(gathering, f"counting-{i}", scores)
    first = check(gathering)
    assert [row["games"] for row in first["stages"][0]["standings"]] == [3] * 4
    assert len(first["stages"][1]["standings"]) == 2
    body = {"stage": "league", "points": -50000, "why": "late"}
    for change in ({"entry": gathering.entries[0]}, {"entry": gathering.entries[1], "game": "counting-1"}):
        gathering.referee.post(f"{gathering.path}/penalties", **body, **change)
    second = check(gathering)
    assert second["stages"][0] != first["stages"][0]
    for number in (1, 2):
        gathering.referee.post(f"{gathering.path}/penalties/{number}/cancel", why="no")
    assert check(gathering) == first
    play(gathering, "last-game", [25000] * 4, "final")
    check(gathering)


def test_standings_follow_every_change_of_results(gathering: Gathering) -> None:
    play(gathering, "only-one", POINTS[0])
    before = check(gathering)
    assert stored(gathering) == before
    path = f"{gathering.path}/games/only-one"
    revision = gathering.referee.get(path)["revision"]
    gathering.referee.post(f"{path}/points", scores=POINTS[1], why="mistyped", revision=revision)
    assert check(gathering) != before
    gathering.referee.post(f"{path}/status", status="cancelled", why="not played")
    assert [row["games"] for row in check(gathering)["stages"][0]["standings"]] == [0] * 4
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    assert check(gathering)["names"]["new"] == "New"
    gathering.organiser.http.patch(f"{gathering.path}/entries/new", json={"name": "Newer"})
    assert check(gathering)["names"]["new"] == "Newer"


def test_games_count_when_they_are_confirmed(gathering: Gathering) -> None:
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
    body = {"id": "by-hands", "stage": "league", "players": gathering.entries}
    game = f"{gathering.path}/games/by-hands"
    gathering.recorder.post(f"{gathering.path}/games", **body)
    gathering.recorder.post(f"{game}/hands", id="first-hand", follows="", hand=bust)
    assert [row["games"] for row in check(gathering)["stages"][0]["standings"]] == [0] * 4
    gathering.referee.post(f"{game}/confirm", head="first-hand", everybody=True)
    assert [row["games"] for row in check(gathering)["stages"][0]["standings"]] == [1] * 4


def test_a_reserve_who_played_stands_in_every_output(gathering: Gathering) -> None:
    """The fifth one has not played in the league, replaces the second in the final, and wins it."""
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Reserve", "id": "fifth"}])
    play(gathering, "league-game", POINTS[0])
    before = {row["player"]: row for row in check(gathering)["stages"][0]["standings"]}
    assert (before["fifth"]["rank"], before["fifth"]["qualified"]) == (None, False)
    first, _, third, fourth = gathering.entries
    body: Message = {"stage": "final", "players": ["fifth", first, third, fourth], "scores": POINTS[0]}
    own = {"id": "own-game", "stage": "final", "players": body["players"]}
    start = (gathering.players[0], "POST", f"{gathering.path}/games")
    assert refused(*start, **own) == (409, "not_admitted")
    gathering.referee.post(f"{gathering.path}/games", id="final-game", **body)
    outcome = check(gathering)
    final = [(row["rank"], row["player"]) for row in outcome["stages"][1]["standings"]]
    assert final == [(1, "fifth"), (2, first), (3, third), (4, fourth), (None, gathering.entries[1])]
    assert outcome["names"]["fifth"] == "Reserve"
    formats = {
        kind: gathering.players[0].http.get(f"{gathering.path}/export", params={"format": kind, "lang": "en"})
        for kind in ("csv", "html", "json")
    }
    rows = list(csv.reader(formats["csv"].text.splitlines()))
    assert [(row[1], row[2]) for row in rows[-5:]] == [
        ("" if rank is None else str(rank), name) for rank, name in final
    ]
    assert "<td>1</td><td>Reserve</td>" in formats["html"].text
    assert "<td>–</td><td>Reserve</td>" in formats["html"].text  # in the league
    assert formats["json"].json()["stages"] == stages_of(outcome)
    gathering.players[0].post(f"{gathering.path}/games", **own)  # who has been let in plays on


def test_hidden_standings_are_shown_when_the_event_is_closed(url: str) -> None:
    gathering = Gathering(url, rules="tenhou", hidden_standings=True)
    play(gathering, "secret-game", POINTS[0])
    path = f"{gathering.path}/standings"
    assert refused(gathering.players[0], "GET", path) == (403, "standings_hidden")
    assert stored(gathering, gathering.referee)["stages"]
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    assert stored(gathering)["stages"][0]["standings"][0]["games"] == 1
    gathering.close()


def socket(gathering: Gathering, event: str) -> Any:
    address = gathering.url.replace("http://", "ws://")
    return connect(f"{address}/ws/events/{event}", compression=None)


@pytest.mark.slow
def test_open_pages_hear_of_changes(gathering: Gathering) -> None:
    with socket(gathering, gathering.id) as line:
        first = json.loads(line.recv(WAIT_S))
        assert first == {"type": "event", "event": gathering.id, "revision": gathering.view()["revision"]}
        play(gathering, "heard-game", POINTS[0])
        wanted = gathering.view()["revision"]
        heard = first
        while heard["revision"] < wanted:
            heard = json.loads(line.recv(WAIT_S))
        assert heard["revision"] == wanted


def test_sockets_of_events_take_nothing(gathering: Gathering) -> None:
    for event, code, said in (("0" * 16, 4404, None), (gathering.id, 4400, "hello")):
        with socket(gathering, event) as line:
            if said is not None:
                line.send(said)
            assert close_code(line) == code


def test_only_who_gets_in_starts_a_game_of_the_next_stage(gathering: Gathering, url: str) -> None:
    for i in range(2):
        play(gathering, f"qualifying-{i}", POINTS[0])
    stages = [{"id": "league"}, {"id": "semi", "from": "league", "cut": 3}]
    gathering.organiser.http.patch(gathering.path, json={"stages": stages}).raise_for_status()
    path, body = f"{gathering.path}/games", {"id": "semi-final", "players": gathering.entries}
    assert refused(gathering.players[0], "POST", path, **body, stage="semi") == (409, "not_admitted")
    gathering.referee.post(path, **body, stage="semi")  # a substitute
