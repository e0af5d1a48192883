"""Standings on the server: the same as those of the event file, hidden if wished, and told live."""

import csv
import dataclasses
import json
from random import Random
from typing import Any

import pytest
from websockets.sync.client import connect

from club.test_statistics_oracle import naive, sprinkled
from jantaku.club import event_figures, event_from, rated_games, standings
from server.clubs import Gathering, Table, member, refused
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


# Statistics on the server: those of the exported file, kept until a result changes, hidden if wished


BUST = {"end": "ron", "from": 1, "riichi": [0], "wins": [{"seat": 0, "yakuman": 2}]}
SMALL = {"end": "ron", "from": 2, "calls": [0], "wins": [{"seat": 0, "han": 1, "fu": 30, "yaku": ["tanyao"]}]}
POINTS_EVENT_STATISTICS = [40000, 30000, 20000, 10000]


@pytest.fixture
def teamed(url: str) -> Gathering:
    teamed = Gathering(url, rules="tenhou")
    entry = teamed.organiser.http.patch(f"{teamed.path}/entries/{teamed.entries[0]}", json={"team": "Crane"})
    assert entry.status_code == 200, entry.text
    return teamed


def play_event_statistics(teamed: Gathering, name: str, hands: list[Message]) -> Table:
    table = Table(teamed, name)
    for hand in hands:
        table.enter(hand)
    teamed.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    return table


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(value)))


def check_event_statistics(teamed: Gathering) -> Message:
    """The statistics are those of the exported file."""
    event = event_from(teamed.organiser.get(f"{teamed.path}/file"))
    wanted = event_figures(event)
    statistics: Message = teamed.players[0].get(f"{teamed.path}/statistics")
    brief = {player["entry"]: player["figures"] for player in statistics["players"]}
    assert brief == {name: as_json(player) for name, player in wanted.players.items()}
    assert statistics["achievements"] == [as_json(achievement) for achievement in wanted.achievements]
    for entry in teamed.entries:
        whole = teamed.players[1].get(f"{teamed.path}/players/{entry}")
        assert whole["figures"] == as_json(wanted.player(entry))
        steps = [seat for game in rated_games(event.results) for seat in game.seats if seat.player == entry]
        assert [step["after"]["mu"] for step in whole["rating"]] == [step.after.mu for step in steps]
    team = teamed.players[1].get(f"{teamed.path}/team", name="Crane")
    assert team["figures"] == as_json(wanted.team("Crane"))
    return statistics


@pytest.mark.slow
def test_statistics_follow_every_change_of_results(teamed: Gathering) -> None:
    assert [player["rating"] for player in check_event_statistics(teamed)["players"]] == [None] * 4
    table = play_event_statistics(teamed, "first", [SMALL, BUST])
    body = {
        "id": "only-points",
        "stage": "league",
        "players": teamed.entries,
        "scores": POINTS_EVENT_STATISTICS,
    }
    teamed.referee.post(f"{teamed.path}/games", **body)
    first = check_event_statistics(teamed)["players"][0]["figures"]
    assert (first["games"], first["games_with_hands"], first["hands_played"]) == (2, 1, 2)
    assert first["rates"]["call"] == {"count": 1, "known": 1, "cases": 2}
    changed = table.body(SMALL | {"from": 3}, action="replace", place=0, why="wrong seat")
    teamed.referee.post(f"{table.path}/hands", **changed)
    third = check_event_statistics(teamed)["players"]
    assert [hand["figures"]["rates"]["deal_in"]["count"] for hand in third] == [0, 1, 0, 1]
    teamed.referee.post(f"{table.path}/status", status="cancelled", why="not played")
    assert check_event_statistics(teamed)["players"][0]["figures"]["hands_played"] == 0


@pytest.mark.slow
def test_cancelled_games_count_nowhere(url: str) -> None:
    data = sprinkled(Random("cancelled"), "bgm-2025", 7, 12)
    data["name"] = "Cancelled"
    organiser = member(url, "organiser")
    path = f"/api/events/{organiser.post('/api/events/import', file=data)['id']}"
    statuses = {}
    for game in data["games"]:
        shown = organiser.get(f"{path}/games/{game['id']}")
        statuses[game["id"]] = shown["status"]
    gone = {game["id"] for game in data["games"][::3]}
    for game in gone:
        organiser.post(f"{path}/games/{game}/status", status="cancelled", why="not played")
    left = {**data, "games": [game for game in data["games"] if game["id"] not in gone]}
    assert set(statuses.values()) == {"confirmed"}
    shown = {one["entry"]: one["figures"] for one in organiser.get(f"{path}/statistics")["players"]}
    for player, figures in shown.items():
        count = naive(left, player)
        assert (figures["games"], figures["games_with_hands"]) == (count["games"], count["known"])
        assert figures["hands_played"] == count["played"]
        for name in ("win", "deal_in", "riichi"):
            assert (figures["rates"][name]["count"], figures["rates"][name]["cases"]) == (
                count[name],
                count["played"],
            ), (player, name)
    played = sum(naive(left, entry["id"])["games"] for entry in data["players"])
    standing = organiser.get(f"{path}/standings")["stages"][0]["standings"]
    assert sum(row["games"] for row in standing) == played
    assert not gone & {game["id"] for game in organiser.get(f"{path}/file")["games"]}


@pytest.mark.slow
def test_hidden_standings_hide_the_statistics_of_others(teamed: Gathering) -> None:
    play_event_statistics(teamed, "hidden", [BUST])
    hide = teamed.organiser.http.patch(teamed.path, json={"hidden_standings": True})
    assert hide.status_code == 200
    paths = [f"{teamed.path}/{page}" for page in ("statistics", "standings")]
    team = f"{teamed.path}/team?name=Crane"
    assert refused(teamed.players[0], "GET", team) == (403, "standings_hidden")
    for path in (*paths, f"{teamed.path}/players/{teamed.entries[1]}"):
        assert refused(teamed.players[0], "GET", path) == (403, "standings_hidden")
        assert teamed.recorder.get(path)
    mine = teamed.players[0].get(f"{teamed.path}/players/{teamed.entries[0]}")
    assert mine["figures"]["brief"]["games"] == 1
    assert mine["rating"] is None
    teamed.organiser.post(f"{teamed.path}/status", status="closed")
    for path in paths:
        assert teamed.players[0].get(path)


@pytest.mark.slow
def test_who_does_not_take_part_has_no_statistics(teamed: Gathering) -> None:
    assert refused(teamed.players[0], "GET", f"{teamed.path}/players/none") == (404, "no_entry")
    assert refused(teamed.players[0], "GET", f"{teamed.path}/team?name=none") == (404, "no_team")


@pytest.mark.slow
def test_games_at_an_event_count_in_the_own_numbers_of_its_players(teamed: Gathering) -> None:
    play_event_statistics(teamed, "own", [SMALL, BUST])
    body = {
        "id": "only-points",
        "stage": "league",
        "players": teamed.entries[::-1],
        "scores": POINTS_EVENT_STATISTICS,
    }
    teamed.referee.post(f"{teamed.path}/games", **body)
    Table(teamed, "open").enter(SMALL)  # not confirmed
    name = teamed.view()["name"]
    mine = teamed.players[0].get("/api/me/numbers")
    brief = mine["figures"]["brief"]
    assert (brief["games"], brief["games_with_hands"], mine["seats"]) == (2, 1, 4)
    assert mine["clubs"] == [{"name": name, "games": 2}]
    assert mine["rating"] is None
    assert sorted(mine["names"].values()) == sorted(entry["name"] for entry in entries_but(teamed, 0))
    ids = {player.id for player in teamed.players[1:]}
    assert not ids & {*mine["names"]}  # opponents are entries: nothing says whose accounts they are
    rows = list(csv.reader(teamed.players[0].http.get("/api/me/numbers/file?format=csv").text.splitlines()))
    assert len(rows) == 3
    assert all(row[-1] == name for row in rows[1:])
    teamed.players[0].http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    shown = teamed.players[1].get(f"/api/people/{teamed.players[0].id}/numbers")
    assert shown["figures"] is None  # others see games at tables of this site only
    assert teamed.organiser.get("/api/me/numbers")["figures"] is None


def entries_but(teamed: Gathering, seat: int) -> list[Message]:
    entries: list[Message] = teamed.organiser.get(f"{teamed.path}/entries")["entries"]
    return [entry for entry in entries if entry["id"] != teamed.entries[seat]]


@pytest.mark.slow
def test_a_corrected_hand_is_corrected_in_the_own_numbers(teamed: Gathering) -> None:
    table = play_event_statistics(teamed, "corrected", [SMALL, BUST])
    dealt_in = "/api/me/numbers"
    second, third = teamed.players[1], teamed.players[2]
    assert third.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 1
    changed = table.body(SMALL | {"from": 3}, action="replace", place=0, why="wrong seat")
    teamed.referee.post(f"{table.path}/hands", **changed)
    assert third.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 0
    assert second.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 1
