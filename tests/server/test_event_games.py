"""Recorded games: entering, retrying, conflicts, corrections, who may start and see them."""

import csv
import io
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku import terms
from jantaku.bots import bot
from jantaku.club import settle
from jantaku.club.as_entered import played_hands
from jantaku.game import Game
from jantaku.server.events.common import event
from jantaku.terms import LANGUAGES, text
from server.clubs import BUST, DRAW, PASSWORD, RON, Gathering, PaperClub, Table, Tournament, member, refused
from server.parlour import Message, Person, together


def told(hands: list[Message]) -> Message:
    """The game of the hands under rules without chips and yakitori, as the server tells it."""
    message: Message = json.loads(json.dumps(settle(hands, "tenhou").to_dict()))
    return {
        **message,
        "hands": [{**hand, "chips": None} for hand in message["hands"]],
        "chips": None,
        "yakitori": None,
    }


def test_hands_are_settled_as_they_are_entered(gathering: Gathering) -> None:
    table = Table(gathering, "settled")
    first = table.enter(RON)
    second = table.enter(DRAW, gathering.recorder)
    assert first["game"] == told([RON])
    assert second["game"]["scores"] == list(settle([RON, DRAW], "tenhou").scores)
    shown = table.view(gathering.players[3])
    assert [hand["entered"] for hand in shown["hands"]] == [0, None]
    assert (shown["number"], shown["honba"], shown["status"]) == (0, 2, "playing")


def test_a_retry_gets_the_first_answer_and_counts_once(gathering: Gathering) -> None:
    table = Table(gathering, "retry")
    body = table.body(RON)
    first = table.who.post(f"{table.path}/hands", **body)
    table.head = body["id"]
    table.enter(DRAW)
    revision = gathering.view()["revision"]
    assert table.who.post(f"{table.path}/hands", **body) == first
    assert len(table.view()["hands"]) == 2
    assert gathering.view()["revision"] == revision
    assert refused(table.who, "POST", f"{table.path}/hands", **{**body, "hand": DRAW}) == (409, "id_reused")


def test_retries_at_the_same_moment_count_once(gathering: Gathering) -> None:
    table = Table(gathering, "rush")
    body, answers = table.body(RON), list[Message]()

    def send(who: Person) -> None:
        answers.append(who.post(f"{table.path}/hands", **body))

    together([threading.Thread(target=send, args=(player,)) for player in gathering.players * 2])
    assert [answer for answer in answers if answer != answers[0]] == []
    assert len(answers) == 8
    assert len(table.view()["hands"]) == 1


def test_of_different_hands_at_the_same_moment_one_stands(gathering: Gathering) -> None:
    table = Table(gathering, "race")
    bodies = [table.body(hand) for hand in (RON, DRAW, BUST, DRAW)]
    answers = list[Any]()

    def send(who: Person, body: Message) -> None:
        answers.append(who.http.post(f"{table.path}/hands", json=body))

    pairs = zip(gathering.players, bodies, strict=True)
    together([threading.Thread(target=send, args=pair) for pair in pairs])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert len(table.view()["hands"]) == 1


def test_a_conflict_shows_both_versions(gathering: Gathering) -> None:
    table = Table(gathering, "conflict")
    table.enter(RON)
    other = {"id": "other-phone", "follows": "", "hand": DRAW}
    answer = gathering.players[1].http.post(f"{table.path}/hands", json=other)
    body = answer.json()
    assert (answer.status_code, body["error"]["code"]) == (409, "hand_conflict")
    assert (body["yours"]["hand"], [version["hand"] for version in body["theirs"]]) == (DRAW, [RON])
    assert body["head"] == table.head


def test_an_impossible_hand_is_refused_with_its_field(gathering: Gathering) -> None:
    table = Table(gathering, "impossible")
    table.enter(RON)
    wrong = {**RON, "wins": [{"seat": 0, "han": 3, "fu": 33}]}
    answer = table.who.http.post(f"{table.path}/hands", json=table.body(wrong))
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["hand"]) == (400, "no_such_fu", 1)
    assert error["field"] == "hands[1].wins[0].fu"
    assert len(table.view()["hands"]) == 1


def test_a_correction_recomputes_what_follows(gathering: Gathering) -> None:
    table = Table(gathering, "edit")
    for hand in (RON, DRAW, DRAW):
        table.enter(hand)
    better = {**RON, "wins": [{"seat": 0, "han": 4, "fu": 40}]}
    steps: list[tuple[Message, list[Message]]] = [
        ({"hand": better, "action": "replace", "place": 0}, [better, DRAW, DRAW]),
        ({"hand": None, "action": "remove", "place": 1}, [better, DRAW]),
        ({"hand": RON, "action": "insert", "place": 0}, [RON, better, DRAW]),
    ]
    for step, hands in steps:
        answer = table.enter(**step)
        assert answer["game"] == told(hands)
        assert [hand["hand"] for hand in table.view()["hands"]] == hands
    versions = table.who.get(f"{table.path}/versions")["versions"]
    assert [version["action"] for version in versions] == ["add"] * 3 + ["replace", "remove", "insert"]
    assert versions[0]["hand"] == RON
    assert table.refuse(RON, action="replace", place=3) == (400, "number_range")
    assert table.refuse(None) == (400, "missing_field")
    assert table.refuse(RON, action="replace") == (400, "missing_field")


@pytest.mark.slow
def test_after_the_time_for_corrections_only_a_referee_changes_a_hand(url: str) -> None:
    gathering = Gathering(url, rules="tenhou", correction_min=0)
    table = Table(gathering, "locked")
    table.enter(RON)
    table.enter(DRAW)
    assert [hand["trust"] for hand in table.view()["hands"]] == ["locked", "locked"]
    edit: Message = {"action": "replace", "place": 0}
    assert table.refuse(DRAW, **edit) == (403, "hand_locked")
    assert table.refuse(DRAW, gathering.recorder, **edit) == (403, "hand_locked")
    assert table.refuse(DRAW, gathering.referee, **edit) == (400, "why_needed")
    assert table.refuse(DRAW, gathering.referee, **edit, why=" ") == (400, "why_needed")
    table.enter(DRAW, gathering.referee, **edit, why="wrong winner")
    log = gathering.players[2].get(f"{gathering.path}/log", game=table.id)["changes"]
    assert (log[0]["action"], log[0]["why"], log[0]["before"]) == ("hand", "wrong winner", RON)
    assert log[0]["after"]["hand"] == DRAW


@pytest.mark.slow
def test_only_registered_players_start_a_game_in_time(url: str) -> None:
    past, future = "2020-01-01T00:00:00Z", "2900-01-01T00:00:00Z"
    stages = [{"id": "league"}, {"id": "over", "closes": past}, {"id": "later", "opens": future},
              {"id": "rounds", "kind": "rounds"}]  # fmt: skip
    gathering = Gathering(url, rules="tenhou", stages=stages)
    path, player = f"{gathering.path}/games", gathering.players[0]
    body: Message = {"id": "a-new-game", "stage": "league", "players": gathering.entries}
    for change, code in (
        ({"stage": "none"}, "no_stage"),
        ({"stage": "over"}, "stage_closed"),
        ({"stage": "later"}, "stage_closed"),
        ({"stage": "rounds"}, "stage_seated"),
        ({"players": gathering.entries[:3]}, "wrong_count"),
        ({"players": [gathering.entries[0]] * 4}, "twice_at_table"),
        ({"players": [*gathering.entries[:3], "x"]}, "not_entered"),
        ({"players": ["x", "y", "z", "w"]}, "not_recorder"),
        ({"at": past}, "not_recorder"),
        ({"id": "a/b"}, "bad_request"),
    ):
        assert refused(player, "POST", path, **{**body, **change})[1] == code
    said = player.http.post(path, json={**body, "stage": "none"}, params={"lang": "ko"}).json()["error"][
        "message"
    ]
    assert not re.search("league|rounds|later|over", said)  # stages are called by what they are
    first = player.post(path, **body)
    assert player.post(path, **body) == first
    assert refused(player, "POST", path, **{**body, "stage": "rounds"})[0] == 409
    over = {**body, "id": "by-points", "scores": [40000, 30000, 20000, 10000]}
    answer = gathering.referee.post(path, **over)
    assert (answer["status"], answer["final"][0] > 0) == ("confirmed", True)
    leaving = f"{gathering.path}/entries/{gathering.entries[3]}"
    gathering.organiser.http.patch(leaving, json={"status": "withdrawn", "why": "x"}).raise_for_status()
    assert refused(gathering.referee, "POST", path, **{**body, "id": "a-later-game"}) == (409, "entry_left")
    late = gathering.referee.post(path, **{**over, "id": "from-paper"})  # that was played before
    assert (late["status"], late["final"]) == ("confirmed", answer["final"])
    assert (
        gathering.recorder.post(path, **{**body, "id": "afterwards", "at": past})["at"]
        == "2020-01-01T00:00:00.000+00:00"
    )


def test_unfinished_games_expire_with_their_stage(gathering: Gathering) -> None:
    table, over = Table(gathering, "unfinished"), Table(gathering, "finished")
    table.enter(RON)
    over.enter(BUST)
    stages = [{"id": "league", "closes": "2020-01-01T00:00:00Z"}]
    gathering.organiser.http.patch(gathering.path, json={"stages": stages}).raise_for_status()
    assert (table.view()["status"], over.view()["status"]) == ("expired", "over")
    assert table.refuse(DRAW) == (409, "game_closed")
    table.enter(BUST, gathering.referee, why="they had started in time")
    assert table.view()["status"] == "over"


def test_a_closed_event_takes_no_hands(gathering: Gathering) -> None:
    table = Table(gathering, "closed")
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    assert table.refuse(RON) == (409, "event_over")


def test_hidden_results_are_seen_by_the_table_and_the_staff(url: str, person: Person) -> None:
    gathering = Gathering(url, rules="tenhou", hidden_standings=True)
    table = Table(gathering, "hidden")
    table.enter(BUST)
    table.confirm(gathering.referee, everybody=True)
    games = f"{gathering.path}/games"
    assert person.get(games)["games"][0]["scores"] is None
    assert gathering.players[1].get(games)["games"][0]["scores"] is not None
    assert refused(person, "GET", table.path) == (403, "standings_hidden")
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    assert person.get(games)["games"][0]["scores"] is not None
    assert person.get(table.path)["status"] == "confirmed"


def test_games_are_listed_by_stage_and_player(gathering: Gathering) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Paper", "id": "paper"}])
    Table(gathering, "first-of-all")
    Table(gathering, "second", players=["paper", *gathering.entries[:3]])
    games = f"{gathering.path}/games"
    queries: dict[str, Message] = {
        "all": {},
        "paper": {"entry": "paper"},
        "stage": {"stage": "none"},
        "before": {"before": 2},
    }
    games_by_name = {name: gathering.referee.get(games, **query)["games"] for name, query in queries.items()}
    ids = {name: [row["id"] for row in rows] for name, rows in games_by_name.items()}
    assert ids == {
        "all": ["game-second", "game-first-of-all"],
        "paper": ["game-second"],
        "stage": [],
        "before": ["game-first-of-all"],
    }


def test_entries_of_one_person_at_different_tables_merge_with_their_games(gathering: Gathering) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Again", "id": "again"}])
    table = Table(gathering, "merged", players=["again", *gathering.entries[1:]], who=gathering.recorder)
    path = f"{gathering.path}/entries/again/merge"
    gathering.organiser.post(path, into=gathering.entries[0], why="one person")
    assert table.view()["seats"][0]["entry"] == gathering.entries[0]
    table.enter(RON)


def test_odd_entries_cause_no_server_error(gathering: Gathering) -> None:
    table = Table(gathering, "odd")
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    for hand in (
        {}, {"end": None}, {"end": "ron"}, {**RON, "from": "x"}, {**RON, "wins": deep}, {**RON, "x": 1},
        {**RON, "wins": [{**RON["wins"][0], "yaku": ["x" * 13_000]}]}, {**RON, "riichi": list(range(100))},
        {"end": "foul", "fouls": [{"seat": 0, "foul": "\udc00"}]}, {**RON, "from": 10**30},
    ):  # fmt: skip
        data = json.dumps(table.body(hand)).encode("utf-8", "surrogatepass")
        answer = table.who.http.post(
            f"{table.path}/hands", content=data, headers={"content-type": "application/json"}
        )
        assert 400 <= answer.status_code < 500, (hand, answer.text)
    assert table.view()["hands"] == []


def games_of_our_own() -> Iterator[tuple[str, list[Message]]]:
    for seed in (5, 6):
        game, player = Game("tenhou", seed=seed), bot("standard", seed)
        while not game.is_over:
            for seat in game.to_act:
                game.play(seat, player.choose(game, seat))
                break
        yield f"seed-{seed}", played_hands(game)


def enter_all(gathering: Gathering, name: str, hands: list[Message]) -> None:
    """Enter a whole game and compare the points after each hand."""
    table = Table(gathering, name)
    for i, hand in enumerate(hands, 1):
        game = table.enter(hand)["game"]
        wanted = settle(hands[:i], "tenhou")
        assert (game["scores"], game["over"]) == (list(wanted.scores), wanted.over)
        assert tuple(game["hands"][-1]["scores"]) == wanted.hands[-1].scores
    assert table.view()["status"] == ("over" if wanted.over else "playing")


@pytest.mark.slow
def test_whole_games_come_out_as_they_are_settled(gathering: Gathering) -> None:
    for name, hands in games_of_our_own():
        enter_all(gathering, name, hands)


@pytest.mark.slow
def test_real_games_come_out_as_they_were_played(gathering: Gathering, shared_data: Path) -> None:
    lines = (shared_data / "settle-tenhou.jsonl").read_text("utf-8").splitlines()
    for i, line in enumerate(lines):
        request = json.loads(line)["request"]
        if request["rules"] == "tenhou":
            enter_all(gathering, f"real-{i}", request["hands"])


# Trust in recorded games: confirming, disputes, calls, penalties, the log


@pytest.mark.slow
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


@pytest.mark.slow
def test_all_four_can_confirm_at_once(gathering: Gathering) -> None:
    table = Table(gathering, "at-once")
    table.enter(BUST)
    together([threading.Thread(target=table.confirm, args=(player,)) for player in gathering.players])
    assert table.view()["status"] == "confirmed"


@pytest.mark.slow
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


@pytest.mark.slow
def test_players_may_cancel_a_game_without_hands(gathering: Gathering) -> None:
    table = Table(gathering, "mistake")
    assert table.who.post(f"{table.path}/status", status="cancelled")["status"] == "cancelled"
    assert refused(table.who, "POST", f"{table.path}/status", status="playing") == (403, "not_referee")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# Players enter how their game ended, and the others confirm it; check-ins of a league last an evening


SCORES = [40000, 30000, 20000, 10000]
OTHERS = [10000, 20000, 30000, 40000]


def confirm(table: Table, seat: int) -> Message:
    """A player confirms what their phone shows."""
    who = table.gathering.players[seat]
    answer: Message = who.post(f"{table.path}/confirm", head=table.view(who)["head"])
    return answer


def games_that_count(gathering: Gathering) -> int:
    """How many games all players have in the standings."""
    stages = gathering.organiser.get(f"{gathering.path}/standings")["stages"]
    return sum(row["games"] for row in stages[0]["standings"])


@pytest.mark.slow
def test_points_of_a_player_count_when_all_have_confirmed_them(gathering: Gathering) -> None:
    table = Table(gathering, "typed")
    path = f"{table.path}/points"
    shown = table.who.post(path, scores=SCORES)
    assert (shown["status"], shown["scores"], shown["only_points"]) == ("over", SCORES, True)
    assert [seat["confirmed"] for seat in shown["seats"]] == [True, False, False, False]
    assert table.who.post(path, scores=SCORES)["revision"] == shown["revision"]  # sent twice
    assert games_that_count(gathering) == 0
    for seat in (1, 2):
        assert confirm(table, seat)["status"] == "over"
    assert confirm(table, 3)["status"] == "confirmed"
    assert games_that_count(gathering) == 4
    late = refused(table.who, "POST", path, scores=OTHERS, revision=shown["revision"])
    assert late == (403, "not_referee")


@pytest.mark.slow
def test_other_points_ask_everybody_again(gathering: Gathering) -> None:
    table = Table(gathering, "corrected")
    path, other = f"{table.path}/points", gathering.players[1]
    first = table.who.post(path, scores=SCORES)
    confirm(table, 2)
    assert refused(other, "POST", path, scores=OTHERS) == (409, "game_moved_on")
    second = other.post(path, scores=OTHERS, revision=first["revision"])
    assert [seat["confirmed"] for seat in second["seats"]] == [False, True, False, False]
    stale = refused(gathering.players[3], "POST", f"{table.path}/confirm", head=first["head"])
    assert stale == (409, "game_moved_on")
    assert (
        gathering.referee.post(f"{table.path}/confirm", head=second["head"], everybody=True)["scores"]
        == OTHERS
    )


@pytest.mark.slow
def test_players_do_not_replace_hands_by_points(gathering: Gathering) -> None:
    table = Table(gathering, "played")
    table.enter(DRAW)
    body = {"scores": SCORES, "revision": table.view()["revision"]}
    assert refused(table.who, "POST", f"{table.path}/points", **body) == (403, "not_referee")
    empty = Table(gathering, "empty-table")
    assert refused(empty.who, "POST", f"{empty.path}/points", scores=[25000] * 3 + [26000])[0] == 400
    empty.who.post(f"{empty.path}/points", scores=SCORES)
    assert empty.refuse(DRAW) == (409, "only_points")


@pytest.mark.slow
def test_a_game_with_its_points_starts_from_a_phone_once(gathering: Gathering) -> None:
    player, path = gathering.players[2], f"{gathering.path}/games"
    body = {"id": "from-a-phone", "stage": "league", "players": gathering.entries, "scores": SCORES}
    shown = player.post(path, **body)
    assert player.post(path, **body) == shown
    assert (shown["status"], [seat["confirmed"] for seat in shown["seats"]]) == (
        "over",
        [False, False, True, False],
    )
    stranger = body | {
        "id": "of-strangers",
        "players": [*gathering.entries[:2], *gathering.entries[3:], "paper"],
    }
    assert refused(player, "POST", path, **stranger) == (403, "not_recorder")


@pytest.mark.slow
def test_what_only_one_has_entered_they_take_back(gathering: Gathering) -> None:
    table = Table(gathering, "mistaken")
    table.who.post(f"{table.path}/points", scores=SCORES)
    other = gathering.players[1]
    assert refused(other, "POST", f"{table.path}/status", status="cancelled") == (403, "not_referee")
    assert table.who.post(f"{table.path}/status", status="cancelled")["status"] == "cancelled"
    again = Table(gathering, "vouched")
    again.who.post(f"{again.path}/points", scores=SCORES)
    confirm(again, 1)
    assert refused(again.who, "POST", f"{again.path}/status", status="cancelled") == (403, "not_referee")


@pytest.mark.slow
def test_a_game_that_goes_on_after_points_takes_hands(gathering: Gathering) -> None:
    table = Table(gathering, "goes-on")
    table.who.post(f"{table.path}/points", scores=SCORES)
    gathering.referee.post(f"{table.path}/status", status="playing", why="not over")
    assert table.view()["head"] == ""
    table.enter(DRAW)
    assert table.view()["status"] == "playing"


@pytest.mark.slow
def test_a_round_that_ends_keeps_the_points_of_its_players(sixteen: Tournament) -> None:
    sixteen.make(how="random")
    sixteen.post("publish", start=True)
    game = sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"][0]["game"]
    sixteen.recorder.post(f"{sixteen.path}/games/{game}/points", scores=SCORES)
    sixteen.referee.post(f"{sixteen.rounds}/1/finish", everything=True, why="the venue closes")
    states = sorted(table["status"] for table in sixteen.organiser.get(sixteen.rounds)["rounds"][0]["tables"])
    assert states == ["cancelled", "cancelled", "cancelled", "confirmed"]


@pytest.mark.slow
def test_seats_of_a_game_that_has_not_begun_change_without_a_reason(gathering: Gathering) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Reserve", "id": "reserve"}])
    table, seats = Table(gathering, "no-show"), [*gathering.entries[:3], "reserve"]
    path, body = f"{table.path}/seats", {"players": seats, "revision": 0}
    assert refused(table.who, "POST", path, **body) == (403, "not_referee")
    shown = gathering.referee.post(path, **body)
    assert [seat["entry"] for seat in shown["seats"]] == seats
    table.enter(DRAW)
    back = {"players": gathering.entries, "revision": table.view()["revision"]}
    assert refused(gathering.referee, "POST", path, **back) == (400, "why_needed")


@pytest.mark.slow
def test_a_check_in_lasts_an_evening_in_a_league_and_in_rounds(
    gathering: Gathering, sixteen: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    for club in (gathering, sixteen):
        player, body = club.players[0], {"code": club.view()["code"]}
        first = player.post(f"{club.path}/entries/check-in", **body)["checked_in"]
        assert player.post(f"{club.path}/entries/check-in", **body)["checked_in"] == first
        monkeypatch.setattr(event, "EVENING_MS", 0)  # the evening is over
        assert player.get(club.path)["entry"]["checked_in"] is None
        monkeypatch.undo()
        entry = f"{club.path}/entries/{club.entries[1]}"
        organiser = club.organiser.http
        there = organiser.patch(entry, json={"checked_in": True}).json()["checked_in"]
        monkeypatch.setattr(event, "EVENING_MS", 0)
        organiser.patch(entry, json={"checked_in": True})
        monkeypatch.undo()
        now = next(
            one for one in player.get(f"{club.path}/entries")["entries"] if one["id"] == club.entries[1]
        )
        assert now["checked_in"] != there


# An event whose rules have chips and yakitori: from the hands to the standings and the exports


TOML = """extends = "tenhou"
name = { en = "Chips" }
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
[end]
tobi = "off"
extension = "none"
"""


def ron(winner: int, loser: int, **more: object) -> Message:
    return {"end": "ron", "from": loser, "wins": [{"seat": winner, "han": 1, "fu": 30, **more}]}


def rules_of(url: str) -> str:
    """The id of the rules, saved by somebody."""
    person = member(url, "author")
    return str(person.post("/api/rules", toml=TOML)["id"])


@pytest.mark.slow
def test_chips_and_yakitori_count_from_the_recorder_to_the_exports(url: str) -> None:
    club = Gathering(url, rules=rules_of(url))
    payments = club.organiser.get(f"{club.path}/payments")
    assert (payments["chips"], payments["yakitori"]) == (1000, 3000)
    table = Table(club, "chips")
    assert table.refuse(ron(1, 3)) == (400, "chips_unknown")
    told = {"yaku": ["tanyao", "red_dora"], "bonus": {"red_dora": 2}}
    entered = table.enter(ron(1, 3, **told))["game"]
    assert entered["hands"][0]["chips"] == [0, 2, 0, -2]
    for hand in (ron(2, 1, chips=0), ron(1, 2, chips=1)):
        table.enter(hand)
    over = table.enter(ron(0, 3, chips=0))["game"]
    assert (over["over"], over["chips"], over["yakitori"]) == (
        True,
        [0, 3, -1, -2],
        [3000, 3000, 3000, -9000],
    )
    bare = [
        after - 1000 * chips - paid
        for after, chips, paid in zip(over["final"], over["chips"], over["yakitori"], strict=True)
    ]
    assert bare == [36000, 6000, -15000, -27000]  # points, uma and oka alone
    table.confirm(club.referee, everybody=True)
    shown = club.organiser.get(f"{club.path}/games")["games"][0]
    assert (shown["chips"], shown["yakitori"]) == (over["chips"], over["yakitori"])
    rows = club.organiser.get(f"{club.path}/standings")["stages"][0]["standings"]
    points = {row["player"]: row["points"] for row in rows}
    assert [points[entry] for entry in club.entries] == over["final"]
    text = club.organiser.http.get(f"{club.path}/export?format=csv&table=games").text
    head, row = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))[:2]
    cells = dict(zip(head, row, strict=True))
    assert (cells["East: Chips"], cells["North: Chips"], cells["North: Yakitori"]) == ("0", "-2", "-9000")


@pytest.mark.slow
def test_a_paper_sheet_has_points_chips_and_who_has_won_nothing(url: str) -> None:
    club = PaperClub(url, rules=rules_of(url))
    body = {
        "id": "game-paper",
        "stage": club.organiser.get(club.path)["stages"][0]["id"],
        "players": club.entries,
    }
    scores, chips = [40000, 30000, 20000, 10000], [2, 0, -1, -1]
    send = (club.organiser, "POST", f"{club.path}/games")
    assert refused(*send, **body, scores=scores) == (400, "end_without_chips")
    assert refused(*send, **body, scores=scores, chips=chips) == (400, "end_without_winners")
    assert refused(*send, **body, scores=scores, chips=[1, 0, 0, 0], no_win=[]) == (400, "chips_sum")
    assert refused(*send, **body, chips=chips) == (400, "missing_field")
    assert club.organiser.get(f"{club.path}/games")["games"] == []
    for _ in range(2):  # the second request changes nothing
        club.organiser.post(f"{club.path}/games", **body, scores=scores, chips=chips, no_win=[3, 2])
    shown = club.organiser.get(f"{club.path}/games")["games"][0]
    assert (shown["chips"], shown["yakitori"]) == (chips, [6000, 6000, -6000, -6000])
    other = {"scores": scores, "chips": [0, 0, 0, 0], "no_win": [], "why": "misread", "revision": 0}
    club.organiser.post(f"{club.path}/games/game-paper/points", **other)
    again = club.organiser.get(f"{club.path}/games/game-paper")
    assert (again["chips"], again["yakitori"], again["only_points"]) == ([0] * 4, [0] * 4, True)
    filed = club.organiser.get(f"{club.path}/export", format="json")
    assert (filed["games"][0]["chips"], filed["games"][0]["yakitori"]) == ([0] * 4, [0] * 4)
    whole = club.organiser.get(f"{club.path}/file")["games"][0]
    assert (whole["scores"], whole["chips"], whole["no_win"]) == (scores, [0] * 4, [])


@pytest.mark.slow
def test_a_chombo_taken_at_the_end_is_shown_where_results_may_be_seen(url: str) -> None:
    club = Gathering(url, rules="wrc")
    table = Table(club, "fined")
    table.enter(ron(1, 3))
    table.enter({"end": "foul", "fouls": [{"seat": 2, "foul": "false_win_shown"}]})
    path = f"{club.path}/games/{table.id}"
    game = club.organiser.get(path)
    body = {"scores": game["scores"], "revision": game["revision"], "why": "time"}
    ended = club.referee.post(f"{path}/points", **body)
    assert ended["only_points"]
    assert [bool(points) for points in ended["deducted"]] == [False, False, True, False]
    assert sum(ended["final"]) == -sum(ended["deducted"])
    assert club.organiser.get(f"{club.path}/games")["games"][0]["deducted"] == ended["deducted"]
    club.organiser.http.patch(club.path, json={"hidden_standings": True}).raise_for_status()
    stranger = member(url, "stranger")
    assert stranger.get(f"{club.path}/games")["games"][0]["deducted"] is None


# Side bets: both agree, the game's final points settle them, and nobody else ever reads them


def offer(gathering: Gathering, table: Table, mine: int, theirs: int, **body: Any) -> Message:
    given = {"game": table.id, "entry": gathering.entries[theirs], "stake": 10} | body
    bets: Message = gathering.players[mine].post(f"{gathering.path}/bets", **given)
    return bets


def answer(gathering: Gathering, seat: int, number: int, word: str) -> Message:
    answer: Message = gathering.players[seat].post(f"{gathering.path}/bets/{number}/answer", answer=word)
    return answer


def mine(gathering: Gathering, seat: int) -> list[tuple[int, str, int | None]]:
    bets = gathering.players[seat].get(f"{gathering.path}/bets")["bets"]
    return [(bet["number"], bet["status"], bet["points"]) for bet in bets]


def finish(gathering: Gathering, table: Table) -> list[int]:
    table.enter(BUST)
    gathering.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    final: list[int] = table.view()["final"]
    return final


@pytest.mark.slow
def test_a_bet_is_settled_by_the_final_points(gathering: Gathering) -> None:
    table = Table(gathering, "bets")
    revisions = [gathering.view()["revision"]]
    offer(gathering, table, 0, 1)
    revisions.append(gathering.view()["revision"])
    offer(gathering, table, 1, 0, kind="per_1000", stake=3)
    offer(gathering, table, 2, 0)
    answer(gathering, 1, 1, "agreed")
    answer(gathering, 0, 2, "agreed")
    assert mine(gathering, 0) == [(1, "agreed", None), (2, "agreed", None), (3, "offered", None)]
    revisions.append(gathering.view()["revision"])
    assert revisions == sorted(set(revisions)), "pages load again when somebody offers or answers"
    final = finish(gathering, table)
    difference = round(3 * (final[0] - final[1]) / 1000)
    assert mine(gathering, 0) == [(1, "settled", 10), (2, "settled", difference), (3, "void", None)]
    assert mine(gathering, 1) == [(1, "settled", -10), (2, "settled", -difference)]
    balances = gathering.players[1].get(f"{gathering.path}/bets")["balances"]
    assert [(balance["entry"], balance["points"]) for balance in balances] == [
        (gathering.entries[0], -10 - difference)
    ]
    body = {"stage": "league", "entry": gathering.entries[0], "game": table.id, "points": -500000, "why": "w"}
    gathering.referee.post(f"{gathering.path}/penalties", **body)
    assert mine(gathering, 1)[0] == (1, "settled", 10)
    gathering.referee.post(f"{table.path}/status", status="cancelled", why="not played")
    assert {status for _, status, _ in mine(gathering, 1)} == {"void"}


@pytest.mark.slow
def test_only_the_two_read_a_bet(gathering: Gathering) -> None:
    table = Table(gathering, "secret")
    offer(gathering, table, 0, 1)
    answer(gathering, 1, 1, "agreed")
    for person in (gathering.organiser, gathering.referee, gathering.recorder, *gathering.players[2:]):
        assert person.get(f"{gathering.path}/bets") == {"bets": [], "balances": []}
        assert refused(person, "POST", f"{gathering.path}/bets/1/answer", answer="declined") == (
            404,
            "no_bet",
        )
    finish(gathering, table)
    for path in ("log", "file", "standings", f"games/{table.id}", "games", "penalties"):
        assert "bet" not in gathering.organiser.http.get(f"{gathering.path}/{path}").text.lower()


@pytest.mark.slow
def test_both_must_agree_in_time(gathering: Gathering) -> None:
    table = Table(gathering, "in-time")
    for _ in range(4):
        offer(gathering, table, 0, 1)
    path = f"{gathering.path}/bets"
    own = refused(gathering.players[0], "POST", f"{path}/1/answer", answer="agreed")
    assert own == (403, "not_yours_to_answer")
    theirs = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="withdrawn")
    assert theirs == (403, "not_yours_to_answer")
    answer(gathering, 0, 1, "withdrawn")
    answer(gathering, 1, 2, "declined")
    answer(gathering, 1, 3, "agreed")
    decided = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="agreed")
    assert decided == (409, "bet_decided")
    table.enter(BUST)
    late = refused(gathering.players[1], "POST", f"{path}/4/answer", answer="agreed")
    assert late == (409, "bet_too_late")
    body = {"game": table.id, "entry": gathering.entries[1], "stake": 5}
    assert refused(gathering.players[0], "POST", path, **body) == (409, "bet_too_late")
    assert [status for _, status, _ in mine(gathering, 1)] == ["withdrawn", "declined", "agreed", "offered"]


@pytest.mark.slow
def test_a_bet_is_between_two_players_of_the_game(gathering: Gathering) -> None:
    listed = [{"name": "Paper", "id": "paper"}]
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=listed)
    table = Table(gathering, "paper", players=[*gathering.entries[:3], "paper"])
    path, body = f"{gathering.path}/bets", {"game": table.id, "stake": 5}
    for entry in ("paper", gathering.entries[0], gathering.entries[3]):
        assert refused(gathering.players[0], "POST", path, **body, entry=entry) == (409, "bet_opponent")
    outside = refused(gathering.players[3], "POST", path, **body, entry=gathering.entries[0])
    assert outside == (403, "not_recorder")


@pytest.mark.slow
def test_who_is_deleted_leaves_no_bets_and_no_season(gathering: Gathering) -> None:
    table = Table(gathering, "deleted")
    offer(gathering, table, 0, 1)
    answer(gathering, 1, 1, "agreed")
    finish(gathering, table)
    leaving = gathering.players[1]
    parts = [{"id": "a", "event": gathering.id}]
    season = gathering.organiser.post("/api/seasons", name="Year", parts=parts)["id"]
    mine = leaving.post("/api/seasons", name="Mine")["id"]
    asked = leaving.post("/api/me/erase")["confirm"]
    leaving.post("/api/me/erase", confirm=asked, password=PASSWORD)
    assert gathering.players[0].get(f"{gathering.path}/bets") == {"bets": [], "balances": []}
    assert gathering.organiser.get(f"/api/seasons/{mine}")["mine"] is False
    deleted = text("export.erased", "en", number=1)
    rows = gathering.organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
    assert [row["name"] for row in rows].count(deleted) == 1
    player = gathering.organiser.get(f"{gathering.path}/players/{gathering.entries[1]}")
    assert (player["name"], player["figures"]["brief"]["games"]) == (deleted, 1)
    assert deleted in gathering.organiser.get(f"{gathering.path}/statistics")["names"].values()


@pytest.mark.slow
def test_a_closed_event_takes_no_bets(gathering: Gathering) -> None:
    table = Table(gathering, "closed")
    offer(gathering, table, 0, 1)
    offer(gathering, table, 0, 1)
    gathering.organiser.post(f"{gathering.path}/status", status="closed")
    path, body = f"{gathering.path}/bets", {"game": table.id, "entry": gathering.entries[1], "stake": 5}
    assert refused(gathering.players[0], "POST", path, **body) == (409, "event_over")
    agreed = refused(gathering.players[1], "POST", f"{path}/1/answer", answer="agreed")
    assert agreed == (409, "event_over")
    answer(gathering, 1, 1, "declined")
    answer(gathering, 0, 2, "withdrawn")
    assert [status for _, status, _ in mine(gathering, 0)] == ["declined", "withdrawn"]


# Games that one account enters alone wait, and what hardly ever happens is shown to the referees


SMALL: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}
LISTED = [{"name": name, "id": name} for name in ("ken", "mei", "rin")]


@pytest.fixture
def club(url: str) -> Gathering:
    """An event in which three players have no account."""
    gathering = Gathering(url, rules="tenhou")
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=LISTED)
    return gathering


def alone(club: Gathering, name: str, *hands: Message) -> Table:
    """A game of one account and three players without one, confirmed by the account for every seat."""
    table = Table(club, name, players=[club.entries[0], *(row["id"] for row in LISTED)])
    for hand in hands or (BUST,):
        table.enter(hand)
    confirm_all(table, table.who)
    return table


def confirm_all(table: Table, who: Person) -> None:
    for seat in range(4):
        table.confirm(who, seat=seat)


def played(club: Gathering) -> int:
    rows = club.organiser.get(f"{club.path}/standings")["stages"][0]["standings"]
    return sum(row["games"] for row in rows)


def doubts(club: Gathering, who: Person | None = None) -> list[Message]:
    return list((who or club.referee).get(f"{club.path}/doubts")["games"])


@pytest.mark.slow
def test_one_account_alone_makes_no_game_count(club: Gathering) -> None:
    for i in range(4):
        table = alone(club, f"alone-{i}")
        assert (table.view()["status"], table.view()["one_account"]) == ("over", True)
    assert played(club) == 0
    assert [len(doubt["reasons"]) > 1 for doubt in doubts(club)] == [True] * 4


@pytest.mark.slow
def test_guests_are_no_second_account(club: Gathering) -> None:
    guest = Person(club.url, "somebody")
    entry = guest.post(f"{club.path}/entries", name="somebody")["id"]
    table = Table(club, "guest", players=[club.entries[0], entry, "ken", "mei"])
    table.enter(BUST)
    for who, seat in ((table.who, 0), (guest, 1), (table.who, 2), (guest, 3), (table.who, 3)):
        assert table.confirm(who, seat=seat)["status"] == "over"
    assert played(club) == 0


@pytest.mark.parametrize("who", ["referee", "organiser", "recorder"])
@pytest.mark.slow
def test_a_second_account_or_a_referee_makes_it_count(club: Gathering, who: str) -> None:
    table = alone(club, who)
    game = table.confirm(getattr(club, who), seat=2)
    assert (game["status"], game["one_account"]) == ("confirmed", False)
    assert played(club) == 4


@pytest.mark.slow
def test_two_players_with_accounts_are_enough(club: Gathering) -> None:
    table = Table(club, "two", players=[*club.entries[:2], "ken", "mei"])
    table.enter(BUST)
    for seat in (0, 2, 3):
        table.confirm(table.who, seat=seat)
    assert table.confirm(club.players[1])["status"] == "confirmed"


@pytest.mark.slow
def test_an_organiser_may_allow_it(club: Gathering) -> None:
    assert club.organiser.get(club.path)["confirm_alone"] is False
    club.organiser.http.patch(club.path, json={"confirm_alone": True})
    assert alone(club, "allowed").view()["status"] == "confirmed"
    assert played(club) == 4


@pytest.mark.slow
def test_an_account_that_joins_a_seat_later_confirms_it_anew(club: Gathering) -> None:
    table = alone(club, "later")
    account = club.players[3].get("/api/me")["person"]["name"]
    club.organiser.post(f"{club.path}/entries/{club.entries[3]}/withdraw")
    free = club.organiser.http.patch(f"{club.path}/entries/{club.entries[3]}", json={"account": ""})
    taken = club.organiser.http.patch(f"{club.path}/entries/ken", json={"account": account})
    assert (free.status_code, taken.status_code) == (200, 200), (free.text, taken.text)
    assert table.confirm(club.players[3])["status"] == "confirmed"


@pytest.mark.slow
def test_games_that_hardly_ever_happen_are_shown_until_a_referee_clears_them(club: Gathering) -> None:
    alike = [SMALL] * 4
    first = Table(club, "odd")
    for hand in (*alike, BUST):
        first.enter(hand)
    for player in club.players:
        first.confirm(player)
    twin = Table(club, "odd-again")
    for hand in (*alike, BUST):
        twin.enter(hand)
    for player in club.players:
        twin.confirm(player)
    assert played(club) == 8  # they count until somebody decides otherwise
    warnings = doubts(club)
    assert [warning["game"] for warning in warnings] == [first.id, twin.id]
    assert [len(warning["reasons"]) for warning in warnings] == [4, 5]
    assert warnings[0]["players"] == club.entries
    assert refused(club.players[0], "GET", f"{club.path}/doubts") == (403, "not_recorder")
    clear = f"{club.path}/doubts/{warnings[0]['number']}/clear"
    assert refused(club.recorder, "POST", clear, answer="") == (403, "not_referee")
    left = club.referee.post(clear, answer="We saw it")["games"]
    assert [doubt["game"] for doubt in left] == [twin.id]
    assert club.referee.post(clear, answer="")["games"] == left, "another referee was faster"
    club.referee.post(f"{twin.path}/status", status="cancelled", why="entered twice")
    assert doubts(club) == []
    log = club.organiser.get(f"{club.path}/log")["changes"]
    assert [(event["game"], event["why"]) for event in log if event["action"] == "cleared"] == [
        (first.id, "We saw it")
    ]


@pytest.mark.slow
def test_reasons_are_told_in_every_language(club: Gathering) -> None:
    alone(club, "words", *[SMALL] * 4, BUST)
    for language in LANGUAGES:
        answer = club.referee.http.get(f"{club.path}/doubts", params={"lang": language})
        shown = answer.json()["games"][0]["reasons"]
        wanted = [
            terms.text("desk.doubt.alone", language),
            terms.text("desk.doubt.points", language, most=130000, least=-80000),
            terms.text("desk.doubt.yakuman", language, count=2),
            terms.text("desk.doubt.alike", language, count=4),
        ]
        assert shown[:4] == wanted


@pytest.mark.slow
def test_calls_and_games_to_look_at_do_not_mix(club: Gathering) -> None:
    table = alone(club, "mixed")
    club.players[0].post(f"{club.path}/calls", game=table.id, why="come")
    number = doubts(club)[0]["number"]
    assert [call["why"] for call in club.referee.get(f"{club.path}/calls")["calls"]] == ["come"]
    assert refused(club.referee, "POST", f"{club.path}/calls/{number}/close", answer="") == (404, "no_call")


@pytest.mark.slow
def test_points_beyond_reason_are_shown_though_a_referee_entered_them(url: str) -> None:
    paper = PaperClub(url, rules="tenhou")
    body: Message = {"stage": "league", "players": paper.entries}
    paper.organiser.post(f"{paper.path}/games", id="usual-game", **body, scores=[40000, 30000, 20000, 10000])
    paper.organiser.post(f"{paper.path}/games", id="slip-game", **body, scores=[400000, -300000, 0, 0])
    shown = paper.organiser.get(f"{paper.path}/doubts")["games"]
    assert [doubt["game"] for doubt in shown] == ["slip-game"]


@pytest.mark.parametrize("scores", [[60000, 40000, 30000, 20000], [25000, 25000, 25000, 24900]])
@pytest.mark.slow
def test_an_import_refuses_what_the_desk_refuses_and_says_where(club: Gathering, scores: list[int]) -> None:
    game: dict[str, Any] = {"stage": "league", "players": ["ken", "mei", "rin", club.entries[0]]}
    start = (club.referee, "POST", f"{club.path}/games")
    assert refused(*start, id="paper-game", scores=scores, **game) == (400, "points_sum")
    file = club.organiser.get(f"{club.path}/file")
    file["games"] = [{"id": "good", "scores": [25000] * 4, **game}, {"id": "bad", "scores": scores, **game}]
    answer = club.organiser.http.post("/api/events/import", json={"file": file})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("points_sum_at", "games[1].scores")
    file["games"][1]["scores"] = [1000000, -900000, 0, 0]
    opened = club.organiser.post("/api/events/import", file=file)["id"]
    shown = club.organiser.get(f"/api/events/{opened}/doubts")["games"]
    assert [doubt["game"] for doubt in shown] == ["bad"]


@pytest.mark.slow
def test_a_game_entered_by_those_who_run_the_event_has_no_pace(club: Gathering) -> None:
    table = Table(club, "paper", who=club.recorder)
    for hand in (DRAW, BUST):
        table.enter(hand)
    for player in club.players:
        table.confirm(player)
    (doubt,) = doubts(club)
    assert doubt["reasons"][1:] == [terms.text("desk.doubt.yakuman", "en", count=2)]
