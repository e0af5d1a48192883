"""Check the contents of a rules file against the option table; each problem names the path of its key."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from jantaku import terms
from jantaku.bounded import Sketch, named, shown
from jantaku.errors import Phrase, Phrases, RulesError, did_you_mean, kind_of_value, phrase
from jantaku.nearest_word import nearest
from jantaku.rules.bonus import BONUS
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN, YakuValue, catalogue, is_worth
from jantaku.rules.fingerprints import BASELINE
from jantaku.rules.options import SECTIONS
from jantaku.rules.other_names import options_called
from jantaku.rules.own.settings import OWN_SETTINGS, WHEN, own_problem
from jantaku.rules.ruleset_texts import MAX_WORDS, words_problems

MAX_REPLACED: Final = 64
CLOSE: Final = 0.6  # least similarity of a suggested choice
UNIONS: Final = (UnionType, Union)  # ``int | str`` and ``Literal[...] | int``
LIABLE: Final = ("daisangen", "daisuushii", "suukantsu", "suurenkou")
"""Yakuman that a call can make certain, which are those with liability (inventory 394–398)."""

TOP_LEVEL = ("extends", "name", "about", "yaku", *SECTIONS)


@cache
def hints(section: type) -> dict[str, Any]:
    """Return the types of a section's options by name."""
    return get_type_hints(section)


def unknown(path: str, key: object, known: Collection[str]) -> RulesError:
    """Return the error for an unknown key, with a suggestion."""
    near = _elsewhere(path, str(key)) or nearest(key, known)
    return RulesError(
        "unknown_key_nearest" if near else "unknown_key",
        path=f"{path}.{named(key)}".lstrip("."),
        nearest=near,
        known=Phrases(known),
    )


def _elsewhere(path: str, key: str) -> str:
    """Return the yaku and options with that name, here or in other programs; empty if there are none."""
    if path not in ("", *SECTIONS):
        return ""
    yaku = [f"yaku.{key}"] if key in catalogue() else []
    sections = [f"{name}.{key}" for name, section in SECTIONS.items() if key in hints(section)]
    others = options_called(key, {name: [*hints(part)] for name, part in SECTIONS.items()})
    return " / ".join(dict.fromkeys((*yaku, *sections, *others)))


def fits(value: object, wanted: Any) -> bool:
    """Return whether a TOML value has the declared type of an option."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return any(value == choice and type(value) is type(choice) for choice in args)
    if origin in UNIONS:
        return any(fits(value, choice) for choice in args)
    if origin is tuple:
        return isinstance(value, list | tuple) and all(fits(item, args[0]) for item in value)
    if origin is not None:  # a mapping
        if not isinstance(value, Mapping):
            return False
        return all(fits(key, args[0]) and fits(item, args[1]) for key, item in value.items())
    return type(value) is wanted


def describe(wanted: Any) -> Phrase | Phrases:
    """Describe a declared type: its choices as in a rules file, or “a whole number”, “a list …”."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return Phrases(Sketch(terms.literal(choice)) for choice in args)
    if origin in UNIONS:
        return Phrases(describe(choice) for choice in args)
    if origin is tuple:
        return phrase("errors.kinds.list", of=describe(args[0]))
    if origin is not None:
        return phrase("errors.kinds.table", of=describe(args[1]))
    return kind_of_value(wanted)


def freeze(value: Any) -> Any:
    """Convert lists to tuples and tables to read-only mappings, so that a ruleset is immutable."""
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    return value


def option_problems(section: str, name: str, value: object) -> Iterator[RulesError]:
    """Yield the problems of one option in a known section."""
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
    """Yield an error for each bound exceeded by a value of the right type, or by an entry of it."""
    if isinstance(value, Mapping | list | tuple):
        if len(value) > bounds["most"]:
            yield RulesError("too_many_entries", path=path, count=len(value), most=bounds["most"])
            return
        entries = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
        for key, item in entries:
            yield from _out_of_bounds(f"{path}.{named(key)}", item, bounds)
    elif bounds["low"] is not None and type(value) is int and not bounds["low"] <= value <= bounds["high"]:
        yield RulesError(
            "out_of_range", path=path, value=shown(value), low=bounds["low"], high=bounds["high"]
        )
    elif type(value) is int and value % bounds["step"]:
        yield RulesError("not_a_multiple", path=path, value=shown(value), step=bounds["step"])


def uma_order_problems(match: Mapping[str, Any]) -> Iterator[RulesError]:
    """Yield an error for each row of uma that gives a lower place more than a higher one."""
    rows: list[tuple[str, Any]] = [("match.uma", match.get("uma"))]
    grid = match.get("floating_uma")
    rows += [("match.floating_uma", row) for row in grid] if isinstance(grid, list | tuple) else []
    for path, row in rows:
        if fits(row, tuple[int, ...]) and list(row) != sorted(row, reverse=True):
            yield RulesError("uma_order", path=path, uma=shown(row), ordered=shown(sorted(row, reverse=True)))


def choices_of(hint: Any) -> tuple[Any, ...]:
    """Return the choices of a ``Literal`` type, or of all parts of a union."""
    if get_origin(hint) in UNIONS:
        return tuple(choice for part in get_args(hint) for choice in choices_of(part))
    return get_args(hint) if get_origin(hint) is Literal else ()


def _nearest_choice(value: object, wanted: Any) -> str:
    return nearest(value, [choice for choice in choices_of(wanted) if isinstance(choice, str)], CLOSE)


OTHER_NAMES: Final = {"counts_for_minimum": "minimum"}
"""Aliases of settings of a yaku."""


def yaku_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``YakuValue`` among the settings of a yaku, with aliases resolved."""
    return {
        OTHER_NAMES.get(name, name): value for name, value in settings.items() if name not in OWN_SETTINGS
    }


def yaku_problems(name: str, settings: object, known: Collection[str]) -> Iterator[RulesError]:
    """Yield the problems in the settings of one yaku; ``known`` are the existing ids."""
    if name not in known:
        error = unknown("yaku", name, known)
        own = isinstance(settings, Mapping) and any(key in settings for key in OWN_SETTINGS)
        own = own or (isinstance(settings, Mapping) and error.code == "unknown_key")
        yield RulesError("own_without_when", path=f"yaku.{named(name)}") if own else error
        return
    if not isinstance(settings, Mapping):
        closed = terms.literal(settings) if is_worth(settings) else "1"
        wanted = phrase("errors.kinds.settings", path=f"yaku.{name}", line=f"closed = {closed}")
        yield RulesError("wrong_value", path=f"yaku.{name}", value=shown(settings), wanted=wanted)
        return
    types = hints(YakuValue)
    for written, value in settings.items():
        path, key = f"yaku.{name}.{written}", OTHER_NAMES.get(written, written)
        if key in OWN_SETTINGS and (key == WHEN or name not in catalogue()):
            yield from own_problem(name, key, value, known)
        elif key not in types:
            yield unknown(f"yaku.{name}", written, [*types, *(() if name in catalogue() else OWN_SETTINGS)])
        elif key != written and key in settings:
            yield RulesError("two_names", path=path, other=key)
        else:
            yield from setting_problems(path, key, value, known)


def setting_problems(path: str, key: str, value: Any, known: Collection[str]) -> Iterator[RulesError]:
    """Yield the problems of one existing setting of a yaku; ``known`` are the yaku that it may name."""
    wanted = hints(YakuValue)[key]
    if key in ("closed", "open"):
        if not is_worth(value):
            hint = did_you_mean(value, (*LIMIT_HAN, *YAKUMAN))
            yield RulesError("wrong_yaku_value", path=path, value=shown(value), hint=hint)
    elif not fits(value, wanted):
        near = _nearest_choice(value, wanted)
        code = "wrong_value_nearest" if near else "wrong_value"
        yield RulesError(code, path=path, value=shown(value), wanted=describe(wanted), nearest=near)
    elif key == "replaces" and len(value) > MAX_REPLACED:
        yield RulesError("too_many_entries", path=path, count=len(value), most=MAX_REPLACED)
    elif key == "replaces":
        yield from (unknown(path, other, known) for other in value if other not in known)


def file_problems(
    data: Mapping[str, Any], yaku_ids: Collection[str], *, stored: bool = False
) -> Iterator[RulesError]:
    """Yield all problems of keys, types and values in a rules file.

    ``stored`` data, and data that extend the baseline, come from a program; they skip checks for authors'
    mistakes.
    """
    by_hand = not stored and data.get("extends") != BASELINE
    for key, value in data.items():
        if key not in TOP_LEVEL:
            yield unknown("", key, TOP_LEVEL)
        elif key == "extends" and isinstance(value, str):
            continue
        elif not isinstance(value, Mapping):
            wanted = phrase("errors.kinds.section", path=key)
            yield RulesError("wrong_value", path=key, value=shown(value), wanted=wanted)
        elif key == "yaku":
            for name, settings in value.items():
                yield from yaku_problems(name, settings, yaku_ids)
                if by_hand and name in BONUS and name in yaku_ids:
                    yield RulesError("own_dora", path=f"yaku.{name}", yaku=name)
        elif key in SECTIONS:
            for name, setting in value.items():
                yield from option_problems(key, name, setting)
            yield from uma_order_problems(value) if key == "match" and by_hand else ()
        elif key in MAX_WORDS:
            yield from words_problems(key, value, by_hand=by_hand)
