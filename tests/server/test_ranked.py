"""Ranked play: matchmaking, ready checks, ratings, and attempts to abuse them."""

import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest

from jantaku.rules import load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.people.auth_dependencies import BROWSER, Visitor
from jantaku.server.play.live_game import Clocks
from jantaku.server.ranked.entries import (
    AWAY_S,
    HERE_AWAY_S,
    HERE_S,
    LEFT_S,
    LINES,
    PATIENCE_S,
    QUIET_S,
    SEEN_S,
    DailyHour,
    Entry,
    RankedLine,
    ReadyCheck,
    Waiter,
    gathered,
    held_for_s,
    tables_of,
)
from jantaku.server.ranked.queue import RATED
from jantaku.server.settings import Pauses
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.tables import FILLED, RANKED, Sitter, TableRow
from server.parlour import PASSWORD, Line, Message, Person, Serve, code_of, only_limits, run_concurrently

EAST = {"family": "standard", "length": "east", "players": 4}
THREE = {"family": "standard", "length": "east", "players": 3}
NAMES = ("Mina", "Jun", "Kaito", "Seo", "Ada")


@pytest.fixture
def five(serve: Serve) -> list[Person]:
    url = serve()
    return [Person(url, name, PASSWORD) for name in NAMES]


def wait(person: Person, *lines: Message, **more: Any) -> Message:
    page: Message = person.put("/api/ranked", lines=lines or [EAST], **more)
    return page


def poll(person: Person, done: Callable[[Message], Any]) -> Message:
    """Poll the page until a condition is true; return the page."""
    ends = time.monotonic() + 10
    while not done(page := person.get("/api/ranked")):
        assert time.monotonic() < ends, page
        time.sleep(0.02)
    return dict(page)


def called(page: Message) -> Any:
    return page["mine"] and page["mine"]["called"]


def confirm_all(*people: Person) -> None:
    """Wait until all of these people are called, then confirm for them."""
    for person in people:
        poll(person, called)
        person.post("/api/ranked/here")


def table_of(person: Person) -> str:
    return str(poll(person, lambda page: page["table"])["table"])


def seated(four: list[Person]) -> str:
    for person in four:
        wait(person)
    confirm_all(*four)
    return table_of(four[0])


def started_game(four: list[Person]) -> tuple[str, list[Line]]:
    table = seated(four)
    sockets = [person.socket(table) for person in four]
    for line in sockets:
        line.until("sync")
    return table, sockets


@pytest.mark.slow
def test_four_waiting_people_confirm_and_play_a_rated_game(five: list[Person]) -> None:
    wait(five[0], EAST, THREE)
    page = poll(five[4], lambda page: page["people"])
    assert [(person["name"], person["steps"]) for person in page["people"]] == [("Mina", [0, 0])]
    assert [line["waiting"] for line in page["lines"]].count(1) == 2
    info = five[0].get(f"/api/tables/{started_game(five[:4])[0]}")
    assert (info["status"], info["stage"], info["event"]) == ("playing", RANKED, None)
    assert (info["options"]["rated"], info["rules"]["length"]) == (True, "east")
    assert {seat["name"] for seat in info["seats"]} == {*NAMES[:4]}
    assert five[4].get("/api/ranked")["people"] == []


@pytest.mark.slow
def test_bots_fill_the_table_after_the_chosen_time_in_an_unrated_game(five: list[Person]) -> None:
    wait(five[0], bots_after_s=0)
    assert called(poll(five[0], called))["rated"] is False
    confirm_all(five[0])
    info = five[0].get(f"/api/tables/{table_of(five[0])}")
    assert (info["options"]["rated"], info["stage"], info["status"]) == (False, FILLED, "playing")
    assert sum(seat["bot"] is not None for seat in info["seats"]) == 3
    five[0].refused("ranked_playing", "PUT /api/ranked", lines=[EAST])


@pytest.mark.slow
def test_a_missed_ready_check_suspends_the_player_and_the_others_are_called_again(five: list[Person]) -> None:
    for person in five[:4]:
        wait(person)
    confirm_all(*five[:3])
    poll(five[3], called)
    five[3].delete("/api/ranked")  # this player leaves during the ready check
    assert five[3].get("/api/ranked")["held_s"] > 0
    five[3].refused("ranked_held", "PUT /api/ranked", lines=[EAST])
    before = poll(five[0], lambda page: not called(page))
    assert before["mine"] is not None
    assert before["held_s"] == 0
    wait(five[4])
    confirm_all(*five[:3], five[4])
    assert table_of(five[4])


@pytest.mark.slow
def test_a_present_player_who_never_confirms_delays_one_ready_check(
    five: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that keeps a page open leaves the queue, and is suspended longer each time."""
    monkeypatch.setattr("jantaku.server.ranked.entries.HERE_S", 1.0)
    silent, *others = five
    for person in (silent, *others[:3]):
        wait(person)
    confirm_all(*others[:3])
    assert poll(silent, lambda page: page["mine"] is None)["held_s"] > 50
    silent.refused("ranked_held", "PUT /api/ranked", lines=[EAST])
    wait(others[3])
    confirm_all(*others)
    assert table_of(others[0])


@pytest.mark.slow
@pytest.mark.parametrize("absent", ["away", "hidden"])
def test_absent_players_do_not_delay_present_ones(five: list[Person], absent: str) -> None:
    """An absent player is called only if needed, and is put back when someone else becomes available."""
    ghost, *present = five
    wait(ghost, **({"away": True} if absent == "away" else {}))
    hidden = {"hidden": "true"} if absent == "hidden" else {}
    ghost.get("/api/ranked", **hidden)
    for person in present[:3]:
        wait(person)
    poll(present[0], called)  # one of those called is the ghost, who has a minute to confirm
    wait(present[3])
    poll(present[0], lambda _: all(called(person.get("/api/ranked")) for person in present))
    confirm_all(*present)
    assert table_of(present[0])
    page = ghost.get("/api/ranked", **hidden)
    assert page["mine"] is not None
    assert (page["held_s"], page["mine"]["called"]) == (0, None)


def test_a_player_with_hidden_presence_waits_anonymously(five: list[Person]) -> None:
    mina, jun, kaito, *_ = five
    for shown, hidden in ((jun, mina), (mina, jun)):
        hidden.put("/api/friends/presence", on=False)
        shown.put("/api/friends/presence", on=True)
        wait(mina)
        wait(jun)
        page = kaito.get("/api/ranked")
        assert page["lines"][0]["waiting"] == 2
        assert [person["person"] for person in page["people"]] == [shown.id]


def test_a_deleted_account_gets_no_seat(five: list[Person]) -> None:
    for player in five[:4]:
        wait(player)
    confirm_all(five[0])
    body = {"password": PASSWORD}
    five[0].post("/api/me/erase", confirm=five[0].post("/api/me/erase", **body)["confirm"], **body)
    for player in five[1:4]:
        assert not called(player.get("/api/ranked"))
    assert {person["name"] for person in five[4].get("/api/ranked")["people"]} == {*NAMES[1:4]}


@pytest.mark.slow
def test_players_cannot_change_a_ranked_table(five: list[Person]) -> None:
    """After seeing their opponents, players cannot leave, add bots or friends, or ask for a rematch."""
    path = f"/api/tables/{seated(five[:4])}"
    owner = next(person for person in five if person.id == five[0].get(path)["owner"])
    other = next(person for person in five[:4] if person is not owner)
    for request in (
        f"{path}/leave",
        f"{path}/start",
        f"{path}/bots",
        f"DELETE {path}/bots/0",
        f"DELETE {path}/people/{other.id}",
        f"DELETE {path}",
    ):
        owner.refused("ranked_table", request)
    five[4].refused("no_free_seat", f"{path}/join")
    for person in five[:4]:
        line = person.socket(path.rpartition("/")[2])
        line.until("sync")
        assert line.ask(type="abort", agree=True)["code"] == "ranked_table"
    owner.refused("ranked_playing", "PUT /api/ranked", lines=[EAST])
    owner.post(f"{path}/leave")  # leaving is allowed during the game, which goes on without the player
    owner.refused("ranked_playing", "PUT /api/ranked", lines=[EAST])


@pytest.mark.slow
def test_leaving_in_the_first_hand_counts_as_a_loss(serve: Serve) -> None:
    """The game is rated for all players although one made no move, and that player is suspended."""
    url = serve(grace_s=0.0)
    four = [Person(url, name, PASSWORD) for name in NAMES[:4]]
    table, lines = started_game(four)
    four[0].post(f"/api/tables/{table}/leave")
    lines[0].close()
    run_concurrently([line.finish for line in lines[1:]])
    info = four[1].get(f"/api/tables/{table}")
    seat = [row["person"] for row in info["seats"]].index(four[0].id)
    game = four[1].get(f"/api/games/{info['result']['record']}")
    assert len(game["players"][seat]["absent"]) == game["hands"]
    steps = four[1].get(f"/api/ranked/games/{info['result']['record']}")["seats"]
    rises = [step["after"] + step["part_after"] for step in steps]
    assert rises[info["result"]["places"].index(1)] == max(rises) > 0
    assert four[0].get("/api/ranked")["held_s"] > LEFT_S[0] - 60
    assert four[1].get("/api/ranked")["held_s"] == 0
    assert four[1].socket(table).ask(type="rematch", agree=True)["code"] == "ranked_table"
    stranger = Person(url, "Ada", PASSWORD)
    stranger.refused("no_game", f"GET /api/ranked/games/{info['result']['record']}")


@pytest.mark.slow
def test_many_tabs_and_lines_count_as_one_person(five: list[Person]) -> None:
    for _ in range(4):
        wait(five[0], EAST, THREE)
    assert [person["person"] for person in five[1].get("/api/ranked")["people"]] == [five[0].id]
    assert not called(five[0].get("/api/ranked"))
    for person in five[1:4]:
        wait(person)
    poll(five[0], called)
    wait(five[0], THREE)  # from another tab, after the ready check has begun
    confirm_all(*five[:4])
    five[0].send("POST", "/api/ranked/here")
    assert [row["id"] for row in five[0].get("/api/tables")["mine"]] == [table_of(five[0])]


def test_guests_and_anonymous_users_cannot_join_the_queue(url: str) -> None:
    guest = Person(url, "Guest")
    guest.refused("account_needed", "PUT /api/ranked", lines=[EAST])
    assert guest.get("/api/ranked")["account"] is False
    guest.refused("ranked_gone", "/api/ranked/here")
    Person(url).refused("sign_in", "GET /api/ranked")


# Matchmaking


def waiter(person: str, rating: float, waited: float = 0, *marks: str) -> Waiter:
    return Waiter(person, rating, waited, frozenset(marks))


def test_similar_ratings_are_paired_and_the_range_widens_with_time() -> None:
    near, far = [waiter(name, 25) for name in "abc"], waiter("d", 45)
    assert tables_of([*near, far], 4) == []
    long = [waiting._replace(waited_s=PATIENCE_S) for waiting in near]
    assert [{waiting.person for waiting in table} for table in tables_of([*long, far], 4)] == [{*"abcd"}]
    eight = [waiter(str(i), rating) for i, rating in enumerate((20, 31, 21, 30, 20, 31, 21, 30))]
    tables = tables_of(eight, 4)
    assert sorted(sorted(waiting.rating for waiting in table) for table in tables) == [
        [20, 20, 21, 21],
        [30, 30, 31, 31],
    ]


def test_two_accounts_of_one_person_are_never_paired() -> None:
    """Players who share an address or browser, or of whom one blocked the other, never meet."""
    patient = [waiter(name, 25, PATIENCE_S) for name in "ab"]
    for mark in ("198.51.100.7", "browser"):
        twins = [waiter(name, 25, PATIENCE_S, mark) for name in "cd"]
        assert tables_of([*patient, *twins], 4) == []
        assert len(tables_of([*patient, *twins, waiter("e", 25)], 4)) == 1
    blocked = [waiter("c", 25, PATIENCE_S, "d"), waiter("d", 25, PATIENCE_S)]
    assert tables_of([*patient, *blocked], 4) == []


@pytest.mark.parametrize("count", range(14))
def test_everyone_present_gets_a_seat_at_the_daily_tables(count: int) -> None:
    tables = gathered([waiter(str(i), i) for i in range(count)])
    assert sum(map(len, tables)) == count
    assert sum(len(table) < 3 for table in tables) == (count in (1, 2, 5))


def entry(person: str, address: str = "127.0.0.1", browser: str = "", **more: Any) -> Entry:
    who = Visitor(PersonRow(person, person, person, "player", "en"), address, browser)
    return Entry(who, "en", frozenset(LINES), **more)


def test_pairing_marks_are_the_address_the_browser_and_blocked_people() -> None:
    assert entry("a").marks == frozenset()
    assert entry("a", "198.51.100.7", "b", blocked=frozenset({"x"})).marks == {"198.51.100.7", "b", "x"}


def test_a_closed_page_leaves_the_queue() -> None:
    one, away, daily = entry("a"), entry("b", away=True), entry("c", away=True, daily=True)
    for seconds, stale in ((SEEN_S - 1, []), (SEEN_S + 1, [one]), (AWAY_S + 1, [one, away])):
        assert [who for who in (one, away, daily) if who.stale(who.seen + seconds)] == stale
    line = RankedLine("standard", "east", 4)
    assert [who.quiet(who.seen + QUIET_S + 1) for who in (one, away, daily)] == [True, False, False]
    assert ReadyCheck.of(line, [one], 0).until == HERE_S
    assert ReadyCheck.of(line, [one, away], 0).until == HERE_AWAY_S
    one.hidden = True
    assert ReadyCheck.of(line, [one], 0).until == HERE_AWAY_S
    assert not one.quiet(one.seen + QUIET_S + 1)


def test_the_daily_table_starts_once_a_day() -> None:
    now = datetime(2025, 11, 26, 20, 40)
    hour = DailyHour("21:00", lambda: now)
    assert (hour.reminds(), hour.begins()) == (False, False)
    now += timedelta(minutes=11)
    assert (hour.reminds(), hour.reminds(), hour.begins()) == (True, False, False)
    now += timedelta(minutes=9)
    assert (hour.begins(), hour.begins(), hour.reminds()) == (True, False, False)
    assert hour.left_s() == 86_400
    assert hour.lately
    assert not DailyHour("21:00", lambda: now).lately
    assert not DailyHour("off").begins()


def game(left: bool, ended: int) -> GameRow:
    players = tuple(Sitter(name, name) for name in "abcd")
    absent = [[0, 1, 2] if left else [], [], [], []]
    return GameRow("g", "t", 1, b"", "x", "f", players, "finished", 0, ended, 4, {"absent": absent})


@pytest.mark.parametrize(
    ("left", "times"), [((0, 0, 0), 0), ((1, 0), 1), ((0, 1), 1), ((1, 1, 0), 2), ((1,) * 9, 9)]
)
def test_suspensions_grow_with_abandoned_games(left: tuple[int, ...], times: int) -> None:
    rows = [game(bool(rated), 0) for rated in left]
    wanted = LEFT_S[min(times, len(LEFT_S)) - 1] if times else 0
    assert held_for_s(rows, "a", 0) == wanted
    assert held_for_s(rows, "a", 1000) == max(0, wanted - 1)
    assert held_for_s(rows, "b", 0) == 0


def test_a_table_of_an_event_stage_is_not_ranked() -> None:
    row = TableRow("t", "", "a", "standard", "f", TableOptions(), stage=RANKED)
    assert row.ranked
    assert not TableRow(**{**vars(row), "event": "e"}).ranked
    filled = {**vars(row), "stage": FILLED}
    assert (TableRow(**filled).ranked, TableRow(**filled).matchmade) == (False, True)
    assert not TableRow(**{**filled, "event": "e"}).matchmade


@pytest.mark.slow
def test_a_player_who_never_moves_does_not_block_the_game(
    five: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock acts for the player, results are closed automatically, and the game is rated."""
    usual, stalling = Clocks.deadline, set[int]()

    def sooner(clocks: Clocks, seat: int) -> float | None:
        ends = usual(clocks, seat)
        if ends is None or (stalling and seat not in stalling):
            return ends
        part = 500 if stalling else 10  # this shortens the game, even before the seat is known
        return clocks.running[seat] + (ends - clocks.running[seat]) / part

    monkeypatch.setattr(Clocks, "deadline", sooner)
    table, lines = started_game(five[:4])
    view = next(message["view"] for message in reversed(lines[0].seen) if message["type"] == "sync")
    stalling.add(view["seat"])  # seats are drawn at the start of the game
    run_concurrently([line.finish for line in lines[1:]])
    info = five[1].get(f"/api/tables/{table}")
    assert info["status"] == "finished"
    assert None not in five[1].get(f"/api/ranked/games/{info['result']['record']}")["seats"]


@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_ranked_turn_is_too_short_for_stalling(line: RankedLine) -> None:
    clock = load(line.rules).clock
    assert RATED.clock
    assert (clock.turn_s <= 5, clock.bank_s <= 20, clock.claim_window_s <= 5) == (True, True, True)
    assert Pauses().result <= 15


# Attempts to abuse the queue with two accounts, many tabs or races


@pytest.mark.slow
def test_two_accounts_of_one_browser_are_not_called_together(five: list[Person]) -> None:
    """The second account in a browser waits until another player is available."""
    for person in five[:2]:
        person.http.cookies.delete(BROWSER)
        person.http.cookies.set(BROWSER, "one and the same")
    for person in five[:4]:
        wait(person)
    time.sleep(2.5)  # two rounds of matchmaking
    assert not any(called(person.get("/api/ranked")) for person in five[:4])
    wait(five[4])
    poll(five[4], called)
    assert [bool(called(person.get("/api/ranked"))) for person in five[:2]].count(True) == 1


@pytest.mark.slow
def test_simultaneous_tabs_give_one_seat(five: list[Person]) -> None:
    ends = time.monotonic() + 6

    def tab(number: int) -> set[str]:
        person, chance, met = five[number % 5], random.Random(number), set[str]()
        while time.monotonic() < ends:
            method, path = chance.choice((("PUT", ""), ("POST", "/here"), ("GET", "")))
            answer = person.send(
                method, f"/api/ranked{path}", **({"lines": [EAST]} if method == "PUT" else {})
            )
            assert answer.status_code < 500, answer.text
            met |= {table} if (table := answer.json().get("table")) else set()
        return met

    seats = run_concurrently([partial(tab, number) for number in range(15)])
    tables = [set[str]().union(*seats[number::5]) for number in range(5)]
    assert sorted(map(len, tables)) == [0, 1, 1, 1, 1]
    assert len(set[str]().union(*tables)) == 1


class AddressQueue:
    """People on a server that sees their addresses and allows two places in the queue per address."""

    def __init__(self, url: str, people: int) -> None:
        self.people = [Person(url, f"M{number}", PASSWORD) for number in range(people)]

    def ask(self, method: str, number: int, address: str) -> httpx.Response:
        body = {"lines": [EAST]} if method == "PUT" else None
        headers = {"x-forwarded-for": address}
        return self.people[number].http.request(method, "/api/ranked", json=body, headers=headers)

    def waits(self, number: int, address: str) -> bool:
        answer = self.ask("PUT", number, address)
        assert code_of(answer) in ("", "too_many_seats_there")
        return answer.is_success


@pytest.fixture
def address_queue(serve: Serve) -> AddressQueue:
    return AddressQueue(serve(limits=only_limits(waiting_of_address=2), public_url="http://parlour.test"), 6)


def test_an_address_has_limited_places_in_the_queue(address_queue: AddressQueue) -> None:
    """Changing addresses neither blocks places of the old address nor exceeds the limit of the new one."""
    club, home = "203.0.113.1", "198.51.100.1"
    places = [address_queue.waits(number, address) for address in (club, home) for number in (0, 1, 2)]
    assert places == [True, True, False, True, True, False]
    for number in (0, 1):
        address_queue.ask("DELETE", number, home)
    for _ in range(3):
        assert address_queue.waits(0, club)
        assert address_queue.waits(0, home)
        address_queue.ask("DELETE", 0, home)
    assert [address_queue.waits(number, club) for number in (1, 2, 3)] == [True, True, False]
    assert address_queue.waits(0, home)
    assert address_queue.waits(3, home)
    assert not address_queue.waits(1, home)  # this address has no place left, so the old place is kept
    assert address_queue.people[1].get("/api/ranked")["mine"] is not None
    assert [address_queue.waits(number, club) for number in (1, 4)] == [True, False]
