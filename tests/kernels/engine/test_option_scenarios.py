"""For every option there are hands in which each of its values makes a difference."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from jantaku.errors import RulesError
from jantaku.rules import Ruleset
from jantaku.rules.gates import gate_open
from jantaku.rules.idle_options import NEEDS
from jantaku.rules.sheet import Row, sheet
from jantaku.server.play.live_game import Clocks
from support.option_scenarios import CLOCK, NOT_PLAYED, SAME_RECORD, SCENARIOS, SHEET
from support.options.tracing import STANDARD, traces


@pytest.mark.parametrize("path", SCENARIOS)
def test_each_value_makes_a_difference(path: str) -> None:
    ends = traces(path, SCENARIOS[path])
    assert len(ends) > 1
    alike = [(one, other) for one, other in itertools.combinations(ends, 2) if ends[one] == ends[other]]
    assert alike == SAME_RECORD.get(path, [])


# Options that depend on others ---------------------------------------------------------------------------

WITHOUT: dict[str, Any] = {
    "yaku.riichi.closed": False, "riichi.deposit": 0, "riichi.ippatsu": False, "dora.ura": False,
    "dora.kan_dora": False,
}  # fmt: skip
BY_ITS_HAND: dict[str, set[str]] = {
    "yaku.riichi.closed": {
        "chips.value", "score.double_wind_pair_fu", "score.kiriage_mangan", "score.kazoe", "win.deposits_to",
    },
    "riichi.ippatsu": {"chips.value"},
}  # fmt: skip
"""Options whose scenario needs the other one only for its hand: riichi as its yaku, ippatsu for its chip."""
WORTH_NOTHING: dict[str, set[str]] = {"riichi.deposit": {"riichi.sticks_to", "end.leftover_deposits"}}
"""Options that, without the other option, only move sticks worth nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("other", WITHOUT)
def test_options_without_effect_unless_another_is_set_declare_it(other: str) -> None:
    """An option makes no difference without another option if and only if its ``needs`` are then not met."""
    silent, closed = set(), set()
    for path, scenarios in SCENARIOS.items():
        free = [scenario for scenario in scenarios if other not in scenario.rules and other != path]
        changed = [replace(scenario, rules={**scenario.rules, other: WITHOUT[other]}) for scenario in free]
        try:
            ends = list(traces(path, changed).values())
        except RulesError:  # the options contradict each other
            continue
        if free and all(end == ends[0] for end in ends):
            silent.add(path)
        rules = [STANDARD.with_changes(scenario.rules) for scenario in changed]
        if rules and not any(all(gate_open(need, rule) for need in NEEDS.get(path, ())) for rule in rules):
            closed.add(path)
    assert silent - BY_ITS_HAND.get(other, set()) == closed - WORTH_NOTHING.get(other, set())


# Options that no hand can decide -------------------------------------------------------------------------

OTHERS: dict[str, Any] = {"match.sticks": {"5000": 5}, "event.format": "team"}


@pytest.mark.parametrize("path", [path for path, reader in NOT_PLAYED.items() if reader == SHEET])
def test_options_without_effect_on_play_are_on_the_rule_sheet(path: str) -> None:
    default = STANDARD.option(path)
    other = OTHERS.get(path, default + 1 if isinstance(default, int) else "none")
    lines = rows(STANDARD.with_changes({path: "chombo" if other == default else other}), path)
    assert [row.differs for row in lines] == [True]
    assert lines[0].value != lines[0].standard


def rows(rules: Ruleset, path: str) -> list[Row]:
    return [row for section in sheet(rules, "en").sections for row in section.rows if row.path == path]


@pytest.mark.parametrize("path", [path for path, reader in NOT_PLAYED.items() if reader == CLOCK])
def test_the_clock_follows_the_rules(path: str) -> None:
    clocks = Clocks(STANDARD.with_changes({path: 77}).clock)
    times = clocks.times
    given = {"bank_s": clocks.bank[0], "turn_s": times.turn_s, "claim_window_s": times.claim_window_s}
    assert given[path.split(".")[1]] == 77
