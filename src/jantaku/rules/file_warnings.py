"""Report on a valid rules file: derived options, and warnings about settings without effect."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku.bounded import shown
from jantaku.errors import RulesError
from jantaku.rules.answers import answer
from jantaku.rules.check import OTHER_NAMES
from jantaku.rules.contradictions import foul_deposit_problems
from jantaku.rules.derived import given_paths, with_option
from jantaku.rules.gates import value_at
from jantaku.rules.idle_options import without_effect
from jantaku.rules.ruleset import Ruleset
from jantaku.rules.worths import worths

FORMS: Final = ("yaku.chiitoitsu.closed", "yaku.kokushi_musou.closed")
"""Yaku whose hand shapes (seven pairs, thirteen orphans) remain complete hands when the yaku is off."""
MIN_UMA: Final = 1000  # points; an uma or oka below this is probably in thousands


@dataclass(frozen=True)
class RulesReport:
    """A ruleset, its derived options by path, and warnings about the settings of its file."""

    rules: Ruleset
    derived: Mapping[str, Any]
    warnings: tuple[RulesError, ...]


def report_on(rules: Ruleset, parent: Ruleset, data: Mapping[str, Any]) -> RulesReport:
    """Return the report on ``rules``, which ``data`` define as changes to ``parent``."""
    given = _given(data)
    differences = rules.differences(parent)
    derived = {
        path: value
        for path, (value, before) in differences.items()
        if path not in given and before is not None
    }
    warnings = [*without_effect(rules, given, parent), *_small_uma(rules, given)]
    warnings += _mutual_replacements(rules, given)
    warnings += _worthless(rules)
    warnings += _equivalent(rules, parent, given)
    warnings += [RulesError("form_stays", path=path) for path in FORMS if given.get(path) is False]
    # In entered hands, fouls are charged in every mode
    if rules.fouls.mode != "penalise" and "riichi.deposit" in given:
        warnings += foul_deposit_problems(rules)
    return RulesReport(rules, derived, tuple(warnings))


def _given(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a rules file by path, with aliases resolved."""
    given: dict[str, Any] = {}
    for path in given_paths(data):
        value: Any = data
        for name in path.split("."):
            value = value[name]
        *parents, name = path.split(".")
        given[".".join([*parents, OTHER_NAMES.get(name, name)])] = value
    return given


def _small_uma(rules: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Warn about uma and oka that seem to be given in thousands of points."""
    rows = {"match.uma": [rules.match.uma], "match.floating_uma": list(rules.match.floating_uma)}
    for path, lines in rows.items():
        highest = max((abs(points) for line in lines for points in line), default=0)
        if path in given and 0 < highest < MIN_UMA:
            likely = [points * 1000 for points in lines[0]]
            yield RulesError("uma_in_thousands", path=path, uma=shown(lines[0]), meant=shown(likely))
    oka = given.get("match.oka")
    if type(oka) is int and 0 < oka < MIN_UMA:
        yield RulesError("uma_in_thousands", path="match.oka", uma=oka, meant=oka * 1000)


def _equivalent(rules: Ruleset, parent: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Warn about options whose new value plays like the old one, such as triple ron with three seats."""
    for path in ("win.multiple_ron", "calls.kuikae"):
        value, before = value_at(rules, path), value_at(parent, path)
        other = with_option(rules, path, before)
        if path in given and value != before and answer(rules, path) == answer(other, path):
            yield RulesError("plays_alike", path=path, value=value, other=before)


def _worthless(rules: Ruleset) -> Iterator[RulesError]:
    """Warn about custom yaku that count neither in closed nor in open hands."""
    for yaku in rules.own_yaku:
        if worths(rules, yaku.id) == (False, False):
            yield RulesError("own_worthless", path=f"yaku.{yaku.id}")


def _mutual_replacements(rules: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Warn about yaku that replace themselves or each other, so that a hand gets none of them."""
    for name, value in rules.yaku.items():
        path = f"yaku.{name}.replaces"
        for other in value.replaces:
            both = other == name or (other in rules.yaku and name in rules.yaku[other].replaces)
            if both and (path in given or any(name == yaku.id for yaku in rules.own_yaku)):
                code = "replaces_itself" if other == name else "replace_each_other"
                yield RulesError(code, path=path, yaku=other)
