"""The rule sheet: a ruleset in words, section by section, as data for display."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku import terms
from jantaku.rules.answers import answer, foul_deposit, is_meant
from jantaku.rules.catalogue import Worth
from jantaku.rules.options import FOUL_DEPOSIT, SECTIONS
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import condition_text
from jantaku.rules.own.settings import WHEN
from jantaku.rules.ruleset import Ruleset, load, preset_names
from jantaku.rules.worths import worths_shown
from jantaku.rules.yaku_names import known_name
from jantaku.terms import Language, counted, listed, signed
from jantaku.tiles import RED, Tile, tile_name


@dataclass(frozen=True)
class Row:
    """One option: its path and label, the value in words, and the standard value if it differs."""

    path: str
    label: str
    value: str
    standard: str
    differs: bool


@dataclass(frozen=True)
class SheetYaku:
    """One yaku: its closed and open worth in words, and the settings that differ."""

    id: str
    name: str
    closed: str
    open: str
    standard: str
    exists: bool
    differs: bool


@dataclass(frozen=True)
class Section:
    """A section of the rules file with those of its options that mean something under the rules."""

    id: str
    label: str
    about: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Sheet:
    """A whole ruleset in words."""

    name: str
    about: str
    fingerprint: str
    sections: tuple[Section, ...]
    yaku: tuple[SheetYaku, ...]


def sheet(rules: Ruleset, language: Language | None = None, known: Ruleset | None = None) -> Sheet:
    """The sheet of a ruleset in ``language`` (by default the current one).

    It is compared with the rules ``known``, by default the standard ones.
    """
    standard = known or load("standard")
    return Sheet(
        name=ruleset_name(rules, language),
        about=ruleset_about(rules, language),
        fingerprint=rules.fingerprint,
        sections=tuple(_section(rules, standard, name, language) for name in SECTIONS),
        yaku=tuple(_yaku_row(rules, standard, name, language) for name in rules.yaku),
    )


def ruleset_name(rules: Ruleset, language: Language | None = None) -> str:
    """The name of a ruleset, or its id if it has no name."""
    return rules.id if _inherits(rules, "name") else _in_language(rules.name, language) or rules.id


def ruleset_about(rules: Ruleset, language: Language | None = None) -> str:
    """The description of a ruleset; empty if its author wrote none."""
    return "" if _inherits(rules, "about") else _in_language(rules.about, language)


def _in_language(words: Mapping[str, str], language: Language | None) -> str:
    """Words in a language, else in English, else in whatever language they were written."""
    wanted = (language or terms.current(), "en", *words)
    return next((words[language] for language in wanted if words.get(language)), "")


def known_presets(rules: Ruleset) -> list[str]:
    """The presets that a player of these rules may know: those of as many players, but not themselves."""
    presets = {name: load(name) for name in preset_names()}
    return [name for name, preset in presets.items() if preset != rules and preset.seats == rules.seats]


def _inherits(rules: Ruleset, part: str) -> bool:
    """Whether the text of a custom ruleset is only that of a preset."""
    presets = preset_names()
    words = getattr(rules, part)
    return rules.id not in presets and any(words == getattr(load(p), part) for p in presets)


def _section(rules: Ruleset, standard: Ruleset, name: str, language: Language | None) -> Section:
    paths = [f"{name}.{item.name}" for item in dataclasses.fields(SECTIONS[name])]
    rows = tuple(option_row(rules, standard, path, language) for path in paths if is_meant(rules, path))
    words = terms.table("options", language or terms.current())[name]
    return Section(name, words["label"], words["about"], rows)


def option_row(rules: Ruleset, standard: Ruleset, path: str, language: Language | None) -> Row:
    """What is played under ``rules``, beside what the standard rules answer to the same question."""
    asked = is_meant(standard, path)
    usual = answered(standard, path, language) if asked else terms.text("cli.sheet.off", language)
    differs = answer(rules, path) != answer(standard, path) or not asked
    return Row(path, label(path, language), answered(rules, path, language), usual, differs)


def answered(rules: Ruleset, path: str, language: Language | None = None) -> str:
    """What is played under ``rules``, in words."""
    said = answer(rules, path)
    if path == "calls.kuikae" and not rules.calls.chi:  # of both ends there is only one
        return terms.text(f"cli.sheet.{'yes' if said == 'allowed' else 'no'}", language)
    if said == "deposit_1000":
        return cost_in_words(said, rules, language)
    return in_words(path, said, language)


def cost_in_words(cost: str, rules: Ruleset, language: Language | None = None) -> str:
    """What a foul costs under ``rules``: sticks do not always add up to a deposit of 1,000 points."""
    points = foul_deposit(rules)
    if cost == "deposit_1000" and points != FOUL_DEPOSIT:
        return terms.text("sheet.booklet.foul_deposit", language, points=points)
    return terms.text(f"options.foul_cost.values.{cost}", language)


def _yaku_row(rules: Ruleset, standard: Ruleset, name: str, language: Language | None) -> SheetYaku:
    mine, theirs = worths_shown(rules, name), worths_shown(standard, name)
    closed, opened = (worth_in_words(worth, language) for worth in mine)
    usual = " / ".join(worth_in_words(worth, language) for worth in theirs)
    exists = any(worth is not False for worth in mine)
    differs = repr((mine, rules.yaku[name])) != repr((theirs, standard.yaku.get(name)))  # 0 is not False
    return SheetYaku(name, _yaku(name, language, rules), closed, opened, usual, exists, differs)


def worth_in_words(worth: Worth, language: Language | None = None) -> str:
    """``2 han``, ``yakuman``, ``mangan``; a dash if it does not count."""
    if worth is False:
        return terms.text("cli.sheet.off", language)
    if isinstance(worth, str):
        return terms.text(f"explain.limit.{worth}", language)
    return terms.text("cli.sheet.han", language, count=worth)


def _yaku(name: str, language: Language | None, rules: Ruleset | None = None) -> str:
    """The name of a yaku; its id where it is an own one of rules that are not at hand."""
    return known_name(name, language, rules) or name


def label(path: str, language: Language | None = None, rules: Ruleset | None = None) -> str:
    """The label of an option's path: ``Uma``; ``Pinfu · Closed`` for a setting of a yaku.

    Raises ``KeyError`` if there is no such option.
    """
    section, name, *setting = path.split(".") if "." in path else (path, "")
    if section == "yaku":
        if not setting:
            return _yaku(name, language, rules)
        words = terms.text(f"options.yaku.{setting[0]}.label", language)
        return f"{_yaku(name, language, rules)} · {words}"
    return terms.text(f"options.{path}.label", language)


def in_words(path: str, value: Any, language: Language | None = None) -> str:
    """The value of an option in words."""
    section, name, *setting = path.split(".")
    if setting and setting[0] in ("closed", "open") and value is not None:
        return worth_in_words(value, language)
    if setting and setting[0] == WHEN and value is not None:
        return condition_text(read(value), language)
    shape = _yaku_list if setting and setting[0] == "replaces" else _SHAPES.get(path)
    if shape is not None and value is not None:
        value = shape(value, language)
    elif isinstance(value, bool):
        value = terms.text("cli.sheet.yes" if value else "cli.sheet.no", language)
    elif isinstance(value, str):
        table = terms.table("options", language or terms.current())
        option = table[section][setting[0] if setting else name]
        value = option.get("values", table["foul_cost"]["values"]).get(value, value)
    elif isinstance(value, int):
        number = value
        value = "" if path in _NONE_AT_ZERO and not number else _counted(path, number, language)
    return value or terms.text("cli.sheet.none", language)


def differences_in_words(
    rules: Ruleset, other: Ruleset, language: Language | None = None
) -> dict[str, tuple[str, str, str]]:
    """The label and both values of each path on which two rulesets differ.

    The worth of a yaku is one row. Of an own yaku that only one of them has, worth and condition are all.
    """
    differences: dict[str, tuple[str, str, str]] = {}
    none = terms.text("cli.sheet.none", language)
    for path, values in rules.differences(other).items():
        section, name, *setting = path.split(".")
        owner = rules if name in rules.yaku else other
        is_worth = section == "yaku" and setting[0] in ("closed", "open")
        if is_worth:
            mine, theirs = (_worths_in_words(name, each, language) for each in (rules, other))
            differences[f"yaku.{name}"] = (_yaku(name, language, owner), mine, theirs)
        elif section != "yaku" or None not in values:
            mine, theirs = (in_words(path, value, language) for value in values)
            differences[path] = (label(path, language, owner), mine, theirs)
        if not is_worth or f"yaku.{name}.{WHEN}" in differences:
            continue
        if (own := _only_there(name, rules, other)) is not None:
            when = f"yaku.{name}.{WHEN}"
            said = in_words(when, own, language)
            both = (said, none) if owner is rules else (none, said)
            differences[when] = (label(when, language, owner), *both)
    return differences


def _only_there(name: str, rules: Ruleset, other: Ruleset) -> str | None:
    """The condition of an own yaku that only one of the rulesets has."""
    found = [yaku.condition for each in (rules, other) for yaku in each.own_yaku if yaku.id == name]
    return found[0] or None if len(found) == 1 else None


def _worths_in_words(name: str, rules: Ruleset, language: Language | None) -> str:
    """What a yaku is worth closed and open, as in a rules file."""
    if name not in rules.yaku:
        return terms.text("cli.sheet.none", language)
    value = rules.yaku[name]
    return " / ".join(worth_in_words(worth, language) for worth in (value.closed, value.open))


def _signed(row: Iterable[int], _language: Language | None = None) -> str:
    return " / ".join(signed(points) for points in row)


def _floating(rows: Iterable[Iterable[int]], _language: Language | None) -> str:
    return "; ".join(_signed(row) for row in rows)


def _sticks(sticks: Mapping[str, int], language: Language | None) -> str:
    falling = sorted(((int(value), count) for value, count in sticks.items()), reverse=True)
    return listed((f"{value:,} × {count}" for value, count in falling), language)


def _red(red: Mapping[str, int], language: Language | None) -> str:
    named = ((tile_name(Tile.parse(name) + RED, language), count) for name, count in red.items())
    return listed((f"{name} × {count}" for name, count in named if count), language)


def _yaku_list(names: Iterable[str], language: Language | None) -> str:
    return listed((_yaku(name, language) for name in names), language)


def _deal_in(worth: Worth, language: Language | None) -> str:
    if worth == "normal":
        return terms.text("options.riichi.open_deal_in.values.normal", language)
    return worth_in_words(worth, language)


def _oka(points: int | str, language: Language | None) -> str:
    if isinstance(points, str):
        return terms.text(f"options.match.oka.values.{points}", language)
    return terms.text("sheet.booklet.oka", language, points=points)


def _counted(path: str, number: int, language: Language | None) -> str:
    """A number with what it counts: ``14장``, ``300点``."""
    return terms.text(f"options.{path}.shown", language, number=counted(number))


_SHAPES: Mapping[str, Any] = {
    "match.uma": _signed,
    "match.floating_uma": _floating,
    "match.oka": _oka,
    "match.sticks": _sticks,
    "tiles.red": _red,
    "pao.yakuman": _yaku_list,
    "riichi.open_deal_in": _deal_in,
}
_NONE_AT_ZERO: Final = frozenset(
    {
        "riichi.draws_left",
        "win.two_han_from_honba",
        "score.fixed_fu",
        "score.kan_han",
        "chips.tobi",
        "chips.first",
        "end.dealer_stop_points",
        "end.top_points",
        "match.yakitori",
        "chips.value",
        "event.days",
        "event.finalists",
    }
)
