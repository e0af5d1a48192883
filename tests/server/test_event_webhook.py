"""Webhooks: signed news that arrive, again after failures, and never at private addresses."""

import asyncio
import hashlib
import hmac
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from jantaku.server.edge import outgoing_requests
from jantaku.server.edge.outgoing_requests import ANSWER_S, OutgoingError, checked_url, send
from jantaku.server.edge.public_addresses import is_public
from server.clubs import RON, Gathering, Table, refused
from server.parlour import WAIT_S, Message, open_server, quick
from server.receiver import HOST, Receiver, running

pytestmark = pytest.mark.slow

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
def test_private_addresses_are_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(OutgoingError, match="private"):
        checked_url(f"https://{host}/hook")


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "192.0.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "198.17.0.1"],
)
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

    outgoing_requests._trust.cache_clear()
    monkeypatch.setattr(ssl, "create_default_context", create)
    asyncio.run(thrice())
    assert len(read) == 1
    assert read[0] != threading.get_ident()


async def within(work: Coroutine[Any, Any, int]) -> int:
    """The work, which must not last for ever."""
    return await asyncio.wait_for(work, WAIT_S)


def test_a_receiver_that_never_answers_costs_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_requests, "ANSWER_S", 0.2)
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


@pytest.mark.parametrize("more", [{}, {"format": "discord"}, {"format": "telegram", "chat": "1"}])
@pytest.mark.parametrize("address", ["http://[", "https://[::1", "https://\u2100/bot1", "https://a:x/", "/"])
def test_what_is_no_address_is_refused_in_every_format(url: str, address: str, more: dict[str, str]) -> None:
    hooked = Gathering(url)
    body = {"url": address, "kinds": KINDS, **more}
    told = refused(hooked.organiser, "POST", f"{hooked.path}/webhooks", **body)
    assert told == (400, "webhook_url")
