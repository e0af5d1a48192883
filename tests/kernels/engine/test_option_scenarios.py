"""Every value of every option makes a difference in some hand, shown by playing the hand under each value."""

import itertools
from pathlib import Path
from typing import Any, get_args

import pytest

from jantaku.rules import Ruleset, load
from jantaku.rules.check import choices_of, hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.sheet import Row, sheet
from jantaku.server.clock import Clocks
from jantaku.tiles import format_tiles
from support.option_scenarios import CLOCK, NOT_PLAYED, SCENARIOS, SHEET
from support.options.deals import Scenario
from support.table import Table, ruleset

STANDARD = load("standard")
OPTIONS = [path for path, _ in STANDARD.options() if not path.startswith("yaku.")]
Trace = list[Any]


def values_of(path: str, scenarios: list[Scenario]) -> list[Any]:
    """The values to try: those the option names, or those of its scenarios."""
    section, name = path.split(".")
    hint = hints(SECTIONS[section])[name]
    given = {repr(value): value for scenario in scenarios for value in scenario.values}
    named = [True, False] if hint is bool else list(choices_of(hint))
    return list({repr(value): value for value in [*named, *given.values()]}.values())


def rules_of(path: str, value: Any, scenario: Scenario) -> Ruleset:
    company = next((more for key, more in scenario.company.items() if key == value), {})
    return ruleset(STANDARD.with_changes({**scenario.rules, **company, path: value}))


def played(rules: Ruleset, scenario: Scenario) -> Trace:
    """Everything observable: legal actions and indicators at every step, refusals, and the end."""
    table = Table(rules, scenario.hands, scenario.draws, **scenario.setting)
    found: Trace = []
    for command in scenario.plays:
        found.append([int(table.game.indicators), *(sorted(table.legal(wind)) for wind in table.seated)])
        if command == "end":
            table.to_the_end()
        elif command.startswith("until"):
            table.until(int(command.split()[1]))
        elif command == "late":
            drawn = f"riichi {format_tiles([int(table.game.drawn)])}"
            found.append(drawn in table.fouls("E"))
            table.play(*[f"E {drawn}"] if found[-1] else [])
        elif command == "-" or may(table, command):
            table.play(command)
        else:
            found.append(f"{command} is refused")
            break
    found.append([sorted(table.legal(wind)) for wind in table.seated])
    costs = [int(cost) for cost in table.game.foul_cost]
    return [*found, costs, table.facts(), [int(place) for place in table.game.match.place]]


def may(table: Table, command: str) -> bool:
    """Whether the command can be carried out, others passing first if need be."""
    wind, word = command.split(" ", 1)
    if wind not in table.seated:
        return False
    seat = table.winds["ESWN".index(wind)]
    if table._find(seat, word) is None:
        table._pass_rest()
    return table._find(seat, word) is not None


def test_every_option_has_scenarios() -> None:
    assert set(SCENARIOS) | set(NOT_PLAYED) == set(OPTIONS)
    assert not set(SCENARIOS) & set(NOT_PLAYED)


@pytest.mark.parametrize("path", SCENARIOS)
def test_each_value_makes_a_difference(path: str) -> None:
    scenarios = SCENARIOS[path]
    values = values_of(path, scenarios)
    assert len(values) > 1
    traces = {
        repr(value): [played(rules_of(path, value, scenario), scenario) for scenario in scenarios]
        for value in values
    }
    alike = [(one, other) for one, other in itertools.combinations(traces, 2) if traces[one] == traces[other]]
    assert alike == []


# Options that no hand can decide -------------------------------------------------------------------------

OTHERS: dict[str, Any] = {"match.sticks": {"5000": 5}, "event.format": "team"}


@pytest.mark.parametrize("path", [path for path, reader in NOT_PLAYED.items() if reader == SHEET])
def test_options_without_effect_on_play_are_on_the_rule_sheet(path: str) -> None:
    default = STANDARD.option(path)
    other = OTHERS.get(path, default + 1 if isinstance(default, int) else "none")
    found = rows(STANDARD.with_changes({path: "chombo" if other == default else other}), path)
    assert [row.differs for row in found] == [True]
    assert found[0].value != found[0].standard


def rows(rules: Ruleset, path: str) -> list[Row]:
    return [row for section in sheet(rules, "en").sections for row in section.rows if row.path == path]


@pytest.mark.parametrize("path", [path for path, reader in NOT_PLAYED.items() if reader == CLOCK])
def test_the_clock_follows_the_rules(path: str) -> None:
    clocks = Clocks(STANDARD.with_changes({path: 77}).clock)
    times = clocks.times
    given = {"bank_s": clocks.bank[0], "turn_s": times.turn_s, "claim_window_s": times.claim_window_s}
    assert given[path.split(".")[1]] == 77


@pytest.mark.parametrize("display", get_args(hints(SECTIONS["calls"])["ankan_display"]))
def test_the_browser_knows_every_display_of_a_kan(display: str) -> None:
    # ``piecesOf`` of the client lays a concealed kan; the client's own test says how.
    tests = (Path(__file__).parents[3] / "web" / "src" / "tiles" / "tiles.test.ts").read_text("utf-8")
    assert f'"{display}"' in tests
