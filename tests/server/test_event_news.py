"""News of an event: signed webhooks, chats and push notifications, with no requests to private addresses."""

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
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from jantaku.server.edge import outgoing
from jantaku.server.edge.outgoing import ANSWER_S, OutgoingError, checked_url, is_public, send
from jantaku.server.events.notices.chat_news import ChatMessage, chat_body, units
from server.clubs import RON, SCORES, Club
from server.parlour import WAIT_S, Message, fast_settings, open_server
from server.receiver import HOST, BrowserKeys, Receiver, plain, running

slow = pytest.mark.slow
KINDS = ["seating", "start", "result", "standings", "correction", "penalty", "call"]
STAGES: list[Message] = [{"id": "main", "kind": "rounds", "name": "예선"}, {"id": "league"}]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running() as hook:
        yield hook


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may send requests to this machine and that retries quickly."""
    waits = {"webhook_hosts": (HOST,), "webhook_waits_s": (0.02, 0.05)}
    settings = fast_settings(tmp_path_factory.mktemp("near"), public_url="http://club.invalid", **waits)
    with open_server(settings) as url:
        yield url


@pytest.fixture
def hooked(near: str) -> Club:
    return Club(near, name="Spring", stages=STAGES)


class Hook:
    """A webhook of an event and its deliveries."""

    def __init__(self, club: Club, url: str, *kinds: str, **more: Any) -> None:
        made = club.organiser.post("webhooks", url=url, kinds=kinds or KINDS, **more)
        self.club, self.path, self.secret = club, f"webhooks/{made['webhooks'][-1]['id']}", made["secret"]

    def send(self, kind: str = "test") -> None:
        self.club.organiser.post(f"{self.path}/send", kind=kind)

    def deliveries(self) -> list[Message]:
        """Wait until no delivery is pending; return all deliveries, newest first."""
        end = time.monotonic() + WAIT_S
        while True:
            deliveries: list[Message] = self.club.organiser.get("webhooks")["deliveries"]
            if deliveries and all(delivery["state"] != "waiting" for delivery in deliveries):
                return deliveries
            assert time.monotonic() < end, deliveries
            time.sleep(0.02)


@slow
def test_webhook_news_are_signed(hooked: Club, receiver: Receiver) -> None:
    hook = Hook(hooked, receiver.url, "seating", "start", "correction", "penalty")
    hooked.seat([hooked.entries])
    hooked.run("publish", start=True)
    headers, body = receiver.next()
    assert (headers["jantaku-news"], body["kind"], body["action"]) == (*["seating"] * 2, "seating_published")
    assert body["after"]["tables"] == [hooked.entries]
    at, sign = headers["jantaku-signature"].removeprefix("t=").split(",v1=")
    assert abs(time.time() - int(at)) < WAIT_S
    text = f"{at}.{json.dumps(body, ensure_ascii=False)}".encode()
    assert hmac.new(hook.secret.encode(), text, hashlib.sha256).hexdigest() == sign
    assert receiver.next()[1]["action"] == "round_start"
    game = hooked.game("web-hook")
    game.enter(RON)
    game.enter(RON | {"from": 2}, action="replace", place=0)
    changed = receiver.next()[1]
    assert (changed["kind"], changed["game"], changed["after"]) == ("correction", game.id, None)
    hooked.penalise("p0")
    fined = receiver.next()[1]
    assert (fined["kind"], fined["entry"], fined["after"]["points"]) == ("penalty", "p0", -1000)
    assert [delivery["state"] for delivery in hook.deliveries()] == ["arrived"] * 4
    assert receiver.got.empty()


@slow
def test_a_webhook_gets_only_its_chosen_kinds_and_its_secret_is_never_returned_again(
    hooked: Club, receiver: Receiver
) -> None:
    hook, organiser = Hook(hooked, receiver.url, "start"), hooked.organiser
    hooked.penalise("p0")
    hook.send()
    assert receiver.next()[1]["kind"] == "test"
    assert len(hook.secret) > 30
    assert Hook(hooked, receiver.url).secret != hook.secret
    shown = organiser.send("GET", "webhooks").text
    for text in (shown, organiser.send("GET", "log").text, organiser.send("GET", "file").text):
        assert hook.secret not in text
        assert "very-secret" not in text
    assert HOST in shown
    assert "webhook" not in hooked.players[0].send("GET", "log").text
    for webhook in organiser.get("webhooks")["webhooks"]:
        organiser.delete(f"webhooks/{webhook['id']}")
    assert organiser.get("webhooks") == {"webhooks": [], "deliveries": []}
    organiser.refused("no_webhook", f"{hook.path}/send", kind="test")
    organiser.refused("no_webhook", f"DELETE {hook.path}")


@slow
def test_failed_deliveries_are_retried_and_then_given_up(hooked: Club, receiver: Receiver) -> None:
    hook, unreachable = Hook(hooked, receiver.url), Hook(hooked, f"http://{HOST}:1/")
    wanted: tuple[tuple[Hook, list[int], tuple[str, int, int | None, str]], ...] = (
        (hook, [500, 302], ("arrived", 3, 204, "")),
        (hook, [302] * 9, ("failed", 3, 302, "refused")),
        (unreachable, [], ("failed", 3, None, "connection")),
    )
    for to, answers, outcome in wanted:
        receiver.answers = answers
        to.send()
        last = hook.deliveries()[0]
        assert (last["state"], last["tries"], last["status"], last["error"] or "") == outcome
    assert len({receiver.next()[0]["jantaku-delivery"] for _ in range(3)}) == 1


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
PUBLIC = (
    "8.8.8.8", "2606:4700::1111", "192.0.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "198.17.0.1",
)  # fmt: skip


@pytest.mark.parametrize("address", [*PRIVATE, *PUBLIC])
def test_webhooks_to_private_addresses_are_refused(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    assert is_public(ipaddress.ip_address(address)) == (address in PUBLIC)
    if address in PRIVATE:
        with pytest.raises(OutgoingError, match="private"):
            checked_url(f"https://{host}/hook")


WRONG = (
    ("http://example.org/", "https"), ("ftp://example.org/", "https"), ("example.org", "url"),
    ("https://127.0.0.1/", "private"), ("https://[::1]:8443/", "private"), ("https://", "url"),
    ("https://me:pw@example.org/", "url"), ("https://example.org:22/", "port"), ("https://a b.org/", "url"),
    ("https://example.org\\@127.0.0.1/", "url"), ("https://example.org/\n", "url"),
    (f"https://a/{'x' * 500}", "url"), ("https://example.org:99999/", "url"), ("http://[", "url"),
    ("https://[::1", "url"), ("https://\u2100/bot1", "url"), ("https://a:x/", "url"), ("/", "url"),
)  # fmt: skip


@slow
def test_a_server_sends_to_no_private_address(club: Club) -> None:
    for address, code in WRONG:
        with pytest.raises(OutgoingError, match=code):
            checked_url(address)
        for chat in ({}, {"format": "discord"}, {"format": "slack"}):
            body = {"url": address, "kinds": KINDS, **chat}
            club.organiser.refused(
                "bad_request" if "xxx" in address else f"webhook_{code}", "webhooks", **body
            )
    for name, value in (("format", "icq"), ("language", "fr"), ("kinds", []), ("kinds", ["secret"])):
        body = {"url": "https://one.invalid/", "kinds": KINDS, name: value}
        club.organiser.refused("bad_request", "webhooks", **body)
    Hook(club, "https://localhost:8443/").send()  # the address is resolved when something is sent
    end = time.monotonic() + WAIT_S
    while not (delivery := club.organiser.get("webhooks")["deliveries"][0])["tries"]:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert (delivery["error"], delivery["status"], delivery["state"]) == ("private", None, "waiting")
    for number in range(7):
        Hook(club, f"https://{number}.invalid/")
    club.organiser.refused("too_many_webhooks", "webhooks", url="https://8.invalid/", kinds=KINDS)


@slow
@pytest.mark.parametrize("addresses", [("8.8.8.8", "127.0.0.1"), ("::ffff:10.0.0.1",)])
async def test_a_host_with_any_private_address_is_refused(
    addresses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_up(*_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    with pytest.raises(OutgoingError, match="private"):
        await send("https://example.org/", b"{}", {})


@slow
async def test_certificates_are_loaded_once_and_outside_the_event_loop(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading the certificates takes as long as twenty actions, for which all tables would have to wait."""
    read, real = list[int](), ssl.create_default_context

    def create() -> ssl.SSLContext:
        read.append(threading.get_ident())
        return real()

    outgoing._trust.cache_clear()
    monkeypatch.setattr(ssl, "create_default_context", create)
    for _ in range(3):
        assert await send(receiver.url, b"{}", {}, (HOST,)) == 204
    assert len(read) == 1
    assert read[0] != threading.get_ident()


@slow
async def test_a_delivery_to_a_silent_receiver_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "ANSWER_S", 0.2)
    with socket.create_server((HOST, 0)) as silent, pytest.raises(OutgoingError, match="timeout"):
        async with asyncio.timeout(WAIT_S):
            await send(f"http://{HOST}:{silent.getsockname()[1]}/", b"{}", {}, (HOST,))


@slow
def test_pending_news_are_delivered_after_a_restart(
    tmp_path_factory: pytest.TempPathFactory, receiver: Receiver
) -> None:
    folder = tmp_path_factory.mktemp("down")
    patient = fast_settings(folder, webhook_hosts=(HOST,), webhook_waits_s=(0.5,) * 200)
    with open_server(patient) as url:
        receiver.answers = [500]
        Hook(Club(url), receiver.url).send()
        receiver.next()
    with open_server(patient):
        assert receiver.next()[1]["kind"] == "test"


@slow
def test_a_slow_webhook_does_not_delay_other_events(near: str, receiver: Receiver) -> None:
    receiver.slow = "/slow"
    Hook(Club(near), f"{receiver.url}/slow").send()
    other = Hook(Club(near), f"{receiver.url}/other")
    assert receiver.got.get(timeout=WAIT_S)[0]["to"].endswith("/slow")
    for _ in range(2):
        other.send()
        assert receiver.got.get(timeout=ANSWER_S / 2)[0]["to"].endswith("/other")


# Chat messages: contents, languages and hidden standings


def chat(club: Club, url: str, *kinds: str, **more: Any) -> Hook:
    return Hook(club, url, *kinds, **{"format": "slack", "language": "ko"} | more)


def received_texts(receiver: Receiver, count: int = 1) -> list[str]:
    """Return the texts of the next messages in the chat."""
    return [str(receiver.next()[1]["text"]) for _ in range(count)]


def play(club: Club) -> str:
    """Play a round with one table; return its game."""
    club.seat([club.entries])
    club.run("publish", start=True)
    club.run("1/results", results=[{"table": 1, "scores": SCORES}])
    return str(club.round()["tables"][0]["game"])


def correct(club: Club, game: str) -> None:
    """Correct a game by entering its points in reverse order."""
    revision = club.organiser.get(f"games/{game}")["revision"]
    points = {"scores": SCORES[::-1], "why": "40,000 was wrong", "revision": revision}
    club.organiser.post(f"games/{game}/points", **points)


@slow
def test_a_chat_receives_the_news_of_a_whole_evening(hooked: Club, receiver: Receiver) -> None:
    player, hook = hooked.players[0], chat(hooked, receiver.url)
    assert hook.secret == ""
    game = play(hooked)
    seating, start, result, standings = received_texts(receiver, 4)
    assert "예선 1라운드 자리 배정" in seating
    assert "1번 탁자: 동 Player 0 · 남 Player 1" in seating
    assert "http://club.invalid/events/" in seating
    assert "예선 1라운드 시작" in start
    assert "1 · Player 0 40,000 (+" in result
    assert "4 · Player 3 10,000 (−" in result
    assert "순위 예선" in standings
    assert standings.index("Player 0") < standings.index("Player 3")
    player.post("calls", label="탁자 7", why="점수가 @everyone 다릅니다")
    [call] = received_texts(receiver)
    assert ("심판 호출" in call, "Player 0" in call, "@everyone" in call) == (True, True, False)
    correct(hooked, game)
    assert "정정: 예선" in received_texts(receiver)[0]
    hooked.penalise("p2", -3000, "지각", stage="main")
    assert "벌점: Player 2 −3,000점" in received_texts(receiver)[0]
    hook.send("standings")
    [again] = received_texts(receiver)
    assert again.index("Player 3") < again.index("Player 0")
    assert receiver.got.empty()
    log = hooked.log(game=game)
    before = [change["before"]["scores"] for change in log if change["action"] == "points"]
    assert before == [SCORES, [25000] * 4]  # the message states the old points, not the new ones


@slow
def test_a_chat_is_notified_when_a_round_start_is_undone(hooked: Club, receiver: Receiver) -> None:
    chat(hooked, receiver.url, "start", "correction", "call")
    hooked.seat([hooked.entries])
    hooked.run("publish", start=True)
    hooked.run("1/take-back", why="점심 먼저")
    hooked.organiser.post("calls", label="탁자 7", why="?")
    start, back, call = received_texts(receiver, 3)
    assert "예선 1라운드 시작" in start
    assert "예선 1라운드 시작 취소" in back
    assert "점심 먼저" in back
    assert "심판 호출" in call


@slow
def test_chats_get_no_hidden_results(hooked: Club, receiver: Receiver) -> None:
    hooked.organiser.patch(hidden_standings=True)
    hook = chat(hooked, receiver.url, "result", "standings", "correction", language="en")
    game = play(hooked)
    hook.send("standings")
    correct(hooked, game)
    for text in received_texts(receiver, 4):
        assert "hidden until the event ends" in text
        assert not any(word in text for word in ("40,000", "10,000", "+", "\n1 ·"))


@slow
def test_each_chat_gets_its_own_kinds(hooked: Club, receiver: Receiver) -> None:
    chat(hooked, f"{receiver.url}/staff", "call", format="discord")
    chat(hooked, f"{receiver.url}/all", "result", language="ja")
    play(hooked)
    headers, body = receiver.next()
    assert headers["to"].endswith("/all")
    assert "Player 0" in body["text"]
    hooked.organiser.post("calls", label="7", why="?")
    headers, body = receiver.next()
    assert headers["to"].endswith("/staff")
    assert "jantaku-signature" not in headers


# Push notifications: players get news about themselves that only their own browser can decrypt


PUSH = "/api/me/push"


class Browser(BrowserKeys):
    """A player's browser, with its keys and the messages it can decrypt."""

    def __init__(self, receiver: Receiver, club: Club, seat: int, name: str = "") -> None:
        super().__init__()
        self.receiver, self.person, self.name = receiver, club.players[seat], name or str(seat)

    def body(self, **other: str) -> Message:
        return {"endpoint": f"{self.receiver.url}/{self.name}", **self.subscription_keys(), **other}

    def subscribe(self, language: str = "en") -> Any:
        return self.person.put(f"{PUSH}?lang={language}", **self.body())


def subscribed(receiver: Receiver, club: Club, *seats: int) -> list[Browser]:
    browsers = [Browser(receiver, club, seat) for seat in seats]
    for browser in browsers:
        browser.subscribe()
    return browsers


def pushed(receiver: Receiver, *browsers: Browser) -> list[tuple[str, str, str, str]]:
    """Receive one message for each browser; return the recipients, titles, texts and pages."""
    messages = []
    for _ in browsers:
        headers, body = receiver.got.get(timeout=WAIT_S)
        browser = next(known for known in browsers if headers["to"].endswith(f"/{known.name}"))
        message = browser.read(body)
        messages.append((browser.name, message["title"], message["body"], message["url"]))
    return sorted(messages)


FINED = "You received a penalty of −1,000 points. late"


@slow
def test_players_are_notified_of_their_seats_penalties_and_corrections(
    hooked: Club, receiver: Receiver
) -> None:
    first, second = Browser(receiver, hooked, 0), Browser(receiver, hooked, 1)
    assert first.subscribe("ko")["on"] is True
    second.subscribe()
    hooked.seat([hooked.entries])
    hooked.run("publish")
    page = f"/events/{hooked.id}"
    assert pushed(receiver, first, second) == [
        ("0", "Spring", "1라운드: 1번 탁자, 동가입니다.", f"{page}/rounds"),
        ("1", "Spring", "Round 1: you are at table 1, South.", f"{page}/rounds"),
    ]
    hooked.run("1/start")
    assert [row[2] for row in pushed(receiver, first, second)] == [
        "1라운드를 시작합니다. 1번 탁자, 동가입니다.",
        "Round 1 is starting. You are at table 1, South.",
    ]
    hooked.penalise("p1")
    assert pushed(receiver, second) == [("1", "Spring", FINED, f"{page}/players/p1")]
    game = hooked.game("push")
    game.enter(RON)
    # the first player took this action and is not notified
    game.enter(RON | {"from": 2}, action="replace", place=0)
    text = "One of your games has been corrected."
    assert pushed(receiver, second) == [("1", "Spring", text, f"{page}/games/{game.id}")]
    assert receiver.got.empty()


@slow
def test_players_notified_of_a_start_are_notified_once_when_it_is_undone(
    hooked: Club, receiver: Receiver
) -> None:
    """Starting one of the two tables starts the round, so all players were notified of the start."""
    hooked.add(*"abcd")
    hooked.seat([["p0", *"abc"], ["p1", "p2", "p3", "d"]])
    hooked.run("publish")
    hooked.run("1/tables/1/start")
    browsers = subscribed(receiver, hooked, 0, 1)
    hooked.run("1/take-back")
    for entry in ("p0", "p1"):
        hooked.penalise(entry)
    news = [row[::2] for row in pushed(receiver, *browsers, *browsers)]
    text = "The start of round 1 was cancelled; it has not begun yet."
    assert news == [("0", text), ("0", FINED), ("1", text), ("1", FINED)]


@slow
def test_only_players_whose_seat_changed_are_notified(hooked: Club, receiver: Receiver) -> None:
    hooked.seat([hooked.entries])
    hooked.run("publish")
    browsers = subscribed(receiver, hooked, 0, 1, 2)
    hooked.run("1/seats", swap=["p0", "p1"])
    hooked.penalise("p2")
    assert [row[::2] for row in pushed(receiver, *browsers)] == [
        ("0", "Round 1: your seat has changed. Table 1, South."),
        ("1", "Round 1: your seat has changed. Table 1, East."),
        ("2", FINED),
    ]


@slow
def test_the_push_service_learns_the_sender_but_not_the_message(hooked: Club, receiver: Receiver) -> None:
    key = Browser(receiver, hooked, 0).subscribe()["key"]
    hooked.penalise("p0", why="secret reason")
    headers, body = receiver.got.get(timeout=WAIT_S)
    assert b"secret" not in body
    token, sent = headers["authorization"].removeprefix("vapid t=").split(", k=")
    assert sent == key
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    claims: Message = jwt.decode(token, public, algorithms=["ES256"], audience=f"http://{HOST}")
    assert claims["sub"] == "mailto:jantaku@club.invalid"
    with pytest.raises(InvalidTag):
        Browser(receiver, hooked, 1).read(body)


@slow
@pytest.mark.parametrize("end", ["off", "logout", "gone", "another account"])
def test_notifications_stop_when_a_subscription_ends(hooked: Club, receiver: Receiver, end: str) -> None:
    browser, _ = subscribed(receiver, hooked, 0, 1)
    if end == "off":
        assert hooked.players[0].delete(PUSH)["on"] is False
    elif end == "logout":
        hooked.players[0].post("/api/logout")
    elif end == "gone":
        receiver.answers.append(410)  # the person has revoked the permission for notifications
        hooked.penalise("p0", why="no show")
        receiver.got.get(timeout=WAIT_S)
    else:
        browser.person = hooked.players[2]
        browser.subscribe()
        assert [player.get(PUSH)["on"] for player in hooked.players[:3]] == [False, True, True]
    for entry in ("p0", "p1"):
        hooked.penalise(entry)
    headers, _ = receiver.got.get(timeout=WAIT_S)
    assert headers["to"].endswith("/1")
    assert receiver.got.empty()


@slow
def test_invalid_push_endpoints_and_keys_are_refused(hooked: Club, receiver: Receiver) -> None:
    browser = Browser(receiver, hooked, 0)
    for field, value in (
        ("endpoint", "https://10.0.0.1/x"),
        ("endpoint", "http://push.example.org/x"),
        ("p256dh", "AAAA"),
        ("p256dh", plain(b"\4" + bytes(64))),
        ("auth", "!"),
    ):
        error = browser.person.refused("bad_request", f"PUT {PUSH}", **browser.body(**{field: value}))
        assert error["field"] == field
    assert browser.person.get(PUSH)["on"] is False


@slow
def test_a_slow_push_service_does_not_delay_other_players(hooked: Club, receiver: Receiver) -> None:
    receiver.slow = "/slow"
    Browser(receiver, hooked, 0, "slow").subscribe()
    Browser(receiver, hooked, 1).subscribe()
    hooked.seat([hooked.entries])
    hooked.run("publish", start=True)
    hooked.penalise("p1")
    got = [receiver.got.get(timeout=ANSWER_S / 2)[0]["to"].rpartition("/")[2] for _ in range(4)]
    assert sorted(got) == ["1", "1", "1", "slow"], "only the first message to the slow service was sent"


# Bodies of chat messages: each follows the documentation of the chat, and names contain no markup


NASTY = (
    "@everyone", "<!channel>", "<users/all>", "<b>bold</b>", "[x](https://evil.invalid)", "**b** _i_ `c` ~s~",
    "# head", "&amp;", "a\nb", "||spoiler||", "<@123>", "\u6771\U0001f004", "@here", "https://evil.example",
    "http://evil.example", "www.evil.com", "evil.example",
)  # fmt: skip
LINK = "https://club.invalid/events/e/rounds"
SMALL = ChatMessage("Title", ["one", "two"], LINK, "Open <the> page", "+{count}")
HUGE = ChatMessage("T" * 900, ["[" * 5000, *["\U0001f004<@x>" * 9] * 3000], LINK, "Open", "+{count} more")


def text(value: Any, max_units: int, min_units: int = 1) -> None:
    assert isinstance(value, str)
    assert min_units <= units(value) <= max_units


def only(value: dict[str, Any], required: str, optional: str = "") -> None:
    """Assert that an object has all required fields, and no others except optional ones."""
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
    """Yield every string in a body."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@pytest.mark.parametrize("format_", FORMATS)
def test_message_bodies_follow_the_limits_of_each_chat(format_: str) -> None:
    others = [
        ChatMessage("T", ["\u96c0"] * 9000),
        ChatMessage("T", []),
        ChatMessage("T", NASTY, LINK, "Open"),
    ]
    for message in (SMALL, HUGE, *others):
        body = chat_body(format_, message)
        FORMATS[format_](body)
        whole = "\n".join(strings(body))
        assert message.link in whole
        if message is SMALL:
            assert ("one" in whole, "two" in whole) == (True, True)
        if message is HUGE:
            assert 2000 < int(re.findall(r"\+(\d+) more", whole)[-1]) <= 3001


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("format_", FORMATS)
def test_user_texts_create_no_markup_mentions_or_links(format_: str, nasty: str) -> None:
    body = chat_body(format_, ChatMessage(f"T {nasty}", [f"1 · {nasty} +5.0"], LINK, "Open"))
    written = json.dumps(body, ensure_ascii=False).replace(LINK, "")
    for bait in ("@everyone", "@here", "://evil", "www.evil", "evil.example", "evil.com"):
        assert bait not in written
    if format_ == "discord":
        for string in strings(body):
            assert not re.search(r"(?<![\\*])[\[<`~_|#](?!\\)", string.replace("**", "")), string
    else:  # names appear only in plain-text fields
        assert "<" not in body["text"].replace(f"<{LINK}", "")
        assert all("\n" not in part for part in strings(body["blocks"]))
