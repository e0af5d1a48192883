"""Ranked play: people are brought together, come or do not, play, and rise; and what is tried against it."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

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
    Summons,
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
from server.parlour import LOOSE, Line, Message, Person, open_server, quick
from server.test_tables import play_to_the_end

EAST = {"family": "standard", "length": "east", "players": 4}
THREE = {"family": "standard", "length": "east", "players": 3}
NAMES = ("Mina", "Jun", "Kaito", "Seo", "Ada")
PASSWORD = "a long password"


def member(url: str, name: str) -> Person:
    person = Person(url)
    person.id = person.post("/api/register", name=name, password=PASSWORD, language="en")["id"]
    return person


@pytest.fixture
def five(tmp_path: Path) -> Iterator[list[Person]]:
    with open_server(quick(tmp_path)) as url:
        members = [member(url, name) for name in NAMES]
        yield members


def wait(person: Person, *lines: Message, **more: Any) -> Message:
    answer = person.http.put("/api/ranked", json={"lines": lines or [EAST], **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(person: Person, method: str, path: str, body: Any = None) -> str:
    answer = person.http.request(method, path, json=body)
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["error"]["code"])


def until(person: Person, done: Callable[[Message], Any]) -> Message:
    """Look as the page does, until something is so."""
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        page: Message = person.get("/api/ranked")
        if done(page):
            return page
        time.sleep(0.02)
    raise AssertionError(page)


def called(page: Message) -> Any:
    return page["mine"] and page["mine"]["called"]


def seated(four: list[Person], *lines: Message) -> str:
    """Everybody waits, is called, comes, and has a table; its id."""
    for person in four:
        wait(person, *lines)
    for person in four:
        until(person, called)
        person.post("/api/ranked/here")
    return str(until(four[0], lambda page: page["table"])["table"])


def begun(four: list[Person], *lines: Message) -> tuple[str, list[Line]]:
    table = seated(four, *lines)
    sockets = [person.socket(table) for person in four]
    for line in sockets:
        line.until("sync")
    return table, sockets


@pytest.mark.slow
def test_four_who_wait_are_called_come_and_play_a_rated_game(five: list[Person]) -> None:
    wait(five[0], EAST, THREE)
    page = until(five[4], lambda page: page["people"])
    assert [(person["name"], person["steps"]) for person in page["people"]] == [("Mina", [0, 0])]
    assert [line["waiting"] for line in page["lines"]].count(1) == 2
    table, _lines = begun(five[:4])
    info = five[0].get(f"/api/tables/{table}")
    assert (info["status"], info["stage"], info["event"]) == ("playing", RANKED, None)
    assert (info["options"]["rated"], info["rules"]["length"]) == (True, "east")
    assert {seat["name"] for seat in info["seats"]} == {*NAMES[:4]}
    assert five[4].get("/api/ranked")["people"] == []


@pytest.mark.slow
def test_bots_fill_the_table_after_the_time_that_one_chose_and_nothing_is_rated(five: list[Person]) -> None:
    wait(five[0], bots_after_s=0)
    assert called(until(five[0], called))["rated"] is False
    five[0].post("/api/ranked/here")
    info = five[0].get(f"/api/tables/{until(five[0], lambda page: page['table'])['table']}")
    assert (info["options"]["rated"], info["stage"], info["status"]) == (False, FILLED, "playing")
    assert sum(seat["bot"] is not None for seat in info["seats"]) == 3


@pytest.mark.slow
def test_a_table_of_an_older_process_that_stores_no_stage_is_shown(
    five: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.server.ranked.queue.FILLED", None)
    wait(five[0], bots_after_s=0)
    until(five[0], called)
    five[0].post("/api/ranked/here")
    table = until(five[0], lambda page: page["table"])["table"]
    assert five[0].get(f"/api/tables/{table}")["stage"] is None
    refused = five[0].http.put("/api/ranked", json={"lines": [EAST]})
    assert refused.json()["error"]["code"] == "ranked_playing"


@pytest.mark.slow
def test_whoever_does_not_come_waits_and_the_others_are_called_again(five: list[Person]) -> None:
    for person in five[:4]:
        wait(person)
    for person in five[:3]:
        until(person, called)
        person.post("/api/ranked/here")
    until(five[3], called)
    five[3].http.request("DELETE", "/api/ranked", json={})  # closes the page in their faces
    assert five[3].get("/api/ranked")["held_s"] > 0
    assert refused(five[3], "PUT", "/api/ranked", {"lines": [EAST]}) == "ranked_held"
    before = until(five[0], lambda page: not called(page))
    assert before["mine"] is not None
    assert before["held_s"] == 0
    wait(five[4])
    for person in [*five[:3], five[4]]:
        until(person, called)
        person.post("/api/ranked/here")
    until(five[4], lambda page: page["table"])


@pytest.mark.slow
def test_who_is_there_and_never_answers_holds_a_call_once(
    five: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program whose page stays open leaves the queue, and waits longer after each call."""
    monkeypatch.setattr("jantaku.server.ranked.entries.HERE_S", 1.0)
    silent, *others = five
    for person in (silent, *others[:3]):
        wait(person)
    for person in others[:3]:
        until(person, called)
        person.post("/api/ranked/here")
    ends = time.monotonic() + 10
    while silent.get("/api/ranked")["mine"] is not None:
        assert time.monotonic() < ends
        time.sleep(0.05)
    assert silent.get("/api/ranked")["held_s"] > 50
    assert refused(silent, "PUT", "/api/ranked", {"lines": [EAST]}) == "ranked_held"
    wait(others[3])
    for person in others:
        until(person, called)
        person.post("/api/ranked/here")
    assert until(others[0], lambda page: page["table"])["table"]


@pytest.mark.slow
@pytest.mark.parametrize("absent", [{"away": True}, {"hidden": True}])
def test_ghosts_hold_nobody_who_is_there(five: list[Person], absent: dict[str, Any]) -> None:
    """Whoever is away is called when nobody else will do, and waits on as soon as another is there."""
    ghost, *present = five
    wait(ghost, **{name: on for name, on in absent.items() if name == "away"})
    ghost.get("/api/ranked", **({"hidden": "true"} if "hidden" in absent else {}))
    for person in present[:3]:
        wait(person)
    until(present[0], called)  # with the ghost: they may have to wait a minute
    wait(present[3])
    ends = time.monotonic() + 10
    while not all(called(person.get("/api/ranked")) for person in present):
        assert time.monotonic() < ends
        time.sleep(0.05)
    for person in present:
        person.post("/api/ranked/here")
    assert until(present[0], lambda page: page["table"])["table"]
    page = ghost.get("/api/ranked", **({"hidden": "true"} if "hidden" in absent else {}))
    assert page["mine"] is not None
    assert page["held_s"] == 0
    assert page["mine"]["called"] is None


def test_one_address_has_few_places_in_the_queue(tmp_path: Path) -> None:
    limits = replace(LOOSE, waiting_of_address=2)
    with open_server(quick(tmp_path, limits=limits, public_url="http://parlour.test")) as url:
        members = [member(url, f"M{number}") for number in range(12)]
        codes = []
        for number, person in enumerate(members):
            person.http.headers["x-forwarded-for"] = f"203.0.113.{1 + number // 3}"
            answer = person.http.put("/api/ranked", json={"lines": [EAST]})
            codes.append("" if answer.is_success else answer.json()["error"]["code"])
        few = "too_many_seats_there"
        assert codes == ["", "", few] * 4
        members[0].http.delete("/api/ranked")
        members[2].http.put("/api/ranked", json={"lines": [EAST]}).raise_for_status()


def test_whoever_hides_their_presence_waits_without_a_name(five: list[Person]) -> None:
    mina, jun, kaito, *_ = five

    def names() -> set[str]:
        page = kaito.get("/api/ranked")
        assert page["lines"][0]["waiting"] == 2
        return {person["name"] for person in page["people"]}

    mina.http.put("/api/friends/presence", json={"on": False}).raise_for_status()
    wait(mina)
    wait(jun)
    assert names() == {"Jun"}
    jun.http.put("/api/friends/presence", json={"on": False}).raise_for_status()
    mina.http.put("/api/friends/presence", json={"on": True}).raise_for_status()
    assert names() == {"Mina"}


def test_whoever_is_erased_gets_no_seat(five: list[Person]) -> None:
    for player in five[:4]:
        wait(player)
    until(five[0], called)
    five[0].post("/api/ranked/here")
    body = {"password": PASSWORD}
    five[0].post("/api/me/erase", confirm=five[0].post("/api/me/erase", **body)["confirm"], **body)
    for player in five[1:4]:
        assert not called(player.get("/api/ranked"))
    assert {person["name"] for person in five[4].get("/api/ranked")["people"]} == {*NAMES[1:4]}


@pytest.mark.slow
def test_nothing_at_such_a_table_is_up_to_its_players(five: list[Person]) -> None:
    """Whoever sees against whom they play cannot get out, have bots or friends in, or play again alone."""
    table = seated(five[:4])
    info = five[0].get(f"/api/tables/{table}")
    owner = next(person for person in five if person.id == info["owner"])
    other = next(person for person in five[:4] if person is not owner)
    path = f"/api/tables/{table}"
    for method, end, body in (
        ("POST", "/leave", None),
        ("POST", "/start", None),
        ("POST", "/bots", {}),
        ("DELETE", "/bots/0", None),
        ("DELETE", f"/people/{other.id}", None),
        ("DELETE", "", None),
    ):
        assert refused(owner, method, path + end, body) == "ranked_table"
    assert refused(five[4], "POST", f"{path}/join", {}) == "no_free_seat"
    lines = [person.socket(table) for person in five[:4]]
    for line in lines:
        line.until("sync")
        assert line.ask(type="abort", agree=True)["code"] == "ranked_table"
    assert refused(owner, "PUT", "/api/ranked", {"lines": [EAST]}) == "ranked_playing"
    owner.post(f"{path}/leave")  # in the game one may, and it goes on without them
    assert refused(owner, "PUT", "/api/ranked", {"lines": [EAST]}) == "ranked_playing"


@pytest.mark.slow
def test_whoever_leaves_in_the_first_hand_does_not_escape_the_loss(tmp_path: Path) -> None:
    """They have made no move of their own; yet the game is rated for all, and they wait before the next."""
    with open_server(quick(tmp_path, grace_s=0.0)) as url:
        four = [member(url, name) for name in NAMES[:4]]
        table, lines = begun(four)
        four[0].post(f"/api/tables/{table}/leave")
        lines[0].close()
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(play_to_the_end, lines[1:]))
        info = four[1].get(f"/api/tables/{table}")
        seat = [row["person"] for row in info["seats"]].index(four[0].id)
        game = info["result"]["record"]
        absent = four[1].get(f"/api/games/{game}")["players"][seat]["absent"]
        steps = four[1].get(f"/api/ranked/games/{game}")["seats"]
        assert len(absent) == four[1].get(f"/api/games/{game}")["hands"]
        assert all(steps)
        rises = [step["after"] + step["part_after"] for step in steps]
        assert rises[info["result"]["places"].index(1)] == max(rises) > 0
        assert four[0].get("/api/ranked")["held_s"] > LEFT_S[0] - 60
        assert four[1].get("/api/ranked")["held_s"] == 0
        assert lines[1].ask(type="rematch", agree=True)["code"] == "ranked_table"
        with closing(member(url, "Ada")) as stranger:
            assert refused(stranger, "GET", f"/api/ranked/games/{game}") == "no_game"


@pytest.mark.slow
def test_many_tabs_and_many_wishes_are_one_person(five: list[Person]) -> None:
    for _ in range(4):
        wait(five[0], EAST, THREE)
    waited = five[0].get("/api/ranked")["mine"]
    assert five[1].get("/api/ranked")["people"][0]["person"] == five[0].id
    assert len(five[1].get("/api/ranked")["people"]) == 1
    assert not called({"mine": waited})
    for person in five[1:4]:
        wait(person)
    until(five[0], called)
    wait(five[0], THREE)  # another tab, after the call
    for person in five[:4]:
        person.post("/api/ranked/here")
        person.http.post("/api/ranked/here", json={})
    table = until(five[0], lambda page: page["table"])["table"]
    assert [row["id"] for row in five[0].get("/api/tables")["mine"]] == [table]


@pytest.mark.slow
def test_guests_and_strangers_do_not_wait(five: list[Person]) -> None:
    guest = Person(five[0].url, "Guest")
    nobody = Person(five[0].url)
    assert refused(guest, "PUT", "/api/ranked", {"lines": [EAST]}) == "account_needed"
    assert guest.get("/api/ranked")["account"] is False
    assert refused(nobody, "GET", "/api/ranked") == "sign_in"
    assert refused(guest, "POST", "/api/ranked/here", {}) == "ranked_gone"


def waiter(person: str, rating: float, waited: float = 0, *marks: str) -> Waiter:
    return Waiter(person, rating, waited, frozenset(marks))


def test_people_of_like_rating_play_together_and_patience_has_an_end() -> None:
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


def test_two_accounts_of_one_person_never_meet() -> None:
    """They share an address or a browser, however long they wait; nor does anybody meet whom they block."""
    patient = [waiter(name, 25, PATIENCE_S) for name in "ab"]
    for mark in ("198.51.100.7", "browser"):
        twins = [waiter(name, 25, PATIENCE_S, mark) for name in "cd"]
        assert tables_of([*patient, *twins], 4) == []
        assert len(tables_of([*patient, *twins, waiter("e", 25)], 4)) == 1
    blocked = [waiter("c", 25, PATIENCE_S, "d"), waiter("d", 25, PATIENCE_S)]
    assert tables_of([*patient, *blocked], 4) == []


@pytest.mark.parametrize("count", range(14))
def test_everybody_plays_at_the_daily_hour(count: int) -> None:
    tables = gathered([waiter(str(i), i) for i in range(count)])
    assert sum(map(len, tables)) == count
    assert sum(len(table) < 3 for table in tables) == (count in (1, 2, 5))


def entry(person: str, address: str = "127.0.0.1", browser: str = "", **more: Any) -> Entry:
    who = Visitor(PersonRow(person, person, person, "player", "en"), address, browser)
    return Entry(who, "en", frozenset(LINES), **more)


def test_marks_are_the_address_the_browser_and_whom_one_blocks() -> None:
    assert entry("a").marks == frozenset()
    assert entry("a", "198.51.100.7", "b", blocked=frozenset({"x"})).marks == {"198.51.100.7", "b", "x"}


def test_a_page_that_is_closed_does_not_wait() -> None:
    one, away, daily = entry("a"), entry("b", away=True), entry("c", away=True, daily=True)
    for seconds, stale in ((SEEN_S - 1, []), (SEEN_S + 1, [one]), (AWAY_S + 1, [one, away])):
        assert [who for who in (one, away, daily) if who.stale(who.seen + seconds)] == stale
    line = RankedLine("standard", "east", 4)
    assert [who.quiet(who.seen + QUIET_S + 1) for who in (one, away, daily)] == [True, False, False]
    assert Summons.of(line, [one], 0).until == HERE_S
    assert Summons.of(line, [one, away], 0).until == HERE_AWAY_S
    one.hidden = True
    assert Summons.of(line, [one], 0).until == HERE_AWAY_S
    assert not one.quiet(one.seen + QUIET_S + 1)


def test_the_daily_hour_comes_once_a_day() -> None:
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
def test_whoever_leaves_games_waits_longer_each_time(left: tuple[int, ...], times: int) -> None:
    rows = [game(bool(rated), 0) for rated in left]
    wanted = LEFT_S[min(times, len(LEFT_S)) - 1] if times else 0
    assert held_for_s(rows, "a", 0) == wanted
    assert held_for_s(rows, "a", 1000) == max(0, wanted - 1)
    assert held_for_s(rows, "b", 0) == 0


def test_a_stage_of_an_event_is_no_ranked_table() -> None:
    row = TableRow("t", "", "a", "standard", "f", TableOptions(), stage=RANKED)
    assert row.ranked
    assert not TableRow(**{**vars(row), "event": "e"}).ranked
    filled = {**vars(row), "stage": FILLED}
    assert (TableRow(**filled).ranked, TableRow(**filled).brought) == (False, True)
    assert not TableRow(**{**filled, "event": "e"}).brought


@pytest.mark.slow
def test_whoever_never_moves_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock discards and passes for them, and the result of a hand goes by itself; the game is rated."""
    usual, stalling = Clocks.ends, set[int]()

    def sooner(clocks: Clocks, seat: int) -> float | None:
        ends = usual(clocks, seat)
        if ends is None or (stalling and seat not in stalling):
            return ends
        part = 500 if stalling else 10  # so that the test is short, from before the seat is known on
        return clocks.asked[seat] + (ends - clocks.asked[seat]) / part

    monkeypatch.setattr(Clocks, "ends", sooner)
    with open_server(quick(tmp_path)) as url:
        four = [member(url, name) for name in NAMES[:4]]
        table, lines = begun(four)
        view = next(message["view"] for message in reversed(lines[0].seen) if message["type"] == "sync")
        stalling.add(view["seat"])  # drawn when the game began
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(play_to_the_end, lines[1:]))
        info = four[1].get(f"/api/tables/{table}")
        assert info["status"] == "finished"
        steps = four[1].get(f"/api/ranked/games/{info['result']['record']}")["seats"]
        assert None not in steps


@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_turn_is_short_for_whoever_wants_to_stall(line: RankedLine) -> None:
    clock = load(line.rules).clock
    assert RATED.clock
    assert clock.turn_s <= 5
    assert clock.bank_s <= 20
    assert clock.claim_window_s <= 5
    assert Pauses().result <= 15


# What is tried against the queue of ranked play at a real server: two accounts, many tabs, haste


__all__ = ["five"]  # the fixture
Asks = tuple[tuple[str, str, Any], ...]


@pytest.mark.slow
def test_two_accounts_of_one_browser_are_not_called_together(five: list[Person]) -> None:
    """Signed in twice with one browser's mark, one waits until there is somebody else."""
    for person in five[:2]:
        person.http.cookies.delete(BROWSER)
        person.http.cookies.set(BROWSER, "one and the same")
    for person in five[:4]:
        wait(person)
    time.sleep(2.5)  # two rounds of the queue
    assert not any(called(somebody.get("/api/ranked")) for somebody in five[:4])
    wait(five[4])
    until(five[4], called)
    assert [bool(called(somebody.get("/api/ranked"))) for somebody in five[:2]].count(True) == 1


@pytest.mark.slow
def test_tabs_that_wait_and_come_all_at_once_give_one_seat(five: list[Person]) -> None:
    ends = time.monotonic() + 6

    def tab(number: int) -> set[str]:
        person, chance, met = five[number % 5], random.Random(number), set[str]()
        asks: Asks = (("PUT", "", {"lines": [EAST]}), ("POST", "/here", {}), ("GET", "", None))
        while time.monotonic() < ends:
            method, path, body = chance.choice(asks)
            answer = person.http.request(method, f"/api/ranked{path}", json=body)
            assert answer.status_code < 500, answer.text
            page = answer.json()
            met |= {page["table"]} if page.get("table") else set()
        return met

    with ThreadPoolExecutor(15) as pool:
        seats = list(pool.map(tab, range(15)))
    tables = [set[str]().union(*seats[number::5]) for number in range(5)]
    assert sorted(map(len, tables)) == [0, 1, 1, 1, 1]
    assert len(set[str]().union(*tables)) == 1


def test_who_goes_on_waiting_from_elsewhere_takes_a_place_there_and_none_where_they_were(
    tmp_path: Path,
) -> None:
    """Going to and fro fills no place of an address for good, and passes its limit neither."""
    limits = replace(LOOSE, waiting_of_address=2)
    settings = quick(tmp_path, limits=limits, public_url="http://parlour.test")
    with open_server(settings) as url, ExitStack() as stack:
        people = [stack.enter_context(closing(member(url, f"M{number}"))) for number in range(5)]

        def waits(number: int, address: str) -> bool:
            headers = {"x-forwarded-for": address}
            http = people[number].http
            return http.put("/api/ranked", json={"lines": [EAST]}, headers=headers).is_success

        def leaves(number: int, address: str) -> None:
            http = people[number].http
            http.delete("/api/ranked", headers={"x-forwarded-for": address}).raise_for_status()

        club, home = "203.0.113.1", "198.51.100.1"
        for _ in range(3):
            assert waits(0, club)
            assert waits(0, home)
            leaves(0, home)
        assert [waits(number, club) for number in (1, 2, 3)] == [True, True, False]
        assert waits(0, home)
        assert waits(3, home)
        assert not waits(1, home)  # there is no place for one more, who keeps their own
        assert people[1].get("/api/ranked")["mine"] is not None
        assert [waits(number, club) for number in (1, 4)] == [True, False]
