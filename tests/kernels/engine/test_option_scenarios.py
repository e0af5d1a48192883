"""Every value of every option makes a difference in some hand, shown by playing the hand under each value."""

import itertools
from pathlib import Path
from typing import Any, get_args

import pytest

from jantaku.rules import Ruleset
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.sheet import Row, sheet
from jantaku.server.play.clock import Clocks
from support.option_scenarios import CLOCK, NOT_PLAYED, SAME_RECORD, SCENARIOS, SHEET
from support.options.tracing import STANDARD, traces

OPTIONS = [path for path, _ in STANDARD.options() if not path.startswith("yaku.")]


def test_every_option_has_scenarios() -> None:
    assert set(SCENARIOS) | set(NOT_PLAYED) == set(OPTIONS)
    assert not set(SCENARIOS) & set(NOT_PLAYED)


@pytest.mark.parametrize("path", SCENARIOS)
def test_each_value_makes_a_difference(path: str) -> None:
    found = traces(path, SCENARIOS[path])
    assert len(found) > 1
    alike = [(one, other) for one, other in itertools.combinations(found, 2) if found[one] == found[other]]
    assert alike == SAME_RECORD.get(path, [])


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
