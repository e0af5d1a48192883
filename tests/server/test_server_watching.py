"""Who may watch a table without a seat, and what others are told about absent players."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from jantaku.server.pauses import NO_PAUSES
from server.parlour import Line, Person, close_code, hang_up, open_server, quick, seated, simplest

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
    hang_up([seat])


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
    hang_up([*lines, back])


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
        hang_up(lines)


@pytest.mark.slow
def test_an_absence_is_announced_before_the_seat_is_asked(tmp_path: Path) -> None:
    """Otherwise the message would reveal that the seat has just been asked about a discard."""
    with open_server(quick(tmp_path, grace_s=0.1)) as url, ExitStack() as stack:
        four = [stack.enter_context(closing(Person(url, name))) for name in "ABCD"]
        _, lines = seated(four)
        lines[0].asked()  # and does nothing, so seat 2 is not asked anything
        lines[2].close()
        lines[1].until("table", lambda message: message["table"]["seats"][2]["away"])
        hang_up(lines)


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
    hang_up([watcher, player])


@pytest.mark.slow
def test_a_game_is_no_sooner_shown_because_the_table_plays_on_or_the_server_starts_anew(
    tmp_path: Path,
) -> None:
    settings = quick(tmp_path)
    with open_server(settings) as url, closing(Person(url, "A")) as one, closing(Person(url, "B")) as other:
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
        hang_up([*lines, watcher])
