"""Untrusted rules: slightly changed presets, with valid and invalid values."""

import datetime
import json
import random
from typing import Any, Literal, get_args, get_origin

from jantaku.rules import catalogue, load, preset_names
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.server.rules.pages import changes_as_toml

Data = dict[str, Any]


def deep(depth: int) -> Any:
    """Return nested lists and tables."""
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


ODD: tuple[Any, ...] = (
    True, False, 0, 1, -1, 2, 13, 26, 27, 99, 10**6, 10**22, -(10**22), 10**4400, 1.5, float("nan"),
    float("inf"), "", "off", "yakuman", "mangan", "tenhou", "\0", "\ud800", "⟦123m⟧", "{path}", "%s", "a.b",
    "{0.__class__}", "x" * 40_000, "\u202egnp", "5m", "0m", "5rm", "東", "１０００", "1e3", "../x.toml", None,
    [], {}, [[]], [{}], [None], [1, 2, 3], [0, 0, 0, 0], [10**22, 0, 0, -(10**22)], ["pinfu"], [""],
    ["pinfu"] * 5000, {"": 0}, {"en": 5}, {"en": "x"}, {"file": "x.py"}, {"1000": 25}, {"5m": 4}, {"5m": -1},
    {"closed": 1}, {"٣m": 1}, datetime.date(2025, 1, 1), datetime.time(1), deep(30), deep(900),
    dict.fromkeys(map(str, range(3000)), 0),
)  # fmt: skip
TOP = ("extends", "name", "about", "yaku", *SECTIONS)


def fitting(chance: random.Random, hint: Any) -> Any:
    """Return a value of the declared type, not always within its bounds."""
    if get_origin(hint) is Literal:
        return chance.choice(get_args(hint))
    if hint is bool:
        return chance.random() < 0.5
    if hint is int:
        return chance.choice((0, 1, 2, 3, 5, 8, 13, 17, 100, 300, 1000, 30000, 100_000, 10**6, -5))
    return chance.choice(ODD)


def yaku_settings(chance: random.Random) -> Data:
    """Return settings of a yaku, most of them valid."""
    worths = (
        0,
        1,
        2,
        6,
        13,
        26,
        "mangan",
        "haneman",
        "baiman",
        "sanbaiman",
        "yakuman",
        "double_yakuman",
        False,
    )
    names = list(catalogue())
    data: Data = {}
    for key in chance.sample(("closed", "open", "replaces", "minimum", "only"), chance.randrange(1, 4)):
        data[key] = {
            "closed": chance.choice(worths), "open": chance.choice(worths),
            "replaces": chance.sample(names, chance.randrange(3)), "minimum": chance.random() < 0.5,
            "only": chance.choice(("none", "tsumo", "man", "pin", "hatsu", "not_furiten")),
        }[key]  # fmt: skip
    return data


def mutated(chance: random.Random) -> Data:
    """Return the data of a rules file with a few changes."""
    data: Data = {"extends": chance.choice(preset_names())}
    if chance.random() < 0.2:
        data = load(data["extends"]).to_dict()
    for _ in range(chance.randrange(1, 9)):
        _change(chance, data)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        _break(chance, data)
    return data


def _change(chance: random.Random, data: Data) -> None:
    """Set an option or a yaku to a value, usually a valid one."""
    section = chance.choice((*SECTIONS, "yaku", "yaku", "name"))
    node = data.setdefault(section, {})
    if not isinstance(node, dict):
        return
    if section == "yaku":
        node[chance.choice(list(catalogue()))] = yaku_settings(chance)
    elif section == "name":
        words = ("Club", "화요 모임", "火曜会", "<b>", "🀄")
        node[chance.choice(("en", "ko", "ja", "fr"))] = chance.choice(words)
    else:
        types = hints(SECTIONS[section])
        name = chance.choice(list(types))
        node[name] = fitting(chance, types[name])


def _break(chance: random.Random, data: Data) -> None:
    """Replace something by a value of the wrong kind."""
    where, key = data, chance.choice((*TOP, *data, chance.choice(ODD)))
    while isinstance(where.get(_key(key)), dict) and chance.random() < 0.7:
        where = where[_key(key)]
        key = chance.choice((*where, "closed", chance.choice(ODD)))
    where[_key(key)] = chance.choice(ODD)


def _key(key: object) -> str:
    return key if isinstance(key, str) else repr(type(key))


def mutated_text(chance: random.Random) -> str:
    """Return the text of a rules file with a few changes."""
    text = changes_as_toml(load(chance.choice(preset_names())))
    odd = [json.dumps(value) for value in ODD if isinstance(value, str | int) and value != 10**4400]
    parts = [
        "[",
        "]",
        "=",
        '"',
        "'",
        "\n",
        "{",
        "}",
        ".",
        "a.b.c",
        "[[x]]",
        "1979-05-27",
        "0x1F",
        "inf",
        "nan",
    ]
    parts += ["'''", "#", "", "\0", "\ud800", "a." * 300]
    for _ in range(chance.randrange(1, 6)):
        index = chance.randrange(len(text) + 1)
        text = text[:index] + chance.choice([*parts, *odd]) + text[index + chance.randrange(8) :]
    return text
