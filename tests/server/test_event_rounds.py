"""Rounds on the server: seating, publishing, timers and games."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import pytest

from conftest import scale
from jantaku.club.seating import seat
from jantaku.kernels._jit import COMPILED
from server.clubs import RON, Tournament, people, played, refused, states
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
    "settings": {"minutes": 1, "last_hand": {"en": "x"}, "substitutes": [], "apart": [], "bye_points": 0},
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
