"""A socket that sends without end is refused and then closed, and other people do not notice."""

import json
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from jantaku.server.limits import Limits
from jantaku.server.play.audience import TOO_SLOW
from jantaku.server.play.table_sockets import MOST_REFUSALS, TOO_MANY
from server.parlour import LOOSE, Line, Person, hang_up, open_server, quick, seated
from server.sites import of_one_process

LIMITS = replace(
    LOOSE,
    messages_per_s=Limits().messages_per_s,
    message_burst=Limits().message_burst,
    votes_per_s=0.001,
    vote_burst=Limits().vote_burst,
)
FLOODS = {
    "pings": {"type": "ping", "id": "x"},
    "acts": {"type": "act", "game": 1, "ask": 1, "action": {"type": "pass"}, "id": "x"},
    "nonsense": {"type": "nonsense"},
    "votes": {"type": "abort", "agree": False, "id": "x"},
}
LENGTH = 20_000


def flood(raw: ClientConnection, message: dict[str, object], heard: Counter[str]) -> None:
    """Send as fast as possible until the server closes the socket; count the answers."""

    def listen() -> None:
        try:
            while True:
                data = json.loads(raw.recv())
                heard[str(data.get("code") or data["type"])] += 1
        except ConnectionClosed:
            pass

    listening = threading.Thread(target=listen)
    listening.start()
    text = json.dumps(message)
    try:
        for _ in range(LENGTH):
            raw.send(text)
    except ConnectionClosed:
        pass
    listening.join()


@of_one_process
@pytest.mark.slow
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_closes_its_own_socket_only(tmp_path: Path, name: str) -> None:
    with open_server(quick(tmp_path, limits=LIMITS)) as url:
        four = [Person(url, person) for person in ("Mina", "Jun", "Kaito", "Seo")]
        _, lines = seated(four)
        heard: Counter[str] = Counter()
        flooding = threading.Thread(target=flood, args=(lines[0].raw, FLOODS[name], heard))
        flooding.start()
        answers = [line.ask(type="ping")["type"] for line in lines[1:] * 10]
        flooding.join()
        assert set(answers) == {"pong"}
        closed = lines[0].raw.close_code
        assert closed in (TOO_MANY, TOO_SLOW), "on a busy machine it may read its refusals too slowly"
        # The last refusals may be lost with the socket.
        assert closed == TOO_SLOW or heard["too_many"] >= MOST_REFUSALS // 2
        assert sum(heard.values()) <= MOST_REFUSALS + 10 * LIMITS.message_burst, "the rest is not even read"
        assert [line.ask(type="ping")["type"] for line in lines[1:]] == ["pong"] * 3
        hang_up(lines)
        for player in four:
            player.close()


@pytest.mark.slow
def test_votes_to_and_fro_reach_others_a_few_times_only(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, limits=LIMITS)) as url:
        four = [Person(url, person) for person in ("Mina", "Jun", "Kaito", "Seo")]
        _, lines = seated(four)
        before = tables(lines[1])
        codes = [lines[0].ask(type="abort", agree=number % 2 == 0).get("code") for number in range(40)]
        assert codes == [None] * LIMITS.vote_burst + ["too_many"] * (40 - LIMITS.vote_burst)
        lines[1].ask(type="ping")
        assert tables(lines[1]) - before <= LIMITS.vote_burst
        hang_up(lines)
        for player in four:
            player.close()


def tables(line: Line) -> int:
    """How many times a socket was sent the table."""
    return sum(message["type"] == "table" for message in line.seen)


@pytest.mark.slow
def test_messages_of_one_address_wait_without_holding_up_others(tmp_path: Path) -> None:
    """Many sockets, each within its own limit: 270 of them made others wait for eight seconds."""
    limits = replace(LOOSE, messages_of_address_per_s=50)
    settings = quick(tmp_path, limits=limits, public_url="http://parlour.test")
    with open_server(settings) as url, closing(Person(url, "A")) as one, closing(Person(url, "B")) as other:
        table = one.table()["id"]
        many, few = (
            Line(who.raw(table, **{"x-forwarded-for": address}))
            for who, address in ((one, "192.0.2.1"), (other, "192.0.2.2"))
        )
        for number in range(150):
            many.send(type="ping", id=str(number))
        assert few.ask(type="ping")["type"] == "pong"
        answered = time.monotonic()
        many.until("pong", lambda message: message["id"] == "149")
        assert time.monotonic() - answered > 0.5
        assert sum(message["type"] == "pong" for message in many.seen) == 150
        hang_up([many, few])
