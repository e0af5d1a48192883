"""Webhooks: signed news that arrive, again after failures, and never at private addresses."""

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Coroutine, Iterator
from typing import Any

import jwt
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from jantaku.server.edge import outgoing
from jantaku.server.edge.outgoing import ANSWER_S, OutgoingError, checked_url, is_public, send
from jantaku.server.events.notices.chat_news import ChatMessage, chat_body, units
from server.clubs import RON, Gathering, Table, refused
from server.parlour import WAIT_S, Message, Person, open_server, quick
from server.receiver import HOST, BrowserKeys, Receiver, plain, running

KINDS = ["seating", "start", "correction", "penalty"]
TEST = {"kind": "test"}
STAGES = [{"id": "league"}, {"id": "main", "kind": "rounds"}]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running() as hook:
        yield hook


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send to this machine, and tries again soon."""
    settings = quick(tmp_path_factory.mktemp("near"), webhook_hosts=(HOST,), webhook_waits_s=(0.02, 0.05))
    with open_server(settings) as url:
        yield url


@pytest.fixture
def hooked(near: str) -> Gathering:
    return Gathering(near, rules="tenhou", stages=STAGES)


def put(hooked: Gathering, url: str, kinds: list[str] | None = None, **more: Any) -> Message:
    """Add a webhook; returns the answer with the ``path`` of the new one."""
    path, body = f"{hooked.path}/webhooks", {"url": url, "kinds": kinds or KINDS, **more}
    made = hooked.organiser.post(path, **body)
    return {**made, "path": f"{path}/{made['webhooks'][-1]['id']}"}


def ask_test(hooked: Gathering, made: Message) -> None:
    """Ask for a test."""
    hooked.organiser.post(f"{made['path']}/send", **TEST)


def settled(hooked: Gathering) -> list[Message]:
    """The deliveries, when none of them waits any more."""
    end = time.monotonic() + WAIT_S
    while True:
        deliveries = hooked.organiser.get(f"{hooked.path}/webhooks")["deliveries"]
        if deliveries and all(delivery["state"] != "waiting" for delivery in deliveries):
            return list(deliveries)
        assert time.monotonic() < end, deliveries
        time.sleep(0.02)


@pytest.mark.slow
def test_news_arrive_signed(hooked: Gathering, receiver: Receiver) -> None:
    made = put(hooked, receiver.url)
    rounds = f"{hooked.path}/rounds/main"
    hooked.organiser.post(f"{rounds}/seating/import", rounds=[[hooked.entries]])
    hooked.organiser.post(f"{rounds}/publish", start=True)
    headers, body = receiver.next()
    assert (headers["jantaku-news"], body["kind"], body["action"]) == ("seating",) * 2 + (
        "seating_published",
    )
    assert body["after"]["tables"] == [hooked.entries]
    at, sign = headers["jantaku-signature"].removeprefix("t=").split(",v1=")
    assert abs(time.time() - int(at)) < WAIT_S
    text = f"{at}.{json.dumps(body, ensure_ascii=False)}".encode()
    assert hmac.new(made["secret"].encode(), text, hashlib.sha256).hexdigest() == sign
    assert receiver.next()[1]["action"] == "round_start"
    table = Table(hooked, "web-hook")
    table.enter(RON)
    table.enter(RON | {"from": 2}, action="replace", place=0)
    changed = receiver.next()[1]
    assert (changed["kind"], changed["game"], changed["after"]) == ("correction", table.id, None)
    penalty = {"stage": "league", "entry": hooked.entries[0], "points": -1000, "why": "late"}
    hooked.referee.post(f"{hooked.path}/penalties", **penalty)
    fined = receiver.next()[1]
    assert (fined["kind"], fined["entry"], fined["after"]["points"]) == (
        "penalty",
        hooked.entries[0],
        -1000,
    )
    assert [delivery["state"] for delivery in settled(hooked)] == ["arrived"] * 4
    assert receiver.got.empty()


@pytest.mark.slow
def test_only_the_chosen_kinds_are_told(hooked: Gathering, receiver: Receiver) -> None:
    made = put(hooked, receiver.url, ["start"])
    penalty = {"stage": "league", "entry": hooked.entries[0], "points": -1000, "why": "late"}
    hooked.referee.post(f"{hooked.path}/penalties", **penalty)
    ask_test(hooked, made)
    assert receiver.next()[1]["kind"] == "test"
    hooked.organiser.http.delete(made["path"]).raise_for_status()
    assert hooked.organiser.get(f"{hooked.path}/webhooks") == {"webhooks": [], "deliveries": []}
    assert refused(hooked.organiser, "POST", f"{made['path']}/send", **TEST) == (404, "no_webhook")
    assert refused(hooked.organiser, "DELETE", made["path"]) == (404, "no_webhook")


@pytest.mark.slow
def test_the_secret_and_the_address_are_never_shown_again(hooked: Gathering, receiver: Receiver) -> None:
    made = put(hooked, receiver.url)
    assert len(made["secret"]) > 30
    assert put(hooked, receiver.url)["secret"] != made["secret"]
    shown = json.dumps(hooked.organiser.get(f"{hooked.path}/webhooks"))
    log = json.dumps(hooked.organiser.get(f"{hooked.path}/log"))
    file = json.dumps(hooked.organiser.get(f"{hooked.path}/file"))
    for text in (shown, log, file):
        assert made["secret"] not in text
        assert "very-secret" not in text
    assert HOST in shown
    assert "webhook" not in json.dumps(hooked.players[0].get(f"{hooked.path}/log"))


@pytest.mark.slow
def test_failures_are_tried_again_and_given_up(hooked: Gathering, receiver: Receiver) -> None:
    receiver.answers = [500, 302]
    made = put(hooked, receiver.url)
    ask_test(hooked, made)
    first = settled(hooked)[0]
    assert (first["state"], first["tries"], first["status"]) == ("arrived", 3, 204)
    assert len({receiver.next()[0]["jantaku-delivery"] for _ in range(3)}) == 1
    receiver.answers = [302] * 9
    ask_test(hooked, made)
    delivery = settled(hooked)[0]
    assert (delivery["state"], delivery["tries"], delivery["status"], delivery["error"]) == (
        "failed",
        3,
        302,
        "refused",
    )
    ask_test(hooked, put(hooked, f"http://{HOST}:1/"))
    gone = settled(hooked)[0]
    assert (gone["state"], gone["status"], gone["error"]) == ("failed", None, "connection")


PRIVATE = (
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "::127.0.0.1",
    "64:ff9b:1::7f00:1", "fec0::1", "3fff::1", "192.0.0.192", "192.0.0.9", "192.0.2.1", "192.88.99.1",
    "192.31.196.1", "192.52.193.1", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
    "203.0.113.7", "240.0.0.1", "168.63.129.16", "100.100.100.200", "100.127.255.255", "172.31.255.255",
    "0.1.2.3", "2001:db8::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1::1", "2001:4:112::1",
    "2620:4f:8000::1", "5f00::1", "100::1", "fdff::1", "64:ff9b::8.8.8.8", "2002:808:808::1", "::8.8.8.8",
    "4000::1",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
@pytest.mark.slow
def test_private_addresses_are_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(OutgoingError, match="private"):
        checked_url(f"https://{host}/hook")


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "192.0.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "198.17.0.1"],
)
@pytest.mark.slow
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


WRONG = (
    ("http://example.org/", "https"), ("ftp://example.org/", "https"), ("example.org", "url"),
    ("https://127.0.0.1/", "private"), ("https://[::1]:8443/", "private"), ("https://", "url"),
    ("https://me:pw@example.org/", "url"), ("https://example.org:22/", "port"), ("https://a b.org/", "url"),
    ("https://example.org\\@127.0.0.1/", "url"), ("https://example.org/\n", "url"),
    (f"https://a/{'x' * 500}", "url"), ("https://example.org:99999/", "url"),
)  # fmt: skip


@pytest.mark.parametrize(("address", "code"), WRONG)
@pytest.mark.slow
def test_wrong_addresses_are_refused(address: str, code: str) -> None:
    with pytest.raises(OutgoingError, match=code):
        checked_url(address)


@pytest.mark.slow
def test_a_server_sends_to_no_private_address(url: str) -> None:
    hooked = Gathering(url, rules="tenhou")
    path = f"{hooked.path}/webhooks"
    for address, code in WRONG[:4]:
        answer = refused(hooked.organiser, "POST", path, url=address, kinds=KINDS)
        assert answer == (400, f"webhook_{code}")
    made = put(hooked, "https://localhost:8443/")  # its address is looked up when something is sent
    ask_test(hooked, made)
    end = time.monotonic() + WAIT_S
    while not (answer := hooked.organiser.get(path)["deliveries"][0])["tries"]:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert (answer["error"], answer["status"], answer["state"]) == ("private", None, "waiting")


@pytest.mark.slow
def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(*addresses: str) -> Any:
        async def look_up(*_: Any, **__: Any) -> Any:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]

        return look_up

    async def to(*addresses: str) -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "getaddrinfo", rows(*addresses))
        await send("https://example.org/", b"{}", {})

    for addresses in (("8.8.8.8", "127.0.0.1"), ("::ffff:10.0.0.1",)):
        with pytest.raises(OutgoingError, match="private"):
            asyncio.run(to(*addresses))


@pytest.mark.slow
def test_certificates_are_read_once_and_never_on_the_loop(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them takes as long as twenty actions, and tables would wait for it."""
    read, real = list[int](), ssl.create_default_context

    def create() -> ssl.SSLContext:
        read.append(threading.get_ident())
        return real()

    async def thrice() -> None:
        for _ in range(3):
            assert await send(receiver.url, b"{}", {}, (HOST,)) == 204

    outgoing._trust.cache_clear()
    monkeypatch.setattr(ssl, "create_default_context", create)
    asyncio.run(thrice())
    assert len(read) == 1
    assert read[0] != threading.get_ident()


async def within(work: Coroutine[Any, Any, int]) -> int:
    """The work, which must not last for ever."""
    return await asyncio.wait_for(work, WAIT_S)


@pytest.mark.slow
def test_a_receiver_that_never_answers_costs_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "ANSWER_S", 0.2)
    with socket.create_server((HOST, 0)) as silent, pytest.raises(OutgoingError, match="timeout"):
        asyncio.run(within(send(f"http://{HOST}:{silent.getsockname()[1]}/", b"{}", {}, (HOST,))))


@pytest.mark.slow
def test_news_wait_while_the_server_is_down(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("down")
    patient = quick(folder, webhook_hosts=(HOST,), webhook_waits_s=(0.5,) * 200)
    with running() as receiver:
        address = receiver.url
        with open_server(patient) as url:
            hooked = Gathering(url, rules="tenhou")
            receiver.answers = [500]
            ask_test(hooked, put(hooked, address))
            receiver.next()
            hooked.close()
        with open_server(patient):
            assert receiver.next()[1]["kind"] == "test"


@pytest.mark.slow
def test_a_webhook_that_answers_slowly_delays_no_other_event(near: str, receiver: Receiver) -> None:
    slow, other = (Gathering(near, rules="tenhou", stages=STAGES) for _ in range(2))
    receiver.slow = "/slow"
    ask_test(slow, put(slow, f"{receiver.url}/slow"))
    made = put(other, f"{receiver.url}/other")
    assert receiver.got.get(timeout=WAIT_S)[0]["to"].endswith("/slow")
    for _ in range(2):
        ask_test(other, made)
        assert receiver.got.get(timeout=ANSWER_S / 2)[0]["to"].endswith("/other")


@pytest.mark.parametrize("more", [{}, {"format": "discord"}, {"format": "slack"}])
@pytest.mark.parametrize("address", ["http://[", "https://[::1", "https://\u2100/bot1", "https://a:x/", "/"])
@pytest.mark.slow
def test_what_is_no_address_is_refused_in_every_format(url: str, address: str, more: dict[str, str]) -> None:
    hooked = Gathering(url)
    body = {"url": address, "kinds": KINDS, **more}
    told = refused(hooked.organiser, "POST", f"{hooked.path}/webhooks", **body)
    assert told == (400, "webhook_url")


# News of an event in chats: what is told, in which language, and what hidden standings leave out


ALL = ["seating", "start", "result", "standings", "correction", "penalty", "call"]
STAGES_EVENT_CHATS = [
    {"id": "main", "kind": "rounds", "name": "예선"},
    {"id": "league"},
]
SCORES = [40000, 30000, 20000, 10000]


@pytest.fixture(scope="module")
def near_event_chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send to this machine."""
    folder = tmp_path_factory.mktemp("chats")
    settings = quick(folder, webhook_hosts=(HOST,), webhook_waits_s=(0.02,), public_url="http://club.invalid")
    with open_server(settings) as url:
        yield url


def gathered(near_event_chats: str, **event: Any) -> Gathering:
    return Gathering(near_event_chats, rules="tenhou", stages=STAGES_EVENT_CHATS, **event)


def add(gathering: Gathering, url: str, **more: Any) -> Message:
    path = f"{gathering.path}/webhooks"
    body = {"url": url, "kinds": ALL, "format": "slack", "language": "ko"} | more
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


@pytest.mark.slow
def test_an_evening_in_a_chat(near_event_chats: str, receiver: Receiver) -> None:
    gathering = gathered(near_event_chats)
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


@pytest.mark.slow
def test_a_chat_that_was_told_of_a_start_is_told_that_it_was_taken_back(
    near_event_chats: str, receiver: Receiver
) -> None:
    gathering = gathered(near_event_chats)
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


@pytest.mark.slow
def test_hidden_results_are_told_to_no_chat(near_event_chats: str, receiver: Receiver) -> None:
    gathering = gathered(near_event_chats, hidden_standings=True)
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


@pytest.mark.slow
def test_chats_of_players_and_of_the_staff(near_event_chats: str, receiver: Receiver) -> None:
    """Each address gets its own kinds; an erased player is named to none of them."""
    gathering = gathered(near_event_chats)
    add(gathering, f"{receiver.url}/staff", kinds=["call"], format="discord")
    add(gathering, f"{receiver.url}/all", kinds=["result"], language="ja")
    name = gathering.players[0].get("/api/me")["person"]["name"]
    play(gathering)
    headers, body = receiver.next()
    assert headers["to"].endswith("/all")
    assert name in body["text"]
    gathering.players[1].post(f"{gathering.path}/calls", label="7", why="?")
    headers, body = receiver.next()
    assert headers["to"].endswith("/staff")
    assert "jantaku-signature" not in headers
    gathering.close()


@pytest.mark.slow
def test_what_is_refused(near_event_chats: str, receiver: Receiver) -> None:
    gathering = gathered(near_event_chats)
    path, body = f"{gathering.path}/webhooks", {"url": "https://one.invalid/", "kinds": ["start"]}
    wrong: list[Message] = [
        {"format": "icq"}, {"language": "fr"}, {"kinds": []}, {"kinds": ["secret"]},
        {"url": "https://x.invalid/" + "a" * 500},
    ]  # fmt: skip
    for each in wrong:
        assert refused(gathering.organiser, "POST", path, **(body | each))[0] in (400, 422), each
    for number in range(8):
        gathering.organiser.post(path, **(body | {"url": f"https://{number}.invalid/"}))
    assert refused(gathering.organiser, "POST", path, **body) == (409, "too_many_webhooks")
    other = gathered(near_event_chats)
    mine = gathering.organiser.get(path)["webhooks"][0]["id"]
    for method, place in (("DELETE", mine), ("POST", f"{mine}/send")):
        answer = refused(other.organiser, method, f"{other.path}/webhooks/{place}", kind="test")
        assert answer == (404, "no_webhook")
    shown = json.dumps(gathering.organiser.get(path))
    assert "secret" not in shown
    for club in (gathering, other):
        club.close()


# Notifications: each player is told what concerns them, and only their browser can read it


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
def near_push(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send to this machine."""
    with open_server(quick(tmp_path_factory.mktemp("push"), webhook_hosts=(HOST,))) as url:
        yield url


@pytest.fixture
def service() -> Iterator[Receiver]:
    with running() as receiver:
        yield receiver


@pytest.fixture
def pushed(near_push: str) -> Gathering:
    return Gathering(near_push, name="Spring", rules="tenhou", stages=STAGES)


def told_push(service: Receiver, *browsers: Browser) -> set[tuple[str, str, str, str]]:
    """The next message to each of these: for whom, its title, text and page."""
    names = set()
    for _ in browsers:
        headers, body = service.got.get(timeout=WAIT_S)
        browser = next(known for known in browsers if headers["to"].endswith(f"/{known.name}"))
        message = browser.read(body)
        names.add((browser.name, message["title"], message["body"], message["url"]))
    return names


@pytest.mark.slow
def test_players_are_told_what_concerns_them(pushed: Gathering, service: Receiver) -> None:
    first, second = (Browser(service, pushed.players[i], str(i)) for i in (0, 1))
    assert first.subscribe("ko")["on"] is True
    second.subscribe("en")
    rounds = f"{pushed.path}/rounds/main"
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[[pushed.entries]])
    pushed.organiser.post(f"{rounds}/publish")
    assert told_push(service, first, second) == {
        ("0", "Spring", "1라운드: 1번 탁자, 동가입니다.", f"/events/{pushed.id}/rounds"),
        ("1", "Spring", "Round 1: table 1, you sit South.", f"/events/{pushed.id}/rounds"),
    }
    pushed.organiser.post(f"{rounds}/1/start")
    assert {row[2] for row in told_push(service, first, second)} == {
        "1라운드를 시작합니다. 1번 탁자, 동가입니다.",
        "Round 1 begins. Table 1, you sit South.",
    }
    penalty = {"stage": "league", "entry": pushed.entries[1], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    path = f"/events/{pushed.id}/players/{pushed.entries[1]}"
    assert told_push(service, second) == {("1", "Spring", "You got a penalty: −1,000 points. late", path)}
    assert service.got.empty()


@pytest.mark.slow
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
    news = {row[::2] for row in told_push(service, *browsers, *browsers)}
    text = "Round 1 has not begun after all: its start was taken back."
    assert {row for row in news if "penalty" not in row[1]} == {("0", text), ("1", text)}
    assert len(news) == 4


@pytest.mark.slow
def test_only_those_whose_seat_has_changed_are_told(pushed: Gathering, service: Receiver) -> None:
    browsers = [Browser(service, pushed.players[i], str(i)) for i in (0, 1, 2)]
    rounds = f"{pushed.path}/rounds/main"
    pushed.organiser.post(f"{rounds}/seating/import", rounds=[[pushed.entries]])
    pushed.organiser.post(f"{rounds}/publish")
    for browser in browsers:
        browser.subscribe()
    pushed.organiser.post(f"{rounds}/1/seats", swap=pushed.entries[:2])
    assert {row[::2] for row in told_push(service, *browsers[:2])} == {
        ("0", "Round 1: your seat has changed. Table 1, South."),
        ("1", "Round 1: your seat has changed. Table 1, East."),
    }
    penalty = {"stage": "league", "entry": pushed.entries[2], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    assert [row[2] for row in told_push(service, browsers[2])] == ["You got a penalty: −1,000 points. late"]


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
    assert told_push(service, second) == {("1", "Spring", text, path)}
    penalty = {"stage": "league", "entry": pushed.entries[0], "points": -1000, "why": "late"}
    pushed.referee.post(f"{pushed.path}/penalties", **penalty)
    assert [row[2] for row in told_push(service, first)] == ["You got a penalty: −1,000 points. late"]


@pytest.mark.slow
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
@pytest.mark.slow
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
@pytest.mark.slow
def test_wrong_addresses_and_keys_are_refused(
    pushed: Gathering, service: Receiver, wrong: Message, field: str
) -> None:
    browser = Browser(service, pushed.players[0], "0")
    answer = pushed.players[0].http.put(PUSH, json=browser.body(**wrong))
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["field"] == field
    assert pushed.players[0].get(PUSH)["on"] is False


@pytest.mark.slow
def test_a_browser_that_changes_hands_tells_its_new_owner_only(pushed: Gathering, service: Receiver) -> None:
    browser = Browser(service, pushed.players[0], "0")
    browser.subscribe()
    browser.person = pushed.players[1]
    browser.subscribe()
    assert [player.get(PUSH)["on"] for player in pushed.players[:2]] == [False, True]


@pytest.mark.slow
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


# Messages for chats: each is as the chat's documentation wants it, and no name in it is markup


NASTY = (
    "@everyone", "<!channel>", "<users/all>", "<b>bold</b>", "[x](https://evil.invalid)", "**b** _i_ `c` ~s~",
    "# head", "&amp;", "a\nb", "||spoiler||", "<@123>", "\u6771\U0001f004",
)  # fmt: skip
LINK, LABEL = "https://club.invalid/events/e/rounds", "Open <the> page"
SMALL = ChatMessage("Title", ["one", "two"], LINK, LABEL, "+{count}")
HUGE = ChatMessage("T" * 900, ["[" * 5000, *["\U0001f004<@x>" * 9] * 3000], LINK, LABEL, "+{count} more")

SHORT = ChatMessage("T", ["\u96c0"] * 9000)


def text(value: Any, most: int, least: int = 1) -> None:
    assert isinstance(value, str)
    assert least <= units(value) <= most


def only(value: dict[str, Any], required: str, optional: str = "") -> None:
    """The fields of an object: those that it must have, and others that it may have."""
    assert set(required.split()) <= set(value) <= {*required.split(), *optional.split()}


def discord(body: dict[str, Any]) -> None:
    """docs.discord.com/developers/resources: webhook#execute-webhook, message#embed-object-embed-limits"""
    only(body, "embeds allowed_mentions")
    assert body["allowed_mentions"] == {"parse": []}
    (embed,) = body["embeds"]
    only(embed, "title description color", "url")
    text(embed["title"], 256)
    text(embed["description"], 4096, 0)
    assert units(embed["title"] + embed["description"]) <= 6000
    assert 0 <= embed["color"] <= 0xFFFFFF


def slack(body: dict[str, Any]) -> None:
    """docs.slack.dev/reference/block-kit/blocks: 50 blocks, headers of 150, sections of 3,000"""
    only(body, "text blocks")
    text(body["text"], 4000)
    assert 1 <= len(body["blocks"]) <= 50
    assert units(json.dumps(body["blocks"], ensure_ascii=False)) < 13_000  # msg_blocks_too_long
    for block in body["blocks"]:
        if block["type"] == "context":
            assert [set(element) for element in block["elements"]] == [{"type", "text"}]
            continue
        only(block, "type text")
        only(block["text"], "type text emoji")
        assert block["text"]["type"] == "plain_text"
        text(block["text"]["text"], {"header": 150, "section": 3000}[block["type"]])


FORMATS = {"discord": discord, "slack": slack}


def strings(value: Any) -> Iterator[str]:
    """All texts in a body."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@pytest.mark.parametrize(
    "message", [SMALL, HUGE, SHORT, ChatMessage("T", []), ChatMessage("T", NASTY, LINK, LABEL)]
)
@pytest.mark.parametrize("format_", FORMATS)
def test_messages_are_as_the_chat_wants_them(format_: str, message: ChatMessage) -> None:
    body = chat_body(format_, message)
    FORMATS[format_](body)
    whole = "\n".join(strings(body))
    assert (message.link in whole) == bool(message.link) or not message.link
    if message is SMALL:
        assert "one" in whole
        assert "two" in whole
    if message is HUGE:
        shown = int(re.findall(r"\+(\d+) more", whole)[-1])
        assert 2000 < shown <= 3001


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("format_", FORMATS)
def test_names_are_never_markup(format_: str, nasty: str) -> None:
    body = chat_body(format_, ChatMessage(f"T {nasty}", [f"1 · {nasty} +5.0"]))
    if format_ == "discord":
        for string in strings(body):
            assert not re.search(r"(?<![\\*])[\[<`~_|#](?!\\)", string.replace("**", "")), string
            assert "@e" not in string
    else:  # where names stand, texts are plain
        assert "mrkdwn" not in json.dumps(body)
        assert "<" not in body["text"]
        assert all("\n" not in part for part in strings(body["blocks"]))


@pytest.mark.parametrize("format_", FORMATS)
def test_texts_that_people_choose_call_nobody_and_link_nowhere(format_: str) -> None:
    bait = (
        "@everyone",
        "@here",
        "https://evil.example",
        "http://evil.example",
        "www.evil.com",
        "evil.example",
    )
    message = ChatMessage(" ".join(bait), bait, "https://parlour.example.org/events/e", "Open")
    body = chat_body(format_, message)
    written = json.dumps(body, ensure_ascii=False).replace("https://parlour.example.org/events/e", "")
    for text in ("@everyone", "@here", "://evil", "www.evil", "evil.example", "evil.com"):
        assert text not in written
