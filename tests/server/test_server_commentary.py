"""Only commentators see open hands, and never a player of the table."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from jantaku.server.run import prepare
from server.parlour import Line, Message, Person, close_code, open_server, quick


class Booth:
    """A server, its admin, and links for referees."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.admin = Person(url)
        self.admin.post("/api/enter", token=token)

    def link(self, name: str) -> str:
        """A token that signs in as that referee."""
        url: str = self.admin.post("/api/link", name=name, role="referee")["url"]
        return url.rpartition("/")[2]

    def referee(self, name: str) -> Person:
        """A referee in a separate browser."""
        person = Person(self.url)
        person.id = person.post("/api/enter", token=self.link(name))["id"]
        return person


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[Booth]:
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    assert token is not None
    with open_server(settings) as url:
        booth = Booth(url, token)
        yield booth
        booth.admin.close()


def open_hands(messages: list[Message]) -> bool:
    """Whether the hands of several seats were sent."""
    events = [event for message in messages for event in message.get("events", ())]
    starts = [event for event in events if event["type"] == "hand_started"]
    return any(sum(hand is not None for hand in start["hands"]) > 1 for start in starts)


def told(line: Line, number: int) -> list[Message]:
    """The messages up to so many events and the answer to a ping."""
    before = len(line.seen)
    while sum(len(message.get("events", ())) for message in line.seen[before:]) < number:
        line.next()
    line.ask(type="ping")
    return line.seen[before:]


def seen_to_the_end(line: Line) -> list[Message]:
    """What a socket is sent until the game has begun, or it is closed because another took its place."""
    with suppress(ConnectionClosed):
        line.until("sync")
    return line.seen


def test_a_commentator_who_sits_down_stops_seeing_hands(booth: Booth) -> None:
    """In both windows: the one that looked on is the one that plays now, or is replaced."""
    with closing(booth.referee("Ref")) as referee, closing(Person(booth.url, "Mina")) as mina:
        table = mina.table(bots=2)
        first, second = (referee.socket(table["id"], all_hands=True, watch=True) for _ in range(2))
        assert first.welcome["all_hands"]
        referee.post(f"/api/tables/{table['id']}/join")
        mina.post(f"/api/tables/{table['id']}/start")
        shown = [seen_to_the_end(line) for line in (first, second)]
        assert sorted(any(message["type"] == "sync" for message in seen) for seen in shown) == [False, True]
        assert not any(open_hands(seen) for seen in shown)
        third = referee.socket(table["id"], all_hands=True, watch=True)
        assert not third.welcome["all_hands"]
        for line in (first, second, third):
            line.close()


def test_a_former_player_cannot_see_all_hands(booth: Booth) -> None:
    with closing(booth.referee("Ref")) as referee, closing(Person(booth.url, "Mina")) as mina:
        table = mina.table(bots=2)
        referee.post(f"/api/tables/{table['id']}/join")
        mina.post(f"/api/tables/{table['id']}/start")
        referee.post(f"/api/tables/{table['id']}/leave")
        with closing(referee.socket(table["id"], all_hands=True)) as line:
            assert line.welcome["seat"] is None
            assert not line.welcome["all_hands"]


def test_a_player_cannot_watch_as_a_referee_in_the_same_browser(booth: Booth) -> None:
    """Signing in as somebody else keeps the browser's mark and ends the first session."""
    with closing(Person(booth.url, "Mina")) as browser, closing(booth.referee("Other")) as other:
        table = browser.table(bots=3)
        browser.post(f"/api/tables/{table['id']}/start")
        seat = browser.socket(table["id"])
        assert seat.until("sync")["own"]["ask"] is not None
        browser.post("/api/enter", token=booth.link("Ref"))
        assert close_code(seat.raw) == 4401
        with closing(browser.socket(table["id"], all_hands=True, watch=True)) as line:
            assert not line.welcome["all_hands"]
            assert not open_hands(told(line, 1))
        with closing(other.socket(table["id"], all_hands=True, watch=True)) as line:
            assert line.welcome["all_hands"]


def test_a_referee_cannot_sit_as_a_guest_in_the_same_browser(booth: Booth) -> None:
    """Their other window, still open, sees no hands from then on."""
    with closing(booth.referee("Ref")) as browser, closing(Person(booth.url, "Mina")) as mina:
        table = mina.table(bots=2)
        session = browser.http.cookies["jantaku_session"]
        line = browser.socket(table["id"], all_hands=True, watch=True)
        browser.http.cookies.delete("jantaku_session")  # so that the first session is not ended
        browser.post("/api/guest", name="Guest")
        browser.post(f"/api/tables/{table['id']}/join")
        assert not line.until("welcome")["all_hands"]
        browser.http.cookies.delete("jantaku_session")
        browser.http.cookies.set("jantaku_session", session)
        mina.post(f"/api/tables/{table['id']}/start")
        assert not open_hands(told(line, 1))
        line.close()
        with closing(browser.socket(table["id"], all_hands=True, watch=True)) as again:
            assert not again.welcome["all_hands"]


def test_a_former_referee_stops_seeing_hands(booth: Booth) -> None:
    with closing(booth.referee("Ref")) as referee, closing(Person(booth.url, "Mina")) as mina:
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        line = referee.socket(table["id"], all_hands=True, watch=True)
        assert line.welcome["all_hands"]
        booth.admin.post(f"/api/people/{referee.id}/role", role="player")
        assert not line.until("welcome")["all_hands"]
        assert not open_hands([line.until("sync")])
        line.close()


def test_signing_out_closes_sockets_but_registering_does_not(booth: Booth) -> None:
    mina = Person(booth.url, "Mina")
    line = mina.socket(mina.table()["id"])
    mina.post("/api/register", name="mina", password="correct horse")
    assert line.ask(type="ping")["type"] == "pong"
    mina.post("/api/logout")
    assert close_code(line.raw) == 4401
