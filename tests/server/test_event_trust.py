"""Trust in recorded games: confirming, disputes, calls, penalties, the log."""

import threading

import pytest

from jantaku.club import settle
from server.clubs import BUST, DRAW, RON, Gathering, Table, refused
from server.parlour import Message, Person, together

pytestmark = pytest.mark.slow


def test_a_game_counts_when_all_four_confirm(gathering: Gathering) -> None:
    table = Table(gathering, "confirm")
    table.enter(DRAW)
    path = f"{table.path}/confirm"
    assert refused(table.who, "POST", path, head=table.head) == (409, "not_over")
    table.enter(BUST)
    assert table.view()["status"] == "over"
    assert refused(table.who, "POST", path, head="older") == (409, "game_moved_on")
    for player in gathering.players[:3]:
        assert table.confirm(player)["status"] == "over"
    table.enter(RON, action="insert", place=0)  # a correction asks everybody again
    for player in gathering.players[:3]:
        assert table.confirm(player)["status"] == "over"
    assert table.confirm(gathering.players[3])["status"] == "confirmed"
    assert table.confirm(gathering.players[3])["status"] == "confirmed"
    assert table.refuse(DRAW) == (409, "game_closed")


def test_all_four_can_confirm_at_once(gathering: Gathering) -> None:
    table = Table(gathering, "at-once")
    table.enter(BUST)
    together([threading.Thread(target=table.confirm, args=(player,)) for player in gathering.players])
    assert table.view()["status"] == "confirmed"


def test_a_referee_confirms_corrects_and_reopens(gathering: Gathering) -> None:
    table, referee = Table(gathering, "referee"), gathering.referee
    table.enter(BUST)
    assert refused(table.who, "POST", f"{table.path}/confirm", head=table.head, everybody=True)[0] == 403
    assert table.confirm(referee, everybody=True)["status"] == "confirmed"
    assert table.refuse(DRAW, referee, action="insert", place=0) == (400, "why_needed")
    table.enter(DRAW, referee, action="insert", place=0, why="left out")
    assert table.view()["status"] == "confirmed"
    table.enter(None, referee, action="remove", place=1, why="never happened")
    assert table.view()["status"] == "playing"
    status = f"{table.path}/status"
    assert refused(referee, "POST", status, status="cancelled") == (400, "why_needed")
    assert referee.post(status, status="cancelled", why="x")["status"] == "cancelled"
    assert table.refuse(DRAW, referee, why="y") == (409, "game_closed")
    assert referee.post(status, status="playing", why="z")["status"] == "playing"


def test_players_may_cancel_a_game_without_hands(gathering: Gathering) -> None:
    table = Table(gathering, "mistake")
    assert table.who.post(f"{table.path}/status", status="cancelled")["status"] == "cancelled"
    assert refused(table.who, "POST", f"{table.path}/status", status="playing") == (403, "not_referee")


def test_a_referee_ends_a_game_by_its_points(gathering: Gathering) -> None:
    table, referee = Table(gathering, "points"), gathering.referee
    table.enter(RON)
    path, why = f"{table.path}/points", {"why": "time is up"}
    assert refused(referee, "POST", path, scores=[50000, 20000, 20000, 20000], **why)[1] == "points_sum"
    assert refused(table.who, "POST", path, scores=[40000, 30000, 20000, 10000], **why)[0] == 403
    answer = referee.post(path, scores=[40000, 30000, 20000, 9000], **why)  # a stick is left on the table
    assert (answer["status"], answer["only_points"], answer["places"]) == ("confirmed", True, [1, 2, 3, 4])
    assert table.refuse(DRAW, referee, why="x") == (409, "only_points")
    referee.post(f"{table.path}/status", status="playing", why="more time")
    assert table.view()["scores"] == list(settle([RON], "tenhou").scores)


@pytest.mark.slow
def test_chombo_of_a_game_ended_by_points_still_cost_final_points(url: str) -> None:
    gathering = Gathering(url, rules="wrc")
    table = Table(gathering, "chombo")
    table.enter({"end": "foul", "fouls": [{"seat": 2, "foul": "false_win_shown"}]})
    ends: list[list[int]] = [[45000, 35000, 25000, 15000], [35000, 45000, 25000, 15000]]
    for i, scores in enumerate(ends):  # the second corrects the first
        seen = {"revision": table.view()["revision"]} if i else {}
        points = gathering.referee.post(f"{table.path}/points", scores=scores, why="time is up", **seen)
        assert points["final"][2] == 25000 - 30000 - 5000 - 20000
        assert points["final"][3] == 15000 - 30000 - 15000
    filed = gathering.organiser.get(f"{gathering.path}/file")["games"][0]
    assert (filed["scores"], filed["deducted"]) == (ends[1], [0, 0, 20000, 0])


def test_of_two_referees_points_the_first_stand(gathering: Gathering) -> None:
    """Whoever changes points that somebody has entered says which game they have seen."""
    table = Table(gathering, "two-referees")
    table.enter(RON)
    path, revision = f"{table.path}/points", table.view()["revision"]
    scores = [[40000, 30000, 20000, 10000], [10000, 20000, 30000, 40000]]
    judges, answers = (gathering.referee, gathering.organiser), list[tuple[int, list[int]]]()

    def send(who: Person, points: list[int]) -> None:
        answers.append((who.http.post(path, json={"scores": points, "why": "paper"}).status_code, points))

    together(threading.Thread(target=send, args=pair) for pair in zip(judges, scores, strict=True))
    stands = table.view()
    assert sorted(status for status, _ in answers) == [200, 409]
    assert (200, stands["scores"]) in answers
    late = scores[1 - scores.index(stands["scores"])]
    for seen in ({}, {"revision": revision}):
        answer = refused(judges[1], "POST", path, scores=late, why="mistyped", **seen)
        assert answer == (409, "game_moved_on")
    again = judges[0].post(path, scores=stands["scores"], why="the same")
    assert again["revision"] == stands["revision"] > revision
    corrected = judges[1].post(path, scores=late, why="mistyped", revision=stands["revision"])
    assert corrected["scores"] == late
    status = {"status": "playing", "why": "go on", "revision": stands["revision"]}
    assert refused(judges[0], "POST", f"{table.path}/status", **status) == (409, "game_moved_on")
    assert judges[0].post(f"{table.path}/status", **status | {"revision": corrected["revision"]})
    table.enter(DRAW)
    assert [hand["hand"]["end"] for hand in table.view()["hands"]] == ["ron", "draw"]


def test_a_game_tells_its_penalties(gathering: Gathering, person: Person) -> None:
    table, referee = Table(gathering, "fined"), gathering.referee
    body = {
        "stage": "league",
        "entry": gathering.entries[2],
        "game": table.id,
        "points": -20000,
        "why": "late",
    }
    referee.post(f"{gathering.path}/penalties", **body)
    referee.post(f"{gathering.path}/penalties", **{**body, "why": "late, told again"})
    referee.post(f"{gathering.path}/penalties/2/cancel", why="once is enough")
    for who, why in ((gathering.players[0], "late"), (referee, "late"), (person, "")):
        shown = table.view(who)["penalties"]
        assert [
            (penalty["number"], penalty["seat"], penalty["points"], penalty["why"]) for penalty in shown
        ] == [(1, 2, -20000, why)]
        listed = {game["id"]: game["penalties"] for game in who.get(f"{gathering.path}/games")["games"]}
        assert listed[table.id] == shown
    assert Table(gathering, "not-fined").started["penalties"] == []


def test_a_disputed_game_waits_for_a_referee(gathering: Gathering) -> None:
    table, loser = Table(gathering, "dispute"), gathering.players[1]
    table.enter(BUST)
    calls = f"{gathering.path}/calls"
    assert refused(loser, "POST", calls, kind="dispute", game=table.id, version="none")[1] == "no_version"
    loser.post(calls, kind="dispute", game=table.id, version=table.head, why="furiten")
    assert table.view()["hands"][0]["disputed"] is True
    assert refused(table.who, "POST", f"{table.path}/confirm", head=table.head) == (409, "disputed")
    assert gathering.players[2].get(calls)["calls"] == []
    queue = gathering.referee.get(calls)["calls"]
    assert [(call["why"], call["mine"]) for call in queue] == [("furiten", False)]
    path = f"{calls}/{queue[0]['number']}/close"
    assert refused(table.who, "POST", path, answer="no") == (403, "not_referee")
    gathering.referee.post(path, answer="not furiten")
    assert refused(gathering.referee, "POST", path) == (404, "no_call")
    assert table.confirm(table.who)["status"] == "over"


def test_calls_of_one_person_are_bounded(gathering: Gathering, person: Person) -> None:
    calls, player = f"{gathering.path}/calls", gathering.players[0]
    for _ in range(5):
        player.post(calls, label="Table 3")
    assert refused(player, "POST", calls, label="Table 3") == (429, "too_many_calls")
    assert refused(person, "POST", calls) == (403, "not_concerned")
    number = player.get(calls)["calls"][0]["number"]
    player.post(f"{calls}/{number}/close")
    player.post(calls, label="Table 3")
    gathering.referee.post(calls, label="Table 3")


def test_penalties_need_a_reason_and_can_be_taken_back(gathering: Gathering) -> None:
    path, entry = f"{gathering.path}/penalties", gathering.entries[0]
    body = {"stage": "league", "entry": entry, "points": -20000}
    assert refused(gathering.referee, "POST", path, **body)[0] == 422
    gathering.referee.post(path, **body, why="late")
    assert [penalty["points"] for penalty in gathering.players[0].get(path)["penalties"]] == [-20000]
    assert gathering.players[1].get(path)["penalties"] == []
    assert refused(gathering.referee, "POST", path, **{**body, "stage": "x"}, why="y") == (404, "no_stage")
    assert refused(gathering.referee, "POST", path, **body, game="none", why="y")[0] == 404
    gathering.referee.post(f"{path}/1/cancel", why="was on time")
    assert gathering.players[0].get(path)["penalties"][0]["cancelled"]
    assert refused(gathering.referee, "POST", f"{path}/1/cancel", why="again") == (404, "no_penalty")
    log = gathering.players[0].get(f"{gathering.path}/log")["changes"]
    assert [event["action"] for event in log[:2]] == ["penalty_cancelled", "penalty"]
    assert gathering.players[1].get(f"{gathering.path}/log")["changes"][0]["action"] != "penalty_cancelled"


def test_players_read_what_concerns_them_in_the_log(gathering: Gathering, person: Person) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Paper", "id": "paper"}])
    table = Table(gathering, "log", players=["paper", *gathering.entries[:3]])
    table.enter(RON)
    path = f"{gathering.path}/log"
    sat, elsewhere = gathering.players[0].get(path)["changes"], gathering.players[3].get(path)["changes"]
    assert [(change["action"], change["game"]) for change in sat[:2]] == [
        ("hand", table.id),
        ("game", table.id),
    ]
    assert [change for change in elsewhere if change["game"]] == []
    assert {change["action"] for change in elsewhere} >= {"create", "staff", "entry"}
    assert [change["entry"] for change in elsewhere if change["entry"]] == [gathering.entries[3]]
    everything, before = list[Message](), None
    while True:
        page = gathering.referee.get(path, **({"before": before} if before else {}))
        everything += page["changes"]
        before = page["next"]
        if before is None:
            break
    assert len(everything) == 2 + 2 + 4 + 1 + 1  # opened, staff, entries, game, hand and paper
    assert refused(person, "GET", path) == (403, "not_concerned")


def test_unfinished_games_are_neither_confirmed_nor_cancelled(gathering: Gathering) -> None:
    tables = [Table(gathering, f"one-{name}") for name in ("first", "over", "ended", "cancelled")]
    tables[1].enter(BUST)
    gathering.referee.post(f"{tables[2].path}/points", scores=[25000] * 4, why="no time")
    gathering.referee.post(f"{tables[3].path}/status", status="cancelled", why="nobody came")
    games = gathering.recorder.get(f"{gathering.path}/games", unfinished=True)["games"]
    assert [(game["id"], game["status"]) for game in games] == [
        (tables[1].id, "over"),
        (tables[0].id, "playing"),
    ]
