"""Damaged JSON and damaged logs, for tests of invalid input."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from jantaku.game import Game
from jantaku.records import formats
from support.record_games import without_mark

ODD_JSON = (
    "null", "true", "0", "-1", "1.5", "1e400", "NaN", "-Infinity", "1" * 5000, "65536", '""', '"east"',
    '"\\ud800"', '"\\udc00x"', '"\\u0000"', "[]", "{}", "[[]]", '{"":0}', '{"\\ud800":1}', '"tenhou"',
    '{"extends":"tenhou"}', "[" * 300 + "]" * 300, '"' + "1m" * 3000 + '"', '"⟦1m⟧{0}"', '["1m"]',
)  # fmt: skip
FIELDS = (
    "rules", "id", "hand", "melds", "win", "by", "from", "round", "seat", "riichi", "dora", "honba",
    "pao", "seen", "type", "tiles", "called", "toml", "name", "x", "\\ud83d",
)  # fmt: skip
SCRAPS = ('"', "{", "\\", "\x00", ",", "<", "\ud800", "９", "-", "é", "", *ODD_JSON)


def mutated(chance: Random, tree: dict[str, Any]) -> str:
    """Change some keys or values of JSON, and in a third of the cases also its text."""
    tree = json.loads(json.dumps(tree))
    inner = [value for value in tree.values() if isinstance(value, dict)]
    inner += [part for value in tree.values() if isinstance(value, list) for part in value if part]
    places = [tree, *(place for place in inner if isinstance(place, dict))]
    for mark in range(chance.randrange(1, 4)):
        place = chance.choice(places)
        if place and chance.random() < 0.1:
            place.pop(chance.choice([*place]))
        else:
            place[chance.choice((*place, chance.choice(FIELDS)))] = f"@{mark}@"
    text = json.dumps(tree)
    for mark in range(4):
        text = text.replace(f'"@{mark}@"', chance.choice(ODD_JSON))
    return spoilt(chance, text) if chance.random() < 0.3 else text


def spoilt(chance: Random, text: str) -> str:
    """Change, move or remove characters, numbers or lines of a text."""
    for _ in range(chance.randrange(1, 4)):
        at, size = chance.randrange(len(text)), chance.choice((1, 1, 2, 5, 40))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + size :]
        elif kind == 1:
            other = chance.randrange(len(text))
            text = text[:at] + text[other : other + size] + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice(SCRAPS) + text[at + 1 :]
        elif kind == 3:
            digit = chance.choice([i for i, letter in enumerate(text) if letter.isdigit()] or [0])
            text = text[:digit] + chance.choice("0123456789") + text[digit + 1 :]
        elif kind == 4:
            lines = text.split("\n")
            chance.shuffle(lines) if chance.random() < 0.2 else lines.pop(chance.randrange(len(lines)))
            text = "\n".join(lines)
        elif chance.random() < 0.3:
            text = text[:at]
        text = text or "x"
    return text


def games() -> Iterator[tuple[str, str]]:
    """Return a log of at least two hands in every format that the server accepts."""
    game, chance = Game("tenhou", seed=11), Random(4)
    while len(game.walls) < 3 and not game.is_over:
        seat = game.to_act[0]
        game.play(seat, chance.choice(game.legal(seat)))
    for name in formats.BY_NAME:
        yield name, formats.dumps(game, name)
    yield "mjlog", without_mark(formats.dumps(game, "mjlog"))
