"""News of an event in chats: what is told, in which language, and what hidden standings leave out."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from server.clubs import Gathering, refused
from server.parlour import Message, open_server, quick
from server.receiver import HOST, Receiver, running

pytestmark = pytest.mark.slow

ALL = ["seating", "start", "result", "standings", "correction", "penalty", "call"]
STAGES = [{"id": "main", "kind": "rounds", "name": {"ko": "예선", "en": "Main"}}, {"id": "league"}]
SCORES = [40000, 30000, 20000, 10000]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running() as hook:
        yield hook


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send to this machine."""
    folder = tmp_path_factory.mktemp("chats")
    settings = quick(folder, webhook_hosts=(HOST,), webhook_waits_s=(0.02,), public_url="http://club.invalid")
    with open_server(settings) as url:
        yield url


def gathered(near: str, **event: Any) -> Gathering:
    return Gathering(near, rules="tenhou", stages=STAGES, **event)


def add(gathering: Gathering, url: str, **more: Any) -> Message:
    path = f"{gathering.path}/webhooks"
    body = {"url": url, "kinds": ALL, "format": "mattermost", "language": "ko"} | more
    made = gathering.organiser.post(path, **body)
    return {**made, "path": f"{path}/{made['webhooks'][-1]['id']}"}


def told(receiver: Receiver) -> str:
    """The text of the next message."""
    return str(receiver.next()[1]["text"])


def play(gathering: Gathering) -> str:
    """A round of one table that is played; returns its game."""
    rounds = f"{gathering.path}/rounds/main"
    gathering.organiser.post(f"{rounds}/seating/import", rounds=[[gathering.entries]])
    gathering.organiser.post(f"{rounds}/publish", start=True)
    gathering.referee.post(f"{rounds}/1/results", results=[{"table": 1, "scores": SCORES}])
    return str(gathering.referee.get(rounds)["rounds"][0]["tables"][0]["game"])


def test_an_evening_in_a_chat(near: str, receiver: Receiver) -> None:
    gathering = gathered(near)
    made = add(gathering, receiver.url)
    assert made["secret"] == ""
    names = [gathering.players[i].get("/api/me")["person"]["name"] for i in range(4)]
    game = play(gathering)
    seating, start, result, standings = (told(receiver) for _ in range(4))
    assert "예선 1라운드 자리 배정" in seating
    assert f"1번 탁자: 동 {names[0]} · 남 {names[1]}" in seating
    assert "http://club.invalid/events/" in seating
    assert "예선 1라운드 시작" in start
    assert f"1 · {names[0]} 40,000 (+" in result
    assert f"4 · {names[3]} 10,000 (−" in result
    assert "순위 예선" in standings
    assert standings.index(names[0]) < standings.index(names[3])
    gathering.players[0].post(f"{gathering.path}/calls", label="탁자 7", why="점수가 @everyone 다릅니다")
    call = told(receiver)
    assert "심판 호출" in call
    assert names[0] in call
    assert "@everyone" not in call
    record = gathering.referee.get(f"{gathering.path}/games/{game}")
    points = {"scores": SCORES[::-1], "why": "paper", "revision": record["revision"]}
    gathering.referee.post(f"{gathering.path}/games/{game}/points", **points)
    assert "정정: 예선" in told(receiver)
    gathering.referee.post(
        f"{gathering.path}/penalties", stage="main", entry=gathering.entries[2], points=-3000, why="지각"
    )
    assert f"벌점: {names[2]} −3,000점" in told(receiver)
    gathering.organiser.post(f"{made['path']}/send", kind="standings")
    again = told(receiver)
    assert again.index(names[3]) < again.index(names[0])
    assert receiver.got.empty()
    log = gathering.referee.get(f"{gathering.path}/log?game={game}")["changes"]
    before = [event["before"]["scores"] for event in log if event["action"] == "points"]
    assert before == [SCORES, [25000] * 4]  # what the points were, not what they became
    gathering.close()


def test_a_chat_that_was_told_of_a_start_is_told_that_it_was_taken_back(
    near: str, receiver: Receiver
) -> None:
    gathering = gathered(near)
    add(gathering, receiver.url, kinds=["start", "correction", "call"])
    rounds = f"{gathering.path}/rounds/main"
    gathering.organiser.post(f"{rounds}/seating/import", rounds=[[gathering.entries]])
    gathering.organiser.post(f"{rounds}/publish", start=True)
    gathering.referee.post(f"{rounds}/1/take-back", why="점심 먼저")
    gathering.players[0].post(f"{gathering.path}/calls", label="탁자 7", why="?")
    start, back, call = (told(receiver) for _ in range(3))
    assert "예선 1라운드 시작" in start
    assert "예선 1라운드 시작 취소" in back
    assert "점심 먼저" in back
    assert "심판 호출" in call
    gathering.close()


def test_hidden_results_are_told_to_no_chat(near: str, receiver: Receiver) -> None:
    gathering = gathered(near, hidden_standings=True)
    made = add(gathering, receiver.url, kinds=["result", "standings", "correction"], language="en")
    game = play(gathering)
    gathering.organiser.post(f"{made['path']}/send", kind="standings")
    record = gathering.referee.get(f"{gathering.path}/games/{game}")
    points = {"scores": SCORES[::-1], "why": "40,000 was wrong", "revision": record["revision"]}
    gathering.referee.post(f"{gathering.path}/games/{game}/points", **points)
    for _ in range(4):
        text = told(receiver)
        assert "only after the event" in text
        assert not any(word in text for word in ("40,000", "10,000", "+", "\n1 ·"))
    gathering.close()


def test_chats_of_players_and_of_the_staff(near: str, receiver: Receiver) -> None:
    """Each address gets its own kinds; an erased player is named to none of them."""
    gathering = gathered(near)
    add(gathering, f"{receiver.url}/staff", kinds=["call"], format="jandi")
    add(
        gathering,
        f"{receiver.url}/all",
        kinds=["result"],
        format="telegram",
        chat="@club_news",
        language="ja",
    )
    name = gathering.players[0].get("/api/me")["person"]["name"]
    play(gathering)
    headers, body = receiver.next()
    assert headers["to"].endswith("/all")
    assert (body["chat_id"], name in body["text"]) == ("@club_news", True)
    gathering.players[1].post(f"{gathering.path}/calls", label="7", why="?")
    headers, body = receiver.next()
    assert headers["to"].endswith("/staff")
    assert headers["accept"] == "application/vnd.tosslab.jandi-v2+json"
    assert "jantaku-signature" not in headers
    gathering.close()


def test_what_is_refused(near: str, receiver: Receiver) -> None:
    gathering = gathered(near)
    path, body = f"{gathering.path}/webhooks", {"url": "https://one.invalid/", "kinds": ["start"]}
    wrong: list[Message] = [
        {"format": "icq"}, {"language": "fr"}, {"kinds": []}, {"kinds": ["secret"]}, {"chat": "x y"},
        {"format": "telegram", "chat": "@" + "a" * 60}, {"format": "telegram", "chat": "1; DROP"},
        {"url": "https://x.invalid/" + "a" * 500},
    ]  # fmt: skip
    for each in wrong:
        assert refused(gathering.organiser, "POST", path, **(body | each))[0] in (400, 422), each
    for chat in ({"format": "telegram"}, {"format": "slack", "chat": "@club_news"}):
        assert refused(gathering.organiser, "POST", path, **body, **chat) == (400, "webhook_chat")
    for number in range(8):
        gathering.organiser.post(path, **(body | {"url": f"https://{number}.invalid/"}))
    assert refused(gathering.organiser, "POST", path, **body) == (409, "too_many_webhooks")
    other = gathered(near)
    mine = gathering.organiser.get(path)["webhooks"][0]["id"]
    for method, place in (("DELETE", mine), ("POST", f"{mine}/send")):
        answer = refused(other.organiser, method, f"{other.path}/webhooks/{place}", kind="test")
        assert answer == (404, "no_webhook")
    shown = json.dumps(gathering.organiser.get(path))
    assert "secret" not in shown
    for club in (gathering, other):
        club.close()
