"""Stamps and texts at a table: who hears them, who may write, muting, and how many."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.server.limits import Limits
from server.parlour import Line, Message, Person, hang_up, open_server, quick


def room(url: str, **options: Any) -> tuple[str, list[Person], list[Line]]:
    """Three people at a table that has not begun, and one who only watches."""
    people = [Person(url, name) for name in ("Ann", "Ben", "Cho", "Dai")]
    table = people[0].table(options=options)["id"]
    for person in people[1:3]:
        person.post(f"/api/tables/{table}/join")
    return table, people, [person.socket(table) for person in people]


def heard(line: Line) -> list[Message]:
    """What a socket has been told by now."""
    messages = []
    line.send(type="ping", id="p")
    while (message := line.next())["type"] != "pong":
        if message["type"] == "said":
            messages.append(message)
    return messages


def test_a_stamp_reaches_everybody_in_the_room_but_those_who_muted(url: str) -> None:
    _, people, lines = room(url)
    me = people[1].id
    assert lines[2].ask(type="mute", id="m", person=me, on=True)["type"] == "ack"
    assert lines[1].ask(type="say", id="s", stamp="hello")["type"] in ("ack", "said")
    said = {"type": "said", "seat": 1, "stamp": "hello", "text": None}
    assert [heard(line) for line in (lines[0], lines[2], lines[3])] == [[said], [], [said]]
    lines[2].ask(type="mute", id="m2", person=me, on=False)
    lines[1].ask(type="say", id="s2", stamp="nice")
    assert [saying["stamp"] for saying in heard(lines[2])] == ["nice"]
    hang_up(lines)


def test_only_players_speak_and_only_players_are_muted(url: str) -> None:
    _, people, lines = room(url)
    watcher = lines[3]
    assert watcher.ask(type="say", id="s", stamp="hello")["code"] == "not_seated"
    assert watcher.ask(type="mute", id="m", person=people[0].id, on=True)["code"] == "not_seated"
    assert lines[0].ask(type="mute", id="m", person=people[3].id, on=True)["code"] == "no_person"
    assert lines[0].ask(type="mute", id="m", person=people[0].id, on=True)["code"] == "not_yourself"
    lines[0].send(type="say", id="s", stamp="rude")
    assert lines[0].until("error")["code"] == "bad_message"
    assert lines[0].ask(type="say", id="s")["code"] == "bad_message"
    hang_up(lines)


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "no_chat"), ({"chat": True}, "no_chat"), ({"private": True}, "no_chat")],
)
def test_strangers_write_no_texts(url: str, options: dict[str, Any], code: str) -> None:
    _, _, lines = room(url, **options)
    assert lines[0].ask(type="say", id="t", text="hi")["code"] == code
    hang_up(lines)


def test_texts_are_written_at_private_tables_whose_host_wishes_them(url: str) -> None:
    _, _, lines = room(url, private=True, chat=True)
    lines[0].ask(type="say", id="t", text="안녕 ㅋㅋ")
    assert [saying["text"] for saying in heard(lines[1])] == ["안녕 ㅋㅋ"]
    for bad, code in (("\u200b", "bad_text"), ("a\u202eb", "bad_text"), ("x" * 81, "bad_message")):
        lines[0].send(type="say", id="b", text=bad)
        assert lines[0].until("error")["code"] == code
    assert lines[0].ask(type="say", id="2", text="a", stamp="nice")["code"] == "bad_message"
    hang_up(lines)


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[str]:
    settings = quick(tmp_path)
    limits = dataclasses.replace(settings.limits, sayings_per_s=0.001, saying_burst=Limits().saying_burst)
    with open_server(dataclasses.replace(settings, limits=limits)) as url:
        yield url


def test_nobody_says_more_than_a_few_things_at_once(strict: str) -> None:
    _, _, lines = room(strict)
    for i in range(10):
        lines[0].ask(type="say", id=f"s{i}", stamp="wow")
    assert len(heard(lines[1])) <= Limits().saying_burst
    hang_up(lines)


def test_a_game_of_another_length_and_a_seat_anywhere(url: str) -> None:
    ann, ben, cho = (Person(url, name) for name in ("Ann", "Ben", "Cho"))
    opened = ann.post("/api/tables", length="east", rules="tenhou")
    assert (opened["rules"]["length"], opened["rules"]["name"]) == ("east", "Tenhou · East only")
    assert opened["rules"]["id"] == opened["rules"]["fingerprint"]
    ann.post("/api/tables", options={"private": True}, length="east")
    table = ben.post("/api/tables/anywhere", length="east")
    assert (table["id"], sum(seat is not None for seat in table["seats"])) == (opened["id"], 2)
    other = cho.post("/api/tables/anywhere", length="hanchan", rules="ema")
    assert (other["owner"], other["rules"]["id"]) == (cho.id, "ema")
    three = ann.post("/api/tables/anywhere", players=3)
    assert (three["rules"]["id"], three["rules"]["man"], len(three["seats"])) == ("standard-3", "one_nine", 3)
    assert ben.post("/api/tables/anywhere", players=3)["id"] == three["id"]


def test_a_removed_person_is_seated_elsewhere(url: str) -> None:
    ann, ben = (Person(url, name) for name in ("Ann", "Ben"))
    table = ann.post("/api/tables", length="hanchan", rules="wrc")
    ben.post(f"/api/tables/{table['id']}/join")
    answer = ann.http.delete(f"/api/tables/{table['id']}/people/{ben.id}")
    assert answer.status_code == 200
    assert ben.post("/api/tables/anywhere", rules="wrc")["id"] != table["id"]
