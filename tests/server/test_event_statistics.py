"""Statistics on the server: those of the exported file, kept until a result changes, hidden if wished."""

import csv
import dataclasses
import json
from random import Random
from typing import Any

import pytest

from club.test_statistics_oracle import naive, sprinkled
from jantaku.club import event_figures, event_from, rated_games
from server.clubs import Gathering, Table, member, refused
from server.parlour import Message

pytestmark = pytest.mark.slow

BUST = {"end": "ron", "from": 1, "riichi": [0], "wins": [{"seat": 0, "yakuman": 2}]}
SMALL = {"end": "ron", "from": 2, "calls": [0], "wins": [{"seat": 0, "han": 1, "fu": 30, "yaku": ["tanyao"]}]}
POINTS = [40000, 30000, 20000, 10000]


@pytest.fixture
def teamed(url: str) -> Gathering:
    teamed = Gathering(url, rules="tenhou")
    entry = teamed.organiser.http.patch(f"{teamed.path}/entries/{teamed.entries[0]}", json={"team": "Crane"})
    assert entry.status_code == 200, entry.text
    return teamed


def play(teamed: Gathering, name: str, hands: list[Message]) -> Table:
    table = Table(teamed, name)
    for hand in hands:
        table.enter(hand)
    teamed.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    return table


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(value)))


def check(teamed: Gathering) -> Message:
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


def test_statistics_follow_every_change_of_results(teamed: Gathering) -> None:
    assert [player["rating"] for player in check(teamed)["players"]] == [None] * 4
    table = play(teamed, "first", [SMALL, BUST])
    body = {"id": "only-points", "stage": "league", "players": teamed.entries, "scores": POINTS}
    teamed.referee.post(f"{teamed.path}/games", **body)
    first = check(teamed)["players"][0]["figures"]
    assert (first["games"], first["games_with_hands"], first["hands_played"]) == (2, 1, 2)
    assert first["rates"]["call"] == {"count": 1, "known": 1, "cases": 2}
    changed = table.body(SMALL | {"from": 3}, action="replace", place=0, why="wrong seat")
    teamed.referee.post(f"{table.path}/hands", **changed)
    third = check(teamed)["players"]
    assert [hand["figures"]["rates"]["deal_in"]["count"] for hand in third] == [0, 1, 0, 1]
    teamed.referee.post(f"{table.path}/status", status="cancelled", why="not played")
    assert check(teamed)["players"][0]["figures"]["hands_played"] == 0


def test_cancelled_games_count_nowhere(url: str) -> None:
    data = sprinkled(Random("cancelled"), "bgm-2025", 7, 12)
    data["name"] = {"en": "Cancelled"}
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


def test_hidden_standings_hide_the_statistics_of_others(teamed: Gathering) -> None:
    play(teamed, "hidden", [BUST])
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


def test_who_does_not_take_part_has_no_statistics(teamed: Gathering) -> None:
    assert refused(teamed.players[0], "GET", f"{teamed.path}/players/none") == (404, "no_entry")
    assert refused(teamed.players[0], "GET", f"{teamed.path}/team?name=none") == (404, "no_team")


def test_games_at_an_event_count_in_the_own_numbers_of_its_players(teamed: Gathering) -> None:
    play(teamed, "own", [SMALL, BUST])
    body = {"id": "only-points", "stage": "league", "players": teamed.entries[::-1], "scores": POINTS}
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
    assert all(row[-1] == name["en"] for row in rows[1:])
    teamed.players[0].http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    shown = teamed.players[1].get(f"/api/people/{teamed.players[0].id}/numbers")
    assert shown["figures"] is None  # others see games at tables of this site only
    assert teamed.organiser.get("/api/me/numbers")["figures"] is None


def entries_but(teamed: Gathering, seat: int) -> list[Message]:
    entries: list[Message] = teamed.organiser.get(f"{teamed.path}/entries")["entries"]
    return [entry for entry in entries if entry["id"] != teamed.entries[seat]]


def test_a_corrected_hand_is_corrected_in_the_own_numbers(teamed: Gathering) -> None:
    table = play(teamed, "corrected", [SMALL, BUST])
    dealt_in = "/api/me/numbers"
    second, third = teamed.players[1], teamed.players[2]
    assert third.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 1
    changed = table.body(SMALL | {"from": 3}, action="replace", place=0, why="wrong seat")
    teamed.referee.post(f"{table.path}/hands", **changed)
    assert third.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 0
    assert second.get(dealt_in)["figures"]["rates"]["deal_in"]["count"] == 1
