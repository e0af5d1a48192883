"""The rule sheet: a ruleset in words, by section, as data for display."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku import terms
from jantaku.rules.answers import answer, applies, foul_deposit
from jantaku.rules.catalogue import Worth
from jantaku.rules.options import FOUL_DEPOSIT, SECTIONS
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import condition_text
from jantaku.rules.own.settings import WHEN
from jantaku.rules.ruleset import Ruleset, load, preset_names
from jantaku.rules.worths import displayed_worths
from jantaku.rules.yaku_names import known_name
from jantaku.terms import Language, counted, listed, signed
from jantaku.tiles import RED, Tile, tile_name


@dataclass(frozen=True)
class Row:
    """One option: its path and label, and its value and the standard value in words."""

    path: str
    label: str
    value: str
    standard: str
    differs: bool


@dataclass(frozen=True)
class SheetYaku:
    """One yaku: its name, its closed and open value in words, and the standard value."""

    id: str
    name: str
    closed: str
    open: str
    standard: str
    exists: bool
    differs: bool


@dataclass(frozen=True)
class Section:
    """A section of the rules, with the options that apply under them."""

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
    """Return the sheet of a ruleset in ``language`` (by default the current one).

    Differences are relative to the rules ``known``, by default the standard ones.
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
    """Return the name of a ruleset, or its id if it has no name of its own."""
    return rules.id if _inherits(rules, "name") else _in_language(rules.name, language) or rules.id


def ruleset_about(rules: Ruleset, language: Language | None = None) -> str:
    """Return the description of a ruleset; empty if it has none of its own."""
    return "" if _inherits(rules, "about") else _in_language(rules.about, language)


def _in_language(words: Mapping[str, str], language: Language | None) -> str:
    """Return the text in a language, falling back to English, then to any other language."""
    wanted = (language or terms.current(), "en", *words)
    return next((words[language] for language in wanted if words.get(language)), "")


def known_presets(rules: Ruleset) -> list[str]:
    """Return the presets to compare rules with: the others for the same number of players."""
    presets = {name: load(name) for name in preset_names()}
    return [name for name, preset in presets.items() if preset != rules and preset.seats == rules.seats]


def _inherits(rules: Ruleset, part: str) -> bool:
    """Return whether a custom ruleset merely inherits the text of a preset."""
    presets = preset_names()
    words = getattr(rules, part)
    return rules.id not in presets and any(words == getattr(load(p), part) for p in presets)


def _section(rules: Ruleset, standard: Ruleset, name: str, language: Language | None) -> Section:
    paths = [f"{name}.{item.name}" for item in dataclasses.fields(SECTIONS[name])]
    rows = tuple(option_row(rules, standard, path, language) for path in paths if applies(rules, path))
    words = terms.table("options", language or terms.current())[name]
    return Section(name, words["label"], words["about"], rows)


def option_row(rules: Ruleset, standard: Ruleset, path: str, language: Language | None) -> Row:
    """Return an option's effective value under ``rules``, with that under the standard rules."""
    has_standard = applies(standard, path)
    usual = (
        answer_in_words(standard, path, language) if has_standard else terms.text("cli.sheet.off", language)
    )
    differs = answer(rules, path) != answer(standard, path) or not has_standard
    return Row(path, label(path, language), answer_in_words(rules, path, language), usual, differs)


def answer_in_words(rules: Ruleset, path: str, language: Language | None = None) -> str:
    """Return the effective value of an option under ``rules``, in words."""
    value = answer(rules, path)
    if path == "calls.kuikae" and not rules.calls.chi:  # without chi there is no suji kuikae
        return terms.text(f"cli.sheet.{'yes' if value == 'allowed' else 'no'}", language)
    if value == "deposit_1000":
        return cost_in_words(value, rules, language)
    return in_words(path, value, language)


def cost_in_words(cost: str, rules: Ruleset, language: Language | None = None) -> str:
    """Return the cost of a foul in words, with the points of a deposit unless they are 1,000."""
    points = foul_deposit(rules)
    if cost == "deposit_1000" and points != FOUL_DEPOSIT:
        return terms.text("sheet.booklet.foul_deposit", language, points=points)
    return terms.text(f"options.foul_cost.values.{cost}", language)


def _yaku_row(rules: Ruleset, standard: Ruleset, name: str, language: Language | None) -> SheetYaku:
    mine, theirs = displayed_worths(rules, name), displayed_worths(standard, name)
    closed, opened = (worth_in_words(worth, language) for worth in mine)
    usual = " / ".join(worth_in_words(worth, language) for worth in theirs)
    exists = any(worth is not False for worth in mine)
    differs = repr((mine, rules.yaku[name])) != repr((theirs, standard.yaku.get(name)))  # 0 is not False
    return SheetYaku(name, _yaku(name, language, rules), closed, opened, usual, exists, differs)


def worth_in_words(worth: Worth, language: Language | None = None) -> str:
    """Return a value in words: ``2 han``, ``yakuman``, ``mangan``, or a dash if the yaku does not count."""
    if worth is False:
        return terms.text("cli.sheet.off", language)
    if isinstance(worth, str):
        return terms.text(f"explain.limit.{worth}", language)
    return terms.text("cli.sheet.han", language, count=worth)


def _yaku(name: str, language: Language | None, rules: Ruleset | None = None) -> str:
    """Return the name of a yaku, or the id of a custom yaku without its rules."""
    return known_name(name, language, rules) or name


def label(path: str, language: Language | None = None, rules: Ruleset | None = None) -> str:
    """Return the label of an option (``Uma``) or of a setting of a yaku (``Pinfu · Closed``).

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
    """Return the value of an option in words."""
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
    """Return the label and both values, in words, of each path on which two rulesets differ.

    The closed and open values of a yaku are one row. A custom yaku of only one ruleset has rows only for its
    value and its condition.
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
        if (own := _unshared_condition(name, rules, other)) is not None:
            when = f"yaku.{name}.{WHEN}"
            condition = in_words(when, own, language)
            both = (condition, none) if owner is rules else (none, condition)
            differences[when] = (label(when, language, owner), *both)
    return differences


def _unshared_condition(name: str, rules: Ruleset, other: Ruleset) -> str | None:
    """Return the condition of a custom yaku if only one of the rulesets has it."""
    conditions = [yaku.condition for each in (rules, other) for yaku in each.own_yaku if yaku.id == name]
    return conditions[0] or None if len(conditions) == 1 else None


def _worths_in_words(name: str, rules: Ruleset, language: Language | None) -> str:
    """Return the closed and open values of a yaku in words, as set in its rules file."""
    if name not in rules.yaku:
        return terms.text("cli.sheet.none", language)
    value = rules.yaku[name]
    return " / ".join(worth_in_words(worth, language) for worth in (value.closed, value.open))


def _signed(row: Iterable[int], _language: Language | None = None) -> str:
    return " / ".join(signed(points) for points in row)


def _floating(rows: Iterable[Iterable[int]], _language: Language | None) -> str:
    return "; ".join(_signed(row) for row in rows)


def _sticks(sticks: Mapping[str, int], language: Language | None) -> str:
    largest_first = sorted(((int(value), count) for value, count in sticks.items()), reverse=True)
    return listed((f"{value:,} × {count}" for value, count in largest_first), language)


def _red(red: Mapping[str, int], language: Language | None) -> str:
    tiles = ((tile_name(Tile.parse(name) + RED, language), count) for name, count in red.items())
    return listed((f"{name} × {count}" for name, count in tiles if count), language)


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
    """Return a number with its unit: ``14장``, ``300点``."""
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
