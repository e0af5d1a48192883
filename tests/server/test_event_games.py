"""Recorded games: entering, retrying, conflicts, corrections, locks, trust, confirming, the log."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.club import settle
from jantaku.club.played import played_hands
from jantaku.game import Game
from server.clubs import Gathering, Table, refused
from server.parlour import Message, Person

RON: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
DRAW: Message = {"end": "draw", "tenpai": [0]}
BUST: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}


@pytest.fixture
def gathering(url: str) -> Iterator[Gathering]:
    found = Gathering(url, rules="tenhou")
    yield found
    found.close()


def test_hands_are_settled_as_they_are_entered(gathering: Gathering) -> None:
    table = Table(gathering, "settled")
    first = table.enter(RON)
    second = table.enter(DRAW, gathering.recorder)
    assert first["game"] == json.loads(json.dumps(settle([RON], "tenhou").to_dict()))
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
    body, found = table.body(RON), list[Message]()

    def send(who: Person) -> None:
        found.append(who.post(f"{table.path}/hands", **body))

    threads = [threading.Thread(target=send, args=(one,)) for one in gathering.players * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one for one in found if one != found[0]] == []
    assert len(found) == 8
    assert len(table.view()["hands"]) == 1


def test_of_different_hands_at_the_same_moment_one_stands(gathering: Gathering) -> None:
    table = Table(gathering, "race")
    bodies = [table.body(hand) for hand in (RON, DRAW, BUST, DRAW)]
    answers = list[Any]()

    def send(who: Person, body: Message) -> None:
        answers.append(who.http.post(f"{table.path}/hands", json=body))

    pairs = zip(gathering.players, bodies, strict=True)
    threads = [threading.Thread(target=send, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.status_code for one in answers) == [200, 409, 409, 409]
    assert len(table.view()["hands"]) == 1


def test_a_conflict_shows_both_versions(gathering: Gathering) -> None:
    table = Table(gathering, "conflict")
    table.enter(RON)
    other = {"id": "other-phone", "follows": "", "hand": DRAW}
    answer = gathering.players[1].http.post(f"{table.path}/hands", json=other)
    found = answer.json()
    assert (answer.status_code, found["error"]["code"]) == (409, "hand_conflict")
    assert (found["yours"]["hand"], [one["hand"] for one in found["theirs"]]) == (DRAW, [RON])
    assert found["head"] == table.head


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
        found = table.enter(**step)
        assert found["game"] == json.loads(json.dumps(settle(hands, "tenhou").to_dict()))
        assert [one["hand"] for one in table.view()["hands"]] == hands
    versions = table.who.get(f"{table.path}/versions")["versions"]
    assert [one["action"] for one in versions] == ["add"] * 3 + ["replace", "remove", "insert"]
    assert versions[0]["hand"] == RON
    assert table.refuse(RON, action="replace", place=3) == (400, "number_range")
    assert table.refuse(None) == (400, "missing_field")
    assert table.refuse(RON, action="replace") == (400, "missing_field")


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
    gathering.close()


def test_a_hand_is_seen_then_signed_and_a_correction_starts_again(gathering: Gathering) -> None:
    table = Table(gathering, "trust")
    table.enter(RON)
    version = table.view()["hands"][0]["version"]

    def trust() -> str:
        return str(table.view()["hands"][0]["trust"])

    marks = f"{table.path}/marks"
    table.who.post(marks, kind="seen", version=version)  # one's own look proves nothing
    assert trust() == "proposed"
    gathering.players[1].post(marks, kind="seen", version=version)
    assert trust() == "seen"
    for one in gathering.players[1:]:
        one.post(marks, kind="signed", version=version)
        one.post(marks, kind="signed", version=version)
    assert trust() == "signed"
    table.enter(DRAW, action="replace", place=0)
    assert trust() == "proposed"
    assert refused(table.who, "POST", marks, kind="seen", version=version) == (404, "no_version")


def test_a_seat_with_an_account_speaks_for_itself(gathering: Gathering) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Paper", "id": "paper"}])
    table = Table(gathering, "seats", players=[*gathering.entries[:3], "paper"])
    table.enter(RON)
    marks, body = f"{table.path}/marks", {"kind": "signed", "version": table.head}
    assert refused(table.who, "POST", marks, **body, seat=1) == (403, "which_seat")
    assert refused(gathering.recorder, "POST", marks, **body) == (403, "which_seat")
    assert refused(gathering.players[3], "POST", marks, **body) == (403, "not_recorder")
    table.who.post(marks, **body, seat=3)
    assert gathering.referee.post(marks, **body, seat=1)["hands"][0]["signed"] == [1, 3]


def test_a_game_counts_when_all_four_confirm(gathering: Gathering) -> None:
    table = Table(gathering, "confirm")
    table.enter(DRAW)
    path = f"{table.path}/confirm"
    assert refused(table.who, "POST", path, head=table.head) == (409, "not_over")
    table.enter(BUST)
    assert table.view()["status"] == "over"
    assert refused(table.who, "POST", path, head="older") == (409, "game_moved_on")
    for one in gathering.players[:3]:
        assert table.confirm(one)["status"] == "over"
    table.enter(RON, action="insert", place=0)  # a correction asks everybody again
    for one in gathering.players[:3]:
        assert table.confirm(one)["status"] == "over"
    assert table.confirm(gathering.players[3])["status"] == "confirmed"
    assert table.confirm(gathering.players[3])["status"] == "confirmed"
    assert table.refuse(DRAW) == (409, "game_closed")


def test_all_four_can_confirm_at_once(gathering: Gathering) -> None:
    table = Table(gathering, "at-once")
    table.enter(BUST)
    threads = [threading.Thread(target=table.confirm, args=(one,)) for one in gathering.players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
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
    found = referee.post(path, scores=[40000, 30000, 20000, 9000], **why)  # a stick is left on the table
    assert (found["status"], found["only_points"], found["places"]) == ("confirmed", True, [1, 2, 3, 4])
    assert table.refuse(DRAW, referee, why="x") == (409, "only_points")
    referee.post(f"{table.path}/status", status="playing", why="more time")
    assert table.view()["scores"] == list(settle([RON], "tenhou").scores)


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
    assert [(one["why"], one["mine"]) for one in queue] == [("furiten", False)]
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


def test_penalties_need_a_reason_and_can_be_taken_back(gathering: Gathering) -> None:
    path, entry = f"{gathering.path}/penalties", gathering.entries[0]
    body = {"stage": "league", "entry": entry, "points": -20000}
    assert refused(gathering.referee, "POST", path, **body)[0] == 422
    gathering.referee.post(path, **body, why="late")
    assert [one["points"] for one in gathering.players[0].get(path)["penalties"]] == [-20000]
    assert gathering.players[1].get(path)["penalties"] == []
    assert refused(gathering.referee, "POST", path, **{**body, "stage": "x"}, why="y") == (404, "no_stage")
    assert refused(gathering.referee, "POST", path, **body, game="none", why="y")[0] == 404
    gathering.referee.post(f"{path}/1/cancel", why="was on time")
    assert gathering.players[0].get(path)["penalties"][0]["cancelled"]
    assert refused(gathering.referee, "POST", f"{path}/1/cancel", why="again") == (404, "no_penalty")
    log = gathering.players[0].get(f"{gathering.path}/log")["changes"]
    assert [one["action"] for one in log[:2]] == ["penalty_cancelled", "penalty"]
    assert gathering.players[1].get(f"{gathering.path}/log")["changes"][0]["action"] != "penalty_cancelled"


def test_players_read_what_concerns_them_in_the_log(gathering: Gathering, person: Person) -> None:
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "Paper", "id": "paper"}])
    table = Table(gathering, "log", players=["paper", *gathering.entries[:3]])
    table.enter(RON)
    path = f"{gathering.path}/log"
    sat, elsewhere = gathering.players[0].get(path)["changes"], gathering.players[3].get(path)["changes"]
    assert [(one["action"], one["game"]) for one in sat[:2]] == [("hand", table.id), ("game", table.id)]
    assert [one for one in elsewhere if one["game"]] == []
    assert {one["action"] for one in elsewhere} >= {"create", "staff", "entry"}
    assert [one["entry"] for one in elsewhere if one["entry"]] == [gathering.entries[3]]
    everything, before = list[Message](), None
    while True:
        page = gathering.referee.get(path, **({"before": before} if before else {}))
        everything += page["changes"]
        before = page["next"]
        if before is None:
            break
    assert len(everything) == 2 + 2 + 4 + 1 + 1  # opened, staff, entries, game, hand and paper
    assert refused(person, "GET", path) == (403, "not_concerned")


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
        ({"players": gathering.entries[:3]}, "twice_at_table"),
        ({"players": [gathering.entries[0]] * 4}, "twice_at_table"),
        ({"players": [*gathering.entries[:3], "x"]}, "not_entered"),
        ({"players": ["x", "y", "z", "w"]}, "not_recorder"),
        ({"scores": [25000] * 4}, "not_referee"),
        ({"at": past}, "not_recorder"),
        ({"id": "a/b"}, "bad_request"),
    ):
        assert refused(player, "POST", path, **{**body, **change})[1] == code
    first = player.post(path, **body)
    assert player.post(path, **body) == first
    assert refused(player, "POST", path, **{**body, "stage": "rounds"})[0] == 409
    found = gathering.referee.post(
        path, **{**body, "id": "by-points", "scores": [40000, 30000, 20000, 10000]}
    )
    assert (found["status"], found["final"][0] > 0) == ("confirmed", True)
    assert (
        gathering.recorder.post(path, **{**body, "id": "afterwards", "at": past})["at"]
        == "2020-01-01T00:00:00.000+00:00"
    )
    gathering.close()


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
    gathering.close()


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
    found = {name: gathering.referee.get(games, **query)["games"] for name, query in queries.items()}
    ids = {name: [one["id"] for one in rows] for name, rows in found.items()}
    assert ids == {
        "all": ["game-second", "game-first-of-all"],
        "paper": ["game-second"],
        "stage": [],
        "before": ["game-first-of-all"],
    }


def test_unfinished_games_are_neither_confirmed_nor_cancelled(gathering: Gathering) -> None:
    tables = [Table(gathering, f"one-{name}") for name in ("first", "over", "ended", "cancelled")]
    tables[1].enter(BUST)
    gathering.referee.post(f"{tables[2].path}/points", scores=[25000] * 4, why="no time")
    gathering.referee.post(f"{tables[3].path}/status", status="cancelled", why="nobody came")
    found = gathering.recorder.get(f"{gathering.path}/games", unfinished=True)["games"]
    assert [(one["id"], one["status"]) for one in found] == [
        (tables[1].id, "over"),
        (tables[0].id, "playing"),
    ]


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
        {**RON, "wins": [{**RON["wins"][0], "yaku": ["x" * 5000]}]}, {**RON, "riichi": list(range(100))},
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
        found = table.enter(hand)["game"]
        wanted = settle(hands[:i], "tenhou")
        assert (found["scores"], found["over"]) == (list(wanted.scores), wanted.over)
        assert tuple(found["hands"][-1]["scores"]) == wanted.hands[-1].scores
    assert table.view()["status"] == ("over" if wanted.over else "playing")


def test_whole_games_come_out_as_they_are_settled(gathering: Gathering) -> None:
    for name, hands in games_of_our_own():
        enter_all(gathering, name, hands)


def test_real_games_come_out_as_they_were_played(gathering: Gathering, shared_data: Path) -> None:
    lines = (shared_data / "settle-tenhou.jsonl").read_text("utf-8").splitlines()
    for i, line in enumerate(lines):
        request = json.loads(line)["request"]
        if request["rules"] == "tenhou":
            enter_all(gathering, f"real-{i}", request["hands"])
