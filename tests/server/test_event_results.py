"""Standings and statistics on the server equal those of the event file, can be hidden, and update live."""

import csv
import dataclasses
import json
from random import Random
from typing import Any

import pytest
from websockets.sync.client import connect

from club.test_statistics_oracle import naive, sprinkled
from jantaku.club import event_figures, event_from, rated_games, standings
from server.clubs import BUST, SCORES, Club
from server.parlour import WAIT_S, Message, close_code

slow = pytest.mark.slow
POINTS = (SCORES, [10000, 45000, 25000, 20000], [25000, 26000, 24000, 25000])
STAGES = [{"id": "league", "counts": {"best": 2}}, {"id": "final", "from": "league", "cut": 2}]
SMALL: Message = {
    "end": "ron", "from": 2, "calls": [0], "wins": [{"seat": 0, "han": 1, "fu": 30, "yaku": ["tanyao"]}],
}  # fmt: skip


@pytest.fixture
def league(url: str) -> Club:
    return Club(url, stages=STAGES, tie_breaks=["average_place"])


def check(club: Club) -> Any:
    """Assert that the standings equal those of the exported file; return the standings."""
    results = club.players[0].get("standings")
    file = standings(event_from(club.organiser.get("file")))
    assert without_teams(results) == json.loads(json.dumps(file.to_dict()["stages"]))
    assert results["stages"][-1]["teams"] == results["teams"]
    return results


def without_teams(results: Message) -> list[Message]:
    """Return the stages as an event file has them, with only the team table of the last stage."""
    return [{key: value for key, value in stage.items() if key != "teams"} for stage in results["stages"]]


def games(results: Message) -> list[int]:
    return [row["games"] for row in results["stages"][0]["standings"]]


def test_standings_equal_those_of_the_exported_file(league: Club) -> None:
    assert games(check(league)) == [0] * 4
    for i, scores in enumerate(POINTS):
        league.result(f"counting-{i}", scores)
    first = check(league)
    assert (games(first), len(first["stages"][1]["standings"])) == ([3] * 4, 2)
    league.penalise("p0", -50000)
    league.penalise("p1", -50000, game="game-counting-1")
    assert check(league)["stages"][0] != first["stages"][0]
    for number in (1, 2):
        league.organiser.post(f"penalties/{number}/cancel", why="no")
    assert check(league) == first
    league.result("last", [25000] * 4, stage="final")
    check(league)


def test_standings_follow_every_change_of_results(league: Club) -> None:
    league.result("only-one")
    before, path = check(league), "games/game-only-one"
    revision = league.organiser.get(path)["revision"]
    league.organiser.post(f"{path}/points", scores=POINTS[1], why="mistyped", revision=revision)
    assert check(league) != before
    league.organiser.post(f"{path}/status", status="cancelled", why="not played")
    assert games(check(league)) == [0] * 4
    game = league.game("by-hands")
    game.enter(BUST)
    assert games(check(league)) == [0] * 4
    game.confirm()
    assert games(check(league)) == [1] * 4
    league.add("new")
    assert check(league)["names"]["new"] == "New"
    league.organiser.patch("entries/new", name="Newer")
    assert check(league)["names"]["new"] == "Newer"


def test_a_reserve_who_played_appears_in_every_output(league: Club) -> None:
    """The reserve did not play in the league, replaces the second player in the final, and wins it."""
    player, players = league.players[0], ["fifth", "p0", "p2", "p3"]
    league.add({"name": "Reserve", "id": "fifth"})
    league.result("league")
    before = {row["player"]: row for row in check(league)["stages"][0]["standings"]}
    assert (before["fifth"]["rank"], before["fifth"]["qualified"]) == (None, False)
    own = {"id": "own-game", "stage": "final", "players": players}
    player.refused("not_admitted", "games", **own)
    league.result("final", stage="final", players=players)
    outcome = check(league)
    final = [(row["rank"], row["player"]) for row in outcome["stages"][1]["standings"]]
    assert final == [(1, "fifth"), (2, "p0"), (3, "p2"), (4, "p3"), (None, "p1")]
    assert outcome["names"]["fifth"] == "Reserve"
    table, page, exported = (
        player.send("GET", "export", format=kind, lang="en") for kind in ("csv", "html", "json")
    )
    rows = [tuple(row[1:3]) for row in csv.reader(table.text.splitlines())][-5:]
    assert rows == [("" if rank is None else str(rank), name) for rank, name in final]
    assert "<td>1</td><td>Reserve</td>" in page.text
    assert "<td>–</td><td>Reserve</td>" in page.text  # no rank in the league
    assert exported.json()["stages"] == without_teams(outcome)
    player.post("games", **own)  # the reserve is admitted after playing there


def socket(club: Club, event: str) -> Any:
    return connect(f"{club.url.replace('http://', 'ws://')}/ws/events/{event}", compression=None)


@slow
def test_event_sockets_announce_new_revisions(league: Club) -> None:
    with socket(league, league.id) as line:
        latest = json.loads(line.recv(WAIT_S))
        assert latest == {"type": "event", "event": league.id, "revision": league.organiser.get()["revision"]}
        league.result("announced")
        wanted = league.organiser.get()["revision"]
        while latest["revision"] < wanted:
            latest = json.loads(line.recv(WAIT_S))
        assert latest["revision"] == wanted
    for event, code in (("0" * 16, 4404), (league.id, 4400)):  # sockets of events accept no messages
        with socket(league, event) as line:
            if code == 4400:
                line.send("hello")
            assert close_code(line) == code


# Statistics equal those of the exported file and are cached until a result changes


@pytest.fixture
def club_with_team(url: str) -> Club:
    club = Club(url, name="Teamed")
    club.organiser.patch("entries/p0", team="Crane")
    return club


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(value)))


def check_statistics(club: Club) -> Any:
    """Assert that the statistics equal those of the exported file; return those of the players."""
    event, get = event_from(club.organiser.get("file")), club.players[0].get
    wanted, statistics = event_figures(event), get("statistics")
    brief = {player["entry"]: player["figures"] for player in statistics["players"]}
    assert brief == {name: as_json(player) for name, player in wanted.players.items()}
    assert statistics["achievements"] == [as_json(achievement) for achievement in wanted.achievements]
    for entry in club.entries:
        whole = get(f"players/{entry}")
        assert whole["figures"] == as_json(wanted.player(entry))
        steps = [seat for game in rated_games(event.results) for seat in game.seats if seat.player == entry]
        assert [step["after"]["mu"] for step in whole["rating"]] == [step.after.mu for step in steps]
    assert get("team", name="Crane")["figures"] == as_json(wanted.team("Crane"))
    return statistics["players"]


def correct(game: Any) -> None:
    """Correct the player who dealt in during the first hand."""
    game.enter(SMALL | {"from": 3}, game.club.referee, action="replace", place=0, why="wrong seat")


@slow
def test_statistics_follow_every_change_of_results(club_with_team: Club) -> None:
    assert [player["rating"] for player in check_statistics(club_with_team)] == [None] * 4
    game = club_with_team.game("first").finish(SMALL, BUST)
    club_with_team.result("only-points")
    first = check_statistics(club_with_team)[0]["figures"]
    assert (first["games"], first["games_with_hands"], first["hands_played"]) == (2, 1, 2)
    assert first["rates"]["call"] == {"count": 1, "known": 1, "cases": 2}
    correct(game)
    deals = [player["figures"]["rates"]["deal_in"]["count"] for player in check_statistics(club_with_team)]
    assert deals == [0, 1, 0, 1]
    game.post("status", status="cancelled", why="not played")
    assert check_statistics(club_with_team)[0]["figures"]["hands_played"] == 0


@slow
def test_voided_games_count_nowhere(url: str) -> None:
    club, data = Club(url, 0), sprinkled(Random("cancelled"), "bgm-2025", 7, 12)
    club.enter(club.organiser.post("/api/events/import", file=data | {"name": "Cancelled"})["id"])
    assert {game["status"] for game in club.organiser.get("games")["games"]} == {"confirmed"}
    gone = {game["id"] for game in data["games"][::3]}
    for game in gone:
        club.organiser.post(f"games/{game}/status", status="cancelled", why="not played")
    left = {**data, "games": [game for game in data["games"] if game["id"] not in gone]}
    counts = {entry["id"]: naive(left, entry["id"]) for entry in data["players"]}
    for one in club.organiser.get("statistics")["players"]:
        figures, count = one["figures"], counts[one["entry"]]
        names = ("games", "games_with_hands", "hands_played")
        assert [figures[name] for name in names] == [count[name] for name in ("games", "known", "played")]
        for name in ("win", "deal_in", "riichi"):
            rate = figures["rates"][name]
            assert (rate["count"], rate["cases"]) == (count[name], count["played"]), (one["entry"], name)
    stage = club.organiser.get("standings")["stages"][0]["standings"]
    assert sum(row["games"] for row in stage) == sum(count["games"] for count in counts.values())
    assert not gone & {game["id"] for game in club.organiser.get("file")["games"]}


def test_hidden_standings_hide_the_statistics_of_others_until_the_event_is_closed(
    club_with_team: Club,
) -> None:
    player, pages = club_with_team.players[0], ("statistics", "standings", "players/p1", "team?name=Crane")
    player.refused("no_entry", "GET players/none")
    player.refused("no_team", "GET team?name=none")
    club_with_team.result("hidden")
    club_with_team.organiser.patch(hidden_standings=True)
    for page in pages:
        player.refused("standings_hidden", f"GET {page}")
        assert club_with_team.recorder.get(page)
    mine = player.get("players/p0")
    assert (mine["figures"]["brief"]["games"], mine["rating"]) == (1, None)
    club_with_team.organiser.post("status", status="closed")
    assert player.get("standings")["stages"][-1]["standings"][0]["games"] == 1
    assert all(player.get(page) for page in pages)


@slow
def test_event_games_count_in_the_statistics_of_their_players(club_with_team: Club) -> None:
    game, (player, second, third, _) = club_with_team.game("own"), club_with_team.players
    game.finish(SMALL, BUST)
    club_with_team.result("only-points", players=club_with_team.entries[::-1])
    club_with_team.game("open").enter(SMALL)  # the game is not confirmed
    numbers = player.get("/api/me/profile")
    brief = numbers["figures"]["brief"]
    assert (brief["games"], brief["games_with_hands"], numbers["seats"]) == (2, 1, 4)
    assert (numbers["clubs"], numbers["rating"]) == ([{"name": "Teamed", "games": 2}], None)
    assert sorted(numbers["names"].values()) == ["Player 1", "Player 2", "Player 3"]
    # opponents are given as entries, which do not reveal accounts
    assert not {one.id for one in club_with_team.players} & {*numbers["names"]}
    rows = list(csv.reader(player.send("GET", "/api/me/profile/file?format=csv").text.splitlines()))
    assert [row[-1] for row in rows[1:]] == ["Teamed"] * 2
    player.put("/api/me/profile/shown", on=True)
    assert (
        second.get(f"/api/people/{player.id}/profile")["figures"] is None
    )  # public statistics include online games only
    assert club_with_team.organiser.get("/api/me/profile")["figures"] is None

    def deals() -> list[int]:
        numbers = (one.get("/api/me/profile")["figures"] for one in (second, third))
        return [figures["rates"]["deal_in"]["count"] for figures in numbers]

    before = deals()
    correct(game)
    assert deals() == [before[0], before[1] - 1]
