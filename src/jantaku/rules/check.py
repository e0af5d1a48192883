"""Checks what a rules file says against the option table, naming each problem by the key's path."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType, UnionType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from jantaku.bounded import nearest, shown
from jantaku.errors import RulesError
from jantaku.rules.catalogue import YAKUMAN, YakuValue, catalogue, is_worth
from jantaku.rules.options import SECTIONS
from jantaku.rules.words import MOST_WORDS, words_problems

MOST_REPLACED: Final = 64
_STICK: Final = re.compile("[1-9][0-9]{0,6}")
_RED: Final = re.compile("[1-9][mps]")
TOP_LEVEL = ("extends", "name", "about", "local", "yaku", *SECTIONS)


@cache
def hints(section: type) -> dict[str, Any]:
    """The types of a section's options by name."""
    return get_type_hints(section)


def unknown(path: str, key: str, known: Collection[str]) -> RulesError:
    """The error for a key nobody knows, with the nearest one that exists."""
    near = nearest(key, known)
    return RulesError(
        "unknown_key_nearest" if near else "unknown_key",
        path=f"{path}.{shown(key)}".lstrip("."),
        nearest=near,
        known=", ".join(known),
    )


def fits(value: object, wanted: Any) -> bool:
    """Whether a TOML value is of the type an option is declared with."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return any(value == choice and type(value) is type(choice) for choice in args)
    if origin is UnionType:
        return any(fits(value, choice) for choice in args)
    if origin is tuple:
        return isinstance(value, list | tuple) and all(fits(item, args[0]) for item in value)
    if origin is not None:  # a mapping
        return isinstance(value, Mapping) and all(fits(item, args[1]) for item in value.values())
    return type(value) is wanted


def describe(wanted: Any) -> str:
    """A declared type as a person would write it: the choices, or ``integer``, ``list of …``."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return " | ".join(repr(choice).replace("'", '"') for choice in args)
    if origin is tuple:
        return f"list of {describe(args[0])}"
    if origin is not None:
        return f"table of {describe(args[1])}"
    return {int: "integer", str: "string", bool: "true | false"}[wanted]


def freeze(value: Any) -> Any:
    """Lists become tuples and tables read-only, so that a ruleset cannot be changed."""
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    return value


def option_problems(section: str, name: str, value: object) -> Iterator[RulesError]:
    """What is wrong with one option of a known section."""
    path, known = f"{section}.{name}", hints(SECTIONS[section])
    if name not in known:
        yield unknown(section, name, list(known))
        return
    if not fits(value, known[name]):
        near = _nearest_choice(value, known[name])
        code = "wrong_value_nearest" if near else "wrong_value"
        wanted = describe(known[name])
        yield RulesError(code, path=path, value=shown(value), wanted=wanted, nearest=near)
        return
    bounds = next(f.metadata for f in fields(SECTIONS[section]) if f.name == name)
    yield from _out_of_bounds(path, value, bounds)


def _out_of_bounds(path: str, value: Any, bounds: Mapping[str, Any]) -> Iterator[RulesError]:
    """What is too long or too large in a value of the right type, entries of lists and tables included."""
    if isinstance(value, Mapping | list | tuple):
        if len(value) > bounds["most"]:
            yield RulesError("too_many_entries", path=path, count=len(value), most=bounds["most"])
            return
        named = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
        for key, item in named:
            yield from _out_of_bounds(f"{path}.{shown(key)}", item, bounds)
    elif bounds["low"] is not None and type(value) is int and not bounds["low"] <= value <= bounds["high"]:
        yield RulesError(
            "out_of_range", path=path, value=shown(value), low=bounds["low"], high=bounds["high"]
        )


def _nearest_choice(value: object, wanted: Any) -> str:
    if get_origin(wanted) is not Literal:
        return ""
    return nearest(value, [choice for choice in get_args(wanted) if isinstance(choice, str)])


def yaku_problems(name: str, settings: object, known: Collection[str]) -> Iterator[RulesError]:
    """What is wrong with the settings of one yaku; ``known`` are the ids that exist."""
    if name not in known:
        yield unknown("yaku", name, known)
        return
    if not isinstance(settings, Mapping):
        yield RulesError("wrong_value", path=f"yaku.{name}", value=shown(settings), wanted="table")
        return
    types = hints(YakuValue)
    for key, value in settings.items():
        path = f"yaku.{name}.{key}"
        if key not in types:
            yield unknown(f"yaku.{name}", key, list(types))
        elif key in ("closed", "open"):
            if not is_worth(value):
                yield RulesError("wrong_yaku_value", path=path, value=shown(value))
        elif not fits(value, types[key]):
            yield RulesError("wrong_value", path=path, value=shown(value), wanted=describe(types[key]))
        elif key == "replaces" and len(value) > MOST_REPLACED:
            yield RulesError("too_many_entries", path=path, count=len(value), most=MOST_REPLACED)
        elif key == "replaces":
            yield from (unknown(path, other, known) for other in value if other not in known)


def file_problems(data: Mapping[str, Any], yaku_ids: Collection[str]) -> Iterator[RulesError]:
    """Everything wrong with the keys, types and values of one rules file."""
    for key, value in data.items():
        if key not in TOP_LEVEL:
            yield unknown("", key, TOP_LEVEL)
        elif key == "yaku" and isinstance(value, Mapping):
            for name, settings in value.items():
                yield from yaku_problems(name, settings, yaku_ids)
        elif key in SECTIONS and isinstance(value, Mapping):
            for name, setting in value.items():
                yield from option_problems(key, name, setting)
        elif key == "extends" and isinstance(value, str):
            continue
        elif not isinstance(value, Mapping):
            yield RulesError("wrong_value", path=key, value=shown(value), wanted="table")
        elif key in MOST_WORDS:
            yield from words_problems(key, value)


def contradictions(rules: Any) -> Iterator[RulesError]:
    """Settings that are each allowed but cannot stand together."""
    match, multiple, sanchahou = rules.match, rules.win.multiple_ron, rules.draw.sanchahou
    rows = (
        ("match.uma", match.uma),
        *((("match.floating_uma"), row) for row in match.floating_uma),
    )
    for path, row in rows:
        if len(row) != match.players:
            yield RulesError("uma_length", path=path, players=match.players, count=len(row))
        elif sum(row):
            yield RulesError("uma_sum", path=path, total=sum(row))
    clashes: tuple[tuple[str, Callable[[], bool], str], ...] = (
        (
            "match.return_points",
            lambda: match.return_points < match.start_points,
            "return_below_start",
        ),
        ("match.floating_uma", lambda: len(match.floating_uma) not in (0, 3), "floating_rows"),
        ("win.multiple_ron", lambda: multiple.endswith("triple_draw") != sanchahou, "triple_ron"),
        ("dora.kan_ura", lambda: rules.dora.kan_ura and not rules.dora.ura, "kan_ura_without_ura"),
        (
            "dora.kan_ura",
            lambda: rules.dora.kan_ura and not rules.dora.kan_dora,
            "kan_ura_without_kan",
        ),
    )
    yield from (RulesError(code, path=path) for path, clash, code in clashes if clash())
    sticks = {int(value): count for value, count in match.sticks.items() if _STICK.fullmatch(value)}
    total = sum(value * count for value, count in sticks.items())
    if total != match.start_points or len(sticks) != len(match.sticks):
        yield RulesError("sticks_total", path="match.sticks", total=total, start=match.start_points)
    yield from red_problems(rules.tiles.red)
    for name in rules.pao.yakuman:
        if name not in catalogue():
            yield unknown("pao.yakuman", name, list(catalogue()))
        elif not {rules.yaku[name].closed, rules.yaku[name].open} & set(YAKUMAN):
            yield RulesError("pao_not_yakuman", path="pao.yakuman", yaku=name)


def red_problems(red: Mapping[str, int]) -> Iterator[RulesError]:
    """What is wrong with the kinds of the red tiles; an option's bounds hold for their numbers."""
    for name in red:
        if not _RED.fullmatch(name):
            yield RulesError("red_kind", path=f"tiles.red.{shown(name)}", name=shown(name))
