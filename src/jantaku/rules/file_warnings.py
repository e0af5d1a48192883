"""What a valid rules file should still be told: what follows from it, and what in it does nothing."""

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
"""The worths of yaku with a form of their own, which stays a complete hand without them."""
LEAST_UMA: Final = 1000  # points; a highest uma below, or oka, is probably meant in thousands


@dataclass(frozen=True)
class RulesReport:
    """A ruleset with the options that were derived, by path, and warnings about what its file sets."""

    rules: Ruleset
    derived: Mapping[str, Any]
    warnings: tuple[RulesError, ...]


def report_on(rules: Ruleset, parent: Ruleset, data: Mapping[str, Any]) -> RulesReport:
    """The report on the rules that ``data`` make of ``parent``."""
    given = _given(data)
    differences = rules.differences(parent)
    derived = {
        path: value
        for path, (value, before) in differences.items()
        if path not in given and before is not None
    }
    warnings = [*without_effect(rules, given, parent), *_small_uma(rules, given), *_replaced(rules, given)]
    warnings += _worthless(rules)
    warnings += _alike(rules, parent, given)
    warnings += [RulesError("form_stays", path=path) for path in FORMS if given.get(path) is False]
    if rules.fouls.mode != "penalise" and "riichi.deposit" in given:  # entered hands charge fouls, too
        warnings += foul_deposit_problems(rules)
    return RulesReport(rules, derived, tuple(warnings))


def _given(data: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a rules file by path, under the names that a ruleset uses."""
    given: dict[str, Any] = {}
    for path in given_paths(data):
        value: Any = data
        for name in path.split("."):
            value = value[name]
        *parents, name = path.split(".")
        given[".".join([*parents, OTHER_NAMES.get(name, name)])] = value
    return given


def _small_uma(rules: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Uma that looks like thousands of points."""
    rows = {"match.uma": [rules.match.uma], "match.floating_uma": list(rules.match.floating_uma)}
    for path, lines in rows.items():
        highest = max((abs(points) for line in lines for points in line), default=0)
        if path in given and 0 < highest < LEAST_UMA:
            meant = [points * 1000 for points in lines[0]]
            yield RulesError("uma_in_thousands", path=path, uma=shown(lines[0]), meant=shown(meant))
    oka = given.get("match.oka")
    if type(oka) is int and 0 < oka < LEAST_UMA:
        yield RulesError("uma_in_thousands", path="match.oka", uma=oka, meant=oka * 1000)


def _alike(rules: Ruleset, parent: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Options that are set to another value of the same meaning, as among three where two may ron."""
    for path in ("win.multiple_ron", "calls.kuikae"):
        value, before = value_at(rules, path), value_at(parent, path)
        other = with_option(rules, path, before)
        if path in given and value != before and answer(rules, path) == answer(other, path):
            yield RulesError("plays_alike", path=path, value=value, other=before)


def _worthless(rules: Ruleset) -> Iterator[RulesError]:
    """Own yaku that count neither in closed nor in open hands."""
    for yaku in rules.own_yaku:
        if worths(rules, yaku.id) == (False, False):
            yield RulesError("own_worthless", path=f"yaku.{yaku.id}")


def _replaced(rules: Ruleset, given: Mapping[str, Any]) -> Iterator[RulesError]:
    """Yaku that replace themselves or each other, so that a hand with them has none."""
    for name, value in rules.yaku.items():
        path = f"yaku.{name}.replaces"
        for other in value.replaces:
            both = other == name or (other in rules.yaku and name in rules.yaku[other].replaces)
            if both and (path in given or any(name == yaku.id for yaku in rules.own_yaku)):
                code = "replaces_itself" if other == name else "replace_each_other"
                yield RulesError(code, path=path, yaku=other)
