"""Play the scenarios of an option under each of its values, and record everything observable."""

from typing import Any

from jantaku.rules import Ruleset, load
from jantaku.rules.check import choices_of, hints
from jantaku.rules.options import SECTIONS
from jantaku.tiles import format_tiles
from support.options.deals import Changes, Scenario
from support.table import Table, ruleset

STANDARD = load("standard")
Trace = list[Any]


def values_of(path: str, scenarios: list[Scenario]) -> list[Any]:
    """Return the values to try for an option: those of its type and of its scenarios."""
    section, name = path.split(".")
    hint = hints(SECTIONS[section])[name]
    given = {repr(value): value for scenario in scenarios for value in scenario.values}
    named = [True, False] if hint is bool else list(choices_of(hint))
    return list({repr(value): value for value in [*named, *given.values()]}.values())


def rules_of(path: str, value: Any, scenario: Scenario, more: Changes | None = None) -> Ruleset:
    """Return the rules of a scenario with one value of the option and the changes ``more``."""
    company = next((more for key, more in scenario.company.items() if key == value), {})
    return ruleset(STANDARD.with_changes({**scenario.rules, **company, **(more or {}), path: value}))


def played(rules: Ruleset, scenario: Scenario) -> Trace:
    """Play a scenario; return legal actions and indicators at every step, refusals, and the result."""
    table = Table(rules, scenario.hands, scenario.draws, **scenario.setting)
    trace: Trace = []
    for command in scenario.plays:
        trace.append([int(table.game.indicators), *(sorted(table.legal(wind)) for wind in table.seated)])
        if command == "end":
            table.to_the_end()
        elif command.startswith("until"):
            table.until(int(command.split()[1]))
        elif command == "late":
            drawn = f"riichi {format_tiles([int(table.game.drawn)])}"
            trace.append(drawn in table.fouls("E"))
            table.play(*[f"E {drawn}"] if trace[-1] else [])
        elif command == "-" or may(table, command):
            table.play(command)
        else:
            trace.append(f"{command} is refused")
            break
    trace.append([sorted(table.legal(wind)) for wind in table.seated])
    costs = [int(cost) for cost in table.game.foul_cost]
    return [*trace, costs, table.facts(), [int(place) for place in table.game.match.place]]


def may(table: Table, command: str) -> bool:
    """Return whether the command is legal, letting other seats pass first if needed."""
    wind, word = command.split(" ", 1)
    if wind not in table.seated:
        return False
    seat = table.winds["ESWN".index(wind)]
    if table._find(seat, word) is None:
        table._pass_rest()
    return table._find(seat, word) is not None


def traces(path: str, scenarios: list[Scenario], more: Changes | None = None) -> dict[str, list[Trace]]:
    """Return the traces of the scenarios under each value of the option."""
    return {
        repr(value): [played(rules_of(path, value, scenario, more), scenario) for scenario in scenarios]
        for value in values_of(path, scenarios)
    }
