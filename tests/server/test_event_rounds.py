"""Rounds on the server: seating, publishing, timers and games."""

import asyncio
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from conftest import scale
from jantaku.club import event_from, standings
from jantaku.club.seating import seat
from jantaku.kernels._jit import COMPILED
from jantaku.server.errors import ServerError
from jantaku.server.events.rounds import seating
from jantaku.server.events.rounds.seating import SeatingWorks
from server.clubs import (
    BUST,
    DRAW,
    RON,
    Gathering,
    Table,
    Tournament,
    people,
    played,
    refused,
    standings_of,
    states,
)
from server.parlour import Message, Person


@pytest.mark.slow
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
    assert {round_["seed"] for round_ in stage["rounds"]} == {7}
    player = sixteen.players[0]
    assert player.get(sixteen.rounds)["rounds"] == []
    assert player.get(sixteen.rounds)["quality"] is None
    before = sixteen.view()["revision"]
    sixteen.post("publish", numbers=[1, 2])
    assert sixteen.view()["revision"] > before
    assert states(player.get(sixteen.rounds)) == ["published"] * 2
    assert sixteen.seats(player.get(sixteen.rounds)) == rounds[:2]
    everything = player.get(f"{sixteen.path}/rounds")
    assert [stage["stage"] for stage in everything["stages"]] == ["main"]
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
    round_ = sixteen.post("1/tables/2/start")["rounds"][0]
    assert [table["game"] is not None for table in round_["tables"]] == [False, True, False, False]
    assert (round_["state"], round_["timer"]["running"]) == ("running", False)
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


def test_a_round_begun_by_mistake_waits_again_until_something_is_entered(sixteen: Tournament) -> None:
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"minutes": 60})
    sixteen.make(how="random")
    published = sixteen.post("publish")["rounds"][0]
    assert sixteen.post("1/take-back")["rounds"][0] == published  # it has not begun
    first = sixteen.post("1/start")["rounds"][0]
    sixteen.post("1/timer", extra_s=60, table=2)
    assert sixteen.post("1/take-back", why="too early")["rounds"][0] == published
    games = sixteen.organiser.get(f"{sixteen.path}/games")["games"]
    assert [game["status"] for game in games] == ["cancelled"] * 4
    again = sixteen.post("1/start")["rounds"][0]
    penalty = {"entry": again["tables"][1]["players"][0], "game": again["tables"][1]["game"], "points": -500}
    sixteen.referee.post(f"{sixteen.path}/penalties", stage="main", why="late", **penalty)
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/take-back") == (409, "round_played")
    assert {table["game"] for table in again["tables"]}.isdisjoint(table["game"] for table in first["tables"])
    old, new = (f"{sixteen.path}/games/{round_['tables'][2]['game']}/hands" for round_ in (first, again))
    hand = {"id": "first-hand", "follows": "", "hand": RON}
    assert refused(sixteen.recorder, "POST", old, **hand) == (409, "game_closed")
    sixteen.recorder.post(new, **hand)
    answer = sixteen.referee.http.post(f"{sixteen.rounds}/1/take-back", json={})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "round_played")
    assert ": 2, 3." in answer.json()["error"]["message"]
    over = sixteen.post("1/finish", everything=True, why="the hall closes")["rounds"][0]
    assert over["state"] == "done"
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/take-back") == (409, "round_played")


def test_hands_recorded_before_a_round_was_taken_back_are_not_lost(sixteen: Tournament) -> None:
    """A phone without a network sends its hand afterwards; a referee lets the game go on for it."""
    sixteen.make(how="random")
    first = sixteen.post("publish", start=True)["rounds"][0]["tables"][2]["game"]
    sixteen.post("1/take-back")
    game, hand = f"{sixteen.path}/games/{first}", {"id": "first-hand", "follows": "", "hand": RON}
    assert refused(sixteen.recorder, "POST", f"{game}/hands", **hand) == (409, "game_closed")
    sixteen.referee.post(f"{game}/status", status="playing", why="they have played")
    sixteen.recorder.post(f"{game}/hands", **hand)
    again = sixteen.post("1/start")["rounds"][0]
    assert again["tables"][2]["game"] == first
    games = sixteen.organiser.get(f"{sixteen.path}/games")["games"]
    assert sum(game["status"] == "playing" for game in games) == 4


def test_of_two_referees_one_ends_a_round_and_one_takes_it_back(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    sixteen.post("publish")

    def asked(person: Person, path: str, **body: Any) -> None:
        person.http.post(f"{sixteen.rounds}/1/{path}", json={"why": "w", **body})

    for i in range(12):
        sixteen.post("1/start")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asked, sixteen.referee, "finish", everything=True)
            time.sleep(i * 0.006)
            asked(sixteen.organiser, "take-back")
        round_ = sixteen.organiser.get(sixteen.rounds)["rounds"][0]
        begun = {table["game"] is not None for table in round_["tables"]}
        assert (round_["state"], begun) in (("done", {True}), ("published", {False}))
        sixteen.post("1/take-back")


def test_a_round_is_done_when_all_its_games_are_confirmed(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    tables = sixteen.post("publish", start=True)["rounds"][0]["tables"]
    for table in tables:
        path = f"{sixteen.path}/games/{table['game']}/points"
        assert states(sixteen.organiser.get(sixteen.rounds)) == ["running"]
        sixteen.referee.post(path, scores=[25000] * 4, why="paper")
    assert states(sixteen.organiser.get(sixteen.rounds)) == ["done"]


@pytest.mark.slow
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


def test_one_more_round_from_the_standings(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    sixteen.post("publish")
    played(sixteen, 1)
    standings = sixteen.organiser.get(f"{sixteen.path}/standings")["stages"][0]["standings"]
    stage = sixteen.make(how="ranking")
    assert [round_["made_by"] for round_ in stage["rounds"]] == ["random", "ranking"]
    points = {row["player"]: row["points"] for row in standings}
    tables = sixteen.seats(stage)[1]
    assert [sorted({points[entry] for entry in table}) for table in tables] == [
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
    for more in (
        {"rounds": rounds},
        {"csv": body},
        {"csv": body.replace("p00", "Player 0")},
        {"csv": body.replace("p00", "ＰＬＡＹＥＲ 0")},
        {"csv": body.replace(",", "\t")},
    ):
        seated = sixteen.post("seating/import", **more)
        assert sixteen.seats(seated) == rounds
        assert (seated["quality"]["repeats"], seated["rounds"][0]["seed"]) == (0, None)
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


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="another limit of time")
def test_a_long_computation_can_be_cancelled(url: str) -> None:
    cup = Tournament(url, 42)
    stage = cup.post("seating", rounds=14)  # the search takes many seconds, since it never reaches the bound
    assert (stage["work"]["state"], stage["rounds"]) == ("working", [])
    assert refused(cup.organiser, "POST", f"{cup.rounds}/seating", rounds=2) == (409, "seating_busy")
    assert cup.referee.get(cup.rounds)["work"] is None
    cancelled = cup.post("seating/cancel")
    assert (cancelled["work"], cancelled["rounds"]) == (None, [])
    assert len(cup.make(how="random")["rounds"]) == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_stage_with_rounds_stays(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    answer = sixteen.organiser.http.patch(sixteen.path, json={"stages": [{"id": "league"}]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stage_used")


def test_too_few_players_make_no_table(url: str) -> None:
    cup = Tournament(url, 4)
    cup.post("absences", entry=cup.names[0], first=1)
    for body in ({"rounds": 2}, {"how": "swiss"}):
        answer = refused(cup.organiser, "POST", f"{cup.rounds}/seating", **body)
        assert answer == (409, "too_few_players")


@pytest.mark.slow
def test_only_who_got_in_is_seated_in_the_final(url: str) -> None:
    stages = [{"id": "main", "kind": "rounds"}, {"id": "final", "kind": "rounds", "from": "main", "cut": 4}]
    cup = Tournament(url, 8, stages=stages)
    cup.make(how="random", seed=1)
    cup.post("publish")
    played(cup, 1)
    rows = cup.organiser.get(f"{cup.path}/standings")["stages"][1]["standings"]
    admitted = {row["player"] for row in rows}
    assert len(admitted) == 4
    cup.rounds = f"{cup.path}/rounds/final"
    for how in ("ranking", "random"):
        assert set(people(cup.make(how=how)["rounds"][-1])) == admitted


def test_the_same_seed_gives_the_same_seating(sixteen: Tournament) -> None:
    first = sixteen.seats(sixteen.make(rounds=5, seed=9))
    assert sixteen.seats(sixteen.make(rounds=5, seed=10)) != first
    assert sixteen.seats(sixteen.make(rounds=5, seed=9)) == first


@pytest.mark.slow
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


def changes(cup: Tournament) -> list[Message]:
    return list(cup.organiser.get(f"{cup.path}/log")["changes"])


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 61, 2**31, 1e308, 0.5, "", "p00", "\x00", "𝕏" * 90, "1,1,a,b,c,d\n\n2", [], {},
    [[]], [["p00"] * 4], {"1": []}, {"0": ["p00"] * 4}, {"x": 1}, ["p00", "p00"], "plan", "pause",
)  # fmt: skip
BODIES: dict[str, Message] = {
    "settings": {"minutes": 1, "last_hand": "x", "substitutes": [], "apart": [], "bye_points": 0},
    "seating": {"how": "random", "rounds": 2, "first": 1, "seed": 1},
    "seating/import": {"rounds": [], "csv": "", "first": 1},
    "seating/discard": {"numbers": [9]},
    "publish": {"numbers": [9], "start": True},
    "1/timer": {"action": "start", "minutes": 5, "extra_s": 1, "table": 1, "why": ""},
    "1/finish": {"everything": True, "why": "w"},
    "1/take-back": {"why": "w"},
    "1/seats": {"swap": ["p00", "p01"], "tables": {}, "hands": "keep", "why": "w"},
    "1/tables/1/finish": {"scores": [25000] * 4, "why": "w"},
    "absences": {"entry": "p00", "first": 9, "last": 9, "present": True},
    "replace": {"entry": "p00", "by": "p01", "first": 1, "now": True, "why": "w"},
}


@pytest.mark.slow
def test_odd_bodies_cause_no_server_error(sixteen: Tournament) -> None:
    chance, statuses = random.Random(11), dict[int, int]()
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
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
    assert statuses[200] > 0
    assert sum(count for status, count in statuses.items() if status >= 400) > 0
    assert sixteen.organiser.get(sixteen.rounds)["stage"] == "main"


def test_two_organisers_do_not_take_back_each_others_settings(sixteen: Tournament) -> None:
    path, http = f"{sixteen.rounds}/settings", sixteen.organiser.http  # in two windows
    seen = sixteen.organiser.get(sixteen.rounds)["revision"]
    first = http.put(path, json={"minutes": 60, "revision": seen})
    assert first.status_code == 200
    late = http.put(path, json={"bye_points": 500, "revision": seen})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "rounds_moved_on")
    sixteen.make(how="random")
    again = http.put(
        path, json={"minutes": 60, "bye_points": 500, "revision": first.json()["revision"]}
    ).json()
    assert (again["settings"]["minutes"], again["settings"]["bye_points"]) == (60, 500)
    assert "revision" not in again["settings"]


# What changes between rounds: wrong seats, absences, substitutes, byes, replacements


@pytest.mark.slow
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
    assert [sorted(people(round_)) for round_ in rebuilt["rounds"]] == [sorted(sixteen.names)] * 5
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


@pytest.mark.slow
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
    assert [mine in people(round_) for round_ in stage["rounds"]] == [True, False, True, True]
    assert [len(round_["byes"]) for round_ in stage["rounds"]] == [0, 3, 0, 0]
    sixteen.post("publish", numbers=[1], start=True)
    assert refused(player, "POST", path, entry=mine, first=1) == (409, "round_begun")
    late = [{"name": f"Late {i}", "id": f"late{i}"} for i in range(5)]
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=late)
    sixteen.organiser.post(f"{sixteen.path}/entries/{sixteen.names[5]}/withdraw")
    sixteen.organiser.post(path, entry="late4", first=2, last=2)
    stage = sixteen.make(how="plan")
    for round_ in stage["rounds"][1:]:
        assert sixteen.names[5] not in people(round_)
        assert "late0" in people(round_)
        assert "late4" not in people(round_)  # who comes in after the second round is too late
        assert len(people(round_)) == len(set(people(round_)))


@pytest.mark.slow
def test_substitutes_fill_tables_with_points_of_their_own(url: str) -> None:
    cup = Tournament(url, 16)
    house = cup.names[-1]
    settings = {"substitutes": [house], "substitute_points": -15000, "bye_points": 10000}
    path = f"{cup.rounds}/settings"
    assert cup.organiser.http.put(path, json=settings).status_code == 200
    cup.organiser.http.patch(f"{cup.path}/entries/{cup.names[4]}", json={"status": "withdrawn"})
    stage = cup.make(how="random")
    assert all(len(round_["byes"]) == 2 for round_ in stage["rounds"])
    assert all(
        house not in people(round_) for round_ in stage["rounds"]
    )  # one substitute does not fill two seats
    cup.organiser.http.patch(f"{cup.path}/entries/{cup.names[4]}", json={"status": "playing"})
    stage = cup.make(rounds=2)
    assert all(house in people(round_) and not round_["byes"] for round_ in stage["rounds"])
    cup.post("publish")
    played(cup, 1)
    points = standings_of(cup)
    assert points[house] == -15000
    others = {name: value for name, value in points.items() if name != house}
    cup.organiser.http.put(path, json=settings | {"substitute_points": None, "substitute_uma": -20000})
    uma = standings_of(cup)
    table = next(seats for seats in cup.seats(cup.organiser.get(cup.rounds))[0] if house in seats)
    assert uma[house] == [40000, 30000, 20000, 10000][table.index(house)] - 25000 - 20000
    assert {name: value for name, value in uma.items() if name != house} == others


@pytest.mark.slow
def test_byes_are_worth_points_when_their_round_has_begun(url: str) -> None:
    cup = Tournament(url, 6)
    cup.organiser.http.put(f"{cup.rounds}/settings", json={"bye_points": 12000})
    byes = cup.make(rounds=3, seed=2)["rounds"][0]["byes"]
    assert len(byes) == 2
    cup.post("publish")
    assert set(standings_of(cup).values()) == {0}
    played(cup, 1)
    points = standings_of(cup)
    assert [points[name] for name in byes] == [12000, 12000]
    listed = cup.organiser.get(f"{cup.path}/standings")["byes"]
    assert sorted(listed, key=lambda bye: byes.index(bye["player"])) == [
        {"stage": listed[0]["stage"], "player": name, "points": 12000} for name in byes
    ]
    cup.post("1/seats", swap=[byes[0], next(iter(set(points) - set(byes)))], why="came after all")
    assert standings_of(cup)[byes[0]] != 12000
    before = standings_of(cup)
    cup.post("2/start")
    assert standings_of(cup) != before
    cup.post("2/finish", everything=True, why="nobody came")
    assert standings_of(cup) == before  # all of its games are cancelled
    cup.post("2/take-back")
    cup.post("2/start")
    assert standings_of(cup) != before
    cup.post("2/take-back", why="started by mistake")
    assert standings_of(cup) == before


@pytest.mark.slow
def test_who_does_not_play_in_a_round_neither_starts_it_nor_has_its_bye(url: str) -> None:
    """With 11 players three have a bye; one of them, and one at a table, say that they do not come."""
    cup = Tournament(url, 11)
    cup.organiser.http.put(f"{cup.rounds}/settings", json={"bye_points": 12000})
    byes = cup.make(rounds=3, seed=2)["rounds"][0]["byes"]
    cup.post("publish")
    tables = cup.organiser.get(cup.rounds)["rounds"][0]["tables"]
    gone = tables[1]["players"][2]
    for away in (gone, byes[0]):
        cup.post("absences", entry=away, first=1, last=1)
    answer = cup.referee.http.post(f"{cup.rounds}/1/start")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seated_gone")
    seats = [byes[1] if player == gone else player for player in tables[1]["players"]]
    moved = cup.post("1/seats", tables={"2": seats})["rounds"][0]
    assert {gone, byes[1]}.isdisjoint(moved["byes"])
    assert cup.post("1/start")["rounds"][0]["byes"] == byes[2:]
    points = standings_of(cup)
    assert {name: points[name] for name in (gone, *byes)} == {gone: 0, byes[0]: 0, byes[1]: 0, byes[2]: 12000}
    leaver = tables[0]["players"][0]
    cup.organiser.http.patch(f"{cup.path}/entries/{leaver}", json={"status": "withdrawn", "why": "ill"})
    seats = [byes[2] if player == leaver else player for player in tables[0]["players"]]
    assert cup.post("1/seats", tables={"1": seats}, why="ill")["rounds"][0]["byes"] == []


@pytest.mark.slow
def test_a_replacement_takes_all_later_seats(sixteen: Tournament) -> None:
    for _ in range(3):
        sixteen.make(how="random")
    sixteen.post("publish", start=True)
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "New", "id": "new"}])
    gone = sixteen.names[7]
    stage = sixteen.referee.post(f"{sixteen.rounds}/replace", entry=gone, by="new", why="ill")
    assert [gone in people(round_) for round_ in stage["rounds"]] == [True, False, False]
    assert ["new" in people(round_) for round_ in stage["rounds"]] == [False, True, True]
    assert stage["absences"] == [{"entry": gone, "first": 2, "last": None}]
    path = f"{sixteen.rounds}/replace"
    twice = {"entry": sixteen.names[8], "by": gone, "now": True}
    assert refused(sixteen.referee, "POST", path, **twice) == (409, "twice_in_round")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Next", "id": "next"}])
    stage = sixteen.post("replace", entry=sixteen.names[8], by="next", now=True)
    assert ["next" in people(round_) for round_ in stage["rounds"]] == [True, True, True]
    game = next(table["game"] for table in stage["rounds"][0]["tables"] if "next" in table["players"])
    seats = sixteen.organiser.get(f"{sixteen.path}/games/{game}")["seats"]
    assert "next" in [seat["entry"] for seat in seats]
    assert refused(sixteen.referee, "POST", path, entry=gone, by="next", first=3) == (409, "not_in_round")


@pytest.mark.slow
def test_a_reserve_who_has_not_played_yet_stays_when_the_rounds_are_made_anew(url: str) -> None:
    stages: list[Message] = [{"id": "league"}, {"id": "main", "kind": "rounds", "from": "league", "cut": 4}]
    cup = Tournament(url, 5, stages=stages)
    game = {"id": "league-game", "stage": "league", "players": cup.entries}
    cup.referee.post(f"{cup.path}/games", **game, scores=[40000, 30000, 20000, 10000])
    cup.make(rounds=2)
    gone, reserve = cup.names[1], cup.names[4]
    cup.post("publish")
    cup.post("replace", entry=gone, by=reserve, why="ill")
    stage = cup.make(how="rebuild")
    left = [name for name in cup.names if name != gone]
    assert [sorted(people(round_)) for round_ in stage["rounds"]] == [sorted(left)] * 2


@pytest.mark.slow
def test_who_fills_a_table_or_was_replaced_before_a_game_has_no_rank(url: str) -> None:
    """The best of all is the house's substitute; the final's first has left before it began."""
    stages: list[Message] = [
        {"id": "main", "kind": "rounds"},
        {"id": "title", "kind": "rounds", "from": "main", "cut": 4, "carry": 0.5},
    ]
    cup = Tournament(url, 8, stages=stages)
    house = cup.names[-1]
    cup.organiser.http.put(
        f"{cup.rounds}/settings", json={"substitutes": [house], "substitute_points": 90000}
    )
    assert house in people(cup.make(how="random")["rounds"][0])
    cup.post("publish")
    played(cup, 1)

    def rows(stage: int) -> list[Message]:
        return list(cup.organiser.get(f"{cup.path}/standings")["stages"][stage]["standings"])

    assert [(row["rank"], row["points"]) for row in rows(0) if row["player"] == house] == [(None, 90000)]
    finalists = [row["player"] for row in rows(1)]
    assert house not in finalists
    assert len(finalists) >= 4
    main, cup.rounds = cup.rounds, f"{cup.path}/rounds/title"
    cup.make(how="random")
    cup.post("publish")
    seated = people(cup.organiser.get(cup.rounds)["rounds"][0])
    first = next(row["player"] for row in rows(1) if row["player"] in seated)
    reserve = next(row["player"] for row in rows(0) if row["player"] not in {*finalists, house})
    cup.post("replace", entry=first, by=reserve, now=True)
    played(cup, 1)
    ranks = {row["player"]: row["rank"] for row in rows(1)}
    assert ranks[first] is None
    assert ranks[reserve] is not None
    file = cup.organiser.get(f"{cup.path}/file")
    assert {game["round"] for game in file["games"]} == {1}
    filed = event_from(file)
    assert {standing.player: standing.rank for standing in standings(filed).stages["title"]} == ranks
    again = cup.organiser.post("/api/events/import", file=file)
    assert again["id"] != cup.id
    cup.rounds = main


@pytest.mark.slow
def test_merged_entries_keep_their_seats(sixteen: Tournament) -> None:
    for _ in range(2):
        sixteen.make(how="random")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Same", "id": "same"}])
    merge = f"{sixteen.path}/entries/{sixteen.names[6]}/merge"
    assert refused(sixteen.organiser, "POST", merge, into=sixteen.names[7]) == (409, "both_seated")
    sixteen.organiser.post(merge, into="same")
    stage = sixteen.organiser.get(sixteen.rounds)
    assert all(
        "same" in people(round_) and sixteen.names[6] not in people(round_) for round_ in stage["rounds"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seated", [False, True])
def test_of_two_entries_merged_the_settings_go_with_whoever_stays(
    sixteen: Tournament, *, seated: bool
) -> None:
    """A reserve who has come twice stays a reserve; whoever is seated already stays a player."""
    listed = [{"name": "Reserve", "id": "reserve"}, {"name": "Again", "id": "again"}]
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=listed)
    settings = {"substitutes": ["reserve"], "apart": [["reserve", sixteen.names[0]], ["reserve", "again"]]}
    put = sixteen.organiser.http.put
    put(f"{sixteen.rounds}/settings", json=settings).raise_for_status()
    for away in (("reserve", 2, 2), ("again", 2, 3)):
        body = dict(zip(("entry", "first", "last"), away, strict=True))
        sixteen.organiser.post(f"{sixteen.rounds}/absences", **body)
    into = sixteen.names[1] if seated else "again"
    if seated:
        sixteen.make(how="random")
    before = sixteen.organiser.get(sixteen.path)["revision"]
    sixteen.organiser.post(f"{sixteen.path}/entries/reserve/merge", into=into)
    stage = sixteen.organiser.get(sixteen.rounds)
    apart = [[into, sixteen.names[0]]] + ([[into, "again"]] if seated else [])
    assert stage["settings"]["apart"] == apart
    assert stage["settings"]["substitutes"] == ([] if seated else ["again"])
    absent = {(away["entry"], away["first"], away["last"]) for away in stage["absences"]}
    assert absent == {("again", 2, 3)}
    again = put(f"{sixteen.rounds}/settings", json=settings)
    assert (again.status_code, again.json()["error"]["code"]) == (
        404,
        "not_entered",
    ) or again.status_code == 409
    stale = put(f"{sixteen.rounds}/settings", json={"minutes": 90, "revision": before})
    assert stale.json()["error"]["code"] == "rounds_moved_on"


# The results of a round on one sheet: each table for itself, and a reason only for what was there


SCORES = [40000, 30000, 20000, 10000]


def one(table: int, *scores: int, **more: Any) -> Message:
    return {"table": table, "scores": list(scores or SCORES)} | more


def published(cup: Tournament) -> Message:
    cup.make(how="plan", rounds=2)
    return cup.post("publish")


def enter(cup: Tournament, *results: Message, number: int = 1, **more: Any) -> dict[int, str]:
    """Enter results as the referee; returns the tables that were refused with their codes."""
    answer = cup.referee.post(f"{cup.rounds}/{number}/results", results=list(results), **more)
    assert not any("scores" in row["problem"]["message"] for row in answer["refused"])  # said for people
    return {row["table"]: row["problem"]["code"] for row in answer["refused"]}


def games(cup: Tournament, number: int = 1) -> dict[str, Message]:
    listed = cup.referee.get(f"{cup.path}/games", stage="main", round=number)["games"]
    assert {row["round"] for row in listed} <= {number}
    for row in listed:
        shown = cup.referee.get(f"{cup.path}/games/{row['id']}")
        assert (shown["round"], shown["game_number"]) == (number, row["number"])
    return {row["label"]: row for row in listed}


@pytest.mark.slow
def test_a_sheet_of_results_ends_the_games_of_all_tables(sixteen: Tournament) -> None:
    published(sixteen)
    assert enter(sixteen, *(one(table) for table in (1, 2, 3, 4))) == {}
    assert [row["state"] for row in sixteen.organiser.get(sixteen.rounds)["rounds"]] == ["done", "published"]
    assert {row["status"] for row in games(sixteen).values()} == {"confirmed"}
    assert sum(standings_of(sixteen).values()) == 0
    assert games(sixteen, 2) == {}


@pytest.mark.slow
def test_what_is_wrong_keeps_no_other_table_back(sixteen: Tournament) -> None:
    published(sixteen)
    answer = enter(
        sixteen,
        one(1),
        one(2, 40000, 30000, 20000, 10100),
        one(3, 40000, 30000, 20000, 9000),  # a stick lies on the table: it goes to first place
        one(3),
        one(9),
    )
    assert answer == {2: "points_sum", 3: "table_twice", 9: "no_round_table"}
    left = games(sixteen)
    assert (left["2"]["status"], left["1"]["scores"]) == ("playing", SCORES)
    assert left["3"]["scores"] == [41000, 30000, 20000, 9000]


@pytest.mark.slow
def test_only_what_replaces_something_needs_a_reason(sixteen: Tournament) -> None:
    published(sixteen)
    assert enter(sixteen, one(1)) == {}
    assert enter(sixteen, one(1)) == {}  # the same again changes nothing
    other = one(1, 10000, 20000, 30000, 40000)
    assert enter(sixteen, other) == {1: "game_moved_on"}  # another referee's points, perhaps
    seen = games(sixteen)["1"]["revision"]
    assert enter(sixteen, other | {"revision": seen}) == {1: "why_needed"}
    assert enter(sixteen, other | {"revision": seen - 1}, why="typed upside down") == {1: "game_moved_on"}
    assert enter(sixteen, other | {"revision": seen}, why="typed upside down") == {}
    sixteen.organiser.post(f"{sixteen.rounds}/1/tables/2/start")
    game = games(sixteen)["2"]["id"]
    hand = {"id": "hand-of-2", "follows": "", "hand": RON}
    sixteen.recorder.post(f"{sixteen.path}/games/{game}/hands", **hand)
    assert enter(sixteen, one(2)) == {2: "why_needed"}  # hands were recorded there
    assert enter(sixteen, one(2), why="from the paper sheet") == {}


@pytest.mark.parametrize("body", [
    {"results": []},
    {"results": [one(1, *([25000] * 9))]},
    {"results": [{"table": 1, "scores": ["=1+1"] * 4}]},
    {"results": [one(1, 10**9, 0, 0, 0)]},
    {"results": [one(1)] * 10_000},
])  # fmt: skip
@pytest.mark.slow
def test_junk_is_refused_whole(sixteen: Tournament, body: Message) -> None:
    published(sixteen)
    assert refused(sixteen.referee, "POST", f"{sixteen.rounds}/1/results", **body)[0] in (400, 413, 422)
    assert games(sixteen) == {}


@pytest.mark.slow
def test_a_draft_takes_no_results(sixteen: Tournament) -> None:
    sixteen.make(how="plan", rounds=1)
    assert enter(sixteen, one(1)) == {1: "round_drafted"}
    answer = refused(sixteen.referee, "POST", f"{sixteen.rounds}/7/results", results=[one(1)])
    assert answer == (404, "no_round")


# What went wrong is put right: other rules, other seats, reserves, and people who did not come


HIGHER = 'extends = "tenhou"\n[match]\numa = [30000, 10000, -10000, -30000]\n'
THREE = "tenhou-3"


@pytest.fixture
def club(url: str) -> Gathering:
    return Gathering(url, rules="tenhou", stages=[{"id": "league"}])


def higher(club: Gathering) -> str:
    return str(club.organiser.post("/api/rules", toml=HIGHER)["id"])


def preview(club: Gathering, rules: str) -> Message:
    return dict(club.organiser.post(f"{club.path}/rules/preview", rules=rules))


def finals(club: Gathering, table: Table) -> list[int]:
    return list(table.view(club.organiser)["final"])


@pytest.mark.slow
def test_other_rules_show_what_changes_and_then_change_it(club: Gathering) -> None:
    counted, going = Table(club, "counted"), Table(club, "going")
    counted.enter(BUST)
    counted.confirm(club.referee, everybody=True)
    going.enter(RON)
    rules, before = higher(club), finals(club, counted)
    assert refused(club.organiser, "PATCH", club.path, rules=rules) == (409, "rules_fixed")
    shown = preview(club, rules)
    assert [(row["game"], row["before"], row["problem"]) for row in shown["games"]] == [
        (counted.id, before, None)
    ]
    assert (shown["unchanged"], shown["used"]) == (1, True)
    assert finals(club, counted) == before  # nothing is stored yet
    changed = club.organiser.post(f"{club.path}/rules", rules=rules, seen=shown["seen"], why="the wrong uma")
    assert changed["rules"] == rules
    assert finals(club, counted) == shown["games"][0]["after"] != before
    rows = club.organiser.get(f"{club.path}/standings")["stages"][0]["standings"]
    assert max(row["points"] for row in rows) == max(finals(club, counted))
    log = club.organiser.get(f"{club.path}/log")["changes"]
    rule, game = (next(event for event in log if event["action"] == name) for name in ("rules", "resettled"))
    assert (rule["before"]["rules"], rule["after"]["games"], rule["why"]) == ("tenhou", 1, "the wrong uma")
    assert (game["game"], game["before"]["points"]) == (counted.id, before)
    back = preview(club, "tenhou")
    club.organiser.post(f"{club.path}/rules", rules="tenhou", seen=back["seen"], why="back again")
    assert finals(club, counted) == before
    kept = club.organiser.get(f"{club.path}/log")["changes"][0]["before"]
    assert kept["tree"]["match"]["uma"] == [30000, 10000, -10000, -30000]  # the version is kept whole


@pytest.mark.slow
def test_a_change_is_refused_that_was_seen_otherwise(club: Gathering) -> None:
    table, rules = Table(club, "seen-before"), higher(club)
    seen = preview(club, rules)["seen"]
    table.enter(RON)
    body = {"rules": rules, "seen": seen, "why": "w"}
    assert refused(club.organiser, "POST", f"{club.path}/rules", **body) == (409, "event_moved_on")
    assert refused(club.organiser, "POST", f"{club.path}/rules", **(body | {"why": ""}))[0] in (400, 422)


@pytest.mark.parametrize(("rules", "code"), [(THREE, "rules_seats"), ("no-such", "no_rules")])
@pytest.mark.slow
def test_rules_that_do_not_fit_are_refused(club: Gathering, rules: str, code: str) -> None:
    Table(club, "unfit-one")
    assert refused(club.organiser, "POST", f"{club.path}/rules/preview", rules=rules)[1] == code


@pytest.mark.slow
def test_games_that_other_rules_cannot_settle_hold_the_change_up(club: Gathering) -> None:
    """A game of 25,000 each does not add up where everybody begins with 30,000."""
    toml = 'extends = "tenhou"\n[match]\nstart_points = 30000\n'
    rules = club.organiser.post("/api/rules", toml=toml)["id"]
    body = {"id": "by-points", "stage": "league", "players": club.entries, "scores": SCORES}
    club.referee.post(f"{club.path}/games", **body)
    short = Table(club, "bust-by-tenhou")
    short.enter({"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 1}]})
    short.confirm(club.referee, everybody=True)
    shown = preview(club, rules)
    problems = {game["game"]: game["problem"] and game["problem"]["code"] for game in shown["games"]}
    assert problems["by-points"] == "points_sum"
    said = [game["problem"]["message"] for game in shown["games"] if game["problem"]]
    assert not any("scores" in message or "hands[" in message for message in said)  # said for people
    body = {"rules": rules, "seen": shown["seen"], "why": "w"}
    assert refused(club.organiser, "POST", f"{club.path}/rules", **body) == (409, "rules_unfit")
    assert club.view()["rules"] == "tenhou"


@pytest.mark.slow
def test_a_win_that_other_rules_do_not_have_is_named_and_kept(club: Gathering) -> None:
    """Neither rules without open tanyao nor those with other worths lose the game or fail on it."""
    table = Table(club, "impossible-elsewhere")
    tanyao = {"seat": 0, "han": 1, "fu": 30, "open": True, "yaku": ["tanyao"]}
    table.enter({"end": "ron", "from": 1, "wins": [tanyao]})
    before = table.view(club.organiser)
    toml = 'extends = "tenhou"\n[yaku.tanyao]\nopen = false\n'
    rules = club.organiser.post("/api/rules", toml=toml)["id"]
    shown = preview(club, rules)
    problem = next(row["problem"] for row in shown["games"] if row["game"] == table.id)
    assert problem["code"] == "yaku_not_counted"
    assert "hands[" not in problem["message"]
    body = {"rules": rules, "seen": shown["seen"], "why": "w"}
    assert refused(club.organiser, "POST", f"{club.path}/rules", **body) == (409, "rules_unfit")
    assert club.view()["rules"] == "tenhou"
    after = table.view(club.organiser)
    assert (after["scores"], after["hands"]) == (before["scores"], before["hands"])


@pytest.mark.slow
def test_a_hand_entered_while_the_rules_change_counts_by_the_new_ones(club: Gathering) -> None:
    rules, tables = higher(club), [Table(club, f"while-{i}") for i in range(4)]
    entered: list[int] = []

    def record(table: Table) -> None:
        for hand in (DRAW, DRAW, BUST):
            body = table.body(hand)
            answer = table.who.http.post(f"{table.path}/hands", json=body)
            entered.append(answer.status_code)
            table.head = body["id"]

    threads = [threading.Thread(target=record, args=(row,)) for row in tables]
    for thread in threads:
        thread.start()
    changed = False
    for _ in range(200):
        body = {"rules": rules, "seen": preview(club, rules)["seen"], "why": "now"}
        changed = club.organiser.http.post(f"{club.path}/rules", json=body).status_code == 200
        if changed:
            break
    for thread in threads:
        thread.join()
    assert changed
    assert entered == [200] * 12
    for table in tables:
        view = table.view(club.organiser)
        assert view["final"] is not None
        assert max(view["final"]) - max(view["scores"]) != 0
        answer = club.organiser.post(f"{table.path}/preview", hands=[DRAW, DRAW, BUST])
        assert answer["final"] == view["final"]


@pytest.mark.slow
def test_who_sat_where_is_put_right_in_any_game(club: Gathering) -> None:
    table = Table(club, "wrong-seats")
    table.enter(BUST)
    table.confirm(club.referee, everybody=True)
    a, b, c, d = club.entries
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "Eun", "id": "eun"}])
    revision = table.view(club.referee)["revision"]
    body: Message = {"players": [b, a, c, "eun"], "revision": revision, "why": "they had swapped"}
    path = f"{table.path}/seats"
    assert refused(club.recorder, "POST", path, **body)[1] == "not_referee"
    for wrong, code in (
        ({"players": [a, a, c, d]}, "twice_at_table"),
        ({"players": [a, b, c, "nobody"]}, "not_entered"),
        ({"players": [a, b, c]}, "wrong_count"),
        ({"revision": revision + 1}, "game_moved_on"),
    ):
        assert refused(club.referee, "POST", path, **(body | wrong))[1] == code
    answer = club.referee.post(path, **body)
    assert [seat["entry"] for seat in answer["seats"]] == body["players"]
    points = {row["player"]: row["points"] for row in standings_put_right(club)}
    assert points[b] == answer["final"][0]
    assert points["eun"] == answer["final"][3]
    assert refused(club.referee, "POST", path, **body)[1] == "game_moved_on"  # decided by another meanwhile


def standings_put_right(club: Gathering, stage: int = 0) -> list[Message]:
    return list(club.organiser.get(f"{club.path}/standings")["stages"][stage]["standings"])


@pytest.mark.slow
def test_seats_of_a_round_are_put_right_there_too(sixteen: Tournament) -> None:
    sixteen.make(how="plan", rounds=1)
    stage = sixteen.post("publish", start=True)
    first, second = stage["rounds"][0]["tables"][:2]
    view = sixteen.referee.get(f"{sixteen.path}/games/{first['game']}")
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Late", "id": "late"}])
    players = ["late", *first["players"][1:]]
    body: dict[str, Any] = {"players": players, "revision": view["revision"], "why": "a reserve sat down"}
    sixteen.referee.post(f"{sixteen.path}/games/{first['game']}/seats", **body)
    now = sixteen.organiser.get(sixteen.rounds)["rounds"][0]
    assert now["tables"][0]["players"] == players
    assert now["byes"] == [first["players"][0]]
    body = {"players": [second["players"][0], *players[1:]], "revision": view["revision"] + 1, "why": "w"}
    answer = refused(sixteen.referee, "POST", f"{sixteen.path}/games/{first['game']}/seats", **body)
    assert answer[1] == "twice_in_round"


@pytest.mark.slow
def test_a_reserve_takes_a_finalists_seat_after_the_start(url: str) -> None:
    stages = [{"id": "league"}, {"id": "main", "kind": "rounds", "from": "league", "cut": 4, "carry": 0.5}]
    cup = Tournament(url, 8, stages=stages)
    for number, players in enumerate((cup.names[:4], cup.names[4:])):
        scores = [score - 100 * number for score in SCORES[:3]] + [SCORES[3] + 300 * number]
        body = {"id": f"league-{number}", "stage": "league", "players": players, "scores": scores}
        cup.referee.post(f"{cup.path}/games", **body)
    cup.make(how="plan", rounds=1)
    seated = people(cup.post("publish", start=True)["rounds"][0])
    gone = seated[0]
    reserve = next(name for name in cup.names if name not in seated)
    view = cup.referee.post(f"{cup.rounds}/replace", entry=gone, by=reserve, now=True, why="did not come")
    assert view["absences"] == [{"entry": gone, "first": 2, "last": None}]
    results = [{"table": 1, "scores": SCORES}]
    assert cup.referee.post(f"{cup.rounds}/1/results", results=results)["refused"] == []
    rows = {row["player"]: row for row in standings_put_right(cup, 1)}
    assert (rows[gone]["rank"], rows[gone]["games"]) == (None, 0)
    assert rows[reserve]["games"] == 1
    league = {row["player"]: row["points"] for row in standings_put_right(cup, 0)}
    assert rows[reserve]["carried"] == pytest.approx(league[reserve] / 2, abs=1)
    assert sorted(row["rank"] for row in rows.values() if row["rank"]) == [1, 2, 3, 4]


def check_in(cup: Tournament, entries: list[str]) -> None:
    for entry in entries:
        cup.organiser.http.patch(f"{cup.path}/entries/{entry}", json={"checked_in": True})


@pytest.mark.slow
def test_only_who_checked_in_is_seated(sixteen: Tournament) -> None:
    check_in(sixteen, sixteen.names[:8])
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"checked_in": True})
    first = sixteen.make(how="random")
    assert set(people(first["rounds"][0])) == set(sixteen.names[:8])
    check_in(sixteen, sixteen.names[8:12])
    sixteen.post("publish")
    second = sixteen.make(how="random")
    assert set(people(second["rounds"][1])) == set(sixteen.names[:12])


@pytest.mark.slow
def test_those_who_did_not_come_are_taken_out_at_once(sixteen: Tournament) -> None:
    sixteen.organiser.http.patch(sixteen.path, json={"registration": {"limit": 16}})
    sixteen.organiser.post(f"{sixteen.path}/entries/list", entries=[{"name": "Waits", "id": "waits"}])
    check_in(sixteen, sixteen.names[:14])
    body = {"entries": [*sixteen.names[13:], "waits", "nobody"], "why": "not there at ten"}
    entries = sixteen.organiser.post(f"{sixteen.path}/entries/no-shows", **body)["entries"]
    now = {entry["id"]: entry["status"] for entry in entries}
    assert [now[name] for name in sixteen.names[13:]] == ["playing", "withdrawn", "withdrawn"]
    assert now["waits"] == "playing"  # a free place goes to who waits
    again = sixteen.organiser.post(f"{sixteen.path}/entries/no-shows", entries=[sixteen.names[15]])
    assert {entry["id"]: entry["status"] for entry in again["entries"]} == now
    assert standings_of(sixteen) is not None


# Seatings that are computed in the background: how far they are, what becomes of them, and how they end


KEY = ("event", "main")


@pytest.fixture
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "SOON_S", 0.0)


@pytest.mark.usefixtures("no_wait")
async def test_a_computation_tells_how_far_it_is_until_it_is_cancelled() -> None:
    works, began, folders = SeatingWorks(), asyncio.Event(), list[Path]()

    async def work(told: Path) -> None:
        folders.append(told.parent)
        await asyncio.to_thread(told.write_text, "0.250", "ascii")
        began.set()
        await asyncio.Event().wait()

    await works.start(KEY, "plan", work)
    await began.wait()
    shown = works.shown(KEY, "en")
    assert shown is not None
    assert (shown.state, shown.how, shown.progress) == ("working", "plan", 0.25)
    assert works.shown(("event", "final"), "en") is None
    with pytest.raises(ServerError) as error:
        await works.start(KEY, "plan", work)
    assert error.value.code == "seating_busy"
    await works.cancel(KEY)
    assert works.shown(KEY, "en") is None
    assert not folders[0].exists()


@pytest.mark.usefixtures("no_wait")
async def test_a_late_failure_is_shown_until_the_next_try(monkeypatch: pytest.MonkeyPatch) -> None:
    works, go = SeatingWorks(), asyncio.Event()

    async def fails(_: Path) -> None:
        await go.wait()
        raise ServerError("rounds_moved_on")

    await works.start(KEY, "rebuild", fails)
    go.set()
    while (shown := works.shown(KEY, "ko")) is not None and shown.state == "working":
        await asyncio.sleep(0)
    assert shown is not None
    assert shown.error is not None
    assert (shown.state, shown.error.code) == ("failed", "rounds_moved_on")
    monkeypatch.setattr(seating, "SOON_S", 60.0)
    with pytest.raises(ServerError):
        await works.start(KEY, "rebuild", fails)  # fails at once, so the request itself is refused
    assert works.shown(KEY, "en") is None


@pytest.mark.usefixtures("no_wait")
async def test_closing_stops_everything() -> None:
    works, stopped = SeatingWorks(), list[str]()

    async def work(_: Path) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("one")
            raise

    for stage in ("a", "b"):
        await works.start(("event", stage), "plan", work)
    await asyncio.sleep(0)
    await works.close()
    assert stopped == ["one", "one"]
