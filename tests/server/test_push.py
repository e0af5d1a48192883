"""Notifications: each player is told what concerns them, and only their browser can read it."""

import base64
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from jantaku.server.edge.outgoing_requests import ANSWER_S
from server.clubs import RON, Gathering, Table
from server.parlour import WAIT_S, Message, Person, open_server, quick
from server.receiver import HOST, BrowserKeys, Receiver, plain, running

pytestmark = pytest.mark.slow

STAGES = [{"id": "league"}, {"id": "main", "kind": "rounds"}]
PUSH = "/api/me/push"


class Browser(BrowserKeys):
    """What a browser does with notifications: its keys, and the messages that it can read."""

    def __init__(self, service: Receiver, person: Person, name: str) -> None:
        super().__init__()
        self.service, self.person, self.name = service, person, name

    def body(self, **other: str) -> Message:
        endpoint = f"{self.service.url}/{self.name}"
        return {"endpoint": endpoint, **self.shown(), **other}

    def subscribe(self, language: str = "en") -> Message:
        answer = self.person.http.put(PUSH, json=self.body(), params={"lang": language})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send to this machine."""
    with open_server(quick(tmp_path_factory.mktemp("push"), webhook_hosts=(HOST,))) as url:
        yield url


@pytest.fixture
def service() -> Iterator[Receiver]:
    with running() as receiver:
        yield receiver


@pytest.fixture
def pushed(near: str) -> Gathering:
    return Gathering(near, name={"en": "Spring", "ko": "봄"}, rules="tenhou", stages=STAGES)


def told(service: Receiver, *browsers: Browser) -> set[tuple[str, str, str, str]]:
    """The next message to each of these: for whom, its title, text and page."""
    names = set()
    for _ in browsers:
        headers, body = service.got.get(timeout=WAIT_S)
        browser = next(known for known in browsers if headers["to"].endswith(f"/{known.name}"))
        message = browser.read(body)
        names.add((browser.name, message["title"], message["body"], message["url"]))
    return names


def test_players_are_told_what_concerns_them(pushed: Gathering, service: Receiver) -> None:
    first, second = (Browser(service, pushed.players[i], str(i)) for i in (0, 1))
    assert first.subscribe("ko")["on"] is True
    second.subscribe("en")
    rounds = f"{pushed.path}/rounds/main"
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[[pushed.entries]])
    pushed.organiser.post(f"{rounds}/publish")
    assert told(service, first, second) == {
        ("0", "봄", "1라운드: 1번 탁자, 동가입니다.", f"/events/{pushed.id}/rounds"),
        ("1", "Spring", "Round 1: table 1, you sit South.", f"/events/{pushed.id}/rounds"),
    }
    pushed.organiser.post(f"{rounds}/1/start")
    assert {row[2] for row in told(service, first, second)} == {
        "1라운드를 시작합니다. 1번 탁자, 동가입니다.",
        "Round 1 begins. Table 1, you sit South.",
    }
    penalty = {"stage": "league", "entry": pushed.entries[1], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    path = f"/events/{pushed.id}/players/{pushed.entries[1]}"
    assert told(service, second) == {("1", "Spring", "You got a penalty: −1,000 points. late", path)}
    assert service.got.empty()


def test_who_was_told_of_a_start_is_told_once_that_it_was_taken_back(
    pushed: Gathering, service: Receiver
) -> None:
    """With a game at one table of two, all were told that the round begins."""
    listed = [{"name": name, "id": name} for name in "abcd"]
    pushed.organiser.post(f"{pushed.path}/entries/list", entries=listed)
    rounds, (one, other, *rest) = f"{pushed.path}/rounds/main", pushed.entries
    seats = [[one, *"abc"], [other, *rest, "d"]]
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[seats])
    pushed.organiser.post(f"{rounds}/publish")
    pushed.recorder.post(f"{rounds}/1/tables/1/start")
    browsers = [Browser(service, pushed.players[i], str(i)) for i in (0, 1)]
    for browser in browsers:
        browser.subscribe()
    pushed.referee.post(f"{rounds}/1/take-back")
    penalties = f"{pushed.path}/penalties"
    for entry in (one, other):
        pushed.referee.post(penalties, stage="league", entry=entry, points=-1000, why="late")
    news = {row[::2] for row in told(service, *browsers, *browsers)}
    text = "Round 1 has not begun after all: its start was taken back."
    assert {row for row in news if "penalty" not in row[1]} == {("0", text), ("1", text)}
    assert len(news) == 4


def test_only_those_whose_seat_has_changed_are_told(pushed: Gathering, service: Receiver) -> None:
    browsers = [Browser(service, pushed.players[i], str(i)) for i in (0, 1, 2)]
    rounds = f"{pushed.path}/rounds/main"
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[[pushed.entries]])
    pushed.organiser.post(f"{rounds}/publish")
    for browser in browsers:
        browser.subscribe()
    pushed.organiser.post(f"{rounds}/1/seats", swap=pushed.entries[:2])
    assert {row[::2] for row in told(service, *browsers[:2])} == {
        ("0", "Round 1: your seat has changed. Table 1, South."),
        ("1", "Round 1: your seat has changed. Table 1, East."),
    }
    penalty = {"stage": "league", "entry": pushed.entries[2], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    assert [row[2] for row in told(service, browsers[2])] == ["You got a penalty: −1,000 points. late"]


@pytest.mark.slow
def test_a_correction_is_told_to_all_but_whoever_made_it(pushed: Gathering, service: Receiver) -> None:
    first, second = (Browser(service, pushed.players[i], str(i)) for i in (0, 1))
    first.subscribe()
    second.subscribe()
    table = Table(pushed, "push")
    table.enter(RON)
    table.enter(RON | {"from": 2}, action="replace", place=0)  # by the first player
    text = "A referee or a player has corrected a game of yours."
    path = f"/events/{pushed.id}/games/{table.id}"
    assert told(service, second) == {("1", "Spring", text, path)}
    penalty = {"stage": "league", "entry": pushed.entries[0], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    assert [row[2] for row in told(service, first)] == ["You got a penalty: −1,000 points. late"]


def test_the_service_learns_who_sends_and_nothing_else(pushed: Gathering, service: Receiver) -> None:
    browser = Browser(service, pushed.players[0], "0")
    key = browser.subscribe()["key"]
    penalty = {"stage": "league", "entry": pushed.entries[0], "points": -1000, "why": "secret reason"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    headers, body = service.got.get(timeout=WAIT_S)
    assert b"secret" not in body
    token, sent = headers["authorization"].removeprefix("vapid t=").split(", k=")
    assert sent == key
    public = ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    )
    claims: dict[str, Any] = jwt.decode(token, public, algorithms=["ES256"], audience=f"http://{HOST}")
    assert claims["sub"] == "mailto:jantaku@localhost"
    other = Browser(service, pushed.players[1], "1")
    with pytest.raises(InvalidTag):
        other.read(body)


@pytest.mark.parametrize("end", ["off", "logout", "gone"])
def test_nothing_is_sent_any_more(pushed: Gathering, service: Receiver, end: str) -> None:
    browser, other = (Browser(service, pushed.players[i], str(i)) for i in (0, 1))
    browser.subscribe()
    other.subscribe()
    penalty = {"stage": "league", "points": -1000, "why": "late"}
    if end == "off":
        answer = pushed.players[0].http.delete(PUSH)
        assert answer.json()["on"] is False
    elif end == "logout":
        pushed.players[0].post("/api/logout")
    else:
        service.answers.append(410)  # the person has taken the permission back
        first = penalty | {"why": "no show"}
        pushed.referee.post(f"{pushed.path}/penalties", entry=pushed.entries[0], **first)
        service.got.get(timeout=WAIT_S)
    for i in (0, 1):
        pushed.referee.post(f"{pushed.path}/penalties", entry=pushed.entries[i], **penalty)
    headers, _ = service.got.get(timeout=WAIT_S)
    assert headers["to"].endswith("/1")
    assert service.got.empty()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"endpoint": "https://10.0.0.1/x"}, "endpoint"),
        ({"endpoint": "http://push.example.org/x"}, "endpoint"),
        ({"p256dh": "AAAA"}, "p256dh"),
        ({"p256dh": plain(b"\4" + bytes(64))}, "p256dh"),
        ({"auth": "!"}, "auth"),
    ],
)
def test_wrong_addresses_and_keys_are_refused(
    pushed: Gathering, service: Receiver, wrong: Message, field: str
) -> None:
    browser = Browser(service, pushed.players[0], "0")
    answer = pushed.players[0].http.put(PUSH, json=browser.body(**wrong))
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["field"] == field
    assert pushed.players[0].get(PUSH)["on"] is False


def test_a_browser_that_changes_hands_tells_its_new_owner_only(pushed: Gathering, service: Receiver) -> None:
    browser = Browser(service, pushed.players[0], "0")
    browser.subscribe()
    browser.person = pushed.players[1]
    browser.subscribe()
    assert [player.get(PUSH)["on"] for player in pushed.players[:2]] == [False, True]


def test_an_address_that_answers_slowly_delays_nobody_else(pushed: Gathering, service: Receiver) -> None:
    slow, other = (Browser(service, pushed.players[i], name) for i, name in ((0, "slow"), (1, "1")))
    service.slow = "/slow"
    slow.subscribe()
    other.subscribe()
    rounds = f"{pushed.path}/rounds/main"
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[[pushed.entries]])
    pushed.organiser.post(f"{rounds}/publish", start=True)
    penalty = {"stage": "league", "entry": pushed.entries[1], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    got = [service.got.get(timeout=ANSWER_S / 2)[0]["to"].rpartition("/")[2] for _ in range(4)]
    assert sorted(got) == ["1", "1", "1", "slow"], "the first message to the slow one is still on its way"
