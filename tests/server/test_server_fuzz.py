"""Malformed, replayed, out-of-turn and foreign messages are refused and change nothing."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from server.parlour import Line, Message, Person, simplest

JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 3, 1e308, "", "5m", "9z", "\x00", "𝕏" * 40, [], {}, [[]], {"type": "act"},
    "pass", 2**80,
)  # fmt: skip
TYPES = ("hello", "act", "ready", "abort", "rematch", "why", "hints", "ping", "foul", "sync", "", "ACT")
TILES = ("1m", "0p", "5sr", "7z", "8z", "11m", "", "x")


def valid(chance: random.Random) -> Message:
    """A valid message that rarely answers the current question."""
    tile = chance.choice(TILES)
    action: Message = chance.choice(
        (
            {"type": "pass"},
            {"type": "ron"},
            {"type": "tsumo"},
            {"type": "nine_terminals"},
            {"type": "discard", "tile": tile, "drawn": chance.random() < 0.5},
            {"type": "discard", "tile": tile, "riichi": "open"},
            {"type": "chi", "tiles": chance.choice(("34m", "1z2z", ""))},
            {"type": "pon", "red": chance.randrange(3)},
            {"type": "kan", "kind": chance.choice(("ankan", "kakan", "daiminkan")), "tile": tile},
            {"type": "foul", "act": "win_shown"},
        )
    )
    number = str(chance.randrange(1 << 30))
    ask = chance.choice((0, 1, 2, 10**9, -5))
    return chance.choice(
        (
            {"type": "act", "id": number, "game": chance.choice((0, 1, 2)), "ask": ask, "action": action},
            {"type": "why", "id": number, "what": chance.choice(("ron", "kan", "riichi", action))},
            {"type": "hello", "version": 1},
            {"type": "rematch", "id": number, "agree": True},
        )
    )


def broken(chance: random.Random) -> str:
    """A message with something wrong in it, or no message at all."""
    message = valid(chance)
    kind = chance.randrange(6)
    if kind == 0:
        message[chance.choice([*message, "extra"])] = chance.choice(JUNK)
    elif kind == 1:
        message["type"] = chance.choice(TYPES)
    elif kind == 2:
        message.pop(chance.choice(list(message)))
    text = json.dumps(message)
    if kind == 3:
        index = chance.randrange(len(text))
        text = text[:index] + chance.choice(("", '"', "{", "\ud83d", "\x07", "9" * 30)) + text[index + 1 :]
    if kind == 4:
        text = chance.choice(("", "null", "[]", "[" * 1000, "{}", '"' * 9, "NaN", "ping"))
    return text.encode("utf-8", "replace").decode()


def fuzz(url: str, number: int) -> None:
    """Send so many from a seat, a spectator and another table; the game must not change."""
    chance = random.Random(number)
    people = [Person(url, name) for name in ("Seat", "Watcher", "Stranger", "Asked")]
    seat, watcher, stranger, asked = people
    table = asked.table(bots=2)
    seat.post(f"/api/tables/{table['id']}/join")
    other = stranger.table(bots=3)
    line = asked.socket(table["id"])
    lines = [seat.socket(table["id"]), watcher.socket(table["id"]), stranger.socket(other["id"])]
    asked.post(f"/api/tables/{table['id']}/start")
    own = line.asked()
    assert own is not None
    for each in (*lines, line):
        each.ask(type="ping")
    state = whole(asked, table)
    answers: dict[str, int] = {}
    for done in range(0, number, 50):
        for _ in range(50):
            chance.choice(lines).raw.send(broken(chance))
        for each in lines:
            count_answers(each, f"sync{done}", answers)
    after = whole(asked, table)
    assert after == state
    assert answers.pop("error") > number / 2
    assert {"sync", "update"}.isdisjoint(answers)
    for each in (*lines, line):
        each.close()


def whole(person: Person, table: Message) -> Message:
    """Everything a seat may know about the game."""
    line = person.socket(table["id"])
    sync = line.until("sync")
    line.close()
    return {key: sync[key] for key in ("game", "seq", "view", "events", "own")}


def count_answers(line: Line, name: str, answers: dict[str, int]) -> None:
    """Read until a ping comes back; every error has a code and a text."""
    line.send(type="ping", id=name)
    while True:
        message = line.next()
        if message["type"] == "pong" and message["id"] == name:
            return
        answers[message["type"]] = answers.get(message["type"], 0) + 1
        if message["type"] == "error":
            assert message["code"]
            assert message["message"]
        for event in message.get("events", ()):
            assert event["type"] != "drew" or "tile" not in event


def test_bad_messages_change_nothing(url: str) -> None:
    fuzz(url, 2000 if COMPILED else 200)


@pytest.mark.long
def test_a_hundred_thousand_bad_messages_change_nothing(url: str) -> None:
    fuzz(url, 100_000)


def replay_all(send: Callable[[str], None], sent: list[str]) -> None:
    """Send everything again."""
    for text in sent:
        send(text)


def whoever_is_asked(lines: list[Line]) -> Line:
    """Read until one of them is asked; the bots between may take a moment."""
    while True:
        for line in lines:
            line.ask(type="ping")
            if line.own and line.own["ask"] is not None:
                return line


@pytest.mark.slow
def test_repeated_messages_change_nothing_whoever_sends_them(url: str) -> None:
    """The same seat and another one resend a seat's messages."""
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    table = mina.table(bots=2)
    jun.post(f"/api/tables/{table['id']}/join")
    lines = [mina.socket(table["id"]), jun.socket(table["id"])]
    mina.post(f"/api/tables/{table['id']}/start")
    sent: list[str] = []
    for _ in range(6):
        line = whoever_is_asked(lines)
        assert line.own is not None
        message = {"type": "act", "id": f"r{len(sent)}", "game": 1, "ask": line.own["ask"]}
        text = json.dumps(message | {"action": simplest(line.own)})
        line.raw.send(text)
        line.until("ack")
        sent.append(text)
    whoever_is_asked(lines)  # the bots have done what they do
    before = [whole(person, table) for person in (mina, jun)]
    again = [mina.socket(table["id"]), jun.socket(table["id"])]
    for line in again:
        replay_all(line.raw.send, sent)
        line.ask(type="ping")
    assert [line.seq for line in again] == [view["seq"] for view in before]
    assert [whole(person, table) for person in (mina, jun)] == before
    for line in again:
        line.close()
