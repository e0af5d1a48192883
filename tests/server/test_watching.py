"""Who may watch a table without a seat, and what others are told about absent players."""

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.events.results.counted_results import FRESH_S
from jantaku.server.play.broadcast import shows_hands
from jantaku.server.play.table import LONGEST_GAP_S, OpenHandsDelay, SpectatorDelay
from jantaku.server.run import prepare
from jantaku.server.settings import NO_PAUSES
from server.clubs import Tournament
from server.parlour import Line, Message, Person, close_code, open_server, quick, seated, simplest

NOT_ALLOWED = 4403
CLOSED = {"spectators": False}


@pytest.fixture
def people(url: str) -> Iterator[list[Person]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Person(url, name))) for name in ("A", "B", "C", "D", "E")]


def sent_away(raw: ClientConnection) -> list[str]:
    """The types of the messages before a socket is closed."""
    types = []
    try:
        while True:
            types.append(json.loads(raw.recv(60))["type"])
    except ConnectionClosed:
        assert raw.close_code == NOT_ALLOWED
    return types


def is_refused(person: Person, table: str, **hello: object) -> bool:
    """Whether a person is refused at a table."""
    raw = person.raw(table)
    raw.send(json.dumps({"type": "hello", "version": 1} | hello))
    return close_code(raw) == NOT_ALLOWED


@pytest.mark.slow
def test_without_spectators_people_without_a_seat_are_disconnected_at_the_start(people: list[Person]) -> None:
    table = people[0].table(bots=2, options=CLOSED)["id"]
    without_seat, twice = people[1].socket(table), people[0].socket(table, watch=True)
    seat = people[0].socket(table)
    people[0].post(f"/api/tables/{table}/start")
    assert seat.until("sync")["view"]
    for line in (without_seat, twice):
        assert set(sent_away(line.raw)) <= {"table"}
    assert is_refused(people[1], table)
    assert is_refused(people[0], table, watch=True)
    assert seat.ask(type="ping")["type"] == "pong"
    assert people[0].get(f"/api/tables/{table}")["watchers"] == 0


@pytest.mark.slow
def test_without_spectators_losing_a_seat_closes_the_socket(people: list[Person]) -> None:
    table, lines = seated(people[:4], options=CLOSED)
    people[2].post(f"/api/tables/{table['id']}/leave")
    own = lines[0].asked()
    assert own is not None
    assert lines[0].act(simplest(own))["type"] == "ack"
    assert not {"sync", "update"} & set(sent_away(lines[2].raw)[1:])  # the first sync is of the seat
    assert is_refused(people[2], table["id"])
    people[2].post(f"/api/tables/{table['id']}/join")
    back = people[2].socket(table["id"])
    assert back.welcome["seat"] == 2


@pytest.mark.slow
def test_without_spectators_missing_a_rematch_closes_the_socket(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, grace_s=0)) as url, ExitStack() as stack:
        a, b = (stack.enter_context(closing(Person(url, name))) for name in "AB")
        table = a.table(bots=2, options=CLOSED)["id"]
        b.post(f"/api/tables/{table}/join")
        lines = [person.socket(table) for person in (a, b)]
        a.post(f"/api/tables/{table}/start")
        lines[1].until("sync")
        for line in lines:
            line.ask(type="abort", agree=True)
        b.post(f"/api/tables/{table}/leave")
        lines[0].ask(type="rematch", agree=True)
        assert lines[0].game == 2
        assert not {"sync", "update"} & set(sent_away(lines[1].raw)[2:])


@pytest.mark.slow
def test_an_absence_is_announced_before_the_seat_is_asked(tmp_path: Path) -> None:
    """Otherwise the message would reveal that the seat has just been asked about a discard."""
    with open_server(quick(tmp_path, grace_s=0.1)) as url, ExitStack() as stack:
        four = [stack.enter_context(closing(Person(url, name))) for name in "ABCD"]
        _, lines = seated(four)
        lines[0].asked()  # and does nothing, so seat 2 is not asked anything
        lines[2].close()
        lines[1].until("table", lambda message: message["table"]["seats"][2]["away"])


@pytest.mark.slow
def test_watchers_learn_the_result_only_after_the_delay(url: str, people: list[Person]) -> None:
    """Neither by the table, nor by the lobby, nor by the finished game; who has played knows it at once."""
    table = people[0].table(bots=3, options={"spectator_delay_s": 3})["id"]
    path = f"/api/tables/{table}"
    watcher = people[1].socket(table)
    player = people[0].socket(table)
    people[0].post(f"{path}/start")
    player.until("sync")
    player.ask(type="abort", agree=True)
    result = people[0].get(path)["result"]
    assert result["record"]

    def known(who: Person) -> list[bool]:
        listed = who.get("/api/tables")["tables"]
        return [
            who.get(path)["result"] is not None,
            table not in [game["id"] for game in listed] or any(game["result"] for game in listed),
            who.http.get(f"/api/games/{result['record']}/replay").status_code == 200,
        ]

    assert known(people[0])[0::2] == [True, True]
    assert known(people[1]) == [False] * 3
    refusals = [person.http.delete(path).json()["error"]["code"] for person in people[:2]]
    assert refusals == ["not_playing", "not_owner"]
    seen = [message for message in watcher.seen if message["type"] == "table"]
    assert not any(
        message["table"]["result"] or message["table"]["status"] != "playing" for message in seen[2:]
    )
    late = watcher.until("table", lambda message: message["table"]["result"] is not None)
    assert late["table"]["result"]["record"] == result["record"]
    assert not any(seat["wants_abort"] for message in seen for seat in message["table"]["seats"] if seat)
    assert known(people[1])[0::2] == [True, True]


@pytest.mark.slow
def test_a_game_is_no_sooner_shown_because_the_table_plays_on_or_the_server_starts_anew(
    tmp_path: Path,
) -> None:
    settings = quick(tmp_path)
    with open_server(settings) as url:
        one = Person(url, "A")
        other = Person(url, "B")
        tables = [
            one.table(bots=3, options={"spectator_delay_s": delay})["id"] for delay in (600.0, 600.0, 0.0)
        ]
        games = []
        for number, table in enumerate(tables):
            line = one.socket(table)
            one.post(f"/api/tables/{table}/start")
            line.until("sync")
            line.ask(type="abort", agree=True)
            games.append(one.get(f"/api/tables/{table}")["result"]["record"])
            if number == 0:
                line.ask(type="rematch", agree=True)
            line.close()
        cookies = [dict(who.http.cookies) for who in (one, other)]

        def shown(url: str) -> list[list[int]]:
            paths = [f"{url}/api/games/{game}/replay" for game in games]
            return [[httpx.get(path, cookies=who).status_code for path in paths] for who in cookies]

        assert shown(url) == [[200, 200, 200], [404, 404, 200]]
    with open_server(settings) as url:
        assert shown(url) == [[200, 200, 200], [404, 404, 200]]


def to_the_pause(line: Line) -> None:
    """Play until the result of a hand is shown, without confirming it."""
    while not any(message["type"] == "pause" for message in line.seen):
        if line.own and line.own["ask"] is not None:
            line.act(simplest(line.own))
        else:
            line.next()


@pytest.mark.slow
def test_watchers_learn_of_a_read_result_only_after_the_delay(tmp_path: Path) -> None:
    """Neither that somebody has read it nor, by a message that says nothing new, that there is one."""
    pauses = replace(NO_PAUSES, result=60, result_among_bots=60)
    with open_server(quick(tmp_path, pauses=pauses)) as url, ExitStack() as stack:
        a, b, late, live = (stack.enter_context(closing(Person(url, name))) for name in "ABCD")
        table = a.table(bots=2, options={"spectator_delay_s": 600})["id"]
        b.post(f"/api/tables/{table}/join")
        lines = [person.socket(table) for person in (a, b)]
        a.post(f"/api/tables/{table}/start")
        watcher = late.socket(table)
        watcher.until("sync")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(to_the_pause, lines))
        watcher.ask(type="ping")
        before = len(watcher.seen)
        lines[0].ask(type="ready", on=True)
        lines[1].until("table", lambda message: any(seat["ready"] for seat in message["table"]["seats"]))
        for who, known in ((a, True), (b, True), (late, False), (live, False)):
            assert any(seat["ready"] for seat in who.get(f"/api/tables/{table}")["seats"]) is known
        assert watcher.ask(type="ping")["type"] == "pong"
        assert [message["type"] for message in watcher.seen[before:]] == ["pong"]


# When every spectator sees all hands: with everybody's consent, or five minutes late; never sooner


class Pair:
    """Two players who sit at a running table with bots, and somebody who watches."""

    def __init__(self, url: str, **options: object) -> None:
        self.players = [Person(url, "Mina"), Person(url, "Jun")]
        self.fan = Person(url, "Fan")
        self.table: str = self.players[0].table(bots=2, options=options)["id"]
        self.players[1].post(f"/api/tables/{self.table}/join")
        self.players[0].post(f"/api/tables/{self.table}/start")
        self.seats = [player.socket(self.table) for player in self.players]
        self.watcher = self.fan.socket(self.table)

    def agree(self, player: int, agree: bool = True) -> None:
        """A player votes."""
        assert self.seats[player].ask(type="show_hands", agree=agree)["type"] == "ack"

    def close(self) -> None:
        """Everybody leaves."""
        for line in (*self.seats, self.watcher):
            line.close()
        for person in (*self.players, self.fan):
            person.close()


def test_hands_are_open_while_everybody_agrees(url: str) -> None:
    with closing(Pair(url)) as pair:
        assert not pair.watcher.welcome["all_hands"]
        pair.agree(0)
        assert not open_hands(told(pair.watcher, 1))
        pair.agree(1)
        assert pair.watcher.until("welcome")["all_hands"]
        assert not open_hands([pair.watcher.until("sync")])  # the hand is still played
        pair.agree(0, False)
        assert not pair.watcher.until("welcome")["all_hands"]
        assert not open_hands([pair.watcher.until("sync")])
        with closing(pair.fan.socket(pair.table)) as again:
            assert not again.welcome["all_hands"]


def test_a_player_declines_and_nobody_is_left_with_a_proposal(url: str) -> None:
    with closing(Pair(url)) as pair:
        agreeing = [False, False]

        def vote(player: int, agree: bool) -> list[bool]:
            pair.agree(player, agree)
            seats = pair.players[0].get(f"/api/tables/{pair.table}")["seats"]
            ids = [player.id for player in pair.players]
            return [seat["shows_hand"] for one in ids for seat in seats if seat["person"] == one]

        assert vote(0, True) == [True, False]
        assert vote(1, False) == agreeing  # declined
        assert vote(0, True) == [True, False]
        assert vote(0, False) == agreeing  # withdrawn
        vote(0, True)
        assert vote(1, True) == [True, True]
        assert vote(1, False) == agreeing  # ended for all


def ended(line: Line) -> int:
    """How many hands a socket has seen end."""
    return sum(event["type"] in ("won", "hand_drawn") for event in line.events())


def opened(line: Line) -> int:
    """How many deals a socket has seen with all hands."""
    deals = [event for event in line.events() if event["type"] == "hand_started"]
    return sum(None not in deal["hands"] for deal in deals)


@pytest.mark.parametrize("options", [{}, {"open_hands": True, "spectator_delay_s": 300}])
def test_a_second_device_never_reads_the_hand_that_is_played(url: str, options: dict[str, object]) -> None:
    """A player who sits alone with bots agrees, and looks on with another account on another device."""
    mina = Person(url, "Mina")
    phone = Person(url, "Phone")
    table = mina.table(bots=3, options=options)["id"]
    mina.post(f"/api/tables/{table}/start")
    seat, spy = mina.socket(table), phone.socket(table)
    seat.ask(type="show_hands", agree=True)
    while ended(seat) < 3 or (not options and opened(spy) < 2):
        seat.asked()
        assert seat.own is not None
        seat.act(simplest(seat.own))
        spy.ask(type="ping")  # whatever was sent before is read
        late = phone.socket(table)  # a socket that comes now sees no more
        for line in (spy, late):
            line.ask(type="ping")
        seat.ask(type="ping")
        assert opened(spy) <= ended(seat)
        assert opened(late) <= ended(seat)
        late.close()
    assert spy.seen


def of_game(line: Line, number: int) -> list[Message]:
    """What a socket was sent of a game."""
    return [message for message in line.seen if message.get("game") == number]


@pytest.mark.slow
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("leaves", [False, True])
def test_a_rematch_at_once_cuts_nothing_off_for_spectators(url: str, agreed: bool, leaves: bool) -> None:
    """They see the last hand to its end, with those who played it, and only then the next game."""
    with closing(Pair(url, spectator_delay_s=1.5)) as pair:
        for player in (0, 1) if agreed else ():
            pair.agree(player)
        staying = pair.seats[:1] if leaves else pair.seats
        for line in staying:
            line.ask(type="ping")
        for line in pair.seats:
            line.ask(type="abort", agree=True)
        pair.seats[0].ask(type="ping")
        last = pair.seats[0].seq
        if leaves:
            pair.players[1].post(f"/api/tables/{pair.table}/leave")
            pair.seats[1].close()
        for line in staying:
            line.ask(type="rematch", agree=True)
        for line in staying:
            line.ask(type="ping")
            assert line.game == 2
        late = pair.fan.socket(pair.table)  # sees the game that runs
        told = pair.watcher.until("table", lambda message: message["table"]["result"] is not None)["table"]
        assert told["status"] == "aborted"
        assert told["game"] == 1
        assert {"Mina", "Jun"} <= {seat["name"] for seat in told["seats"]}
        assert of_game(pair.watcher, 1)[-1]["seq"] == last
        assert not of_game(pair.watcher, 2)
        for line in staying if agreed else ():
            line.ask(type="abort", agree=True)  # hands that are played stay hidden
        again = pair.watcher.until("welcome")
        assert again["table"]["game"] == 2
        assert pair.watcher.until("sync")["game"] == 2
        if not agreed:
            assert of_game(pair.watcher, 2)[-1]["seq"]
        assert not of_game(late, 1)


def test_whoever_has_left_has_not_agreed(url: str) -> None:
    with closing(Pair(url)) as pair:
        pair.agree(0)
        pair.players[1].post(f"/api/tables/{pair.table}/leave")
        with closing(pair.fan.socket(pair.table)) as line:
            assert not line.welcome["all_hands"]


def test_players_see_no_hands_in_a_second_window(url: str) -> None:
    with closing(Pair(url)) as pair:
        for player in (0, 1):
            pair.agree(player)
        with closing(pair.players[0].socket(pair.table, watch=True, all_hands=True)) as line:
            assert not line.welcome["all_hands"]
            assert not open_hands(told(line, 1))
        same = pair.players[0]
        same.post("/api/guest", name="Other")  # another person in the same browser
        with closing(same.socket(pair.table)) as line:
            assert not line.welcome["all_hands"]


def test_consent_shows_nothing_before_the_delay(url: str) -> None:
    with closing(Pair(url, spectator_delay_s=600)) as pair:
        for player in (0, 1):
            pair.agree(player)
        assert pair.watcher.until("welcome")["all_hands"]
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == []
        own = pair.seats[0].own or pair.seats[1].own
        line = next((seat for seat in pair.seats if seat.own and seat.own["ask"] is not None), None)
        if line is not None and own is not None:
            assert line.own is not None
            line.act(simplest(line.own))
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == []


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"open_hands": True, "spectator_delay_s": 300}, True),
        ({"open_hands": True, "spectator_delay_s": 299}, False),
        ({"open_hands": True, "spectator_delay_s": 0}, False),
        ({"spectator_delay_s": 600}, False),
    ],
)
def test_a_table_shows_hands_five_minutes_late(url: str, options: dict[str, object], shown: bool) -> None:
    with closing(Pair(url, **options)) as pair:
        assert pair.watcher.welcome["all_hands"] == shown
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == [] or not open_hands(pair.watcher.seen)


def test_a_consent_does_not_pass_to_the_next_in_the_seat() -> None:
    from types import SimpleNamespace as Found

    seats = [Found(person="mina"), Found(person="jun"), None, Found(person=None)]
    table = Found(row=Found(options=TableOptions(), sitters=seats), shows_hand={"mina", "jun"})
    assert shows_hands(table)  # type: ignore[arg-type]
    seats[1] = Found(person="aki")
    assert not shows_hands(table)  # type: ignore[arg-type]
    seats[0] = seats[1] = None
    assert not shows_hands(table)  # type: ignore[arg-type]


# A big screen shows nothing before the delay and never a hand; when spectators see what


def test_a_trail_tells_no_more_than_is_old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("jantaku.server.play.table.time.monotonic", lambda: now)
    trail, delays = SpectatorDelay(60), list[int]()
    for at, seq in ((0.0, 1), (1.0, 4), (30.0, 9)):
        now = at
        trail.add(now, seq)
    for at in (30.0, 59.9, 60.0, 61.0, 89.9, 90.0):
        now = at
        delays.append(trail.seen_at_last)
    assert delays == [0, 0, 1, 4, 4, 9]
    assert all(delay <= other for delay, other in pairwise(delays))


@pytest.mark.parametrize("delay", [0, 2, 60, 600])
def test_open_hands_are_shown_after_their_end_and_in_time(
    monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    """Random hands: no step comes before its hand has ended or before the delay, and all come in order."""
    chance, now, seq = random.Random(delay), 100.0, 0
    monkeypatch.setattr("jantaku.server.play.table.time.monotonic", lambda: now)
    trail, ends, sent_at = OpenHandsDelay(delay), list[tuple[int, int]](), dict[int, float]()
    seen, first = list[int](), 1
    for _ in range(12):
        for _ in range(chance.randint(1, 30)):
            seq += chance.randint(1, 3)
            trail.add(now, seq)
            sent_at[seq] = now
            trail.move_on(now)
            assert trail.seen < first  # nothing of the hand that is played
            assert trail.behind
            now += chance.choice((0.0, 1.0, 8.0, 500.0))
        trail.end_hand(now)
        trail.move_on(now)
        seen.append(trail.seen)
        ends.append((first, seq))
        first = seq + 1
    while (due := trail.due) is not None:
        now = max(now, due)
        trail.move_on(now)
        seen.append(trail.seen)
        assert now >= sent_at[trail.seen] + delay or sent_at[trail.seen] > ends[-1][0]
    assert seen == sorted(seen)
    assert trail.seen == seq
    assert not trail.behind
    assert LONGEST_GAP_S >= 8


@pytest.mark.slow
def test_a_big_screen_shows_nothing_before_the_delay_and_never_a_hand(url: str) -> None:
    tournament = Tournament(url, 4)
    tournament.post("seating/import", rounds=[[tournament.entries]])
    tournament.post("publish")

    def cast() -> dict[str, Any]:
        time.sleep(FRESH_S)
        screen: dict[str, Any] = tournament.recorder.get(f"{tournament.path}/screen")
        return screen

    opened = tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=0)["opened"]
    assert opened == [1]
    [table] = tournament.referee.get(f"{tournament.path}/tables")["tables"]
    path = f"{tournament.path}/tables/{table['table']['id']}"
    assert cast()["tables"] == []  # nothing has been dealt
    with closing(tournament.players[0].socket(table["table"]["id"])) as line:
        tournament.referee.post(path, action="start")
        line.asked()
        [shown] = cast()["tables"]
        assert set(shown) == {"id", "label", "hand_number", "names", "scores"}
        assert sum(shown["scores"]) == 100_000
        tournament.referee.post(path, action="end", why="w")
    tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", delay_s=60)
    table = tournament.referee.get(f"{tournament.path}/tables")["tables"][0]
    path = f"{tournament.path}/tables/{table['table']['id']}"
    with closing(tournament.players[0].socket(table["table"]["id"])) as line:
        tournament.referee.post(path, action="start")
        line.asked()
        assert [game for game in cast()["tables"] if game["id"] == table["table"]["id"]] == []


# Only commentators see open hands, and never a player of the table


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
    with closing(booth.referee("Ref")) as referee:
        mina = Person(booth.url, "Mina")
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


def test_a_former_player_cannot_see_all_hands(booth: Booth) -> None:
    with closing(booth.referee("Ref")) as referee:
        mina = Person(booth.url, "Mina")
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
    with closing(booth.referee("Ref")) as browser:
        mina = Person(booth.url, "Mina")
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
    with closing(booth.referee("Ref")) as referee:
        mina = Person(booth.url, "Mina")
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        line = referee.socket(table["id"], all_hands=True, watch=True)
        assert line.welcome["all_hands"]
        booth.admin.post(f"/api/people/{referee.id}/role", role="player")
        assert not line.until("welcome")["all_hands"]
        assert not open_hands([line.until("sync")])


def test_signing_out_closes_sockets_but_registering_does_not(booth: Booth) -> None:
    mina = Person(booth.url, "Mina")
    line = mina.socket(mina.table()["id"])
    mina.post("/api/register", name="mina", password="correct horse")
    assert line.ask(type="ping")["type"] == "pong"
    mina.post("/api/logout")
    assert close_code(line.raw) == 4401
