"""Spectators: permission, delay, open hands, and messages about absent players."""

import json
import random
import time
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.events.results.counted_results import FRESH_S
from jantaku.server.play.broadcast import shows_hands
from jantaku.server.play.table import LONGEST_GAP_S, OpenHandsDelay, SpectatorDelay
from jantaku.server.run import prepare
from jantaku.server.settings import NO_PAUSES
from server.clubs import Club
from server.parlour import (
    PASSWORD,
    Line,
    Message,
    Person,
    Serve,
    close_code,
    fast_settings,
    run_concurrently,
    seated,
)

CLOSED = {"spectators": False}


@pytest.fixture
def people(url: str) -> list[Person]:
    return [Person(url, name) for name in "ABCD"]


def types_until_closed(line: Line) -> list[str]:
    """Return the types of the messages received until a spectator's socket is closed."""
    types = []
    with suppress(ConnectionClosed):
        while True:
            types.append(json.loads(line.raw.recv(60))["type"])
    assert line.raw.close_code == 4403
    return types


def assert_refused(person: Person, table: str, **hello: object) -> None:
    raw = person.raw(table)
    raw.send(json.dumps({"type": "hello", "version": 1} | hello))
    assert close_code(raw) == 4403


@pytest.mark.slow
def test_starting_a_table_closed_to_spectators_disconnects_people_without_a_seat(
    people: list[Person],
) -> None:
    table = people[0].table(bots=2, options=CLOSED)["id"]
    without_seat, twice = people[1].socket(table), people[0].socket(table, watch=True)
    seat = people[0].socket(table)
    people[0].post(f"/api/tables/{table}/start")
    assert seat.until("sync")["view"]
    for line in (without_seat, twice):
        assert set(types_until_closed(line)) <= {"table"}
    assert_refused(people[1], table)
    assert_refused(people[0], table, watch=True)
    assert seat.ask(type="ping")["type"] == "pong"
    assert people[0].get(f"/api/tables/{table}")["watchers"] == 0


@pytest.mark.slow
def test_losing_a_seat_at_a_table_closed_to_spectators_closes_the_socket(people: list[Person]) -> None:
    table, lines = seated(people, options=CLOSED)
    people[2].post(f"/api/tables/{table['id']}/leave")
    assert lines[0].move()["type"] == "ack"
    assert not {"sync", "update"} & set(
        types_until_closed(lines[2])[1:]
    )  # the first ``sync`` was sent to the player
    assert_refused(people[2], table["id"])
    people[2].post(f"/api/tables/{table['id']}/join")
    assert people[2].socket(table["id"]).welcome["seat"] == 2


@pytest.mark.slow
def test_missing_a_rematch_at_a_table_closed_to_spectators_closes_the_socket(serve: Serve) -> None:
    pair = Pair(serve(grace_s=0), **CLOSED, watched=False)
    pair.seats[1].until("sync")
    for line in pair.seats:
        line.ask(type="abort", agree=True)
    pair.players[1].post(f"/api/tables/{pair.table}/leave")
    pair.seats[0].ask(type="rematch", agree=True)
    assert pair.seats[0].game == 2
    assert not {"sync", "update"} & set(types_until_closed(pair.seats[1])[2:])


@pytest.mark.slow
def test_an_absence_is_announced_before_the_seat_has_to_act(serve: Serve) -> None:
    """If it were announced only then, it would reveal that the seat can claim a discard."""
    url = serve(grace_s=0.1)
    _, lines = seated([Person(url, name) for name in "ABCD"])
    lines[0].wait_to_act()  # seat 0 does not act, so seat 2 has nothing to decide
    lines[2].close()
    lines[1].until("table", lambda message: message["table"]["seats"][2]["away"])


@pytest.mark.slow
def test_spectators_learn_the_result_only_after_the_delay(people: list[Person]) -> None:
    """Neither the table, the lobby nor the list of games reveals it earlier, while players see it at once."""
    table = people[0].table(bots=3, options={"spectator_delay_s": 3})["id"]
    path = f"/api/tables/{table}"
    watcher, player = people[1].socket(table), people[0].socket(table)
    people[0].post(f"{path}/start")
    player.until("sync")
    player.ask(type="abort", agree=True)
    result = people[0].get(path)["result"]

    def known(who: Person) -> list[bool]:
        listed = who.get("/api/tables")["tables"]
        return [
            who.get(path)["result"] is not None,
            table not in [game["id"] for game in listed] or any(game["result"] for game in listed),
            who.send("GET", f"/api/games/{result['record']}/replay").status_code == 200,
        ]

    assert known(people[0])[0::2] == [True, True]
    assert known(people[1]) == [False] * 3
    people[0].refused("not_playing", f"DELETE {path}")
    people[1].refused("not_owner", f"DELETE {path}")
    late = watcher.until("table", lambda message: message["table"]["result"] is not None)
    assert late["table"]["result"]["record"] == result["record"]
    seen = [message["table"] for message in watcher.seen[:-1] if message["type"] == "table"]
    assert {table_["status"] for table_ in seen[2:]} <= {"playing"}
    assert not any(seat["wants_abort"] for table_ in seen for seat in table_["seats"] if seat)
    assert known(people[1])[0::2] == [True, True]


@pytest.mark.slow
def test_rematches_and_restarts_do_not_shorten_the_spectator_delay(serve: Serve) -> None:
    url = serve()
    one, other, games = Person(url, "A"), Person(url, "B"), []
    for delay, again in ((600.0, True), (600.0, False), (0.0, False)):
        table, line = one.start(options={"spectator_delay_s": delay})
        line.ask(type="abort", agree=True)
        games.append(one.get(f"/api/tables/{table}")["result"]["record"])
        if again:
            line.ask(type="rematch", agree=True)
    for _ in range(2):
        shown = [
            [who.send("GET", f"/api/games/{game}/replay").status_code for game in games]
            for who in (one, other)
        ]
        assert shown == [[200, 200, 200], [404, 404, 200]]
        serve()


def to_the_pause(line: Line) -> None:
    """Play until the pause after a hand without closing the result."""
    while not any(message["type"] == "pause" for message in line.seen):
        if line.own and line.own["ask"] is not None:
            line.move()
        else:
            line.next()


@pytest.mark.slow
def test_spectators_learn_of_ready_players_only_after_the_delay(serve: Serve) -> None:
    """Neither the marks of ready players nor an empty message reveals that a hand has ended."""
    pair = Pair(serve(pauses=replace(NO_PAUSES, result=60, result_among_bots=60)), spectator_delay_s=600)
    pair.watcher.until("sync")
    run_concurrently([lambda line=line: to_the_pause(line) for line in pair.seats])  # type: ignore[misc]
    pair.watcher.types()
    pair.seats[0].ask(type="ready", on=True)
    pair.seats[1].until("table", lambda message: any(seat["ready"] for seat in message["table"]["seats"]))
    for who, known in ((pair.players[0], True), (pair.players[1], True), (pair.fan, False)):
        assert any(seat["ready"] for seat in who.get(f"/api/tables/{pair.table}")["seats"]) is known
    assert pair.watcher.types() == []


# Spectators see all hands only if all players agree, or five minutes late


class Pair:
    """A game of two players and two bots, with a spectator."""

    def __init__(self, url: str, *, watched: bool = True, **options: Any) -> None:
        self.players = [Person(url, "Mina"), Person(url, "Jun")]
        self.fan = Person(url, "Fan")
        self.table: str = self.players[0].table(bots=2, options=options)["id"]
        self.players[1].post(f"/api/tables/{self.table}/join")
        self.players[0].post(f"/api/tables/{self.table}/start")
        self.seats = [player.socket(self.table) for player in self.players]
        if watched:
            self.watcher = self.fan.socket(self.table)

    def agree(self, *players: int, agree: bool = True) -> None:
        for player in players:
            assert self.seats[player].ask(type="show_hands", agree=agree)["type"] == "ack"

    def sees_all(self) -> bool:
        """Return whether a new spectator sees all hands."""
        return bool(self.fan.socket(self.table).welcome["all_hands"])


def open_hands(messages: list[Message]) -> bool:
    """Return whether the messages contain the hands of several seats."""
    events = [event for message in messages for event in message.get("events", ())]
    starts = [event for event in events if event["type"] == "hand_started"]
    return any(sum(hand is not None for hand in start["hands"]) > 1 for start in starts)


def next_messages(line: Line) -> list[Message]:
    """Receive messages until one has events and no more are on their way; return them."""
    before = len(line.seen)
    while not any(message.get("events") for message in line.seen[before:]):
        line.next()
    line.ask(type="ping")
    return line.seen[before:]


def test_spectators_see_all_hands_while_all_players_agree(url: str) -> None:
    pair = Pair(url)
    assert not pair.watcher.welcome["all_hands"]
    pair.agree(0)
    assert not open_hands(next_messages(pair.watcher))
    pair.agree(1)
    assert pair.watcher.until("welcome")["all_hands"]
    assert not open_hands([pair.watcher.until("sync")])  # the hands of the current deal stay hidden
    for player in pair.players:  # the player's second window
        line = player.socket(pair.table, watch=True, all_hands=True)
        assert not line.welcome["all_hands"]
        assert not open_hands(next_messages(line))
    pair.agree(0, agree=False)
    assert not pair.watcher.until("welcome")["all_hands"]
    assert not open_hands([pair.watcher.until("sync")])
    assert not pair.sees_all()
    pair.agree(0, 1)
    assert pair.sees_all()
    pair.players[0].post("/api/guest", name="Other")  # a different person in the same browser
    assert not pair.players[0].socket(pair.table).welcome["all_hands"]
    pair = Pair(url)
    pair.agree(0)
    pair.players[1].post(f"/api/tables/{pair.table}/leave")
    assert not pair.sees_all(), "a player who left has not agreed"


def test_declining_open_hands_clears_the_proposal(url: str) -> None:
    pair = Pair(url)

    def vote(player: int, agree: bool) -> list[bool]:
        pair.agree(player, agree=agree)
        seats = {seat["person"]: seat for seat in pair.fan.get(f"/api/tables/{pair.table}")["seats"]}
        return [seats[one.id]["shows_hand"] for one in pair.players]

    for player, agree, votes in (
        (0, True, [True, False]),
        (1, False, [False, False]),  # declined by the other player
        (0, True, [True, False]),
        (0, False, [False, False]),  # withdrawn by the same player
        (0, True, [True, False]),
        (1, True, [True, True]),
        (1, False, [False, False]),  # withdrawn by one player, which ends it for all
    ):
        assert vote(player, agree) == votes


def ended(line: Line) -> int:
    """Return how many hands have ended according to the messages of a socket."""
    return sum(event["type"] in ("won", "hand_drawn") for event in line.events())


def opened(line: Line) -> int:
    """Return the number of deals that a socket received with the hands of all seats."""
    deals = [event for event in line.events() if event["type"] == "hand_started"]
    return sum(None not in deal["hands"] for deal in deals)


@pytest.mark.parametrize("options", [{}, {"open_hands": True, "spectator_delay_s": 300}])
def test_a_second_device_never_sees_the_current_hand(url: str, options: dict[str, Any]) -> None:
    """The only player at a table with bots agrees and watches with another account on a second device."""
    mina, phone = Person(url, "Mina"), Person(url, "Phone")
    table, seat = mina.start(options=options)
    spy, moves = phone.socket(table), 0
    seat.ask(type="show_hands", agree=True)
    while ended(seat) < 3 or (not options and opened(spy) < 2):
        seat.move()
        moves += 1
        spy.ask(type="ping")  # read everything that has been sent so far
        lines = [spy, phone.socket(table)] if moves % 4 == 0 else [spy]  # a new socket does not see more
        for line in (*lines, seat):
            line.ask(type="ping")
        assert max(map(opened, lines)) <= ended(seat)
        lines[-1].close() if len(lines) > 1 else None


def of_game(line: Line, number: int) -> list[Message]:
    """Return the messages of a socket that belong to a game."""
    return [message for message in line.seen if message.get("game") == number]


@pytest.mark.slow
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("leaves", [False, True])
def test_an_immediate_rematch_does_not_cut_off_spectators(url: str, agreed: bool, leaves: bool) -> None:
    """Spectators see the last hand to its end, with its players, before they see the next game."""
    pair = Pair(url, spectator_delay_s=1.5)
    pair.agree(*((0, 1) if agreed else ()))
    staying = pair.seats[:1] if leaves else pair.seats
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
    late = pair.fan.socket(pair.table)  # this spectator sees the current game
    table_ = pair.watcher.until("table", lambda message: message["table"]["result"] is not None)["table"]
    assert (table_["status"], table_["game"]) == ("aborted", 1)
    assert {"Mina", "Jun"} <= {seat["name"] for seat in table_["seats"]}
    assert of_game(pair.watcher, 1)[-1]["seq"] == last
    assert not of_game(pair.watcher, 2)
    for line in staying if agreed else ():
        line.ask(type="abort", agree=True)  # hands that are being played stay hidden
    assert pair.watcher.until("welcome")["table"]["game"] == 2
    assert pair.watcher.until("sync")["game"] == 2
    if not agreed:
        assert of_game(pair.watcher, 2)[-1]["seq"]
    assert not of_game(late, 1)


def test_consent_reveals_nothing_before_the_delay(url: str) -> None:
    pair = Pair(url, spectator_delay_s=600)
    pair.agree(0, 1)
    assert pair.watcher.until("welcome")["all_hands"]
    pair.watcher.ask(type="ping")
    line = next((seat for seat in pair.seats if seat.own and seat.own["ask"] is not None), None)
    if line is not None:
        line.move()
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
def test_a_table_shows_hands_five_minutes_late(url: str, options: dict[str, Any], shown: bool) -> None:
    watcher = Pair(url, **options).watcher
    assert watcher.welcome["all_hands"] == shown
    watcher.ask(type="ping")
    assert not open_hands(watcher.seen)


def test_consent_does_not_pass_to_the_next_player_of_a_seat() -> None:
    def shown(*people: str | None) -> bool:
        sitters = [SimpleNamespace(person=person) for person in people]
        row = SimpleNamespace(options=TableOptions(), sitters=[*sitters, None])
        table: Any = SimpleNamespace(row=row, shows_hand={"mina", "jun"})
        return shows_hands(table)

    seats = [("mina", "jun", None), ("mina", "aki", None), (None, None, None)]
    assert [shown(*people) for people in seats] == [True, False, False]


# The spectator delay, and the big screen, which is delayed in the same way and never shows hands


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("jantaku.server.play.table.time.monotonic", lambda: clock.now)
    return clock


def test_the_delay_releases_only_events_that_are_old_enough(clock: SimpleNamespace) -> None:
    delay, delays = SpectatorDelay(60), list[int]()
    for clock.now, seq in ((0.0, 1), (1.0, 4), (30.0, 9)):
        delay.add(clock.now, seq)
    for clock.now in (30.0, 59.9, 60.0, 61.0, 89.9, 90.0):
        delays.append(delay.visible_now)
    assert delays == [0, 0, 1, 4, 4, 9]
    delay = SpectatorDelay(10.0)
    for now, seq in ((0.0, 3), (1.0, 5), (4.0, 9)):
        delay.add(now, seq)
    assert (delay.advance(9.9), delay.due) == (False, 10.0)
    assert (delay.advance(11.0), delay.seen, delay.due) == (True, 5, 14.0)


@pytest.mark.parametrize("delay", [0, 2, 60, 600])
def test_open_hands_are_released_after_their_end_and_in_order(clock: SimpleNamespace, delay: float) -> None:
    """In random hands, no step is sent before its hand has ended or before the delay is over."""
    chance, now, seq = random.Random(delay), 100.0, 0
    spectators, ends, sent_at = OpenHandsDelay(delay), list[tuple[int, int]](), dict[int, float]()
    seen, first = list[int](), 1
    for _ in range(12):
        for _ in range(chance.randint(1, 30)):
            seq += chance.randint(1, 3)
            spectators.add(now, seq)
            sent_at[seq] = clock.now = now
            spectators.advance(now)
            assert spectators.seen < first  # no step of the current hand
            assert spectators.behind
            now += chance.choice((0.0, 1.0, 8.0, 500.0))
        spectators.end_hand(now)
        spectators.advance(now)
        seen.append(spectators.seen)
        ends.append((first, seq))
        first = seq + 1
    while (due := spectators.due) is not None:
        now = clock.now = max(now, due)
        spectators.advance(now)
        seen.append(spectators.seen)
        assert now >= sent_at[spectators.seen] + delay or sent_at[spectators.seen] > ends[-1][0]
    assert seen == sorted(seen)
    assert (spectators.seen, spectators.behind) == (seq, False)
    assert LONGEST_GAP_S >= 8


@pytest.mark.slow
def test_a_big_screen_shows_nothing_before_the_delay_and_never_a_hand(url: str) -> None:
    cup = Club(url)
    player, *_ = cup.players
    cup.seat([cup.entries])
    cup.run("publish")

    def cast() -> list[Message]:
        time.sleep(FRESH_S)
        return list(cup.recorder.get("screen")["tables"])

    def start_round(delay_s: int) -> str:
        cup.referee.post("tables/rounds/main/1", delay_s=delay_s)
        table = str(cup.referee.get("tables")["tables"][0]["table"]["id"])
        assert table not in [game["id"] for game in cast()], "nothing has been dealt"
        line = player.socket(table)
        cup.referee.post(f"tables/{table}", action="start")
        line.wait_to_act()
        return table

    table = start_round(0)
    [shown] = cast()
    assert set(shown) == {"id", "label", "hand_number", "names", "scores"}
    assert sum(shown["scores"]) == 100_000
    cup.referee.post(f"tables/{table}", action="end", why="w")
    table = start_round(60)
    assert table not in [game["id"] for game in cast()]


# Referees see all hands, but only if they do not play at the table


class RefereeSite:
    """A server with an administrator and with sign-in links for referees."""

    def __init__(self, serve: Serve) -> None:
        token = prepare(fast_settings(serve.data), admin=False)
        self.url = serve()
        self.admin, self.mina = Person(self.url), Person(self.url, "Mina")
        self.admin.post("/api/enter", token=token)
        self.table: str = self.mina.table(bots=2)["id"]
        self.path = f"/api/tables/{self.table}"

    def link(self, name: str) -> str:
        """Return the token in a new link for signing in as a referee."""
        url: str = self.admin.post("/api/link", name=name, role="referee")["url"]
        return url.rpartition("/")[2]

    def referee(self, name: str = "Ref") -> Person:
        """Return a referee who has signed in in a separate browser."""
        person = Person(self.url)
        person.id = person.post("/api/enter", token=self.link(name))["id"]
        return person

    def look(self, person: Person) -> Line:
        return person.socket(self.table, all_hands=True, watch=True)


@pytest.fixture
def booth(serve: Serve) -> RefereeSite:
    return RefereeSite(serve)


def seen_to_the_end(line: Line) -> list[Message]:
    """Return the messages of a socket until the game starts or the socket is replaced."""
    with suppress(ConnectionClosed):
        line.until("sync")
    return line.seen


def test_a_referee_who_takes_a_seat_never_sees_hands_again(booth: RefereeSite) -> None:
    """Neither window of the referee shows hands: one becomes the player's window, the other is replaced."""
    referee = booth.referee()
    first, second = booth.look(referee), booth.look(referee)
    assert first.welcome["all_hands"]
    referee.post(f"{booth.path}/join")
    booth.mina.post(f"{booth.path}/start")
    shown = [seen_to_the_end(line) for line in (first, second)]
    assert sorted(any(message["type"] == "sync" for message in seen) for seen in shown) == [False, True]
    assert not any(open_hands(seen) for seen in shown)
    assert not booth.look(referee).welcome["all_hands"]
    referee.post(f"{booth.path}/leave")
    after = referee.socket(booth.table, all_hands=True).welcome
    assert (after["seat"], after["all_hands"]) == (None, False)


def test_a_player_cannot_watch_as_a_referee_in_the_same_browser(booth: RefereeSite) -> None:
    """Signing in under another name ends the first session, but the browser keeps its cookie."""
    browser = booth.mina
    browser.post(f"{booth.path}/start")
    seat = browser.socket(booth.table)
    assert seat.until("sync")["own"]["ask"] is not None
    browser.post("/api/enter", token=booth.link("Ref"))
    assert close_code(seat.raw) == 4401
    line = booth.look(browser)
    assert not line.welcome["all_hands"]
    assert not open_hands(next_messages(line))
    assert booth.look(booth.referee("Other")).welcome["all_hands"]


def test_a_referee_cannot_sit_as_a_guest_in_the_same_browser(booth: RefereeSite) -> None:
    """From then on, the referee's other window shows no hands either."""
    browser = booth.referee()
    session = browser.http.cookies["jantaku_session"]
    line = booth.look(browser)
    # without this cookie, the browser does not end the first session
    browser.http.cookies.delete("jantaku_session")
    browser.post("/api/guest", name="Guest")
    browser.post(f"{booth.path}/join")
    assert not line.until("welcome")["all_hands"]
    browser.http.cookies.delete("jantaku_session")
    browser.http.cookies.set("jantaku_session", session)
    booth.mina.post(f"{booth.path}/start")
    assert not open_hands(next_messages(line))
    line.close()
    assert not booth.look(browser).welcome["all_hands"]


def test_a_former_referee_stops_seeing_hands(booth: RefereeSite) -> None:
    referee = booth.referee()
    booth.mina.post(f"{booth.path}/start")
    line = booth.look(referee)
    assert line.welcome["all_hands"]
    booth.admin.post(f"/api/people/{referee.id}/role", role="player")
    assert not line.until("welcome")["all_hands"]
    assert not open_hands([line.until("sync")])


def test_signing_out_closes_sockets_but_registering_does_not(serve: Serve) -> None:
    mina = Person(serve(), "Mina")
    line = mina.socket(mina.table()["id"])
    mina.post("/api/register", name="mina", password=PASSWORD)
    assert line.ask(type="ping")["type"] == "pong"
    mina.post("/api/logout")
    assert close_code(line.raw) == 4401
