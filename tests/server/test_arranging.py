"""Before the game: who is ready, when it starts by itself, and seats that change hands."""

from pathlib import Path
from typing import Any

import pytest

from server.parlour import Line, Message, Person, hang_up, open_server, quick


def room(url: str, seats: int = 4, **options: Any) -> tuple[str, list[Person], list[Line]]:
    """People at a table that has not begun."""
    people = [Person(url, name) for name in ("Ann", "Ben", "Cho", "Dai")[:seats]]
    table = people[0].table(options=options)["id"]
    for person in people[1:]:
        person.post(f"/api/tables/{table}/join")
    return table, people, [person.socket(table) for person in people]


def ready(line: Line, on: bool = True) -> Message:
    return line.ask(type="ready", on=on)


def seats_of(person: Person, table: str) -> list[Message]:
    seats: list[Message] = person.get(f"/api/tables/{table}")["seats"]
    return seats


def names(person: Person, table: str) -> list[str]:
    return [seat["name"] if seat else "" for seat in seats_of(person, table)]


def test_the_game_starts_when_everybody_is_ready(url: str) -> None:
    table, people, lines = room(url)
    for line in lines[:3]:
        assert ready(line)["type"] == "ack"
    ready(lines[0], on=False)
    ready(lines[3])
    shown = people[0].get(f"/api/tables/{table}")
    assert ([seat["ready"] for seat in shown["seats"]], shown["status"]) == (
        [False, True, True, True],
        "waiting",
    )
    ready(lines[0])
    assert people[0].get(f"/api/tables/{table}")["status"] == "playing"
    assert not any(seat["ready"] for seat in seats_of(people[0], table))
    assert lines[1].ask(type="swap", seat=0)["code"] == "already_started"
    hang_up(lines)


def test_whoever_is_gone_is_not_ready_and_free_seats_wait_for_the_host(url: str) -> None:
    table, people, lines = room(url, 3)
    for line in lines:
        ready(line)
    assert people[0].get(f"/api/tables/{table}")["status"] == "waiting"  # a seat is free
    lines[2].raw.close()
    lines[0].until("table", lambda message: not message["table"]["seats"][2]["ready"])
    people[0].post(f"/api/tables/{table}/bots")
    assert people[0].get(f"/api/tables/{table}")["status"] == "waiting"
    lines[2] = people[2].socket(table)
    ready(lines[2])
    assert people[0].get(f"/api/tables/{table}")["status"] == "playing"
    hang_up(lines)


def test_the_last_bot_starts_a_game_for_which_all_are_ready(url: str) -> None:
    table, people, lines = room(url, 3)
    for line in lines:
        ready(line)
    assert people[0].post(f"/api/tables/{table}/bots", level="gentle")["status"] == "playing"
    hang_up(lines)


def test_two_who_agree_swap_their_seats(url: str) -> None:
    table, people, lines = room(url, 3)
    ready(lines[2])
    assert lines[1].ask(type="swap", seat=2)["type"] == "ack"
    assert [seat and seat["wants_seat"] for seat in seats_of(people[0], table)] == [None, 2, None, None]
    lines[2].ask(type="swap", seat=1, agree=False)
    assert seats_of(people[0], table)[1]["wants_seat"] is None
    lines[1].ask(type="swap", seat=2)
    lines[0].ask(type="swap", seat=1)  # another wish stays open, until that player moves
    lines[2].ask(type="swap", seat=1)
    assert names(people[0], table) == ["Ann", "Cho", "Ben", ""]
    shown = [seat for seat in seats_of(people[0], table) if seat]
    assert [(seat["wants_seat"], seat["ready"]) for seat in shown] == [(None, False)] * 3
    welcome = lines[1].until("welcome")
    assert welcome["seat"] == 2
    assert ready(lines[1])["type"] == "ack"
    assert [seat["ready"] for seat in seats_of(people[0], table) if seat] == [False, False, True]
    hang_up(lines)


def test_a_bot_swaps_at_once_and_a_free_seat_has_nobody_to_ask(url: str) -> None:
    table, people, lines = room(url, 2)
    people[0].post(f"/api/tables/{table}/bots", seat=3)
    lines[1].send(type="swap", id="s", seat=3)
    assert lines[1].until("welcome")["seat"] == 3
    assert names(people[0], table)[3] == "Ben"
    for seat, code in ((2, "no_swap"), (0, "no_swap")):
        assert lines[0].ask(type="swap", seat=seat)["code"] == code
    lines[0].send(type="swap", id="t", seat=7)
    assert lines[0].until("error")["code"] == "bad_message"
    hang_up(lines)


def test_who_plays_with_bots_alone_chooses_their_pace_at_any_time(url: str) -> None:
    table, people, lines = room(url, 2, pace="slow")
    assert people[0].get(f"/api/tables/{table}")["options"]["pace"] == "slow"
    assert lines[0].ask(type="pace", pace="quick")["code"] == "not_alone"
    people[1].post(f"/api/tables/{table}/leave")
    people[0].post(f"/api/tables/{table}/start")
    for pace in ("quick", "usual"):
        assert lines[0].ask(type="pace", pace=pace)["type"] == "ack"
        assert people[0].get(f"/api/tables/{table}")["options"]["pace"] == pace
    lines[0].send(type="pace", id="f", pace="fastest")
    assert lines[0].until("error")["code"] == "bad_message"
    hang_up(lines)


def test_who_has_left_a_game_may_return_so_its_pace_stays(url: str) -> None:
    table, people, lines = room(url, 2)
    people[0].post(f"/api/tables/{table}/start")
    people[1].post(f"/api/tables/{table}/leave")
    assert lines[0].ask(type="pace", pace="quick")["code"] == "not_alone"
    hang_up(lines)


def test_the_pace_outlives_a_restart(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        ann = Person(url, "Ann")
        table = ann.table(bots=3)["id"]
        line = ann.socket(table)
        assert line.ask(type="pace", pace="quick")["type"] == "ack"
        line.close()
    with open_server(quick(tmp_path)) as url:
        again = Person(url)
        again.http.cookies = ann.http.cookies
        assert again.get(f"/api/tables/{table}")["options"]["pace"] == "quick"
        again.close()


@pytest.mark.parametrize("mover", ["guest", "host"])
@pytest.mark.parametrize("how", ["move", "leave", "swap"])
def test_a_seat_that_changes_hands_takes_nobody_elses_socket(url: str, mover: str, how: str) -> None:
    table, people, lines = room(url, 3)
    index = 0 if mover == "host" else 1
    other = 2
    if how == "move":
        people[index].post(f"/api/tables/{table}/join", seat=3)
        people[other].post(f"/api/tables/{table}/join", seat=index)
        people[index].post(f"/api/tables/{table}/join", seat=other)  # and the other way round
    elif how == "leave":
        people[index].post(f"/api/tables/{table}/leave")
        people[other].post(f"/api/tables/{table}/join", seat=index)
        people[index].post(f"/api/tables/{table}/join", seat=other)
    else:
        lines[index].ask(type="swap", seat=other)
        lines[other].ask(type="swap", seat=index)
    for line, seat in ((lines[index], other), (lines[other], index)):
        assert ready(line)["type"] == "ack"  # both are connected, each to their own seat
        assert [message["seat"] for message in line.seen if message["type"] == "welcome"][-1] == seat
    shown = [info and (info["name"], info["connected"], info["ready"]) for info in seats_of(people[0], table)]
    called = ("Ann", "Ben", "Cho")
    assert [shown[index], shown[other], shown[3]] == [
        (called[other], True, True),
        (called[index], True, True),
        None,
    ]
    lines[index].raw.close()
    lines[other].until("table", lambda message: not message["table"]["seats"][other]["connected"])
    assert [info and info["connected"] for info in seats_of(people[0], table)].count(True) == 2
    hang_up([line for at, line in enumerate(lines) if at != index])
