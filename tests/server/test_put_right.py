"""What went wrong is put right: other rules, other seats, reserves, and people who did not come."""

import threading
from typing import Any

import pytest

from server.clubs import BUST, DRAW, RON, Gathering, Table, Tournament, people, refused, standings_of
from server.parlour import Message

pytestmark = pytest.mark.slow

HIGHER = 'extends = "tenhou"\n[match]\numa = [30000, 10000, -10000, -30000]\n'
THREE = "tenhou-3"
SCORES = [40000, 30000, 20000, 10000]


@pytest.fixture
def club(url: str) -> Gathering:
    return Gathering(url, rules="tenhou", stages=[{"id": "league"}])


def higher(club: Gathering) -> str:
    return str(club.organiser.post("/api/rules", toml=HIGHER)["id"])


def preview(club: Gathering, rules: str) -> Message:
    return dict(club.organiser.post(f"{club.path}/rules/preview", rules=rules))


def finals(club: Gathering, table: Table) -> list[int]:
    return list(table.view(club.organiser)["final"])


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


def test_a_change_is_refused_that_was_seen_otherwise(club: Gathering) -> None:
    table, rules = Table(club, "seen-before"), higher(club)
    seen = preview(club, rules)["seen"]
    table.enter(RON)
    body = {"rules": rules, "seen": seen, "why": "w"}
    assert refused(club.organiser, "POST", f"{club.path}/rules", **body) == (409, "event_moved_on")
    assert refused(club.organiser, "POST", f"{club.path}/rules", **(body | {"why": ""}))[0] in (400, 422)


@pytest.mark.parametrize(("rules", "code"), [(THREE, "rules_seats"), ("no-such", "no_rules")])
def test_rules_that_do_not_fit_are_refused(club: Gathering, rules: str, code: str) -> None:
    Table(club, "unfit-one")
    assert refused(club.organiser, "POST", f"{club.path}/rules/preview", rules=rules)[1] == code


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
    points = {row["player"]: row["points"] for row in standings(club)}
    assert points[b] == answer["final"][0]
    assert points["eun"] == answer["final"][3]
    assert refused(club.referee, "POST", path, **body)[1] == "game_moved_on"  # decided by another meanwhile


def standings(club: Gathering, stage: int = 0) -> list[Message]:
    return list(club.organiser.get(f"{club.path}/standings")["stages"][stage]["standings"])


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
    rows = {row["player"]: row for row in standings(cup, 1)}
    assert (rows[gone]["rank"], rows[gone]["games"]) == (None, 0)
    assert rows[reserve]["games"] == 1
    league = {row["player"]: row["points"] for row in standings(cup, 0)}
    assert rows[reserve]["carried"] == pytest.approx(league[reserve] / 2, abs=1)
    assert sorted(row["rank"] for row in rows.values() if row["rank"]) == [1, 2, 3, 4]


def check_in(cup: Tournament, entries: list[str]) -> None:
    for entry in entries:
        cup.organiser.http.patch(f"{cup.path}/entries/{entry}", json={"checked_in": True})


def test_only_who_checked_in_is_seated(sixteen: Tournament) -> None:
    check_in(sixteen, sixteen.names[:8])
    sixteen.organiser.http.put(f"{sixteen.rounds}/settings", json={"checked_in": True})
    first = sixteen.make(how="random")
    assert set(people(first["rounds"][0])) == set(sixteen.names[:8])
    check_in(sixteen, sixteen.names[8:12])
    sixteen.post("publish")
    second = sixteen.make(how="random")
    assert set(people(second["rounds"][1])) == set(sixteen.names[:12])


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
