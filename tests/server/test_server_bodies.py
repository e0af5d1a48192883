"""Mutated bodies and uploads never cause a server error."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import scale
from jantaku.game import Game
from jantaku.records import formats
from naive.generate import random_wins
from server.parlour import Person
from support.mjlog_writer import written

Body = Any
ODD_JSON = (
    "null", "true", "0", "-1", "1e400", "NaN", "Infinity", "-Infinity", "1" * 5000, "9" * 40, '""',
    '"\\ud800"',     '"\\udc00x"', '"\\u0000"', "[]", "{}", "[[]]", '{"":0}', '{"\\ud800":1}', '"tenhou"',
    '{"extends":"tenhou"}',
    "[" * 300 + "]" * 300, '"' + "1m" * 3000 + '"', '"⟦1m⟧{0}"', '["1m"]', "1.5", '"east"', '"left"', "65536",
)  # fmt: skip
FIELDS = (
    "rules", "id", "hand", "melds", "win", "by", "from", "round", "seat", "riichi", "ippatsu", "dora", "ura",
    "honba", "deposits", "dealer_streak", "pao", "seen", "type", "tiles", "called", "toml", "name",
    "x", "\\ud83d",
)  # fmt: skip
PATHS = ("/api/score", "/api/explain", "/api/waits", "/api/discards", "/api/shanten")
OTHERS = (
    "/api/rules/check",
    "/api/rules",
    "/api/tables",
    "/api/guest",
    "/api/login",
    "/api/register",
    "/api/me",
)


def mutated(chance: random.Random, body: dict[str, Body]) -> bytes:
    """A body with some of its values, keys or characters changed."""
    body = json.loads(json.dumps(body))
    for mark in range(chance.randrange(1, 4)):
        places: list[dict[str, Body]] = [
            body,
            *(meld for meld in body.get("melds", ()) if isinstance(meld, dict)),
        ]
        spot = chance.choice(places)
        spot[chance.choice((*spot, chance.choice(FIELDS)))] = f"@{mark}@"
    text = json.dumps(body)
    for mark in range(4):
        text = text.replace(f'"@{mark}@"', chance.choice(ODD_JSON))
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(('"', "{", "\\", "\x00", ",", "\\ud800", "é", "")) + text[at + 1 :]
    data = text.encode("utf-8", "replace")
    return data + chance.choice((b"", b"", b"", b"\xff", b"\x00", b"}"))


def send(person: Person, path: str, data: bytes) -> int:
    answer = person.http.post(path, content=data, headers={"content-type": "application/json"})
    assert answer.status_code < 500, (path, data[:2000], answer.text)
    answer.json()
    return answer.status_code


def fuzz_hands(person: Person, number: int, seed: int) -> dict[int, int]:
    """Send so many requests; returns how often each status came."""
    chance, hands = random.Random(seed), dict[int, int]()
    for request in random_wins(seed, number):
        path = chance.choice(PATHS)
        known = request if path in PATHS[:2] else {key: request[key] for key in ("hand", "melds")}
        status = send(person, path, mutated(chance, dict(known)))
        hands[status] = hands.get(status, 0) + 1
    return hands


@pytest.mark.slow
def test_mutated_hands_cause_no_server_error(person: Person) -> None:
    hands = fuzz_hands(person, scale(600), 1)
    assert hands[200] > 0
    assert sum(count for status, count in hands.items() if status >= 400) > 0


@pytest.mark.long
def test_many_mutated_hands_cause_no_server_error(person: Person) -> None:
    fuzz_hands(person, 10_000, 2)


@pytest.mark.slow
def test_odd_bodies_cause_no_server_error(url: str) -> None:
    person = Person(url, "Odd")
    chance = random.Random(3)
    for path in (*PATHS, *OTHERS, "/api/uploads"):
        for text in ODD_JSON:
            send(person, path, text.encode())
            send(person, path, f'{{"{chance.choice(FIELDS)}": {text}}}'.encode())


def games() -> Iterator[tuple[str, str]]:
    """A finished hand or more in every format that the server takes."""
    game = Game("tenhou", seed=11)
    chance = random.Random(4)
    while len(game.walls) < 3 and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        game.play(seat, chance.choice(legal))
    for name in formats.BY_NAME:
        yield name, formats.dumps(game, name)
    yield "mjlog", written(12, hands=2)


def spoilt(chance: random.Random, text: str) -> str:
    """A log with characters, numbers, words or lines changed, moved or removed."""
    for _ in range(chance.randrange(1, 4)):
        at, size = chance.randrange(len(text)), chance.choice((1, 1, 2, 5, 40))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + size :]
        elif kind == 1:
            other = chance.randrange(len(text))
            text = text[:at] + text[other : other + size] + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice((*ODD_JSON, "\x00", "<", "\ud800", "９", "-")) + text[at + 1 :]
        elif kind == 3:
            digits = [i for i, letter in enumerate(text) if letter.isdigit()] or [0]
            digit = chance.choice(digits)
            text = text[:digit] + chance.choice("0123456789") + text[digit + 1 :]
        elif kind == 4:
            lines = text.split("\n")
            chance.shuffle(lines) if chance.random() < 0.2 else lines.pop(chance.randrange(len(lines)))
            text = "\n".join(lines)
        elif chance.random() < 0.3:
            text = text[:at]
        text = text or "x"
    return text


def fuzz_uploads(person: Person, number: int, seed: int) -> dict[int, int]:
    chance, uploads = random.Random(seed), dict[int, int]()
    logs = list(games())
    for i in range(number):
        name, text = logs[i % len(logs)]
        body = {"text": spoilt(chance, text), "name": name}
        status = send(person, "/api/uploads", json.dumps(body).encode())
        uploads[status] = uploads.get(status, 0) + 1
    return uploads


@pytest.mark.slow
def test_damaged_logs_cause_no_server_error(person: Person) -> None:
    uploads = fuzz_uploads(person, scale(120), 5)
    assert sum(count for status, count in uploads.items() if status >= 400) > 0


@pytest.mark.long
def test_many_damaged_logs_cause_no_server_error(person: Person) -> None:
    fuzz_uploads(person, 8000, 6)
