"""Rounds on the server: seating, publishing, timers, games, results and corrections."""

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
from jantaku.server.events.rounds.seating import SeatingComputations
from server.clubs import BUST, DRAW, RON, SCORES, STAGES, Account, Club, ClubGame, people, states, tables
from server.parlour import Message

slow = pytest.mark.slow
HAND: Message = {"id": "first-hand", "follows": "", "hand": RON}
HALL = {"everything": True, "why": "the hall closes"}
FINAL: list[Message] = [
    {"id": "main", "kind": "rounds"},
    {"id": "final", "kind": "rounds", "from": "main", "cut": 4},
]


@pytest.fixture
def sixteen(url: str) -> Club:
    return Club(url, 16)


@slow
def test_a_seating_plan_is_a_hidden_draft_until_published(sixteen: Club) -> None:
    player, players = sixteen.players[0], [row["player"] for row in sixteen.rows("main")]
    stage = sixteen.seat(rounds=5, seed=7)
    rounds, plan = tables(stage), seat(players, 5, seed=7)
    assert states(stage) == ["drafted"] * 5
    assert all(sorted(chain(*round_)) == sorted(sixteen.entries) for round_ in rounds)
    assert rounds == [[list(table) for table in round_] for round_ in plan.rounds]
    assert stage["quality"] == {name: getattr(plan, name) for name in stage["quality"]}
    assert {round_["seed"] for round_ in stage["rounds"]} == {7}
    for seed in (8, 7):
        assert (tables(sixteen.seat(rounds=5, seed=seed)) == rounds) == (seed == 7)
    seen = sixteen.view_rounds(player)
    assert (seen["rounds"], seen["quality"]) == ([], None)
    before = sixteen.organiser.get()["revision"]
    sixteen.run("publish", numbers=[1, 2])
    assert sixteen.organiser.get()["revision"] > before
    seen = sixteen.view_rounds(player)
    assert (states(seen), tables(seen)) == (["published"] * 2, rounds[:2])
    assert [stage["stage"] for stage in player.get("rounds")["stages"]] == ["main"]
    for who in (player, sixteen.recorder, sixteen.referee):
        log = [row["action"] for row in sixteen.log(who)]
        assert "seating_published" in log
        assert "seating" not in log  # the seed in this entry would reveal rounds that are still drafts
    assert [row["after"]["seed"] for row in sixteen.log() if row["action"] == "seating"] == [7, 8, 7]
    sixteen.run("seating/discard")
    assert states(sixteen.view_rounds()) == ["published"] * 2
    stages = [{"id": "league"}]
    sixteen.organiser.refused("stage_used", f"PATCH {sixteen.at}", stages=stages)


def test_a_round_runs_from_publication_to_its_end(sixteen: Club) -> None:
    sixteen.organiser.put("rounds/main/settings", minutes=75)
    sixteen.seat()
    sixteen.referee.refused("round_drafted", "rounds/main/1/start")
    sixteen.run("publish")
    round_ = sixteen.run("1/tables/2/start")["rounds"][0]
    assert [table["game"] is not None for table in round_["tables"]] == [False, True, False, False]
    assert (round_["state"], round_["timer"]["running"]) == ("running", False)
    first = sixteen.run("1/start")["rounds"][0]
    assert first == sixteen.run("1/start")["rounds"][0] | {"timer": first["timer"]}
    assert [table["status"] for table in first["tables"]] == ["playing"] * 4
    games = sixteen.organiser.get("games")["games"]
    assert {(game["label"], game["id"], *game["players"]) for game in games} == {
        (str(table["number"]), table["game"], *table["players"]) for table in first["tables"]
    }
    ids = [table["game"] for table in first["tables"]]
    sixteen.recorder.post(f"games/{ids[0]}/hands", **HAND)
    sixteen.referee.refused("round_playing", "rounds/main/1/finish")
    ended = sixteen.run("1/tables/1/finish", why="time is up")["rounds"][0]["tables"]
    assert [table["status"] for table in ended] == ["confirmed", "playing", "playing", "playing"]
    sixteen.run("1/tables/2/finish", scores=[30000, 30000, 20000, 20000], why="from paper")
    sixteen.recorder.post(f"games/{ids[2]}/points", scores=SCORES)  # entered by a player
    over = sixteen.run("1/finish", **HALL)["rounds"][0]
    assert over["state"] == "done"
    assert [table["status"] for table in over["tables"]] == ["confirmed"] * 3 + ["cancelled"]
    sixteen.referee.refused("round_over", "rounds/main/1/start")


def test_a_round_start_can_be_undone_until_something_is_entered(sixteen: Club) -> None:
    sixteen.organiser.put("rounds/main/settings", minutes=60)
    sixteen.seat()
    published = sixteen.run("publish")["rounds"][0]
    assert sixteen.run("1/take-back")["rounds"][0] == published  # the round has not started
    first = sixteen.run("1/start")["rounds"][0]
    sixteen.run("1/timer", extra_s=60, table=2)
    assert sixteen.run("1/take-back", why="too early")["rounds"][0] == published
    assert [game["status"] for game in sixteen.organiser.get("games")["games"]] == ["cancelled"] * 4
    again = sixteen.run("1/start")["rounds"][0]
    assert {table["game"] for table in again["tables"]}.isdisjoint(table["game"] for table in first["tables"])
    fined = again["tables"][1]
    sixteen.penalise(fined["players"][0], stage="main", game=fined["game"])
    sixteen.referee.refused("round_played", "rounds/main/1/take-back")
    old, new = (f"games/{round_['tables'][2]['game']}/hands" for round_ in (first, again))
    sixteen.recorder.refused("game_closed", old, **HAND)
    sixteen.recorder.post(new, **HAND)
    error = sixteen.referee.refused("round_played", "rounds/main/1/take-back")
    assert ": 2, 3." in error["message"]
    assert sixteen.run("1/finish", **HALL)["rounds"][0]["state"] == "done"
    sixteen.referee.refused("round_played", "rounds/main/1/take-back")


def test_hands_recorded_before_a_round_start_was_undone_are_not_lost(sixteen: Club) -> None:
    """A phone that was offline sends a hand afterwards, and a referee reopens the game for it."""
    sixteen.seat()
    game = sixteen.run("publish", start=True)["rounds"][0]["tables"][2]["game"]
    sixteen.run("1/take-back")
    sixteen.recorder.refused("game_closed", f"games/{game}/hands", **HAND)
    sixteen.referee.post(f"games/{game}/status", status="playing", why="they have played")
    sixteen.recorder.post(f"games/{game}/hands", **HAND)
    assert sixteen.run("1/start")["rounds"][0]["tables"][2]["game"] == game
    games = sixteen.organiser.get("games")["games"]
    assert sum(game["status"] == "playing" for game in games) == 4


def test_concurrent_finishing_and_undoing_of_a_round_leave_a_consistent_state(sixteen: Club) -> None:
    sixteen.seat()
    sixteen.run("publish")

    def ask(person: Account, path: str, **body: Any) -> None:
        person.send("POST", f"rounds/main/1/{path}", why="w", **body)

    _ = sixteen.referee
    for i in range(12):
        sixteen.run("1/start")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(ask, sixteen.referee, "finish", everything=True)
            time.sleep(i * 0.006)
            ask(sixteen.organiser, "take-back")
        started = {table["game"] is not None for table in sixteen.round()["tables"]}
        assert (sixteen.round()["state"], started) in (("done", {True}), ("published", {False}))
        sixteen.run("1/take-back")


@slow
def test_the_round_timer_runs_pauses_and_gives_extra_time(sixteen: Club) -> None:
    sixteen.organiser.put("rounds/main/settings", minutes=60)
    sixteen.seat()
    timer = sixteen.run("publish", start=True)["rounds"][0]["timer"]
    assert (timer["running"], timer["ends"] is not None, 3500 < timer["left_s"] <= 3600) == (True,) * 3
    first = sixteen.run("1/timer", action="pause")["rounds"][0]["timer"]
    assert (first["running"], first["ends"]) == (False, None)
    assert sixteen.round()["timer"] == first
    given = sixteen.run("1/timer", extra_s=300, why="the lights went out")["rounds"][0]["timer"]
    assert given["left_s"] == first["left_s"] + 300
    sixteen.run("1/timer", extra_s=120, table=3)
    shown = sixteen.run("1/timer", action="start", minutes=90)["rounds"][0]
    assert [table["extra_s"] for table in shown["tables"]] == [0, 0, 120, 0]
    assert shown["timer"]["running"]
    assert given["left_s"] + 1700 < shown["timer"]["left_s"] <= given["left_s"] + 1800
    assert sixteen.run("1/timer", action="reset")["rounds"][0]["timer"]["left_s"] == 90 * 60
    sixteen.referee.refused("no_round_table", "rounds/main/1/timer", table=9)


def test_another_round_is_seated_by_the_standings(sixteen: Club) -> None:
    sixteen.seat()
    sixteen.run("publish")
    sixteen.play_round()
    points = sixteen.points("main")
    stage = sixteen.seat(how="ranking")
    assert [round_["made_by"] for round_ in stage["rounds"]] == ["random", "ranking"]
    assert [sorted({points[entry] for entry in table}) for table in tables(stage)[1]] == [
        [value] for value in sorted(set(points.values()), reverse=True)
    ]
    swiss = sixteen.seat(how="swiss", seed=3)
    assert swiss["quality"]["repeats"] <= 6  # the second round counts even though it is a draft
    assert len({*map(str, tables(swiss)[1:])}) == 2


def test_a_prescribed_seating_is_imported(sixteen: Club) -> None:
    names = sixteen.entries
    rounds = [[names[i : i + 4] for i in range(0, 16, 4)], [names[i:16:4] for i in range(4)]]
    body = "round,table,east,south,west,north\n" + "".join(
        f"{r},{t},{','.join(table)}\n"
        for r, round_ in enumerate(rounds, 1)
        for t, table in enumerate(round_, 1)
    )
    texts = [body.replace("p0,", name) for name in ("p0,", "Player 0,", "ＰＬＡＹＥＲ 0,")]
    for text in (None, *texts, body.replace(",", "\t")):
        seated = sixteen.run("seating/import", **({"csv": text} if text else {"rounds": rounds}))
        assert tables(seated) == rounds
        assert (seated["quality"]["repeats"], seated["rounds"][0]["seed"]) == (0, None)
    three = sixteen.run("seating/import", rounds=[rounds[0][:3]], first=3)["rounds"][2]
    assert sorted(three["byes"]) == sorted(rounds[0][3])
    sixteen.run("publish", numbers=[1], start=True)
    sixteen.organiser.refused("round_begun", "rounds/main/seating/import", rounds=rounds)


@slow
@pytest.mark.skipif(not COMPILED, reason="uncompiled code has another time limit")
def test_a_long_seating_computation_can_be_cancelled(url: str) -> None:
    cup = Club(url, 42)
    stage = cup.run("seating", rounds=14)  # the search never reaches its bound, so it takes many seconds
    assert (stage["work"]["state"], stage["rounds"]) == ("working", [])
    cup.organiser.refused("seating_busy", "rounds/main/seating", rounds=2)
    assert cup.view_rounds(cup.referee)["work"] is None
    cancelled = cup.run("seating/cancel")
    assert (cancelled["work"], cancelled["rounds"]) == (None, [])
    assert len(cup.seat()["rounds"]) == 1


def test_a_seating_needs_enough_players_for_a_table(club: Club) -> None:
    club.run("absences", entry="p0", first=1)
    for body in ({"rounds": 2}, {"how": "swiss"}):
        club.organiser.refused("too_few_players", "rounds/main/seating", **body)


@slow
def test_pairs_to_keep_apart_are_visible_to_organisers_only(sixteen: Club) -> None:
    pair = ["p0", "p1"]
    stage = sixteen.organiser.put("rounds/main/settings", apart=[pair], minutes=5)
    assert stage["settings"]["apart"] == [pair]
    for person in (sixteen.players[0], sixteen.referee):
        shown = sixteen.view_rounds(person)["settings"]
        assert (shown["apart"], shown["minutes"]) == ([], 5)
    assert "p1" not in str([row["after"] for row in sixteen.log() if row["action"] == "rounds"])
    for seed in range(3):
        stage = sixteen.seat(how="random", seed=seed)
    assert stage["quality"]["together"] == 0
    assert not any(set(pair) <= set(table) for table in chain(*tables(stage)))


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 61, 2**31, 1e308, 0.5, "", "p0", "\x00", "𝕏" * 90, "1,1,a,b,c,d\n\n2", [], {},
    [[]], [["p0"] * 4], {"1": []}, {"0": ["p0"] * 4}, {"x": 1}, ["p0", "p0"], "plan", "pause",
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
    "1/seats": {"swap": ["p0", "p1"], "tables": {}, "hands": "keep", "why": "w"},
    "1/tables/1/finish": {"scores": [25000] * 4, "why": "w"},
    "absences": {"entry": "p0", "first": 9, "last": 9, "present": True},
    "replace": {"entry": "p0", "by": "p1", "first": 1, "now": True, "why": "w"},
}


@slow
def test_malformed_round_requests_cause_no_server_error(sixteen: Club) -> None:
    chance, accepted = random.Random(11), set[bool]()
    sixteen.seat()
    sixteen.run("publish", start=True)
    for path, body in BODIES.items():
        for _ in range(scale(40)):
            odd = dict(body)
            for name in chance.sample([*body, "extra"], chance.randint(1, 2)):
                odd[name] = chance.choice(ODD)
            answer = sixteen.organiser.send(
                "PUT" if path == "settings" else "POST", f"rounds/main/{path}", **odd
            )
            assert answer.status_code < 500, (path, odd, answer.text)
            accepted.add(answer.is_success)
    assert accepted == {True, False}
    assert sixteen.view_rounds()["stage"] == "main"


def test_two_organisers_do_not_overwrite_each_others_round_settings(sixteen: Club) -> None:
    # sent twice with the same revision, as from two windows
    put, seen = sixteen.organiser.put, sixteen.view_rounds()["revision"]
    first = put("rounds/main/settings", minutes=60, revision=seen)
    late = {"bye_points": 500, "revision": seen}
    sixteen.organiser.refused("rounds_moved_on", "PUT rounds/main/settings", **late)
    sixteen.seat()
    again = put("rounds/main/settings", minutes=60, bye_points=500, revision=first["revision"])["settings"]
    assert (again["minutes"], again["bye_points"], "revision" in again) == (60, 500, False)


# Changes between rounds: wrong seats, absences, substitutes, byes and replacements


@slow
def test_wrong_seats_are_corrected_and_later_rounds_are_seated_again(sixteen: Club) -> None:
    sixteen.seat(rounds=5, seed=1)
    sixteen.run("publish")
    one, two = sixteen.run("1/start")["rounds"][0]["tables"][:2]
    (first, second), game = (one["players"], two["players"]), one["game"]
    sixteen.recorder.post(f"games/{game}/hands", **HAND)
    sixteen.penalise(first[0], -5000, "chombo", stage="main", game=game)
    swap = {"swap": [first[0], second[0]]}
    sixteen.referee.refused("why_needed", "rounds/main/1/seats", **swap)
    sixteen.referee.post("rounds/main/1/seats", **swap, why="they sat so")
    now = sixteen.round()["tables"]
    assert [table["players"][0] for table in now[:2]] == [second[0], first[0]]
    assert now[0]["game"] == game
    assert sixteen.organiser.get(f"games/{game}")["seats"][0]["entry"] == second[0]
    assert sixteen.organiser.get("penalties")["penalties"][0]["entry"] == second[0]
    rebuilt = sixteen.seat(how="rebuild", seed=5)
    assert states(rebuilt) == ["running", *["drafted"] * 4]
    assert rebuilt["quality"]["repeats"] == rebuilt["quality"]["bound"] == 0
    assert [sorted(people(round_)) for round_ in rebuilt["rounds"]] == [sorted(sixteen.entries)] * 5
    sixteen.run("1/seats", swap=[second[0], first[0]], hands="restart", why="they changed back")
    reseated = sixteen.round()["tables"]
    assert [table["players"] for table in reseated[:2]] == [first, second]
    assert reseated[0]["game"] != game
    assert sixteen.organiser.get(f"games/{game}")["status"] == "cancelled"
    sixteen.run("1/seats", tables={"1": second, "2": first}, why="whole tables")
    assert [table["players"] for table in sixteen.round()["tables"][:2]] == [second, first]
    for code, wrong in (
        ("twice_in_round", {"tables": {"1": first}}),
        ("not_in_round", {"swap": ["nobody", first[0]]}),
        ("no_round_table", {"tables": {"9": first}}),
    ):
        sixteen.organiser.refused(code, "rounds/main/1/seats", why="w", **wrong)


@slow
def test_absent_late_and_withdrawn_players_are_not_seated(sixteen: Club) -> None:
    player, path = sixteen.players[0], "rounds/main/absences"
    sixteen.organiser.put("rounds/main/settings", late_until=2)
    player.refused("not_recorder", path, entry="p1", first=2)
    player.post(path, entry="p0", first=2, last=3)
    away = player.post(path, entry="p0", first=3, last=3, present=True)["absences"]
    assert away == [{"entry": "p0", "first": 2, "last": 2}]
    assert sixteen.view_rounds(sixteen.players[1])["absences"] == []
    stage = sixteen.seat(rounds=4)
    assert ["p0" in people(round_) for round_ in stage["rounds"]] == [True, False, True, True]
    assert [len(round_["byes"]) for round_ in stage["rounds"]] == [0, 3, 0, 0]
    sixteen.run("publish", numbers=[1], start=True)
    player.refused("round_begun", path, entry="p0", first=1)
    sixteen.add(*(f"late{i}" for i in range(5)))
    sixteen.organiser.post("entries/p5/withdraw")
    sixteen.run("absences", entry="late4", first=2, last=2)
    for round_ in sixteen.seat(how="plan")["rounds"][1:]:
        seated = people(round_)
        # players may join until the second round
        assert [entry in seated for entry in ("p5", "late0", "late4")] == [False, True, False]
        assert len(seated) == len(set(seated))


@slow
def test_substitutes_fill_tables_and_get_fixed_points(sixteen: Club) -> None:
    settings: Message = {"substitutes": ["p15"], "substitute_points": -16000, "bye_points": 10000}
    sixteen.organiser.put("rounds/main/settings", **settings)
    sixteen.organiser.patch("entries/p4", status="withdrawn")
    [round_] = sixteen.seat()["rounds"]  # one substitute cannot fill two seats
    assert (len(round_["byes"]), "p15" in people(round_)) == (2, False)
    sixteen.organiser.patch("entries/p4", status="playing")
    stage = sixteen.seat(rounds=2)
    assert all("p15" in people(round_) and not round_["byes"] for round_ in stage["rounds"])
    sixteen.run("publish")
    sixteen.play_round()
    points = sixteen.points("main")
    assert points.pop("p15") == -16000
    uma: Message = {"substitute_points": None, "substitute_uma": -20000}
    sixteen.organiser.put("rounds/main/settings", **settings | uma)
    by_uma = sixteen.points("main")
    table = next(table for table in tables(stage)[0] if "p15" in table)
    assert by_uma.pop("p15") == SCORES[table.index("p15")] - 25000 - 20000
    assert by_uma == points


@slow
def test_byes_give_points_once_their_round_has_begun(url: str) -> None:
    cup = Club(url, 6)
    cup.organiser.put("rounds/main/settings", bye_points=12000)
    byes = cup.seat(rounds=3, seed=2)["rounds"][0]["byes"]
    cup.run("publish")
    assert set(cup.points("main").values()) == {0}
    cup.play_round()
    assert [cup.points("main")[name] for name in byes] == [12000, 12000]
    listed = cup.organiser.get("standings")["byes"]
    assert {bye["player"]: (bye["stage"], bye["points"]) for bye in listed} == dict.fromkeys(
        byes, ("main", 12000)
    )
    cup.run("1/seats", swap=[byes[0], next(name for name in cup.entries if name not in byes)], why="came")
    before = cup.points("main")
    assert before[byes[0]] != 12000
    for undone in ("2/finish", "2/take-back"):  # all games of the round are void
        cup.run("2/start")
        assert cup.points("main") != before
        cup.run(undone, why="nobody came", **({"everything": True} if undone == "2/finish" else {}))
        assert cup.points("main") == before
        cup.run("2/take-back")


@slow
def test_absent_players_prevent_the_start_of_a_round_and_get_no_bye_points(url: str) -> None:
    """Three of the 11 players have a bye; one of these three and one seated player report an absence."""
    cup = Club(url, 11)
    cup.organiser.put("rounds/main/settings", bye_points=12000)
    byes = cup.seat(rounds=3, seed=2)["rounds"][0]["byes"]
    one, two = (table["players"] for table in cup.run("publish")["rounds"][0]["tables"])
    gone, leaver = two[2], one[0]
    for away in (gone, byes[0]):
        cup.run("absences", entry=away, first=1, last=1)
    error = cup.referee.refused("seated_gone", "rounds/main/1/start")
    assert gone.replace("p", "Player ") in error["message"]
    seats = [byes[1] if player == gone else player for player in two]
    cup.run("1/seats", tables={"2": seats})
    assert {gone, byes[1]}.isdisjoint(cup.round()["byes"])
    assert cup.run("1/start")["rounds"][0]["byes"] == byes[2:]
    points = cup.points("main")
    assert [points[name] for name in (gone, *byes)] == [0, 0, 0, 12000]
    cup.organiser.patch(f"entries/{leaver}", status="withdrawn", why="ill")
    seats = [byes[2] if player == leaver else player for player in one]
    assert cup.run("1/seats", tables={"1": seats}, why="ill")["rounds"][0]["byes"] == []


@slow
def test_a_replacement_gets_all_later_seats(sixteen: Club) -> None:
    for _ in range(3):
        sixteen.seat()
    sixteen.run("publish", start=True)
    sixteen.add("new", "next")
    stage = sixteen.referee.post("rounds/main/replace", entry="p7", by="new", why="ill")
    assert ["p7" in people(round_) for round_ in stage["rounds"]] == [True, False, False]
    assert ["new" in people(round_) for round_ in stage["rounds"]] == [False, True, True]
    assert stage["absences"] == [{"entry": "p7", "first": 2, "last": None}]
    sixteen.referee.refused("twice_in_round", "rounds/main/replace", entry="p8", by="p7", now=True)
    stage = sixteen.run("replace", entry="p8", by="next", now=True)
    assert ["next" in people(round_) for round_ in stage["rounds"]] == [True, True, True]
    game = next(table["game"] for table in stage["rounds"][0]["tables"] if "next" in table["players"])
    assert "next" in [seat["entry"] for seat in sixteen.organiser.get(f"games/{game}")["seats"]]
    sixteen.referee.refused("not_in_round", "rounds/main/replace", entry="p7", by="next", first=3)


@slow
def test_a_reserve_without_games_stays_when_rounds_are_seated_again(url: str) -> None:
    stages: list[Message] = [{"id": "league"}, {"id": "main", "kind": "rounds", "from": "league", "cut": 4}]
    cup = Club(url, 5, stages=stages)
    cup.result("league")
    cup.seat(rounds=2)
    cup.run("publish")
    cup.run("replace", entry="p1", by="p4", why="ill")
    stage = cup.seat(how="rebuild")
    assert [sorted(people(round_)) for round_ in stage["rounds"]] == [["p0", "p2", "p3", "p4"]] * 2


@slow
def test_substitutes_and_players_replaced_before_a_game_have_no_rank(url: str) -> None:
    """A substitute for byes has the most points; the first seed of the final leaves before it begins."""
    cup = Club(url, 8, stages=[FINAL[0], FINAL[1] | {"carry": 0.5}])
    cup.organiser.put("rounds/main/settings", substitutes=["p7"], substitute_points=90000)
    assert "p7" in people(cup.seat()["rounds"][0])
    cup.run("publish")
    cup.play_round()
    main = {row["player"]: row for row in cup.rows("main")}
    assert (main["p7"]["rank"], main["p7"]["points"]) == (None, 90000)
    finalists = [row["player"] for row in cup.rows("final")]
    assert ("p7" in finalists, len(finalists) >= 4) == (False, True)
    cup.stage = "final"
    for how in ("ranking", "random"):
        assert set(people(cup.seat(how=how)["rounds"][-1])) <= set(finalists)
    cup.run("publish", numbers=[1])
    seated = people(cup.round())
    first = next(player for player in finalists if player in seated)
    reserve = next(player for player in main if player not in {*finalists, "p7"})
    cup.run("replace", entry=first, by=reserve, now=True, why="did not come")
    cup.play_round()
    ranks = {row["player"]: row for row in cup.rows("final")}
    assert (ranks[first]["rank"], ranks[first]["games"], ranks[reserve]["games"]) == (None, 0, 1)
    assert ranks[reserve]["carried"] == pytest.approx(main[reserve]["points"] / 2, abs=1)
    assert ranks[reserve]["rank"] is not None
    file = cup.organiser.get("file")
    assert {game["round"] for game in file["games"]} == {1}
    filed = standings(event_from(file)).stages["final"]
    assert {row.player: row.rank for row in filed} == {player: row["rank"] for player, row in ranks.items()}
    assert cup.organiser.post("/api/events/import", file=file)["id"] != cup.id


@slow
@pytest.mark.parametrize("into", ["again", "p1"])
def test_merging_entries_carries_round_settings_to_the_remaining_entry(sixteen: Club, into: str) -> None:
    """Two reserves merge into one reserve; a reserve merged with a seated player becomes that player."""
    sixteen.add("reserve", "again")
    settings: Message = {"substitutes": ["reserve"], "apart": [["reserve", "p0"], ["reserve", "again"]]}
    sixteen.organiser.put("rounds/main/settings", **settings)
    sixteen.run("absences", entry="reserve", first=2, last=2)
    sixteen.run("absences", entry="again", first=2, last=3)
    if into == "p1":
        sixteen.seat()
    before = sixteen.organiser.get()["revision"]
    sixteen.organiser.post("entries/reserve/merge", into=into)
    stage = sixteen.view_rounds()
    assert stage["settings"]["apart"] == [[into, "p0"]] + ([[into, "again"]] if into == "p1" else [])
    assert stage["settings"]["substitutes"] == ([] if into == "p1" else ["again"])
    assert [(away["entry"], away["first"], away["last"]) for away in stage["absences"]] == [("again", 2, 3)]
    path = "PUT rounds/main/settings"
    sixteen.organiser.refused("not_entered", path, **settings)
    sixteen.organiser.refused("rounds_moved_on", path, minutes=90, revision=before)
    if into == "p1":
        sixteen.organiser.refused("both_seated", "entries/p6/merge", into="p7")
        sixteen.add("same")
        sixteen.organiser.post("entries/p6/merge", into="same")
        [round_] = sixteen.view_rounds()["rounds"]
        assert ("same" in people(round_), "p6" in people(round_)) == (True, False)


# One sheet for the results of a round: tables are independent, and only replacing a result needs a reason


def one(table: int, *scores: int, **more: Any) -> Message:
    return {"table": table, "scores": list(scores or SCORES)} | more


def enter(cup: Club, *results: Message, number: int = 1, **more: Any) -> dict[int, str]:
    """Enter results as a referee; return the error code of each table that is refused."""
    answer = cup.referee.post(f"rounds/main/{number}/results", results=list(results), **more)
    assert not any(
        "scores" in row["problem"]["message"] for row in answer["refused"]
    )  # messages contain no field names
    return {row["table"]: row["problem"]["code"] for row in answer["refused"]}


def games(cup: Club, number: int = 1) -> dict[str, Message]:
    """Return the games of a round by the label of their table."""
    listed = cup.referee.get("games", stage="main", round=number)["games"]
    for row in listed:
        shown = cup.referee.get(f"games/{row['id']}")
        assert (shown["round"], row["round"], shown["game_number"]) == (number, number, row["number"])
    return {row["label"]: row for row in listed}


@pytest.fixture
def published(sixteen: Club) -> Club:
    sixteen.seat(how="plan", rounds=2)
    assert enter(sixteen, one(1)) == {1: "round_drafted"}
    sixteen.run("publish")
    return sixteen


@slow
def test_a_result_sheet_finishes_the_games_of_its_tables(published: Club) -> None:
    """An error at one table does not affect the other tables."""
    # the riichi stick goes to first place
    wrong, stick = (40000, 30000, 20000, 10100), (40000, 30000, 20000, 9000)
    refused = enter(published, one(1), one(2, *wrong), one(3, *stick), one(3), one(9))
    assert refused == {2: "points_sum", 3: "table_twice", 9: "no_round_table"}
    shown = games(published)
    assert (shown["2"]["status"], shown["1"]["scores"], shown["3"]["scores"][0]) == ("playing", SCORES, 41000)
    assert states(published.view_rounds()) == ["running", "published"]
    assert enter(published, one(2), one(4)) == {}
    assert states(published.view_rounds()) == ["done", "published"]
    assert {row["status"] for row in games(published).values()} == {"confirmed"}
    assert (sum(published.points("main").values()), games(published, 2)) == (0, {})


@slow
def test_only_a_result_that_replaces_another_needs_a_reason(published: Club) -> None:
    assert enter(published, one(1)) == {}
    assert enter(published, one(1)) == {}  # sending the result again changes nothing
    other, why = one(1, *SCORES[::-1]), "typed upside down"
    assert enter(published, other) == {1: "game_moved_on"}  # the stored points may be another referee's
    seen = games(published)["1"]["revision"]
    assert enter(published, other | {"revision": seen}) == {1: "why_needed"}
    assert enter(published, other | {"revision": seen - 1}, why=why) == {1: "game_moved_on"}
    assert enter(published, other | {"revision": seen}, why=why) == {}
    published.run("1/tables/2/start")
    published.recorder.post(f"games/{games(published)['2']['id']}/hands", **HAND)
    assert enter(published, one(2)) == {2: "why_needed"}  # hands were recorded at this table
    assert enter(published, one(2), why="from the paper sheet") == {}


# Invalid round requests


SHEET = "rounds/main/1/results"
IMPORT = "rounds/main/seating/import"
REFUSALS: list[tuple[str, Message, str]] = [
    ("GET rounds/nothing", {}, "no_stage"),
    ("GET rounds/league", {}, "stage_open"),
    ("rounds/final/seating", {}, "missing_field"),
    ("rounds/main/seating", {"rounds": 61}, "bad_request"),
    ("rounds/final/seating", {"how": "rebuild"}, "no_round_left"),
    ("rounds/final/publish", {}, "no_draft"),
    ("rounds/main/publish", {"numbers": [3]}, "no_round"),
    ("rounds/main/3/start", {}, "no_round"),
    ("rounds/main/3/finish", {}, "no_round"),
    ("rounds/main/3/results", {"results": [one(1)]}, "no_round"),
    ("PUT rounds/main/settings", {"substitutes": ["nobody"]}, "not_entered"),
    ("rounds/main/absences", {"entry": "nobody", "first": 1}, "not_entered"),
    ("rounds/main/replace", {"entry": "nobody", "by": "p0"}, "not_in_round"),
    (IMPORT, {"rounds": [[["p0", "p1", "p2", "p0"]]]}, "twice_in_round"),
    (IMPORT, {"rounds": [[["p0", "p1", "p2"]]]}, "table_seats"),
    (IMPORT, {"rounds": [[["p0", "p1", "p2", "nobody"]]]}, "not_entered"),
    (IMPORT, {"csv": "1,x,a,b,c,d"}, "seating_row"),
    (IMPORT, {"csv": "1,1,a\n1,1,b"}, "seating_row"),
    (IMPORT, {"csv": "1,1,a\rb,1\r\n"}, "seating_row"),
    (IMPORT, {"csv": "61,1,a"}, "too_many_rounds"),
    (IMPORT, {}, "no_seating"),
    (SHEET, {"results": []}, "bad_request"),
    (SHEET, {"results": [one(1, *([25000] * 9))]}, "bad_request"),
    (SHEET, {"results": [{"table": 1, "scores": ["=1+1"] * 4}]}, "bad_request"),
    (SHEET, {"results": [one(1, 10**9, 0, 0, 0)]}, "bad_request"),
    (SHEET, {"results": [one(1)] * 2_000}, "bad_request"),
]


@pytest.fixture(scope="module")
def seated(url: str) -> Club:
    club = Club(url, stages=[*STAGES, FINAL[1]])
    club.seat([club.entries])
    club.run("publish")
    return club


@pytest.mark.parametrize(("request_", "body", "code"), REFUSALS)
def test_invalid_round_requests_are_refused(seated: Club, request_: str, body: Message, code: str) -> None:
    seated.organiser.refused(code, request_, **body)
    assert seated.organiser.get("games")["games"] == []


# Corrections: changed rules, changed seats, and players who did not show up


@pytest.fixture
def other_uma(club: Club) -> str:
    """Save the club's rules with a different uma; return the id of the new rules."""
    toml = 'extends = "tenhou"\n[match]\numa = [30000, 10000, -10000, -30000]\n'
    return str(club.organiser.post("/api/rules", toml=toml)["id"])


def preview(club: Club, rules: str) -> Any:
    return club.organiser.post("rules/preview", rules=rules)


def change(rules: str, shown: Message, why: str = "the wrong uma") -> Message:
    return {"rules": rules, "seen": shown["seen"], "why": why}


@slow
def test_a_rules_change_is_previewed_and_then_resettles_games(club: Club, other_uma: str) -> None:
    counted, going = club.game("counted").finish(), club.game("going")
    early = preview(club, other_uma)
    going.enter(RON)
    before = counted.view()["final"]
    club.organiser.refused("event_moved_on", "rules", **change(other_uma, early))
    club.organiser.refused("rules_fixed", f"PATCH {club.at}", rules=other_uma)
    club.organiser.refused("rules_seats", "rules/preview", rules="tenhou-3")
    club.organiser.refused("no_rules", "rules/preview", rules="no-such")
    shown = preview(club, other_uma)
    club.organiser.refused("bad_request", "rules", **change(other_uma, shown, ""))
    [row] = shown["games"]
    assert (row["game"], row["before"], row["problem"]) == (counted.id, before, None)
    assert (shown["unchanged"], shown["used"]) == (1, True)
    assert counted.view()["final"] == before  # nothing is stored yet
    assert club.organiser.post("rules", **change(other_uma, shown))["rules"] == other_uma
    final = counted.view()["final"]
    assert final == row["after"] != before
    assert max(club.points().values()) == max(final)
    log = {change["action"]: change for change in club.log()}
    rule, game = log["rules"], log["resettled"]
    assert (rule["before"]["rules"], rule["after"]["games"], rule["why"]) == ("tenhou", 1, "the wrong uma")
    assert (game["game"], game["before"]["points"]) == (counted.id, before)
    club.organiser.post("rules", **change("tenhou", preview(club, "tenhou")))
    assert counted.view()["final"] == before
    stored = club.log()[0]["before"]["tree"]["match"]["uma"]
    assert stored == [30000, 10000, -10000, -30000]  # the log stores the complete rules


@slow
@pytest.mark.parametrize("toml", ["[match]\nstart_points = 30000\n", "[yaku.tanyao]\nopen = false\n"])
def test_a_rules_change_is_refused_if_a_game_cannot_be_settled(club: Club, toml: str) -> None:
    """Either the points do not match the starting points, or a win has no yaku under the new rules."""
    tanyao = {"seat": 0, "han": 1, "fu": 30, "open": True, "yaku": ["tanyao"]}
    game = club.game("going")
    game.enter({"end": "ron", "from": 1, "wins": [tanyao]})
    club.result("points")
    before = game.view()
    rules = club.organiser.post("/api/rules", toml=f'extends = "tenhou"\n{toml}')["id"]
    shown = preview(club, rules)
    problems = {row["game"]: row["problem"] for row in shown["games"] if row["problem"]}
    code, of = ("points_sum", "game-points") if "start" in toml else ("yaku_not_counted", game.id)
    assert problems[of]["code"] == code
    assert not any("scores" in row["message"] or "hands[" in row["message"] for row in problems.values())
    club.organiser.refused("rules_unfit", "rules", **change(rules, shown))
    assert club.organiser.get()["rules"] == "tenhou"
    after = game.view()
    assert (after["scores"], after["hands"]) == (before["scores"], before["hands"])


@slow
def test_a_hand_entered_during_a_rules_change_counts_under_the_new_rules(club: Club, other_uma: str) -> None:
    played, entered = [club.game(f"while-{i}") for i in range(4)], list[int]()

    def record(game: ClubGame) -> None:
        for hand in (DRAW, DRAW, BUST):
            body = game.body(hand)
            entered.append(game.who.send("POST", f"{game.path}/hands", **body).status_code)
            game.head = body["id"]

    threads = [threading.Thread(target=record, args=(game,)) for game in played]
    for thread in threads:
        thread.start()
    changed = any(
        club.organiser.send("POST", "rules", **change(other_uma, preview(club, other_uma))).is_success
        for _ in range(200)
    )
    for thread in threads:
        thread.join()
    assert (changed, entered) == (True, [200] * 12)
    for game in played:
        wanted = game.post("preview", club.organiser, hands=[DRAW, DRAW, BUST])["final"]
        assert game.view()["final"] == wanted
        assert wanted[0] - game.view()["scores"][0] != 0


@slow
def test_a_referee_corrects_the_seats_of_a_game(club: Club) -> None:
    game, path = club.game("wrong-seats").finish(), "games/game-wrong-seats/seats"
    club.add("eun")
    revision = game.view(club.referee)["revision"]
    body: Message = {"players": ["p1", "p0", "p2", "eun"], "revision": revision, "why": "they had swapped"}
    club.recorder.refused("not_referee", path, **body)
    for code, wrong in (
        ("twice_at_table", {"players": ["p0", "p0", "p2", "p3"]}),
        ("not_entered", {"players": ["p0", "p1", "p2", "nobody"]}),
        ("wrong_count", {"players": ["p0", "p1", "p2"]}),
        ("game_moved_on", {"revision": revision + 1}),
    ):
        club.referee.refused(code, path, **body | wrong)
    answer = club.referee.post(path, **body)
    assert [seat["entry"] for seat in answer["seats"]] == body["players"]
    points = club.points()
    assert [points[entry] for entry in body["players"]] == answer["final"]
    club.referee.refused("game_moved_on", path, **body)  # another referee was faster and changed the rules


@slow
def test_correcting_the_seats_of_a_game_also_updates_its_round(sixteen: Club) -> None:
    sixteen.seat()
    first, second = sixteen.run("publish", start=True)["rounds"][0]["tables"][:2]
    sixteen.add("late")
    path, players = f"games/{first['game']}", ["late", *first["players"][1:]]
    revision = sixteen.organiser.get(path)["revision"]
    sixteen.referee.post(f"{path}/seats", players=players, revision=revision, why="a reserve sat down")
    assert sixteen.round()["tables"][0]["players"] == players
    assert sixteen.round()["byes"] == [first["players"][0]]
    twice: Message = {"players": [second["players"][0], *players[1:]], "revision": revision + 1, "why": "w"}
    sixteen.referee.refused("twice_in_round", f"{path}/seats", **twice)


@slow
def test_only_checked_in_players_are_seated_if_so_configured(sixteen: Club) -> None:
    sixteen.organiser.put("rounds/main/settings", checked_in=True)
    for number, (early, late) in enumerate(((0, 8), (8, 12))):
        for entry in sixteen.entries[early:late]:
            sixteen.organiser.patch(f"entries/{entry}", checked_in=True)
        assert set(people(sixteen.seat()["rounds"][number])) == set(sixteen.entries[:late])
        sixteen.run("publish")


@slow
def test_no_shows_are_withdrawn_together(sixteen: Club) -> None:
    sixteen.organiser.patch(registration={"limit": 16})
    sixteen.add("waits")
    for entry in sixteen.entries[:14]:
        sixteen.organiser.patch(f"entries/{entry}", checked_in=True)
    for gone in ([*sixteen.entries[13:], "waits", "nobody"], ["p15"]):
        listed = sixteen.organiser.post("entries/no-shows", entries=gone, why="not there at ten")["entries"]
        now = {entry["id"]: entry["status"] for entry in listed}
        assert [now[name] for name in ("p13", "p14", "p15")] == ["playing", "withdrawn", "withdrawn"]
        assert now["waits"] == "playing"  # a player from the waiting list gets the free place


# Seatings are computed in the background: progress, results and cancellation


KEY = ("event", "main")


@pytest.fixture
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "REQUEST_WAIT_S", 0.0)


@pytest.mark.usefixtures("no_wait")
async def test_a_seating_computation_reports_progress_until_cancelled() -> None:
    works, began, stopped, folders = SeatingComputations(), asyncio.Event(), list[str](), list[Path]()

    async def work(progress: Path) -> None:
        try:
            folders.append(progress.parent)
            await asyncio.to_thread(progress.write_text, "0.250", "ascii")
            began.set()
            await asyncio.Event().wait()
        finally:
            stopped.append("one")

    await works.start(KEY, "plan", work)
    await began.wait()
    shown = works.status(KEY, "en")
    assert shown is not None
    assert (shown.state, shown.how, shown.progress) == ("working", "plan", 0.25)
    assert works.status(("event", "final"), "en") is None
    with pytest.raises(ServerError) as error:
        await works.start(KEY, "plan", work)
    assert error.value.code == "seating_busy"
    await works.cancel(KEY)
    assert works.status(KEY, "en") is None
    assert not folders[0].exists()
    for stage in ("a", "b"):
        await works.start(("event", stage), "plan", work)
    await asyncio.sleep(0)
    await works.close()
    assert stopped == ["one"] * 3


@pytest.mark.usefixtures("no_wait")
async def test_a_background_failure_is_reported_until_the_next_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    works, go = SeatingComputations(), asyncio.Event()

    async def fails(_: Path) -> None:
        await go.wait()
        raise ServerError("rounds_moved_on")

    await works.start(KEY, "rebuild", fails)
    go.set()
    while (shown := works.status(KEY, "ko")) is not None and shown.state == "working":
        await asyncio.sleep(0)
    assert shown is not None
    assert shown.error is not None
    assert (shown.state, shown.error.code) == ("failed", "rounds_moved_on")
    monkeypatch.setattr(seating, "REQUEST_WAIT_S", 60.0)
    with pytest.raises(ServerError):
        await works.start(KEY, "rebuild", fails)  # this fails at once, so the request itself is refused
    assert works.status(KEY, "en") is None
