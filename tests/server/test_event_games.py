"""Recorded games: entering, retrying, conflicts, corrections, who may start and see them."""

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.club import settle
from jantaku.club.as_entered import played_hands
from jantaku.game import Game
from server.clubs import BUST, DRAW, RON, Gathering, Table, refused
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
