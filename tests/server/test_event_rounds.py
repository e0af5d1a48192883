"""Rounds on the server: seating, publishing, timers, games, and what changes in between."""

import random
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from conftest import scale
from jantaku.club import event_from, standings
from jantaku.club.seating import seat
from jantaku.kernels._jit import COMPILED
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
    stage = sixteen.make(rounds=5, seed=7)
    assert states(stage) == ["drafted"] * 5
    rounds = sixteen.seats(stage)
    assert all(sorted(chain(*tables)) == sorted(sixteen.names) for tables in rounds)
    names = [
        row["player"] for row in sixteen.organiser.get(f"{sixteen.path}/standings")["stages"][0]["standings"]
    ]
    plan = seat(names, 5, seed=7)
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
    sixteen.make(how="random")
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
    sixteen.make(how="random")
    tables = sixteen.post("publish", start=True)["rounds"][0]["tables"]
    for table in tables:
        path = f"{sixteen.path}/games/{table['game']}/points"
        assert states(sixteen.organiser.get(sixteen.rounds)) == ["running"]
        sixteen.referee.post(path, scores=[25000] * 4, why="paper")
    assert states(sixteen.organiser.get(sixteen.rounds)) == ["done"]


def test_the_timer_runs_pauses_and_gives_extra_time(sixteen: Tournament) -> None:
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"minutes": 60})
    sixteen.make(how="random")
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


def people(one: Message) -> list[str]:
    """Everybody in a round."""
    return [*chain(*(table["players"] for table in one["tables"])), *one["byes"]]


def played(tournament: Tournament, number: int) -> None:
    """Play a round: all games end with the same points."""
    stage = tournament.post(f"{number}/start")
    for table in stage["rounds"][number - 1]["tables"]:
        path = f"{tournament.path}/games/{table['game']}/points"
        tournament.referee.post(path, scores=[40000, 30000, 20000, 10000], why="paper")


def test_one_more_round_from_the_standings(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    sixteen.post("publish")
    played(sixteen, 1)
    standings = sixteen.organiser.get(f"{sixteen.path}/standings")["stages"][0]["standings"]
    stage = sixteen.make(how="ranking")
    assert [one["made_by"] for one in stage["rounds"]] == ["random", "ranking"]
    points = {row["player"]: row["points"] for row in standings}
    tables = sixteen.seats(stage)[1]
    assert [sorted({points[one] for one in table}) for table in tables] == [
        [value] for value in sorted(set(points.values()), reverse=True)
    ]
    swiss = sixteen.make(how="swiss", seed=3)
    assert swiss["quality"]["repeats"] <= 6  # the second round, still a draft, counts as seated
    assert len({*map(str, sixteen.seats(swiss)[1:])}) == 2


def test_a_prescribed_seating_is_imported(sixteen: Tournament) -> None:
    names = sixteen.names
    rounds = [[names[i : i + 4] for i in range(0, 16, 4)], [names[i:16:4] for i in range(4)]]
    body = "round,table,east,south,west,north\n" + "".join(
        f"{r},{t},{','.join(table)}\n"
        for r, tables in enumerate(rounds, 1)
        for t, table in enumerate(tables, 1)
    )
    for more in ({"rounds": rounds}, {"csv": body}, {"csv": body.replace("p00", "Player 0")}):
        found = sixteen.post("seating/import", **more)
        assert sixteen.seats(found) == rounds
        assert (found["quality"]["repeats"], found["rounds"][0]["seed"]) == (0, None)
    three = sixteen.post("seating/import", rounds=[rounds[0][:3]], first=3)["rounds"][2]
    assert sorted(three["byes"]) == sorted(rounds[0][3])
    path = f"{sixteen.rounds}/seating/import"
    for wrong, code in (
        ({"rounds": [[names[:3] + names[:1]]]}, "twice_in_round"),
        ({"rounds": [[names[:3]]]}, "table_seats"),
        ({"rounds": [[[*names[:3], "nobody"]]]}, "not_entered"),
        ({"csv": "1,x,a,b,c,d"}, "seating_row"),
        ({"csv": "1,1,a\n1,1,b"}, "seating_row"),
        ({"csv": "1,1,a\rb,1\r\n"}, "seating_row"),
        ({"csv": "61,1,a"}, "too_many_rounds"),
        ({}, "no_seating"),
    ):
        assert refused(sixteen.organiser, "POST", path, **wrong)[1] == code
    sixteen.post("publish", numbers=[1], start=True)
    assert refused(sixteen.organiser, "POST", path, rounds=rounds) == (409, "round_begun")


def test_a_wrong_seating_is_mended_and_later_rounds_are_made_again(sixteen: Tournament) -> None:
    sixteen.make(rounds=5, seed=1)
    sixteen.post("publish")
    first, second = (table["players"] for table in sixteen.post("1/start")["rounds"][0]["tables"][:2])
    game = sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"][0]["game"]
    path = f"{sixteen.path}/games/{game}"
    sixteen.recorder.post(f"{path}/hands", id="first-hand", follows="", hand=RON)
    penalty = {"stage": "main", "entry": first[0], "game": game, "points": -5000, "why": "chombo"}
    sixteen.referee.post(f"{sixteen.path}/penalties", **penalty)
    swap = {"swap": [first[0], second[0]]}
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/seats", **swap) == (400, "why_needed")
    stage = sixteen.referee.post(f"{sixteen.rounds}/1/seats", **swap, why="they sat so")
    tables = stage["rounds"][0]["tables"]
    assert [table["players"][0] for table in tables[:2]] == [second[0], first[0]]
    assert tables[0]["game"] == game
    assert sixteen.organiser.get(path)["seats"][0]["entry"] == second[0]
    assert sixteen.referee.get(f"{sixteen.path}/penalties")["penalties"][0]["entry"] == second[0]
    rebuilt = sixteen.make(how="rebuild", seed=5)
    assert states(rebuilt) == ["running", *["drafted"] * 4]
    assert rebuilt["quality"]["repeats"] == rebuilt["quality"]["bound"] == 0
    assert [sorted(people(one)) for one in rebuilt["rounds"]] == [sorted(sixteen.names)] * 5
    anew = sixteen.post("1/seats", swap=[second[0], first[0]], hands="restart", why="they changed back")
    assert [table["players"] for table in anew["rounds"][0]["tables"][:2]] == [first, second]
    assert anew["rounds"][0]["tables"][0]["game"] != game
    assert sixteen.organiser.get(path)["status"] == "cancelled"
    given = {"tables": {"1": second, "2": first}, "why": "whole tables"}
    final = sixteen.post("1/seats", **given)["rounds"][0]["tables"]
    assert [table["players"] for table in final[:2]] == [second, first]
    for wrong in ({"tables": {"1": first}}, {"swap": ["nobody", first[0]]}, {"tables": {"9": first}}):
        status, code = refused(sixteen.organiser, "POST", f"{sixteen.rounds}/1/seats", why="w", **wrong)
        assert (status, code) in ((409, "twice_in_round"), (409, "not_in_round"), (404, "no_round_table"))


def test_absent_late_and_withdrawn_players_are_not_seated(sixteen: Tournament) -> None:
    player, mine = sixteen.players[0], sixteen.entries[0]
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"late_until": 2})
    path = f"{sixteen.rounds}/absences"
    assert refused(player, "POST", path, entry=sixteen.entries[1], first=2)[0] == 403
    player.post(path, entry=mine, first=2, last=3)
    assert player.post(path, entry=mine, first=3, last=3, present=True)["absences"] == [
        {"entry": mine, "first": 2, "last": 2}
    ]
    assert sixteen.players[1].get(sixteen.rounds)["absences"] == []
    stage = sixteen.make(rounds=4)
    assert [mine in people(one) for one in stage["rounds"]] == [True, False, True, True]
    assert [len(one["byes"]) for one in stage["rounds"]] == [0, 3, 0, 0]
    sixteen.post("publish", numbers=[1], start=True)
    assert refused(player, "POST", path, entry=mine, first=1) == (409, "round_begun")
    late = [{"name": f"Late {i}", "id": f"late{i}"} for i in range(5)]
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=late)
    sixteen.organiser.post(f"{sixteen.path}/entries/{sixteen.names[5]}/withdraw")
    sixteen.organiser.post(path, entry="late4", first=2, last=2)
    stage = sixteen.make(how="plan")
    for one in stage["rounds"][1:]:
        assert sixteen.names[5] not in people(one)
        assert "late0" in people(one)
        assert "late4" not in people(one)  # who comes in after the second round is too late
        assert len(people(one)) == len(set(people(one)))


def test_substitutes_fill_tables_with_points_of_their_own(url: str) -> None:
    found = Tournament(url, 16)
    house = found.names[-1]
    settings = {"substitutes": [house], "substitute_points": -15000, "bye_points": 10000}
    path = f"{found.rounds}/settings"
    assert found.organiser.http.put(path, json=settings).status_code == 200
    found.organiser.http.patch(f"{found.path}/entries/{found.names[4]}", json={"status": "withdrawn"})
    stage = found.make(how="random")
    assert all(len(one["byes"]) == 2 for one in stage["rounds"])
    assert all(house not in people(one) for one in stage["rounds"])  # one substitute does not fill two seats
    found.organiser.http.patch(f"{found.path}/entries/{found.names[4]}", json={"status": "playing"})
    stage = found.make(rounds=2)
    assert all(house in people(one) and not one["byes"] for one in stage["rounds"])
    found.post("publish")
    played(found, 1)
    points = standings_of(found)
    assert points[house] == -15000
    others = {name: value for name, value in points.items() if name != house}
    found.organiser.http.put(path, json=settings | {"substitute_points": None, "substitute_uma": -20000})
    uma = standings_of(found)
    table = next(one for one in found.seats(found.organiser.get(found.rounds))[0] if house in one)
    assert uma[house] == [40000, 30000, 20000, 10000][table.index(house)] - 25000 - 20000
    assert {name: value for name, value in uma.items() if name != house} == others
    found.close()


def standings_of(found: Tournament) -> dict[str, int]:
    """The points of the stage of rounds; the exported file gives the same."""
    rows = found.organiser.get(f"{found.path}/standings")["stages"][0]["standings"]
    event = event_from(found.organiser.get(f"{found.path}/file"))
    assert {row.player: row.points for row in standings(event).stages["main"]} == {
        row["player"]: row["points"] for row in rows
    }
    return {row["player"]: row["points"] for row in rows}


def test_byes_are_worth_points_when_their_round_has_begun(url: str) -> None:
    found = Tournament(url, 6)
    found.organiser.http.put(f"{found.rounds}/settings", json={"bye_points": 12000})
    byes = found.make(rounds=3, seed=2)["rounds"][0]["byes"]
    assert len(byes) == 2
    found.post("publish")
    assert set(standings_of(found).values()) == {0}
    played(found, 1)
    points = standings_of(found)
    assert [points[name] for name in byes] == [12000, 12000]
    found.post("1/seats", swap=[byes[0], next(iter(set(points) - set(byes)))], why="came after all")
    assert standings_of(found)[byes[0]] != 12000
    found.close()


def test_a_replacement_takes_all_later_seats(sixteen: Tournament) -> None:
    for _ in range(3):
        sixteen.make(how="random")
    sixteen.post("publish", start=True)
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    gone = sixteen.names[7]
    stage = sixteen.referee.post(f"{sixteen.rounds}/replace", entry=gone, by="new", why="ill")
    assert [gone in people(one) for one in stage["rounds"]] == [True, False, False]
    assert ["new" in people(one) for one in stage["rounds"]] == [False, True, True]
    assert stage["absences"] == [{"entry": gone, "first": 2, "last": None}]
    path = f"{sixteen.rounds}/replace"
    twice = {"entry": sixteen.names[8], "by": gone, "now": True}
    assert refused(sixteen.referee, "POST", path, **twice) == (409, "twice_in_round")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Next", "id": "next"}])
    stage = sixteen.post("replace", entry=sixteen.names[8], by="next", now=True)
    assert ["next" in people(one) for one in stage["rounds"]] == [True, True, True]
    game = next(one["game"] for one in stage["rounds"][0]["tables"] if "next" in one["players"])
    seats = sixteen.organiser.get(f"{sixteen.path}/games/{game}")["seats"]
    assert "next" in [seat["entry"] for seat in seats]
    assert refused(sixteen.referee, "POST", path, entry=gone, by="next", first=3) == (409, "not_in_round")


def test_merged_entries_keep_their_seats(sixteen: Tournament) -> None:
    for _ in range(2):
        sixteen.make(how="random")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Same", "id": "same"}])
    merge = f"{sixteen.path}/entries/{sixteen.names[6]}/merge"
    assert refused(sixteen.organiser, "POST", merge, into=sixteen.names[7]) == (409, "both_seated")
    sixteen.organiser.post(merge, into="same")
    stage = sixteen.organiser.get(sixteen.rounds)
    assert all("same" in people(one) and sixteen.names[6] not in people(one) for one in stage["rounds"])


@pytest.mark.skipif(not COMPILED, reason="another limit of time")
def test_a_long_computation_can_be_cancelled(url: str) -> None:
    found = Tournament(url, 42)
    stage = found.post(
        "seating", rounds=14
    )  # the search takes many seconds, since it never reaches the bound
    assert (stage["work"]["state"], stage["rounds"]) == ("working", [])
    assert refused(found.organiser, "POST", f"{found.rounds}/seating", rounds=2) == (409, "seating_busy")
    assert found.referee.get(found.rounds)["work"] is None
    cancelled = found.post("seating/cancel")
    assert (cancelled["work"], cancelled["rounds"]) == (None, [])
    assert len(found.make(how="random")["rounds"]) == 1
    found.close()


@pytest.mark.parametrize(
    ("method", "path", "body", "refusal"),
    [
        ("GET", "rounds/nothing", {}, (404, "no_stage")),
        ("GET", "rounds/league", {}, (409, "stage_open")),
        ("POST", "rounds/main/seating", {}, (400, "missing_field")),
        ("POST", "rounds/main/seating", {"rounds": 61}, (422, "bad_request")),
        ("POST", "rounds/main/seating", {"how": "rebuild"}, (409, "no_round_left")),
        ("POST", "rounds/main/publish", {}, (409, "no_draft")),
        ("POST", "rounds/main/publish", {"numbers": [3]}, (404, "no_round")),
        ("POST", "rounds/main/1/start", {}, (404, "no_round")),
        ("POST", "rounds/main/1/finish", {}, (404, "no_round")),
        ("PUT", "rounds/main/settings", {"substitutes": ["nobody"]}, (409, "not_entered")),
        ("POST", "rounds/main/absences", {"entry": "nobody", "first": 1}, (409, "not_entered")),
        ("POST", "rounds/main/replace", {"entry": "nobody", "by": "p00"}, (409, "not_in_round")),
    ],
)
def test_what_is_refused(
    sixteen: Tournament, method: str, path: str, body: Message, refusal: tuple[int, str]
) -> None:
    assert refused(sixteen.organiser, method, f"{sixteen.path}/{path}", **body) == refusal


def test_a_stage_with_rounds_stays(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    answer = sixteen.organiser.http.patch(sixteen.path, json={"stages": [{"id": "league"}]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stage_used")


def test_too_few_players_make_no_table(url: str) -> None:
    found = Tournament(url, 4)
    found.post("absences", entry=found.names[0], first=1)
    for body in ({"rounds": 2}, {"how": "swiss"}):
        answer = refused(found.organiser, "POST", f"{found.rounds}/seating", **body)
        assert answer == (409, "too_few_players")
    found.close()


def test_only_who_got_in_is_seated_in_the_final(url: str) -> None:
    stages = [{"id": "main", "kind": "rounds"}, {"id": "final", "kind": "rounds", "from": "main", "cut": 4}]
    found = Tournament(url, 8, stages=stages)
    found.make(how="random", seed=1)
    found.post("publish")
    played(found, 1)
    rows = found.organiser.get(f"{found.path}/standings")["stages"][1]["standings"]
    admitted = {row["player"] for row in rows}
    assert len(admitted) == 4
    found.rounds = f"{found.path}/rounds/final"
    for how in ("ranking", "random"):
        assert set(people(found.make(how=how)["rounds"][-1])) == admitted
    found.close()


def test_the_same_seed_gives_the_same_seating(sixteen: Tournament) -> None:
    first = sixteen.seats(sixteen.make(rounds=5, seed=9))
    assert sixteen.seats(sixteen.make(rounds=5, seed=10)) != first
    assert sixteen.seats(sixteen.make(rounds=5, seed=9)) == first


def test_who_should_not_meet_is_for_organisers_only(sixteen: Tournament) -> None:
    pair = sixteen.names[:2]
    put = sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"apart": [pair], "minutes": 5})
    assert put.json()["settings"]["apart"] == [pair]
    for person in (sixteen.players[0], sixteen.referee):
        shown = person.get(sixteen.rounds)["settings"]
        assert (shown["apart"], shown["minutes"]) == ([], 5)
    assert pair[1] not in str([row["after"] for row in changes(sixteen) if row["action"] == "rounds"])
    stage = [sixteen.make(how="random", seed=seed) for seed in range(3)][-1]
    assert stage["quality"]["together"] == 0
    assert not any(set(pair) <= set(table) for tables in sixteen.seats(stage) for table in tables)


def changes(found: Tournament) -> list[Message]:
    return list(found.organiser.get(f"{found.path}/log")["changes"])


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 61, 2**31, 1e308, 0.5, "", "p00", "\x00", "𝕏" * 90, "1,1,a,b,c,d\n\n2", [], {},
    [[]], [["p00"] * 4], {"1": []}, {"0": ["p00"] * 4}, {"x": 1}, ["p00", "p00"], "plan", "pause",
)  # fmt: skip
BODIES: dict[str, Message] = {
    "settings": {"minutes": 1, "last_hand": {"en": "x"}, "substitutes": [], "apart": [], "bye_points": 0},
    "seating": {"how": "random", "rounds": 2, "first": 1, "seed": 1},
    "seating/import": {"rounds": [], "csv": "", "first": 1},
    "seating/discard": {"numbers": [9]},
    "publish": {"numbers": [9], "start": True},
    "1/timer": {"action": "start", "minutes": 5, "extra_s": 1, "table": 1, "why": ""},
    "1/finish": {"everything": True, "why": "w"},
    "1/seats": {"swap": ["p00", "p01"], "tables": {}, "hands": "keep", "why": "w"},
    "1/tables/1/finish": {"scores": [25000] * 4, "why": "w"},
    "absences": {"entry": "p00", "first": 9, "last": 9, "present": True},
    "replace": {"entry": "p00", "by": "p01", "first": 1, "now": True, "why": "w"},
}


def test_odd_bodies_cause_no_server_error(sixteen: Tournament) -> None:
    chance, found = random.Random(11), dict[int, int]()
    sixteen.make(how="random")
    sixteen.post("publish", start=True)
    for path, body in BODIES.items():
        for _ in range(scale(40)):
            odd = dict(body)
            for name in chance.sample([*body, "extra"], chance.randint(1, 2)):
                odd[name] = chance.choice(ODD)
            method = "PUT" if path == "settings" else "POST"
            answer = sixteen.organiser.http.request(method, f"{sixteen.rounds}/{path}", json=odd)
            assert answer.status_code < 500, (path, odd, answer.text)
            found[answer.status_code] = found.get(answer.status_code, 0) + 1
    assert found[200] > 0
    assert sum(count for status, count in found.items() if status >= 400) > 0
    assert sixteen.organiser.get(sixteen.rounds)["stage"] == "main"
